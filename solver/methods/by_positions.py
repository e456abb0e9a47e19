"""Methods that go through positions."""

from __future__ import annotations

from dataclasses import replace

from rulespec.core.properties import Form, Property
from solver.evidence import exploration, game_graph
from solver.evidence.positions import space_of
from solver.evidence.problem import Answer
from solver.explore.state_space import MOST_POSITIONS, Limits

from . import best_play
from .method import Method, Run

FEW = 20_000
"""The number of positions that an exploration asked by itself keeps at most."""
EXPLORED = frozenset({"exploration", "play", "fraction", "strategies", "sample"})


def _is_explored(stated: Property) -> bool:
    return (stated.form, stated.over) in exploration.DECIDERS


def _within_reason(run: Run, seconds: float) -> Answer | None:
    """The answer of an exploration by code, which is compiled where that pays within the time."""
    run.case.progress("looking at every position, for as long as there is time")
    compiled = space_of(run.case).affords(seconds)
    limits = Limits(seconds, MOST_POSITIONS, compiled=compiled, until=run.until)
    return best_play.explored(run.case, limits)


def _few(run: Run, seconds: float) -> Answer | None:
    return best_play.explored(run.case, Limits(seconds, FEW, folded=False))


def _by_interpreter(run: Run, seconds: float) -> Answer | None:
    return best_play.explored(run.case, Limits(seconds, FEW, judge=True, folded=False))


def _with_symmetries(run: Run, seconds: float) -> Answer | None:
    return best_play.explored(run.case, Limits(seconds, FEW, folded=True))


def _ahead(run: Run, seconds: float) -> Answer | None:
    if run.case.claim.options.get("within") is not None:
        return None
    limits = Limits(seconds, FEW, folded=False)
    return best_play.explored(replace(run.case, argument=game_graph.AHEAD), limits)


def _remembering_values(run: Run, seconds: float) -> Answer | None:
    return best_play.search(run.case)


EXPLORATION = Method("exploration at length", _is_explored, _within_reason, EXPLORED)
"""All positions for as long as there is time, by compiled code where that pays."""

METHODS = (
    Method("exploration", _is_explored, _few, EXPLORED),
    Method("exploration by the interpreter", _is_explored, _by_interpreter, EXPLORED),
    Method("exploration with symmetries", _is_explored, _with_symmetries, EXPLORED),
    Method("looking ahead", lambda p: p.form is Form.RECOVERABLE, _ahead, frozenset({"exploration", "play"})),
    Method("memory", lambda p: p.form is Form.VALUE, _remembering_values, frozenset({"search"})),
)
