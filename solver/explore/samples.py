"""Random plays by generated code, each asked for a number: where it ends, or added up over its plies."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from rulespec.code import FAULT, write
from rulespec.code.codes import TooLarge
from rulespec.code.plies import FULL
from rulespec.code.runner import MOST_NUMBERS, Plain, Runner
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.play.machine import Machine

from .setting_out import SET_OUT
from .states import Limit

MOST_PLIES = 100_000
"""A play that is longer is not waited for."""
SLICE = 0.1
"""About how many seconds pass between two looks at a budget."""


class Sample(NamedTuple):
    """What came of random plays: how many there were, the sum of their numbers, and of the squares."""

    games: int
    total: int
    squares: int


class NoSample(ValueError):
    """Says why no sample could be taken."""


def sample(
    game: Game,
    asked: n.Expr,
    games: int,
    seed: int,
    limit: Limit,
    *,
    summed: bool = False,
    tools: Any = Plain,
) -> Sample:
    """Play so many games, every legal action equally likely, and ask each for a number (conditions: 0 or 1).

    Play number i draws from a generator whose state follows from `seed` and i, so each is what it is
    however many there are. NoSample after a fault, without an end, or where a budget ran out; TooLarge
    where the game has no code.
    """
    written = write(game, {"asked": asked})
    runner = Runner(written)
    names = tools.beside(
        written, _TEXT.format(ask=written.asked["asked"][0], setup=len(written.rows.actions))
    )
    cells, words = runner.encode(Machine(game).initial().values)
    first = tools.numbers(cells), tools.words(words)
    s, b = first[0].copy(), first[1].copy()
    m = tools.room("numbers", written.rows.first_size)
    c, found = tools.room("words", 7), tools.room("numbers", 3)
    step = 1
    while int(found[0]) < games:
        if spent := limit():
            raise NoSample(f"the budget did not suffice ({spent})")
        began = time.monotonic()
        last = min(games, int(found[0]) + step)
        code = int(
            names["sample"](*first, s, b, c, m, last, seed, MOST_PLIES, int(summed), written.width, found)
        )
        if code == FULL and 2 * len(m) <= MOST_NUMBERS:
            m = tools.room("numbers", 2 * len(m))
        elif code == FULL:
            raise TooLarge("a position has too many legal actions")
        elif code == FAULT:
            raise NoSample("in some play a value does not fit its place")
        elif code:
            raise NoSample(f"some play is longer than {MOST_PLIES} plies")
        step = max(1, min(4 * step, int(step * SLICE / (time.monotonic() - began + 1e-6))))
    return Sample(games, int(found[1]), int(found[2]))


_TEXT = (
    SET_OUT
    + '''
@fast
def sample(first, words, s, b, c, m, games, seed, most, summed, width, found):
    """Go on with plays until there are so many; found: plays, the sum of their numbers, and of squares."""
    while found[0] < games:
        set_out(first, words, s, b, c, mixed(mixed(as_word(seed + 1)) ^ as_word(found[0])))
        m[0] = {setup}
        k, plies, total = 0, 0, 0
        while True:
            n = play(s, b, c, m, k)
            if n < 0:
                return n
            if n == 0:
                break
            if plies == most:
                return -3
            if summed != 0:
                x = {ask}(s, b)
                total += 0 if x == NONE else x
            plies += 1
            k = choose(c, n) * width
        if summed == 0:
            x = {ask}(s, b)
            total = 0 if x == NONE else x
        found[0] += 1
        found[1] += total
        found[2] += total * total
    return 0
'''
)
