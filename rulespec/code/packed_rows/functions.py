"""The functions of a game that move states into packed rows and back; see `RowFields`.

They are written out field by field: no loop over tables of fields costs as little. The state that plies begin
with is kept behind the state in the same arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, groupby

from ...core.nodes import StateVar
from ...core.types import Map, Optional
from ...machine import form as f
from ...machine.builder import (
    Builder,
    as_type,
    choose,
    differ,
    equal,
    intersection,
    load,
    low,
    plus,
    shift_word,
    times,
    union,
    word,
)
from ..bindings import NONE, scalar_type
from ..body import B, S
from ..codes import WORD
from ..execution.kernel_names import kernel_table
from ..program import in_words
from .fields import RowField, RowFields, changed_variables

MANY_KEYS = 20
"""For a map with more keys and words for each value, only changed keys are packed again."""
LONG_RUN = 32
"""A run of more numbers is copied by a loop."""
ROWS, ROW, FIRST = f.Local(f.WORDS, "rows"), f.Local(f.WORDS, "row"), f.Local(f.NUMBER, "first")
Declarations = dict[str, int | f.Table | f.Function]


def packing_functions(layout: RowFields) -> Declarations:
    """The size of the rows of a layout, and functions that pack a state, unpack it, and take plies back."""
    return {"ROW": layout.width, **{x.name: x for x in _RowFunctions(layout).packing()}}


def row_functions(layout: RowFields) -> Declarations:
    """The constants and functions for rows of a layout."""
    return {
        **packing_functions(layout),
        "WHOLE": layout.whole.width,
        **{x.name: x for x in _RowFunctions(layout).others()},
    }


class _RowFunctions:
    """The functions for one layout."""

    def __init__(self, layout: RowFields) -> None:
        self.layout, self.program = layout, layout.runner.program
        self.cell_room, self.word_room = len(self.program.cells), len(self.program.words)
        self.beside = [var for var in self.program.planes if var not in layout.planes]
        """The maps whose words are kept with the state, and not in the row."""
        plies = changed_variables(self.program.game)
        self.numbers: list[RowField] = []
        """The numbers that a ply may change, except those of `sparse`."""
        self.words: list[RowField] = []
        self.sparse: list[tuple[StateVar, Sequence[RowField]]] = []
        """The maps of which a ply changes only few keys."""
        for var, (t, held) in layout.held.items():
            if var not in plies:
                continue
            if in_words(t):
                self.words += held
            elif var in self.beside and len(held) > MANY_KEYS and self._lanes(var) == 1:
                self.sparse.append((var, held))
            else:
                self.numbers += held
        self.numbers += (layout.ended, layout.fault)

    def packing(self) -> Iterator[f.Table | f.Function]:
        """See `packing`."""
        yield from (*self._marks(), *self._sparse_tables())
        yield from (self.pack("pack"), self._unpack(), self._keep(), self._go_back())

    def others(self) -> Iterator[f.Table | f.Function]:
        """The functions other than those for packing."""
        values, spots = self._values()
        yield kernel_table("SPOT", spots)
        yield _RowFunctions(self.layout.whole).pack("pack_whole")
        yield from self._restoring(values)
        yield self._repack()

    def _marks(self) -> list[f.Table]:
        """The words to add to a row if nobody can act, and masks of the bits that do not depend on that."""
        marks, bits = self.layout.stuck_mark()
        keys = [(1 << WORD) - 1 & ~x for x in bits]
        return [kernel_table("MARK", marks, f.WORDS), kernel_table("KEY", keys, f.WORDS)]

    # ---- whole rows

    def pack(self, name: str) -> f.Function:
        """The function that packs a state into a row."""
        body = Builder()
        for x, parts in enumerate(self._row_parts(self.layout.cells, self.layout.words)):
            body.store(ROW, x, union(*parts))
        return body.function(name, [S, B, ROW])

    def _row_parts(self, cells: Iterable[RowField], words: Iterable[RowField]) -> list[list[f.Expr]]:
        """The contributions to each word of a row, one for each field."""
        made: list[list[f.Expr]] = [[] for _ in range(self.layout.width)]
        for x in cells:
            if x.bits:
                made[x.word].append(shift_word(as_type(_code_in_row(x, load(S, x.at)), f.WORD), -x.shift))
        for x in words:
            if x.bits:
                made[x.word].append(shift_word(load(B, x.at), -x.shift))
        return made

    def _unpack(self) -> f.Function:
        """The function that unpacks a row into the state and computes the bit sets kept with it."""
        body = Builder()
        held = self._read(body)
        for x in self.layout.words:
            body.store(B, x.at, _field_bits(held, x) if x.bits else word(x.low))
        return body.function("unpack", [ROWS, FIRST, S, B])

    def _read(self, body: Builder) -> list[f.Local]:
        """Write code that unpacks numbers and the words kept with them; return the words of the row."""
        held = [body.local(f"w{i}", f.WORD) for i in range(self.layout.width)]
        for i, w in enumerate(held):
            body.set(w, load(ROWS, plus(FIRST, i)))
        x = body.local("x")
        keys = dict(key for var in self.beside for key in self._empty_planes(body, var))
        for field in self.layout.cells:
            if field.bits == 0:
                body.store(S, field.at, field.low)
            else:
                body.set(x, as_type(_field_bits(held, field), f.NUMBER))
                none = equal(x, field.span) if not field.span >> field.bits else f.Const(f.TRUTH, 0)
                body.store(S, field.at, choose(none, NONE, plus(x, field.low)))
            if field.at in keys:
                self._add_key(body, *keys[field.at], x if field.bits else field.low)
        return held

    def _empty_planes(self, body: Builder, var: StateVar) -> Iterator[tuple[int, tuple[StateVar, int]]]:
        """Write code that empties the bit sets of a map; yields the place, map and bit of each number."""
        t, first, x = var.type, self.program.planes[var].at, body.local("x")
        assert isinstance(t, Map)
        after = first + self.program.plane_size(var)
        if after - first > LONG_RUN:
            with body.each(x, first, after):
                body.store(B, x, word(0))
        else:
            for i in range(first, after):
                body.store(B, i, word(0))
        codes = self.program.codes
        for i, code in enumerate(codes.codes(t.keys), self.program.offsets[var].at):
            yield i, (var, code - codes.base(t.keys))

    def _add_key(self, body: Builder, var: StateVar, key: int, x: f.Expr | int) -> None:
        """Write code that adds a key to the words of its value, given the bits of its field or the number."""
        assert isinstance(var.type, Map)
        none = self.program.value_planes(var)
        if isinstance(x, int):
            x = none if x == f.NONE else x - self.program.codes.codes(scalar_type(var.type.of))[0]
        plane: f.Expr = plus(x)
        bit: f.Expr = word(1 << key % WORD)
        if isinstance(var.type.of, Optional) and not self.program.has_none_plane(var):
            missing = equal(x, none)
            plane, bit = choose(missing, 0, plane), choose(missing, word(0), bit)
        place = plus(times(plane, self._lanes(var)), self.program.planes[var].at + key // WORD)
        body.store(B, place, union(load(B, place), bit))

    def _restoring(self, values: Sequence[int]) -> Iterator[f.Function]:
        """Functions like `unpack` that restore maps with words only if these differ.

        A function of its own restores the numbers of such a map, since many games never read them.
        """
        body = Builder()
        words = self._read(body)
        held = [body.local(f"held{i}", f.WORD) for i in range(len(self.layout.words))]
        for local, x in zip(held, self.layout.words, strict=True):
            body.set(local, _field_bits(words, x) if x.bits else word(x.low))
        for number, (var, first) in enumerate(self.layout.planes.items()):
            places = range(first, first + self.program.plane_size(var))
            body.do(f"restore_{number}", S, B, *(held[i] for i in places))
            yield self._numbers(f"restore_{number}", places, values)
        for local, x in zip(held, self.layout.words, strict=True):
            body.store(B, x.at, local)
        yield body.function("restore", [ROWS, FIRST, S, B])

    def _numbers(self, name: str, places: range, values: Sequence[int]) -> f.Function:
        """The function that restores the numbers of a map if its bit sets differ from given ones."""
        body = Builder()
        held = [body.local(f"held{i}", f.WORD) for i in places]
        rest, spot = body.local("rest", f.WORD), body.local("spot")
        for on in (False, True):
            for i, given in zip(places, held, strict=True):
                before = load(B, self.layout.words[i].at)
                new, old = (given, before) if on else (before, given)
                with _each_bit(body, rest, intersection(new, f.Unary(f.WORD, "not", old))) as x:
                    body.set(spot, load(f.Static(f.NUMBERS, "SPOT"), plus(WORD * i, x)))
                    body.store(S, spot, values[i] if on else NONE)
        return body.function(name, [S, B, *held])

    def _values(self) -> tuple[list[int], list[int]]:
        """For each word of the keys of a map, its value or `NONE`; and the place of each bit."""
        codes, offsets = self.program.codes, self.program.offsets
        values, spots = [f.NONE] * len(self.layout.words), [0] * (WORD * len(self.layout.words))
        for var, first in self.layout.planes.items():
            assert isinstance(var.type, Map)
            keys, each = var.type.keys, codes.words(var.type.keys)
            for at, value in zip(count(first, each), codes.codes(scalar_type(var.type.of)), strict=False):
                values[at : at + each] = [value] * each
                for i, code in enumerate(codes.codes(keys), offsets[var].at):
                    spots[WORD * at + code - codes.base(keys)] = i
        return values, spots

    # ---- plies taken back

    def _copy(self, body: Builder, numbers: Iterable[int], back: bool) -> None:
        """Write code that copies the numbers and words that a ply may change to the backup, or back."""
        words = [x.at for x in self.words]
        for var in self.beside:
            words += range(first := self.program.planes[var].at, first + self.program.plane_size(var))
        i = body.local("i")
        for array, room, places in ((S, self.cell_room, numbers), (B, self.word_room, words)):
            to, source = (0, room) if back else (room, 0)
            for _, numbered in groupby(enumerate(sorted(places)), lambda x: x[1] - x[0]):
                run = [at for _, at in numbered]
                if len(run) > LONG_RUN:
                    with body.each(i, run[0], run[-1] + 1):
                        body.store(array, plus(i, to), load(array, plus(i, source)))
                    continue
                for at in run:
                    body.store(array, at + to, load(array, at + source))

    def _keep(self) -> f.Function:
        body = Builder()
        sparse = (x.at for _, held in self.sparse for x in held)
        self._copy(body, [*(x.at for x in self.numbers), *sparse], False)
        return body.function("keep_state", [S, B])

    def _go_back(self) -> f.Function:
        body = Builder()
        for number, (var, _) in enumerate(self.sparse):
            with self._each_changed(body, number, var) as (_, at):
                body.store(S, at, load(S, plus(at, self.cell_room)))
        self._copy(body, (x.at for x in self.numbers), True)
        return body.function("go_back", [S, B])

    @contextmanager
    def _each_changed(self, body: Builder, number: int, var: StateVar) -> Iterator[tuple[f.Expr, f.Local]]:
        """Loop over the keys of a map that a ply changed; yields a bit and a place for each."""
        first = self.program.planes[var].at
        places = range(first, first + self.program.plane_size(var))
        rest, at = body.local("rest", f.WORD), body.local("at")
        changes = (f.Binary(f.WORD, "^", load(B, x), load(B, self.word_room + x)) for x in places)
        with _each_bit(body, rest, union(*changes)) as key:
            body.set(at, load(f.Static(f.NUMBERS, f"SPARSE_AT_{number}"), key))
            yield key, at

    def _repack(self) -> f.Function:
        """The function that packs the parts a ply may change, and takes the rest from the row before."""
        kept = [0] * self.layout.width
        for x in (*self.numbers, *self.words):
            kept[x.word] |= (1 << x.bits) - 1 << x.shift
        body = Builder()
        for i, parts in enumerate(self._row_parts(self.numbers, self.words)):
            body.store(ROW, i, union(intersection(load(ROWS, plus(FIRST, i)), word(~kept[i])), *parts))
        for number, (var, held) in enumerate(self.sparse):
            change, to = body.local("change", f.WORD), body.local("to")
            with self._each_changed(body, number, var) as (key, at):
                codes = (_code_in_row(held[0], load(S, place)) for place in (at, plus(at, self.cell_room)))
                before, after = (as_type(code, f.WORD) for code in codes)
                body.set(change, f.Binary(f.WORD, "^", before, after))
                shift = load(f.Static(f.NUMBERS, f"SPARSE_SHIFT_{number}"), key)
                body.set(change, f.Binary(f.WORD, "<<", change, shift))
                body.set(to, load(f.Static(f.NUMBERS, f"SPARSE_ROW_{number}"), key))
                body.store(ROW, to, f.Binary(f.WORD, "^", load(ROW, to), change))
        return body.function("repack", [ROWS, FIRST, S, B, ROW])

    def _sparse_tables(self) -> Iterator[f.Table]:
        """For each bit of the words of a map, the place of its key in the state and in a row."""
        for number, (var, held) in enumerate(self.sparse):
            assert isinstance(var.type, Map)
            codes, keys = self.program.codes, var.type.keys
            by = {code - codes.base(keys): x for code, x in zip(codes.codes(keys), held, strict=True)}
            found = [by.get(k, held[0]) for k in range(WORD)]
            yield kernel_table(f"SPARSE_AT_{number}", (x.at for x in found))
            yield kernel_table(f"SPARSE_ROW_{number}", (x.word for x in found))
            yield kernel_table(f"SPARSE_SHIFT_{number}", (x.shift for x in found))

    def _lanes(self, var: StateVar) -> int:
        """Number of words for one value of a map."""
        assert isinstance(var.type, Map)
        return self.program.codes.words(var.type.keys)


@contextmanager
def _each_bit(body: Builder, rest: f.Local, e: f.Expr) -> Iterator[f.Expr]:
    """Loop over the set bits of a word, lowest first; yields the number of each."""
    body.set(rest, e)
    with body.repeat(differ(rest, word(0))):
        yield low(rest)
        body.set(rest, intersection(rest, f.Binary(f.WORD, "-", rest, word(1))))


def _code_in_row(field: RowField, x: f.Expr) -> f.Expr:
    """The encoding of a number in its field of a row."""
    less = plus(x, -field.low)
    return less if field.span >> field.bits else choose(differ(x, NONE), less, field.span)


def _field_bits(words: Sequence[f.Expr], x: RowField) -> f.Expr:
    """The bits of a field, as a word."""
    found = shift_word(words[x.word], x.shift)
    return found if x.shift + x.bits == WORD else intersection(found, word((1 << x.bits) - 1))
