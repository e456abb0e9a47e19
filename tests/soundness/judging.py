"""Contradictions between an answer and the truth: in its outcome, its numbers, its bounds, or its plays."""

from __future__ import annotations

from fractions import Fraction
from math import inf

from rulespec.core.game import Claim
from rulespec.core.types import scalar_of
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.evidence.replay import objection

from .space import Space
from .truth import Truth


def wrong(space: Space, case: Case, answer: Answer, known: Truth) -> str:
    """Why an answer is not so; empty if nothing contradicts it."""
    claim = case.claim
    for proof in answer.proofs:
        if proof.play is not None:
            problem = objection(case.game, claim, proof.play, proof.data, answer.numbers)
            if problem:
                return f"its play: {problem}"
    if beyond := _beyond(claim, answer):
        return beyond
    if claim.kind == "best":
        return _wrong_best(claim, answer, known)
    settled = answer.outcome in (PROVED, REFUTED)
    if settled and known.holds is not None and (answer.outcome == PROVED) != known.holds:
        return f"it is {'so' if known.holds else 'not so'}"
    return _wrong_numbers(space, claim, answer, known)


def _beyond(claim: Claim, answer: Answer) -> str:
    """The first number of an answer that is none of the values that a claim asks about; empty if all are."""
    low, high = (0, inf) if claim.kind == "count" else (-1, 1)
    if claim.condition is not None and claim.kind in ("value", "best"):
        of = scalar_of(claim.condition.type)
        assert of is not None
        low, high = min(of.values[0], 0), max(of.values[-1], 0)
    if claim.kind not in ("value", "best", "count") or "summed-over" in claim.options:
        return ""
    listed = (answer.numbers[side] for side in ("value", "at_least", "at_most") if side in answer.numbers)
    return next((f"{x} is no value that there is" for x in listed if not low <= x <= high), "")


def _wrong_numbers(space: Space, claim: Claim, answer: Answer, known: Truth) -> str:
    settled, numbers, value = answer.outcome in (PROVED, REFUTED), answer.numbers, known.value
    if (claim.kind, answer.outcome) in (("terminates", PROVED), ("endless", REFUTED)):
        assert value is not None
        return f"a play has {value} plies" if numbers["plies"] < value else ""
    if settled and claim.kind == "expected":
        found = next(Fraction(p.data["is"]) for p in answer.proofs if "is" in p.data)
        return f"it is {value}" if found != value else ""
    if claim.kind == "estimate" and known.least is not None and known.most is not None:
        return (
            "" if known.least <= numbers["total"] <= known.most else f"no {claim.options['games']} plays do"
        )
    if claim.kind == "share_of_deals":
        return _wrong_share(answer, known, claim.options["deals"])
    if claim.kind == "value" and known.least is not None and known.most is not None:
        return _wrong_value(answer, known.least, known.most)
    if value is not None:
        low = numbers.get("value", numbers.get("at_least", -inf))
        high = numbers.get("value", numbers.get("at_most", inf))
        if not low <= value <= high:
            return f"it is {value}"
    plies, bounded = numbers.get("plies"), answer.outcome == BOUNDED
    if bounded and plies is not None and known.soonest is not None and known.soonest <= plies:
        return f"it is otherwise after {known.soonest} plies"
    unrolled = any(p.kind == "refutation" and "plies" in p.data for p in answer.proofs)
    if answer.outcome == PROVED and plies is not None and unrolled:
        longest = known.longest
        return f"a play has {longest} plies" if longest is None or longest > plies else ""
    return ""


def _wrong_value(answer: Answer, least: int, most: int) -> str:
    """Why an answer does not say what every play comes to, whatever those that fault come to."""
    if answer.outcome not in (PROVED, REFUTED, BOUNDED):
        return ""
    low = answer.numbers.get("value", answer.numbers.get("at_least", -inf))
    high = answer.numbers.get("value", answer.numbers.get("at_most", inf))
    return "" if low <= least and most <= high else f"it is from {least} to {most}"


def _wrong_share(answer: Answer, known: Truth, wanted: int) -> str:
    numbers = answer.numbers
    if known.share is not None:
        low, high = (
            Fraction(numbers["held"], numbers["deals"]),
            1 - Fraction(numbers["failed"], numbers["deals"]),
        )
        return "" if low <= known.share <= high else f"the share is {known.share}"
    assert known.value is not None
    right = numbers["held"] <= known.value <= wanted - numbers["failed"]
    return "" if right else f"it holds in {known.value} of {wanted}"


def _wrong_best(claim: Claim, answer: Answer, known: Truth) -> str:
    best = known.value
    if answer.outcome == REFUTED:
        return "" if best is None else f"{best} is reached"
    if answer.outcome not in (PROVED, BOUNDED):
        return ""
    if best is None:
        reached = "at_least" if claim.options["sense"] == "most" else "at_most"
        return "nothing is reached" if {"value", reached} & answer.numbers.keys() else ""
    low = answer.numbers.get("value", answer.numbers.get("at_least", best))
    high = answer.numbers.get("value", answer.numbers.get("at_most", best))
    return "" if low <= best <= high else f"the best is {best}"
