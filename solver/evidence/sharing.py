"""Sharing of verdicts between settings in which everything that a claim depends on is the same."""

from __future__ import annotations

from rulespec.core import nodes as n
from rulespec.core.digest import of_claim
from rulespec.core.game import Claim, Game
from rulespec.core.types import BOOL
from rulespec.core.verdicts import VALUES, Verdict
from solver.analyses.structure import Shape, digest

from .problem import Answer, Proof

ON_EVERYTHING = (
    "count", "value", "expected", "estimate", "never_hopeless", "symmetry",
    "winnable", "knowable", "equivalent", "share_of_deals", "every_deal",
)  # fmt: skip
"""Kinds of claim that depend on all the rules."""


def footprint(game: Game, claim: Claim) -> str:
    """A digest of all that the truth of a claim depends on; equal digests, equal verdicts.

    Never-stuck and never-faults depend on everything that can change, claims on whole plays on all.
    """
    if claim.kind in ON_EVERYTHING:
        return digest((game.digest, of_claim(claim)))
    asked = [claim.always] if claim.kind == "invariant" else [claim.condition or n.Const(BOOL, True)]
    when = claim.options.get("when")
    asked += [when] if isinstance(when, n.Expr) else []
    if claim.kind in ("never_stuck", "never_faults", "terminates", "endless"):
        asked += [n.Get(v.type, v) for v in game.state.values()]
    return digest((claim.kind, game.players, Shape(game).of(asked)))


def shared(verdict: Verdict, footprint: str) -> Answer:
    """The answer in another setting in which the claim has the same footprint (see `footprint`).

    The verdict must not rest on a play, which need not be legal in the other setting.
    """
    data = {"readings": dict(verdict.readings), "footprint": footprint}
    numbers = {name: x for name, x in verdict.numbers.items() if name in VALUES}
    return Answer(verdict.outcome, (Proof("same", data),), verdict.engine, numbers, verdict.notes)
