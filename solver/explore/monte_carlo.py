"""Monte Carlo samples: random plays by generated code, with a value at the end or summed over plies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rulespec.code import FAULT, GameCode, Instance, write
from rulespec.code.execution.kernel_names import KernelNames, answering, call_question, kernel_constants
from rulespec.code.execution.pacing import Pace
from rulespec.code.execution.runner import Runner, wider_buffer
from rulespec.code.plies import FULL
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.kernels.samples import LARGE, LONG, MOST_TOTAL
from rulespec.play.machine import Machine

from .states import NO_RESULT, Limit

MOST_PLIES = 100_000
"""Longer plays are cut off."""
SLICE = 0.1
"""Approximate seconds between two checks of a budget."""
BATCH = 1 << 14
"""Maximum number of plays between two checks."""


class Playouts:
    """Random plays by a kernel, given the names that it needs besides the game's code.

    The functions of the kernel take the first state and the arrays of a play before their own arguments.
    """

    def __init__(self, written: GameCode, kernel: str, given: KernelNames) -> None:
        self.instance = Instance(written)
        self.names = self.instance.beside({**kernel_constants(written), **given}, kernel)
        self._written = written
        machine, numbers, words = Machine(written.program.game), self.instance.numbers, self.instance.words
        cells, bits = Runner(written, self.instance).encode(machine.initial().values)
        self._first = numbers(cells), words(bits)
        self._state = numbers(cells), words(bits), words([1, 1, 0, 0, 0, 0, 0])
        self._moves = self.instance.room("numbers", written.rows.first_size)

    def run(self, function: str, *arguments: Any) -> int:
        """Call a function of the kernel, again with a larger buffer if legal actions did not fit.

        Raises TooLarge if there are too many.
        """
        call = self.names[function]
        while (code := int(call(self._first, (*self._state, self._moves), *arguments))) == FULL:
            self._moves = wider_buffer(self.instance, self._moves, self._written)
        return code


class Statistic(NamedTuple):
    """A number (or condition: 0 or 1) to evaluate in random plays: at the end, or summed over plies."""

    number: n.Expr
    summed: bool = False


class Sample(NamedTuple):
    """The result of random plays: their number, the sum of their values, and the sum of squares."""

    games: int
    total: int
    squares: int


class NoSample(ValueError):
    """Raised if no sample could be taken; the text gives the reason."""


def sample(game: Game, asked: Sequence[Statistic], games: int, seed: int, limit: Limit) -> list[Sample]:
    """Play random games, and evaluate numbers in each; returns a sample for each number.

    Play number i has a generator derived from `seed` and i, so it does not depend on the number of plays.
    Raises NoSample after a fault, without an end, or when a budget ran out; raises TooLarge if the game has
    no code, or a position too many legal actions.
    """
    order = sorted(range(len(asked)), key=lambda i: not asked[i].summed)
    names = {str(i): asked[i].number for i in order}
    written = write(game, names)
    answers = answering([call_question(written, name) for name in names])
    plays = Playouts(written, "samples", {"answer": answers})
    most, summed = max(1, BATCH // len(asked)), sum(one.summed for one in asked)
    values = plays.instance.room("numbers", most * len(asked))
    pace, done = Pace(SLICE, most=most), 0
    totals, squares = [0] * len(asked), [0] * len(asked)
    while done < games:
        if spent := limit():
            raise NoSample(f"the budget did not suffice ({spent})")
        with pace as step:
            more = min(games - done, step)
            if code := plays.run("sample", done, more, seed, MOST_PLIES, summed, len(asked), values):
                raise NoSample(WHY[code])
        numbers = list(values[: more * len(asked)])
        for place, i in enumerate(order):
            totals[i] += sum(numbers[place :: len(asked)])
            squares[i] += sum(x * x for x in numbers[place :: len(asked)])
        done += more
    return [Sample(games, total, square) for total, square in zip(totals, squares, strict=True)]


WHY = {
    FAULT: NO_RESULT,
    LONG: f"some play is longer than {MOST_PLIES} plies",
    LARGE: f"some play comes to more than {MOST_TOTAL}",
}
