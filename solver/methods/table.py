"""The methods that decide claims, by name: each can be used by itself.

The scheduler tries them in an order that saves time. A method must be right also about claims that it would
never reach in that order: tests apply each to every claim that it supports.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.core.verdicts import UNDECIDED
from rulespec.solver.evidence.problem import Answer

from . import by_plays, by_positions, goals, inductions
from .method import Cost, Method, Run

_EACH = (*by_positions.METHODS, *by_plays.METHODS, *goals.METHODS, *inductions.METHODS)
_ASKING = tuple(sorted((method for method in _EACH if method.by_formulas), key=lambda method: method.cost))
"""The methods that use formulas, the cheapest first."""


def _formulas(run: Run, seconds: float) -> Answer | None:
    """The first settled answer of the methods that ask an engine, else the last one; None if none applies."""
    case, last = run.case, None
    for method in _ASKING:
        if not method.applies(case.prop) or not method.pays(case):
            continue
        answer = method.attempt(run, seconds)
        if answer is not None and answer.outcome != UNDECIDED:
            return answer
        last = answer or last
        if case.budget.exceeded_limit:
            break
    return last


FORMULAS = Method(
    "formulas",
    lambda stated: any(method.applies(stated) for method in _ASKING),
    _formulas,
    frozenset().union(*(method.evidence for method in _ASKING)),
    Cost.UNROLLING,
)
"""All methods that use formulas, the cheapest first."""

METHODS: Mapping[str, Method] = {method.name: method for method in (*_EACH, FORMULAS)}
"""Each method by name."""
