"""Verdicts that hold under another setting, too, for all that the claim depends on is the same there."""

from __future__ import annotations

from rulespec.core.verdicts import VALUES, Verdict

from .case import Answer, Proof


def shared(verdict: Verdict, footprint: str) -> Answer:
    """The answer in another setting with the same footprint of the claim (see `settings.footprint`).

    Its words do not depend on how the verdict was reached, which must not be by a play: that need not be
    legal there.
    """
    changed = [f"{ruling}: {reading}" for ruling, reading in verdict.readings.items()]
    under = f"under {', '.join(changed) or 'the defaults'}"
    data = {"readings": dict(verdict.readings), "footprint": footprint}
    proof = Proof("same", f"{under[0].upper()}{under[1:]} all that the claim depends on is the same.", data)
    value = verdict.value_text
    said = f"It is {value}" if value else "It holds" if verdict.holds else "It does not hold"
    numbers = {name: x for name, x in verdict.numbers.items() if name in VALUES}
    return Answer(verdict.outcome, f"{said}, as {under}.", (proof,), verdict.engine, numbers, verdict.notes)
