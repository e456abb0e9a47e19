"""Deciding claims from invariants that they name: by adding those up, and without any play."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulespec.core import nodes as n
from rulespec.core.types import BOOL
from rulespec.core.verdicts import PROVED, REFUTED
from solver.formulas import TooWide

from .farkas import Combination
from .optimum import Scale
from .problem import Answer, Case, Proof, helper_proofs

KIND = "combination"
"""The kind of evidence: how often to add which invariant."""


def combination(case: Case) -> Combination | None:
    """What the invariants that a claim names make of what it asks; None where they say nothing of it."""
    claims = [case.game.claims[name] for name in case.named]
    asked = case.when if case.claim.kind == "best" else case.condition
    if not claims or (case.claim.kind == "best" and Scale.of(case) is None):
        return None
    number = case.condition if case.claim.kind == "best" else None
    try:
        conditions = [asked or n.Const(BOOL, True), *(c.always for c in claims)]
        return Combination(case.game, number, case.most, conditions)
    except TooWide:
        return None


def proof(case: Case, of: Combination, bound: int | None) -> list[Proof]:
    """The evidence that invariants leave nothing beyond a bound, or nothing at all."""
    found = of.bound()
    data: dict[str, Any] = {"times": [[str(x) for x in times] for times in found.times] if found else []}
    if bound is not None:
        data["bound"] = bound
    return [*helper_proofs(case, case.named), Proof(KIND, data)]


def contradicting(case: Case, proofs: Sequence[Proof]) -> Answer:
    """The answer that the goal contradicts the named claims of a case."""
    return Answer(REFUTED if case.claim.kind == "reachable" else PROVED, tuple(proofs), "sums")


def first_rank(case: Case, scale: Scale) -> tuple[int, list[Proof]]:
    """The first rank of a best value that invariants leave, and the evidence that it is the first."""
    of = combination(case)
    found = of.bound() if of is not None else None
    if of is None or found is None:
        return 0, []
    most = math.floor(found.most)
    rank = scale.rank(most if scale.most else -most)
    return (rank, proof(case, of, scale.value(rank - 1))) if 0 < rank <= scale.size else (0, [])


def contradiction(case: Case) -> Answer | None:
    """The answer to whether something can be reached, where invariants contradict it."""
    of = combination(case)
    if of is None or ((found := of.bound()) is not None and found.most >= 0):
        return None
    return contradicting(case, proof(case, of, None))


def objection(case: Case, data: Mapping[str, Any]) -> str:
    """Why a stored combination does not show what it is said to; empty if it does."""
    of = combination(case)
    if of is None:
        return "the claims that it is made of say nothing of it"
    try:
        times: Sequence[Sequence[Fraction]] = [[Fraction(str(x)) for x in one] for one in data["times"]]
        most = of.given(times) if times or of.cases else Fraction(-1)
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return "how often its claims are added is damaged"
    if "bound" not in data:
        return "" if most < 0 else "its claims do not contradict it"
    bound = Fraction(data["bound"])
    return "" if most < (bound if case.most else -bound) else f"its claims leave {bound}"
