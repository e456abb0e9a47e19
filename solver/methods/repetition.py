"""Plays that come back to a position they have left, for claims about whether plays end."""

from __future__ import annotations

from solver.evidence.problem import Answer, Case, undecided
from solver.evidence.replay import shown_by

from .sampling import coming_back

UNSEEN = "Whether some play goes on for ever was not decided: none was seen to come back."
UNMEASURED = "Whether every play ends was not decided: from some position the measure need not fall."


def recurring(case: Case) -> Answer:
    """The answer of a play that comes back on itself; undecided if none was seen."""
    found = coming_back(case)
    if found is None:
        return undecided(UNSEEN if case.prop.negated else UNMEASURED)
    return shown_by(case, found[0], "interpreter", repeats=found[1])
