"""Differences of two sights of a seat, and the places of things, for repairing worlds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from ..core.context import Context
from ..core.game import Game
from ..core.notation import write
from ..core.types import Int, List, Map, Optional, Scalar, Set, Truth, Type, Value, scalar_of
from ..play.observation import ObservedMove, SeatView


class Change(NamedTuple):
    """A place at which two values differ: the keys that lead there, and both values."""

    keys: tuple[tuple[Scalar, Value], ...]
    type: Scalar
    before: Value
    after: Value
    is_open: bool = False
    """True if everybody sees it."""

    @property
    def excess(self) -> int:
        """The excess of the first of two plain numbers, such as of dice with a face; 0 for other values."""
        numbers = not kind(self.type) and isinstance(self.before, int) and isinstance(self.after, int)
        return self.before - self.after if numbers else 0


class Comparing:
    """Compares views of one game, and lists the named values that are somewhere in it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._open = tuple(var for var in game.state.values() if not var.hidden)
        self._hidden = tuple(var for var in game.state.values() if var.hidden)

    def hidden_contents(self, ctx: Context) -> list[list[str]]:
        """The contents of each hidden place, in notation: at each key of a map, or in a variable."""
        found: list[list[str]] = []
        for var in self._hidden:
            value = ctx.state[var]
            parts = [(var.type, value)]
            if isinstance(var.type, Map):
                parts = [(var.type.of, part) for part in value]
            found += [[text for _, text in _named_values(t, part)] for t, part in parts]
        return [place for place in found if place]

    def changes(self, before: SeatView, after: SeatView) -> list[Change]:
        """Every difference between two views of a seat."""
        found: list[Change] = []
        for var, a, b in zip(self._open, before.open, after.open, strict=True):
            found += (change._replace(is_open=True) for change in _changes(var.type, a, b, ()))
        was, now = ({(i, keys): value for i, keys, value in seen.sights} for seen in (before, after))
        for place in dict.fromkeys([*was, *now]):
            t = self._game.sights[place[0]].value.type
            nothing = t.nothing
            found += _changes(t, was.get(place, nothing), now.get(place, nothing), ())
        return found

    def texts(self, seen: SeatView) -> set[str]:
        """The notation of everything with a name in a seat's view."""
        found: set[str] = set()
        for var, value in zip(self._open, seen.open, strict=True):
            found.update(text for _, text in _named_values(var.type, value))
        for number, _, value in seen.sights:
            found.update(text for _, text in _named_values(self._game.sights[number].value.type, value))
        return found

    def observed_names(self, move: ObservedMove) -> list[str]:
        """The notation of everything with a name among the observed choices of a move."""
        choices = self._game.actions[move.action].choices if move.action is not None else ()
        pairs = zip(choices, move.args, strict=True)
        shown = ((choice.var.type, value) for choice, value in pairs if value is not None)
        return [text for t, value in shown for _, text in _named_values(t, value)]


def kind(t: Type) -> str:
    """The kind of values that may be exchanged: a family, or the name of a range; else empty."""
    scalar = scalar_of(t)
    if scalar is None or isinstance(scalar, Truth):
        return ""
    return scalar.name if isinstance(scalar, Int) else scalar.family


def _named_values(t: Type, value: Value) -> Iterator[tuple[Scalar, str]]:
    """The values within a value that have a kind of their own, in order, with their notation."""
    if isinstance(t, Map):
        for part in value:
            yield from _named_values(t.of, part)
    elif isinstance(t, Set | List):
        for part in sorted(value) if isinstance(t, Set) else value:
            if t.of is not None and kind(t.of):
                yield t.of, write(t.of, part)
    elif value is not None and kind(t):
        scalar = scalar_of(t)
        assert scalar is not None
        yield scalar, write(scalar, value)


def _changes(t: Type, a: Value, b: Value, keys: tuple[tuple[Scalar, Value], ...]) -> Iterator[Change]:
    """Yield the entries in which two values differ."""
    if a == b:
        return
    if isinstance(t, Map):
        for key, before, after in zip(t.keys.values, a, b, strict=True):
            yield from _changes(t.of, before, after, (*keys, (t.keys, key)))
    elif isinstance(t, Set | List):
        assert t.of is not None
        pairs = zip_longest(sorted(a - b), sorted(b - a)) if isinstance(t, Set) else zip_longest(a, b)
        for before, after in pairs:
            if before != after:
                yield Change(keys, t.of, before, after)
    else:
        scalar = t.of if isinstance(t, Optional) else t
        assert isinstance(scalar, Scalar)
        yield Change(keys, scalar, a, b)
