"""Formal text to trees, with every fault in words and in place.

The parser is built once and stored in the user's cache folder. A block of declarations is parsed one
declaration at a time, so that one fault does not hide the next.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from ...core.diagnostics import Report, Span
from ...core.meter import Meter
from ..documents.yaml import Scalar
from ..work_limit import LETTER, TREE
from .habits import Habit, habit_in
from .layout import Layout
from .parser_tables import FILE, from_text, shipped_tables, to_text

STARTS = (
    "decl_text", "effect_text", "expr_text", "binders_text", "choices_text", "type_text", "sees_text",
    "images_text", "secret_text", "open_text", "sides_text",
)  # fmt: skip
LAID_OUT = ("decl_text", "effect_text", "sees_text", "images_text", "secret_text", "open_text")
"""Start rules in which a new line may begin a new statement; elsewhere it is just space."""
OPTIONS: dict[str, Any] = {"parser": "lalr", "propagate_positions": True, "maybe_placeholders": True}
KEPT = f"grammar-{sys.version_info.major}{sys.version_info.minor}.json"
"""The file in the cache folder with the tables of the parser."""
MOST_CHARACTERS = 40_000
MOST_DEPTH = 150

Syntax = Tree[Token]

_OPENERS = {
    "SATISFIES": "a quantifier goes on with `satisfies` and the condition",
    "THEN": "`if` goes on with `then` and a value",
    "ELSE": "`if … then …` goes on with `else` and a value",
    "BE": "`let` goes on with a name, `be` and a value",
    "WHILE": "`follow` goes on with `while` and a condition",
    "TIMES": "`follow` ends with `at most … times`",
    "THROUGH": "`reached from …` goes on with `through` and a name",
}


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A tree and the text it was read from."""

    tree: Syntax
    text: Scalar


def span_of(text: Scalar, part: Syntax | Token) -> Span:
    """The place in the file of part of a formal text; that of the whole text if unknown."""
    at = part if isinstance(part, Token) else part.meta
    line = getattr(at, "line", None)
    if line is None:
        return text.span
    return text.place(line, at.column or 1, at.end_line or line, at.end_column or 1)


def grammar_key() -> str:
    """A digest of everything on which the tables of the parser depend."""
    made_from = repr((_grammar(), STARTS, OPTIONS, lark.__version__))
    return hashlib.sha256(made_from.encode()).hexdigest()


def new_parser() -> Lark:
    """A parser generated from the grammar, which takes long."""
    return Lark(_grammar(), postlex=Layout(), start=list(STARTS), **OPTIONS)


def write_tables() -> None:
    """Write the tables of the parser to the file of the package (`make grammar`)."""
    content = f"{grammar_key()}\n{to_text(new_parser())}".encode()
    Path(__file__).with_name(FILE).write_bytes(gzip.compress(content, 9, mtime=0))


def _grammar() -> str:
    return resources.files(__package__).joinpath("grammar.lark").read_text("utf-8")


