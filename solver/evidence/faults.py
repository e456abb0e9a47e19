"""The role of plays that fault in each kind of claim, for all methods.

A ply that stores a value where it does not fit is undone: the position stays as it was before the ply (for
the setup: as declared), and the play is over there, with no end, no winners and no scores. The reference of
claims has the same table in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from solver.explore import BuiltinQuestion, States
from solver.explore.states import NO_RESULT


class Part(Enum):
    """The role of a play that faults in a claim."""

    SAME_POSITION = "it adds no position: it ends in the one before"
    A_PLY = "the ply that faults is a ply, and the play is over after it"
    REFUTES = "it refutes the claim"
    NO_RESULT = "it has no result, so there is nothing to average, to count or to choose by"
    COMPARED = "where one faults, its image, or the other game, must fault too"
    AS_ASKED = "as in the claim that is asked of the deals"


PARTS: Mapping[str, Part] = {
    "invariant": Part.SAME_POSITION,
    "reachable": Part.SAME_POSITION,
    "unreachable": Part.SAME_POSITION,
    "never_falls": Part.SAME_POSITION,
    "best": Part.SAME_POSITION,
    "never_hopeless": Part.SAME_POSITION,
    "count": Part.SAME_POSITION,
    "winnable": Part.SAME_POSITION,
    "knowable": Part.SAME_POSITION,
    "never_stuck": Part.A_PLY,
    "terminates": Part.A_PLY,
    "endless": Part.A_PLY,
    "never_faults": Part.REFUTES,
    "value": Part.NO_RESULT,
    "expected": Part.NO_RESULT,
    "estimate": Part.NO_RESULT,
    "symmetry": Part.COMPARED,
    "equivalent": Part.COMPARED,
    "share_of_deals": Part.AS_ASKED,
    "every_deal": Part.AS_ASKED,
}
"""The role by kind of claim. A count of plays includes it, and its actions include the one that faults."""

NO_POSITION = "the setup can end with a value that does not fit its place, and so in no position of the game"
"""The reason why positions are not counted."""


def objection(kind: str, states: States) -> str:
    """The reason why plays that fault leave a claim of a kind undecided, or empty; for all states."""
    part = PARTS[kind]
    if part is Part.NO_RESULT and any(states.scan(BuiltinQuestion.FAULTED)):
        return NO_RESULT
    if part is Part.SAME_POSITION and any(states.scan(BuiltinQuestion.FAULTED, 0, states.counts[0])):
        return NO_POSITION
    return ""
