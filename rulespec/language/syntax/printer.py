"""Formal text from its trees, in one canonical form.

The result parses to the same tree, except for redundant brackets, which are left out. `one_line` puts a tree
on one line, for messages; `lay_out` cuts it at its outermost construct if it does not fit; `text_printer`
lays out whole texts. `FORMS` mirrors the grammar: the written form of each kind of tree that stands on a
line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import cast

from lark import Token, Tree

from ...core import nodes as n

Syntax = Tree[Token]

WIDTH = 100
STEP = 2
"""Indentation of the inside of a construct, in columns."""


class Level(Enum):
    """Precedence of a form. A place requires a level, and looser forms are put in brackets there."""

    EXPR, OR, AND, AFTER, NOT, COMPARISON, RANGE, OTHER, SUM, TERM, UNARY, ATOM = range(12)


OPEN = frozenset(("every_", "some_", "no_", "if_", "let_", "the_", "first_", "those_", "reached_", "fold_"))
"""Forms that extend as far right as possible: they stand at the end of their text or in brackets."""

COMPARISONS = frozenset(("equal", "compare", "member", "not_member"))
"""Operators whose right side may be an open form, or end in one."""

LEVELS = {
    "or_": Level.OR, "and_": Level.AND, "after_": Level.AFTER, "not_": Level.NOT,
    "equal": Level.COMPARISON, "compare": Level.COMPARISON, "member": Level.COMPARISON,
    "not_member": Level.COMPARISON, "is_": Level.COMPARISON, "is_not": Level.COMPARISON,
    "can_": Level.COMPARISON, "range_": Level.RANGE, "otherwise_": Level.OTHER, "sum": Level.SUM,
    "term": Level.TERM, "negate": Level.UNARY,
}  # fmt: skip

FORMS = {
    # expressions
    "equal": "{0/RANGE}|= {1/RANGE}",
    "compare": "{0/RANGE}|{1} {2/RANGE}",
    "member": "{0/RANGE}|in {1/RANGE}",
    "not_member": "{0/RANGE}|not in {1/RANGE}",
    "is_": "{0/RANGE} is {1}",
    "is_not": "{0/RANGE} is not {1}",
    "test_none": "none",
    "test_some": "some",
    "test_empty": "empty",
    "test_name": "{0}",
    "can_": "can {0}{1?(%)}",
    "after_": "{0/NOT}|after {1}{2?(%)}",
    "range_": "{0/OTHER}..{1/OTHER}",
    "negate": "-{0/UNARY}",
    "every_": "every {0} satisfies|{1}",
    "some_": "some {0} satisfies|{1}",
    "no_": "no {0} satisfies|{1}",
    "if_": "if {0} then {1}|else {2}",
    "let_": "let {0} be {1};|{2}",
    "the_": "the {0}",
    "first_": "first {0}",
    "those_": "those {0}",
    "reached_": "those {0} in {1/RANGE} reached from {2}|through {3} where {4}",
    "fold_": "fold {0}: {1} from {2} over {3}|to {4}",
    "follow_": "follow {0} from {1} to {2}|while {3}|at most {4} times",
    "pick": "{0} in {1/RANGE}{2?|%}{3/OTHER? %}{4?|where %}",
    "name": "{0}",
    "number": "{0}",
    "notation": "{0}",
    "true": "true",
    "false": "false",
    "none_": "none",
    "original": "original{0?(%)}",
    "field_of": "{0/ATOM}.{1}",
    "at": "{0/ATOM}[{1}]",
    "call": "{0}({1?%})",
    "call_over": "{0}({1} for {2})",
    "count_": "count({0})",
    "list_": "[{0?%}]",
    "list_of": "[{0}|for {1}]",
    "set_": "{{{0?%}}}",
    "counted": "{0} {1/ATOM}",
    "set_of": "{{{0}|for {1}}}",
    "map_of": "{{{0}|for {1}}}",
    "pair": "{0} -> {1}",
    "binder": "{0} in {1/RANGE}{2? where %}",
    "binder_each": "each {0} in {1/RANGE}{2? where %}",
    "binder_at": "{0} at {1} in {2/RANGE}",
    "chain": "{0} in chains of {1/RANGE} up to {2/SUM}{3? as %} by {4} where {5}",
    "many": "{0} in sets{1/SUM? of %}{2/SUM?..%} from {3/RANGE}{4? as %}{5? where %}",
    "each": "{0} in maps from {1/RANGE} to {2/RANGE}{3? as %}{4? where %}",
    "optional": "{0} in {1/RANGE} or none{2? where %}",
    "conditional": "{0} in {1/RANGE} if {2}{3? where %}",
    # types
    "named_type": "{0}",
    "range_type": "{0/SUM}..{1/SUM}",
    "field": "{0}: {1}",
    "optional_type": "{0}?",
    "map_type": "map {0} -> {1}",
    "set_type": "set of {0}",
    "bag_type": "bag of {0} up to {1/SUM}",
    "list_type": "list of {0} up to {1/SUM}",
    "plain_def": "{0}{1?|where %}{2?|as %}",
    "subset_def": "{0} in {1} where {2}{3?|as %}",
    # declarations
    "type_decl": "type {0} = {1}",
    "define_decl": "define {0}{1?(%)}{2?: %} =|{3}",
    "state_decl": "{0?% }state {1}: {2}{3? = %}{4? always|%}",
    "param": "{0}: {1}{2? %}",
    "sight": "{0}{1? for %}",
    "secret": "{0}{1? shown to %}",
    "opened": "{0}",
    "image": "{0} in {1/RANGE} -> {2}",
    "sides_alone": "alone",
    "sides_together": "together",
    "sides_by": "by {0}",
    "seat": "{0}",
    "others": "the rest",
    # statements
    "assign": "{0} :=|{1}",
    "let_stmt": "let {0} be {1}",
    "add_stmt": "add {0} to {1}",
    "add_up_to": "add {0} to {1} up to {2}",
    "remove_stmt": "remove {0} from {1}",
    "remove_part": "remove {0} of {1}",
    "remove_down_to": "remove {0} from {1} down to {2}",
    "under_stmt": "put {0} under {1}",
    "swap_stmt": "swap {0} with {1}",
    "move_part": "move {0} of {1} {2} {3}",
    "move_item": "move {0} from {1} to {2}",
    "shuffle_stmt": "shuffle {0}{1? into %}",
    "roll_stmt": "roll {0} from {1}",
    "roll_many": "roll {0} of {1} into {2}",
    "draw_stmt": "draw {0} from {1}",
    "draw_many": "draw {0} of {1} into {2}",
    "weigh_stmt": "roll {0} from {1} weighing {2} by {3}",
    "run_stmt": "{0}({1?%})",
    "original_stmt": "original",
    "give_turn": "give the turn to {0}",
    "end_part": "end the {0}",
    "nothing_stmt": "nothing",
    "part_all": "all",
    "part_top": "top{0/SUM? %}",
    "part_bottom": "bottom{0/SUM? %}",
    "place_name": "{0}",
    "place_at": "{0}[{1}]",
    "place_field": "{0}.{1}",
}
"""The written form of each kind of tree. `{n}` is a child, `{n/LEVEL}` one in a place that requires a
level, `{n?…%…}` an optional one, with the text around it; a line may be cut at `|`."""

CHAINS = {
    "or_": ("or", Level.AND), "and_": ("and", Level.AFTER), "otherwise_": ("otherwise", Level.SUM),
    "sum": ("", Level.TERM), "term": ("", Level.UNARY),
}  # fmt: skip
"""Right-associative chains, `a or b or c`: the word (empty if the tree holds a sign), and the level of
each operand."""

JOINTS = {"sides_against": " against ", "group": " and "}
"""Kinds that hold any number of children with words between."""

LISTS = {
    "args": "|%", "params": "|%", "record_type": "{|%}", "map_": "{|%}", "binders": "%", "choices": "%",
    "things": "%", "places": "%", "kinds": "|%",
}  # fmt: skip
"""Kinds that hold any number of children with commas between; what stands around them."""


PARTS_OF_LISTS = ("all", "top", "bottom")
"""Words that would turn the object of `move` into a part of a list."""


SPLICED = frozenset(("pick", "plain_def", "subset_def", "enum_def"))
"""Kinds that are cut together with their parent, at the same depth."""


class Cut(Enum):
    """A place at which a line may be cut; the value is the text there on an uncut line."""

    SPACE = " "
    NOTHING = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A tree inside another: the level its place requires, and whether an open form may end it."""

    tree: Syntax
    least: Level = Level.EXPR
    last: bool = True


