"""Tables in as few bytes as hold each of their elements, so that more of them stay near the processor."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from .. import form as f
from ..traversal import node_index
from . import binary as w


class Width(NamedTuple):
    """The bytes of an element, its code for `struct`, and the instruction that loads it."""

    size: int
    code: str
    load: bytes


FULL = {
    f.NUMBERS: Width(8, "q", w.I64_LOAD), f.WORDS: Width(8, "Q", w.I64_LOAD),
    f.SMALL: Width(4, "i", w.I64_LOAD32_S), f.REALS: Width(8, "d", w.F64_LOAD),
}  # fmt: skip
"""The widths of elements as functions know them that take an array."""
NARROW = (
    Width(1, "B", w.I64_LOAD8_U), Width(2, "H", w.I64_LOAD16_U),
    Width(4, "I", w.I64_LOAD32_U), Width(4, "i", w.I64_LOAD32_S),
)  # fmt: skip


def table_widths(module: f.Module) -> dict[str, Width]:
    """The width of each table and room: the least for a table that no function takes as an array."""
    taken: set[str] = set()
    for function in module.functions.values():
        held = node_index(function)
        apart = Counter(x.name for x in held.of(f.Static))
        apart.subtract(x.array.name for x in held.of(f.Load, f.Length) if isinstance(x.array, f.Static))
        taken |= (+apart).keys()
    found = {name: FULL[x.type] for name, x in (module.rooms | module.tables).items()}
    for name, table in module.tables.items():
        if name not in taken and table.type in (f.NUMBERS, f.WORDS):
            least, most = min(table.values, default=0), max(table.values, default=0)
            found[name] = next((x for x in NARROW if _fits(x, least, most)), found[name])
    return found


def _fits(width: Width, least: float, most: float) -> bool:
    bits = 8 * width.size - width.code.islower()
    return most < 1 << bits and least >= (-1 << bits if width.code.islower() else 0)
