"""What was found again held against what a verdict says: it must be all of it, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED, UNDECIDED, Evidence, Verdict

from ..case import Answer, Proof

AGAIN = "explored again"
UNCHECKED = "it could not be checked with what there is of time and engines"

ASIDE = ("certificate", "kept", "outcomes")
"""What evidence may say besides: where its certificate is, how many positions stood for the others, and how
many outcomes of actions were followed."""

OF_THE_GOAL = ("bound", "uncounted")
"""What evidence of a best value says of the goal that is out of reach; see `again.beyond_reach`."""


@dataclass(frozen=True)
class Check:
    """What came of going through one verdict again.

    `passed`: yes, no, or none where there is nothing to check (an undecided verdict) or the budget
    did not suffice. `text` says what was done or what is wrong. `stale`: it is about rules or a claim
    that are not what they were.
    """

    verdict: Verdict
    passed: bool | None
    text: str
    stale: bool = False


def compared(verdict: Verdict, answer: Answer | None, how: str) -> Check:
    """Whether an answer, found in this way, is what a verdict says, with the same evidence."""
    if answer is None or weaker(answer, verdict):
        return unchecked(verdict, how)
    if verdict.outcome == answer.outcome == BOUNDED and not how.startswith(AGAIN):
        return as_far(verdict, answer, how)
    if answer.outcome != verdict.outcome or dict(answer.numbers) != dict(verdict.numbers):
        return Check(verdict, False, f"checked again it is {answer.outcome}: {answer.statement}")
    found, helped = _parted(answer.proofs)
    said, named = _parted(verdict.evidence)
    if found != said or any(helper not in named for helper in helped):
        kinds = ", ".join(dict.fromkeys(kind for kind, _ in [*found, *helped]))
        return Check(verdict, False, f"its evidence is not what was found again ({kinds})")
    return Check(verdict, True, how)


def _parted(evidence: Sequence[Evidence | Proof]) -> tuple[list[Any], list[Any]]:
    """What evidence says apart from its plays, which are replayed, and the claims that helped.

    To need fewer of these than are named is no fault.
    """
    told = [(e.kind, _plain(e.data)) for e in evidence if e.kind != "play"]
    return [one for one in told if one[0] != "helper"], [one for one in told if one[0] == "helper"]


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
    told = {key: value for key, value in evidence.data.items() if key not in OF_THE_GOAL}
    return any(_plain(proof.data) == _plain(told) for proof in answer.proofs)


def _plain(data: Mapping[str, Any]) -> Any:
    """Data as it is stored."""
    return json.loads(json.dumps({key: value for key, value in data.items() if key not in ASIDE}))


def as_far(verdict: Verdict, answer: Answer, how: str) -> Check:
    """Compare what was shown up to some depth with how far it was shown again in the time there was."""
    said, shown = verdict.numbers.get("plies"), answer.numbers.get("plies")
    if dict(answer.numbers) == dict(verdict.numbers):
        return Check(verdict, True, how)
    if said is not None and shown is not None and shown > said:
        return Check(verdict, True, f"{how}, and further")
    return Check(verdict, None, f"the time there was sufficed for this: {answer.statement}")
