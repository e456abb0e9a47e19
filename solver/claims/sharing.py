"""Sharing of verdicts between settings in which everything that a claim depends on is the same."""

from __future__ import annotations

from rulespec.core.verdicts import VALUES, Verdict

from .case import Answer, Proof


def shared(verdict: Verdict, footprint: str) -> Answer:
    """The answer in another setting in which the claim has the same footprint (see `settings.footprint`).

    The verdict must not rest on a play, which need not be legal in the other setting.
    """
    data = {"readings": dict(verdict.readings), "footprint": footprint}
    numbers = {name: x for name, x in verdict.numbers.items() if name in VALUES}
    return Answer(verdict.outcome, (Proof("same", data),), verdict.engine, numbers, verdict.notes)
