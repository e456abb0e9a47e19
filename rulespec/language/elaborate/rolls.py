"""Chance: rolls and draws into variables, collections and local names; shuffles.

An unused name is a new local name for the statements that follow. They all depend on the outcome, so they
stand in the body of the `Draw`; the source must then be provably non-empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import cast

from lark import Token, Tree

from ...core import nodes as n
from ...core.traversal import assignments
from ...core.types import BOOL, Bag, Int, List, Scalar, Set, integers, scalar_of
from ..syntax.parser import Syntax
from .bags import number_of, things_in, total
from .domains import most_elements
from .expressions import bag_in, collection, element_type, expression, is_counted, kinds_in, whole_number
from .folding import fold, maybe_none, number
from .lvalues import Place, bind, place, store, with_fixed_keys
from .narrowing import independent_of, is_at_least
from .updates import add_value, remove_value
from .world import Frame, phrase

Rest = Callable[[Frame], n.Effect]
"""The effect of the statements that follow, in a frame with the new names."""


def shuffle(frame: Frame, tree: Syntax) -> n.Effect:
    """Store the elements of a set, list or bag in random order; a list can be shuffled in place."""
    source_tree, target_tree = cast(Syntax, tree.children[0]), cast("Syntax | None", tree.children[1])
    made = expression(frame, source_tree, None)
    source = things_in(made) if isinstance(made.type, Bag) else collection(frame, source_tree, None)
    of = element_type(source)
    if of is None:
        frame.fail("type.set", "there is nothing here to shuffle", source_tree)
    if target_tree is None and not isinstance(made.type, List):
        help = "`shuffle s into l` has them in order in the list `l`"
        words = f"only a list has an order; this is {phrase(made.type)}"
        frame.fail("type.list", words, source_tree, help=help)
    here = place(frame, target_tree if target_tree is not None else _as_place(frame, source_tree))
    if isinstance(source.type, Set):
        var = n.Var("shuffled", List(of, most_elements(source)))
        stored = frame.put(store(frame, here, n.Local(var.type, var), source_tree), tree)
        return n.Shuffle(var, source, stored)
    # The places of a list are shuffled: the same thing may lie in several.
    most, held = cast(List, source.type).cap, n.Var("listed", source.type)
    places, listed = integers(1, max(1, most)), n.Local(source.type, held)
    i, var = n.Var("i", places), n.Var("order", List(places, most))
    inside = n.AtMost(BOOL, n.Local(places, i), n.Size(integers(0, most), listed))
    thing = n.Item(of.with_none, listed, n.Local(places, i))
    value = n.Collect(source.type, i, n.Local(var.type, var), thing)
    stored = frame.put(store(frame, here, value, source_tree), tree)
    among = n.Select(Set(places), i, n.Domain(Set(places), places), inside)
    return n.Bind(held, source, n.Shuffle(var, among, stored))


def names_anew(frame: Frame, tree: Syntax) -> bool:
    """True if a roll or draw binds a new name."""
    return any(_is_new(frame, cast(Syntax, target)) for target in cast(Syntax, tree.children[0]).children)


def _is_new(frame: Frame, target: Syntax) -> bool:
    if target.data != "place_name":
        return False
    word = str(target.children[0])
    found = frame.world.declared.get(word)
    return word not in ("mover", "over") and (found is None or found.kind != "state")


def roll_or_draw(frame: Frame, tree: Syntax, rest: Rest | None = None) -> n.Effect:
    """A roll, or a draw that also removes the drawn element, for each of the targets in order.

    The statements that follow belong to the effect if one of the targets is a new name.
    """
    targets = [cast(Syntax, target) for target in cast(Syntax, tree.children[0]).children]
    return _each(frame, tree, targets, rest)


def _each(frame: Frame, tree: Syntax, targets: list[Syntax], rest: Rest | None) -> n.Effect:
    """Roll for each target in turn, and go on with `rest`, which sees the new names."""
    if not targets:
        return rest(frame) if rest is not None else n.NOTHING_DONE
    target, source_tree = targets[0], cast(Syntax, tree.children[1])
    new = rest is not None and _is_new(frame, target)
    here = None if new else place(frame, target)
    source, weight_of = _source(frame, tree, here)
    of = cast(Scalar, element_type(source))
    var = n.Var(str(target.children[0]) if new else "rolled", of)
    got, weight = n.Local(of, var), None
    if weight_of is not None:
        weight = weight_of(var)
    out = _take_out(frame, tree, source_tree, got) if tree.data == "draw_stmt" else []
    if here is not None:
        stored = frame.put(store(frame, here, got, target), tree)
        drawn = n.Draw(var, source, weight, n.Block((*out, stored)) if out else stored)
        more = _each(_after(frame, drawn), tree, targets[1:], rest)
        return drawn if more is n.NOTHING_DONE else n.Block((frame.put(drawn, tree), more))
    _must_hold_something(frame, source, weight, source_tree)
    body = _each(_after(frame, *out).bound(var), tree, targets[1:], rest)
    return n.Draw(var, source, weight, n.Block((*out, body)) if out else body)


def _after(frame: Frame, *done: n.Effect) -> Frame:
    """A frame after some effects, with the facts that still hold."""
    stored = [assign.target for effect in done for assign in assignments(effect)]
    return replace(frame, facts=independent_of(frame.facts, stored)) if stored else frame


def _source(
    frame: Frame, tree: Syntax, here: Place | None
) -> tuple[n.Expr, Callable[[n.Var], n.Expr] | None]:
    """The set that a roll draws from, and its weights by the variable of the outcome."""
    source_tree = cast(Syntax, tree.children[1])
    inner = scalar_of(here[2]) if here is not None else None
    wanted = Set(inner) if inner is not None else None
    if source_tree.data == "set_" and source_tree.children[0] is not None:
        kinds = [cast(Syntax, kind) for kind in cast(Syntax, source_tree.children[0]).children]
        if any(map(is_counted, kinds)):
            return _kinds(frame, source_tree, kinds, wanted)
    made = expression(frame, source_tree, wanted)
    if isinstance(made.type, Bag):
        return kinds_in(made), lambda var: number_of(made, n.Local(var.type, var))
    source = collection(frame, source_tree, wanted)
    of = element_type(source)
    if not isinstance(source.type, Set) or of is None:
        frame.fail("type.set", f"one rolls from a set; this is {phrase(source.type)}", source_tree)
    if tree.data != "weigh_stmt":
        return source, None
    word, weight_tree = tree.children[2], cast(Syntax, tree.children[3])

    def weigh(var: n.Var) -> n.Expr:
        weight = whole_number(frame.binding(**{str(word): n.Local(of, var)}), weight_tree)
        if cast(Int, scalar_of(weight.type)).lo < 0 or maybe_none(weight.type):
            frame.fail("roll.weight", "odds are numbers from 0 upwards", weight_tree)
        return weight

    return source, weigh


def _kinds(
    frame: Frame, tree: Syntax, written: list[Syntax], wanted: Set | None
) -> tuple[n.Expr, Callable[[n.Var], n.Expr] | None]:
    """The kinds in `{2 wolf, 5 villager}` as a set, and the number of each."""
    trees = [cast(Syntax, kind.children[1]) if is_counted(kind) else kind for kind in written]
    display: Syntax = Tree("set_", [Tree("args", [*trees], tree.meta)], tree.meta)
    source = collection(frame, display, wanted)
    kinds = [expression(frame, kind, element_type(source)) for kind in trees]
    numbers = [int(cast(Token, kind.children[0])) if is_counted(kind) else 1 for kind in written]
    for kind, count, part in zip(kinds, numbers, trees, strict=True):
        if not isinstance(kind, n.Const) or count < 1:
            words = "a kind must be a constant, with at least one of it"
            frame.fail("roll.kinds", words, part)
    if len({cast(n.Const, kind).value for kind in kinds}) < len(kinds):
        frame.fail("roll.kinds", "a kind appears here twice", tree)

    def weigh(var: n.Var) -> n.Expr:
        got, least, most = n.Local(var.type, var), min(numbers), max(numbers)
        made: n.Expr = number(numbers[-1])
        for kind, count in zip(kinds[-2::-1], numbers[-2::-1], strict=True):
            made = n.If(integers(least, most), fold(n.Equal(BOOL, got, kind)), number(count), made)
        return made

    return source, weigh


def _take_out(frame: Frame, tree: Syntax, source_tree: Syntax, got: n.Expr) -> list[n.Effect]:
    """The effect that removes the drawn element from its place."""
    here = place(frame, _as_place(frame, source_tree))
    if not isinstance(here[2], Set | Bag):
        frame.fail("type.set", f"one draws out of a set or a bag; this is {phrase(here[2])}", source_tree)
    return [frame.put(remove_value(frame, here, got, source_tree), tree)]


def _as_place(frame: Frame, tree: Syntax) -> Syntax:
    """The tree of the place that an expression reads. Raises Faulty if it reads none."""
    if tree.data == "brackets":
        return _as_place(frame, cast(Syntax, tree.children[0]))
    if tree.data == "name":
        word = tree.children[0]
        if (found := frame.world.declared.get(str(word))) is not None and found.kind == "state":
            return Tree("place_name", tree.children, tree.meta)
    if tree.data == "at":
        of, key = cast(Syntax, tree.children[0]), tree.children[1]
        return Tree("place_at", [_as_place(frame, of), key], tree.meta)
    help = "`roll` leaves what it rolls from as it is"
    frame.fail("draw.place", "one draws out of a set that is a variable, or an entry of one", tree, help=help)


def _must_hold_something(frame: Frame, source: n.Expr, weight: n.Expr | None, tree: Syntax) -> None:
    """Report a set that may be empty, for which a drawn value could not be bound to a name."""
    sure = isinstance(source, n.Domain) or (isinstance(source, n.Const) and bool(source.value))
    if isinstance(source, n.SetOf):
        sure = any(not maybe_none(item.type) for item in source.items)
    if not sure:
        bag = bag_in(source)
        size = n.Size(integers(0, most_elements(source)), source) if bag is None else total(bag)
        sure = is_at_least(size, 1, frame.facts, frame.world.meter)
    if not sure:
        help = "test it before, as in `if deck is not empty: …`, or use a variable, which then stays as it is"
        words = "this set may be empty, and then the name would have no value"
        frame.fail("roll.empty", words, tree, help=help)
    if weight is not None and bag_in(source) is None and cast(Int, scalar_of(weight.type)).lo < 1:
        help = "roll into a variable, which then keeps what it holds"
        frame.fail("roll.empty", "all odds may be 0, and the name would stand for nothing", tree, help=help)


def several(frame: Frame, tree: Syntax) -> n.Effect:
    """Several independent rolls, or draws without replacement, stored in a collection or a number."""
    count_tree, source_tree, target_tree = (cast(Syntax, c) for c in tree.children)
    count = whole_number(frame, count_tree)
    (here, bound) = with_fixed_keys(place(frame, target_tree))
    most = cast(Int, scalar_of(count.type)).hi
    one: Syntax = Tree("roll_stmt", [Tree("places", []), source_tree], tree.meta)
    source, weight_of = _source(frame, one, None)
    of = cast(Scalar, element_type(source))
    var, i = n.Var("drawn", of), n.Var("i", integers(1, max(1, most)))
    got = n.Local(of, var)
    out = _take_out(frame, tree, source_tree, got) if tree.data == "draw_many" else []
    put = frame.put(add_value(frame, here, got, target_tree), tree)
    body = n.Draw(var, source, weight_of(var) if weight_of else None, n.Block((*out, put)))
    times: n.Expr = n.Domain(Set(cast(Scalar, i.type)), cast(Scalar, i.type))
    repeated: n.Effect = frame.put(body, tree)
    if not (isinstance(count, n.Const) and count.value == most >= 1):
        held = n.Var("count", count.type)
        asked = n.AtMost(BOOL, n.Local(i.type, i), n.Local(held.type, held))
        repeated = n.When(asked, repeated, n.NOTHING_DONE)
        return bind([(held, count), *bound], n.ForEach(i, times, repeated))
    return bind(bound, n.ForEach(i, times, repeated))


def uses(tree: Syntax, word: str) -> bool:
    """True if a name occurs anywhere in a tree."""
    return any(token == word for token in tree.scan_values(lambda value: isinstance(value, Token)))


def new_names(frame: Frame, tree: Syntax) -> Iterator[Token]:
    """The new names of a roll or draw."""
    for target in cast(Syntax, tree.children[0]).children:
        if _is_new(frame, cast(Syntax, target)):
            yield cast(Token, cast(Syntax, target).children[0])
