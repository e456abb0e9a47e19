"""Evidence for a claim under other readings, judged under these before any search.

So a reading that does not matter to a claim costs one check. Nothing is taken over unchecked: the evidence is
judged as in `recheck`.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from rulespec.core.verdicts import STRENGTH, Store, Verdict
from rulespec.core.verdicts.lemmas import helpers_of
from rulespec.solver.certify import BadEvidence
from rulespec.solver.evidence.engine_rules import by_engine, by_evidence
from rulespec.solver.evidence.problem import Answer, Case, is_settled

SHARE = 0.25
"""The share of the remaining budget for one proposal."""


def other_readings(store: Store, verdict: Verdict) -> list[Verdict]:
    """The settled stored verdicts on a verdict's claim under other readings than its own."""
    return [
        v
        for v in store.of_claim(verdict.ruleset, verdict.claim)
        if v.players == verdict.players
        and v.parameters == verdict.parameters
        and v.readings != verdict.readings
        and STRENGTH.get(v.outcome) == 2
    ]


def by_proposals(case: Case, verdicts: Iterable[Verdict]) -> Answer | None:
    """The first settled answer that other verdicts' evidence on the claim proves in this case, else None."""
    tried: list[tuple[Any, ...]] = []
    for verdict in verdicts:
        whole = verdict.kind == case.claim.kind != "best"  # which needs a bound and a play
        evidence = by_engine(case.claim, verdict.evidence) if whole else None
        if evidence is None:
            continue
        held = {name: case.lemmas[name] for name in helpers_of(verdict) if name in case.lemmas}
        data = {key: value for key, value in evidence.data.items() if key != "certificate"}
        if (evidence.kind, data, held) in tried:
            continue
        tried.append((evidence.kind, data, held))
        case.progress("the argument that decides it under other readings")
        asked = replace(case, lemmas=held, argument=str(data.get("by", "")), budget=case.budget.part(SHARE))
        with suppress(BadEvidence):
            answer = by_evidence(asked, replace(evidence, data=data))
            if is_settled(answer):
                return answer
    return None
