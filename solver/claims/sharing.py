"""Sharing of verdicts between settings in which everything that a claim depends on is the same."""

from __future__ import annotations

from rulespec.core.verdicts import VALUES, Verdict

from .case import Answer, Proof


def shared(verdict: Verdict, footprint: str) -> Answer:
    """The answer in another setting in which the claim has the same footprint (see `settings.footprint`).

    Its words do not depend on the method of the verdict. The verdict must not rest on a play, which need not
    be legal in the other setting.
    """
    changed = [f"{ruling}: {reading}" for ruling, reading in verdict.readings.items()]
    under = f"under {', '.join(changed) or 'the defaults'}"
    data = {"readings": dict(verdict.readings), "footprint": footprint}
    proof = Proof("same", f"{under[0].upper()}{under[1:]} all that the claim depends on is the same.", data)
    value = verdict.value_text
    result = f"It is {value}" if value else "It holds" if verdict.holds else "It does not hold"
    numbers = {name: x for name, x in verdict.numbers.items() if name in VALUES}
    return Answer(verdict.outcome, f"{result}, as {under}.", (proof,), verdict.engine, numbers, verdict.notes)
