"""The text that puts states into rows and back, to stand beside the code of a game; see `RowLayout`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from rulespec.code import Written
from rulespec.core.types import Optional, Scalar, scalar_of

from .packing import Field, RowLayout


def constants(written: Written, layout: RowLayout) -> str:
    """The constants of the kernel: places of fields in a state and in its row."""
    over = written.program.offsets[written.program.game.state["over"]][1]
    lines = [
        f"OVER_AT, FAULT_AT = {over}, {layout.fault.at}",
        f"SETTING_UP = {len(written.rows.actions)}",
        f"ROW = {layout.width}",
        f"WIDTH = {written.width}",
        f"CELLS = {len(layout.cells)}",
        f"WORDS = {len(layout.words)}",
    ]
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


PACKING = '''
@part
def alike(rows, at, others, other):
    """True if the rows that begin at two places are the same."""
    for i in range(ROW):
        if rows[at + i] != others[other + i]:
            return False
    return True


@part
def copy_row(to, at, rows, first):
    """Copy a row from one place to another."""
    for i in range(ROW):
        to[at + i] = rows[first + i]


@part
def hash_of(rows, first, h):
    """A hash of the row that begins at a place; other beginnings `h` give other hashes."""
    for i in range(ROW):
        h = mixed(h ^ rows[first + i])
    return h


@part
def pack(s, b, row):
    """Put a state into a row."""
    for i in range(ROW):
        row[i] = ZERO
    for i in range(CELLS):
        x = s[CELL_AT[i]]
        x = CELL_SPAN[i] if x == NONE else x - CELL_LOW[i]
        row[CELL_ROW[i]] |= as_word(x) << CELL_SHIFT[i]
    for i in range(WORDS):
        row[WORD_ROW[i]] |= b[WORD_AT[i]] << WORD_SHIFT[i]


@part
def unpack(rows, at, s, b):
    """Put the state of a row among rows back, with the words that are kept beside it."""
    first = at * ROW
    for i in range(CELLS):
        x = as_number(rows[first + CELL_ROW[i]] >> CELL_SHIFT[i] & CELL_BITS[i])
        s[CELL_AT[i]] = NONE if x == CELL_SPAN[i] and CELL_BITS[i] != ZERO else x + CELL_LOW[i]
    for i in range(WORDS):
        b[WORD_AT[i]] = rows[first + WORD_ROW[i]] >> WORD_SHIFT[i] & WORD_BITS[i]
    beside(s, b)
'''
