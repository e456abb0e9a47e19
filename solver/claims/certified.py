"""What is shown again from a certificate, with no engine but for what it leaves out."""

from __future__ import annotations

from dataclasses import replace

from rulespec.core.verdicts import UNDECIDED
from solver.certify import Refused, Replay, Shelf, TooLarge
from solver.certify.replay import Proved
from solver.engines import Engine, NoEngine, choose

from .case import Answer, Case
from .decide import by_formulas


def by_certificate(
    case: Case, shelf: Shelf | None, digest: object, proved: Proved | None = None
) -> tuple[Answer | None, str]:
    """The answer to a case by the certificate with a digest, and in words what was checked.

    None where the budget does not suffice, or no engine is there for what was left out. `proved` is told of
    each proof. Refused if the certificate does not show what it should.
    """
    if shelf is None:
        raise Refused("its certificate is missing")
    replay = Replay(shelf.read(digest), _installed(), proved)
    try:
        answer = by_formulas(replace(case, oracle=replay))
    except TooLarge:
        return None, ""
    except (AssertionError, StopIteration):  # the interpreter, or what was unrolled, says otherwise
        raise Refused("its certificate says yes to what cannot be") from None
    if case.budget.exhausted or answer is None:
        return None, ""
    replay.finish()
    if answer.outcome == UNDECIDED:
        raise Refused("its certificate does not settle the claim")
    if any(proof.play is not None for proof in answer.proofs):
        raise Refused("its certificate says yes where no play is shown")
    return answer, replay.told()


def _installed() -> Engine | None:
    """The best engine there is, if there is one."""
    try:
        return choose()
    except NoEngine:
        return None
