"""The reasons why plays that fault leave claims undecided that are decided by positions."""

from __future__ import annotations

from solver.explore import BuiltinQuestion, States
from solver.explore.states import NO_RESULT

from .properties import FaultRole

NO_POSITION = "the setup can end with a value that does not fit its place, and so in no position of the game"
"""The reason why positions are not counted."""


def objection(role: FaultRole, states: States) -> str:
    """The reason why plays that fault leave a claim undecided, or empty; for all states."""
    if role is FaultRole.NO_RESULT and any(states.scan(BuiltinQuestion.FAULTED)):
        return NO_RESULT
    if role is FaultRole.SAME_POSITION and any(states.scan(BuiltinQuestion.FAULTED, 0, states.counts[0])):
        return NO_POSITION
    return ""
