"""The constants and the function of a game that `kernels.packed_rows` needs, as text; see `RowFields`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from itertools import count

from ..core.types import Map, Optional, Scalar, scalar_of
from .codes import NONE, WORD
from .row_fields import Field, RowFields
from .write import Written


def fields(layout: RowFields) -> str:
    """The constants of rows: the places of fields in a state and in its row."""
    lines = [f"ROW, CELL_FIELDS, WORD_FIELDS = {layout.width}, {len(layout.cells)}, {len(layout.words)}"]
    lines += [f"PLANES = {len(layout.planes)}"]
    for name, fields in (("CELL", layout.cells), ("WORD", layout.words)):
        lines += [
            _table(f"{name}_AT", "table", (f.at for f in fields)),
            _table(f"{name}_ROW", "table", (f.word for f in fields)),
            _table(f"{name}_SHIFT", "masks", (f.shift for f in fields)),
            _table(f"{name}_BITS", "masks", (_mask(f) for f in fields)),
        ]
    lines.append(_table("CELL_LOW", "table", (f.low for f in layout.cells)))
    lines.append(_table("CELL_SPAN", "table", (f.span for f in layout.cells)))
    values, spots = _values(layout)
    lines += [_table("WORD_VALUE", "table", values), _table("SPOT", "table", spots)]
    return "\n".join(lines)


def _values(layout: RowFields) -> tuple[list[int], list[int]]:
    """Of each word of the keys of a map the value that these have, else `NONE`, and where each bit lies."""
    codes, offsets = layout.runner.program.codes, layout.runner.program.offsets
    values, spots = [NONE] * len(layout.words), [0] * (WORD * len(layout.words))
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


def _table(name: str, kind: str, values: Iterable[int]) -> str:
    listed = list(values) or [0]
    text = f"{name} = {kind}([{', '.join(map(str, listed))}])"
    return textwrap.fill(text, 108, subsequent_indent="    ", break_long_words=False)


def planes(written: Written) -> str:
    """A function that works out the words that the code keeps beside a state."""
    program = written.program
    lines = ["@part", "def beside(s, b):", '    """Work out the words that are kept beside a state."""']
    for number, (var, name) in enumerate(program.planes.items()):
        keys, of = var.type.keys, scalar_of(var.type.of)  # type: ignore[attr-defined]
        assert isinstance(of, Scalar)
        each, low = program.codes.words(keys), program.codes.codes(of)[0]
        bits = [code - program.codes.base(keys) for code in program.codes.codes(keys)]
        at = program.offsets[var][1]
        lines.insert(0, _table(f"PLANE_{number}", "table", bits))
        lines += [
            f"    for i in range({name}, {name} + {program.plane_size(var)}):",
            "        b[i] = ZERO",
            f"    for i in range({len(bits)}):",
            f"        x = s[{at} + i]",
        ]
        step = f"b[{name} + (x - {low}) * {each} + (PLANE_{number}[i] >> 6)] |= BIT[PLANE_{number}[i] & 63]"
        optional = isinstance(var.type.of, Optional)  # type: ignore[attr-defined]
        lines += ["        if x != NONE:", f"            {step}"] if optional else [f"        {step}"]
    tables = [line for line in lines if line.startswith("PLANE")]
    rest = [line for line in lines if not line.startswith("PLANE")] + ["    return 0"]
    return "\n".join([*tables, "", "", *rest])
