"""One question asked of many deals, each answered with its evidence, on every core or a cluster of them.

In: a ruleset, one of its claims, deals (by seed, or as recorded). Out: a `Survey` with shares and intervals,
and a database in which each verdict stands as it fell, with the plays it rests on. How a deal is decided is
the business of `claims`; this room spreads the deals, keeps the answers and counts them.

Modules, each on top of those before it: `questions` (a deal and its answer) -> `database` (what is kept) ->
`executors` (where the work is done), `dask` (on a cluster) -> `report` (statistics, and verdicts that
follow from them) -> `run`.
"""

from .report import Survey as Survey
from .run import recheck as recheck
from .run import survey as survey
