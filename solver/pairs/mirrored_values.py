"""Mirrored values: symbolic values in terms of another game, and its effects under the same chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from rulespec.core.types import List, Map, Set, Truth, Type, Value
from rulespec.solver.formulas.aig import Gates
from rulespec.solver.formulas.effects import FAULT, ChanceEvent, Effects, State
from rulespec.solver.formulas.values import Symbol, SymbolicList, Union, constant, same_union

from .correspondence import Correspondence


class MirroredEffects(Effects):
    """Effects of one game in which chance gives the outcomes of another."""

    correspondence: Correspondence
    given: list[ChanceEvent]
    differing: list[int]

    def follow(self, correspondence: Correspondence, given: Sequence[ChanceEvent]) -> None:
        """Use these outcomes from here on, and record new ones where chance differs."""
        self.correspondence, self.given, self.differing = correspondence, list(reversed(given)), []

    def rest(self) -> Iterator[int]:
        """The conditions that other outcomes were asked of chance, or that not all given ones were used."""
        yield from self.differing
        yield from (drawn.guard for drawn in self.given)

    def happen(
        self, t: Type, make: Callable[[], Symbol], odds: dict[Value, Union], guard: int, state: State
    ) -> tuple[Symbol, int]:
        """Use the image of the other game's outcome, and note the conditions under which they differ."""
        gates, happens = self.gates, self.gates.both(guard, -state[FAULT])
        if not self.given or isinstance(self.given[-1].type, List) != isinstance(t, List):
            self.differing.append(happens)
            return super().happen(t, make, odds, guard, state)
        drawn = self.given.pop()
        self.differing += [differ(gates, happens, drawn.guard)]
        self.differing += [gates.both(happens, x) for x in self._odds(drawn, t, odds)]
        symbol = image(gates, self.correspondence, drawn.type, t, drawn.symbol)
        return super().happen(t, lambda: symbol, odds, guard, state)

    def _odds(self, drawn: ChanceEvent, t: Type, odds: dict[Value, Union]) -> Iterator[int]:
        """Literals that are true if an outcome and its image have different probabilities."""
        mine, other = (cast(Type, one.of) if isinstance(one, List) else one for one in (drawn.type, t))
        called = self.correspondence.values(mine, other)
        there = {called.get(value, (value,)): weight for value, weight in drawn.odds.items()}
        for value in dict.fromkeys((*there, *odds)):
            yield -same_union(self.gates, there.get(value, constant(0)), odds.get(value, constant(0)))


def image(
    gates: Gates,
    correspondence: Correspondence,
    mine: Type,
    other: Type,
    symbol: Symbol,
    lost: list[int] | None = None,
) -> Symbol:
    """A symbolic value in terms of the other game; the condition that it has no image is added to `lost`."""
    lost = [] if lost is None else lost
    if isinstance(mine, Truth):
        return symbol
    if isinstance(mine, Map):
        assert isinstance(other, Map)
        keys = correspondence.values(mine.keys, other.keys)
        held = {keys[k]: image(gates, correspondence, mine.of, other.of, x, lost) for k, x in symbol.items()}
        return {key: held[key] for key in other.keys.values}
    if isinstance(mine, List):
        assert isinstance(other, List) and mine.of is not None and other.of is not None
        called, items = correspondence.values(mine.of, other.of), []
        for item, there in zip(symbol.items[: other.cap], symbol.longer(gates), strict=False):
            gone: list[int] = []
            items.append(_rename(called, item, gone))
            lost += [gates.both(there, literal) for literal in gone]
        lost += [lit for size, lit in symbol.size.items() if size > other.cap]
        return SymbolicList(items, {size: lit for size, lit in symbol.size.items() if size <= other.cap})
    if isinstance(mine, Set):
        assert isinstance(other, Set) and mine.of is not None and other.of is not None
        return _rename(correspondence.values(mine.of, other.of), symbol, lost)
    return _rename(correspondence.values(mine, other), symbol, lost)


def _rename(names: Mapping[Value, Value], union: Union, lost: list[int]) -> Union:
    """Cases with their values renamed; literals of cases without a name are added to `lost`."""
    if all(value in names and names[value] == value for value in union):
        return union
    lost += [lit for value, lit in union.items() if value not in names]
    return {names[value]: lit for value, lit in union.items() if value in names}


def differ(gates: Gates, a: int, b: int) -> int:
    """Literal for two literals being different."""
    return -gates.choose(a, b, -b)
