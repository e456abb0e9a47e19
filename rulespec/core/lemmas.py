"""Which claims may help to show another: those that are known to hold and do not rest on it themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from .game import Game
from .verdicts import Store, StoreError, Verdict, beside


def helpers_of(verdict: Verdict) -> list[str]:
    """The claims that the evidence of a verdict uses."""
    return [str(e.data.get("claim")) for e in verdict.evidence if e.kind == "helper"]


def rests_on(verdict: Verdict, known: Mapping[str, Verdict]) -> set[str] | None:
    """All claims that a verdict rests on, directly or through others.

    None where one of them is not known to hold, or rests on the claim itself in the end.
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


def current(store: Store, game: Game) -> dict[str, Verdict]:
    """The stored verdicts on a game as it is, by claim."""
    found = ((claim.id, store.current(game, claim)) for claim in game.claims.values())
    return {name: verdict for name, verdict in found if verdict is not None}


def stored(ruleset: Path, game: Game) -> dict[str, Verdict]:
    """What is stored beside a ruleset file on the claims of a game; nothing where that cannot be read."""
    try:
        return current(Store.read(beside(ruleset)), game)
    except StoreError:
        return {}


def able_to_help(claim: str, known: Mapping[str, Verdict], of: Iterable[str]) -> dict[str, Verdict]:
    """Of some claims those that hold and do not rest on a claim, with their verdicts."""
    found: dict[str, Verdict] = {}
    for name in of:
        verdict = known.get(name)
        if verdict is not None and verdict.holds and name != claim:
            under = rests_on(verdict, known)
            if under is not None and claim not in under:
                found[name] = verdict
    return found