@lru_cache(maxsize=1)
def _built() -> Lark:
    """The parser, from the package's tables or, for another version of Lark, from the cache."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    key = grammar_key()
    tables = shipped_tables(key)
    return from_text(tables, Layout()) if tables is not None else _cached_parser(key)


def _cached_parser(key: str) -> Lark:
    from ...core.storage.cache import read_cached_data, write_cached_data  # not needed otherwise

    tables = read_cached_data(KEPT, key)
    if tables is not None:
        return from_text(tables, Layout())
    parser = new_parser()
    with suppress(TypeError):  # other versions of Lark may serialize other types
        write_cached_data(KEPT, key, to_text(parser))
    return parser


def formal_parser(start: str) -> Lark:
    """The parser of all formal text, with the layout for a start rule."""
    parser = _built()
    layout = parser.options.postlex
    assert isinstance(layout, Layout)
    layout.free = start not in LAID_OUT
    return parser


def parse(text: Scalar, start: str, report: Report, meter: Meter) -> ParsedText | None:
    """The tree of a formal text for a start rule; None if it is faulty."""
    if not _check_form(text, report):
        return None
    return _parse(text, text.formal, start, report, meter)


@dataclass(frozen=True, slots=True)
class UnreadableDeclaration:
    """A declaration that cannot be read except for its kind and name."""

    kind: str
    name: str


_DECLARES = re.compile(r"\s*(?:hidden +)?(state|define|type|to)\s+([A-Za-z_][\w-]*)")


def declarations(text: Scalar, report: Report, meter: Meter) -> Iterator[ParsedText | UnreadableDeclaration]:
    """The declarations of a `formal` block in order; for faulty ones, which are reported, the names."""
    is_readable = _check_form(text, report)
    for chunk in _chunks(text.formal):
        parsed = _parse(text, chunk, "decl_text", report, meter) if is_readable else None
        named = _DECLARES.match(chunk)
        if parsed is not None:
            yield parsed
        elif named is not None:
            yield UnreadableDeclaration(*named.groups())


def _chunks(text: str) -> list[str]:
    """The text split before each unindented line, each piece padded to keep its line numbers."""
    pieces: list[list[str]] = []
    for i, line in enumerate(text.split("\n")):
        fresh = bool(line.strip()) and not line.startswith((" ", "#"))
        if fresh or not pieces:
            pieces.append([""] * i)
        pieces[-1].append(line)
    return ["\n".join(p) for p in pieces if any(x.strip() and not x.lstrip().startswith("#") for x in p)]


def _check_form(text: Scalar, report: Report) -> bool:
    if text.in_flow and any(c in text.formal for c in " ,"):
        words = "formal text cannot be inside `{…}` or `[…]`, where YAML silently cuts it at commas"
        report.error("yaml.flow", words, text.span, help="write this mapping in block style, one key a line")
        return False
    if text.style == ">":
        message = "formal text cannot be in a `>` block"
        report.error("yaml.folded", message, text.span, help="write `|` instead")
        return False
    if not text.exact:
        words = "formal text with escapes has no exact positions"
        report.error("yaml.quoted", words, text.span, help="write it in a `|` block")
        return False
    if len(text.formal) > MOST_CHARACTERS:
        report.error("text.size", f"a formal text has at most {MOST_CHARACTERS:,} characters", text.span)
        return False
    if _brackets(text.formal) > MOST_DEPTH:
        _too_deep(text, report)
        return False
    if "\t" in text.formal:
        before = text.formal[: text.formal.index("\t")]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        place = text.place(line, column, line, column + 1)
        report.error("text.tab", "formal text is indented with spaces, not tabs", place)
        return False
    if not text.formal.strip():
        report.error("text.empty", "formal text is missing here", text.span)
        return False
    return True


def _brackets(formal: str) -> int:
    """The depth of nested brackets; if their number is within the limit, that number."""
    opened = sum(map(formal.count, "([{"))
    if opened <= MOST_DEPTH:
        return opened
    deepest = depth = 0
    for sign in formal:
        depth += (sign in "([{") - (sign in ")]}")
        deepest = max(deepest, depth)
    return deepest


def _too_deep(text: Scalar, report: Report) -> None:
    message = f"this is nested more than {MOST_DEPTH} deep"
    report.error("text.depth", message, text.span, help="name parts with `define`")


def _parse(text: Scalar, formal: str, start: str, report: Report, meter: Meter) -> ParsedText | None:
    written = len(formal.strip())
    meter.spend(LETTER * written + len(formal) - written)  # the rest: empty lines before a declaration
    if _find_reserved(text, formal, start, report):
        return None
    try:
        tree, depth, count = _tree(formal, start)
    except UnexpectedInput as error:
        if not _explain_words(error, text, formal, start, report):
            _explain(error, text, formal, start, report)
        return None
    meter.spend(TREE * count)
    if depth > MOST_DEPTH:
        _too_deep(text, report)
        return None
    return ParsedText(tree, text)


LONGEST_CACHED = 4_000
"""Maximum length of a text whose tree is cached."""


def _tree(formal: str, start: str) -> tuple[Syntax, int, int]:
    """The tree of a text, its depth, and the number of its subtrees.

    Trees of short texts are cached, because a variant repeats most texts of its base.
    """
    return (_cached_tree if len(formal) <= LONGEST_CACHED else _new_tree)(formal, start)


def _new_tree(formal: str, start: str) -> tuple[Syntax, int, int]:
    tree = formal_parser(start).parse(formal, start=start)
    deepest, count, waiting = 0, 0, [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        deepest, count = max(deepest, depth), count + 1
        waiting += [(child, depth + 1) for child in node.children if isinstance(child, Tree)]
    return tree, deepest, count


_cached_tree = lru_cache(maxsize=4096)(_new_tree)


RESERVED = frozenset("every some no not if let the those can follow fold true false none original".split())
"""Words that begin an expression, or are one, so that they cannot be names."""
STARTERS = frozenset("add for move put remove roll shuffle swap".split())
"""Words that begin a statement, so that they cannot be names of places."""
_ANY = "|".join(sorted(RESERVED))
_BOUND = re.compile(
    rf"\blet +({_ANY})(?= +be\b)|\b(?:every|some|no|those|the|first|for) +({_ANY})(?= +in\b)"
    rf"|[(,{{]\s*({_ANY})(?= *:(?!=))"
)
"""A reserved word in a place where a name is bound."""
_CHOSEN = re.compile(rf"(?:^|,)\s*({_ANY})(?= +in\b)")
"""The same in a text that lists names with their sources."""
_STORED = re.compile(rf"^ *({'|'.join(sorted(STARTERS))})(?= *:=| *\[| *\.\w)", re.MULTILINE)


def _find_reserved(text: Scalar, formal: str, start: str, report: Report) -> bool:
    """Report a reserved word used as a name; False if there is none."""
    found = _BOUND.search(formal)
    if found is None and start in ("choices_text", "binders_text"):
        found = _CHOSEN.search(formal)
    if found is None:
        return False
    group = found.lastindex or 1
    report.reserve(found[group], _stretch(text, formal, found.start(group), found.end(group)))
    return True


def _explain_words(error: UnexpectedInput, text: Scalar, formal: str, start: str, report: Report) -> bool:
    """Report a statement's word used as a name, or a habit of another language; False without any."""
    found = _STORED.search(formal)
    if found is not None:
        report.reserve(found[1], _stretch(text, formal, found.start(1), found.end(1)))
        return True
    if any(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", formal) for word in report.reserved):
        return True
    line, column = getattr(error, "line", None) or 0, getattr(error, "column", None) or 1
    if line < 1:
        line, column = _end_of(formal, None)
    habit = habit_in(formal, line, column)
    if habit is None:
        habit = _wrong_equals(formal, _offset(formal, line, column), start == "effect_text")
    if habit is None:
        return False
    written = " ".join(formal[habit.start : habit.end].split())
    place = _stretch(text, formal, habit.start, habit.end)
    report.error("text.habit", f"`{written}` is written differently here: {habit.advice}", place)
    return True


def _wrong_equals(formal: str, at: int, is_effect: bool) -> Habit | None:
    """The habit of storing with `=` or comparing with `:=`, if that is where reading stopped."""
    if is_effect and formal[at : at + 1] == "=":
        return Habit(at, at + 1, "what is stored stands after `:=`")
    if not is_effect and formal[at : at + 2] == ":=":
        return Habit(at, at + 2, "equality is `=`")
    return None


def _offset(formal: str, line: int, column: int) -> int:
    return sum(len(one) + 1 for one in formal.split("\n")[: line - 1]) + column - 1


def _stretch(text: Scalar, formal: str, start: int, end: int) -> Span:
    """The place of part of a formal text, limited to one line."""
    line = formal.count("\n", 0, start) + 1
    column = start - formal.rfind("\n", 0, start)
    first = formal[start:end].split("\n")[0]
    return text.place(line, column, line, column + len(first))


EQUIVALENTS = {
    sign: f"write `{ours}`"
    for sign, ours in zip("≤≥≠'¬∧∨∈×÷−", '<= >= != " not and or in * div -'.split(), strict=True)
}
"""The equivalents of the signs of other notations."""


def _explain(error: UnexpectedInput, text: Scalar, formal: str, start: str, report: Report) -> None:
    if isinstance(error, UnexpectedCharacters):
        span = text.place(error.line, error.column, error.line, error.column + 1)
        sign = formal.split("\n")[error.line - 1][error.column - 1]
        hint = "a quoted notation ends on its own line" if sign == '"' else ""
        hint = EQUIVALENTS.get(sign, hint)
        report.error("text.character", f"`{sign}` has no meaning in formal text", span, help=hint)
        return
    token = error.token if isinstance(error, UnexpectedToken) else None
    expected: set[str] = set(getattr(error, "accepts", None) or getattr(error, "expected", None) or ())
    hint = next((advice for name, advice in _OPENERS.items() if name in expected and len(expected) < 30), "")
    if start == "decl_text":
        named = _DECLARES.match(formal)
        hint = hint or _FORMS[named[1] if named is not None else ""]
    if token is None or token.type in ("$END", "_NL", "_DEDENT", "_INDENT"):
        line, column = _end_of(formal, token)
        opened = formal.count("(") + formal.count("[") + formal.count("{")
        closed = formal.count(")") + formal.count("]") + formal.count("}")
        hint = "a bracket is not closed" if opened > closed else hint
        if token is not None and token.type == "_INDENT":
            hint = "only a line after one that ends in `:` opens a block"
        if word := _ALONE.fullmatch(formal.split("\n")[line - 1]):
            hint = f"an effect is done by its name with brackets: `{word[1]}()`"
        place = text.place(line, column, line, column + 1)
        report.error("text.end", "the text stops where more must follow", place, help=hint)
        return
    line, column = token.line or 1, token.column or 1
    span = text.place(line, column, line, column + len(token))
    if formal.count(")") > formal.count("(") and str(token) == ")":
        hint = "this bracket was never opened"
    if token == "from" and re.search(r"\bmove\s+(top|bottom|all)\b", formal):
        hint = "`move top of l onto m` moves the top; a value goes in brackets: `move (top(l)) from l to m`"
    if token == "?":
        hint = "`?` belongs in types of variables and definitions; a choice is always something"
    before = formal.split("\n")[: line - 1]
    if before and not formal.split("\n")[line - 1][: column - 1].strip() and _LET.fullmatch(before[-1]):
        hint = "in an expression `;` stands after `let x be e`"
    if "COLON" in expected and re.match(r"\s*(if|else|for)\b", formal.split("\n")[line - 1]):
        hint = hint or "`:` opens a block after `if`, `else` and `for`"
    if start == "effect_text" and _ALONE.fullmatch(formal.split("\n")[line - 1][: column - 1]):
        hint = hint or _EFFECTS
    if _goes_on(formal, line, column):
        hint = hint or "a line indented further goes on with the one before; only after `:` it opens a block"
    report.error("text.word", f"`{token}` does not fit here", span, help=hint)


_FORMS = {
    "": "a declaration is `state x: 0..9 = 0`, `type T = …`, `define f(x: T) = …` or `to f(x: T):`",
    "state": "write `state x: T = …`, with a type as `0..9`, `T?`, `map K -> T` or `list of T up to 9`",
    "type": "write `type T = 1..9`, `type T = one of a, b` or `type T = {row: 1..3, col: 1..3}`",
    "define": "write `define f(x: T) = …`; the value may stand on the next line, indented",
    "to": "write `to f(x: T):`, with effects below it, indented",
}
"""The form of each kind of declaration."""
_EFFECTS = (
    "an effect begins with `add`, `remove`, `move`, `draw`, `roll`, `let`, `if`, `for` …, or stores with `:=`"
)
_ALONE = re.compile(r"\s*([A-Za-z_][\w-]*)\s*")
"""A line that is only a name."""
_LET = re.compile(r"\s*let\s+[\w-]+\s+be\s+[^;]*")
"""A line that is only a `let`."""


def _goes_on(formal: str, line: int, column: int) -> bool:
    """True if a line continues the line before it by indentation."""
    lines = formal.split("\n")
    before = next((text for text in reversed(lines[: line - 1]) if text.strip()), None)
    first = not lines[line - 1][: column - 1].strip()
    return first and before is not None and len(before) - len(before.lstrip()) < column - 1


def _end_of(formal: str, token: Token | None) -> tuple[int, int]:
    if token is not None and token.line and token.type == "_NL":
        lines = formal.split("\n")[: token.line]
    else:
        lines = formal.rstrip().split("\n")
    return len(lines), len(lines[-1].rstrip()) + 1
