"""Pattern databases of a game with a goal; see `rulespec.kernels.patterns`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

from rulespec.code import Instance
from rulespec.code.codes import NONE
from rulespec.code.pacing import Pace
from rulespec.code.plies import FULL
from rulespec.code.row_fields import Field
from rulespec.code.runner import wider
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.symmetry import Symmetry
from rulespec.core.types import BOOL, List, Map, Optional, Scalar, Set, Type, Value, scalar_of
from rulespec.kernels.chance import MOST_PICKS
from rulespec.kernels.exploration import DONE, OUTS_FULL, PAUSED, ROOM
from rulespec.kernels.kit import FIRST
from rulespec.kernels.patterns import KEPT, MERGED, OTHER
from rulespec.play.position import Position

from .exploration_code import exploration_code
from .states import Limit, Stopped

SLICE = 0.05
"""About how many seconds pass between two looks at a limit."""
FIRST_ROOM = 1 << 12
NARROW = 12
"""A place of more bits is not pinned."""


@dataclass(frozen=True)
class Pin:
    """The values that a goal allows at a place: that of a variable, or of a key of a map by its number."""

    var: n.StateVar
    key: int
    of: Scalar
    values: frozenset[Value]


@dataclass(frozen=True)
class Abstraction:
    """A class of values of a type that the rules of a game without ends treat alike, and what a goal asks.

    `over` are the conditions under which play is over, `still` the variables that no ply changes;
    `generators` generate all permutations of the class.
    """

    game: Game
    goal: n.Expr
    over: Sequence[n.Expr]
    still: frozenset[n.StateVar]
    generators: Sequence[Symmetry]
    type: Scalar
    values: Sequence[Value]
    pins: Sequence[Pin]


class NoAbstraction(ValueError):
    """A state holds values of the class in a way that patterns are not made for."""


class PatternDatabases:
    """The tables of patterns, for plays from a position and others like it; `grow` makes them.

    Raises NoAbstraction; TooLarge where the game has no code.
    """

    def __init__(self, of: Abstraction, start: Position) -> None:
        self.of, self.start = of, start
        over = n.Or(BOOL, tuple(of.over)) if of.over else n.Const(BOOL, False)
        code = exploration_code(of.game, {"goal": of.goal, "over": over})
        self.runner, self.layout, self.instance = code.runner, code.layout, Instance(code.written)
        self.questions = code.number_of["goal"], code.number_of["over"]
        self.names = self.instance.beside(code.beside, "patterns", "best_first")
        self._fields = {field.at: field for field in self.layout.cells}
        self._held, self._columns = self._places()
        numbers, words = map(list, self.runner.encode(start.values))
        self.state = self.instance.numbers(numbers), self.instance.words(words)
        self.chance = self.instance.room("words", FIRST + MOST_PICKS)
        self.row = self.instance.room("words", self.layout.width)
        self._buffers(self.instance.room("numbers", code.written.rows.first_size))
        self.size, self._each, self._expected, self.unit = -1, 1.0, 0.0, False
        self.terms: tuple[Any, ...] = ()
        self.known: tuple[Any, ...] = ()
        """The arguments of the kernel, once there are tables."""

    def _buffers(self, moves: Any) -> None:
        self.now = (*self.state, self.chance, moves)
        self.kept = self.instance.room("numbers", len(moves))

    def widen(self) -> None:
        """Make room for twice as many legal actions. TooLarge where that would be too much."""
        self._buffers(wider(self.instance, self.now[3], self.runner.written))

    def fits(self, start: Position) -> bool:
        """True if all that no ply changes is in a position as in that with which this was made."""
        pairs = zip(self.of.game.state.values(), self.start.values, start.values, strict=True)
        return all(a == b for var, a, b in pairs if var in self.of.still)

    def put(self, start: Position) -> Any:
        """The row of a position from which play goes on; there is one, which the kernels change."""
        self.row[:] = self.layout.row_of(start)
        return self.row

    # ---- where values lie

    def _places(self) -> tuple[list[Field], list[list[Field]]]:
        """The places that hold values of the class, and for each value those that maps have for it."""
        held, columns = list[Field](), [list[Field]() for _ in self.of.type.values]
        offsets, codes = self.runner.program.offsets, [*self.runner.program.codes.codes(self.of.type)]
        if codes != [*range(codes[0], codes[0] + len(codes))]:
            raise NoAbstraction(f"{self.of.type} has gaps")
        for var, value in zip(self.of.game.state.values(), self.start.values, strict=True):
            t, at = var.type, offsets[var].at
            still = var in self.of.still and all(g.of(t, value) == value for g in self.of.generators)
            if still or not self._moves(t):
                continue
            keys, of = (t.keys, scalar_of(t.of)) if isinstance(t, Map) else (None, scalar_of(t))
            by_key = keys is not None and self._moves(keys)
            if of is None or (by_key and self._moves(of)) or not self._is(keys if by_key else of):
                raise NoAbstraction(f"`{var.name}` holds {self.of.type}")
            if by_key:
                for i, column in enumerate(columns):
                    column.append(self._fields[at + i])
            else:
                held += (self._fields[at + i] for i in range(len(keys.values) if keys else 1))
        return held, columns

    def _moves(self, t: Type | None) -> bool:
        """True if there are values of the class in a type or in its parts."""
        if isinstance(t, Map):
            return self._moves(t.keys) or self._moves(t.of)
        if isinstance(t, Optional | Set | List):
            return self._moves(t.of)
        return isinstance(t, Scalar) and any(g.table(t) is not None for g in self.of.generators)

    def _is(self, t: Scalar | None) -> bool:
        return t is not None and tuple(t.values) == tuple(self.of.type.values)

    # ---- patterns

    @cached_property
    def _apart(self) -> list[Value]:
        """The values of the class that the goal distinguishes from others."""
        of, found = self.of, set[Value]()
        for pin in of.pins:
            if self._is_key(pin):
                found.add(of.type.values[pin.key])
            elif self._moves(pin.of) and not pin.values.issuperset(of.values):
                found |= pin.values
        return [value for value in of.values if value in found]

    def _is_key(self, pin: Pin) -> bool:
        """True if the place of a pin is that of a value of the class."""
        return isinstance(pin.var.type, Map) and self._moves(pin.var.type.keys)

    def _terms(self, groups: Sequence[Sequence[Value]]) -> tuple[Any, ...]:
        """The terms of patterns, each of which keeps the values of a group apart."""
        of, listed, program = self.of, [*self.of.type.values], self.runner.program
        pinned = [(pin, self._fields[program.offsets[pin.var].at + pin.key]) for pin in of.pins]
        pinned = [(pin, field) for pin, field in pinned if field.bits <= NARROW]
        kinds, merged, fits = list[int](), list[int](), list[bool]()
        for group in groups:
            alike = frozenset(of.values) - frozenset(group)
            kinds += (MERGED if v in alike else KEPT if v in group else OTHER for v in (*listed, None))
            order = [i for i, value in enumerate(listed) if value in alike]
            merged += order + [0] * (len(listed) - len(order))
            for pin, field in pinned:
                codes = {program.codes.code(pin.of, value) for value in self._allowed(pin, alike)}
                fits += (code in codes for code in _codes(field))
        wide = [1 << field.bits for _, field in pinned]
        each = len(self._columns[0])
        sizes = [len(self._held), each, len(listed), len(groups), len(pinned), sum(wide), int(self.unit)]
        held = _spots([*self._held, *chain.from_iterable(self._columns)])
        pins = [*_spots(field for _, field in pinned), *(sum(wide[:i]) for i in range(len(wide)))]
        terms = [self.instance.numbers(listed) for listed in (sizes, held, kinds, merged, pins, fits)]
        return (*terms, self.instance.room("numbers", len(of.type.values) * (1 + each)))

    def _allowed(self, pin: Pin, alike: frozenset[Value]) -> frozenset[Value]:
        """The values that a goal allows at a place if some values are exchanged for one another."""
        if not self._is_key(pin):
            return pin.values | alike if self._moves(pin.of) and pin.values & alike else pin.values
        keys = [i for i, value in enumerate(self.of.type.values) if value in alike]
        if pin.key not in keys:
            return pin.values
        there = {other.key: other.values for other in self.of.pins if other.var is pin.var}
        every = frozenset((*pin.of.values, None))
        return frozenset[Value]().union(*(there.get(key, every) for key in keys))

    # ---- the tables

    def grow(self, most: int, limit: Limit) -> bool:
        """Make tables with larger patterns as long as these seem to take at most so many states in all.

        True if there are any. Raises Stopped at a limit, TooLarge.
        """
        apart = self._apart
        while self.size < len(apart) and self._expected <= most:
            size = self.size + 1
            count = -(-len(apart) // size) if size else 1
            cuts = [len(apart) * i // count if size else 0 for i in range(count + 1)]
            made = _Tables(self, [apart[a:b] for a, b in pairwise(cuts)])
            if not made.filled(2 * most, limit):
                self._expected = 2 * most + 1.0
                if made.mixes and not self.unit:
                    self.unit, self.size, self._each, self._expected = True, -1, 1.0, 0.0
                continue
            each = made.states / count
            self._expected = each * each / self._each * -(-len(apart) // (size + 1))
            self.size, self._each, self.terms, self.known = size, each, made.terms, made.known
        return self.size >= 0


class _Tables:
    """Tables on their way: the terms of their patterns, and the states that are known."""

    def __init__(self, of: PatternDatabases, groups: Sequence[Sequence[Value]]) -> None:
        self._of, self._room, self._patterns = of, of.instance.room, len(groups)
        self.terms = of._terms(groups)
        self._into = of.instance.numbers([0] * 4)
        self._table = self._room("small", 2 * FIRST_ROOM)
        self._rows = self._room("words", FIRST_ROOM * of.layout.width)
        self._labels = self._room("small", FIRST_ROOM)
        self._begins = self._room("numbers", self._patterns + 1)
        self._arcs = self._room("small", FIRST_ROOM), self._room("small", FIRST_ROOM)

    @property
    def known(self) -> tuple[Any, ...]:
        """The argument of the kernel."""
        return self._table, self._rows, self._labels, self._begins

    @property
    def states(self) -> int:
        """The number of states."""
        return int(self._into[0])

    @property
    def mixes(self) -> bool:
        """True if a ply moves values that are kept apart and others, so that costs do not tell much."""
        return bool(self._into[2])

    def filled(self, most: int, limit: Limit) -> bool:
        """Find and label all states; False if there are more than `most`, or plies mix values unawares."""
        for p in range(self._patterns):
            self._begins[p], self._into[1], self._into[3] = self.states, self.states, 0
            for status in self._followed(p):
                if spent := limit():
                    raise Stopped(spent)
                if self.states > most or (self.mixes and not self._of.unit):
                    return False
                self._mend(status, p)
            self._label(p)
        self._begins[self._patterns] = self.states
        return True

    def _followed(self, p: int) -> Iterator[int]:
        """Find the states of a pattern; yields the status after each slice."""
        of, status, pace = self._of, PAUSED, Pace(SLICE)
        while status != DONE:
            if self.states == self._begins[p]:
                row = of.put(of.start)
                status = int(of.names["enter"](p, self.known, row, self.terms, self._into))
                status = PAUSED if status >= 0 else status
            else:
                now = self.known, of.now, of.kept, of.row, self.terms, self._arcs, self._into
                with pace as most:
                    status = int(of.names["grow"](p, *now, most))
            yield status

    def _mend(self, status: int, p: int) -> None:
        """Make room where the status of the kernel says that it is missing."""
        doubled = self._of.instance.doubled
        if status == FULL:
            self._of.widen()
        elif status == OUTS_FULL:
            self._arcs = doubled("small", self._arcs[0]), doubled("small", self._arcs[1])
        elif status == ROOM:
            self._rows, self._labels = doubled("words", self._rows), doubled("small", self._labels)
            self._table = self._room("small", 2 * len(self._table))
            ends = [*map(int, self._begins[: p + 1]), self.states]
            for q, (first, last) in enumerate(pairwise(ends)):
                self._of.names["seat_rows"](q, first, last, self.known, self._of.row)
        elif status not in (DONE, PAUSED):
            raise AssertionError(f"code came back with {status}")

    def _label(self, p: int) -> None:
        count, arcs = self.states - int(self._begins[p]), int(self._into[3])
        back = self._room("small", count + 2), self._room("small", arcs)
        order = self._room("small", 2 * count)
        self._of.names["label"](p, self.states, self.known, self.terms, self._arcs, back, order)


def _spots(fields: Iterable[Field]) -> list[int]:
    """The word, shift and mask of each field."""
    return [x for field in fields for x in (field.word, field.shift, (1 << field.bits) - 1)]


def _codes(field: Field) -> Iterator[int]:
    """The codes that the numbers of a field stand for."""
    return (NONE if x == field.span else x + field.low for x in range(1 << field.bits))
