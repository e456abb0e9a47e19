"""Random walks: long random plays, tested at every ply for a condition.

They reach states deep in a game that directed search, which stays near its best play, does not try.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulespec.code import FAULT, Written, write
from rulespec.code.pacing import Pace
from rulespec.code.runner import Plain, Runner
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.play.face import Game as PlayedGame
from rulespec.play.face import State
from rulespec.simulation.again import play_again
from solver.explore.monte_carlo import Playouts

MOST_PLIES = 20_000
"""No play is followed further."""
BASE = 0x5EED
"""The seed that all plays share."""
NO_PLAY = 1 << 40
"""Replaces the number of legal actions before a play has begun."""
SLICE = 0.05
"""About how many seconds pass between two looks at whether to stop."""


def random_walk(
    game: Game, wanted: n.Expr, stop: Callable[[], str], choose: Callable[[Written], Any]
) -> State | None:
    """The end of the shortest random play that meets a condition, of those made until `stop` gives a reason.

    None if no play met it. The plays and their order do not depend on `choose`, which selects the tools that
    run the code. Raises TooLarge if the game has no code.
    """
    written = write(game, {"wanted": wanted})
    tools = choose(written)
    text = _TEXT.format(ask=written.asked["wanted"][0], fault=FAULT, no_play=NO_PLAY)
    plays, result = Playouts(written, text, tools), tools.numbers([1, 0, NO_PLAY])
    best: tuple[int, int] | None = None
    pace = Pace(SLICE)
    while not stop():
        most = MOST_PLIES if best is None else best[1] - 1
        with pace as steps:
            found = plays.run("stroll", plays.names["word"](BASE), most, result, steps)
        if found:
            best = int(result[0]), int(result[1])
            result[0] += 1
    if best is None:
        return None
    return play_again(PlayedGame(game), Runner(written, Plain), BASE, *best)


_TEXT = '''
@fast
def stroll(first, words, s, b, c, m, base, most, found, steps):
    """Go on with random plays until one meets the condition (1) or so many steps were made (0).

    found: the number of the play, its plies so far, and the number of its legal actions; {no_play} before it
    has begun.
    """
    while steps > 0:
        steps -= 1
        n = found[2]
        if n == {no_play}:
            n = set_out(first, words, s, b, c, m, mixed(base ^ mixed(as_word(found[0]))))
            found[1] = 0
        else:
            n = play(s, b, c, m, choose(c, n) * WIDTH)
            found[1] += 1
        found[2] = n
        if n >= 0 and {ask}(s, b):
            found[2] = {no_play}
            return 1
        if n <= 0 or found[1] >= most:
            found[2] = {no_play}
            if n < {fault}:
                return n
            found[0] += 1
    return 0
'''
