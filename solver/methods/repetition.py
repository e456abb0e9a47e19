"""Plays that come back to a position they have left, for claims about whether plays end."""

from __future__ import annotations

from rulespec.core.types import Int
from solver.evidence import ranking
from solver.evidence.problem import Answer, Case, undecided
from solver.evidence.replay import shown_by

from .sampling import coming_back


def terminates(case: Case) -> Answer | None:
    """The answer of the claim's measure; where it need not fall, of a play that comes back on itself."""
    if not isinstance(case.condition.type, Int):
        return None
    statement = "Whether every play ends was not decided: from some position the measure need not fall."
    return ranking.terminates(case) or _recurring(case) or undecided(statement)


def endless(case: Case) -> Answer:
    """The answer of a play that comes back on itself."""
    statement = "Whether some play goes on for ever was not decided: none was seen to come back."
    return _recurring(case) or undecided(statement)


def _recurring(case: Case) -> Answer | None:
    found = coming_back(case)
    return None if found is None else shown_by(case, found[0], "interpreter", repeats=found[1])
