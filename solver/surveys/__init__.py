"""One question asked of many deals, each answered with its evidence, on every core or a cluster of them.

In: a ruleset, one of its claims, deals (by seed, or as recorded). Out: a `Survey` with shares and intervals,
and a database with each verdict and the plays it rests on. `claims` decides and stores deals; this room
counts the answers, and checks them again.

Modules: `report` (statistics) -> `run` -> `generate` (deals by criterion).
"""

from .generate import Want as Want
from .generate import generate as generate
from .report import Survey as Survey
from .run import SurveyOptions as SurveyOptions
from .run import recheck as recheck
from .run import survey as survey
