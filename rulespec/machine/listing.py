"""The form as text for readers. Together with the kernels' kit, Python can run it, with the same meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from . import form as f
from .state_memoisation import begins_version
from .webassembly.if_conversion import as_range

LEVELS = {"|": 6, "^": 7, "&": 8, "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "//": 11, "%": 11, "/": 11}
CHOICE, EITHER, BOTH, NEGATE, COMPARE, SIGN, ATOM = 1, 2, 3, 4, 5, 12, 13
"""The precedence of the forms of expressions; a higher one binds more tightly."""
LINE = 110
"""Maximum length of a line of a table."""


def list_function(function: f.Function) -> str:
    """A function as text."""
    names = ", ".join(name for name, _ in function.parameters)
    lines = list(_list_body(function.body, "    ")) or ["    pass"]
    return "\n".join([f"def {function.name}({names}):", *lines])


def list_table(table: f.Table) -> str:
    """A table as text, in lines of limited length."""
    words = table.type is f.WORDS
    head = f"{table.name} = {'masks' if words else 'table'}(["
    values = [f"{x:#x}" if words else "NONE" if x == f.NONE else str(x) for x in table.values]
    if len(whole := f"{head}{', '.join(values)}])") <= LINE:
        return whole
    lines = ["   "]
    for value in values:
        if len(lines[-1]) + len(value) + 2 > LINE:
            lines.append("   ")
        lines[-1] += f" {value},"
    return "\n".join([head, *lines, "])"])


# ---- statements


def _list_body(body: f.Body, indent: str) -> Iterator[str]:
    """Yield the lines of statements, indented."""
    inner = indent + "    "
    for x in body:
        if begins_version(x):
            continue
        match x:
            case f.Set(name, value):
                yield indent + _list_assignment(name, value)
            case f.SetMany(names, values):
                yield f"{indent}{', '.join(names)} = {', '.join(map(text, values))}"
            case f.SetResults(given, function, arguments):
                places = ", ".join(name or "_" for name in given)
                yield f"{indent}{places} = {_list_call(function, arguments)}"
            case f.Store(array, index, value):
                yield indent + _list_assignment(
                    f"{text(array)}[{text(index)}]", value, f.Load(value.type, array, index)
                )
            case f.Do(function, arguments):
                yield indent + _list_call(function, arguments)
            case f.If():
                yield from _list_branches(x, indent)
            case f.While(condition, body):
                yield f"{indent}while {text(condition)}:"
                yield from _list_body(body, inner) if body else [f"{inner}pass"]
            case f.For(name, first, last, step, body):
                bounds = [text(first), text(last), str(step)][: 3 if step != 1 else 2]
                if bounds[0] == "0" and step == 1:
                    del bounds[0]
                yield f"{indent}for {name} in range({', '.join(bounds)}):"
                yield from _list_body(body, inner) if body else [f"{inner}pass"]
            case f.Break():
                yield f"{indent}break"
            case f.Continue():
                yield f"{indent}continue"
            case f.Return(values):
                yield f"{indent}return {', '.join(map(text, values))}".rstrip()
            case f.Run():
                raise NotImplementedError("bodies in the place of calls have no text")


def _list_assignment(place: str, value: f.Expr, held: f.Expr | None = None) -> str:
    """An assignment, in augmented form if it updates the place."""
    if isinstance(value, f.Binary) and value.op in LEVELS:
        left = value.left
        if left == held or (held is None and isinstance(left, f.Local) and left.name == place):
            return f"{place} {value.op}= {text(value.right)}"
    return f"{place} = {text(value)}"


def _list_branches(node: f.If, indent: str) -> Iterator[str]:
    """Yield the lines of an `if` with its `elif` and `else` branches."""
    word: str = "if"
    while True:
        yield f"{indent}{word} {text(node.condition)}:"
        lines = list(_list_body(node.then, indent + "    "))
        yield from lines or [f"{indent}    pass"]
        if len(node.other) != 1 or not isinstance(node.other[0], f.If):
            break
        word, node = "elif", node.other[0]
    if node.other:
        yield f"{indent}else:"
        yield from list(_list_body(node.other, indent + "    ")) or [f"{indent}    pass"]


# ---- expressions


def text(e: f.Expr, least: int = 0, cut: bool = False) -> str:
    """An expression as text, in parentheses if it binds less tightly than `least`.

    Only a word that is `cut` to the bits of another may have more than 64 bits in Python, or a sign.
    """
    level, made = _text(e, least, cut)
    return f"({made})" if level < least else made


def _is_wide(e: f.Expr) -> bool:
    """True if an operator may give more than 64 bits in Python."""
    return e.type is f.WORD and getattr(e, "op", "") in ("not", "<<")


def _text(e: f.Expr, least: int, cut: bool) -> tuple[int, str]:
    """The precedence and text of an expression."""
    match e:
        case f.Const():
            made = _list_constant(e)
            return (LEVELS["+"] if " " in made else SIGN if made.startswith("-") else ATOM), made
        case f.Local(_, name) | f.Static(_, name):
            return ATOM, name
        case f.Load(_, array, index):
            return ATOM, f"{text(array)}[{text(index)}]"
        case f.Length(array):
            return ATOM, f"len({text(array)})"
        case f.Unary(_, "not", value) if not cut and e.type is f.WORD:
            return LEVELS["^"], f"FULL_WORD ^ {text(value, LEVELS['^'] + 1)}"
        case f.Unary(_, "neg" | "not" as op, value):
            return SIGN, f"{'-' if op == 'neg' else '~'}{text(value, SIGN, cut)}"
        case f.Unary(_, op, value):
            return ATOM, f"{op}({text(value)})"
        case f.Binary(_, "min" | "max" as op, left, right):
            return ATOM, _list_call(op, (left, right))
        case f.Binary(f.Type.WORD, "<<") if not cut:
            return LEVELS["&"], f"{text(e, LEVELS['&'], cut=True)} & FULL_WORD"
        case f.Binary(_, op, left, right):
            first, last = cut and op in ("&", "|", "^", "<<"), cut and op in ("&", "|", "^")
            level = LEVELS[op]
            if op == "&" and not cut:  # one side cuts the other
                first, last = not _is_wide(right), _is_wide(right)
            return (level, f"{text(left, level, first)} {op} {text(right, level + 1, last)}")
        case f.Compare(op, left, right):
            return COMPARE, f"{text(left, COMPARE + 1)} {op} {text(right, COMPARE + 1)}"
        case f.Both(left, right):
            if (held := as_range(e)) is not None:
                return COMPARE, f"{held[1]} <= {held[0].name} <= {held[2]}"
            return BOTH, f"{text(left, BOTH)} and {text(right, BOTH)}"
        case f.Either(left, right):
            return EITHER, f"{text(left, EITHER)} or {text(right, EITHER)}"
        case f.Negate(value):
            return NEGATE, f"not {text(value, NEGATE)}"
        case f.Choose(_, condition, then, other):
            return (CHOICE, f"{text(then, EITHER)} if {text(condition, EITHER)} else {text(other, CHOICE)}")
        case f.Convert(f.Type.TRUTH, value):
            return COMPARE, f"{text(value, COMPARE + 1)} != 0"
        case f.Convert(f.Type.NUMBER, value) if value.type is f.TRUTH:
            return _text(value, least, False)
        case f.Convert(t, value):
            return ATOM, f"{'float' if t is f.REAL else f'as_{t.value}'}({text(value)})"
        case f.Call(_, function, arguments):
            return ATOM, _list_call(function, arguments)
        case f.Block():
            raise NotImplementedError("bodies in the place of calls have no text")


def _list_constant(e: f.Const) -> str:
    if e.name:
        return e.name
    if e.type is f.TRUTH:
        return str(bool(e.value))
    return f"{int(e.value):#x}" if e.type is f.WORD and e.value > 9 else str(e.value)


def _list_call(function: str, arguments: Sequence[f.Expr]) -> str:
    return f"{function}({', '.join(map(text, arguments))})"
