"""The constants and the function of a game that `kernels.packed_rows` needs, as text; see `RowLayout`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from rulespec.code import Written
from rulespec.code.codes import WORD
from rulespec.core.types import Optional, Scalar, scalar_of

from .packing import Field, RowLayout


def fields(layout: RowLayout) -> str:
    """The constants of rows: the places of fields in a state and in its row."""
    lines = [f"ROW, CELL_FIELDS, WORD_FIELDS = {layout.width}, {len(layout.cells)}, {len(layout.words)}"]
    for name, fields in (("CELL", layout.cells), ("WORD", layout.words)):
        lines += [
            _table(f"{name}_AT", "table", (f.at for f in fields)),
            _table(f"{name}_ROW", "table", (f.word for f in fields)),
            _table(f"{name}_SHIFT", "masks", (f.shift for f in fields)),
            _table(f"{name}_BITS", "masks", (_mask(f) for f in fields)),
        ]
    lines.append(_table("CELL_LOW", "table", (f.low for f in layout.cells)))
    lines.append(_table("CELL_SPAN", "table", (f.span for f in layout.cells)))
    return "\n".join(lines)


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


def restoring(layout: RowLayout) -> str:
    """A function that makes a state that of a row, for `kernels.alphabeta`.

    Of a map that the row holds in planes, only the places that differ are written.
    """
    program, tables = layout.runner.program, list[str]()
    lines = ["@part", "def restore(rows, first, s, b):", '    """Make a state that of a row."""']
    for field in layout.cells:
        x = f"as_number({_held(field)})"
        lines += [f"    x = {x}", f"    s[{field.at}] = NONE if x == {field.span} else x + {field.low}"]
    planes = {field for fields in layout.planes.values() for field in fields}
    lines += [f"    b[{field.at}] = {_held(field)}" for field in layout.words if field not in planes]
    for number, (var, fields) in enumerate(layout.planes.items()):
        keys, of, at = var.type.keys, var.type.of, program.offsets[var][1]  # type: ignore[attr-defined]
        first, each = program.codes.codes(scalar_of(of))[0], program.codes.words(keys)  # type: ignore[arg-type]
        spots = {code - program.codes.base(keys): at + i for i, code in enumerate(program.codes.codes(keys))}
        tables.append(_table(f"SPOTS_{number}", "table", (spots.get(bit, at) for bit in range(each * WORD))))
        spot = f"s[SPOTS_{number}[low(rest) + {{}}]]"
        for i, field in enumerate(fields):
            lines.append(f"    held_{i} = {_held(field)}")
            if isinstance(of, Optional):
                lines += [
                    f"    rest = b[{field.at}] & ~held_{i}",
                    "    while rest != ZERO:",
                    f"        {spot.format(i % each * WORD)} = NONE",
                    "        rest &= rest - ONE",
                ]
        for i, field in enumerate(fields):
            lines += [
                f"    rest = held_{i} & ~b[{field.at}]",
                "    while rest != ZERO:",
                f"        {spot.format(i % each * WORD)} = {first + i // each}",
                "        rest &= rest - ONE",
                f"    b[{field.at}] = held_{i}",
            ]
    return "\n".join([*tables, "", "", *lines, "    return 0"])


def _held(field: Field) -> str:
    """The number in a field of the row that begins at `first`."""
    shifted = f"rows[first + {field.word}] >> as_word({field.shift})"
    return shifted if field.shift + field.bits == WORD else f"{shifted} & as_word({_mask(field)})"
