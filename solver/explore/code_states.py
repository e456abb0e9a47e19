"""Breadth-first exploration by generated code: finds, counts and evaluates states, and finds plays to them.

States are found layer by layer, so the number of a state never falls with its depth. They are stored as
packed rows, with a hash table of their numbers; a state of one word takes 13 to 16 bytes in all. A space can
be grown, queried, and grown further.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from rulespec.budgets import OutOfBudget
from rulespec.code import Instance, Node, Runner, TooLarge
from rulespec.code.execution.pacing import Pace
from rulespec.code.execution.runner import wider_buffer
from rulespec.code.plies import FULL
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.symmetry import Symmetry
from rulespec.kernels import exploration as kernel
from rulespec.kernels.chance import MOST_PICKS
from rulespec.kernels.exploration import BATCH, DONE, PAUSED, ROOM, SAMPLE
from rulespec.kernels.kit import FIRST, GIVEN
from rulespec.play.machine import Ply
from rulespec.play.position import Move, Position
from rulespec.play.replayed_chance import ReplayedChance, in_order

from .chance_outcomes import outcomes
from .exploration_code import STOPPED, exploration_code
from .interpreter_states import digest_of_sums
from .states import Limit, LimitReached, Question, Row, States, Unsound, without_draw_count
from .symmetry_reduction import SymmetryReduction

SLICE = 0.05
"""Approximate seconds between two checks of a budget."""
FIRST_ROOM = 1 << 10
SLACK = 64
"""Fraction of spare room allocated for states: rows grow in place, at no cost."""
DOUBLED = 1 << 16
"""Number of states up to which the room doubles, so that small explorations seldom grow."""
GROWTH = (1 << 16, 16, 1), (1 << 22, 4, 1), (1 << 32, 5, 3)
"""Factors by which a table grows, each up to a size. Growing moves all entries, and small tables
take little room."""
MOST_STATES = (1 << 31) - 2
"""Limit of the number of states: numbers fit into 32 bits."""


class CodeStates(States):
    """The states of a game, found by its generated code; see `States`.

    `asked` are conditions and numbers over the state, `chance` the outcomes of a known deal (they must
    suffice for the setup). Of each orbit under `symmetries` (a whole group) one representative is stored; see
    `SymmetryReduction` for the checks that justify it, for `shown` and `watches`, and for the errors if a
    check fails. Memory and kernels may be shared with another space, `like`, for the same game and questions.
    Raises TooLarge if the game has no code.
    """

    engine = "generated code"
    kernels: tuple[str, ...] = ("exploration", "symmetries")

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
        like: CodeStates | None = None,
    ) -> None:
        super().__init__(game, asked, chance, cost)
        self.keeps = ways
        self.code = code = exploration_code(game, self.asked)
        self.runner, self.layout = code.runner, code.layout
        self.instance = like.instance if like else Instance(code.written)
        self.names: dict[str, Any] = like.names if like else self.instance.beside(code.beside, *self.kernels)
        self.folding = SymmetryReduction(self, symmetries, shown, watches)
        self._all_counts: list[int] = []
        room = self.instance.room
        cells, words = self.runner.encode(self.machine.initial().values)
        self._first = self.instance.numbers(cells), self.instance.words(words)
        self._s, self._b = self.instance.numbers(2 * cells), self.instance.words(2 * words)
        self._c = self.instance.words([1, *[0] * (6 + MOST_PICKS)])
        self._radix = room("numbers", 2 * MOST_PICKS)
        self._picked = self._c.copy(), self._radix.copy()  # for the enumeration of outcomes between calls
        self._list_in(room("numbers", code.written.rows.first_size))
        self._row, self._into = room("words", 2 * self.layout.whole.width), room("numbers", kernel.PLACES)
        self._settled = 0
        """The number of states, from the first on, in which it is known whether anybody can act."""
        self.rows = room("vast words", FIRST_ROOM * self.layout.width)
        self._sources, self._ends = room("small", FIRST_ROOM), room("numbers", kernel.PARTS)
        wide = room("words", BATCH * self.layout.width)
        self._batch = wide, room("words", BATCH), room("numbers", 2 * BATCH)
        self._pace = Pace(SLICE)
        self._order = room("vast small", 0)  # in which states are followed; none where by their numbers
        edges = FIRST_ROOM if self.keeps else 0
        self.firsts, self.ways = room("vast numbers", edges), room("vast numbers", edges)
        self.outs = room("vast small", edges)
        self.odds = room("vast numbers", edges if self.game.has_chance else 0)
        dealt = self.game.has_chance and (self.keeps or bool(self.folding.elements))
        self._begun_at = room("vast small", FIRST_ROOM if dealt else 0)
        self._begun_odds = room("vast numbers", FIRST_ROOM if dealt else 0)
        self.table = room("vast small", 2 * FIRST_ROOM)  # the last of its memory, so it grows where it lies

    def _list_in(self, moves: Any) -> None:
        """Use an array for legal actions, and allocate others of the same size: stored actions, two lists
        of rows."""
        rows = len(moves) // self.runner.written.width * self.layout.width
        self._m, self._kept = moves, self.instance.room("numbers", len(moves))
        self.after = self.instance.room("words", rows), self.instance.room("words", rows)

    # ---- growing

    @property
    def all_counts(self) -> list[int]:
        """The number of new states at each depth, with all those that stored states represent."""
        return self._all_counts if self.folding.folds else self.counts

    @property
    def states(self) -> int:
        """The number of states known."""
        return int(self._into[kernel.STATES])

    @property
    def expanded_count(self) -> int:
        """The number of states that were expanded."""
        return int(self._into[kernel.PLACE])

    @property
    def followed_whole(self) -> int:
        """The number of leading states whose successors have all been seen."""
        if self.closed:
            return self.states
        return 0 if self._queue is not None or not self.counts else self.seen_count - self.counts[-1]

    @property
    def _followed_outcomes(self) -> int:
        return int(self._into[kernel.OUTCOMES])

    def _follow(self, last: int, limit: Limit, most: int) -> None:
        """Expand states up to a number, in slices between which limits are checked."""
        done = False
        self._into[kernel.MOST] = min(most, MOST_STATES)
        edges = self.firsts, self.ways, self.outs, self.odds
        while not done:
            self._check(limit, most)
            before = self.expanded_count + self._followed_outcomes
            with self._pace as step:
                upto = min(last, self.expanded_count + step)
                growing = self.sources, self._resumed, edges, self.folding.keeping, self._batch
                compared = self.folding.compare(upto)
                code = compared or self._expand(upto, growing)
                self._pace.done = max(1, self.expanded_count + self._followed_outcomes - before)
            done = code == DONE and upto == last
            if code not in (DONE, PAUSED):
                self._mend(code)
        if self.keeps:  # the end of the ways of the last state
            self.firsts[last], ways = self._into[kernel.WAYS], int(self._into[kernel.WAYS])
            self.ways[ways] = self._into[kernel.OUTS]

    def _expand(self, last: int, growing: tuple[Any, ...]) -> int:
        """Expand states up to a place for a while; returns the status of the kernel."""
        return int(self.names["expand"](last, self._pace.step, self._order, growing, self._into))

    def _plan(self, numbers: Sequence[int]) -> None:
        """Add states to the order in which they are expanded."""
        planned = self._planned + len(numbers)
        if planned > len(self._order):
            self.instance.grow(self._order, 2 * planned)
        self._order[self._planned : planned] = numbers

    def _count(self) -> None:
        if self.folding.folds:
            self._all_counts.append(sum(self.orbit_sizes(self.seen_count)))
        super()._count()

    def _begin(self, limit: Limit, most: int) -> None:
        """Add the starting states: those of the given chance, or of all its outcomes."""
        self._into[kernel.MOST] = min(most, MOST_STATES)
        for ply in () if self.chance is None else outcomes(self.machine.start, self.chance):
            self._add(self.layout.row_of(without_draw_count(ply.position)))
        pace, code = Pace(SLICE), PAUSED if self.chance is None else DONE
        while code != DONE:
            self._check(limit, most)
            with pace as step:
                begun = self._into, self._begun_at, self._begun_odds, int(self._into[kernel.BEGUN]) + step
                code = int(self.names["begin"](self._first, self.sources, self._resumed, *begun))
            if code not in (DONE, PAUSED):
                self._mend(code)
        self.folding.begin()

    def _add(self, row: tuple[int, ...]) -> None:
        """Store a row unless it is known; makes room where needed."""
        self._row[: len(row)] = row
        while (code := self.names["number_of"](self.sources, self._row, self._into)) < 0:
            self._mend(code)

    def begin_again(self, rows: Sequence[Row], key: Callable[[Row], Row] | None = None) -> dict[Row, int]:
        """Replace the states in which plays begin by other rows; returns the number of each row.

        They are numbered in the given order or, with a key, in ascending order of the key.
        """
        self._into[kernel.STATES] = 0
        self.table.zero(len(self.table))
        listed = dict.fromkeys(rows if key is None else sorted(rows, key=key))
        numbers = {row: number for number, row in enumerate(listed)}
        for row in numbers:
            self._add(row)
        if len(self._begun_at):
            for i in range(int(self._into[kernel.BEGUN])):
                self._begun_at[i] = numbers[rows[int(self._begun_at[i])]]
        return numbers

    def follow_alone(self, rows: Sequence[Row]) -> list[int]:
        """Forget all states, and expand the given rows; returns their numbers. Raises LimitReached."""
        self._into[:] = [0] * kernel.PLACES
        self._into[kernel.MOST], self._settled = MOST_STATES, 0
        numbers = self.begin_again(rows)
        self._follow(len(numbers), lambda: "", MOST_STATES)
        return [numbers[row] for row in rows]

    @property
    def scratch(self) -> tuple[Any, ...]:
        """Scratch arrays of plies: a state, chance, two lists of actions, a row, outcomes of picks."""
        return self._s, self._b, self._c, self._m, self._kept, self._row, self._radix

    @property
    def _resumed(self) -> tuple[Any, ...]:  # with the chance that enumerates outcomes from call to call
        return *self.scratch[:2], self._picked[0], *self.scratch[3:6], self._picked[1]

    @property
    def sources(self) -> tuple[Any, ...]:
        """The table, the rows, and the recorded predecessors of some states."""
        return self.table, self.rows, self._sources

    def _mend(self, code: int) -> None:
        """Make the room that the kernel's status `code` says is missing. Raises LimitReached."""
        if why := {**STOPPED, kernel.ENOUGH: f"{self._into[kernel.MOST]:,} positions"}.get(code):
            raise LimitReached(why)
        try:
            self._more_room(code)
        except (OutOfBudget, TooLarge) as out:
            raise LimitReached(str(out)) from None

    def _more_room(self, code: int) -> None:
        """Enlarge the array that the kernel's status says is full.

        Of arrays that grow together the one whose length the kernel compares is the last, so that all have
        the room that it has, even if the memory is full before.
        """
        grow = self.instance.grow
        if code == FULL:
            self.wider()
        elif code == ROOM:
            states = self.states + max(self.states // SLACK, min(self.states, DOUBLED)) + FIRST_ROOM
            while len(self._sources) * SAMPLE < states:
                self.double(self._sources)
            while self.keeps and len(self.firsts) <= states:
                self.double(self.firsts)
            grow(self.rows, states * self.layout.width)
        elif code == kernel.TABLE_FULL:
            sorting = self.instance.room("vast words", self.states // 8 + BATCH)
            size = len(self.table)
            grow(self.table, next(size * by // of for most, by, of in GROWTH if size < most))
            self.table.zero(size)
            self.names["seat_all"](self.table, self.rows, self.states, sorting, self._ends)
        elif code == kernel.WAYS_FULL:
            self.double(self.ways)
        else:
            begun, outcomes = (self._begun_odds, self._begun_at), (self.odds, self.outs)
            odds, held = {kernel.STARTS_FULL: begun, kernel.OUTS_FULL: outcomes}[code]
            if 0 < len(odds) <= len(held):
                self.double(odds)
            self.double(held)

    def wider(self) -> None:
        """Double the room for legal actions. Raises TooLarge past the limit."""
        self._list_in(wider_buffer(self.instance, self._m, self.runner.written))

    def double(self, *arrays: Any) -> None:
        """Double the size of arrays."""
        for held in arrays:
            self.instance.grow(held, 2 * len(held))

    @property
    def bytes(self) -> int:
        """The bytes that the arrays take."""
        small = sum(map(len, (self._sources, self.table, self.outs, self._order)))
        return 8 * sum(map(len, (self.rows, self.firsts, self.ways, self.odds))) + 4 * small

    def starts(self) -> list[tuple[int, int]]:
        """The outcomes of the setup: each a state and the denominator of its probability."""
        if self.chance is not None or not len(self._begun_at):
            return [(i, self.initial_count) for i in range(self.initial_count)]
        begun = range(int(self._into[kernel.BEGUN]))
        return [(int(self._begun_at[i]), int(self._begun_odds[i])) for i in begun]

    # ---- asking

    def _settle(self, last: int) -> None:
        """Mark the states below a number in which nobody can act. Raises OutOfBudget."""
        if self._queue is None:
            self._settled = max(self._settled, self.expanded_count)
        settle_all = self.names["settle_all"]
        while self._settled < last and settle_all(self._settled, last, self.rows, self.scratch):
            try:
                self.wider()
            except TooLarge as many:
                raise OutOfBudget(str(many)) from None
        self._settled = max(self._settled, last)

    def scan(self, question: Question, first: int = 0, last: int | None = None) -> Any:
        """The answers to a question; see `States.scan`."""
        last = self.states if last is None else last
        self._settle(last)
        self.folding.even(question, last)
        return self.scan_rows(question, self.rows, first, last)

    def scan_rows(self, question: Question, rows: Any, first: int, last: int) -> Any:
        """Like `scan`, for states given by their rows, known or not."""
        notes = self.instance.room("vast numbers", last - first)
        self.names["scan"](self.code.number_of[question], first, last, rows, self.scratch, notes)
        return notes

    def ask(self, question: Question, row: Sequence[int]) -> int:
        """The answer for the state of a row."""
        held = self.instance.room("vast words", len(row))
        held[:] = row
        return int(self.scan_rows(question, held, 0, 1)[0])

    def followers(self, row: Row) -> Iterator[Row]:
        """The rows after each action of a state. Raises Unsound if an action has chance in it."""
        place = self.instance.words(row)
        while (count := int(self.names["followers"](place, 0, self.scratch, self.after[0]))) < 0:
            if count != FULL:
                raise Unsound("chance has a part in the actions")
            try:
                self.wider()
            except TooLarge as many:
                raise Unsound(str(many)) from None
        width = self.layout.width
        words = iter(self.after[0][: count * width])
        return zip(*[words] * width, strict=True)

    def orbit_sizes(self, first: int = 0, last: int | None = None) -> Sequence[int]:
        """The sizes of orbits; see `States.orbit_sizes`."""
        return self.folding.sizes(first, self.states if last is None else last)

    def row(self, number: int) -> tuple[int, ...]:
        """The row of a state."""
        self._settle(number + 1)
        size = self.layout.width
        return tuple(map(int, self.rows[number * size : (number + 1) * size]))

    def number_of(self, row: Row) -> int | None:
        """The number of the state in a row; None if it is not known."""
        number = int(self.names["place_of"](self.sources, self.instance.words(row)))
        return number if number >= 0 and self.row(number) == row else None

    def representative(self, row: Row) -> Row:
        """The row that represents the state of a row."""
        return tuple(map(int, self.folding.least(self.instance.words(row)))) if self.folding.folds else row

    def image(self, number: int, random: Random) -> Row:
        """The row of a state, or of a random image of it under the symmetries."""
        if not self.folding.folds:
            return self.row(number)
        self._settle(number + 1)
        place = random.randrange(len(self.folding.elements))
        return tuple(map(int, self.folding.images(place, number, number + 1)))

    def position(self, number: int) -> Position:
        """A state as the interpreter represents it."""
        return self.layout.position(self.row(number))

    def digest(self, last: int | None = None) -> str:
        """A digest of all states, or of the first `last`, together with the images that they represent."""
        result, last = self.instance.room("words", 4), self.states if last is None else last
        self._settle(last)
        images = self.instance.room("words", max(1, len(self.folding.elements)) * self.layout.width)
        self.names["sums"](self.rows, last, self.scratch, self.folding.keeping, images, result)
        return digest_of_sums([int(x) for x in result])

    # ---- plays

    def _is(self, position: Position, number: int) -> bool:
        return tuple(map(int, self.folding.least(self._row_of(position)))) == self.row(number)

    def _row_of(self, position: Position) -> Any:
        """The row of a position, as an array."""
        return self.instance.words(self.layout.row_of(without_draw_count(position)))

    def _start(self, number: int) -> Ply:
        """The starting ply that leads to a state. Raises LookupError."""
        if self.chance is not None:
            return super()._start(number)
        if self.names["origin"](self._first, self.rows, number, self.scratch, self.folding.keeping) < 0:
            raise LookupError("no outcome of chance leads there")
        return self.machine.start(self._picked_chance())

    def parent(self, number: int) -> int:
        """The number of a state from which this one was found; -1 for a start. Raises LookupError."""
        # States are found in the order in which others are followed: it lies between those that are noted.
        if number < self.initial_count:
            return -1
        block = number // SAMPLE
        first, last = max(0, self._sources[block]), min(self.expanded_count + 1, self._planned)
        if (block + 1) * SAMPLE < self.states:
            last = self._sources[block + 1] + 1
        now = self._order, self.rows, number, self.scratch, self.folding.keeping
        if (found := int(self.names["source"](first, last, *now))) < 0:
            raise LookupError("no state leads there")
        return found

    def _step(self, position: Position, to: int) -> tuple[Move, Ply]:
        """A move from a position to a state, and its ply by the interpreter. Raises LookupError."""
        before = self._row_of(position)
        at = int(self.names["step_from"](before, 0, self.rows, to, self.scratch, self.folding.keeping))
        if at < 0:
            raise LookupError("no action leads there")
        width = self.runner.written.width
        (move,) = moves_of(self.runner, self._kept[at * width : (at + 1) * width])
        return move, self.machine.play(position, move, self._picked_chance())

    def _picked_chance(self) -> ReplayedChance:
        """The chance outcomes of the kernel's last ply, read from the scratch arrays."""
        picks = defaultdict[int, list[int]](list)
        for i in range(int(self._c[GIVEN])):
            picks[int(self._radix[MOST_PICKS + i]) - 1].append(int(self._c[FIRST + i]))
        return ReplayedChance(lambda number: in_order(picks[number]))


def moves_of(runner: Runner, rows: Sequence[int]) -> list[Move]:
    """The moves of actions in rows of the code, stored one after the other."""
    width = runner.written.width
    plies = (list(map(int, rows[at : at + width])) for at in range(0, len(rows), width))
    return [Move(*next(runner.moves(Node((), (), 0, row, 1)))) for row in plies]
