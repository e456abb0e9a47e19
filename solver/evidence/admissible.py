"""A table of the kinds of evidence that can show each kind of claim.

A check of evidence assumes that the claim is of the kind that such evidence is about: strategies held against
every reply show the result of best play, whatever was claimed. So a piece of evidence is checked only if the
table says that it can show a claim of that kind.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import Verdict

from .game_graph import secret

_SEEN = frozenset({"exploration"})
_INDUCTIVE = _SEEN | {"induction", "refutation", "helper", "play"}
_GOAL = _SEEN | {"refutation", "combination", "helper", "play"}

ADMISSIBLE: Mapping[str, frozenset[str]] = {
    "invariant": _INDUCTIVE,
    "never_stuck": _INDUCTIVE,
    "never_faults": _INDUCTIVE,
    "never_falls": _INDUCTIVE,
    "terminates": _INDUCTIVE,
    "endless": _SEEN | {"play"},
    "symmetry": _INDUCTIVE,
    "equivalent": _INDUCTIVE,
    "knowable": _INDUCTIVE,
    "reachable": _GOAL,
    "unreachable": _GOAL,
    "winnable": _GOAL,
    "best": _GOAL,
    "never_hopeless": _SEEN | {"play"},
    "count": _SEEN,
    "value": _SEEN | {"search"},
    "expected": _SEEN | {"fraction", "strategies"},
    "estimate": frozenset({"sample"}),
    "share_of_deals": frozenset({"deals"}),
    "every_deal": frozenset({"deals"}),
}
"""The kinds of evidence by the kind of claim."""


def out_of_place(game: Game, claim: Claim, verdict: Verdict) -> str:
    """The first kind of evidence of a verdict that cannot show such a claim; empty if there is none."""
    may = ADMISSIBLE.get(claim.kind, frozenset())
    if claim.kind == "expected" and not _needs_strategies(game, claim):
        may -= {"strategies"}
    return next((e.kind for e in verdict.evidence if e.kind not in may), "")


def _needs_strategies(game: Game, claim: Claim) -> bool:
    """True if an expectation is that of the best strategies of players with different knowledge."""
    options = claim.options
    best = options.get("policy", "best") == "best"
    return best and secret(game) and options.get("seeing") != "everything"
