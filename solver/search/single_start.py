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
"""The number of kinds of actions, which are distinguished by hash; a power of two."""
DEAD = 1 << 21
"""Capacity of the table of exhausted states; a power of two."""
MOST_PLIES = 250
MOST_ROWS = 1 << 16
"""The limits of the stack: its depth, and its legal actions."""
FIRST_SWEEP = 2_000
"""Plies of the first exhaustive round; each further one has twice as many."""
LEARNING = 2
"""The ratio of plies spent on learning to those of the exhaustive round."""
ROUNDS = ((50, 20, 1.0), (100, 100, 0.5))
"""In turn: the number of probes that learn from the best of them; the number of restarts from the learned
policy; the rate. docs/decisions/0012-finding-plays.md has figures."""
BUDGET = 60
"""Maximum number of plies of a probe."""
FIRST_LONG, LONGEST = 250, 20_000
"""Maximum number of plies of a play at random: in the first round, twice as many in each further one, and in
all."""
SLICE = 0.1
"""Approximate seconds of a slice."""
FAR = 1 << 40
"""Larger than any distance from a goal."""


class SingleStart:
    """A search from a position. Equal seeds and positions give equal searches."""

    def __init__(self, of: SearchCode, limits: Any, position: Position, seed: str) -> None:
        self.code, self.limits = of, limits
        self.room, self.runner = of.instance.room, of.runner
        self.closed = False
        """True if the search is over."""
        self.found: tuple[list[Move], list[int]] | None = None
        """The moves that lead to the goal, and the state of the source of chance before each."""
        self.rows: list[int] = []
        """The same moves as rows of the code, one after the other."""
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
        self.longest = LONGEST
        """The number of plies of the longest play at random."""
        self.plies, self.pace = 0, Pace(SLICE)
        self._buffers(self.room("numbers", max(len(self.root[2]), self.runner.written.rows.first_size)))

    def _buffers(self, moves: Any) -> None:
        """Use a buffer for legal actions, and allocate the arrays that depend on its size."""
        self.now = (*self._state, self._chance, moves)
        size = max(MOST_ROWS, 2 * len(moves) // self.runner.written.width)
        self.sweeping, self.probing = self._stack(size), self._stack(size)
        wandering = [*self.probing]
        wandering[2] = self.room("numbers", LONGEST * self.runner.written.width)
        wandering[7], wandering[9] = self.room("numbers", LONGEST), self.room("words", LONGEST)
        self.wandering = tuple(wandering)
        self.plays = [self.room("numbers", 2 + 3 * MOST_PLIES + size) for _ in range(3)]
        self.depth = -1

    def _stack(self, size: int) -> tuple[Any, ...]:
        """The arrays of a depth-first search; see `kernels.probing`."""
        room, program, deep = self.room, self.runner.program, MOST_PLIES + 1
        return (
            room("numbers", deep * program.state_cells), room("words", deep * len(program.words)),
            room("numbers", size * self.runner.written.width), room("reals", size), room("numbers", size),
            room("numbers", deep + 1), room("numbers", deep + 1), room("numbers", deep),
            room("words", deep), room("words", deep), room("numbers", deep),
        )  # fmt: skip

    # ---- spending

    def spend(self, rounds: Iterable[int]) -> Iterator[int]:
        """Alternate sweeps, learning and long plays at random until everything is seen or a play is found.

        Yields the number of plies played in each slice.
        """
        for number in rounds:
            budget, how = FIRST_SWEEP << number, ROUNDS[number % len(ROUNDS)]
            learning = self._learn(LEARNING * budget, *how)
            for plies in chain(self._sweep(budget), learning, self._wander(number)):
                yield plies
                if self.closed:
                    return

    def _sweep(self, budget: int) -> Iterator[int]:
        """Continue the exhaustive search for a number of plies."""
        while budget > 0:
            sweep = partial(self.code.names["sweep"], self.depth, min(budget, self.pace.step))
            plies, _ = self._run(sweep, self.sweeping, self.indifferent)
            budget -= max(plies, 1)
            yield plies

    def _learn(self, budget: int, probes: int, times: int, rate: float) -> Iterator[int]:
        """Learn a new policy, for a number of plies.

        `probes` learn, at this `rate`, from the best of them. They restart `times` times from the policy
        learned from the best plays before.
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

    def _wander(self, number: int) -> Iterator[int]:
        """Play at random for as many plies as a sweep, unless no such play was longer than a probe."""
        if self.longest <= BUDGET:
            return
        self.longest, budget = 0, FIRST_SWEEP << number
        while budget > 0:
            most = min(LONGEST, FIRST_LONG << number)
            wander = partial(self.code.names["wander"], min(budget, self.pace.step), most)
            plies, reached = self._run(wander, self.wandering, self.indifferent)
            self.longest, budget = max(self.longest, reached), budget - max(plies, 1)
            yield plies

    def _run(self, kernel: Callable[..., Any], stack: tuple[Any, ...], policy: Any) -> tuple[int, int]:
        """Run a kernel for a slice; returns how many plies it played, and the kernel's result."""
        mind, tally = (self.dead, policy, self.luck), self.tally
        with self.pace:
            near = int(kernel((self.limits, self.root, self.now, stack, mind, self.plays[0], tally)))
            plies = int(tally[0]) - self.plies
            self.pace.done = max(1, plies)
        self.plies += plies
        if stack is self.sweeping:
            self.depth = int(tally[5])
        if tally[3] or near == 0:
            self._read_play(stack, int(tally[3]))
        elif tally[2]:
            self.closed = True
        elif tally[4]:
            tally[4] = 0
            self._buffers(wider_buffer(self.code.instance, self.now[3], self.runner.written))
        return plies, near

    def _read_play(self, stack: tuple[Any, ...], plies: int) -> None:
        """Read from the stack the play that reached the goal."""
        rows, chosen, sources, width = stack[2], stack[7], stack[9], self.runner.written.width
        for at in map(int, chosen[:plies]):
            self.rows += map(int, rows[at * width : (at + 1) * width])
        self.found = moves_of(self.runner, self.rows), [int(x) for x in sources[:plies]]
        self.closed = True
