"""Counting sequences of actions by compiled code: layer after layer, equal positions merged, in little room.

A layer holds positions with the number of ways to each. Following it fills the next one; where that is full,
it is counted to the end before the first is gone on with. So as much is merged as there is room for, and no
more room is taken, whatever the depth.
"""

from __future__ import annotations

import random
import textwrap
import time
from collections.abc import Callable, Sequence
from typing import Any

from ..budgets import watchdog
from . import kit
from .codes import TooLarge
from .compiling import Compiled
from .pacing import Pace
from .plies import FULL
from .runner import Node, Runner, wider

Tell = Callable[[int], None]
"""Told now and then how many positions of the first layer are done; it may raise what ends the count."""

DONE, LATER, ROOM, ASKS, WIDE = 0, 1, -3, -4, -5
"""Why the text came back: all is followed; so many plies were played; the next layer is full; it must be told
what chance gives; chance is asked more often than is kept count of."""
BYTES = 1 << 26
"""So much room a layer may take."""
MOST_POSITIONS = 1 << 18
DRAWS, PICKS = 1 << 12, 64
"""Of so many draws of a play it is kept what they gave, of each so many picks; in one ply there are at most
as many picks."""
SLICE = 0.2
"""About how many seconds pass between two words on progress."""
MOST = float(1 << 62)
"""What is counted in whole numbers of 64 bits stays below this."""


class Layer:
    """Positions and the number of ways to each, as arrays."""

    def __init__(self, room: int, cells: int, words: int) -> None:
        made, self.count = Compiled.room, 0
        self.arrays = (
            made("numbers", room * cells),
            made("words", room * words),
            made("words", room),
            made("numbers", room),
        )
        self.seats = made("small", 1 << (2 * room - 1).bit_length())

    def put(self, number: int, node: Node, places: Sequence[int], ways: int) -> None:
        """Write a position down."""
        cells, words, draws, held = self.arrays
        size = len(cells) // len(held)
        cells[number * size : (number + 1) * size] = node.cells[:size]
        words[number * len(places) : (number + 1) * len(places)] = node.words[places]
        draws[number], held[number] = node.draws, ways


