"""From claims to verdicts: what the rules imply, said exactly and with evidence.

In: a core game, its claims, and whatever engine is installed. Out: verdicts (`core.verdicts`) whose
plays the interpreter has replayed. Knows no YAML, no pages and no terminal.

`decide` chooses between the `deciders`, one for each way of deciding; they build on `facts`.
`evidence` goes through stored verdicts again. `prove`, `solve`, `recheck` and `certify` are what users call.
"""

from .compare import compare
from .evidence.certify import Certified, certify
from .evidence.checks import Check
from .evidence.recheck import recheck, recheck_all
from .plays import BadPlay, Play
from .prove import prove
from .settings import Loader
from .solve import NoPuzzle, deal, solve

__all__ = [
    "BadPlay", "Certified", "Check", "Loader", "NoPuzzle", "Play", "certify", "compare", "deal", "prove",
    "recheck", "recheck_all", "solve",
]  # fmt: skip
