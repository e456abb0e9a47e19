"""One proof for all readings of some rulings, asked of the game that leaves these rulings open.

Theorem. The setup of that game draws a reading of each ruling left open, then does what it does under these
readings, and no effect changes what was drawn. So its plays are the plays under all of these readings, and if
none of them decides a claim, no play under any of them does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulespec.core.game import Claim
from rulespec.core.verdicts import Evidence, Verdict
from rulespec.core.verdicts.properties import Form, Over, property_of
from rulespec.solver.certify import BadEvidence

from .problem import Answer, Proof

KIND = "covered"
FORMS = (Form.ALWAYS, Form.REACHABLE, Form.ENDS)
OVER = (Over.POSITIONS, Over.REMEMBERED)
ARGUMENTS = {"induction", "refutation"}
"""The kinds of evidence that may be about all readings: their numbers are bounds, which hold under each."""


def may_cover(claim: Claim) -> bool:
    """True if a claim is decided for all readings when no play from the setup decides it otherwise."""
    stated = property_of(claim)
    return stated.over in OVER and stated.form in FORMS and "from" not in claim.options


def under_each(claim: Claim, left_open: Sequence[str], shown: Answer) -> Answer | None:
    """The answer under each reading of the rulings left open; None if the answer for all is of a play."""
    kinds = {proof.kind for proof in shown.proofs}
    if shown.outcome != property_of(claim).without_play or not kinds or not kinds <= ARGUMENTS:
        return None
    proofs = (Proof(KIND, {"open": [*left_open]}), *shown.proofs)
    return replace(shown, proofs=proofs, notes=(), remarks=())


def verdict_under_each(claim: Claim, left_open: Sequence[str], verdict: Verdict) -> Answer | None:
    """The answer under each reading, from a verdict on the game that leaves rulings open."""
    proofs = tuple(Proof(evidence.kind, evidence.data) for evidence in verdict.evidence)
    return under_each(claim, left_open, Answer(verdict.outcome, proofs, verdict.engine, verdict.numbers))


def rulings_left_open(listed: Sequence[Evidence]) -> list[str]:
    """The rulings that evidence leaves open, none if it is about one game. Raises BadEvidence."""
    found = [evidence.data.get("open") for evidence in listed if evidence.kind == KIND]
    if not found:
        return []
    names = found[0]
    if len(found) > 1 or not isinstance(names, list) or not names or len({*names}) < len(names):
        raise BadEvidence("it does not say once which rulings it leaves open")
    return names
