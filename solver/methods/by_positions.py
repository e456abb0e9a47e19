"""Methods that explore positions."""

from __future__ import annotations

from dataclasses import replace

from rulespec.core.verdicts.properties import Form, Property
from rulespec.solver.evidence import exploration
from rulespec.solver.evidence.problem import Answer
from rulespec.solver.explore.state_space import MOST_POSITIONS, Limits

from . import best_play
from .method import Method, Run

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


EXPLORATION = Method("exploration at length", _is_explored, _within_reason, EXPLORED)
"""All positions, by code, as long as there is time."""

METHODS = (
    _of_few("exploration", Limits(0.0, FEW, folded=False)),
    _of_few("exploration by the interpreter", Limits(0.0, FEW, judge=True, folded=False)),
    _of_few("exploration with symmetries", Limits(0.0, FEW, folded=True)),
    Method(
        "memory",
        lambda p: p.form is Form.VALUE,
        lambda run, _: best_play.search(run.case),
        frozenset({"search"}),
    ),
)
