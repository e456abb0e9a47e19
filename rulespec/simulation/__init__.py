"""Many plays of one game by players of the machine, and what they say of it, each number with its interval.

In: a game, who plays it, how many games, a seed. Out: a `Simulation`, and a database in which every game
that was played is kept as it comes. Knows no YAML, no pages and no terminal.

Modules, each on top of those before it: `intervals` (what samples say), `policies` (who plays) -> `batches`
(random games by code), `again` (one of them) -> `playing` (games by code or at tables) -> `kept`,
`database` (what is kept) -> `tally` (counts) -> `result` (what is told) -> `plot` (its picture) ->
`run`.
"""

from .result import Simulation as Simulation
from .run import simulate as simulate
