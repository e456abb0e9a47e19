"""Numbers and evidence with which an answer has the form of its kind of claim."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulespec.core.verdicts import Evidence, InvalidAnswer, Verdict
from rulespec.core.verdicts.properties import PROPERTIES


def numbers_of(kind: str, outcome: str) -> dict[str, int]:
    """The numbers, each of them 1, of an answer of the first form that the kind and the outcome have."""
    names, *_ = PROPERTIES[kind].answers.get(outcome, ("",))
    return dict.fromkeys(names.split(), 1)


def wins(players: int) -> tuple[Evidence, ...]:
    """Evidence that each of so many players can win."""
    return tuple(
        Evidence("play", {"seat": seat, "outcome": "proved", "numbers": {"plies": 1}})
        for seat in range(1, players + 1)
    )


def forged(verdict: Verdict, **changes: Any) -> Verdict | None:
    """A changed verdict; None if it has the form of no answer, so that nobody can make it."""
    try:
        return replace(verdict, **changes)
    except InvalidAnswer:
        return None