Piece = str | Cut | Part


def one_line(tree: Syntax) -> str:
    """A tree that fits on a line, on one line."""
    return _flat_text(Part(tree))


def _flat_text(part: Part) -> str:
    return "".join(
        _flat_text(p) if isinstance(p, Part) else p.value if isinstance(p, Cut) else p for p in _pieces(part)
    )


def lay_out(part: Part, column: int, indent: int) -> str:
    """A part that begins at a column; its further lines begin at `indent`, inner ones deeper."""
    flat = _flat_text(part)
    return flat if column + len(flat) <= WIDTH else break_lines(_pieces(part), column, indent)


def break_lines(pieces: list[Piece], column: int, indent: int) -> str:
    """The pieces of a text, with a new line at each cut."""
    made = " " * column
    for piece in pieces:
        if isinstance(piece, Part):
            at = len(made) - made.rfind("\n") - 1
            begins = at == indent and made.endswith("\n" + " " * indent)
            made += lay_out(piece, at, indent if begins else indent + STEP)
        else:
            made += "\n" + " " * indent if isinstance(piece, Cut) else piece
    return made[column:]


# ---- what a tree consists of


def _pieces(part: Part) -> list[Piece]:
    """The pieces of a part, bracketed if its place requires it."""
    tree = _without_brackets(part.tree)
    kind = _kind(tree)
    open_form = kind in OPEN
    if not part.last if open_form else part.least.value > LEVELS.get(kind, Level.ATOM).value:
        return ["(", Part(tree), ")"]
    if kind in CHAINS:
        return _chain_pieces(tree, part.last)
    if kind == "not_":
        return ["not ", Part(cast(Syntax, tree.children[0]), Level.NOT, part.last)]
    if kind in LISTS:
        return _list_pieces(tree, LISTS[kind])
    if kind in JOINTS:
        return [JOINTS[kind].join(one_line(cast(Syntax, child)) for child in tree.children)]
    if kind == "enum_def":
        *members, letters = tree.children
        end: list[Piece] = [Cut.SPACE, f"as {letters}"] if letters is not None else []
        return ["one of ", ", ".join(map(str, members)), *end]
    found = list(_form_pieces(FORMS[kind], tree))
    if kind in COMPARISONS and part.last:
        found[-1] = replace(cast(Part, found[-1]), last=True)
    if kind == "if_" and _without_brackets(cast(Syntax, tree.children[2])).data == "if_":
        found[-1:] = _pieces(cast(Part, found[-1]))  # `else if` goes on at the same depth
    if kind in ("roll_many", "draw_many") and _kind(cast(Part, found[1]).tree) not in ("name", "number"):
        found[1:2] = ["(", Part(_without_brackets(cast(Part, found[1]).tree)), ")"]
    if kind == "move_item" and _flat_text(cast(Part, found[1])).split(" ")[0].split("(")[0] in PARTS_OF_LISTS:
        found[1:2] = ["(", found[1], ")"]
    return found


