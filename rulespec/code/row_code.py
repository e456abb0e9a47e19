"""The constants and the function of a game that `kernels.packed_rows` needs; see `RowFields`."""

from __future__ import annotations

from itertools import count

from ..core.types import Map, Optional, Scalar, scalar_of
from ..machine import form as f
from ..machine.building import Builder, arithmetic, bit, differ, load, plus, times, union
from .body import B, S
from .codes import WORD
from .declared import table
from .row_fields import Field, RowFields
from .vals import NONE
from .write import Written


def fields(layout: RowFields) -> dict[str, int | f.Table | f.Function]:
    """The constants of rows: the places of fields in a state and in its row."""
    sizes = {"ROW": layout.width, "CELL_FIELDS": len(layout.cells), "WORD_FIELDS": len(layout.words)}
    tables = [
        table("CELL_LOW", (x.low for x in layout.cells)), table("CELL_SPAN", (x.span for x in layout.cells)),
        *map(table, ("WORD_VALUE", "SPOT"), _values(layout)),
    ]  # fmt: skip
    for name, listed in (("CELL", layout.cells), ("WORD", layout.words)):
        tables += [
            table(f"{name}_AT", (x.at for x in listed)),
            table(f"{name}_ROW", (x.word for x in listed)),
            table(f"{name}_SHIFT", (x.shift for x in listed), f.WORDS),
            table(f"{name}_BITS", map(_mask, listed), f.WORDS),
        ]
    return {**sizes, "PLANES": len(layout.planes), **{x.name: x for x in tables}}


def _values(layout: RowFields) -> tuple[list[int], list[int]]:
    """Of each word of the keys of a map the value that these have, else `NONE`, and where each bit lies."""
    codes, offsets = layout.runner.program.codes, layout.runner.program.offsets
    values, spots = [f.NONE] * len(layout.words), [0] * (WORD * len(layout.words))
    for var, first in layout.planes.items():
        assert isinstance(var.type, Map)
        keys, of, each = var.type.keys, scalar_of(var.type.of), codes.words(var.type.keys)
        assert of is not None
        for at, value in zip(count(first, each), codes.codes(of), strict=False):
            values[at : at + each] = [value] * each
            for i, code in enumerate(codes.codes(keys), offsets[var][1]):
                spots[WORD * at + code - codes.base(keys)] = i
    return values, spots


def _mask(field: Field) -> int:
    return (1 << field.bits) - 1


def planes(written: Written) -> dict[str, int | f.Table | f.Function]:
    """A function that works out the words that the code keeps beside a state, and its tables."""
    program, body = written.program, Builder(("s", "b"))
    made: dict[str, int | f.Table | f.Function] = {}
    for var, (place, at) in program.planes.items():
        keys, of = var.type.keys, scalar_of(var.type.of)  # type: ignore[attr-defined]
        assert isinstance(of, Scalar)
        each, low = program.codes.words(keys), program.codes.codes(of)[0]
        bits = table(
            f"PLANE_{len(made)}", (code - program.codes.base(keys) for code in program.codes.codes(keys))
        )
        made[bits.name] = bits
        i, x = body.local("i"), body.local("x")
        with body.each(i, place, plus(at, program.plane_size(var))):
            body.store(B, i, 0)
        with body.each(i, 0, len(bits.values)):
            body.set(x, load(S, plus(program.offsets[var].at, i)))
            depth = body.depth
            if isinstance(var.type.of, Optional):  # type: ignore[attr-defined]
                body.under(differ(x, NONE))
            position = load(f.Static(f.NUMBERS, bits.name), i)
            index = plus(at, times(plus(x, -low), each), arithmetic("//", position, WORD))
            body.store(B, index, union(load(B, index), bit(arithmetic("%", position, WORD))))
            body.back(depth)
    body.give(0)
    return {**made, "beside": body.function("beside", [S, B], [f.NUMBER])}
