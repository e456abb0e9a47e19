"""Comparison of a stored verdict with an answer that was derived again: outcome, numbers and evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED, UNDECIDED, Evidence, Verdict
from rulespec.core.wording import believed

from .problem import Answer, Proof
from .seats import OF_SEAT

UNCHECKED = "it could not be checked with what there is of time and engines"

ASIDE = ("certificate", "kept", "outcomes")
"""What evidence may say besides: where its certificate is, how many positions stood for the others, and how
many outcomes of actions were followed."""

OF_THE_GOAL = ("bound",)
"""The keys in evidence of a best value about the goal that is out of reach; see `optimum.beyond`."""


@dataclass(frozen=True)
class Check:
    """The result of checking one verdict.

    `passed` is None if there is nothing to check (an undecided verdict) or the budget did not suffice. `text`
    says what was done or what is wrong. `stale` is True if the rules or the claim have changed since.
    `found` is the answer that was derived again. `rests_on` names claims that helped with the check and that
    the evidence does not name.
    """

    verdict: Verdict
    passed: bool | None
    text: str
    stale: bool = False
    found: Answer | None = None
    rests_on: tuple[str, ...] = ()


def compared(verdict: Verdict, answer: Answer | None, how: str, *, exact: bool = False) -> Check:
    """The check of a verdict by an answer: outcome and numbers must agree; see also `complete`.

    `how` is its method. Unless `exact`, a bounded answer may reach less deep for want of time.
    """
    if answer is None or weaker(answer, verdict):
        return unchecked(verdict, how)
    same = (answer.outcome, dict(answer.numbers)) == (verdict.outcome, dict(verdict.numbers))
    if verdict.outcome == answer.outcome == BOUNDED and not (same or exact):
        return Check(verdict, None, f"the time there was sufficed for this: {_said(verdict, answer)}")
    if _says_more(answer, verdict):
        return Check(verdict, None, f"more is shown by now, prove it again: {_said(verdict, answer)}")
    if not same:
        alike = answer if answer.outcome == verdict.outcome else None
        words = f"checked again it is {answer.outcome}: {_said(verdict, answer)}"
        return Check(verdict, False, words, found=alike)
    return Check(verdict, True, "; ".join(filter(None, [how, believed(verdict)])), found=answer)


def _says_more(answer: Answer, verdict: Verdict) -> bool:
    """True if an answer settles a claim, and a verdict with a bound may be right all the same.

    Of a bounded depth nothing speaks against the claim, or only a play that is longer; of bounds on a value
    it lies between them.
    """
    settled, depth = answer.outcome in (PROVED, REFUTED), verdict.numbers.get("plies")
    if verdict.outcome != BOUNDED or not settled:
        return False
    if (value := answer.numbers.get("value")) is not None:
        low, high = (verdict.numbers.get(side, value) for side in ("at_least", "at_most"))
        return low <= value <= high
    if depth is None:
        return False
    found = any(proof.play is not None for proof in answer.proofs)
    return not found or answer.numbers.get("plies", 0) > depth


def weaker(answer: Answer, verdict: Verdict) -> bool:
    """True if less was shown again than is said."""
    if answer.outcome == UNDECIDED:
        return verdict.outcome != UNDECIDED
    return answer.outcome == BOUNDED and verdict.outcome in (PROVED, REFUTED)


def unchecked(verdict: Verdict, how: str) -> Check:
    """Neither yes nor no; `how` says how far it came, if it says anything."""
    return Check(verdict, None, f"{UNCHECKED} ({how})" if how else UNCHECKED)


def alike(answer: Answer, evidence: Evidence) -> bool:
    """True if an answer rests on what evidence says, but for the goal that it is said of."""
    data = {key: value for key, value in evidence.data.items() if key not in OF_THE_GOAL}
    return any(_plain(proof.data) == _plain(data) for proof in answer.proofs)


def _plain(data: Mapping[str, Any]) -> Any:
    """Data as it is stored."""
    return json.loads(json.dumps({key: value for key, value in data.items() if key not in ASIDE}))


def _said(verdict: Verdict, answer: Answer) -> str:
    """The sentence for an answer in the place of a verdict."""
    evidence = tuple(Evidence(p.kind, p.data) for p in answer.proofs)
    instead = replace(
        verdict, outcome=answer.outcome, numbers=answer.numbers, evidence=evidence, remarks=answer.remarks
    )
    return instead.statement


# ---- the whole verdict


def complete(check: Check) -> Check:
    """A check that passed, failed if the verdict says other things than the answer that was derived again.

    Compared are the outcome, the numbers, the notes and each piece of evidence, the claims that helped apart.
    """
    verdict, found = check.verdict, check.found
    if check.passed is not True:
        return check
    if found is None:
        return unchecked(verdict, "its answer was not derived again")
    if (verdict.outcome, dict(verdict.numbers)) != (found.outcome, dict(found.numbers)):
        return _otherwise(check, str(dict(verdict.numbers)), f"{found.outcome} {dict(found.numbers)}")
    of_seats = [{key: p.data[key] for key in OF_SEAT} for p in found.proofs if "seat" in p.data]
    helpers = [e for e in verdict.evidence if e.kind == "helper"]
    named, needed = _helpers(verdict.evidence), _helpers(found.proofs)
    named_well = needed <= named and all(_is_helper(e, of_seats) for e in helpers)
    if _pieces(verdict.evidence) != _pieces(found.proofs) or not named_well:
        return replace(check, passed=False, text="its evidence is not what was found again")
    if tuple(verdict.notes) != tuple(found.notes):
        return _otherwise(check, *(", ".join(notes) or "no note" for notes in (verdict.notes, found.notes)))
    return check


def _otherwise(check: Check, stored: str, found: str) -> Check:
    return replace(check, passed=False, text=f"it says: {stored}. Found again: {found}")


def _pieces(evidence: Sequence[Evidence | Proof]) -> list[tuple[str, str]]:
    """The pieces of evidence in a fixed order, without the claims that helped and the digests of plays."""
    return sorted((e.kind, _line(e.data)) for e in evidence if e.kind != "helper")


def _helpers(evidence: Sequence[Evidence | Proof]) -> set[str]:
    return {str(e.data.get("claim")) for e in evidence if e.kind == "helper"}


def _line(data: Mapping[str, Any]) -> str:
    return json.dumps(_plain({key: value for key, value in data.items() if key != "record"}), sort_keys=True)


def _is_helper(evidence: Evidence, of_seats: Sequence[Mapping[str, Any]]) -> bool:
    """True if evidence that another claim helped holds the name of the claim and nothing else.

    `of_seats` are the outcomes for each player if the claim is decided for each; evidence names one.
    """
    of_seat = {key: evidence.data.get(key) for key in OF_SEAT} if of_seats else {}
    named = {"claim": evidence.data.get("claim"), **of_seat}
    return dict(evidence.data) == named and (not of_seats or of_seat in of_seats)
