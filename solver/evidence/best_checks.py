"""Rechecking of verdicts on a best value: a play reaches it, and nothing better can be reached."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from rulespec.core.game import Claim, Game
from rulespec.core.lemmas import helpers_of
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED, Evidence, Store, Verdict
from rulespec.play.plays import Play
from solver.certify import Refused
from solver.explore.state_space import EASY_POSITIONS, MOST_POSITIONS, Limits

from . import explorers, linear_combination
from .again import Unfounded, asked_again, beyond_reach, bounds, deal_of
from .checks import AGAIN, Check, alike, compared, unchecked
from .optimum import Scale, between, optimum
from .problem import Answer, Case, Proof, helper_proofs


class Run(Protocol):
    """The part of the judge that a check needs."""

    store: Store

    @property
    def seconds(self) -> float: ...

    def case(self, game: Game, claim: Claim, chance: tuple[str, ...] | None = None) -> Case: ...

    def play_of(self, evidence: Evidence) -> Play | None: ...

    def by_formulas(self, verdict: Verdict, case: Case, evidence: Evidence) -> tuple[Answer | None, str]: ...


def check(run: Run, game: Game, claim: Claim, verdict: Verdict) -> Check:
    """Check a verdict on the best, whose play was replayed: prove again that nothing better is possible."""
    played = [e for e in verdict.evidence if e.kind == "play"]
    reached = ("value", "at_least" if claim.options["sense"] == "most" else "at_most")
    if not played and not verdict.numbers.keys().isdisjoint(reached):
        return Check(verdict, False, "no play shows that what it says can be reached")
    asked = asked_again(run.case(game, claim, deal_of(verdict)), verdict, run.store)
    ruled_out, others = bounds(verdict), [e for e in verdict.evidence if e.kind != "helper"]
    if len(ruled_out) > 1 or len(played) > 1 or len(others) != len(ruled_out) + len(played):
        return Check(verdict, False, "a play and one bound show it, and nothing else")
    try:
        case = beyond_reach(asked, verdict)
    except Unfounded as why:
        return Check(verdict, False, str(why))
    if case is None:
        more = "; of anything better it says nothing" if verdict.outcome == BOUNDED else ""
        return _compared(run, asked, verdict, None, f"replayed by the interpreter{more}")
    bound = int(ruled_out[0].data["bound"])
    if ruled_out[0].kind == linear_combination.KIND:
        problem = linear_combination.objection(asked, ruled_out[0].data)
        if problem:
            return Check(verdict, False, problem)
        shown = Proof(linear_combination.KIND, ruled_out[0].data)
        return _compared(run, asked, verdict, shown, "the claims that it rests on were added up again")
    try:
        answer, how = _out_of_reach(run, verdict, case, ruled_out[0])
    except Refused as why:
        return Check(verdict, False, str(why))
    if answer is None or answer.outcome not in (PROVED, REFUTED):
        check = unchecked(verdict, how)
        side = f"{'its play was replayed; ' if played else ''}that {bound} is out of reach"
        return replace(check, text=f"{side}: {check.text}")
    if answer.outcome == REFUTED:
        return Check(verdict, False, f"{bound} can be reached")
    if ruled_out[0].kind == "exploration" and not alike(answer, ruled_out[0]):
        return Check(verdict, False, "the positions are not those that were counted")
    shown = Proof(ruled_out[0].kind, ruled_out[0].data)
    return _compared(run, asked, verdict, shown, f"that {bound} is out of reach: {how}")


def _out_of_reach(run: Run, verdict: Verdict, case: Case, evidence: Evidence) -> tuple[Answer | None, str]:
    """The answer to whether a value within the bound is reachable, and its method. Raises Refused."""
    if evidence.kind != "exploration":
        return run.by_formulas(verdict, case, evidence)
    many = sum(evidence.data.get("counts", ())) > EASY_POSITIONS
    answer = explorers.search(case, Limits(run.seconds, MOST_POSITIONS, compiled=many))
    return answer, f"shown again, with {answer.engine}" if answer is not None else ""


def _compared(run: Run, case: Case, verdict: Verdict, shown: Proof | None, how: str) -> Check:
    """Compare a verdict on the best with the answer from its play and `shown`, the proof of its bound."""
    scale, numbers = Scale.of(case), verdict.numbers
    assert scale is not None
    proofs = [*([shown] if shown is not None else ()), *helper_proofs(case, helpers_of(verdict))]
    play = next((run.play_of(e) for e in verdict.evidence if e.kind == "play"), None)
    if verdict.outcome == REFUTED:
        return compared(verdict, Answer(REFUTED, tuple(proofs), verdict.engine), how)
    if verdict.outcome == PROVED and play is not None:
        rank = scale.rank(numbers.get("value", scale.low))
        return compared(verdict, optimum(case, scale, rank, play, proofs, verdict.engine), how)
    low, high = ("at_least", "at_most") if scale.most else ("at_most", "at_least")
    beyond = scale.rank(numbers[high]) if high in numbers else 0
    reached = (scale.rank(numbers[low]), play) if low in numbers and play is not None else None
    return compared(
        verdict, between(case, scale, beyond, reached, proofs, "", verdict.engine), f"{AGAIN}: {how}"
    )


def of_bounds(verdict: Verdict) -> bool:
    """True if the evidence of a verdict on the best consists of plays and proofs of bounds."""
    shown = [e for e in verdict.evidence if e.kind not in ("play", "helper")]
    return bool(verdict.evidence) and (not shown or any("bound" in e.data for e in shown))
