"""Enumeration of all deals of a game that shuffles once and deals without looking at the cards.

Every start comes from one shuffle with other cards in the same places. Cards that no place distinguishes,
such as those of a hand, can be exchanged without a difference: so each start comes from the same number of
shuffles, and all of them are equally likely.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from itertools import combinations, islice
from math import comb

from rulespec.core.game import Game
from rulespec.core.notation import write
from rulespec.core.types import List, Map, Optional, Scalar, Set, Type, Value
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Position

from .shuffles import Deals

Renamed = Mapping[Value, Value]
"""For each card of the first shuffle the one in its place in another shuffle."""


class NotBlind(ValueError):
    """Raised for a game that deals in another way."""


class Starts:
    """The different starts, numbered from 0. Raises NotBlind if deals differ in more than the cards."""

    def __init__(self, game: Game) -> None:
        deals = Deals(game)
        if deals.shuffled_type is None:
            raise NotBlind(f"`{game.id}` does not shuffle once and deal without looking")
        self.game, self._moved, self._passes = game, deals.moved_variables, deals.passes
        self._cards = deals.shuffled_type
        self._order = List(self._cards, len(self._cards.values))
        self._first = Machine(game).start(Chance(None, (self._outcome(self._cards.values),)))
        if len(self._first.outcomes) != 1 or self._first.position.is_over:
            raise NotBlind(f"`{game.id}` leaves more to chance than one shuffle, or is over at once")

    @cached_property
    def _alike(self) -> list[list[Value]]:
        """The cards of the first shuffle in lists; no place distinguishes the cards of one list."""
        found: dict[Hashable, list[Value]] = {}
        for card in self._cards.values:
            found.setdefault(tuple(self._places(card)), []).append(card)
        return [*found.values()]

    def _places(self, card: Value) -> list[Hashable]:
        values = zip(self.game.state.values(), self._first.position.values, strict=True)
        return [(var.name, *_where(var.type, value, card)) for var, value in values if var in self._moved]

    @cached_property
    def count(self) -> int:
        """The number of different starts."""
        total, left = 1, len(self._cards.values)
        for cards in self._alike:
            total *= comb(left, len(cards))
            left -= len(cards)
        return total

    def chance(self, number: int) -> tuple[str, ...]:
        """The outcomes of a shuffle that gives a start."""
        renamed = self._renaming(number)
        return (self._outcome([renamed[card] for card in self._cards.values]),)

    def position(self, number: int) -> Position:
        """The start with a given number; its variable `over` may be wrong."""
        if self._passes:  # the first mover may depend on the cards
            return Machine(self.game).start(Chance(None, self.chance(number))).position
        renamed, first = self._renaming(number), self._first.position
        held = zip(self.game.state.values(), first.values, strict=True)
        values = (_rename_cards(var.type, x, renamed) if var in self._moved else x for var, x in held)
        return Position(tuple(values), first.draws)

    def _renaming(self, number: int) -> Renamed:
        """The cards at the places of a start: for each list of places a selection of the remaining cards."""
        left, below, found = [*self._cards.values], self.count, dict[Value, Value]()
        for cards in self._alike:
            below //= comb(len(left), len(cards))
            which, number = divmod(number, below)
            chosen = next(islice(combinations(left, len(cards)), which, None))
            found.update(zip(cards, chosen, strict=True))
            left = [card for card in left if card not in chosen]
        return found

    def _outcome(self, cards: Sequence[Value]) -> str:
        return write(self._order, tuple(cards))


def _where(t: Type, value: Value, card: Value) -> list[Hashable]:
    """The places of a card in a value, as far as they matter."""
    if isinstance(t, Set):
        return [card in value]
    if isinstance(t, List):
        return [i for i, x in enumerate(value) if x == card]
    if isinstance(t, Map):
        return [tuple(_where(t.of, x, card)) for x in value]
    return [value == card]


def _rename_cards(t: Type, value: Value, renamed: Renamed) -> Value:
    """A value with its cards replaced."""
    if value is None:
        return None
    if isinstance(t, Set):
        return frozenset(renamed[x] for x in value)
    if isinstance(t, List):
        return tuple(renamed[x] for x in value)
    if isinstance(t, Map):
        return tuple(_rename_cards(t.of, x, renamed) for x in value)
    assert isinstance(t, Scalar | Optional)
    return renamed[value]
