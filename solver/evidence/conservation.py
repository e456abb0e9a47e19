"""Deciding claims by what plies take out of lists and put into them.

What is asked of an engine here is small: whether an action can be legal while one of its stores does what
it must not. No state after a ply is ever made.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulespec.budgets import OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.game import Action
from rulespec.core.types import BOOL, List, Map, Optional, Scalar, Set, Type, Value, fits, integers
from rulespec.core.verdicts import PROVED
from rulespec.core.walk import assignments, inside
from solver.analyses.flows import Flow, Unread, Wrap, exists, list_in
from solver.analyses.terms import Term
from solver.analyses.weights import NOT_ABOVE, NOT_BELOW, SAME, NotWeighed, Weights, demanded, total, weighed
from solver.formulas import TooWide
from solver.formulas.aig import FALSE
from solver.formulas.dependencies import Dependencies
from solver.formulas.question import Question

from .problem import Answer, Case, Proof

FLOWS = "flows"
"""The name of this argument in evidence."""
MOST_GATES = 600_000
"""After so many gates one question is asked, and another begun."""
MOST_CHOICES = 50_000
"""So many combinations of choices of an action are asked about at most."""


@dataclass(frozen=True)
class Unit:
    """Something that changes the state at one go: an action, or (without one) what follows of itself."""

    effect: n.Effect
    action: Action | None = None


def units(case: Case) -> list[Unit]:
    """All that can change the state after the setup, besides the mover and whether the game is over."""
    game = case.game
    found = [Unit(action.effect, action) for action in game.actions.values()]
    found += [Unit(reaction.effect) for reaction in game.reactions]
    return [*found, Unit(game.turn.begin)]


@dataclass
class _Work:
    """What the arguments about one case share."""

    case: Case
    about: Sequence[n.Expr] = ()
    _conserved: dict[frozenset[n.StateVar], tuple[bool, bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.facts = Dependencies(self.case.game)
        self.begin = Question(self.case, "initial", None, self.about)

    def flow(self, unit: Unit, holders: frozenset[n.StateVar]) -> tuple[Flow, dict[Term, int]]:
        """How a unit changes the lists of some variables."""
        flow = Flow(self.facts, holders)
        return flow, flow.run(unit.effect)

    def never(self, unit: Unit, conditions: Sequence[n.Expr], granted: Sequence[n.Expr] = ()) -> bool:
        """Whether where a unit is taken none of some conditions on the state before it, and on its choices,
        can hold.

        Something granted holds in every position, but perhaps not in the middle of a ply.
        """
        if not conditions:
            return True
        wanted = n.Or(BOOL, tuple(conditions))
        if unit.action is None:
            question = Question(self.case, "any", None, [wanted], None, self.begin)
            return not question.possible([question.holds(wanted, 0)])
        if not self.begin.rules.takes(unit.action):
            return True
        question, asked = self._position(wanted, granted), list[int]()
        for values in self._combinations(unit.action):
            literals = [question.rules.acts(unit.action, values, e) for e in conditions]
            asked += [x for x in literals if x != FALSE]
            if question.rules.gates.size > MOST_GATES:
                if asked and question.possible(one_of=asked):
                    return False
                question, asked = self._position(wanted, granted), []
        return not asked or not question.possible(one_of=asked)

    def _position(self, wanted: n.Expr, granted: Sequence[n.Expr]) -> Question:
        question = Question(self.case, "any", None, [wanted, *granted], None, self.begin)
        for condition in granted:
            question.grant(condition, 0)
        return question

    def _combinations(self, action: Action) -> Iterator[Mapping[n.Var, Value]]:
        """The choices of an action that the state does not narrow, each with every value."""
        split: dict[n.Var, Sequence[Value]] = {}
        for choice in action.choices:
            t, asked = choice.var.type, self.facts.free(choice.source)
            narrowed = self.facts.reads(choice.source) or any(v not in split for v in asked)
            if choice.chain is None and isinstance(t, Scalar) and not narrowed:
                split[choice.var] = t.values
        while math.prod(map(len, split.values())) > MOST_CHOICES:
            del split[max(split, key=lambda var: len(split[var]))]
        for values in itertools.product(*split.values()):
            yield dict(zip(split, values, strict=True))

    # ---- sums

    def conserved(self, holders: frozenset[n.StateVar]) -> tuple[bool, bool]:
        """Whether no ply changes what lies in all lists of some variables together; and whether at no moment
        of one there is more in them than before it."""
        if holders not in self._conserved:
            flows = [(unit, *self.flow(unit, holders)) for unit in units(self.case)]
            even = not any(bag for _, _, bag in flows)
            held = even and all(self.never(unit, flow.needs) for unit, flow, _ in flows)
            self._conserved[holders] = held, not any(flow.swells for _, flow, _ in flows)
        return self._conserved[holders]

    def kept(self, sums: Sequence[tuple[Weights, str]], granted: Sequence[n.Expr]) -> bool:
        """Whether plies do to each sum what is demanded, given what holds in every position."""
        moving: list[tuple[Weights, int]] = []
        for weights, demand in sums:
            if demand != SAME or not weights.alike():
                moving += [(weights, sign) for sign in SIGNS[demand]]
            elif not self.conserved(frozenset(var for var, _ in weights.of))[0]:
                return False
        holders = frozenset(var for weights, _ in moving for var, _ in weights.of)
        for unit in units(self.case) if moving else ():
            flow, _ = self.flow(unit, holders)
            bad = [e for weights, sign in moving for e in _moving(flow, weights, sign)]
            if not self.never(unit, bad, granted):
                return False
        return True


SIGNS = {NOT_ABOVE: (1,), NOT_BELOW: (-1,), SAME: (1, -1)}
"""The signs of what no ply may add to a sum, by what is demanded of it."""


def _moving(flow: Flow, weights: Weights, sign: int) -> Iterator[n.Expr]:
    """That a store puts in something of positive weight, or takes out something of negative (`sign` 1)."""
    for into, values in ((True, weights.signed(sign)), (False, weights.signed(-sign))):
        for change in flow.changes:
            parts = change.gains if into else change.losses
            for (var, keys), of in values.items():
                if var is change.target:
                    here = [
                        _is(flow, term, key, change.wraps)
                        for term, key in zip(change.keys, keys, strict=True)
                    ]
                    for part in parts:
                        held = _holds_one_of(flow, part, of, change.wraps)
                        if held is not None:
                            yield exists(change.wraps, n.And(BOOL, (*here, held)))


def _is(flow: Flow, term: Term, key: Value, wraps: Sequence[Wrap]) -> n.Expr:
    e = flow.known(term, wraps)
    of = e.type.of if isinstance(e.type, Optional) else e.type
    assert isinstance(of, Scalar)
    if key not in of.values:
        return n.Const(BOOL, False)
    return n.Equal(BOOL, e, n.Const(of, key))


def _holds_one_of(flow: Flow, part: Term, values: frozenset[Value], wraps: Sequence[Wrap]) -> n.Expr | None:
    """That one of some values is in a part of a list; None where it surely is not."""
    if part[0] == "one" and part[1][0] == "const":
        return n.Const(BOOL, True) if part[1][1] in values else None
    e = flow.known(part if part[0] in ("top", "low") else part[1], wraps)
    if part[0] == "one":
        return _among(e, values)
    of = list_in(e.type)
    assert of is not None
    if of.of is None:
        return None
    var = n.Var("x", of.of)
    return n.Any(BOOL, var, e, _among(n.Local(of.of, var), values))


def _among(e: n.Expr, values: frozenset[Value]) -> n.Expr:
    t: Type = e.type.of if isinstance(e.type, Optional) and e.type.of is not None else e.type
    assert isinstance(t, Scalar)
    return n.Member(BOOL, e, n.Const(Set(t), values & frozenset(t.values)))


# ---- claims


def invariant(case: Case) -> Answer | None:
    """That something always holds, shown by flows; None where that does not show it."""
    condition = case.claim.always
    try:
        wanted = demanded(condition, Dependencies(case.game))
        work = _Work(case, [condition])
        if work.begin.possible([-work.begin.holds(condition, 0)]):
            return None
        if not work.kept(wanted, [condition, *case.named_helpers]):
            return None
    except (NotWeighed, Unread, TooWide):
        return None
    return _answer(work)


def never_faults(case: Case) -> Answer | None:
    """That every value fits its place, shown by flows; None where that does not show it."""
    game = case.game
    everywhere = [u.effect for u in units(case)]
    weighted = (node.weight for e in everywhere for node in inside(e) if isinstance(node, n.Draw))
    if any(w is not None and getattr(w.type, "lo", -1) < 0 for w in weighted):
        return None
    if not fits(game.turn.next.type, game.mover.type):
        return None
    stores, facts = [e for effect in everywhere for e in assignments(effect)], Dependencies(game)
    lists = frozenset(filter(None, (_overflowing(facts, e) for e in stores)))
    try:
        work = _Work(replace(case, watch_all=True), [total(lists)])
        if work.begin.possible([work.begin.rules.fault(0)]):
            return None
        if not _room_for_all(work, lists):
            return None
        for unit in units(case):
            flow, _ = work.flow(unit, lists)
            if not work.never(unit, list(_misfits(flow)), case.named_helpers):
                return None
    except (Unread, TooWide):
        return None
    return _answer(work)


def _overflowing(facts: Dependencies, e: n.Assign) -> n.StateVar | None:
    """The variable into which a list is stored that may be too long for it."""
    place, given = _place_of(e), e.value.type
    if not isinstance(place, List) or not isinstance(given, List) or not facts.may_fault(e):
        return None
    alike = given.of is None or (place.of is not None and fits(given.of, place.of))
    return e.target if alike else None


def _place_of(e: n.Assign) -> Type:
    """The type of what an assignment stores at."""
    place: Type = e.target.type
    for _ in e.path:
        assert isinstance(place, Map | List) and place.of is not None
        place = place.of
    return place


def _room_for_all(work: _Work, lists: frozenset[n.StateVar]) -> bool:
    if not lists:
        return True
    cap = min(held.cap for var in lists if (held := list_in(var.type)) is not None)
    room = n.AtMost(BOOL, total(lists), n.Const(integers(cap, cap), cap))
    if work.begin.possible([-work.begin.holds(room, 0)]):
        return False
    return all(work.conserved(lists))


def _misfits(flow: Flow) -> Iterator[n.Expr]:
    """That a value is stored where it does not fit, but for lists that have room for all there is."""
    for store, value, wraps in flow.daring:
        if store.target in flow.holders and _overflowing(flow.facts, store):
            continue
        place = _place_of(store)
        of = place.of if isinstance(place, Optional) else place
        if not isinstance(of, Scalar):
            raise Unread("more than a single value may not fit")
        e = flow.known(value, wraps)
        bad: n.Expr = n.Not(BOOL, _among(e, frozenset(of.values)))
        if isinstance(place, Optional):
            bad = n.And(BOOL, (n.Not(BOOL, n.IsNone(BOOL, e)), bad))
        yield exists(wraps, bad)


def never_falls(case: Case, numbers: Sequence[n.Expr]) -> Answer | None:
    """That no ply lowers any of some numbers, shown by flows; None where that does not show it."""
    try:
        work = _Work(case)
        sums = [(weighed(e, work.facts), NOT_BELOW) for e in numbers]
        if not work.kept(sums, case.named_helpers):
            return None
    except (NotWeighed, Unread, TooWide, OutOfBudget):
        return None
    return _answer(work)


def _answer(work: _Work) -> Answer:
    return Answer(PROVED, (Proof("induction", {"by": FLOWS}),), work.begin.engine, {"depth": 1})
