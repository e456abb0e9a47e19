"""MTD(f): the value of best play from a state by null-window searches with a transposition table.

Values are exact. The table holds whole states, not hashes of them; if it may not grow, it replaces those with
least work. Positions must not repeat; if one does, no value is given. Proved symmetries may be used: one
state represents its orbit. (Plaat, Schaeffer, Pijls, de Bruin 1996.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from math import inf
from random import Random
from typing import Any

from rulespec.code import TooLarge
from rulespec.code.bindings import NONE
from rulespec.code.body import B, S
from rulespec.code.codes import WORD
from rulespec.code.execution.kernel_names import call_question, function_returning
from rulespec.code.execution.pacing import Pace
from rulespec.code.packed_rows.fields import RowFields
from rulespec.code.plies import FULL
from rulespec.core.game import Game
from rulespec.core.sides import bits, maximising_side, minimising_side
from rulespec.core.winners import TOGETHER, shared_win_is_apart
from rulespec.kernels import alphabeta as ab
from rulespec.kernels.exploration import DONE, PAUSED, ROOM
from rulespec.kernels.kit import STATE
from rulespec.kernels.transpositions import MOST_FILTERED, MOST_WORK, UNKNOWN
from rulespec.machine import form as f
from rulespec.machine.builder import Builder, choose, equal
from rulespec.play.position import Position

from .code_states import SLICE, CodeStates
from .exploration_code import ExplorationCode, declarations
from .states import NO_RESULT, Limit, NoValue, Row
from .symmetry_reduction import NotInvariant

FIRST_SEATS, FIRST_OPEN, FIRST_WAY = 1 << 18, 1 << 10, 1 << 6
"""The initial capacities in states: of the table, of open actions, of the path."""

FULLEST = 0.8
"""Maximum share of seats taken before the table grows."""

PLUNGE = 50_000
"""A search that expands at most this many states needs no learned move order."""
BLOCK, MOST_BLOCKS = 1 << 10, 1 << 12
"""States are sampled from the table in blocks of `BLOCK` seats, from at most `MOST_BLOCKS` blocks."""
SAMPLES, AT_ONCE, MOST_PLIES = 20_000, 400, 200
"""A measure is learned from `SAMPLES` random plays, `AT_ONCE` between two checks of the limit, each of at
most `MOST_PLIES` plies."""
TRIAL, SHARE = 100_000, 3
"""A trial of move orders ends once one has expanded `TRIAL` states, and its test after `SHARE` times as
many. The measure is dropped if it expands more than `SHARE` times as many as the history alone: trials are
small, and the measure pays more in large searches."""

WHY = {
    ab.CYCLE: "a position can come back, which a search with memory cannot judge",
    ab.CHANCE: "chance has a part in the actions",
    ab.FAULTY: NO_RESULT,
    ab.WILD: "an end is worth too large a number",
}


def _worth(game: Game, code: ExplorationCode, name: str | None) -> f.Function:
    """The function of a game for the value of an end; see `MtdSearch`.

    A shared win has no value if there may be no winner: the search then ends, because it differs from a draw.
    """
    body, won = Builder(), f.Call(f.WORD, "winners", (S, B))
    x = body.local("x", f.WORD if name is None else f.NUMBER)
    body.set(x, won if name is None else call_question(code.written, name))
    other = choose(equal(x, 0), 0, UNKNOWN) if shared_win_is_apart(game) else 0
    most, least = bits(maximising_side(game)), bits(minimising_side(game))
    alone = choose(equal(x, most), 1, choose(equal(x, least), -1, other) if least else other)
    return function_returning("worth", alone if name is None else choose(equal(x, NONE), 0, x), body=body)


def _seats(layout: RowFields, within: tuple[int, int]) -> dict[str, int]:
    """The kernel's constants for the seats of the transposition table."""
    bits, used, words = (within[1] - within[0]).bit_length(), WORD - layout.free, layout.width
    shared = 2 * bits + MOST_WORK.bit_length() <= layout.free
    return {
        "LEAST": within[0], "GREATEST": within[1], "VALUE_BITS": bits, "SEAT": words + (not shared),
        "NOTE_SHIFT": used if shared else 0, "KEY_BITS": (1 << used) - 1 if layout.free else -1,
    }  # fmt: skip


