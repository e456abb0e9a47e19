"""From claims to verdicts: what the rules imply, said exactly and with evidence.

In: a core game, its claims, and whatever engine is installed. Out: verdicts (`core.verdicts`) whose
plays the interpreter has replayed. Knows no YAML, no pages and no terminal.

`rulespec.solver.methods` look for evidence, and `rulespec.solver.evidence` judges it: `prove` and `recheck`
say what it says. `prove`, `solve`, `recheck` and `certify` are what users call.
"""

from rulespec.play.plays import BadPlay, Play
from rulespec.solver.claims.loading import Loader
from rulespec.solver.evidence.checks import Check

from .certify import Certified, certify
from .compare import compare
from .options import (
    CertifyOptions,
    Checked,
    Decided,
    LeftOut,
    ProveEvent,
    ProveOptions,
    RecheckOptions,
    Scope,
)
from .prove import decide_claims, prove
from .recheck import Recheck, recheck, recheck_all, stamped
from .solve import NoPuzzle, puzzle, solve
from .worker import deal

__all__ = [
    "BadPlay", "Certified", "CertifyOptions", "Check", "Checked", "Decided", "LeftOut", "Loader", "NoPuzzle",
    "Play", "ProveEvent", "ProveOptions", "Recheck", "RecheckOptions", "Scope", "certify", "compare", "deal",
    "decide_claims", "prove", "puzzle", "recheck", "recheck_all", "solve", "stamped",
]  # fmt: skip
