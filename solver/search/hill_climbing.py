"""Hill climbing (record-to-record travel): a play and its deal are improved by small changes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count
from typing import Any

from rulespec.code.execution.runner import wider_buffer
from rulespec.core.game import Game
from rulespec.kernels import climbing as kernel
from rulespec.kernels.kit import RANDOM
from rulespec.play.machine import Machine
from rulespec.play.position import Move
from rulespec.solver.analyses.goals import Goal
from rulespec.solver.explore.code_states import moves_of

from .deals import Deal, changed_deal, random_deal
from .search_code import outcomes, search_code
from .single_start import KINDS

MOST_PLIES = 400
"""Maximum number of plies of a play."""
STEPS = 4
"""Changes of the play tried for each change of the deal."""
SLACKS = (1, 0, 2)
"""In turn: by how much an accepted step may be worse than the best of its round."""
PATIENCE, AFRESH = 20_000, 10_000
"""A round ends after this many steps without improvement: one that continues from the best play, and one
that begins with a new deal. They take turns."""


class HillClimbing:
    """Looks for plays with ever better numbers, from deals of its own choice.

    States in which the goal's condition fails are ranked only by their distance from it. The same `seed`
    gives the same search, however often it is stopped. Raises TooLarge if the game has no code.
    """

    def __init__(self, game: Game, goal: Goal, *, seed: int = 0) -> None:
        self.game = game
        self.code = search_code(game, goal, ())
        self.machine = Machine(game)
        self._random = random.Random(f"climb {seed}")
        self.plies = 0
        """The total number of plies played."""
        self.best: int | None = None
        """The measure of the best state seen; less is better."""
        self._best_deal: Deal | None = None
        self._rooms()
        self._slices = self._spend()

    def step(self) -> bool:
        """Search for a moment; True if a new best was found."""
        before = self.best
        next(self._slices)
        return self.best != before

    @property
    def play(self) -> tuple[tuple[str, ...], tuple[Move, ...]]:
        """The best play: all outcomes of chance in notation, and the moves."""
        assert self._best_deal is not None
        rows, _, sources = self._best
        runner = self.code.runner
        moves = moves_of(runner, rows[: int(self._tally[kernel.BEST_SIZE]) * runner.written.width])
        start = self.machine.start(self._best_deal.chance)
        drawn = outcomes(self.game, start.position, moves, [int(x) for x in sources[: len(moves)]])
        return (*start.outcomes, *drawn), tuple(moves)

    # ---- arrays

    def _rooms(self) -> None:
        """Allocate the arrays of the search."""
        room, runner = self.code.instance.room, self.code.runner
        width = runner.written.width

        def plan() -> tuple[Any, Any, Any]:
            numbers = room("numbers", MOST_PLIES * width), room("numbers", MOST_PLIES)
            return *numbers, room("words", MOST_PLIES)

        self._plan, self._made, self._best = plan(), plan(), plan()
        cells, words = runner.encode(self.machine.initial().values)
        self._state = self.code.instance.numbers(cells), self.code.instance.words(words)
        self._marks = room("numbers", KINDS), room("numbers", KINDS)
        self._held = room("numbers", MOST_PLIES), room("numbers", MOST_PLIES)
        self._tally = self.code.instance.numbers([0] * 10)
        self._tally[kernel.BEST] = kernel.FARTHEST
        self._source = self.code.instance.words([self._random.getrandbits(63) | 1, *[0] * 6])
        self._source[RANDOM] = 1
        self._moves = room("numbers", runner.written.rows.first_size)

    # ---- climbing

    def _spend(self) -> Iterator[None]:
        """Search for a moment at each step; rounds continue from the best play or begin from new deals."""
        tally, runner = self._tally, self.code.runner
        for number in count():
            deal, size, patience = self._best_deal, int(tally[kernel.BEST_SIZE]), PATIENCE
            if deal is None or number % 2 == 1:
                deal, size, patience = random_deal(runner, self._random), 0, AFRESH
            for to, held in zip(self._plan, self._best, strict=True):
                to[:] = held
            tally[kernel.SIZE], tally[kernel.RECORD] = size, kernel.FARTHEST
            record, since, slack = kernel.FARTHEST, int(tally[kernel.STEPS]), SLACKS[number % len(SLACKS)]
            while deal.node.legal > 0 and tally[kernel.STEPS] - since < patience:
                other = changed_deal(runner, deal, self._random)
                if other.node.legal >= 0 and self._changes(other, slack, 1, True):
                    deal = other
                self._changes(deal, slack, STEPS, False)
                if tally[kernel.RECORD] < record:
                    record, since = int(tally[kernel.RECORD]), int(tally[kernel.STEPS])
                yield
            yield

    def _changes(self, deal: Deal, slack: int, steps: int, other: bool) -> bool:
        """Try changes of the plan, or the plan from another deal; True if the last was accepted."""
        tally, before = self._tally, self._tally[kernel.BEST]
        numbers, words = self.code.instance.numbers, self.code.instance.words
        root = numbers(deal.node.cells), words(deal.node.words), numbers(deal.node.moves)
        now = (*self._state, self._source, self._moves)
        arrays = root, now, self._plan, self._made, self._marks, self._held, tally
        taken = self.code.changes["climb"](steps, other, slack, self._best, arrays)
        if tally[kernel.SHORT]:
            tally[kernel.SHORT] = 0
            self._moves = wider_buffer(self.code.instance, self._moves, self.code.runner.written)
        if tally[kernel.BEST] < before:
            self._best_deal, self.best = deal, int(tally[kernel.BEST])
        self.plies = int(tally[kernel.PLIES])
        return bool(taken)
