"""The positions that a claim is about, and the expressions that they are asked for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from weakref import WeakKeyDictionary

from rulespec.core import nodes as n
from rulespec.core.game import Claim, Game
from solver.engines import NoEngine, choose
from solver.explore import States
from solver.explore.state_space import Exploration, Limits, StateSpace
from solver.pairs.images import commute, generators, group_of, stated
from solver.reductions.remembering import NEVER_FALLS

from .problem import Case, premise

WHEN, PREMISE, DIFFERENT = "{} when", "{} premise", "{} different"
"""The names of the parts of a claim where states are asked about them."""
SHOWING = 10.0
"""Seconds, and a fifth of a budget at most, for formulas to show that rules commute with symmetries."""


def spoken_of(claim: Claim) -> Mapping[str, n.Expr]:
    """The conditions and numbers that a claim asks of states, by name; the same ones each time."""
    if claim not in _spoken:
        _spoken[claim] = _spoken_of(claim)
    return _spoken[claim]


_spoken: WeakKeyDictionary[Claim, Mapping[str, n.Expr]] = WeakKeyDictionary()


def _spoken_of(claim: Claim) -> Mapping[str, n.Expr]:
    parts = {
        claim.id: claim.condition if claim.kind != NEVER_FALLS else None,
        WHEN.format(claim.id): claim.options.get("when"),
        DIFFERENT.format(claim.id): claim.options.get("different"),
        PREMISE.format(claim.id): premise(claim) if claim.kind == "invariant" else None,
    }
    return {name: e for name, e in parts.items() if isinstance(e, n.Expr)}


def space_of(case: Case) -> StateSpace:
    """The states of a case's game; they are asked what all its claims speak of, or at least this one."""
    cost = case.claim.id if case.summed else ""
    symmetries = lambda: group_of(case.game)  # noqa: E731
    return StateSpace(case.game, [*_asked(case)], case.chance, cost, symmetries, lambda: commuting(case))


def _asked(case: Case) -> Iterator[Mapping[str, n.Expr]]:
    if case.game.claims.get(case.claim.id) is case.claim:
        yield {name: e for claim in case.game.claims.values() for name, e in spoken_of(claim).items()}
    yield spoken_of(case.claim)


def explored(case: Case, limits: Limits, *, states: States | None = None, ways: bool = False) -> Exploration:
    """The exploration of a case's states, or of those given, within limits; with `ways`, of every action."""
    if states is None:
        states = space_of(case).states(limits, ways=ways)
    return Exploration(states, limits, case.budget)


def commuting(case: Case) -> bool:
    """True if formulas show that the rules of a case's game commute with the symmetries that it states."""
    if case.game not in _commuting:
        try:
            engine = choose()
        except NoEngine:
            return False
        case.progress("whether the rules are the same for images")
        seconds = min(SHOWING, case.budget.left / 5)
        _commuting[case.game] = commute(case.game, generators(stated(case.game)), seconds, engine)
    return _commuting[case.game]


_commuting: WeakKeyDictionary[Game, bool] = WeakKeyDictionary()
