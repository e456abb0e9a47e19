"""Maps and sets of the state read for all lanes at once: their words, shifted and masked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

from ...core import nodes as n
from ...core.types import Map, Optional, Scalar, Truth, Value, scalar_of
from ...machine import form as f
from ...machine.builder import (
    ZERO,
    arithmetic,
    as_type,
    between,
    choose,
    compare,
    complement,
    constant_value,
    intersection,
    load,
    negation,
    number,
    plus,
    shift_word,
    times,
    truth,
    union,
    word,
)  # fmt: skip
from ..bindings import Val
from ..body import B
from ..codes import WORD
from .algebra import Bitset, BitsetAlgebra, NotExpressible, ShiftedSet, ValueCases
from .multiword import shift_bits, split_mask

MOST_SHIFTS = 4
"""With more different distances, bits are visited one by one and words are not shifted."""
FEW_BITS, MOST_BITS = 8, 7
"""Sets of at most `FEW_BITS` elements are visited one by one, others `MOST_BITS` bits at a time."""
MOST_CASES = 16
"""An expression that can take more values than this is not split by them."""


class Relation:
    """A static relation between lanes and values of a type, given by the values that belong to each lane."""

    def __init__(self, maker: BitsetAlgebra, values: Sequence[Collection[Value]], of: Scalar) -> None:
        self.maker, self.values, self.of = maker, values, of
        codes, inside = maker.w.codes, set(of.values)
        first = codes.base(of) - codes.base(maker.of)
        pairs = [
            (x, codes.code(of, value) - codes.code(maker.of, x) - first)
            for x, held in zip(maker.of.values, values, strict=True) for value in held if value in inside
        ]  # fmt: skip
        lanes: dict[int, list[Value]] = {}
        for x, distance in pairs:
            lanes.setdefault(distance, []).append(x)
        self.shifts = {distance: maker.known(xs) for distance, xs in lanes.items()}
        self.there = maker.known(dict(pairs))

    @property
    def by_shifts(self) -> bool:
        """True if values are at few different distances from their lanes."""
        return len(self.shifts) <= MOST_SHIFTS

    def preimage(self, words: Bitset, cut: bool = True) -> Bitset:
        """Lanes related to a value in a set; bits of lanes without a value are arbitrary unless `cut`.

        Words are shifted if distances are few; otherwise they are read in chunks of bits or one by one.
        """
        maker = self.maker
        if not self.by_shifts:
            return self._gather(words)
        if len(self.shifts) > 1:
            words = tuple(e if isinstance(e, f.Load) else maker.w.atom(e, "held") for e in words)
        parts = []
        for distance, there in self.shifts.items():
            maker.spend(1 + bool(distance))
            moved = shift_bits(words, maker.size, distance)
            if not cut and len(self.shifts) == 1:
                return moved
            parts.append(tuple(map(intersection, moved, there)))
        if len(parts) == 1:
            maker.shifted[parts[0]] = ShiftedSet(words, distance, there)
        return maker.either(*parts)

    def _gather(self, words: Bitset) -> Bitset:
        maker, of = self.maker, self.of
        w, size = maker.w, maker.size
        lanes: dict[int, list[Value]] = {}
        inside = set(of.values)
        for x, held in zip(maker.of.values, self.values, strict=True):
            for value in held:
                if value in inside:
                    lanes.setdefault(w.codes.code(of, value) - w.codes.base(of), []).append(x)
        maker.spend(len(of.values))
        masks = {position: w.codes.mask(maker.of, xs) for position, xs in lanes.items()}
        if len(of.values) > FEW_BITS and not isinstance(words[0], f.Load):
            return self._gathered_in_chunks(words, masks)
        rows = [0] * (len(words) * WORD * size)
        for position, mask in masks.items():
            rows[position * size : (position + 1) * size] = mask
        table = w.program.table(rows, f"by {of}", self._meaning, f.WORDS)
        names = tuple(w.named("found", ZERO) for _ in range(size))
        cut = split_mask(sum(1 << position for position in masks), len(words))
        with w.bits([intersection(a, word(b)) for a, b in zip(words, cut, strict=True)], "i", 0) as i:
            for k, name in enumerate(names):
                w.set(name, union(name, load(table, plus(times(i, size), k))))
        return names

    @property
    def _meaning(self) -> str:
        return f"for each {self.of} the {self.maker.of} that it belongs to"

    def _gathered_in_chunks(self, words: Bitset, masks: Mapping[int, Sequence[int]]) -> Bitset:
        """The lanes related to a set, from a table with the lanes of every combination of bits in a chunk."""
        maker = self.maker
        w, size, found = maker.w, maker.size, []
        for i, word_of in enumerate(words):
            after = max((x - WORD * i + 1 for x in masks if x // WORD == i), default=0)
            if not after:
                continue
            parts = -(-after // MOST_BITS)
            bits = -(-after // parts)
            held = w.atom(word_of, "held")
            rows: list[int] = []
            looked_up: list[tuple[f.Expr, int, Sequence[int]]] = []
            for part in range(parts):
                columns: dict[int, list[int]] = {}
                for k in range(size):
                    column = [0]
                    for x in range(WORD * i + part * bits, WORD * i + (part + 1) * bits):
                        more = masks[x][k] if x in masks else 0
                        column += [before | more for before in column]
                    if any(column):
                        columns[k] = column
                chosen = as_type(intersection(shift_word(held, part * bits), word((1 << bits) - 1)), f.NUMBER)
                looked_up.append((w.named("at", times(chosen, len(columns))), len(rows), [*columns]))
                rows += chain.from_iterable(zip(*columns.values(), strict=True))
            maker.spend(sum(len(columns) for _, _, columns in looked_up))
            table = w.program.table(rows, f"by {self.of}", f"{self._meaning}, {bits} at a time", f.WORDS)
            for at, first, listed in looked_up:
                loads = {k: load(table, plus(at, first + column)) for column, k in enumerate(listed)}
                found.append(tuple(loads.get(k, ZERO) for k in range(size)))
        return maker.named(tuple(map(union, *found))) if found else maker.all(False)


def each_alone(places: Sequence[Value]) -> list[Collection[Value]]:
    """The places of lanes as the sets of values that belong to them: one value, or none."""
    return [() if place is None else (place,) for place in places]


class MapLookup:
    """A map of the state, read at the place that belongs to each lane."""

    def __init__(self, maker: BitsetAlgebra, var: n.StateVar, places: Sequence[Value]) -> None:
        assert isinstance(var.type, Map)
        of = scalar_of(var.type.of)
        assert of is not None
        self.maker, self.var, self.of, self.places = maker, var, of, tuple(places)
        self.relation = Relation(maker, each_alone(places), var.type.keys)
        self.first = maker.w.program.plane(var)
        self.codes = maker.w.codes.codes(of)
        self.each = maker.w.codes.words(var.type.keys)

    def some(self) -> Bitset:
        """Lanes where the map has a value."""
        if self.maker.w.program.has_none_plane(self.var):
            vacant = self._words(self.codes[0] + self.maker.w.program.value_planes(self.var))
            return self.relation.preimage(tuple(map(complement, vacant)))
        return self.relation.preimage(tuple(map(union, *(self._words(code) for code in self.codes))))

    def holding(self, values: Sequence[Value]) -> Bitset:
        """Lanes in which the map has one of these values, which do not include none."""
        if len(values) == 1:
            return self.plane(number(self.codes[self.of.values.index(values[0])]))
        if not values:
            return self.maker.all(False)
        self.maker.spend(len(values))
        return self.relation.preimage(self.maker.named(self.planes(values)))

    def planes(self, values: Iterable[Value]) -> Bitset:
        """The words of the places at which the map holds one of these values."""
        return tuple(map(union, *(self._words(self.codes[self.of.values.index(value)]) for value in values)))

    def _words(self, value: f.Expr | int) -> Bitset:
        place = times(plus(value, -self.codes[0]), self.each)
        return tuple(load(B, plus(self.first, place, i)) for i in range(self.each))

    def plane(self, value: f.Expr) -> Bitset:
        """The words of a value, given by its code."""
        maker, key = self.maker, (self.var, self.places, value)
        if key not in maker.planes:
            moved = self.relation.preimage(self._words(value))
            maker.planes[key] = maker.named(moved)
            if moved in maker.shifted:
                maker.shifted[maker.planes[key]] = maker.shifted[moved]
        return maker.planes[key]

    def equal_to(self, val: Val) -> Bitset:
        """Lanes in which the map equals a scalar that is not none."""
        first, last = self.codes[0], self.codes[-1]
        mine, value = scalar_of(val.type), constant_value(val.expr)
        if value is not None:
            return self.plane(number(value)) if first <= value <= last else self.maker.all(False)
        if mine is not None and mine.within(self.of):
            return self.plane(val.expr)
        inside = between(first, val.expr, last)
        place = self.maker.w.atom(choose(inside, val.expr, first), "place")  # beyond are no words
        return tuple(choose(inside, e, ZERO) for e in self.plane(place))

    @property
    def is_of_numbers(self) -> bool:
        """True if the values are numbers, which are their own codes."""
        return type(self.of.values[0]) is int and tuple(self.of.values) == tuple(self.codes)

    def among(self, bound: int, below: bool, strictly: bool) -> Bitset:
        """Lanes in which the map's number is below (else above) a constant, or equal unless `strictly`."""
        met: list[Value] = []
        others: list[Value] = []
        for x in self.of.values:
            low, high = (x, bound) if below else (bound, x)
            (met if low < high or (low == high and not strictly) else others).append(x)
        always = not isinstance(self.var.type.of, Optional)  # type: ignore[attr-defined]
        if always and len(others) < len(met) and self.relation.there == self.maker.all(True):
            return tuple(map(complement, self.holding(others)))
        return self.holding(met)

    def compared(self, bound: f.Expr, below: bool, strictly: bool) -> Bitset:
        """Lanes in which the map's number is below (else above) a bound, or equal unless `strictly`."""
        w, first, after = self.maker.w, self.codes[0], self.codes[-1] + 1
        self.maker.spend(len(self.codes))
        found = [w.named("found", ZERO) for _ in range(self.each)]
        cut = plus(bound, int(strictly is not below))
        cut = w.atom(arithmetic("min", cut, after) if below else arithmetic("max", cut, first), "cut")
        # Where every key has a number, those on the side with fewer numbers are found.
        always = not isinstance(self.var.type.of, Optional)  # type: ignore[attr-defined]
        shorter = compare(">", times(cut, 2), first + after)
        upper = w.named("upper", shorter) if always else truth(not below)
        value = w.name("value")
        with w.each(value, choose(upper, cut, first), choose(upper, after, cut)):
            for name, held in zip(found, self._words(value), strict=True):
                w.set(name, union(name, held))
        asked = negation(upper) if below else upper
        return self.relation.preimage(tuple(choose(asked, name, complement(name)) for name in found))

    def cases(self) -> ValueCases:
        """Each value of the map with the words of the lanes that have it. Raises NotExpressible."""
        maker = self.maker
        if len(self.codes) > MOST_CASES:
            raise NotExpressible
        found = [
            (v, maker.named(self.plane(number(c)))) for v, c in zip(self.of.values, self.codes, strict=True)
        ]
        some = maker.either(*(words for _, words in found))
        return [*found, (None if not isinstance(self.of, Truth) else False, tuple(map(complement, some)))]
