"""What is shown again from a certificate, with no engine but for what it leaves out."""

from __future__ import annotations

from dataclasses import replace

from rulespec.core.verdicts import BOUNDED, UNDECIDED, Evidence, Verdict
from solver.certify import CertificateStore, Refused, ReplayingEngine, TooLarge
from solver.certify.exports import Witness
from solver.engines import Engine, NoEngine, choose
from solver.explore.states import NoValue
from solver.explore.strategies import Unsound

from . import game_value
from .checks import Check, compared, unchecked
from .engine_rules import by_evidence
from .problem import Answer, Case


def by_certificate(
    case: Case, shelf: CertificateStore | None, evidence: Evidence, witness: Witness | None
) -> tuple[Answer | None, str]:
    """The answer to a case by the certificate that evidence names, and in words what was checked.

    None where the budget does not suffice, or no engine is there for what was left out. The `witness` is
    told of each proof and each no. Refused if the certificate does not show what it should.
    """
    if shelf is None:
        raise Refused("its certificate is missing")
    certificate, engine = (
        shelf.read(evidence.data["certificate"]),
        _installed(case.budget.memory),
    )
    replay = ReplayingEngine(certificate, engine, witness.proof if witness else None)
    try:
        answer = by_evidence(replace(case, oracle=witness.over(replay) if witness else replay), evidence)
    except TooLarge:
        return None, ""
    except (AssertionError, StopIteration):  # the interpreter, or what was unrolled, says otherwise
        raise Refused("its certificate says yes to what cannot be") from None
    if case.budget.exhausted:
        return None, ""
    replay.finish()
    if answer is None or answer.outcome == UNDECIDED:
        raise Refused("its certificate does not settle the claim")
    if any(proof.play is not None for proof in answer.proofs):
        raise Refused("its certificate says yes where no play is shown")
    return answer, replay.told()


def by_worth(case: Case, verdict: Verdict, evidence: Evidence, shelf: CertificateStore | None) -> Check:
    """Whether best play comes to what a verdict says, by the strategies of its certificate or a search."""
    low, high = (evidence.data.get(key) for key in ("at_least", "at_most"))
    if not isinstance(low, int) or not isinstance(high, int):
        return Check(verdict, False, "its bounds are damaged")
    try:
        if "certificate" in evidence.data:
            if shelf is None:
                raise Refused("its certificate is missing")
            listed = shelf.strategies(evidence.data["certificate"]).listed
            found = game_value.best_play(case).held_against([(s.side, s.bound, s.choices) for s in listed])
            how = found.how
            if found.span[0] < low or found.span[1] > high:
                raise Refused("its certificate shows less than it says")
        else:
            found = game_value.best_play(case).bounds()
            how = f"searched again by {found.engine}"
    except Refused as why:
        return Check(verdict, False, str(why))
    except Unsound as why:
        return Check(verdict, False, f"a strategy of its certificate does not show it: {why}")
    except NoValue as why:
        return unchecked(verdict, str(why))
    if verdict.outcome == BOUNDED:
        (least, most), found = found.span, replace(found, bounds=[(low, high)])
        if least > high or most < low:
            return Check(verdict, False, f"checked again it lies between {least} and {most}")
        if least < low or most > high:
            return unchecked(verdict, how)
    return compared(verdict, game_value.answer(case, found), how, exact=True)


def _installed(memory: int) -> Engine | None:
    """The best engine there is, if there is one."""
    try:
        return choose(None, memory)
    except NoEngine:
        return None
