"""Dead ends: states from which a goal is out of reach, without the memory for all edges.

States not yet known to reach the goal are looked one ply ahead of, the last found first, in sweeps until
nothing changes (a backward fixpoint). Most are settled at once, for late states tend to lie near the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.code.pacing import Pace

from .code_states import SLICE, CodeStates
from .states import BuiltinQuestion, Limit

FIRST_SLICE = 64


class OutOfLimit(Exception):
    """A limit was reached; says which."""


def first_dead_end(states: CodeStates, goal: Sequence[int], limit: Limit) -> int | None:
    """The first state from which no play leads to one where `goal` is not 0; None if there is none.

    The states must be closed. States in which a play has faulted are left out, being the ones before them.
    Raises OutOfLimit.
    """
    marks = states.tools.room("small", states.states)
    for i, x in enumerate(goal):
        marks[i] = 1 if x else 0
    left = -1
    while (result := _sweep(states, marks, limit)) and result != left:
        left = result
    if not result:
        return None
    faulted = states.scan(BuiltinQuestion.FAULTED)
    return next((i for i in range(states.states) if not marks[i] and not faulted[i]), None)


def _sweep(states: CodeStates, marks: Sequence[int], limit: Limit) -> int:
    """Look ahead of all states without hope once; how many are left."""
    upto, left, pace = states.states, 0, Pace(SLICE, FIRST_SLICE, least=FIRST_SLICE)
    while upto:
        if spent := limit():
            raise OutOfLimit(spent)
        with pace as step:
            first = max(0, upto - step)
            left += states.look_ahead(first, upto, marks)
        upto = first
    return left
