"""Policy search from a single start: its arrays, and the time spent on it in slices."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

from rulespec.budgets import Stopwatch
from rulespec.code.pacing import Pace
from rulespec.code.runner import wider
from rulespec.kernels.kit import RANDOM
from rulespec.kernels.probing import LUCK
from rulespec.play.position import Move, Position
from solver.explore.code_states import moves_of

from .search_code import SearchCode

KINDS = 1 << 14
"""The number of kinds of action, told apart by hash; a power of two."""
DEAD = 1 << 21
"""For how many states there is room among those from which everything was tried; a power of two."""
MOST_PLIES = 250
MOST_ROWS = 1 << 16
"""The limits of the stack: its depth, and its legal actions."""
BUDGET = 60
"""After so many plies a probe is given up."""
SLICE = 0.1
"""About how many seconds a slice takes."""
FAR = 1 << 40
"""Farther from any goal than a state can be."""


class SearchStack:
    """The arrays of one search; `kernels.probing` says what they are."""

    def __init__(self, of: SearchCode, actions: int) -> None:
        room, program = of.instance.room, of.runner.program
        width = of.runner.written.width
        self.size = max(MOST_ROWS, 2 * actions)
        self.rows = room("numbers", self.size * width)
        self.chosen = room("numbers", MOST_PLIES + 1)
        self.sources = room("words", MOST_PLIES + 1)
        self.arrays = (
            room("numbers", (MOST_PLIES + 1) * program.state_cells),
            room("words", (MOST_PLIES + 1) * len(program.words)),
            self.rows,
            room("reals", self.size),
            room("numbers", self.size),
            room("numbers", MOST_PLIES + 2),
            room("numbers", MOST_PLIES + 2),
            self.chosen,
            room("words", MOST_PLIES + 1),
            self.sources,
            room("numbers", MOST_PLIES + 1),
        )


class SingleStart:
    """A search from a position. What `seed` and position are the same is searched alike."""

    def __init__(self, of: SearchCode, limits: Any, position: Position, seed: str) -> None:
        self.code, self.limits, self.position = of, limits, position
        self.room, self.runner = of.instance.room, of.runner
        self.nearest: float = math.inf
        """The least distance from the goal of a state seen."""
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
        actions = len(moves) // self.runner.written.width
        self.sweeping, self.probing = SearchStack(self.code, actions), SearchStack(self.code, actions)
        size = 2 + 3 * MOST_PLIES + self.probing.size
        self.plays = [self.room("numbers", size) for _ in range(3)]
        self.depth = -1

    # ---- spending

    def sweep(self, budget: int) -> Iterator[int]:
        """Go on with seeing every play, for so many plies; yields how many were played in each slice."""
        left = budget
        while left > 0:
            watch = Stopwatch()
            arrays = self._arrays(self.sweeping, self.indifferent)
            distance = self.code.names["sweep"](self.depth, min(left, self.pace.step), arrays)
            self.depth = int(self.tally[5])
            plies = self._account(self.sweeping, int(distance), watch)
            left -= max(plies, 1)
            yield plies

    def learn(self, budget: int, probes: int, times: int, rate: float) -> Iterator[int]:
        """Learn afresh what is good, for so many plies; yields how many were played in each slice.

        `probes` learn, at this `rate`, from the best of them. So many `times` they begin again from what
        the best plays before have taught.
        """
        spent = 0
        while spent < budget:
            policy, best = self.room("reals", KINDS), FAR
            for _ in range(times):
                near = FAR
                for plies, near in self._probes(policy.copy(), probes, rate):  # noqa: B007 - the last counts
                    spent += max(plies, 1)
                    yield plies
                if near <= best:
                    best = near
                    self.plays[1], self.plays[2] = self.plays[2], self.plays[1]
                self.code.names["learn"](policy, self.plays[2], rate)
                if spent >= budget:
                    return

    def _probes(self, policy: Any, left: int, rate: float) -> Iterator[tuple[int, int]]:
        """So many probes; yields for each slice its plies and how near the best play has come by then."""
        nearest = FAR
        while left > 0:
            count = max(1, min(left, self.pace.step // BUDGET))
            watch = Stopwatch()
            held = self.plays[1], self._arrays(self.probing, policy)
            nearest = int(self.code.names["probes"](count, BUDGET, rate, nearest, *held))
            left -= count
            yield self._account(self.probing, nearest, watch), nearest

    def _arrays(self, stack: SearchStack, policy: Any) -> tuple[Any, ...]:
        """The arrays of a search in the order of `kernels.probing.Search`."""
        mind = self.dead, policy, self.luck
        return self.limits, self.root, self.now, stack.arrays, mind, self.plays[0], self.tally

    def _account(self, stack: SearchStack, distance: int, watch: Stopwatch) -> int:
        """Take note of what a slice gave; how many plies it had."""
        self.nearest = min(self.nearest, distance)
        plies = int(self.tally[0]) - self.plies
        self.plies += plies
        if int(self.tally[3]) or distance == 0:
            self._found(stack, int(self.tally[3]))
        elif self.tally[2]:
            self.closed = True
        elif self.tally[4]:
            self.tally[4] = 0
            self._buffers(wider(self.code.instance, self.now[3], self.runner.written))
        elif plies:
            self.pace.took(watch.seconds, plies)
        return plies

    def _found(self, stack: SearchStack, plies: int) -> None:
        """Read the play that reached the goal off the stack."""
        width = self.runner.written.width
        for i in range(plies):
            at = int(stack.chosen[i]) * width
            self.rows += map(int, stack.rows[at : at + width])
        self.found = moves_of(self.runner, self.rows), [int(stack.sources[i]) for i in range(plies)]
        self.closed = True
