"""Heuristic search for plays from a given start to a goal, by generated code.

In: a core game, a goal, a start. Out: the moves of a play that reaches the goal with its outcomes of chance,
or the statement that no unexplored play is left, up to hash collisions. Results are hints: the interpreter
replays every play, and an exploration that stores whole states confirms that there is none. It imports no
engine, no claims and no verdicts.

`distance` is the heuristic; `rulespec.solver.reductions.restriction` removes actions that cannot lead to the
goal. The kernels `probing` and `climbing` run with the code of a game (`search_code`, which also gives the
outcomes of chance in a play). `policy_search` runs searches from single starts (`single_start`) and tries a
play on other deals. `hill_climbing` improves a play and its deal (`deals`) by small changes.
"""

from .hill_climbing import HillClimbing
from .policy_search import CLOSED, FOUND, OPEN, PolicySearch

__all__ = ["CLOSED", "FOUND", "OPEN", "HillClimbing", "PolicySearch"]
