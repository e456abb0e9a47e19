"""What is shown again from a certificate, with no engine but for what it leaves out."""

from __future__ import annotations

from dataclasses import replace

from rulespec.core.verdicts import UNDECIDED
from solver.certify import Refused, Replay, Shelf, TooLarge
from solver.engines import Engine, NoEngine, choose

from ..case import Answer, Case
from ..decide import by_formulas
from .witness import Witness


def by_certificate(
    case: Case, shelf: Shelf | None, digest: object, witness: Witness | None
) -> tuple[Answer | None, str]:
    """The answer to a case by the certificate with a digest, and in words what was checked.

    None where the budget does not suffice, or no engine is there for what was left out. The `witness` is
    told of each proof and each no. Refused if the certificate does not show what it should.
    """
    if shelf is None:
        raise Refused("its certificate is missing")
    replay = Replay(shelf.read(digest), _installed(case.budget.memory), witness.proof if witness else None)
    try:
        answer = by_formulas(replace(case, oracle=witness.over(replay) if witness else replay))
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


def _installed(memory: int) -> Engine | None:
    """The best engine there is, if there is one."""
    try:
        return choose(None, memory)
    except NoEngine:
        return None
