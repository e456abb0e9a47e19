"""Conditions that must be impossible before parts of a ply, so that a claim about sums stays true.

They are derived from the text of the effects: for each part of a ply, an action or its consequences, the
conditions on the state before it and on its choices that would let it break the claim. The theorem is stated
in `docs/reference/flows.md`: if the claim is true before a part and none of its conditions holds there, the
claim is true after it. Formulas decide whether a condition can hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.traversal import assignments, nodes_within, place_of
from rulespec.core.types import BOOL, List, Optional, Scalar, Set, Type, Value, fits, integers
from rulespec.solver.formulas.dependencies import Dependencies

from .flows import Flow, Unread, Wrap, exists, list_in, set_in
from .terms import Term
from .weights import NOT_ABOVE, NOT_BELOW, SAME, NotWeighed, Weights, demands_of, total, weights_of

Holders = frozenset[n.StateVar]
"""The variables whose lists, sets or numbers count."""


@dataclass(frozen=True)
class Unit:
    """A part of a ply that changes the state at once: an action, or (without one) its consequences."""

    effect: n.Effect
    action: Action | None = None
    condition: n.Expr | None = None
    """The condition in which it happens, that of a reaction."""

    @property
    def wraps(self) -> tuple[Wrap, ...]:
        """The context of its effect."""
        return () if self.condition is None else (Wrap("if", self.condition),)


@dataclass(frozen=True)
class Obligation:
    """Conditions that must all be impossible when a unit is taken.

    If `granted`, they need to be impossible only in positions with all invariants, including the claim.
    """

    unit: Unit
    never: tuple[n.Expr, ...]
    granted: bool = False


@dataclass(frozen=True)
class Obligations:
    """The obligations for a claim: a condition at the start, if any, and those before units."""

    start: n.Expr | None
    each: tuple[Obligation, ...]


def of_invariant(game: Game, condition: n.Expr) -> Obligations | None:
    """The obligations under which a condition stays true; None if its sums or effects are not covered."""
    reading = _Reading(game)
    with suppress(NotWeighed, Unread):
        return Obligations(condition, tuple(reading.sum_changes(demands_of(condition, reading.facts))))
    return None


def of_numbers(game: Game, numbers: Sequence[n.Expr]) -> Obligations | None:
    """The obligations under which no ply lowers one of some numbers; None if something is not covered."""
    reading = _Reading(game)
    with suppress(NotWeighed, Unread):
        sums = [(weights_of(e, reading.facts), NOT_BELOW) for e in numbers]
        return Obligations(None, tuple(reading.sum_changes(sums)))
    return None


def of_faults(game: Game) -> Obligations | None:
    """The obligations for every value to fit its place in every ply; None if the effects are not covered."""
    with suppress(Unread):
        return _of_faults(game)
    return None


def _of_faults(game: Game) -> Obligations:
    """Obligations that no ply faults: stored values fit, no weight is negative. Raises Unread."""
    reading = _Reading(game)
    everywhere = [unit.effect for unit in reading.units]
    weighted = (node.weight for e in everywhere for node in nodes_within(e) if isinstance(node, n.Draw))
    if any(w is not None and getattr(w.type, "lo", -1) < 0 for w in weighted):
        raise Unread("a draw may be given a negative weight")
    if not fits(game.turn.next.type, game.mover.type):
        raise Unread("nobody may be next to move")
    stores = [e for effect in everywhere for e in assignments(effect)]
    lists = frozenset(filter(None, (_overflowing(reading.facts, e) for e in stores)))
    each = [*reading.conservation(lists, all_along=True)] if lists else []
    for unit in reading.units:
        flow, _ = reading.flow(unit, lists)
        each.append(Obligation(unit, tuple(_misfits(flow)), granted=True))
    return Obligations(_room(lists) if lists else None, tuple(each))


class _Reading:
    """The effects of one game, read once."""

    def __init__(self, game: Game) -> None:
        self.facts = Dependencies(game)
        self.never_stored = frozenset((game.mover, game.state["over"]))
        self.units = [Unit(action.effect, action) for action in game.actions.values()]
        self.units += [Unit(reaction.effect, None, reaction.condition) for reaction in game.reactions]
        self.units.append(Unit(game.turn.begin))

    def flow(
        self, unit: Unit, holders: Holders, weights: Mapping[n.StateVar, int] = MappingProxyType({})
    ) -> tuple[Flow, dict[Term, int]]:
        """The changes by a unit to the lists or numbers of some variables."""
        flow = Flow(self.facts, holders, weights)
        return flow, flow.run(unit.effect)

    def conservation(
        self,
        holders: Holders,
        weights: Mapping[n.StateVar, int] = MappingProxyType({}),
        all_along: bool = False,
    ) -> Iterator[Obligation]:
        """Obligations that no unit changes all contents of some variables' lists, or a weighted sum.

        The sum is that of all numbers with their variables' weights. With `all_along` the totals never exceed
        the former ones, even within a unit.

        Raises Unread.
        """
        for unit in self.units:
            flow, bag = self.flow(unit, holders, weights)
            filled = [_is_filled(flow, part, unit) for part in bag]
            if all_along and (bag or flow.swells):
                raise Unread("more may lie in lists than before")
            yield Obligation(unit, (*flow.needs, *filled), granted=_of_sets(holders))

    def _is_conserved(self, holders: Holders) -> bool:
        """True if no unit changes the contents of some variables taken together, as far as effects tell."""
        with suppress(Unread):
            return not any(self.flow(unit, holders)[1] for unit in self.units)
        return False

    def sum_changes(self, sums: Sequence[tuple[Weights, str]]) -> Iterator[Obligation]:
        """Obligations that units change each sum only as allowed. Raises NotWeighed."""
        moving: list[tuple[Weights, int]] = []
        even = dict[Holders, None]()
        for weights, demand in sums:
            if self.never_stored & {var for var, _ in (*weights.of, *weights.numbers)}:
                raise NotWeighed
            if weights.numbers:
                amounts = weights.of_whole_variables()
                if demand != SAME or weights.of:
                    raise NotWeighed
                yield from self.conservation(frozenset(amounts), amounts)
            elif weights.has_cells() and weights.is_uniform():
                yield from self._residues(weights, SIGNS[demand])
            elif weights.is_uniform() and (demand == SAME or self._is_conserved(_holders(weights))):
                even[_holders(weights)] = None
            else:
                moving += [(weights, sign) for sign in SIGNS[demand]]
        for holders in even:
            yield from self.conservation(holders)
        moved = frozenset[n.StateVar]().union(*(_holders(weights) for weights, _ in moving))
        for unit in self.units if moving else ():
            flow, _ = self.flow(unit, moved)
            bad = [e for weights, sign in moving for e in _moving(flow, weights, sign)]
            yield Obligation(unit, (*bad, *(flow.needs if _of_sets(moved) else ())), granted=True)

    def _residues(self, weights: Weights, signs: Sequence[int]) -> Iterator[Obligation]:
        """Obligations that what does not cancel in a unit changes no sum in a forbidden direction."""
        holders, place = _holders(weights), next(iter(weights.of))
        for unit in self.units:
            flow = Flow(self.facts, holders, cells=True)
            left = [*flow.run(unit.effect).items(), *flow.strays]
            never = list(flow.needs)
            for part, count in left:
                for sign in signs:
                    harmful = weights.values_of_sign(sign if count > 0 else -sign).get(place, frozenset())
                    for wraps in flow.contexts(part) if harmful else ():
                        held = _holds_one_of(flow, part, harmful, wraps)
                        never += [] if held is None else [exists(wraps, held)]
            yield Obligation(unit, tuple(never), granted=True)


def _is_filled(flow: Flow, part: Term, unit: Unit) -> n.Expr:
    """The condition before a unit that a list or set which does not cancel has contents. Raises Unread."""
    if part[0] != "all":
        raise Unread("more may lie in lists than before")
    held = flow.held_before(part[1], unit.wraps)
    of = held.type.of if isinstance(held.type, List | Set) else None
    if of is None:
        return n.Const(BOOL, False)  # nothing fits the type
    return exists(unit.wraps, n.Any(BOOL, n.Var("x", of), held, n.Const(BOOL, True)))


def _holders(weights: Weights) -> Holders:
    return frozenset(var for var, _ in weights.of)


def _of_sets(holders: Holders) -> bool:
    """True if some variables hold sets, whose stores need to know who holds what."""
    return any(set_in(var.type) is not None for var in holders)


SIGNS = {NOT_ABOVE: (1,), NOT_BELOW: (-1,), SAME: (1, -1)}
"""The signs of forbidden additions to a sum, by its demand."""


def _moving(flow: Flow, weights: Weights, sign: int) -> Iterator[n.Expr]:
    """The conditions under which a store adds positive weight or, with `sign` 1, removes negative weight."""
    for into, values in ((True, weights.values_of_sign(sign)), (False, weights.values_of_sign(-sign))):
        for change in flow.changes:
            parts = change.gains if into else change.losses
            for (var, keys), of in values.items():
                if var is change.target:
                    pairs = zip(change.keys, keys, strict=True)
                    here = [_is(flow, term, key, change.wraps) for term, key in pairs]
                    for part in parts:
                        held = _holds_one_of(flow, part, of, change.wraps)
                        if held is not None:
                            yield exists(change.wraps, n.And(BOOL, (*here, held)))


def _is(flow: Flow, term: Term, key: Value, wraps: Sequence[Wrap]) -> n.Expr:
    """The condition before the ply that a term has this value."""
    e = flow.value_before(term, wraps)
    of = e.type.of if isinstance(e.type, Optional) else e.type
    assert isinstance(of, Scalar)
    if key not in of.values:
        return n.Const(BOOL, False)
    return n.Equal(BOOL, e, n.Const(of, key))


def _holds_one_of(flow: Flow, part: Term, values: frozenset[Value], wraps: Sequence[Wrap]) -> n.Expr | None:
    """The condition that part of a list contains one of some values; None if it cannot."""
    if part[0] == "one" and part[1][0] == "const":
        return n.Const(BOOL, True) if part[1][1] in values else None
    e = flow.value_before(part if part[0] in ("top", "low") else part[1], wraps)
    if part[0] == "one":
        return _among(e, values)
    held = list_in(e.type) or set_in(e.type)
    assert held is not None
    if held.of is None:
        return None
    var = n.Var("x", held.of)
    return n.Any(BOOL, var, e, _among(n.Local(held.of, var), values))


def _among(e: n.Expr, values: frozenset[Value]) -> n.Expr:
    """The condition that an expression has one of these values."""
    t: Type = e.type.of if isinstance(e.type, Optional) and e.type.of is not None else e.type
    assert isinstance(t, Scalar)
    return n.Member(BOOL, e, n.Const(Set(t), values & frozenset(t.values)))


def _overflowing(facts: Dependencies, e: n.Assign) -> n.StateVar | None:
    """The variable of a list that an assignment may make too long; None if it fits."""
    place, given = place_of(e), e.value.type
    if not isinstance(place, List) or not isinstance(given, List) or not facts.may_fault(e):
        return None
    alike = given.of is None or (place.of is not None and fits(given.of, place.of))
    return e.target if alike else None


def _room(lists: Holders) -> n.Expr:
    """The condition that each list has room for the contents of all of them together."""
    cap = min(held.cap for var in lists if (held := list_in(var.type)) is not None)
    return n.AtMost(BOOL, total(lists), n.Const(integers(cap, cap), cap))


def _misfits(flow: Flow) -> Iterator[n.Expr]:
    """The conditions under which a stored value does not fit; lists that always have room are left out.

    Raises Unread.
    """
    for store, value, wraps in flow.daring:
        if store.target in flow.holders and _overflowing(flow.facts, store):
            continue
        place = place_of(store)
        of = place.of if isinstance(place, Optional) else place
        if not isinstance(of, Scalar):
            raise Unread("more than a single value may not fit")
        e = flow.value_before(value, wraps)
        bad: n.Expr = n.Not(BOOL, _among(e, frozenset(of.values)))
        if isinstance(place, Optional):
            bad = n.And(BOOL, (n.Not(BOOL, n.IsNone(BOOL, e)), bad))
        yield exists(wraps, bad)
