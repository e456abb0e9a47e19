"""The built-in functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ...core import nodes as n
from ...core.types import BOOL, Bag, Int, List, Map, Scalar, Set, Type, fits, integers, scalar_of
from ..syntax.parser import Syntax
from ..work_limit import VALUE
from .arithmetic import arithmetic
from .bags import total
from .domains import sum_of
from .expressions import collection, expression, set_of_players, whole_number
from .extremes import extreme
from .folding import constant, fold, lifted_if, negation, number
from .world import Frame, World, phrase, same_family

Builtin = Callable[[Frame, "list[Syntax]", Syntax, "Type | None"], n.Expr]


def _size(frame: Frame, trees: list[Syntax], tree: Syntax, wanted: Type | None) -> n.Expr:
    made = expression(frame, trees[0], None)
    if isinstance(made.type, Bag):
        return total(made)
    of = collection(frame, trees[0], None)
    if isinstance(of, n.Domain):
        return number(len(of.of.values))
    inner = cast("Set | List", of.type).of
    cap = of.type.cap if isinstance(of.type, List) else len(inner.values) if inner else 0
    return n.Size(integers(0, cap), of)


def _end_of_list(frame: Frame, trees: list[Syntax], tree: Syntax, wanted: Type | None) -> n.Expr:
    of = collection(frame, trees[0], None)
    if not isinstance(of.type, List) or of.type.of is None:
        frame.fail("type.list", f"this must be a list, but it is {phrase(of.type)}", trees[0])
    top = tree.children[0] == "top"
    position = n.Size(integers(0, of.type.cap), of) if top else number(1)
    return n.Item(of.type.of.with_none, of, position)


def _absolute(frame: Frame, trees: list[Syntax], tree: Syntax, wanted: Type | None) -> n.Expr:
    item = whole_number(frame, trees[0])
    t = cast(Int, scalar_of(item.type))
    if t.lo >= 0:
        return item
    var = n.Var("n", item.type)
    held = n.Local(item.type, var)
    of = integers(0 if t.lo <= 0 <= t.hi else min(abs(t.lo), abs(t.hi)), max(abs(t.lo), abs(t.hi)))
    result = lifted_if(of, item)
    body = n.If(result, n.Less(BOOL, held, number(0)), arithmetic("-", number(0), held), held)
    if isinstance(item, n.Const):
        return number(abs(item.value))
    return n.Let(result, var, item, body)


def _extreme(frame: Frame, trees: list[Syntax], tree: Syntax, wanted: Type | None) -> n.Expr:
    least = tree.children[0] == "min"
    made = whole_number(frame, trees[0])
    for other_tree in trees[1:]:
        made = extreme(made, whole_number(frame, other_tree), least)
    return made


def _clamp(frame: Frame, trees: list[Syntax], tree: Syntax, wanted: Type | None) -> n.Expr:
    item, of_tree = whole_number(frame, trees[0]), trees[1]
    if of_tree.data == "range_":
        low, high = (whole_number(frame, cast(Syntax, c)) for c in of_tree.children)
    else:
        of = expression(frame, of_tree, None)
        if not isinstance(of, n.Domain) or not isinstance(of.of, Int):
            help = "write `clamp(e, 0..9)`, or the name of a range"
            frame.fail("type.range", "a number is clamped to a range", of_tree, help=help)
        low, high = number(of.of.lo), number(of.of.hi)
    return extreme(low, extreme(item, high, least=True), least=False)


def _number_of(frame: Frame, trees: list[Syntax], tree: Syntax, wanted: Type | None) -> n.Expr:
    item = expression(frame, trees[0], None)
    of = scalar_of(item.type)
    if of is None:
        frame.fail("type.scalar", f"only single values have a number; this is {phrase(item.type)}", trees[0])
    if isinstance(item, n.Const) and item.value is not None:
        return number(_base(frame.world, of).index[item.value] + 1)
    table, places = _numbering(frame.world, of)
    made = n.Const(table.type, table.value)
    return n.Read(places if isinstance(item.type, Scalar) else places.with_none, made, item)


def _numbering(world: World, of: Scalar) -> tuple[n.Const, Int]:
    """The constant map from the values of a type to their numbers, with the numbers' type; cached."""
    if id(of) not in world.numbers:
        world.meter.spend(VALUE * len(of.values))
        positions = _base(world, of).index
        places = integers(min(positions[v] for v in of.values) + 1, max(positions[v] for v in of.values) + 1)
        table = n.Const(Map(of, places), tuple(positions[v] + 1 for v in of.values))
        world.numbers[id(of)] = table, places
    return world.numbers[id(of)]


def _base(world: World, of: Scalar) -> Scalar:
    """The whole type in which a subset's values are numbered."""
    return world.types.get(of.family, of)


def _after(frame: Frame, trees: list[Syntax], tree: Syntax, wanted: Type | None) -> n.Expr:
    player = frame.world.player
    item = expression(frame, trees[0], player)
    if not same_family(item.type, player):
        frame.fail("type.player", f"`after` takes a player, but this is {phrase(item.type)}", trees[0])
    if len(trees) == 2:
        return next_of(set_of_players(frame, trees[1]), item, player)
    return player_after(item, player)


def player_after(item: n.Expr, player: Scalar) -> n.Expr:
    """The next player in seating order; the first after the last."""
    count = len(player.values)
    table = n.Const(Map(player, player), tuple(v % count + 1 for v in player.values))
    if isinstance(item, n.Const) and item.value in player:
        return constant(item.value % count + 1, player)
    return n.Read(player if fits(item.type, player) else player.with_none, table, item)


def next_of(those: n.Expr, item: n.Expr, player: Scalar) -> n.Expr:
    """The next player of a set after `player`, who comes last; none for the empty set."""
    held, there = n.Var("those", those.type), n.Var("p", player)
    members: n.Expr = those if isinstance(those, n.Const) else n.Local(those.type, held)
    p = n.Local(player, there)
    outside = negation(fold(n.Member(BOOL, p, members)))
    count, first = len(player.values), player_after(item, player)
    found = n.Follow(first.type, there, first, player_after(p, player), outside, number(count - 1), count - 1)
    reached = n.Var("q", found.type)
    q = n.Local(found.type, reached)
    body = n.If(player.with_none, n.Member(BOOL, q, members), q, n.Const(player.with_none, None))
    walk = n.Let(player.with_none, reached, found, body)
    return walk if isinstance(those, n.Const) else n.Let(player.with_none, held, those, walk)


BUILTINS: dict[str, tuple[tuple[int, ...], Builtin]] = {
    "size": ((1,), _size),
    "sum": ((1,), sum_of),
    "top": ((1,), _end_of_list),
    "bottom": ((1,), _end_of_list),
    "abs": ((1,), _absolute),
    "min": ((2, 3, 4, 5), _extreme),
    "max": ((2, 3, 4, 5), _extreme),
    "clamp": ((2,), _clamp),
    "number": ((1,), _number_of),
    "after": ((1, 2), _after),
}
"""The allowed numbers of arguments of each built-in function, and the function that elaborates it."""
