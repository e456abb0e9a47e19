"""Methods that explore positions."""

from __future__ import annotations

from dataclasses import replace

from rulespec.core import nodes as n
from rulespec.core.types import BOOL
from rulespec.core.verdicts.properties import Form, Property
from rulespec.solver.evidence import exploration, sizes
from rulespec.solver.evidence.problem import Answer
from rulespec.solver.explore.state_space import MOST_POSITIONS, Limits

from . import best_play
from .method import Method, Run
from .play_search import Pursuit

FEW = 20_000
"""Maximum number of positions of an exploration requested by name."""
EXPLORED = frozenset({"exploration", "play", "fraction", "strategies", "stages", "sample"})


def _is_explored(stated: Property) -> bool:
    return (stated.form, stated.over) in exploration.DECIDERS


def _within_reason(run: Run, seconds: float) -> Answer | None:
    """The answer of an exploration by code."""
    run.case.progress("looking at every position, for as long as there is time")
    limits = Limits(seconds, MOST_POSITIONS, until=run.until)
    return best_play.explore_or_solve(run.case, limits)


def _of_few(name: str, limits: Limits) -> Method:
    """A method that explores within limits other than time, which each attempt gets."""

    def attempt(run: Run, seconds: float) -> Answer | None:
        return best_play.explore_or_solve(run.case, replace(limits, seconds=seconds))

    return Method(name, _is_explored, attempt, EXPLORED)


def _by_sizes(run: Run, seconds: float) -> Answer | None:
    """The answer, or the bound of a best value, that the sizes of sets give."""
    if run.case.chance is not None:
        return None
    run.case.progress("looking at how much lies where, whatever it is")
    limits = Limits(seconds, MOST_POSITIONS, until=run.until)
    if run.case.prop.form is not Form.OPTIMUM:
        return sizes.answer_by_sizes(run.case, limits)
    if not run.case.is_summed:
        _bound_by_sizes(run.pursuit, limits)
    return run.pursuit.partly()


def _bound_by_sizes(pursuit: Pursuit, limits: Limits) -> None:
    """Leave out the values of a best claim that the sizes of sets rule out."""
    case, scale = pursuit.case, pursuit.scale
    goal = case.claim.when or n.Const(BOOL, True)
    seen = None if scale is None else sizes.explore_sizes(case, limits, goal, case.condition)
    if scale is None or seen is None:
        return
    best = scale.size
    for first, last in seen.layers():
        there, numbers = (seen.states.scan(asked, first, last) for asked in (sizes.GOAL, sizes.NUMBER))
        best = min([best, *(scale.rank(x) for x, held in zip(numbers, there, strict=True) if held)])
        if best <= 0:
            return
    if seen.exhaustive:
        proof = sizes.proof_of(seen)
        pursuit.leave_out(best, [replace(proof, data={**proof.data, "bound": scale.value(best - 1)})])


EXPLORATION = Method("exploration at length", _is_explored, _within_reason, EXPLORED)
"""All positions, by code, as long as there is time."""

METHODS = (
    _of_few("exploration", Limits(0.0, FEW, folded=False)),
    _of_few("exploration by the interpreter", Limits(0.0, FEW, judge=True, folded=False)),
    _of_few("exploration with symmetries", Limits(0.0, FEW, folded=True)),
    Method("sizes", lambda p: p.form is Form.OPTIMUM or sizes.applies(p), _by_sizes, EXPLORED),
    Method(
        "memory",
        lambda p: p.form is Form.VALUE,
        lambda run, _: best_play.search(run.case),
        frozenset({"search"}),
    ),
)
