"""Lemmas: verdicts that may help to decide other claims.

A stored verdict is not a lemma. It becomes one at a gate (`rulespec.solver.claims.gate`), after its evidence
was checked. Questions take lemmas only, so the type checker refuses a verdict that passed no gate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..game import Game
from .store import Store
from .verdict import Verdict


@dataclass(frozen=True)
class Lemma:
    """A verdict that may help to decide other claims.

    Only `rulespec.solver.claims.gate` and `assume` turn a verdict into one.
    """

    verdict: Verdict


def assume(verdicts: Mapping[str, Verdict]) -> dict[str, Lemma]:
    """Lemmas on the assumption that verdicts are true.

    An answer that uses one holds under that assumption only. The caller names it in its result, like a check,
    which counts only once the checks of everything that it rests on have passed
    (`rulespec.solver.claims.joining`), or like a conditional verdict.
    """
    return {name: Lemma(verdict) for name, verdict in verdicts.items()}


def helpers_of(verdict: Verdict) -> list[str]:
    """The claims that the evidence of a verdict uses."""
    return [str(e.data.get("claim")) for e in verdict.evidence if e.kind == "helper"]


def rests_on(verdict: Verdict, known: Mapping[str, Verdict]) -> set[str] | None:
    """All claims that a verdict rests on, directly or through others.

    None if one of them is not known to hold, or rests on the claim itself.
    """
    found: set[str] = set()
    waiting = helpers_of(verdict)
    while waiting:
        name = waiting.pop()
        if name == verdict.claim or name not in known or not known[name].holds:
            return None
        if name not in found:
            found.add(name)
            waiting += helpers_of(known[name])
    return found


def current_verdicts(store: Store, game: Game) -> dict[str, Verdict]:
    """The stored verdicts on a game in its present form, by claim."""
    found = ((claim.id, store.current(game, claim)) for claim in game.claims.values())
    return {name: verdict for name, verdict in found if verdict is not None}


def able_to_help(claim: str, known: Mapping[str, Verdict], of: Iterable[str]) -> dict[str, Verdict]:
    """The verdicts in `known` under which their claims hold and which do not rest on `claim`."""
    found: dict[str, Verdict] = {}
    for name in of:
        verdict = known.get(name)
        if verdict is not None and verdict.holds and name != claim:
            under = rests_on(verdict, known)
            if under is not None and claim not in under:
                found[name] = verdict
    return found
