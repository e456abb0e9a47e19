"""Monte Carlo samples: random plays by generated code, with a value at the end or summed over plies."""

from __future__ import annotations

from typing import Any, NamedTuple

from rulespec.code import FAULT, Written, write
from rulespec.code.pacing import Pace
from rulespec.code.plies import FULL
from rulespec.code.runner import Plain, Runner, wider
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.play.machine import Machine

from .states import NO_RESULT, Limit

MOST_PLIES = 100_000
"""A play that is longer is not waited for."""
SLICE = 0.1
"""About how many seconds pass between two looks at a budget."""
BATCH = 1 << 14
"""The most plays between two looks."""
MOST_TOTAL = 1 << 61
"""The most that the sum over the plies of one play may be."""


class Playouts:
    """A text that plays at random, beside the code of a game, and what its functions take first.

    The text may use `set_out` and `WIDTH`, the numbers that an action takes. Its functions have the
    parameters `first, words, s, b, c, m` before those of their own.
    """

    def __init__(self, written: Written, text: str, tools: Any) -> None:
        constants = f"SETTING_UP, WIDTH = {len(written.rows.actions)}, {written.width}\n"
        self.names = tools.beside(written, constants + _SET_OUT + text)
        self._written, self._tools = written, tools
        cells, words = Runner(written).encode(Machine(written.program.game).initial().values)
        first = tools.numbers(cells), tools.words(words)
        self._arrays = (*first, first[0].copy(), first[1].copy(), tools.words([1, 1, 0, 0, 0, 0, 0]))
        self._moves = tools.room("numbers", written.rows.first_size)

    def run(self, function: str, *arguments: Any) -> int:
        """The result of a function of the text, which begins anew where a position has many legal actions.

        TooLarge where it has too many.
        """
        while (code := int(self.names[function](*self._arrays, self._moves, *arguments))) == FULL:
            self._moves = wider(self._tools, self._moves, self._written)
        return code


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
    where the game has no code, or a position too many legal actions.
    """
    written = write(game, {"asked": asked})
    plays = Playouts(written, _TEXT.format(ask=written.asked["asked"][0], most=MOST_TOTAL), tools)
    values = tools.room("numbers", BATCH)
    pace, done, total, squares = Pace(SLICE, most=BATCH), 0, 0, 0
    while done < games:
        if spent := limit():
            raise NoSample(f"the budget did not suffice ({spent})")
        with pace as step:
            more = min(games - done, step)
            if code := plays.run("sample", done, more, seed, MOST_PLIES, int(summed), values):
                raise NoSample(WHY[code])
        numbers = tools.listed(values[:more])
        total += sum(numbers)
        squares += sum(x * x for x in numbers)
        done += more
    return Sample(games, total, squares)


LONG, LARGE = -3, -4
"""Further statuses of a sample: a play is longer than `MOST_PLIES`, or comes to more than `MOST_TOTAL`."""
WHY = {
    FAULT: NO_RESULT,
    LONG: f"some play is longer than {MOST_PLIES} plies",
    LARGE: f"some play comes to more than {MOST_TOTAL}",
}


_SET_OUT = '''
@part
def set_out(first, words, s, b, c, m, state):
    """Set up, with a generator in a state that is this play's own; the number of legal actions then."""
    for i in range(len(first)):
        s[i] = first[i]
    for i in range(len(words)):
        b[i] = words[i]
    c[0] = state | ONE
    c[1] = ONE
    c[2] = ZERO
    c[3] = ZERO
    c[4] = ZERO
    m[0] = SETTING_UP
    return play(s, b, c, m, 0)

'''


_TEXT = '''
@fast
def sample(first, words, s, b, c, m, begun, games, seed, most, summed, values):
    """The numbers of so many plays, from that numbered `begun` on."""
    for i in range(games):
        n = set_out(first, words, s, b, c, m, mixed(mixed(as_word(seed + 1)) ^ as_word(begun + i)))
        plies, total = 0, 0
        while n > 0:
            if plies == most:
                return -3
            if summed != 0:
                x = {ask}(s, b)
                total += 0 if x == NONE else x
                if total > {most} or total < -{most}:
                    return -4
            plies += 1
            n = play(s, b, c, m, choose(c, n) * WIDTH)
        if n < 0:
            return n
        if summed == 0:
            x = {ask}(s, b)
            total = 0 if x == NONE else x
        values[i] = total
    return 0
'''
