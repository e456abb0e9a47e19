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
from .prove import prove
from .recheck import recheck, recheck_all
from .solve import NoPuzzle, puzzle, solve
from .worker import deal

__all__ = [
    "BadPlay", "Certified", "Check", "Loader", "NoPuzzle", "Play", "certify", "compare", "deal", "prove",
    "puzzle", "recheck", "recheck_all", "solve",
]  # fmt: skip
