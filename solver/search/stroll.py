"""Long random plays that are asked at every ply whether they have come where one wants to go.

A hunt tries many things in the neighbourhood of where it is. What comes about late only, when much has
happened that nothing led to, is met sooner by chance.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rulespec.code import FAULT, TooLarge, write
from rulespec.code.pacing import Pace
from rulespec.code.plies import FULL
from rulespec.code.runner import MOST_NUMBERS, Plain, Runner
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.play.face import Game as PlayedGame
from rulespec.play.face import State
from rulespec.play.machine import Machine
from rulespec.simulation.again import play_again
from solver.explore.setting_out import SET_OUT

MOST_PLIES = 20_000
"""No play is followed further."""
BASE = 0x5EED
"""What all plays draw from, besides their number."""
SLICE = 0.05
"""About how many seconds pass between two looks at whether to stop."""


def stroll(
    game: Game,
    wanted: n.Expr,
    stop: Callable[[], str],
    tools: Any,
    waited: Callable[[float], None] = lambda seconds: None,
) -> State | None:
    """Where a random play ends that has come to a condition, the shortest that turned up until `stop` said
    something; none if none did.

    The same plays are made in the same order, however they are run. `waited` is told how many seconds it
    took to make code ready. TooLarge where the game has no code.
    """
    written = write(game, {"wanted": wanted})
    runner = Runner(written)
    text = _TEXT.format(ask=written.asked["wanted"][0], setup=len(written.rows.actions), fault=FAULT)
    names = tools.beside(written, text)
    cells, words = runner.encode(Machine(game).initial().values)
    first = tools.numbers(cells), tools.words(words)
    s, b, c = first[0].copy(), first[1].copy(), tools.words([1, 1, 0, 0, 0, 0, 0])
    m, found = tools.room("numbers", written.rows.first_size), tools.room("numbers", 2)

    def go_on(games: int, most: int) -> int:
        arrays = (*first, s, b, c, m)
        return int(names["stroll"](*arrays, names["word"](BASE), games, most, written.width, found))

    began = time.monotonic()
    go_on(0, 0)
    waited(time.monotonic() - began)
    best: tuple[int, int] | None = None
    games, pace = 1, Pace(SLICE)
    while not stop():
        began = time.monotonic()
        code = go_on(games, MOST_PLIES if best is None else best[1] - 1)
        if code == FULL:
            if 2 * len(m) > MOST_NUMBERS:
                raise TooLarge("a position has too many legal actions")
            m = tools.room("numbers", 2 * len(m))
        elif code:
            best = int(found[0]), int(found[1])
            found[0] += 1
        else:
            pace.took(time.monotonic() - began)
            games += pace.step
    if best is None:
        return None
    return play_again(PlayedGame(game), Runner(written, Plain), BASE, *best)


_TEXT = (
    SET_OUT
    + '''
@fast
def stroll(first, words, s, b, c, m, base, games, most, width, found):
    """Go on with random plays until one comes where it is wanted (1) or there were so many (0).

    found: the number of the play, and after how many plies it came there.
    """
    while found[0] < games:
        set_out(first, words, s, b, c, mixed(base ^ mixed(as_word(found[0]))))
        m[0] = {setup}
        n = play(s, b, c, m, 0)
        plies = 0
        while n >= 0:
            if {ask}(s, b):
                found[1] = plies
                return 1
            if n == 0 or plies == most:
                break
            n = play(s, b, c, m, choose(c, n) * width)
            plies += 1
        if n < {fault}:
            return n
        found[0] += 1
    return 0
'''
)
