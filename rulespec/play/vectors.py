"""Actions as numbers and observations as vectors, in a fixed layout, for programs that learn to play.

`core.action_numbers` and `core.observation_layout` describe both layouts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import overload

from ..core.action_numbers import choice_type, count_values, element_type, first_numbers
from ..core.game import Game
from ..core.observation_layout import ObservationLayout, binder_types
from ..core.types import List, Map, Scalar, Set, Type, Value, scalar_of
from .observation import SeatView
from .position import Move


class ActionSpace(Sequence[Move]):
    """All actions of a setting, legal or not, by number. Raises TooManyActions."""

    def __init__(self, game: Game) -> None:
        self._names = tuple(game.actions)
        self._types = {a.id: tuple(map(choice_type, a.choices)) for a in game.actions.values()}
        self.first = first_numbers(game)
        """The first number of each action, followed by the number of all."""
        self._first = dict(zip(self._names, self.first, strict=False))

    def __len__(self) -> int:
        return self.first[-1]

    @overload
    def __getitem__(self, number: int) -> Move: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Move]: ...
    def __getitem__(self, number: int | slice) -> Move | Sequence[Move]:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        size = len(self)
        if not -size <= number < size:
            raise IndexError(f"there is no action {number}; they are numbered from 0 to {size - 1}")
        number %= size
        index = bisect_right(self.first, number) - 1
        name, rest, args = self._names[index], number - self.first[index], []
        for t in reversed(self._types[name]):
            rest, place = divmod(rest, count_values(t))
            args.append(_value(t, place))
        return Move(name, tuple(reversed(args)))

    def number(self, action: str, args: Sequence[Value]) -> int:
        """The number of an action with its choices as core values. Raises ValueError if impossible."""
        if action not in self._first:
            raise ValueError(f"there is no action `{action}`")
        rank: int = 0
        for t, arg in zip(self._types[action], args, strict=True):
            rank = rank * count_values(t) + _rank(t, arg)
        return self._first[action] + rank


def _rank(t: Type, value: Value) -> int:
    """The number of a value among all values of its type, lists by length first."""
    of = element_type(t)
    if not isinstance(t, List):
        return _place(of, value)
    n = len(of.values)
    rank: int = 0
    for item in value:
        rank = rank * n + _place(of, item)
    return rank + sum(int(n**size) for size in range(len(value)))


def _place(of: Scalar, value: Value) -> int:
    """The number of a value in its type. Raises ValueError."""
    if value not in of:
        raise ValueError(f"`{value}` is no value of {of}")
    return int(of.index[value])


def _value(t: Type, rank: int) -> Value:
    """The value of a type with this number; the inverse of `_rank`."""
    of = element_type(t)
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


def observation_vector(layout: ObservationLayout, seen: SeatView) -> tuple[int, ...]:
    """The numbers of a seat's view in a given layout."""
    found: list[int] = []
    for var, value in zip(layout.open, seen.open, strict=True):
        found += _numbers(var.type, value)
    shown = {(number, keys): value for number, keys, value in seen.sights}
    for number, sight in enumerate(layout.sights):
        t = sight.value.type
        for keys in _combinations(binder_types(sight)):
            place = number, keys
            found += [1, *_numbers(t, shown[place])] if place in shown else [0, *_numbers(t, t.nothing)]
    return tuple(found)


def _combinations(binders: Sequence[Scalar]) -> Iterator[tuple[Value, ...]]:
    """Yield every combination of values of the binders."""
    if not binders:
        yield ()
        return
    *others, last = binders
    for keys in _combinations(others):
        for value in last.values:
            yield (*keys, value)


def _numbers(t: Type, value: Value) -> list[int]:
    """A value as numbers: flags for a set, length and padded elements for a list, -1 for none."""
    if isinstance(t, Map):
        return [x for part in value for x in _numbers(t.of, part)]
    if isinstance(t, Set) and t.of is not None:
        return [int(x in value) for x in t.of.values]
    if isinstance(t, List) and t.of is not None:
        return [len(value), *(t.of.index[x] for x in value), *[-1] * (t.cap - len(value))]
    of = scalar_of(t)
    return [-1 if value is None or of is None else of.index[value]]
