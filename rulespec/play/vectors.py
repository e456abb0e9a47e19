"""Actions as numbers and observations as vectors, in a fixed layout, for programs that learn to play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple, overload

from ..core.game import Choice, Game
from ..core.types import List, Map, Scalar, Set, Type, Value, scalar_of
from .observation import Seen
from .position import Move

MOST_ACTIONS = 1 << 20
"""The most actions that are numbered."""
MOST_SHOWN = 10**9


class TooManyActions(ValueError):
    """A setting has more actions than are numbered."""


class ActionSpace(Sequence[Move]):
    """All actions of a setting, legal or not, by number: the actions in the order of the rules, then their
    choices.

    A choice counts the values of its type in their order, the last choice fastest; a list counts all lists of
    its elements, the shorter ones first. Raises TooManyActions.
    """

    def __init__(self, game: Game) -> None:
        self._types = {a.id: tuple(map(_type_of, a.choices)) for a in game.actions.values()}
        self._first: dict[str, int] = {}
        self._size = 0
        for name, types in self._types.items():
            self._first[name] = self._size
            self._size += prod(map(_count, types))
        if self._size > MOST_ACTIONS:
            number = f"{self._size:,}" if self._size < MOST_SHOWN else "more than a billion"
            raise TooManyActions(
                f"`{game.id}` has {number} actions, and at most {MOST_ACTIONS:,} are numbered: "
                "choose among `state.actions()`"
            )

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, number: int) -> Move: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Move]: ...
    def __getitem__(self, number: int | slice) -> Move | Sequence[Move]:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(self._size))]
        if not -self._size <= number < self._size:
            raise IndexError(f"there is no action {number}; they are numbered from 0 to {self._size - 1}")
        number %= self._size
        name = next(name for name, first in reversed(self._first.items()) if first <= number)
        rest, args = number - self._first[name], []
        for t in reversed(self._types[name]):
            rest, place = divmod(rest, _count(t))
            args.append(_value(t, place))
        return Move(name, tuple(reversed(args)))

    def number(self, action: str, args: Sequence[Value]) -> int:
        """The number of an action with its choices as core values. ValueError for one that cannot be."""
        if action not in self._first:
            raise ValueError(f"there is no action `{action}`")
        rank: int = 0
        for t, arg in zip(self._types[action], args, strict=True):
            rank = rank * _count(t) + _rank(t, arg)
        return self._first[action] + rank


def _type_of(choice: Choice) -> Type:
    return choice.chain.type if choice.chain else choice.var.type


def _scalar(t: Type) -> Scalar:
    of = t.of if isinstance(t, List) else scalar_of(t)
    assert of is not None, f"{t} is no type of a choice"
    return of


def _count(t: Type) -> int:
    """The number of values of the type of a choice."""
    n = len(_scalar(t).values)
    return sum(int(n**size) for size in range(t.cap + 1)) if isinstance(t, List) else n


def _rank(t: Type, value: Value) -> int:
    of = _scalar(t)
    if not isinstance(t, List):
        return _place(of, value)
    n = len(of.values)
    rank: int = 0
    for item in value:
        rank = rank * n + _place(of, item)
    return rank + sum(int(n**size) for size in range(len(value)))


def _place(of: Scalar, value: Value) -> int:
    if value not in of:
        raise ValueError(f"`{value}` is no value of {of}")
    return int(of.index[value])


def _value(t: Type, rank: int) -> Value:
    of = _scalar(t)
    if not isinstance(t, List):
        return of.values[rank]
    n, size = len(of.values), 0
    while rank >= n**size:
        rank -= n**size
        size += 1
    items = []
    for _ in range(size):
        rank, place = divmod(rank, n)
        items.append(of.values[place])
    return tuple(reversed(items))


class Field(NamedTuple):
    """A part of an observation: a variable or a sight, where it begins and how many numbers it takes."""

    name: str
    first: int
    size: int


class ObservationLayout:
    """The layout of the observations of a setting, the same for each player and state.

    First the variables that all see, in the order of the rules, then the sights, each by its text. A scalar
    is the position of its value in its type from 0, or -1 for none; a set has 0 or 1 for each value of its
    type; a list has its size, then its elements, then -1 up to its greatest size; a map has a value for each
    key. A sight has for each combination of its binders 1 and the value, or 0 and nothing where none is
    shown.
    """

    def __init__(self, game: Game) -> None:
        self._open = [var for var in game.state.values() if not var.hidden]
        self._sights = game.sights
        self._binders = [[scalar_of(var.type) for var, _ in sight.binders] for sight in game.sights]
        sizes = [(var.name, _width(var.type)) for var in self._open]
        for sight, binders in zip(game.sights, self._binders, strict=True):
            ways = prod(len(of.values) for of in binders if of is not None)
            sizes.append((sight.text, ways * (1 + _width(sight.value.type))))
        fields: list[Field] = []
        for name, size in sizes:
            fields.append(Field(name, fields[-1].first + fields[-1].size if fields else 0, size))
        self.fields = tuple(fields)
        """The parts, in order."""
        self.size = sum(field.size for field in fields)
        """The numbers of an observation."""

    def vector(self, seen: Seen) -> tuple[int, ...]:
        """The numbers of what a seat sees."""
        found: list[int] = []
        for var, value in zip(self._open, seen.open, strict=True):
            found += _numbers(var.type, value)
        shown = {(number, keys): value for number, keys, value in seen.sights}
        for number, sight in enumerate(self._sights):
            t = sight.value.type
            for keys in _combinations(self._binders[number]):
                place = number, keys
                found += [1, *_numbers(t, shown[place])] if place in shown else [0, *_numbers(t, t.nothing)]
        return tuple(found)


def _combinations(binders: Sequence[Scalar | None]) -> Iterator[tuple[Value, ...]]:
    if not binders:
        yield ()
        return
    *others, last = binders
    assert last is not None
    for keys in _combinations(others):
        for value in last.values:
            yield (*keys, value)


def _width(t: Type) -> int:
    """The numbers that a value of a type takes."""
    if isinstance(t, Map):
        return len(t.keys.values) * _width(t.of)
    if isinstance(t, List):
        return 1 + t.cap
    return len(t.of.values) if isinstance(t, Set) and t.of is not None else 1


def _numbers(t: Type, value: Value) -> list[int]:
    if isinstance(t, Map):
        return [x for part in value for x in _numbers(t.of, part)]
    if isinstance(t, Set) and t.of is not None:
        return [int(x in value) for x in t.of.values]
    if isinstance(t, List) and t.of is not None:
        return [len(value), *(t.of.index[x] for x in value), *[-1] * (t.cap - len(value))]
    of = scalar_of(t)
    return [-1 if value is None or of is None else of.index[value]]
