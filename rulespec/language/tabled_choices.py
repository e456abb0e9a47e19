"""Choices of a set or a map, and choices that may be none, lowered to a choice from a table of all of them.

In: `kept in sets of 0..2 from S`, `code in maps from Place to Colour`, `colour in Colour or none`,
`become in Officer if promotes(s, t)`. Out: a choice of a row, whose type is an enumeration of notations, and
the entry of that row in a constant table, which the name of the choice means in conditions and effects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import comb
from typing import cast

from lark import Token

from ..core import nodes as n
from ..core.game import Chain, Choice
from ..core.notation import write
from ..core.types import BOOL, Int, List, Map, Optional, Rows, Set, Type, Value, integers
from ..core.types import Scalar as Values
from .elaborate.expressions import collection, condition, element_type, expression
from .elaborate.folding import TRUE, conjunction, disjunction, negation, number
from .elaborate.world import Frame
from .syntax.parser import Syntax
from .work_limit import VALUE

MOST_ROWS = 4_096
"""The most sets from which a set is chosen, and the most maps."""
LARGEST_GROWN = 9
"""The most elements of a set that is chosen from more than `MOST_ROWS`."""
NO_MEMBER = "-"
"""The notation of the empty set where a sign stands between members."""


@dataclass(frozen=True, eq=False)
class TabledChoice(Choice):
    """A choice of a row of a constant table. Its name means the `entry` of the row."""

    entry: n.Expr | None = None


def meaning_of(choice: Choice) -> n.Expr:
    """The meaning of the name of a choice in conditions and effects."""
    entry = choice.entry if isinstance(choice, TabledChoice) else None
    return n.Local(choice.var.type, choice.var) if entry is None else entry


def set_choice(frame: Frame, tree: Syntax) -> TabledChoice:
    """The choice of a set. Raises Faulty."""
    word, least, most, source_tree, sign, where = tree.children
    source, of, members, known = _source(frame, cast(Syntax, source_tree))
    sizes = _sizes(frame, cast("Syntax | None", least), cast("Syntax | None", most), len(members))
    count = sum(comb(len(members), size) for size in sizes)
    joint = joining_sign(frame, cast("Token | None", sign), of, tree)
    if count > MOST_ROWS and joint and sizes.start and sizes.stop <= LARGEST_GROWN + 1:
        return _grown_set(frame, cast(Token, word), source, sizes, joint, cast("Syntax | None", where))
    help = f"from so many, 1 to {LARGEST_GROWN} are chosen, with a sign between them"
    help += ': `sets of 1..3 from S as "+"`'
    _limit(frame, f"`{word}` is one of {count:,} sets", count, tree, help)
    rows = [frozenset(part) for size in sizes for part in combinations(members, size)]
    words = [_notation(of, row, joint) for row in rows]
    made = _choice(frame, cast(Token, word), Set(of), rows, words, tree, joint)
    entry = meaning_of(made)
    inside = TRUE if known else _within(entry, source, of)
    return _limited(frame, made, inside, cast("Syntax | None", where))


def _grown_set(
    frame: Frame, word: Token, source: n.Expr, sizes: range, joint: str, where: Syntax | None
) -> TabledChoice:
    """The choice of a set, too large for a table, as a list of its elements in ascending order."""
    of = cast(Values, element_type(source))
    grown = List(of, sizes.stop - 1, joint, ascending=True)
    var, step, one = n.Var(str(word), grown), n.Var("element", of), n.Var("element", of)
    listed = n.Local(grown, var)
    size = n.Size(integers(0, grown.cap), listed)
    # The last element of the empty list is none, which nothing follows or precedes.
    follows = negation(n.AtMost(BOOL, n.Local(of, step), n.Item(of.with_none, listed, size)))
    entry = n.Image(Set(of), one, listed, n.Local(of, one))
    made = TabledChoice(var, source, None, Chain(step, follows, grown), entry)
    return _limited(frame, made, negation(n.Less(BOOL, size, number(sizes.start))), where)


def map_choice(frame: Frame, tree: Syntax) -> TabledChoice:
    """The choice of a map, with a value for each key. Raises Faulty."""
    word, keys_tree, source_tree, sign, where = tree.children
    keys = collection(frame, cast(Syntax, keys_tree), None)
    if not isinstance(keys, n.Domain):
        message = "the keys of a map are a type, as in `maps from Place`"
        frame.fail("action.maps", message, cast(Syntax, keys_tree))
    source, of, values, known = _source(frame, cast(Syntax, source_tree))
    count = len(values) ** len(keys.of.values) if len(keys.of.values) < MOST_ROWS else MOST_ROWS + 1
    help = "choose the values by names of their own, or in several actions"
    _limit(frame, f"`{word}` is one of more than {MOST_ROWS:,} maps", count, tree, help)
    rows = [*product(values, repeat=len(keys.of.values))]
    kind = Map(keys.of, of)
    if sign is None:
        words = [write(kind, row) for row in rows]
    else:
        joint = str(sign)[1:-1]
        words = [joint.join(write(of, value) for value in row) for row in rows]
        if len(set(words)) < len(words):
            frame.fail("action.maps", f"`{joint}` does not tell the values apart", cast(Token, sign))
    made = _choice(frame, cast(Token, word), kind, rows, words, tree)
    key = n.Var("key", keys.of)
    value = n.Read(of, meaning_of(made), n.Local(keys.of, key))
    inside = TRUE if known else n.All(BOOL, key, keys, n.Member(BOOL, value, source))
    return _limited(frame, made, inside, cast("Syntax | None", where))


def _limit(frame: Frame, message: str, count: int, tree: Syntax, help: str) -> None:
    """Spend the work for so many rows; raises Faulty if there are too many."""
    if count > MOST_ROWS:
        frame.fail("action.rows", f"{message}, and a choice has at most {MOST_ROWS:,}", tree, help=help)
    frame.world.meter.spend(VALUE * count)


def optional_choice(frame: Frame, tree: Syntax) -> TabledChoice:
    """The choice of an element or of none: always, or where a condition fails. Raises Faulty."""
    conditional = tree.data == "conditional"
    word, source_tree, *asked, where = tree.children
    source, of, members, known = _source(frame, cast(Syntax, source_tree))
    some = condition(frame, cast(Syntax, asked[0])) if conditional else TRUE
    words = [*(write(of, value) for value in members), "" if conditional else "none"]
    made = _choice(frame, cast(Token, word), Optional(of), [*members, None], words, tree)
    entry = meaning_of(made)
    is_none = n.IsNone(BOOL, entry)
    inside = TRUE if known else disjunction(is_none, n.Member(BOOL, entry, source))
    if conditional:
        inside = conjunction(n.Equal(BOOL, some, negation(is_none)), inside)
    return _limited(frame, made, inside, cast("Syntax | None", where))


def joining_sign(frame: Frame, sign: Token | None, of: Values, tree: Syntax) -> str:
    """The declared text between elements, or an empty one; it, or a comma, must occur in no element."""
    frame.world.meter.spend(VALUE * len(of.values))
    joint = ", " if sign is None else str(sign)[1:-1]
    if sign is not None and not joint.strip():
        frame.fail("action.chain", 'the elements are told apart by a sign, as in `as "-"`', sign)
    words = (write(of, value) for value in of.values)
    taken = next((w for w in words if joint in w and (sign is not None or w[0] not in "([{")), "")
    if taken:
        message = f"`{joint}` does not tell the elements apart: one is `{taken}`"
        frame.fail("action.chain", message, sign or tree)
    return "" if sign is None else joint


def _source(frame: Frame, tree: Syntax) -> tuple[n.Expr, Values, Sequence[Value], bool]:
    """A set or list to choose from, its elements' type, its possible elements, and True if all are in it."""
    source = collection(frame, tree, None)
    of = element_type(source)
    if of is None:
        frame.fail("type.collection", "there is nothing here to choose from", tree)
    if isinstance(source, n.Domain):
        return source, of, source.of.values, True
    if isinstance(source, n.Const):
        return source, of, sorted(source.value), True
    return source, of, of.values, False


