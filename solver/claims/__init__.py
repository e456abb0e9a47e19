"""From claims to verdicts: what the rules imply, said exactly and with evidence.

In: a core game, its claims, and whatever engine is installed. Out: verdicts (`core.verdicts`) whose
plays the interpreter has replayed. Knows no YAML, no pages and no terminal.

`structure` and `monotone` read facts off the rules; `by_search` looks at every position, `by_formulas`
asks an engine; `decide` chooses between them; `prove`, `solve` and `recheck` are what users call.
"""

from .certify import Certified, certify
from .checks import Check
from .compare import compare
from .plays import BadPlay, Play
from .prove import prove
from .recheck import recheck, recheck_all
from .settings import Loader
from .solve import NoPuzzle, deal, solve

__all__ = [
    "BadPlay", "Certified", "Check", "Loader", "NoPuzzle", "Play", "certify", "compare", "deal", "prove",
    "recheck", "recheck_all", "solve",
]  # fmt: skip
