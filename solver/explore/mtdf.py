"""MTD(f): the value of best play from a state by null-window searches with a transposition table.

Values are exact. The table holds whole states, not hashes of them; where it may not grow, it replaces those
that took least work. Positions must not repeat; where one does, no value is given. Symmetries that were shown
beforehand may be used: one state represents its orbit. (Plaat, Schaeffer, Pijls, de Bruin 1996.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from rulespec.code import TooLarge
from rulespec.code.pacing import Pace
from rulespec.code.plies import FULL
from rulespec.kernels import alphabeta as ab
from rulespec.kernels.exploration import DONE, PAUSED, ROOM

from .code_states import SLICE, CodeStates
from .exploration_code import ExplorationCode
from .states import NO_RESULT, Limit, NoValue
from .symmetry_reduction import NotInvariant

FIRST_SEATS, FIRST_OPEN, FIRST_WAY = 1 << 16, 1 << 10, 1 << 6
"""The first capacities in states: of the table, of successors, of the path."""

FULLEST = 0.6
"""The share of the seats that are taken before the table grows."""

FIRST_PLIES = 2
"""The first bound on the plies of a test where these grow step by step."""

PLUNGE = 1_000
"""States followed with plays to their ends before the plies of a test are bounded."""

STEADY = 1.5
"""If one more ply costs at most this factor more work, plays are followed to the end."""


WHY = {
    ab.CYCLE: "a position can come back, which a search with memory cannot judge",
    ab.CHANCE: "chance has a part in the actions",
    ab.FAULTY: NO_RESULT,
    ab.WILD: "an end is worth too large a number",
}


def _worth(code: ExplorationCode, name: str | None) -> str:
    """The function of a game for the value of an end; see `MtdSearch`."""
    if name is None:
        value = "    w = as_number(winners(s, b))\n    return 1 if w == 2 else -1 if w == 4 else 0"
    else:
        value = f"    x = {code.written.asked[name][0]}(s, b)\n    return 0 if x == NONE else x"
    return f'\n\n@part\ndef worth(s, b):\n    """The value of an end."""\n{value}\n'


class MtdSearch:
    """A transposition table with bounds of the values of states, and the MTD(f) search that fills it.

    `space` is where plays begin. An end is worth what is asked by a `name` that the space knows, or without
    one 1 where player 1 alone has won, -1 where player 2 has, else 0. The table grows where there is `room`
    for so many more bytes.
    """

    def __init__(self, space: CodeStates, name: str | None, room: Callable[[int], bool]) -> None:
        self.space, self._may_take = space, room
        text = space.code.text + _worth(space.code, name)
        self._names = space.instance.beside(text, "alphabeta")
        self._width, make = space.layout.width, space.instance.room
        self._into, self._history = make("numbers", 6), make("numbers", 2 * ab.ACTS + ab.ANSWERS)
        self._tests: dict[tuple[int, int], int] = {}
        self._way = make("words", FIRST_WAY * self._width), make("numbers", FIRST_WAY * ab.FRAME)
        self._open = (
            make("words", FIRST_OPEN * self._width), make("numbers", FIRST_OPEN),
            make("numbers", FIRST_OPEN), make("small", FIRST_OPEN),
        )  # fmt: skip
        self.seats = FIRST_SEATS
        """The number of states that the table has room for."""
        self._clear()
        self.stopped = ""
        """Which limit was reached, in words."""

    def _clear(self) -> None:
        make, seats = self.space.instance.room, self.seats
        notes = make("small", seats * ab.NOTES)
        self._table = make("words", seats * self._width), make("small", seats), notes
        self._most = int(self.seats * FULLEST)

    @property
    def followed(self) -> int:
        """The number of times that the actions of a state were followed."""
        return int(self._into[ab.FOLLOWED])

    @property
    def known(self) -> int:
        """The number of states that the table holds."""
        return int(self._into[ab.KNOWN])

    def bounds(self, row: Sequence[int]) -> tuple[int, int, int]:
        """Between what the value of a state lies by the table, and what work that took; 0 if it has none."""
        least = self.space.folding.least(self.space.instance.words(row))
        work = self._names["bounds_of"](self._table, least, self._into)
        return int(self._into[ab.LOW]), int(self._into[ab.HIGH]), int(work)

    def settle(
        self, row: Sequence[int], within: tuple[int, int], guess: int, limit: Limit, early: bool
    ) -> tuple[int, int]:
        """Between what the value of a state lies, from where play goes on; one number unless a limit was met.

        It is known to lie `within` two numbers, and tests begin with the `guess`. What may be shown `early`
        in a play is sought with more and more plies. Raises NoValue, and NotInvariant where values of images
        differ.
        """
        low, high = within
        gamma = min(max(guess, low + 1), high)
        while low < high:
            result = self._tested(row, gamma, limit, early)
            low, high = max(low, result[0]), min(high, result[1])
            if self.stopped:
                break
            gamma = low + 1 if low >= gamma else high
        return low, high

    def _tested(self, row: Sequence[int], gamma: int, limit: Limit, early: bool) -> tuple[int, int]:
        """Bounds that show whether play comes to gamma, unless a limit was met.

        A plunge to the ends of plays comes first, for on the way there positions come back if they can.
        """
        plies, before = ab.LONGEST, 0
        if early:
            low, high = self.test(row, gamma, 1, ab.LONGEST, limit, PLUNGE)
            if low >= gamma or high < gamma or self.stopped:
                return low, high
            plies = FIRST_PLIES
        while True:
            began = self.followed
            for prover in (1, -1):
                low, high = self.test(row, gamma, prover, plies, limit)
                if low >= gamma or high < gamma or self.stopped:
                    return low, high
            spent = self.followed - began
            plies, before = ab.LONGEST if spent < STEADY * before else plies + 1, spent

    def test(
        self, row: Sequence[int], gamma: int, prover: int, plies: int, limit: Limit, most: float = inf
    ) -> tuple[int, int]:
        """The bounds that one null-window test shows, following at most so many states.

        Raises NoValue and NotInvariant.
        """
        last = self.followed + most
        number = self._tests.setdefault((gamma, prover), len(self._tests) + 1)
        into, pace, instance = self._into, Pace(SLICE), self.space.instance
        into[ab.PLY] = into[ab.PHASE] = 0
        self._way[0][: self._width] = self.space.folding.least(instance.words(row))
        self._way[1][: ab.FRAME] = instance.numbers([0, 0, 0, 0, 0, 0, plies, self.followed, 0, 0])
        while True:
            self.stopped = limit()
            if self.stopped or self.followed >= last:
                return -ab.UNKNOWN, ab.UNKNOWN
            with pace as step:
                upto, arrays = int(min(self.followed + step, last)), (self._way, self._open, self._table)
                now = self._history, self.space.scratch, self.space.folding.keeping, into
                code = int(self._names["test"](gamma, prover, number, upto, self._most, *arrays, *now))
            if code == DONE:
                return int(into[ab.LOW]), int(into[ab.HIGH])
            if code != PAUSED and not self._mended(code):
                return -ab.UNKNOWN, ab.UNKNOWN

    def _mended(self, code: int) -> bool:
        """Make room where that was the trouble; False where there is none to be had, which is told then."""
        doubled = self.space.doubled
        if code == ROOM:
            self._grow()
        elif code == ab.NARROW:
            kinds = "words", "numbers", "numbers", "small"
            self._open = tuple(map(doubled, kinds, self._open))
        elif code == ab.DEEP:
            self._way = doubled("words", self._way[0]), doubled("numbers", self._way[1])
        elif code == FULL:
            try:
                self.space.wider()
            except TooLarge as many:
                raise NoValue(str(many)) from None
        elif code == ab.UNEVEN:
            raise NotInvariant("what an end is worth")
        else:
            raise NoValue(WHY[code])
        return not self.stopped

    def _grow(self) -> None:
        """Give the table twice as many seats, or where there is no room for them let it forget."""
        if not self._may_take(2 * self.seats * (8 * self._width + 4 * (ab.NOTES + 1))):
            self._most = self.seats
            return
        old = self._table
        self.seats *= 2
        self._clear()
        self._names["move_all"](old, self._table, self._into)