def _sizes(frame: Frame, least: Syntax | None, most: Syntax | None, all_of: int) -> range:
    """The sizes of sets that may be chosen, in ascending order."""
    if least is None:
        return range(all_of + 1)
    found = [*_known_numbers(frame, [tree for tree in (least, most) if tree is not None])]
    return range(max(0, found[0]), min(found[-1], all_of) + 1)


def _known_numbers(frame: Frame, trees: Sequence[Syntax]) -> Iterator[int]:
    for tree in trees:
        made = expression(frame, tree, None)
        if not isinstance(made, n.Const) or not isinstance(made.type, Int):
            help = "a requirement bounds the size by what the state says"
            frame.fail("action.sets", "the size of a set is a number known beforehand", tree, help=help)
        yield made.value


def _notation(of: Values, row: frozenset[Value], joint: str) -> str:
    if not joint:
        return write(Set(of), row)
    return joint.join(write(of, value) for value in sorted(row)) or NO_MEMBER


def _choice(
    frame: Frame,
    word: Token,
    of: Type,
    rows: Sequence[Value],
    words: Sequence[str],
    tree: Syntax,
    joint: str = "",
) -> TabledChoice:
    """The choice of a row of a table, without conditions."""
    if not rows:
        frame.fail("action.sets", f"there is no set that `{word}` can be", tree)
    name = f"{frame.clause} {word}"
    kind = Rows(name, tuple(range(len(rows))), name, tuple(words), of=of, rows=rows, joint=joint)
    var = n.Var(str(word), kind)
    entry = n.Read(of, n.Const(Map(kind, of), tuple(rows)), n.Local(kind, var))
    return TabledChoice(var, frame.put(n.Domain(Set(kind), kind), tree), None, None, entry)


def _within(entry: n.Expr, source: n.Expr, of: Values) -> n.Expr:
    """The condition that all elements of a set are in a set or list."""
    one = n.Var("element", of)
    return n.All(BOOL, one, entry, n.Member(BOOL, n.Local(of, one), source))


def _limited(frame: Frame, made: TabledChoice, inside: n.Expr, where: Syntax | None) -> TabledChoice:
    """A choice with the conditions that its entry is in the source, and that `where` holds of it."""
    inner = frame.binding(**{made.var.name: meaning_of(made)})
    held = inside if where is None else conjunction(inside, condition(inner, where))
    return replace(made, where=None if held is TRUE else held)
