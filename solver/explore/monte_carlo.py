"""Monte Carlo samples: random plays by generated code, with a value at the end or summed over plies."""

from __future__ import annotations

from typing import Any, NamedTuple

from rulespec.code import FAULT, write
from rulespec.code.pacing import Pace
from rulespec.code.plies import FULL
from rulespec.code.runner import MOST_NUMBERS, Plain, Runner
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.play.machine import Machine

from .playout_start import SET_OUT
from .states import NO_RESULT, Limit

MOST_PLIES = 100_000
"""A play that is longer is not waited for."""
SLICE = 0.1
"""About how many seconds pass between two looks at a budget."""


MOST_TOTAL = 1 << 61
"""The most that the sum over the plies of one play may be."""
PLACES = ((1, 42), (1, 21), (1, 0)), ((1, 84), (2, 63), (1, 42), (2, 42), (2, 21), (1, 0))
"""Numbers are added up in three parts of 21 bits, and in products of these parts. For the sum of the numbers
and for that of their squares: the factor of each part sum, and the bits by which it is shifted."""
MOST_PLAYS = 1 << 20
"""The number of plays for which the part sums are exact in 64 bits; then Python's integers take them up."""


class Sample(NamedTuple):
    """The result of random plays: their number, the sum of their values, and of the squares."""

    games: int
    total: int
    squares: int


class NoSample(ValueError):
    """No sample could be taken; the text gives the reason."""


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
        written,
        _TEXT.format(ask=written.asked["asked"][0], setup=len(written.rows.actions), most=MOST_TOTAL),
    )
    cells, words = runner.encode(Machine(game).initial().values)
    first = tools.numbers(cells), tools.words(words)
    s, b = first[0].copy(), first[1].copy()
    m = tools.room("numbers", written.rows.first_size)
    c, result = tools.room("words", 7), tools.room("numbers", 1 + sum(map(len, PLACES)))
    pace, total, squares = Pace(SLICE, most=MOST_PLAYS), 0, 0
    while int(result[0]) < games:
        if spent := limit():
            raise NoSample(f"the budget did not suffice ({spent})")
        for i in range(1, len(result)):
            result[i] = 0
        with pace as step:
            last = min(games, int(result[0]) + step)
            code = int(
                names["sample"](
                    *first, s, b, c, m, last, seed, MOST_PLIES, int(summed), written.width, result
                )
            )
        if code == FULL and 2 * len(m) <= MOST_NUMBERS:
            m = tools.room("numbers", 2 * len(m))
        elif code:
            raise NoSample(WHY[code])
        sums = [int(x) for x in result[1:]]
        total += sum(often * x << bits for x, (often, bits) in zip(sums, PLACES[0], strict=False))
        squares += sum(often * x << bits for x, (often, bits) in zip(sums[3:], PLACES[1], strict=True))
    return Sample(games, total, squares)


LONG, LARGE = -3, -4
"""Further statuses of a sample: a play is longer than `MOST_PLIES`, or comes to more than `MOST_TOTAL`."""
WHY = {
    FAULT: NO_RESULT,
    FULL: "a position has too many legal actions",
    LONG: f"some play is longer than {MOST_PLIES} plies",
    LARGE: f"some play comes to more than {MOST_TOTAL}",
}


_TEXT = (
    SET_OUT
    + '''
@fast
def sample(first, words, s, b, c, m, games, seed, most, summed, width, found):
    """Play on until there are `games` plays.

    found: the number of plays; then the sums of the parts of 21 bits of their numbers, of which only the
    first may be negative, and of the products of these parts.
    """
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
                if total > {most} or total < -{most}:
                    return -4
            plies += 1
            k = choose(c, n) * width
        if summed == 0:
            x = {ask}(s, b)
            total = 0 if x == NONE else x
        found[0] += 1
        high, middle, low = total >> 42, total >> 21 & 2097151, total & 2097151
        found[1] += high
        found[2] += middle
        found[3] += low
        found[4] += high * high
        found[5] += high * middle
        found[6] += middle * middle
        found[7] += high * low
        found[8] += middle * low
        found[9] += low * low
    return 0
'''
)