class Walk:
    """Counts by the code of a game, which must be compiled. Draw n is in every branch that of the seed.

    TooLarge where a position has too many legal actions, or more is counted than fits.
    """

    def __init__(self, runner: Runner, seed: str, tell: Tell) -> None:
        self._runner, self._seed, self._tell = runner, seed, tell
        self._follow = Compiled.beside(runner.written, _text(runner))["follow"]
        self._places = runner.kept_words
        self._size = runner.program.state_cells, len(self._places)
        self._room = max(64, min(MOST_POSITIONS, BYTES // (8 * (sum(self._size) + 4))))
        self._asked = Compiled.room("numbers", DRAWS * PICKS)
        self._picks = Compiled.room("numbers", DRAWS * PICKS)
        self._pace = Pace(SLICE, 1_000, least=100)
        size = runner.written.rows.first_size
        self._m, self._held = Compiled.room("numbers", size), Compiled.room("numbers", size)

    def count(self, nodes: Sequence[tuple[Node, int]], depth: int) -> list[int]:
        """How many sequences of 2, 3, … `depth` actions begin in positions, each as often as it says."""
        first = Layer(len(nodes), *self._size)
        for number, (node, ways) in enumerate(nodes):
            if ways >= MOST:
                raise TooLarge("there are more sequences than are counted in code")
            first.put(number, node, self._places, ways)
        first.count = len(nodes)
        self._now = nodes[0][0].cells.copy(), nodes[0][0].words.copy()
        self._counts = [0] * (depth - 1)
        self._done = 0
        if depth > 1:
            self._from(first, 0)
        return self._counts

    def _from(self, layer: Layer, index: int) -> None:
        """Count all that begins in a layer: the first count that it adds to has this index."""
        last = index + 1 == len(self._counts)
        into = Compiled.numbers([0] * 7)
        total = Compiled.room("reals", 1)
        while True:
            after = Layer(1 if last else self._room, *self._size)
            status = self._fill(layer, after, last, into, total, index == 0)
            self._counts[index] += int(into[3])
            into[3] = 0
            if not last and after.count:
                self._from(after, index + 1)
            if status == DONE:
                return

    def _fill(self, layer: Layer, after: Layer, last: bool, into: Any, total: Any, first: bool) -> int:
        """Follow a layer until it is done or the next one is full."""
        into[2] = 0
        while True:
            began = time.perf_counter()
            watchdog.step()
            status = int(
                self._follow(
                    layer.count, self._pace.step, last, layer.arrays, after.arrays, after.seats, *self._now,
                    self._source(), self._m, self._held, self._asked, self._picks, into, total,
                )
            )  # fmt: skip
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
                self._m = wider(Compiled, self._m, self._runner.written)
                self._held = Compiled.room("numbers", len(self._m))
            elif status == ASKS:
                self._told(*(int(x) for x in into[4:]))
            else:
                self._pace.took(time.perf_counter() - began)

    def _source(self) -> Any:
        return Compiled.words([1, *[0] * (kit.FIRST + PICKS)])

    def _told(self, draw: int, pick: int, among: int) -> None:
        """Work out what a pick of a draw gives, after those before it; what followed another is forgotten."""
        first = draw * PICKS
        picker = random.Random(f"{self._seed}/{draw}").randrange
        for at in range(first, first + pick):
            picker(int(self._asked[at]))
        self._asked[first + pick], self._picks[first + pick] = among, picker(among)
        self._asked[first + pick + 1 : first + PICKS] = 0


def _text(runner: Runner) -> str:
    """The text for a game's code."""
    written, program = runner.written, runner.program
    places = textwrap.fill(f"PLACES = table({runner.kept_words or [0]})", 108, subsequent_indent="    ")
    constants = [
        f"CELLS, WORDS, WIDTH = {program.state_cells}, {len(runner.kept_words)}, {written.width}",
        f"SETTLING = {len(written.rows.actions) + 1}",
        f"DRAWS, PICKS = {DRAWS}, {PICKS}",
    ]
    return "\n".join([*constants, places, _FOLLOW])


_FOLLOW = '''

@part
def take(i, layer, s, b, c):
    """Put a position of a layer back."""
    cells, words, draws, _ = layer
    for k in range(CELLS):
        s[k] = cells[i * CELLS + k]
    for k in range(WORDS):
        b[PLACES[k]] = words[i * WORDS + k]
    c[1] = ZERO
    c[2] = ZERO
    c[3] = ZERO
    c[4] = ZERO
    c[5] = ZERO
    c[6] = draws[i]


@part
def enter(s, b, c, ways, layer, seats, into):
    """Take a position into a layer, which has room for it, or add to the ways of its equal."""
    cells, words, draws, held = layer
    h = mixed(c[6])
    for k in range(CELLS):
        h = mixed(h ^ as_word(s[k] & 0xFFFFFFFFFF))
    for k in range(WORDS):
        h = mixed(h ^ b[PLACES[k]])
    mask = len(seats) - 1
    at = as_number(h >> ONE) & mask
    while seats[at] != 0:
        i = seats[at] - 1
        k = 0
        while k < CELLS and cells[i * CELLS + k] == s[k]:
            k += 1
        if k == CELLS and draws[i] == c[6]:
            k = 0
            while k < WORDS and words[i * WORDS + k] == b[PLACES[k]]:
                k += 1
            if k == WORDS:
                held[i] += ways
                return
        at = (at + 1) & mask
    i = into[2]
    for k in range(CELLS):
        cells[i * CELLS + k] = s[k]
    for k in range(WORDS):
        words[i * WORDS + k] = b[PLACES[k]]
    draws[i] = c[6]
    held[i] = ways
    seats[at] = i + 1
    into[2] = i + 1


@part
def ply(i, j, layer, s, b, c, m, held, asked, picks, into):
    """Play action j of those in `held` from position i, chance giving what is known of it."""
    given, draw, first = 0, 0, 0
    while True:
        take(i, layer, s, b, c)
        c[2] = as_word(given)
        for k in range(WIDTH):
            m[k] = held[j * WIDTH + k]
        n = play(s, b, c, m, 0)
        if c[4] == ZERO:
            return n
        if as_number(c[5]) != draw:
            draw = as_number(c[5])
            first = given
        if draw > DRAWS or given == PICKS:
            return -5
        at = (draw - 1) * PICKS + given - first
        if asked[at] != as_number(c[4]):
            into[4] = draw - 1
            into[5] = given - first
            into[6] = as_number(c[4])
            return -4
        c[7 + given] = as_word(picks[at])
        given += 1


@fast
def follow(count, most, last, layer, after, seats, s, b, c, m, held, asked, picks, into, total):
    """Follow the positions of a layer from number into[0], there from action into[1], for so many plies.

    into[2]: how many positions the next layer has; into[3] and total[0]: how many sequences were counted.
    """
    plies = 0
    while into[0] < count:
        i = into[0]
        ways = layer[3][i]
        take(i, layer, s, b, c)
        m[0] = SETTLING
        n = play(s, b, c, m, 0)
        if n == -2:
            return n
        for k in range(n * WIDTH):
            held[k] = m[k]
        while into[1] < n:
            if plies == most:
                return 1
            if not last and into[2] == len(after[3]):
                return -3
            found = ply(i, into[1], layer, s, b, c, m, held, asked, picks, into)
            if found < -1:
                return found
            plies += 1
            into[1] += 1
            if found > 0:
                into[3] += ways * found
                total[0] += ways * found
                if not last:
                    enter(s, b, c, ways, after, seats, into)
        into[0] += 1
        into[1] = 0
    return 0
'''
