"""Counting sequences of actions by code: layer after layer, equal positions merged, in little room.

A layer holds positions with the number of ways to each. Following it fills the next one; where that is full,
it is counted to the end before the first is gone on with. So as much is merged as there is room for, and no
more room is taken, whatever the depth.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from ..budgets import watchdog
from ..kernels import kit
from ..kernels.sequences import ASKS, DONE, MOST_DRAWS, PICKS, ROOM, WIDE
from .codes import TooLarge
from .declared import Beside, declared, table
from .instance import Instance
from .pacing import Pace
from .plies import FULL
from .runner import Node, Runner, wider

Tell = Callable[[int], None]
"""Told now and then how many positions of the first layer are done; it may raise what ends the count."""

BYTES = 1 << 26
"""So much room a layer may take."""
MOST_POSITIONS = 1 << 18
SLICE = 0.2
"""About how many seconds pass between two words on progress."""
MOST = float(1 << 62)
"""What is counted in whole numbers of 64 bits stays below this."""


class Layer:
    """Positions and the number of ways to each, as arrays."""

    def __init__(self, instance: Instance, room: int, cells: int, words: int) -> None:
        made, self._instance, self.count = instance.room, instance, 0
        self.arrays = (
            made("numbers", room * cells),
            made("words", room * words),
            made("words", room),
            made("numbers", room),
        )
        self._most = room

    def emptied(self) -> Any:
        """Forget the positions, which are written over; a table of seats by which they are found again."""
        self.count = 0
        return self._instance.room("small", 1 << (2 * self._most - 1).bit_length())

    def put(self, number: int, node: Node, places: Sequence[int], ways: int) -> None:
        """Write a position down."""
        cells, words, draws, held = self.arrays
        size = len(cells) // len(held)
        cells[number * size : (number + 1) * size] = node.cells[:size]
        words[number * len(places) : (number + 1) * len(places)] = [node.words[place] for place in places]
        draws[number], held[number] = node.draws, ways


class Walk:
    """Counts by the code of a game. Draw n is in every branch that of the seed.

    TooLarge where a position has too many legal actions, or more is counted than fits.
    """

    def __init__(self, runner: Runner, seed: str) -> None:
        self._runner, self._seed = runner, seed
        self._instance = runner.instance
        self._follow = runner.instance.beside(given(runner), "sequences")["follow"]
        self._places = runner.kept_words
        self._size = runner.program.state_cells, len(self._places)
        self._room = max(64, min(MOST_POSITIONS, BYTES // (8 * (sum(self._size) + 4))))
        self._asked, self._picks = (self._instance.room("numbers", MOST_DRAWS * PICKS) for _ in range(2))
        self._layers = list[Layer]()
        """Those after the first, by the number of actions; they are used again."""
        self._pace = Pace(SLICE, 1_000, least=100)
        size = runner.written.rows.first_size
        self._m, self._held = self._instance.room("numbers", size), self._instance.room("numbers", size)

    def count(self, nodes: Sequence[tuple[Node, int]], depth: int, tell: Tell) -> list[int]:
        """How many sequences of 2, 3, … `depth` actions begin in positions, each as often as it says."""
        self._tell = tell
        first = Layer(self._instance, len(nodes), *self._size)
        for number, (node, ways) in enumerate(nodes):
            if ways >= MOST:
                raise TooLarge("there are more sequences than are counted in code")
            first.put(number, node, self._places, ways)
        first.count = len(nodes)
        self._now = self._instance.numbers(nodes[0][0].cells), self._instance.words(nodes[0][0].words)
        self._counts = [0] * (depth - 1)
        self._done = 0
        if depth > 1:
            self._from(first, 0)
        return self._counts

    def _from(self, layer: Layer, index: int) -> None:
        """Count all that begins in a layer: the first count that it adds to has this index."""
        last = index + 1 == len(self._counts)
        into = self._instance.numbers([0] * 7)
        total = self._instance.room("reals", 1)
        if last:
            after = Layer(self._instance, 1, *self._size)
        elif index < len(self._layers):
            after = self._layers[index]
        else:
            after = Layer(self._instance, self._room, *self._size)
            self._layers.append(after)
        while True:
            status = self._fill(layer, after, last, into, total, index == 0)
            self._counts[index] += int(into[3])
            into[3] = 0
            if not last and after.count:
                self._from(after, index + 1)
            if status == DONE:
                return

    def _fill(self, layer: Layer, after: Layer, last: bool, into: Any, total: Any, first: bool) -> int:
        """Follow a layer until it is done or the next one is full."""
        into[2], seats = 0, after.emptied()
        while True:
            began = time.perf_counter()
            watchdog.step()
            now = (*self._now, self._source(), self._m), self._held, (self._asked, self._picks), into, total
            layers = layer.arrays, after.arrays, seats
            status = int(self._follow(layer.count, self._pace.step, last, layers, *now))
            after.count = int(into[2])
            if total[0] >= MOST:
                raise TooLarge("there are more sequences than are counted in code")
            if first:
                self._done = int(into[0])
            self._tell(self._done)
            if status in (DONE, ROOM):
                return status
            if status == WIDE:
                raise TooLarge("chance is asked too often")
            if status == FULL:
                self._m = wider(self._instance, self._m, self._runner.written)
                self._held = self._instance.room("numbers", len(self._m))
            elif status == ASKS:
                self._told(*(int(x) for x in into[4:]))
            else:
                self._pace.took(time.perf_counter() - began)

    def _source(self) -> Any:
        return self._instance.words([1, *[0] * (kit.FIRST + PICKS)])

    def _told(self, draw: int, pick: int, among: int) -> None:
        """Work out what a pick of a draw gives, after those before it; what followed another is forgotten."""
        first = draw * PICKS
        picker = random.Random(f"{self._seed}/{draw}").randrange
        for at in range(first, first + pick):
            picker(int(self._asked[at]))
        self._asked[first + pick], self._picks[first + pick] = among, picker(among)
        self._asked[first + pick + 1 : first + PICKS] = [0] * (PICKS - pick - 1)


def given(runner: Runner) -> Beside:
    """The constants of the game for the kernel."""
    places = runner.kept_words
    return {**declared(runner.written), "KEPT_WORDS": len(places), "PLACES": table("PLACES", places)}
