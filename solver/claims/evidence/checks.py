"""Comparison of a stored verdict with an answer that was derived again: evidence, numbers and all words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED, UNDECIDED, Evidence, Verdict

from ..case import Answer, Proof, plies
from ..deciders.by_seats import OF_SEAT
from ..hollow import UNSEEN

AGAIN = "explored again"
UNCHECKED = "it could not be checked with what there is of time and engines"

ASIDE = ("certificate", "kept", "outcomes")
"""What evidence may say besides: where its certificate is, how many positions stood for the others, and how
many outcomes of actions were followed."""

OF_THE_GOAL = ("bound", "uncounted")
"""What evidence of a best value says of the goal that is out of reach; see `again.beyond_reach`."""


@dataclass(frozen=True)
class Check:
    """The result of checking one verdict.

    `passed` is None if there is nothing to check (an undecided verdict) or the budget did not suffice. `text`
    says what was done or what is wrong. `stale` is True if the rules or the claim have changed since.
    `found` is the answer that was derived again, with its words. `rests_on` names claims that helped with the
    check and that the evidence does not name.
    """

    verdict: Verdict
    passed: bool | None
    text: str
    stale: bool = False
    found: Answer | None = None
    rests_on: tuple[str, ...] = ()


def compared(verdict: Verdict, answer: Answer | None, how: str) -> Check:
    """The check of a verdict by an answer: outcome, numbers and evidence must agree. `how` is its method."""
    if answer is None or weaker(answer, verdict):
        return unchecked(verdict, how)
    if verdict.outcome == answer.outcome == BOUNDED and not how.startswith(AGAIN):
        return as_far(verdict, answer, how)
    if _says_more(answer, verdict):
        return Check(verdict, None, f"more is shown by now, prove it again: {answer.statement}")
    if answer.outcome != verdict.outcome or dict(answer.numbers) != dict(verdict.numbers):
        same = answer if answer.outcome == verdict.outcome else None
        return Check(verdict, False, f"checked again it is {answer.outcome}: {answer.statement}", found=same)
    found, helped = _parted(answer.proofs)
    said, named = _parted(verdict.evidence)
    if found != said or any(helper not in named for helper in helped):
        kinds = ", ".join(dict.fromkeys(kind for kind, _ in [*found, *helped]))
        return Check(verdict, False, f"its evidence is not what was found again ({kinds})", found=answer)
    return Check(verdict, True, how, found=answer)


def _says_more(answer: Answer, verdict: Verdict) -> bool:
    """True if an answer settles a claim, and a verdict that holds as far as some depth may be right all the
    same: nothing speaks against the claim, or only a play that is longer."""
    settled, depth = answer.outcome in (PROVED, REFUTED), verdict.numbers.get("plies")
    if verdict.outcome != BOUNDED or not settled or depth is None:
        return False
    found = any(proof.play is not None for proof in answer.proofs)
    return not found or answer.numbers.get("plies", 0) > depth


def _parted(evidence: Sequence[Evidence | Proof]) -> tuple[list[Any], list[Any]]:
    """What evidence says apart from its plays, which are replayed, and the claims that helped.

    To need fewer of these than are named is no fault.
    """
    listed = [(e.kind, _plain(e.data)) for e in evidence if e.kind != "play"]
    return [one for one in listed if one[0] != "helper"], [one for one in listed if one[0] == "helper"]


def weaker(answer: Answer, verdict: Verdict) -> bool:
    """Whether less was shown again than is said."""
    if answer.outcome == UNDECIDED:
        return verdict.outcome != UNDECIDED
    return answer.outcome == BOUNDED and verdict.outcome in (PROVED, REFUTED)


def unchecked(verdict: Verdict, how: str) -> Check:
    """Neither yes nor no; `how` says how far it came, if it says anything."""
    return Check(verdict, None, f"{UNCHECKED} ({how})" if how else UNCHECKED)


def alike(answer: Answer, evidence: Evidence) -> bool:
    """Whether an answer rests on what evidence says, but for the goal that it is said of."""
    data = {key: value for key, value in evidence.data.items() if key not in OF_THE_GOAL}
    return any(_plain(proof.data) == _plain(data) for proof in answer.proofs)


def _plain(data: Mapping[str, Any]) -> Any:
    """Data as it is stored."""
    return json.loads(json.dumps({key: value for key, value in data.items() if key not in ASIDE}))


def as_far(verdict: Verdict, answer: Answer, how: str) -> Check:
    """The check of a verdict that is bounded in depth, by an answer that may reach another depth."""
    stored, reached = verdict.numbers.get("plies"), answer.numbers.get("plies")
    if dict(answer.numbers) == dict(verdict.numbers):
        return Check(verdict, True, how, found=answer)
    if stored is not None and reached is not None and reached > stored:
        return Check(verdict, True, f"{how}, and further", found=_at_depth(answer, reached, stored))
    return Check(verdict, None, f"the time there was sufficed for this: {answer.statement}")


def _at_depth(answer: Answer, reached: int, stored: int) -> Answer:
    """The answer for depth `stored`, from an answer that holds up to the greater depth `reached`."""

    def changed(text: str) -> str:
        return text.replace(f" {plies(reached)}", f" {plies(stored)}")

    proofs = tuple(
        replace(p, text=changed(p.text), data={**p.data, "plies": stored} if "plies" in p.data else p.data)
        for p in answer.proofs
    )
    return replace(answer, statement=changed(answer.statement), proofs=proofs, numbers={"plies": stored})


# ---- words


def in_words(check: Check) -> Check:
    """A check that passed, failed if the words of the verdict differ from those of the derived answer.

    Compared are the statement, the text of each piece of evidence and the notes. Other checks are unchanged.
    """
    verdict, found = check.verdict, check.found
    if check.passed is not True:
        return check
    if found is None:
        return unchecked(verdict, "its words were not found again")
    if (verdict.outcome, dict(verdict.numbers)) != (found.outcome, dict(found.numbers)):
        return _otherwise(check, str(dict(verdict.numbers)), f"{found.outcome} {dict(found.numbers)}")
    if verdict.statement != found.statement and not _names_more(verdict, found):
        return _otherwise(check, verdict.statement, found.statement)
    pieces, again = _pieces(verdict.evidence), _pieces(found.proofs)
    for one, other in zip(pieces, again, strict=False):
        if one.text != other.text:
            return _otherwise(check, one.text, other.text)
    of_seats = [{key: p.data[key] for key in OF_SEAT} for p in found.proofs if "seat" in p.data]
    if pieces != again or not all(_is_helper(e, of_seats) for e in verdict.evidence if e.kind == "helper"):
        return replace(check, passed=False, text="its evidence is told otherwise than it was found again")
    if tuple(found.notes) == (UNSEEN,) and not verdict.notes:  # the number of plays tried depends on the time
        return replace(check, text=f"{check.text}; what it presupposes was met in no random play tried here")
    if tuple(verdict.notes) != tuple(found.notes) and tuple(verdict.notes) != (*found.notes, UNSEEN):
        stored, text = ("; ".join(notes) or "no note" for notes in (verdict.notes, found.notes))
        return _otherwise(check, stored, text)
    return check


GIVEN = re.compile(r", given (`[\w-]+`(?:, `[\w-]+`)*)")
"""The part of a statement that names the claims that were assumed."""


def _names_more(verdict: Verdict, found: Answer) -> bool:
    """True if the statements differ only in that the verdict names more claims as assumed.

    A proof from fewer assumptions is stronger. The named claims must be those of the evidence, whose verdicts
    are checked.
    """
    if GIVEN.sub("", verdict.statement) != GIVEN.sub("", found.statement):
        return False
    named = re.findall(r"`([\w-]+)`", " ".join(GIVEN.findall(verdict.statement)))
    return set(named) <= _helpers(verdict.evidence) and _helpers(found.proofs) <= set(named)


def _otherwise(check: Check, stored: str, found: str) -> Check:
    return replace(check, passed=False, text=f"it says: {stored} Found again: {found}")


def _helpers(evidence: Sequence[Evidence | Proof]) -> set[str]:
    return {str(e.data.get("claim")) for e in evidence if e.kind == "helper"}


class _Piece(NamedTuple):
    """A piece of evidence without the digest of its play."""

    text: str
    kind: str
    data: str


def _pieces(evidence: Sequence[Evidence | Proof]) -> list[_Piece]:
    """The pieces of evidence in a fixed order, without the claims that helped."""
    return sorted(_Piece(e.text, e.kind, _line(e.data)) for e in evidence if e.kind != "helper")


def _line(data: Mapping[str, Any]) -> str:
    return json.dumps(_plain({key: value for key, value in data.items() if key != "record"}), sort_keys=True)


def _is_helper(evidence: Evidence, of_seats: Sequence[Mapping[str, Any]]) -> bool:
    """True if evidence that another claim helped holds the name of the claim and nothing else.

    `of_seats` are the outcomes for each player if the claim is decided for each; evidence names one.
    """
    claim = evidence.data.get("claim")
    text, of_seat = f"The claim `{claim}` is used.", {key: evidence.data.get(key) for key in OF_SEAT}
    if not of_seats:
        return evidence.text == text and dict(evidence.data) == {"claim": claim}
    text = f"Player {of_seat['seat']}: {text[0].lower()}{text[1:]}"
    return (
        evidence.text == text and dict(evidence.data) == {"claim": claim, **of_seat} and of_seat in of_seats
    )
