"""From claims to verdicts: exact consequences of the rules, with evidence.

In: a core game, its claims, and the installed engines. Out: verdicts (`core.verdicts`) whose plays the
interpreter has replayed. Knows no YAML, no pages and no terminal.

`rulespec.solver.methods` look for evidence, and `rulespec.solver.evidence` judges it: `prove` and `recheck`
report its answers. `prove`, `solve`, `recheck` and `certify` are what users call.
"""

from rulespec.play.plays import BadPlay, Play
from rulespec.solver.claims.loading import Loader
from rulespec.solver.engines import NoEngine
from rulespec.solver.evidence.checks import Check

from .certify import CertificationResult, certify
from .compare import compare
from .hint import Hint, hint
from .options import (
    CertifyOptions,
    LeftOut,
    ProveEvent,
    ProveOptions,
    RecheckOptions,
    Scope,
    VerdictChecked,
    VerdictReached,
)
from .prove import decide_claims, prove
from .recheck import Recheck, check_and_stamp, recheck, recheck_all
from .solve import NoPuzzle, puzzle, solve
from .worker import deal

__all__ = [
    "BadPlay",
    "CertificationResult",
    "CertifyOptions",
    "Check",
    "Hint",
    "LeftOut",
    "Loader",
    "NoEngine",
    "NoPuzzle",
    "Play",
    "ProveEvent",
    "ProveOptions",
    "Recheck",
    "RecheckOptions",
    "Scope",
    "VerdictChecked",
    "VerdictReached",
    "certify",
    "check_and_stamp",
    "compare",
    "deal",
    "decide_claims",
    "hint",
    "prove",
    "puzzle",
    "recheck",
    "recheck_all",
    "solve",
]  # fmt: skip
