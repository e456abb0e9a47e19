"""Policy search from a single start: its arrays, and the time spent on it in slices."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any

from rulespec.code.execution.pacing import Pace
from rulespec.code.execution.runner import wider_buffer
from rulespec.kernels.kit import RANDOM
from rulespec.kernels.probing import LUCK
from rulespec.play.position import Move, Position
from rulespec.solver.explore.code_states import moves_of

from .search_code import SearchCode

KINDS = 1 << 14
"""The number of kinds of action, told apart by hash; a power of two."""
DEAD = 1 << 21
"""For how many states there is room among those from which everything was tried; a power of two."""
MOST_PLIES = 250
MOST_ROWS = 1 << 16
"""The limits of the stack: its depth, and its legal actions."""
FIRST_SWEEP = 2_000
"""Plies of the first exhaustive round; each further one has twice as many."""
LEARNING = 2
"""The ratio of plies spent on learning to those of the exhaustive round."""
ROUNDS = ((50, 20, 1.0), (100, 100, 0.5))
"""In turn: how many probes learn from the best of them; how often that is begun again from what was learned
so far; the rate. docs/decisions/0012-finding-plays.md has figures."""
BUDGET = 60
"""The most plies of a probe."""
SLICE = 0.1
"""About how many seconds a slice takes."""
FAR = 1 << 40
"""Farther from any goal than a state can be."""


class SingleStart:
    """A search from a position. What `seed` and position are the same is searched alike."""

    def __init__(self, of: SearchCode, limits: Any, position: Position, seed: str) -> None:
        self.code, self.limits = of, limits
        self.room, self.runner = of.instance.room, of.runner
        self.closed = False
        """True if the search is over."""
        self.found: tuple[list[Move], list[int]] | None = None
        """The moves that lead to the goal, and the source of chance before each."""
        self.rows: list[int] = []
        """The same moves as the code has them, one row after the other."""
        node = self.runner.node(position.values, position.draws)
        cells, words = of.instance.numbers(node.cells), of.instance.words(node.words)
        self.root = (cells, words, of.instance.numbers(node.moves))
        self._state = cells.copy(), words.copy()
        rng = random.Random(seed)
        self._chance = of.instance.words([rng.getrandbits(63) | 1, *[0] * 6])
        self._chance[RANDOM] = 1
        self.luck = self.room("reals", LUCK)
        for i in range(LUCK):
            self.luck[i] = -math.log(-math.log((rng.random() + 1e-12) / (1 + 2e-12)))
        self.dead = self.room("words", DEAD)
        self.indifferent = self.room("reals", KINDS)
        self.tally = of.instance.numbers([0] * 6)
        self.plies, self.pace = 0, Pace(SLICE)
        self._buffers(self.room("numbers", max(len(self.root[2]), self.runner.written.rows.first_size)))

    def _buffers(self, moves: Any) -> None:
        """Take a buffer for legal actions, and make what depends on its size."""
        self.now = (*self._state, self._chance, moves)
        size = max(MOST_ROWS, 2 * len(moves) // self.runner.written.width)
        self.sweeping, self.probing = self._stack(size), self._stack(size)
        self.plays = [self.room("numbers", 2 + 3 * MOST_PLIES + size) for _ in range(3)]
        self.depth = -1

    def _stack(self, size: int) -> tuple[Any, ...]:
        """The arrays of a depth-first search; `kernels.probing` says what they are."""
        room, program, deep = self.room, self.runner.program, MOST_PLIES + 1
        return (
            room("numbers", deep * program.state_cells), room("words", deep * len(program.words)),
            room("numbers", size * self.runner.written.width), room("reals", size), room("numbers", size),
            room("numbers", deep + 1), room("numbers", deep + 1), room("numbers", deep),
            room("words", deep), room("words", deep), room("numbers", deep),
        )  # fmt: skip

    # ---- spending

    def spend(self, rounds: Iterable[int]) -> Iterator[int]:
        """See every play and learn what is good, in turn, until all is seen or a play is found.

        Yields the plies played in each slice.
        """
        for number in rounds:
            budget, how = FIRST_SWEEP << number, ROUNDS[number % len(ROUNDS)]
            for plies in chain(self._sweep(budget), self._learn(LEARNING * budget, *how)):
                yield plies
                if self.closed:
                    return

    def _sweep(self, budget: int) -> Iterator[int]:
        """Go on with seeing every play, for so many plies."""
        while budget > 0:
            sweep = partial(self.code.names["sweep"], self.depth, min(budget, self.pace.step))
            plies, _ = self._run(sweep, self.sweeping, self.indifferent)
            budget -= max(plies, 1)
            yield plies

    def _learn(self, budget: int, probes: int, times: int, rate: float) -> Iterator[int]:
        """Learn afresh what is good, for so many plies.

        `probes` learn, at this `rate`, from the best of them. So many `times` they begin again from what
        the best plays before have taught.
        """
        while budget > 0:
            policy, best = self.room("reals", KINDS), FAR
            for _ in range(times):
                trial, left, near = policy.copy(), probes, FAR
                while left > 0:
                    count = max(1, min(left, self.pace.step // BUDGET))
                    probe = partial(self.code.names["probes"], count, BUDGET, rate, near, self.plays[1])
                    plies, near = self._run(probe, self.probing, trial)
                    left -= count
                    budget -= max(plies, 1)
                    yield plies
                if near <= best:
                    best = near
                    self.plays[1], self.plays[2] = self.plays[2], self.plays[1]
                self.code.names["learn"](policy, self.plays[2], rate)
                if budget <= 0:
                    return

    def _run(self, kernel: Callable[..., Any], stack: tuple[Any, ...], policy: Any) -> tuple[int, int]:
        """Run a kernel for a slice; how many plies it had, and how near the best play has come by then."""
        mind, tally = (self.dead, policy, self.luck), self.tally
        with self.pace:
            near = int(kernel((self.limits, self.root, self.now, stack, mind, self.plays[0], tally)))
            plies = int(tally[0]) - self.plies
            self.pace.done = max(1, plies)
        self.plies += plies
        if stack is self.sweeping:
            self.depth = int(tally[5])
        if tally[3] or near == 0:
            self._found(stack, int(tally[3]))
        elif tally[2]:
            self.closed = True
        elif tally[4]:
            tally[4] = 0
            self._buffers(wider_buffer(self.code.instance, self.now[3], self.runner.written))
        return plies, near

    def _found(self, stack: tuple[Any, ...], plies: int) -> None:
        """Read the play that reached the goal off the stack."""
        rows, chosen, sources, width = stack[2], stack[7], stack[9], self.runner.written.width
        for at in map(int, chosen[:plies]):
            self.rows += map(int, rows[at * width : (at + 1) * width])
        self.found = moves_of(self.runner, self.rows), [int(x) for x in sources[:plies]]
        self.closed = True
