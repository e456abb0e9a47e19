"""Many plays of one game by machine players, and statistics of them, each number with its interval.

In: a game, the policies of its players, a number of games, a seed. Out: a `Simulation`, and a database in
which every game is stored as it ends. Knows no YAML, no pages and no terminal.

Modules, each on top of those before it: `policies` (of players) -> `batches` (random games by code) ->
`playing` (games by code or at tables) -> `result_file`, `database` (stored games) -> `tally` (counts) ->
`charts` (parts of a picture) -> `result` (the statistics) -> `figures` (their words), `run`.
"""

from .result import Simulation as Simulation
from .run import simulate as simulate
