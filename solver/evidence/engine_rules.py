"""Rules for formulas, by the evidence: each asks what its evidence says, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from rulespec.core.verdicts import UNDECIDED, Evidence
from solver.certify import Refused

from . import bmc, conservation, equivalence, k_induction, knowability, ranking, split_induction, symmetry
from .problem import Answer, Case
from .questions import asked
from .remembering import NEVER_FALLS, remembering

Rule = Callable[[Case], Answer | None]
ALWAYS = ("invariant", "never_stuck", "never_faults", NEVER_FALLS)
"""The kinds of claim that something bad never happens."""


def by_evidence(case: Case, evidence: Evidence) -> Answer | None:
    """The answer of the rules that such evidence stands for; None if they show nothing.

    Refused if there are no such rules for a claim of this kind.
    """
    rules = [*_rules(case, evidence)]
    if not rules:
        raise Refused("its evidence shows nothing of such a claim")
    answer = None
    for rule in rules:
        answer = asked(rule, case)
        if answer is not None and answer.outcome != UNDECIDED:
            return answer
    return answer


def _rules(case: Case, evidence: Evidence) -> Iterator[Rule]:
    kind, data = case.claim.kind, evidence.data
    if evidence.kind == "induction":
        yield from _inductions(kind, data)
    elif kind in ("reachable", "unreachable"):
        if data.get("by") in bmc.ARGUMENTS:
            yield partial(bmc.by_reaching, argument=data["by"])
        elif "by" in data:
            return
        elif "plies" in data:
            yield _to_depth(partial(bmc.by_reaching, argument=bmc.PLIES), data)
        else:
            yield partial(bmc.by_reaching, argument=bmc.LENGTHS)
            yield partial(bmc.by_reaching, argument=bmc.PLIES)
    elif kind == "equivalent":
        yield _to_depth(equivalence.by_unrolling, data)
    elif kind == "knowable":
        yield _to_depth(knowability.by_unrolling, data) if "plies" in data else knowability.now
    elif kind in ALWAYS:
        yield _of_invariant(kind, _to_depth(k_induction.by_unrolling, data))


def _inductions(kind: str, data: Mapping[str, Any]) -> Iterator[Rule]:
    if data.get("by") == conservation.FLOWS and kind in ALWAYS:
        yield k_induction.by_flow
    elif kind in RULES:
        yield RULES[kind]
    elif kind not in ALWAYS:
        return
    elif data.get("by") == split_induction.PARTS:
        yield _of_invariant(kind, split_induction.by_parts)
    elif data.get("depth") == 0 and kind == "never_stuck":
        yield k_induction.anywhere
    elif data.get("depth") in range(1, k_induction.DEEPEST_INDUCTION + 1):
        if data["depth"] == 1 and kind in ("invariant", NEVER_FALLS):
            yield _of_invariant(kind, k_induction.by_difference)
        yield _of_invariant(kind, partial(k_induction.at_depth, depth=data["depth"]))


RULES: Mapping[str, Rule] = {
    "terminates": ranking.terminates,
    "symmetry": symmetry.decide,
    "equivalent": equivalence.from_any_state,
}
"""The inductions of claims that have one of their own."""


def _of_invariant(kind: str, rule: Rule) -> Rule:
    """The rule, for numbers that never fall about the game that remembers what they were."""
    return (lambda case: rule(remembering(case))) if kind == NEVER_FALLS else rule


def _to_depth(rule: Rule, data: Mapping[str, Any]) -> Rule:
    """The rule, which unrolls no further than the evidence says."""
    depth = data.get("plies")
    return lambda case: rule(replace(case, most_plies=depth if isinstance(depth, int) else None))
