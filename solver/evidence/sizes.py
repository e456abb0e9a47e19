"""Goals that no position of a counter abstraction fulfils; see `reductions.counter_abstraction`."""

from __future__ import annotations

from dataclasses import replace

from rulespec.core import nodes as n
from rulespec.core.game import Claim
from rulespec.core.types import BOOL
from rulespec.core.verdicts.properties import Event, Form, Over, Property
from rulespec.solver.explore.state_space import Limits, StateSpace
from rulespec.solver.reductions.counter_abstraction import keep_sizes

from .exploration import CONTRARY
from .positions import Positions
from .problem import Answer, Case, Proof

SIZES = "sizes"
"""The entry of evidence that says that only sizes of sets were kept."""
GOAL, NUMBER = "goal", "number"
"""The names of what is asked of positions."""


def applies(stated: Property) -> bool:
    """True for properties of a condition on each position."""
    states = stated.over is Over.POSITIONS and stated.event is Event.CONDITION
    return states and stated.form in (Form.ALWAYS, Form.REACHABLE)


def answer_by_sizes(case: Case, limits: Limits) -> Answer | None:
    """The answer if sizes of sets alone rule out what would settle the claim by a play, in all deals.

    None if they do not, if a limit is reached, or if the game has no such abstraction.
    """
    if not applies(case.prop):
        return None
    goal = case.condition if case.prop.form is Form.REACHABLE else n.Not(BOOL, case.claim.always)
    seen = explore_sizes(case, limits, goal)
    if seen is None or seen.first(lambda states, first, last: states.scan(GOAL, first, last)) is not None:
        return None
    return seen.answer(CONTRARY[str(case.prop.by_play)], {}, proof_of(seen)) if seen.exhaustive else None


def explore_sizes(case: Case, limits: Limits, goal: n.Expr, number: n.Expr | None = None) -> Positions | None:
    """The positions of the abstraction, with the goal and a bound of a number; None if there is none."""
    found = keep_sizes(case.game, (goal, *([number] if number is not None else [])))
    if found is None:
        return None
    game, (there, *numbers) = found
    claim = Claim(GOAL, "", "unreachable", there.high)
    asked = {GOAL: there.high}
    if numbers:
        asked[NUMBER] = numbers[0].high if case.most else numbers[0].low
    space = StateSpace(game, [asked], None, "", tuple, lambda: False)
    return Positions(replace(case, game=game, claim=claim, lemmas={}), limits, states=space.states(limits))


def proof_of(seen: Positions) -> Proof:
    """The positions seen, as evidence."""
    return Proof("exploration", {**seen.proof.data, SIZES: True})
