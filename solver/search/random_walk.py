"""Random walks: long random plays, tested at every ply for a condition.

They reach states deep in a game that directed search, which stays near its best play, does not try.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from rulespec.budgets import Stopwatch
from rulespec.code import write
from rulespec.code.declared import giving, question
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
ONCE_MORE, AT_LEAST = 1.0, 3.0
"""A shorter play is sought for this share of the work until the last, and so many seconds of work more."""


def random_walk(game: Game, wanted: n.Expr, stop: Callable[[], str]) -> State | None:
    """The end of a short random play that meets a condition; None if none did until `stop` gave a reason.

    Raises TooLarge if the game has no code.
    """
    written = write(game, {"wanted": wanted})
    plays = Playouts(written, "walks", {"asked": giving("asked", question(written, "wanted"))})
    result = plays.instance.numbers([1, 0, NO_PLAY])
    best: tuple[int, int] | None = None
    pace, work, until = Pace(SLICE), Stopwatch(work=True), math.inf
    while work.seconds < until and not stop():
        most = MOST_PLIES if best is None else best[1] - 1
        with pace as steps:
            found = plays.run("stroll", BASE, most, result, steps)
        if found:
            best = int(result[0]), int(result[1])
            result[0] += 1
            until = work.seconds * (1 + ONCE_MORE) + AT_LEAST
    if best is None:
        return None
    return play_again(PlayedGame(game), Runner(written, plays.instance), BASE, *best)
