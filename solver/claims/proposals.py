"""Evidence for a claim under other readings, put to the judge under these before anything is searched for.

A reading that does not matter to a claim costs one check then. Nothing is taken over unseen: what evidence
shows here is asked as `recheck` would ask it.
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
"""The share of what is left of a budget that one proposal may cost."""


def other_readings(store: Store, verdict: Verdict) -> list[Verdict]:
    """The settled verdicts of a store on a claim under other readings; `verdict` is under these."""
    return [
        v
        for v in store.of_claim(verdict.ruleset, verdict.claim)
        if v.players == verdict.players
        and v.parameters == verdict.parameters
        and v.readings != verdict.readings
        and STRENGTH.get(v.outcome) == 2
    ]


def by_proposals(case: Case, verdicts: Iterable[Verdict]) -> Answer | None:
    """The first settled answer that evidence of other verdicts on the claim shows in this case, if any."""
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
