"""Writing the form: expressions, with constants folded at once, and the statements of a function.

Every part of an expression may be repeated or left out, because none has an effect.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from itertools import count

from . import form as f
from .rewriting import Rewriter
from .state_memoisation import NEXT_VERSION
from .traversal import nodes_of

FULL = (1 << 64) - 1
"""The word with all bits set."""
TRUE, FALSE = f.Const(f.TRUTH, 1), f.Const(f.TRUTH, 0)
ZERO, ONE = f.Const(f.WORD, 0), f.Const(f.WORD, 1)
CONTRARY = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


# ---- constants and types


def number(value: int, name: str = "") -> f.Const:
    """A number; a named one is shown by its name, in sums, too."""
    return f.Const(f.NUMBER, value, name)


def word(value: int) -> f.Const:
    """A word."""
    return f.Const(f.WORD, value & FULL)


def truth(value: bool) -> f.Const:
    """A truth value."""
    return TRUE if value else FALSE


def is_atom(e: f.Expr) -> bool:
    """True if repeating an expression costs nothing."""
    return isinstance(e, f.Local | f.Const)


def constant_value(e: f.Expr | int) -> int | None:
    """The value of a constant that may be folded into others, else None."""
    if isinstance(e, int):
        return e
    return int(e.value) if isinstance(e, f.Const) and not e.name else None


def as_type(e: f.Expr, t: f.Type) -> f.Expr:
    """A value converted to another type; a nonzero number or word becomes true."""
    if e.type is t:
        return e
    if isinstance(e, f.Const):
        value = int(e.value)
        if t is f.WORD:
            return word(value)
        if t is f.TRUTH:
            return truth(value != 0)
        return number(value - (value >> 63 << 64 if e.type is f.WORD else 0))
    return f.Compare("!=", e, f.Const(e.type, 0)) if t is f.TRUTH else f.Convert(t, e)


def _same_type(a: f.Expr | int, b: f.Expr | int) -> tuple[f.Expr, f.Expr]:
    """Two values converted to the same type: a word beside a constant, a number beside a truth value."""
    a, b = (number(x) if isinstance(x, int) else x for x in (a, b))
    if a.type is b.type:
        return a, b
    t = f.WORD if f.WORD in (a.type, b.type) else f.NUMBER
    return as_type(a, t), as_type(b, t)


# ---- numbers


def plus(*parts: f.Expr | int) -> f.Expr:
    """A sum of numbers, constants last."""
    total: f.Expr | None = None
    constant = 0
    for part in parts:
        value = constant_value(part)
        if value is not None:
            constant += value
            continue
        assert not isinstance(part, int)
        rest, more = _split_constant(part)
        constant += more
        rest = as_type(rest, f.NUMBER)
        total = rest if total is None else f.Binary(f.NUMBER, "+", total, rest)
    if total is None:
        return number(constant)
    if not constant:
        return total
    sign = "+" if constant > 0 else "-"
    if isinstance(total, f.Const):
        return number(int(total.value) + constant, f"{total.name} {sign} {abs(constant)}")
    return f.Binary(f.NUMBER, sign, total, number(abs(constant)))


def _split_constant(e: f.Expr) -> tuple[f.Expr, int]:
    """An expression split into an expression and a constant added to it."""
    if isinstance(e, f.Binary) and e.op in ("+", "-") and (more := constant_value(e.right)) is not None:
        return e.left, more if e.op == "+" else -more
    return e, 0


def arithmetic(op: str, a: f.Expr | int, b: f.Expr | int) -> f.Expr:
    """The result of `- * // %`, `min` or `max` on numbers."""
    x, y = constant_value(a), constant_value(b)
    if op == "-" and y is not None:
        return plus(a, -y)
    if x is not None and y is not None and (y or op not in ("//", "%")):
        values = {"-": x - y, "*": x * y, "min": min(x, y), "max": max(x, y)}
        return number(x // y if op == "//" else x % y if op == "%" else values[op])
    if op == "*" and y == 1:
        return number(a) if isinstance(a, int) else as_type(a, f.NUMBER)
    left, right = (number(e) if isinstance(e, int) else as_type(e, f.NUMBER) for e in (a, b))
    return f.Binary(f.NUMBER, op, left, right)


def minus(a: f.Expr | int, b: f.Expr | int) -> f.Expr:
    """A difference of numbers."""
    return arithmetic("-", a, b)


def times(a: f.Expr | int, b: f.Expr | int) -> f.Expr:
    """A product of numbers."""
    return arithmetic("*", a, b)


def choose(condition: f.Expr, then: f.Expr | int, other: f.Expr | int) -> f.Expr:
    """A conditional expression: one of two values of a type."""
    a, b = _same_type(then, other)
    if isinstance(condition, f.Const):
        return a if condition.value else b
    return a if a == b else f.Choose(a.type, as_type(condition, f.TRUTH), a, b)


# ---- conditions


def compare(op: str, a: f.Expr | int, b: f.Expr | int) -> f.Expr:
    """The comparison of two values of a type by `== != < <= > >=`."""
    a, b = _same_type(a, b)
    if isinstance(a, f.Const) and isinstance(b, f.Const):
        x, y = a.value, b.value
        held = {"==": x == y, "!=": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}
        return truth(held[op])
    return f.Compare(op, a, b)


def equal(a: f.Expr | int, b: f.Expr | int) -> f.Expr:
    """True if two values are equal."""
    return compare("==", a, b)


def differ(a: f.Expr | int, b: f.Expr | int) -> f.Expr:
    """True if two values are not equal."""
    return compare("!=", a, b)


def between(low: f.Expr | int, x: f.Expr, high: f.Expr | int) -> f.Expr:
    """True if a number lies between two others, both included."""
    return both(compare("<=", low, x), compare("<=", x, high))


def negation(condition: f.Expr) -> f.Expr:
    """The negation of a condition."""
    condition = as_type(condition, f.TRUTH)
    if isinstance(condition, f.Const):
        return truth(not condition.value)
    if isinstance(condition, f.Negate):
        return condition.value
    if isinstance(condition, f.Compare) and condition.left.type is not f.REAL:
        return replace(condition, op=CONTRARY[condition.op])
    return f.Negate(condition)


def both(*conditions: f.Expr) -> f.Expr:
    """True if all conditions are; each is evaluated only if those before it hold."""
    return _join_conditions(conditions, f.Both, TRUE, FALSE)


def either(*conditions: f.Expr) -> f.Expr:
    """True if one of the conditions is; each is evaluated only if those before it fail."""
    return _join_conditions(conditions, f.Either, FALSE, TRUE)


def _join_conditions(
    conditions: Sequence[f.Expr], kind: type[f.Both | f.Either], neutral: f.Const, decisive: f.Const
) -> f.Expr:
    """Join conditions by `and` or `or`, without neutral ones; a decisive one replaces all."""
    listed = [part for e in conditions if (part := as_type(e, f.TRUTH)) != neutral]
    if decisive in listed:
        return decisive
    made = listed.pop() if listed else neutral
    for part in reversed(listed):
        made = kind(part, made)
    return made


# ---- words


def combine(op: str, words: Iterable[f.Expr]) -> f.Expr:
    """Words joined by `&` or `|`, constants last. Masks in an intersection are merged into one."""
    neutral, decisive = (FULL, 0) if op == "&" else (0, FULL)
    constant, listed = neutral, list[f.Expr]()
    for e in _with_masks_apart(words) if op == "&" else words:
        if isinstance(e, f.Const):
            constant = constant & int(e.value) if op == "&" else constant | int(e.value)
        else:
            listed.append(e)
    if constant == decisive or not listed:
        return f.Const(f.WORD, constant)
    if constant != neutral:
        listed.append(f.Const(f.WORD, constant))
    return reduce(lambda a, b: f.Binary(f.WORD, op, a, b), listed)


def _with_masks_apart(words: Iterable[f.Expr]) -> Iterator[f.Expr]:
    """The words of an intersection, with each masked word split into word and mask."""
    for e in words:
        if isinstance(e, f.Binary) and e.op == "&" and isinstance(e.right, f.Const):
            yield from (e.left, e.right)
        else:
            yield e


def union(*words: f.Expr) -> f.Expr:
    """The union of words."""
    return combine("|", words)


def intersection(*words: f.Expr) -> f.Expr:
    """The intersection of words."""
    return combine("&", words)


def complement(e: f.Expr) -> f.Expr:
    """The complement of a word."""
    if isinstance(e, f.Const):
        return word(~int(e.value))
    return e.value if isinstance(e, f.Unary) and e.op == "not" else f.Unary(f.WORD, "not", e)


def shift_word(e: f.Expr, distance: int) -> f.Expr:
    """A word shifted down, or up by a negative distance."""
    if not distance or e == ZERO:
        return e
    return f.Binary(f.WORD, ">>" if distance > 0 else "<<", e, number(abs(distance)))


def bit(position: f.Expr) -> f.Expr:
    """The word with only the bit at a position set."""
    at = constant_value(position)
    if at is not None and 0 <= at < 64:
        return word(1 << at)
    return f.Load(f.WORD, f.Static(f.WORDS, "BIT"), position)


def low(e: f.Expr) -> f.Expr:
    """The position of the lowest set bit of a nonzero word."""
    return f.Unary(f.NUMBER, "low", e)


def high(e: f.Expr) -> f.Expr:
    """The position of the highest set bit of a nonzero word."""
    return f.Unary(f.NUMBER, "high", e)


def count_bits(*words: f.Expr) -> f.Expr:
    """Number of bits set in words."""
    return plus(
        *(
            int(e.value).bit_count() if isinstance(e, f.Const) else f.Unary(f.NUMBER, "count", e)
            for e in words
        )
    )


def load(array: f.Expr, index: f.Expr | int) -> f.Expr:
    """An element of an array."""
    return f.Load(array.type.element, array, plus(index))


# ---- statements


class Builder:
    """The statements of a function, written in order.

    `state` are the arrays whose changes begin a new version of the state; none if the function does not
    change it.
    """

    def __init__(self, state: Collection[str] = ()) -> None:
        self.state = state
        self.body: list[f.Statement] = []
        self.types: dict[str, f.Type] = {}
        """The types of the parameters and variables."""
        self._tried: dict[str, Iterator[int]] = {}
        self._open: list[tuple[f.Expr, list[f.Statement]]] = []

    def local(self, wanted: str, t: f.Type = f.NUMBER) -> f.Local:
        """A new parameter or variable with a unique name."""
        name = wanted
        while name in self.types:
            name = f"{wanted}_{next(self._tried.setdefault(wanted, count(2)))}"
        self.types[name] = t
        return f.Local(t, name)

    def function(
        self,
        name: str,
        parameters: Sequence[f.Local],
        results: Sequence[f.Type] = (),
        *,
        origin: str = "",
        apart: bool = False,
        once: tuple[int, ...] | None = None,
    ) -> f.Function:
        """The statements written so far, as a function; see `form.Function`."""
        taken = {x.name for x in parameters}
        variables = tuple((x, t) for x, t in self.types.items() if x not in taken)
        given = tuple((x.name, x.type) for x in parameters)
        body = _Used(tuple(self.body)).body(tuple(self.body))
        return f.Function(name, given, tuple(results), variables, body, apart, origin=origin, once=once)

    # ---- blocks

    @contextmanager
    def aside(self) -> Iterator[list[f.Statement]]:
        """Collect the statements written in the block instead of writing them."""
        kept, self.body = self.body, []
        try:
            yield self.body
        finally:
            self.body = kept

    @contextmanager
    def when(self, condition: f.Expr) -> Iterator[None]:
        """Write the statements of the block under a condition."""
        with self.aside() as then:
            yield
        self.body.append(f.If(as_type(condition, f.TRUTH), tuple(then), ()))

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Write the statements of the block into the else branch of the last condition."""
        with self.aside() as other:
            yield
        last = self.body[-1]
        assert isinstance(last, f.If)
        assert not last.other
        self.body[-1] = replace(last, other=tuple(other))

    def under(self, condition: f.Expr) -> None:
        """Write all following statements under a condition, until `back`."""
        self._open.append((as_type(condition, f.TRUTH), self.body))
        self.body = []

    @property
    def depth(self) -> int:
        """Number of open conditions."""
        return len(self._open)

    def back(self, depth: int) -> None:
        """Close conditions until `depth` are open."""
        while self.depth > depth:
            condition, outer = self._open.pop()
            if condition == TRUE:
                outer += self.body
            elif condition != FALSE:
                outer.append(f.If(condition, tuple(self.body), ()))
            self.body = outer

    @contextmanager
    def repeat(self, condition: f.Expr) -> Iterator[None]:
        """Loop while a condition holds."""
        with self.aside() as body:
            yield
        self.body.append(f.While(as_type(condition, f.TRUTH), tuple(body)))

    @contextmanager
    def each(self, x: f.Local, first: f.Expr | int, last: f.Expr | int, step: int = 1) -> Iterator[None]:
        """Loop over the numbers from `first` to before `last`."""
        with self.aside() as body:
            yield
        self.body.append(f.For(x.name, plus(first), plus(last), step, tuple(body)))

    # ---- what is done

    def set(self, x: f.Local, value: f.Expr | int) -> None:
        """Assign a value to a variable."""
        self.body.append(f.Set(x.name, as_type(number(value) if isinstance(value, int) else value, x.type)))

    def add(self, x: f.Local, value: f.Expr | int) -> None:
        """Add to a number."""
        self.set(x, plus(x, value))

    def store(
        self, array: f.Expr, index: f.Expr | int, value: f.Expr | int, within: f.Span | None = None
    ) -> None:
        """Store a value in an element of an array; for `within` see `form.Load`."""
        held = number(value) if isinstance(value, int) else value
        self.body.append(f.Store(array, plus(index), as_type(held, array.type.element), within))
        if isinstance(array, f.Local) and array.name in self.state:
            self.begin_version()

    def begin_version(self) -> None:
        """Begin a new version of the state, if the function may change it."""
        if self.state:
            self.body.append(NEXT_VERSION)

    def call(self, t: f.Type, function: str, *arguments: f.Expr | int) -> f.Call:
        """A call of a function with one result."""
        return f.Call(t, function, _arguments(arguments))

    def do(self, function: str, *arguments: f.Expr | int) -> None:
        """Call a function and ignore its results."""
        self.body.append(f.Do(function, _arguments(arguments)))

    def results(self, places: Sequence[f.Local], function: str, *arguments: f.Expr | int) -> None:
        """Assign the several results of a function to variables."""
        self.body.append(f.SetResults(tuple(x.name for x in places), function, _arguments(arguments)))

    def give(self, *values: f.Expr | int) -> None:
        """Return results from the function."""
        self.body.append(f.Return(tuple(number(x) if isinstance(x, int) else x for x in values)))

    def leave(self) -> None:
        """Leave the innermost loop."""
        self.body.append(f.Break())

    def next(self) -> None:
        """Continue with the next step of the innermost loop."""
        self.body.append(f.Continue())


class _Used(Rewriter):
    """Removes assignments to variables that are never read."""

    def __init__(self, body: f.Body) -> None:
        self.read = {x.name for x in nodes_of(body) if isinstance(x, f.Local)}

    def statement(self, node: f.Statement) -> f.Body:
        unread = isinstance(node, f.Set) and node.name not in self.read
        return () if unread and not _acts(node) else super().statement(node)


def _acts(node: f.Statement) -> bool:
    """True if evaluating a node may change something."""
    return any(isinstance(x, f.Call | f.Block) for x in nodes_of(node))


def _arguments(values: Sequence[f.Expr | int]) -> tuple[f.Expr, ...]:
    """Arguments of a call: truth values are passed as numbers."""
    parts = [number(x) if isinstance(x, int) else x for x in values]
    return tuple(as_type(x, f.NUMBER) if x.type is f.TRUTH else x for x in parts)
