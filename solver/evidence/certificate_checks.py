"""Checks by certificates, with an engine only for questions that a certificate leaves out."""

from __future__ import annotations

from dataclasses import replace

from rulespec.core.verdicts import UNDECIDED, Evidence
from rulespec.solver.certify import BadEvidence, CertificateStore, ReplayingEngine, TooLarge
from rulespec.solver.certify.exports import Witness
from rulespec.solver.engines import Engine, NoEngine, choose

from .engine_rules import by_evidence
from .problem import Answer, Case


def by_certificate(
    case: Case, shelf: CertificateStore | None, evidence: Evidence, witness: Witness | None
) -> tuple[Answer | None, str]:
    """The answer that the certificate named by evidence gives to a case, and the checks made, in words.

    None if the budget is too small, or no engine is installed for questions that it leaves out. The `witness`
    receives each proof and each no. Raises BadEvidence if the certificate does not prove what it should.
    """
    if shelf is None:
        raise BadEvidence("its certificate is missing")
    certificate, engine = shelf.read(evidence.data["certificate"]), _best_engine(case.budget.memory)
    replay = ReplayingEngine(certificate, engine, witness.proof if witness else None)
    try:
        answer = by_evidence(replace(case, oracle=witness.over(replay) if witness else replay), evidence)
    except TooLarge:
        return None, ""
    except (AssertionError, StopIteration):  # the interpreter, or what was unrolled, says otherwise
        raise BadEvidence("its certificate says yes to what cannot be") from None
    if case.budget.exceeded_limit:
        return None, ""
    replay.finish()
    if answer is None or answer.outcome == UNDECIDED:
        raise BadEvidence("its certificate does not settle the claim")
    if any(proof.play is not None for proof in answer.proofs):
        raise BadEvidence("its certificate says yes where no play is shown")
    return answer, replay.description()


def _best_engine(memory: int) -> Engine | None:
    """The best installed engine; None if there is none."""
    try:
        return choose(None, memory, refutes=True)
    except NoEngine:
        return None
