"""Random walks: long random plays, tested at every ply for a condition.

They reach states deep in a game that directed search, which stays near its best play, does not try.
"""

from __future__ import annotations

from collections.abc import Callable

from rulespec.code import write
from rulespec.code.pacing import Pace
from rulespec.code.runner import Runner
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.kernels.walks import NO_PLAY
from rulespec.play.face import Game as PlayedGame
from rulespec.play.face import State
from rulespec.simulation.again import play_again
from solver.explore.monte_carlo import Playouts

MOST_PLIES = 20_000
"""No play is followed further."""
BASE = 0x5EED
"""The seed that all plays share."""
SLICE = 0.05
"""About how many seconds pass between two looks at whether to stop."""


def random_walk(game: Game, wanted: n.Expr, stop: Callable[[], str]) -> State | None:
    """The end of the shortest random play that meets a condition, of those made until `stop` gives a reason.

    None if no play met it. Raises TooLarge if the game has no code.
    """
    written = write(game, {"wanted": wanted})
    plays = Playouts(written, "walks", f"asked = {written.asked['wanted'][0]}\n")
    result = plays.instance.numbers([1, 0, NO_PLAY])
    best: tuple[int, int] | None = None
    pace = Pace(SLICE)
    while not stop():
        most = MOST_PLIES if best is None else best[1] - 1
        with pace as steps:
            found = plays.run("stroll", BASE, most, result, steps)
        if found:
            best = int(result[0]), int(result[1])
            result[0] += 1
    if best is None:
        return None
    return play_again(PlayedGame(game), Runner(written, plays.instance), BASE, *best)
