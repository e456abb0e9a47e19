"""Breadth-first exploration by generated code: states are found, counted, evaluated and played to.

States are found breadth-first, layer by layer, so the number of a state never falls with its depth. They
are kept as packed rows with the number of the state from which each was first reached; a row of one word
takes 20 to 40 bytes in all. A space can be grown, asked, and grown further.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from rulespec.budgets import OutOfBudget
from rulespec.code import Instance, Node, Runner, TooLarge
from rulespec.code.pacing import Pace
from rulespec.code.plies import FULL
from rulespec.code.runner import wider
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.symmetry import Symmetry
from rulespec.kernels.chance import MOST_PICKS
from rulespec.kernels.exploration import DONE, OUTS_FULL, PAUSED, ROOM, STARTS_FULL, WAYS_FULL
from rulespec.kernels.kit import FIRST, GIVEN
from rulespec.play.machine import Ply
from rulespec.play.position import Move, Position
from rulespec.play.replayed_chance import ReplayedChance, in_order

from .chance_outcomes import outcomes
from .exploration_code import STOPPED, exploration_code
from .interpreter_states import digest_of_sums
from .states import Limit, Question, States, Stopped, without_draw_count
from .symmetry_reduction import SymmetryReduction

SLICE = 0.05
"""About how many seconds pass between two looks at a budget."""
FIRST_ROOM = 1 << 10


class CodeStates(States):
    """The states of a game, found by its generated code; see `States`.

    `asked` are conditions and numbers over the state, `chance` the outcomes of a known deal (they must
    suffice for the setup). Of each orbit under `symmetries` (a whole group)
    one representative is stored; see `SymmetryReduction` for the checks that justify it, for `shown` and
    `watches`, and for the errors raised where a check fails. Raises TooLarge where the game has no code.
    """

    engine = "generated code"

    def __init__(
        self,
        game: Game,
        asked: Mapping[str, n.Expr] | None = None,
        chance: tuple[str, ...] | None = None,
        *,
        ways: bool = False,
        symmetries: Sequence[Symmetry] = (),
        shown: bool = False,
        watches: bool = False,
        cost: str = "",
    ) -> None:
        super().__init__(game, chance, cost)
        self.keeps = ways
        self.code = code = exploration_code(game, asked or {})
        self.runner, self.layout = code.runner, code.layout
        self.instance = Instance(code.written)
        self.names = self.instance.beside(code.beside, "exploration", "symmetries")
        self.folding = SymmetryReduction(self, symmetries, shown, watches)
        self._all_counts: list[int] = []
        self._arrays(code.written.rows.first_size)

    def _arrays(self, buffer: int) -> None:
        room = self.instance.room
        cells, words = self.runner.encode(self.machine.initial().values)
        self._first = self.instance.numbers(cells), self.instance.words(words)
        self._s, self._b = self.instance.numbers(cells), self.instance.words(words)
        self._c = self.instance.words([1, *[0] * (6 + MOST_PICKS)])
        self._radix = room("numbers", 2 * MOST_PICKS)
        self._picked = (
            self._c.copy(),
            self._radix.copy(),
        )  # the state of the enumeration of outcomes between calls
        self._m, self._kept = room("numbers", buffer), room("numbers", buffer)
        self._row, self._into = room("words", self.layout.width), room("numbers", 10)
        self.room = FIRST_ROOM
        self.rows = room("words", self.room * self.layout.width)
        self.parents = room("small", self.room)
        self.table = room("small", 2 * self.room)
        self._order = room("small", 0)  # in which states are followed; none where by their numbers
        self.firsts = room("numbers", self.room + 1 if self.keeps else 0)
        self.ways = room("numbers", 4 * self.room if self.keeps else 0)
        self.outs = room("small", 4 * self.room if self.keeps else 0)
        chancy = self.keeps and self.game.has_chance
        self.odds = room("numbers", 4 * self.room if chancy else 0)
        dealt = self.game.has_chance and (self.keeps or bool(self.folding.elements))
        self._begun_at = room("small", self.room if dealt else 0)
        self._begun_odds = room("numbers", self.room if dealt else 0)

    # ---- growing

    @property
    def all_counts(self) -> list[int]:
        """The number of states that are new at each depth, with all that those kept stand for."""
        return self._all_counts

    @property
    def states(self) -> int:
        """The number of states known."""
        return int(self._into[0])

    @property
    def followed(self) -> int:
        """The number of states that were expanded."""
        return int(self._into[1])

    @property
    def _followed_outcomes(self) -> int:
        return int(self._into[6])

    def _follow(self, last: int, limit: Limit, most: int) -> None:
        pace = Pace(SLICE)
        while self.followed < last:
            with pace as step:
                self._follow_some(min(last, self.followed + step), limit, most)
        if self.keeps:  # the end of the ways of the last state
            self.firsts[last] = self._into[2]
            self.ways[int(self._into[2])] = self._into[3]

    def _follow_some(self, upto: int, limit: Limit, most: int) -> None:
        """The same for a few states; one with many outcomes is followed in several steps."""
        pace = Pace(SLICE)
        while self.followed < upto:
            self._check(limit, most)
            with pace as outcomes:
                code = self.folding.compare(upto) or self._expand(upto, outcomes)
            if code not in (DONE, PAUSED):
                self._mend(code)

    def _plan(self, numbers: Sequence[int]) -> None:
        planned = self._planned + len(numbers)
        if planned > len(self._order):
            more = self.instance.room("small", 2 * planned)
            more[: self._planned] = self._order[: self._planned]
            self._order = more
        self._order[self._planned : planned] = numbers

    def _count(self) -> None:
        sizes = self.orbit_sizes(self.seen) if self.folding.folds else ()
        super()._count()
        self._all_counts.append(sum(sizes) if self.folding.folds else self.counts[-1])

    def _begin(self, limit: Limit, most: int) -> None:
        if self.chance is not None:
            for ply in outcomes(self.machine.start, self.chance):
                self._add(self.layout.row_of(without_draw_count(ply.position)))
        else:
            self._begin_by_code(limit, most)
        self.folding.begin()

    def _begin_by_code(self, limit: Limit, most: int) -> None:
        pace, code = Pace(SLICE), PAUSED
        while code != DONE:
            self._check(limit, most)
            with pace as step:
                begun = self._into, self._begun_at, self._begun_odds, int(self._into[4]) + step
                code = int(self.names["begin"](self._first, self._known, self._resumed, *begun))
            if code not in (DONE, PAUSED):
                self._mend(code)

    def _add(self, row: tuple[int, ...]) -> None:
        if self.states == self.room:
            self._more_room(ROOM)
        self._row[:] = self.instance.words(row)
        self.names["number_of"](self._known, self._row, -1, self._into)

    def begin_again(self, rows: Sequence[tuple[int, ...]]) -> None:
        """Put other rows in the place of those in which plays begin, one for each."""
        self._into[0] = 0
        self.table = self.instance.room("small", 2 * self.room)
        numbers: dict[tuple[int, ...], int] = {}
        for row in rows:
            if row not in numbers:
                numbers[row] = len(numbers)
                self._add(row)
        if len(self._begun_at):
            for i in range(int(self._into[4])):
                self._begun_at[i] = numbers[rows[int(self._begun_at[i])]]

    @property
    def scratch(self) -> tuple[Any, ...]:
        """Working arrays of plies: a state, chance, two lists of actions, a row, outcomes of picks."""
        return self._s, self._b, self._c, self._m, self._kept, self._row, self._radix

    @property
    def _resumed(self) -> tuple[Any, ...]:
        """The same with the chance that enumerates outcomes from call to call."""
        c, radix = self._picked
        return self._s, self._b, c, self._m, self._kept, self._row, radix

    @property
    def _known(self) -> tuple[Any, ...]:
        """The table, the rows and their parents."""
        return self.table, self.rows, self.parents

    def _expand(self, last: int, outcomes: int) -> int:
        edges = self.firsts, self.ways, self.outs, self.odds
        now = self._known, self._resumed, self._into, edges, self.folding.keeping
        result: int = self.names["expand"](last, self._order, *now, outcomes)
        return result

    def _mend(self, code: int) -> None:
        """Make room where `code`, the status of the kernel, says that it is missing. Raises Stopped."""
        if code in STOPPED:
            raise Stopped(STOPPED[code])
        try:
            if code == FULL:
                self.wider()
            else:
                self._more_room(code)
        except (OutOfBudget, TooLarge) as out:
            raise Stopped(str(out)) from None

    def wider(self) -> None:
        """Make room for twice as many legal actions. TooLarge where that would be too much."""
        self._m = wider(self.instance, self._m, self.runner.written)
        self._kept = self.instance.room("numbers", len(self._m))

    def _more_room(self, code: int) -> None:
        """Double the array that is full."""
        if code == ROOM:
            rows, parents = self.doubled("words", self.rows), self.doubled("small", self.parents)
            firsts = self.doubled("numbers", self.firsts) if self.keeps else self.firsts
            self.table = self.instance.room("small", 4 * self.room)
            self.room, self.rows, self.parents, self.firsts = 2 * self.room, rows, parents, firsts
            self.names["seat_all"](self.table, self.rows, self.states)
        elif code == STARTS_FULL:
            self._begun_at = self.doubled("small", self._begun_at)
            self._begun_odds = self.doubled("numbers", self._begun_odds)
        elif code == WAYS_FULL:
            self.ways = self.doubled("numbers", self.ways)
        elif code == OUTS_FULL:
            self.outs = self.doubled("small", self.outs)
            if len(self.odds):
                self.odds = self.doubled("numbers", self.odds)
        else:
            raise AssertionError(f"code came back with {code}")

    def doubled(self, kind: str, held: Any) -> Any:
        """An array of a kind with what it holds and room for as much again."""
        more = self.instance.room(kind, 2 * len(held))
        more[: len(held)] = held
        return more

    @property
    def bytes(self) -> int:
        """The bytes that the arrays take."""
        wide = (self.rows, self.firsts, self.ways, self.odds)
        small = (self.parents, self.table, self.outs)
        return 8 * sum(map(len, wide)) + 4 * sum(map(len, small))

    def starts(self) -> list[tuple[int, int]]:
        """The outcomes of the setup: each a state, and what its probability is one of."""
        if self.chance is not None or not len(self._begun_at):
            first = self.counts[0] if self.counts else self.states
            return [(i, first) for i in range(first)]
        return [(int(self._begun_at[i]), int(self._begun_odds[i])) for i in range(int(self._into[4]))]

    def look_ahead(self, first: int, last: int, marks: Sequence[int]) -> int:
        """Mark states from the first to before the last that an action can lead from to a marked one.

        The last comes first. How many are left unmarked. All states must be known.
        """
        now = self._known, self.scratch, self.folding.keeping
        result: int = self.names["look_ahead"](first, last, *now, marks)
        return result

    # ---- asking

    def scan(self, question: Question, first: int = 0, last: int | None = None) -> Any:
        """The answers to a question; see `States.scan`."""
        last = self.states if last is None else last
        self.folding.even(question, last)
        return self.scan_rows(question, self.rows, first, last)

    def scan_rows(self, question: Question, rows: Any, first: int, last: int) -> Any:
        """The same for states whose rows are given, whether or not they are known."""
        notes = self.instance.room("numbers", last - first)
        number = self.code.number_of[question]
        self.names["scan"](number, first, last, rows, self._s, self._b, notes)
        return notes

    def orbit_sizes(self, first: int = 0, last: int | None = None) -> Sequence[int]:
        """The sizes of orbits; see `States.orbit_sizes`."""
        return self.folding.sizes(first, self.states if last is None else last)

    def row(self, number: int) -> tuple[int, ...]:
        """The row of a state."""
        size = self.layout.width
        return tuple(map(int, self.rows[number * size : (number + 1) * size]))

    def position(self, number: int) -> Position:
        """A state as the interpreter has it."""
        return self.layout.position(self.row(number))

    def digest(self, last: int | None = None) -> str:
        """A digest of the set of states, or of the first so many, with all that they stand for."""
        result, last = self.instance.room("words", 4), self.states if last is None else last
        images = self.instance.room("words", max(1, len(self.folding.elements)) * self.layout.width)
        self.names["sums"](self.rows, last, self.folding.keeping, images, result)
        return digest_of_sums([int(x) for x in result])

    # ---- plays

    def _is(self, position: Position, number: int) -> bool:
        return tuple(map(int, self.folding.least(self._row_of(position)))) == self.row(number)

    def _row_of(self, position: Position) -> Any:
        """The row of a position, as an array."""
        return self.instance.words(self.layout.row_of(without_draw_count(position)))

    def _start(self, number: int) -> Ply:
        if self.chance is not None:
            return super()._start(number)
        if self.names["origin"](self._first, self.rows, number, self.scratch, self.folding.keeping) < 0:
            raise LookupError("no outcome of chance leads there")
        return self.machine.start(self._picked_chance())

    def _step(self, position: Position, to: int) -> tuple[Move, Ply]:
        before = self._row_of(position)
        at = int(self.names["step_to"](before, self.rows, to, self.scratch, self.folding.keeping))
        if at < 0:
            raise LookupError("no action leads there")
        width = self.runner.written.width
        (move,) = moves_of(self.runner, self._kept[at * width : (at + 1) * width])
        return move, self.machine.play(position, move, self._picked_chance())

    def _picked_chance(self) -> ReplayedChance:
        """The chance of a ply that the kernel left in the working arrays."""
        picks = defaultdict[int, list[int]](list)
        for i in range(int(self._c[GIVEN])):
            picks[int(self._radix[MOST_PICKS + i]) - 1].append(int(self._c[FIRST + i]))
        return ReplayedChance(lambda number: in_order(picks[number]))


def moves_of(runner: Runner, rows: Sequence[int]) -> list[Move]:
    """The moves of actions in rows of the code, one row after the other."""
    width = runner.written.width
    plies = (list(map(int, rows[at : at + width])) for at in range(0, len(rows), width))
    return [Move(*next(runner.moves(Node((), (), 0, row, 1)))) for row in plies]