class MtdSearch:
    """A transposition table with bounds of the values of states, and the MTD(f) search that fills it.

    `space` contains the states in which play begins. The value of an end is the answer to the question
    `name`, or without one 1 if player 1 alone has won, -1 if player 2 has, else 0. All values lie `within`
    two numbers. The table grows while there is `room` for that many more bytes.
    """

    def __init__(
        self, space: CodeStates, name: str | None, within: tuple[int, int], room: Callable[[int], bool]
    ) -> None:
        self.space, self._name, self._within, self._may_take = space, name, within, room
        layout = RowFields(space.runner, goes_on=True)
        seats = _seats(layout, within)
        worth = _worth(space.game, space.code, name)
        given = {**declarations(space.code.written, layout), **seats, "worth": worth}
        self._names = space.instance.beside(given, "alphabeta", "transpositions")
        self._seat = seats["SEAT"]
        self._width, make = layout.width, space.instance.room
        self._images = space.folding.of_rows(layout)
        self._into, self._row = make("numbers", 7), make("words", self._width)
        self._order = make("numbers", ab.BITS + 64 * self._width), make("numbers", ab.HISTORY)
        self._way = (
            make("words", FIRST_WAY * self._width), make("words", FIRST_WAY * self._width),
            make("numbers", FIRST_WAY * ab.FRAME), make("numbers", FIRST_WAY * space.code.written.width),
        )  # fmt: skip
        nums = (make("numbers", FIRST_OPEN) for _ in range(3))
        self._open = *nums, make("words", FIRST_OPEN * self._width)
        self._counts = make("numbers", ab.KINDS)
        self.seats = FIRST_SEATS
        """The capacity of the table in states."""
        self._clear()
        self._learned = False
        self.stopped = ""
        """The limit that was reached, in words."""

    def apart(self) -> MtdSearch:
        """A copy of this search with its own empty table, which tests of limited depth need."""
        other = copy(self)
        other._into, other.seats = self.space.instance.room("numbers", 7), FIRST_SEATS
        other._clear()
        return other

    def _clear(self) -> None:
        self._table = self.space.instance.room("vast words", self.seats * self._seat), self._bloom()
        self._into[ab.KNOWN] = 0
        self._most = int(self.seats * FULLEST)

    def _bloom(self) -> Any:
        """A filter for the existing seats; empty if there are many."""
        return self.space.instance.room("words", 2 * self.seats // WORD * (self.seats <= MOST_FILTERED))

    def sample_states(self, random: Random) -> Iterator[Row]:
        """States that the search visited: those in the table, and after each one a random successor.

        They come in random order, by blocks of seats, which hashes determine. The table does not hold states
        before an end, so these are among the successors.
        """
        space, first, seats = self.space, self.space.instance.words(self.space.row(0)), min(BLOCK, self.seats)
        found, blocks = space.instance.room("numbers", seats), self.seats // seats
        for block in random.sample(range(blocks), min(blocks, MOST_BLOCKS)):
            begin = block * seats
            numbers = list(found[: int(self._names["seats_taken"](self._table, begin, begin + seats, found))])
            random.shuffle(numbers)
            for number in numbers:
                space.names["load_state"](first, space.scratch)
                self._names["state_in"](self._table, number, self._now)
                row = space.layout.row_of(Position(space.runner.decode(*space.scratch[:2])))
                yield row
                after = [x for x in space.followers(row) if not RowFields.number(space.layout.ended, x)]
                if after:
                    yield random.choice(after)

    @property
    def expanded_count(self) -> int:
        """The number of state expansions."""
        return int(self._into[ab.FOLLOWED])

    @property
    def stored_count(self) -> int:
        """The number of states that the table holds."""
        return int(self._into[ab.KNOWN])

    def _begin(self, row: Sequence[int]) -> None:
        """Begin the path with the state of a row."""
        self.space.names["load_state"](self.space.instance.words(row), self.space.scratch)
        self._names["begin"](self._way, self._counts, self._now, self._images)

    @property
    def _now(self) -> tuple[Any, ...]:
        return *self.space.scratch[:5], self._row, self.space.scratch[6]

    def bounds(self, row: Sequence[int]) -> tuple[int, int, int]:
        """The bounds of a state's value in the table, and the work behind them; work 0 if it has none."""
        self._begin(row)
        work = self._names["bounds_of"](self._table, self._way, self._into)
        return int(self._into[ab.LOW]), int(self._into[ab.HIGH]), int(work)

    def settle(self, row: Sequence[int], guess: int, limit: Limit) -> tuple[int, int]:
        """The lower and upper bounds of the value of a state that is not over.

        They are equal unless a limit was reached. Tests begin with the `guess`. Raises NoValue, and
        NotInvariant if symmetric states have different values.
        """
        low, high = self._within
        gamma = min(max(guess, low + 1), high)
        while low < high:
            learned, self._learned = self._learned, True
            result = self.test(row, gamma, limit, inf if learned else PLUNGE)
            if not learned and result[0] < gamma <= result[1] and not self.stopped:
                self._begin(row)
                self._learn(gamma, limit)
                continue
            low, high = max(low, result[0]), min(high, result[1])
            if self.stopped:
                break
            gamma = low + 1 if low >= gamma else high
        return low, high

    def test(
        self, row: Sequence[int], gamma: int, limit: Limit, most: float = inf, plies: int = 0
    ) -> tuple[int, int]:
        """The bounds that one null-window test proves, expanding at most `most` states.

        With `plies`, plays not ended after so many count as too low for player 1, or for player 2 if it is
        negative, and bounds against that player prove nothing. Raises NoValue and NotInvariant.
        """
        self._begin(row)
        self._into[ab.PLIES] = plies
        return self._test_first(gamma, limit, most)

    def _test_first(self, gamma: int, limit: Limit, most: float) -> tuple[int, int]:
        """Test the first state of the path; returns its bounds, as `settle` does."""
        into, pace, last = self._into, Pace(SLICE), self.expanded_count + most
        into[ab.PLY] = into[ab.PHASE] = 0
        self._way[2][ab.BEGAN] = self.expanded_count
        while True:
            self.stopped = limit()
            if self.stopped or self.expanded_count >= last:
                return -UNKNOWN, UNKNOWN
            with pace as step:
                state = self._counts, self._now, self._images, into
                held = self._way, self._open, self._table, self._order, *state
                upto = int(min(self.expanded_count + step, last))
                code = int(self._names["test"](gamma, upto, self._most, held))
            if code == DONE:
                return int(into[ab.LOW]), int(into[ab.HIGH])
            if code != PAUSED and not self._make_room(code):
                return -UNKNOWN, UNKNOWN

    # ---- the order in which actions are looked into

    def _learn(self, gamma: int, limit: Limit) -> None:
        """Learn a measure, and test on states from random plays if it is better than the history table alone.

        States late in a play, whose tests are small, come first.
        """
        make, root, width = self.space.instance.room, list(self._way[0][: self._width]), self._width
        measure = self._measure(gamma, limit)
        measures = make("numbers", ab.BITS + 64 * width), measure.copy()
        orders = [(held, make("numbers", ab.HISTORY)) for held in measures]
        works, plies = [0, 0], 0
        while plies < MOST_PLIES and self._names["wander"](plies, self._way, self._now) > 0:
            plies += 1
        while plies > 0 and max(works) < TRIAL and not self.stopped:
            plies -= 1
            self._way[0][:width] = root
            if self._names["wander"](plies, self._way, self._now) > 0:
                self._names["begin"](self._way, self._counts, self._now, self._images)
                for i, self._order in enumerate(orders):
                    self._clear()
                    before = self.expanded_count
                    self._test_first(gamma, limit, SHARE * TRIAL)
                    works[i] += self.expanded_count - before
        self._order = orders[0]
        if works[1] <= SHARE * works[0]:  # as random plays gave it: other states have taught the trial
            self._order = measure, make("numbers", ab.HISTORY)
        self._clear()

    def _measure(self, gamma: int, limit: Limit) -> Any:
        """A measure of states that the search may teach.

        Random plays from the first state of the path initialise it: for each bit of a row, the surplus of
        ends worth `gamma` among those in which it is set.
        """
        make, bits = self.space.instance.room, 64 * self._width
        sums, measure = make("numbers", 2 * (1 + bits)), make("numbers", ab.BITS + bits)
        self.space.scratch[2][STATE] = 1
        for _ in range(0, SAMPLES, AT_ONCE):
            if not limit():
                self._names["sample"](gamma, AT_ONCE, MOST_PLIES, self._way, self._now, self._images, sums)
        for bit in range(bits):
            if held := sums[2 * bit + 2]:
                measure[ab.BITS + bit] = round(ab.UNIT * (sums[2 * bit + 3] / held - sums[1] / sums[0]))
        measure[ab.TAUGHT] = 1
        return measure

    # ---- room

    def _make_room(self, code: int) -> bool:
        """Make the room that is missing; if that fails, record the limit and return False.

        Raises NoValue, NotInvariant.
        """
        wider = {
            ab.NARROW: lambda: self.space.double(*self._open),
            ab.DEEP: lambda: self.space.double(*self._way),
            FULL: self.space.wider,
        }
        if code == ROOM:
            self._grow()
        elif code in wider:
            try:
                wider[code]()
            except TooLarge as many:
                raise NoValue(str(many)) from None
        elif code == ab.UNEVEN:
            raise NotInvariant("what an end is worth")
        else:
            shared = code == ab.WILD and self._name is None
            raise NoValue(TOGETHER if shared else WHY[code])
        return not self.stopped

    def _grow(self) -> None:
        """Give the table more seats, or stop its growth if there is no memory."""
        if self._may_take(8 * self.seats * self._seat):
            try:
                self.space.double(self._table[0])
            except TooLarge:
                pass
            else:
                self.seats *= 2
                self._table = self._table[0], self._bloom()
                self._names["split"](self._table, self.seats // 2, self._row)
                self._most *= 2
                return
        self._most = self.seats