def _without_brackets(tree: Syntax) -> Syntax:
    """The tree without outer brackets."""
    while tree.data == "brackets":
        tree = cast(Syntax, tree.children[0])
    return tree


def _kind(tree: Syntax) -> str:
    """The kind of a tree; sums and products differ."""
    if tree.data == "arith":
        return "sum" if tree.children[1] in ("+", "-", "&") else "term"
    return str(tree.data)


def _chain_pieces(tree: Syntax, last: bool) -> list[Piece]:
    """`a or b or c`, cut before each word; an open form may end it."""
    kind = _kind(tree)
    word, least = CHAINS[kind]
    found: list[Piece] = []
    while _kind(tree) == kind:
        item = cast(Syntax, tree.children[-1])
        ends = last and not found
        found += [Part(item, least, ends and kind != "term"), f"{word or tree.children[1]} ", Cut.SPACE]
        tree = _without_brackets(cast(Syntax, tree.children[0]))
    return [Part(tree, least, last=False), *reversed(found)]


def _list_pieces(tree: Syntax, around: str) -> list[Piece]:
    before, _, after = around.partition("%")
    found: list[Piece] = [Cut.NOTHING if part is Cut.SPACE else part for part in _text_pieces(before)]
    for i, child in enumerate(tree.children):
        found += [",", Cut.SPACE] if i else []
        found.append(Part(cast(Syntax, child)))
    return [*found, after]


def _form_pieces(form: str, tree: Syntax) -> Iterator[Piece]:
    for piece in _parse_form(form):
        if not isinstance(piece, _Hole):
            yield piece
            continue
        child = tree.children[piece.child]
        if child is None:
            continue
        yield from piece.before
        if isinstance(child, Tree) and child.data in SPLICED:
            yield from _pieces(Part(child))
        elif isinstance(child, Tree):
            yield Part(child, piece.least, piece.least is Level.EXPR)
        else:
            yield " ".join(child.split()) if child.type == "BEST" else str(child)
        yield from piece.after


@dataclass(frozen=True, slots=True)
class _Hole:
    """A place in a form for one child, with the text around it if the child exists."""

    child: int
    least: Level
    before: tuple[str | Cut, ...]
    after: tuple[str | Cut, ...]


_PLACE = re.compile(r"(\{\{|\}\}|\||\{\d(?:/[A-Z]+)?(?:\?[^}]*)?\})")


@cache
def _parse_form(form: str) -> tuple[str | Cut | _Hole, ...]:
    found: list[str | Cut | _Hole] = []
    for part in filter(None, _PLACE.split(form)):
        if part in ("{{", "}}"):
            found.append(part[0])
        elif part.startswith("{"):
            which, _, around = part[1:-1].partition("?")
            child, _, least = which.partition("/")
            before, _, after = (around or "%").partition("%")
            found.append(_Hole(int(child), Level[least or "EXPR"], _text_pieces(before), _text_pieces(after)))
        else:
            found += _text_pieces(part)
    return tuple(found)


def _text_pieces(text: str) -> tuple[str | Cut, ...]:
    return tuple(Cut.SPACE if part == "|" else part for part in re.split(r"(\|)", text) if part)


class PrintedExpressions(Mapping[n.Expr, str]):
    """The formal text of expressions, each printed on demand."""

    def __init__(self, trees: Mapping[n.Expr, Syntax]) -> None:
        self._trees = trees

    def __getitem__(self, node: n.Expr) -> str:
        return one_line(self._trees[node])

    def __iter__(self) -> Iterator[n.Expr]:
        return iter(self._trees)

    def __len__(self) -> int:
        return len(self._trees)
