"""The check of a stored verdict: it passes if it equals the answer that the judge derives from its
evidence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rulespec.core.verdicts import UNDECIDED, Evidence, Store, Verdict
from rulespec.core.verdicts.answer_form import InvalidAnswer
from rulespec.core.verdicts.packed_answers import unpack
from rulespec.core.verdicts.wording import unchecked_reading

from .problem import Answer

UNCHECKED = "it could not be checked with what there is of time and engines"

ASIDE = ("certificate",)
"""The entry of evidence that only refers to more evidence; the contents are compared, not the reference."""


@dataclass(frozen=True)
class Judgement:
    """The answer that evidence proves, and how the judge found it.

    `answer` is None if the budget or the engines did not suffice; `how` then describes the progress, if any.
    `rests_on` names helping claims that the evidence does not name.
    """

    answer: Answer | None
    how: str = ""
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Check:
    """The result of checking one verdict.

    `passed` is None if there is nothing to check (an undecided verdict) or the budget did not suffice. `text`
    says what was done or what is wrong. `stale` is True if the rules or the claim have changed since.
    `rests_on` names claims that helped with the check and that the evidence does not name. `is_shown` is True
    if the evidence proves the verdict, regardless of the claims that it rests on. `seconds` is the duration
    of the check, if measured.
    """

    verdict: Verdict
    passed: bool | None
    text: str
    stale: bool = False
    rests_on: tuple[str, ...] = ()
    is_shown: bool = False
    seconds: float = field(default=0.0, compare=False)


Noting = Callable[[Answer], Answer]
"""Adds notes to an answer about what it leaves open."""


def compare_answer(verdict: Verdict, shown: Judgement, noting: Noting = lambda answer: answer) -> Check:
    """Check a verdict: it passes if outcome, numbers, evidence and notes equal those of the answer that its
    evidence proves.

    AssertionError, a defect of the judge, if no claim can have that answer.
    """
    answer = shown.answer
    if answer is None or answer.outcome == UNDECIDED:
        return Check(verdict, None, f"{UNCHECKED} ({shown.how})" if shown.how else UNCHECKED)
    problem = _difference(verdict, answer)
    if not problem:
        answer = noting(answer)
        if tuple(verdict.notes) != tuple(answer.notes):
            stored, found = (", ".join(notes) or "no note" for notes in (verdict.notes, answer.notes))
            problem = f"it says: {stored}. Its evidence shows: {found}"
    if problem:
        return Check(verdict, False, problem, rests_on=shown.rests_on)
    text = "; ".join(filter(None, [shown.how, unchecked_reading(verdict)]))
    return Check(verdict, True, text, rests_on=shown.rests_on, is_shown=True)


def _difference(verdict: Verdict, answer: Answer) -> str:
    """The difference between a verdict and an answer, except notes; empty if there is none."""
    if (verdict.outcome, dict(verdict.numbers)) != (answer.outcome, dict(answer.numbers)):
        return f"its evidence shows that it is {answer.outcome}: {_sentence(verdict, answer)}"
    if _pieces(verdict.evidence) != _pieces(_as_stored(answer)):
        return "its evidence is not what was found again"
    return ""


def _as_stored(answer: Answer) -> Iterable[Evidence]:
    """The evidence of an answer in the form of a store."""
    plays = Store()
    for proof in answer.proofs:
        record = {} if proof.play is None else {"record": plays.keep(proof.play.to_data())}
        yield Evidence(proof.kind, {**proof.data, **record})


def _pieces(evidence: Iterable[Evidence]) -> list[tuple[str, str]]:
    """The pieces of evidence in a fixed order."""
    return sorted((e.kind, line(e.data)) for e in evidence)


def line(data: Mapping[str, Any]) -> str:
    """The data of evidence as one line of text, for comparisons."""
    plain = {key: value for key, value in data.items() if key not in ASIDE}
    if "packed" in plain:  # one row of letters may be compressed in many ways
        plain["packed"] = unpack(plain["packed"])
    return json.dumps(plain, sort_keys=True)


def shows(answer: Answer, evidence: Evidence) -> bool:
    """True if an answer contains a piece of evidence."""
    return any((p.kind, line(p.data)) == (evidence.kind, line(evidence.data)) for p in answer.proofs)


def _sentence(verdict: Verdict, answer: Answer) -> str:
    """The sentence of a verdict if it had this answer."""
    evidence = tuple(Evidence(p.kind, p.data) for p in answer.proofs)
    try:
        said = replace(verdict, outcome=answer.outcome, numbers=answer.numbers, evidence=evidence, notes=())
    except InvalidAnswer as odd:
        raise AssertionError(f"the judge made {odd}") from None
    return said.statement
