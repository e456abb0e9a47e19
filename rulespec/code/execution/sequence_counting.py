"""Counting sequences of actions by code: layer by layer, with equal positions merged, in bounded memory.

A layer holds positions with the number of ways to each. Following a layer fills the next one; if that is
full, it is first counted to the end. So merging uses all the memory there is, and memory does not grow with
depth.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from ...budgets import watchdog
from ...kernels import kit
from ...kernels.sequences import ASKS, COUNTED, DONE, DRAW, HELD, MOST_DRAWS, PICKS, PLACE, ROOM, WIDE
from ..codes import TooLarge
from ..packed_rows.fields import RowFields
from ..packed_rows.functions import packing_functions
from ..plies import FULL
from .kernel_names import kernel_constants
from .pacing import Pace
from .runner import Node, Runner, wider_buffer

Layer = tuple[Any, Any, Any]
"""Rows of positions, their numbers of draws so far, and their numbers of ways; see `kernels.sequences`."""
Tell = Callable[[int], None]
"""Called now and then with the number of finished positions of the first layer; may raise to stop."""

BYTES = 1 << 26
"""Memory for a layer, in bytes."""
MOST_POSITIONS = 1 << 18
SLICE = 0.2
"""Approximate seconds between two reports of progress."""
MOST = float(1 << 62)
"""Upper limit of counts, which are whole numbers of 64 bits."""


class SequenceCounter:
    """Counts by the code of a game. Draw n gives the same in every branch, by the seed.

    Raises TooLarge if a position has too many legal actions, or a count does not fit.
    """

    def __init__(self, runner: Runner, seed: str) -> None:
        self._runner, self._seed = runner, seed
        self._instance = runner.instance
        beside = counting_names(runner)
        names = runner.instance.beside(beside, "sequences")
        self._enter, self._follow, self._width = names["enter"], names["follow"], int(beside["ROW"])
        self._most = max(64, min(MOST_POSITIONS, BYTES // (8 * (self._width + 2))))
        room, size = runner.instance.room, runner.written.rows.first_size
        self._asked, self._picks = (room("numbers", MOST_DRAWS * PICKS) for _ in range(2))
        self._layers = list[Layer]()
        """The later layers, by number of actions; they are reused."""
        self._pace = Pace(SLICE, 1_000, least=100)
        self._row = room("words", self._width)
        self._m, self._held = room("numbers", size), room("numbers", size)

    def count(self, nodes: Sequence[tuple[Node, int]], depth: int, tell: Tell) -> list[int]:
        """Count the sequences of 2, 3, … `depth` actions from positions, each weighted by its ways.

        Raises TooLarge.
        """
        self._tell = tell
        if any(ways >= MOST for _, ways in nodes):
            raise TooLarge("there are more sequences than are counted in code")
        first, seats, into = self._layer(len(nodes)), self._seats(len(nodes)), self._instance.numbers([0] * 7)
        for node, ways in nodes:
            self._state = self._instance.numbers([*node.cells] * 2), self._instance.words([*node.words] * 2)
            self._enter(self._now(node.draws), self._row, ways, first, seats, into)
        self._counts = [0] * (depth - 1)
        self._done = 0
        if depth > 1:
            self._from(first, int(into[HELD]), 0)
        return self._counts

    def _layer(self, size: int) -> Layer:
        """Allocate a layer of a given size."""
        room = self._instance.room
        return room("words", size * self._width), room("words", size), room("numbers", size)

    def _seats(self, size: int) -> Any:
        """Allocate a hash table for the positions of a layer."""
        return self._instance.room("small", 1 << (2 * size - 1).bit_length())

    def _now(self, draws: int = 0) -> tuple[Any, ...]:
        """The arrays of plies."""
        chance = [1, *[0] * (kit.FIRST + PICKS)]
        chance[kit.DRAWS] = draws
        return *self._state, self._instance.words(chance), self._m

    def _from(self, layer: Layer, size: int, index: int) -> None:
        """Count all sequences that begin in a layer; the first count is stored at an index."""
        last = index + 1 == len(self._counts)
        into = self._instance.numbers([0] * 7)
        total = self._instance.room("reals", 1)
        if not last and index == len(self._layers):
            self._layers.append(self._layer(self._most))
        after = self._layer(1) if last else self._layers[index]
        while True:
            status = self._fill(layer, size, after, last, into, total, index == 0)
            self._counts[index] += int(into[COUNTED])
            into[COUNTED] = 0
            if into[HELD]:
                self._from(after, int(into[HELD]), index + 1)
            if status == DONE:
                return

    def _fill(
        self, layer: Layer, size: int, after: Layer, last: bool, into: Any, total: Any, first: bool
    ) -> int:
        """Follow the positions of a layer until it is done or the next layer is full. Raises TooLarge."""
        into[HELD], layers = 0, (layer, after, self._seats(len(after[2])))
        while True:
            began = time.perf_counter()
            watchdog.step()
            now = self._now(), self._row, self._held, (self._asked, self._picks), into, total
            status = int(self._follow(size, self._pace.step, last, layers, *now))
            if total[0] >= MOST:
                raise TooLarge("there are more sequences than are counted in code")
            if first:
                self._done = int(into[PLACE])
            self._tell(self._done)
            if status in (DONE, ROOM):
                return status
            if status == WIDE:
                raise TooLarge("chance is asked too often")
            if status == FULL:
                self._m = wider_buffer(self._instance, self._m, self._runner.written)
                self._held = self._instance.room("numbers", len(self._m))
            elif status == ASKS:
                self._fix_pick(*(int(x) for x in into[DRAW:]))
            else:
                self._pace.took(time.perf_counter() - began)

    def _fix_pick(self, draw: int, pick: int, among: int) -> None:
        """Set a pick of a draw with `among` outcomes, and forget the later picks of the draw."""
        first = draw * PICKS
        picker = random.Random(f"{self._seed}/{draw}").randrange
        for at in range(first, first + pick):
            picker(int(self._asked[at]))
        self._asked[first + pick], self._picks[first + pick] = among, picker(among)
        self._asked[first + pick + 1 : first + PICKS] = [0] * (PICKS - pick - 1)


def counting_names(runner: Runner) -> dict[str, Any]:
    """The names beside the code of the game that the kernel needs."""
    return {**kernel_constants(runner.written), **packing_functions(RowFields(runner))}
