"""Maps and sets of the state read for all lanes at once: their words, shifted and cut."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product

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
from .algebra import Bitset, BitsetAlgebra, NotExpressible, ValueCases

MOST_SHIFTS = 4
"""With more different distances words are not shifted, but gone through bit by bit."""
FEW_BITS, MOST_BITS = 8, 7
"""Sets of at most so many elements are gone through one by one; others by so many bits at once."""
MOST_CASES = 16
"""An expression that takes more values than this is not split by them."""


class ShiftedBitset:
    """Words over one type as words over the lanes: bit x is that of the place that belongs to x."""

    def __init__(self, maker: BitsetAlgebra, places: Sequence[Value], of: Scalar) -> None:
        self.maker = maker
        codes = maker.w.codes
        shifts: dict[int, list[Value]] = {}
        inside = set(of.values)
        for x, place in zip(maker.of.values, places, strict=True):
            if place is not None and place in inside:
                to = codes.code(of, place) - codes.base(of)
                shifts.setdefault(to - codes.code(maker.of, x) + codes.base(maker.of), []).append(x)
        self.shifts = {shift: maker.known(values) for shift, values in shifts.items()}
        self.there = maker.known([x for values in shifts.values() for x in values])
        self.places, self.keys = places, of

    def of(self, words: Bitset, cut: bool = True) -> Bitset:
        """The words, moved and cut to the lanes that have a place; without the cut others may be anything."""
        maker = self.maker
        if len(self.shifts) > MOST_SHIFTS:
            parts_of = [() if place is None else (place,) for place in self.places]
            return project_bits(maker, self.keys, words, parts_of)
        parts = []
        for shift, there in self.shifts.items():
            maker.spend(1 + bool(shift))
            moved = tuple(_shift_bits(words, i, shift) for i in range(maker.size))
            if not cut and len(self.shifts) == 1:
                return moved
            parts.append(tuple(map(intersection, moved, there)))
        return maker.either(*parts)


def project_bits(
    maker: BitsetAlgebra, of: Scalar, words: Bitset, parts: Sequence[Collection[Value]]
) -> Bitset:
    """The lanes of which a part is in a set, given the parts of each: the set is gone through bit by bit."""
    w, size = maker.w, maker.size
    lanes: dict[Value, list[Value]] = {x: [] for x in of.values}
    for x, values in zip(maker.of.values, parts, strict=True):
        for value in values:
            if value in lanes:
                lanes[value].append(x)
    inside = w.codes.mask(of, [value for value, found in lanes.items() if found])
    maker.spend(len(lanes))
    if len(inside) == 1 and len(lanes) > FEW_BITS and not isinstance(words[0], f.Load):
        return _project_in_chunks(maker, of, words[0], lanes)
    rows = [0] * (len(inside) * WORD * size)
    for value, found in lanes.items():
        at = (w.codes.code(of, value) - w.codes.base(of)) * size
        rows[at : at + size] = w.codes.mask(maker.of, found)
    meaning = f"for each {of} the {maker.of} that it belongs to"
    table = w.program.table(rows, f"by {of}", meaning, f.WORDS)
    names = tuple(w.named("found", ZERO) for _ in range(size))
    cut = [intersection(a, word(b)) for a, b in zip(words, inside, strict=True)]
    with w.bits(cut, "i", 0) as i:
        for k, name in enumerate(names):
            w.set(name, union(name, load(table, plus(times(i, size), k))))
    return names


def _project_in_chunks(
    maker: BitsetAlgebra, of: Scalar, held: f.Expr, lanes: Mapping[Value, Sequence[Value]]
) -> Bitset:
    """The same, a few bits of the set at a time: a table has the lanes of all their combinations."""
    w, size = maker.w, maker.size
    first = w.codes.base(of)
    by = {w.codes.code(of, value) - first: w.codes.mask(maker.of, xs) for value, xs in lanes.items()}
    parts = -(-(max(by) + 1) // MOST_BITS)
    bits = -(-(max(by) + 1) // parts)
    rows = [0] * ((parts << bits) * size)
    for part, k in product(range(parts), range(size)):
        column, first = [0], (part << bits) * size
        for bit in range(part * bits, (part + 1) * bits):
            more = by[bit][k] if bit in by else 0
            column += [found | more for found in column]
        rows[first + k : first + (size << bits) : size] = column
    meaning = f"for each {of} the {maker.of} that it belongs to, {bits} at a time"
    table = w.program.table(rows, f"by {of}", meaning, f.WORDS)
    held, found = w.atom(held, "held"), []
    for part in range(parts):
        chosen = as_type(intersection(shift_word(held, part * bits), word((1 << bits) - 1)), f.NUMBER)
        at = w.named("at", times(chosen, size))
        found.append(tuple(load(table, plus(at, (part << bits) * size + k)) for k in range(size)))
    return maker.named(tuple(map(union, *found)))


def _shift_bits(words: Bitset, i: int, shift: int) -> f.Expr:
    """Word i of words shifted down by so many bits (up if negative); too many bits are left above."""
    whole, rest = shift // WORD, shift % WORD
    first, second = (words[i + whole + k] if 0 <= i + whole + k < len(words) else ZERO for k in (0, 1))
    return union(shift_word(first, rest), shift_word(second, rest - WORD)) if rest else first


class MapLookup:
    """A map of the state, read at the place that belongs to each lane."""

    def __init__(self, maker: BitsetAlgebra, var: n.StateVar, places: Sequence[Value]) -> None:
        assert isinstance(var.type, Map)
        of = scalar_of(var.type.of)
        assert of is not None
        self.maker, self.var, self.of, self.places = maker, var, of, tuple(places)
        self.shifted = ShiftedBitset(maker, places, var.type.keys)
        self.first = maker.w.program.plane(var)
        self.codes = maker.w.codes.codes(of)
        self.each = maker.w.codes.words(var.type.keys)

    def some(self) -> Bitset:
        """Lanes where the map has a value."""
        if self.maker.w.program.has_none_plane(self.var):
            vacant = self._words(self.codes[0] + self.maker.w.program.value_planes(self.var))
            return self.shifted.of(tuple(map(complement, vacant)))
        return self.shifted.of(tuple(map(union, *(self._words(code) for code in self.codes))))

    def holding(self, values: Sequence[Value]) -> Bitset:
        """Lanes where the map has one of these values, none of which is nothing."""
        if len(values) == 1:
            return self.plane(number(self.codes[self.of.values.index(values[0])]))
        if not values:
            return self.maker.all(False)
        self.maker.spend(len(values))
        return self.shifted.of(self.maker.named(self.planes(values)))

    def planes(self, values: Iterable[Value]) -> Bitset:
        """The words of the places of the map that hold one of these values."""
        return tuple(map(union, *(self._words(self.codes[self.of.values.index(value)]) for value in values)))

    def _words(self, value: f.Expr | int) -> Bitset:
        place = times(plus(value, -self.codes[0]), self.each)
        return tuple(load(B, plus(self.first, place, i)) for i in range(self.each))

    def plane(self, value: f.Expr) -> Bitset:
        """The words of a value, given by its code."""
        maker, key = self.maker, (self.var, self.places, value)
        if key not in maker.planes:
            moved = self.shifted.of(self._words(value))
            maker.planes[key] = maker.named(moved)
            maker.made |= zip(maker.planes[key], moved, strict=True)
        return maker.planes[key]

    def equal_to(self, val: Val) -> Bitset:
        """Lanes where the map has the value of a scalar that is not none."""
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
        """True if the values are numbers, which their codes are too."""
        return type(self.of.values[0]) is int and tuple(self.of.values) == tuple(self.codes)

    def among(self, bound: int, below: bool, strictly: bool) -> Bitset:
        """Lanes where the map has a number below (else above) a known one; that one too if not `strictly`."""
        met: list[Value] = []
        others: list[Value] = []
        for x in self.of.values:
            low, high = (x, bound) if below else (bound, x)
            (met if low < high or (low == high and not strictly) else others).append(x)
        always = not isinstance(self.var.type.of, Optional)  # type: ignore[attr-defined]
        if always and len(others) < len(met) and self.shifted.there == self.maker.all(True):
            return tuple(map(complement, self.holding(others)))
        return self.holding(met)

    def compared(self, bound: f.Expr, below: bool, strictly: bool) -> Bitset:
        """Lanes where the map has a number below (else above) a bound; the bound too if not `strictly`."""
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
        return self.shifted.of(tuple(choose(asked, name, complement(name)) for name in found))

    def cases(self) -> ValueCases:
        """Each value with its words."""
        maker = self.maker
        if len(self.codes) > MOST_CASES:
            raise NotExpressible
        found = [
            (v, maker.named(self.plane(number(c)))) for v, c in zip(self.of.values, self.codes, strict=True)
        ]
        some = maker.either(*(words for _, words in found))
        return [*found, (None if not isinstance(self.of, Truth) else False, tuple(map(complement, some)))]
