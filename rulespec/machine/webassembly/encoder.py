"""The form as a module of WebAssembly.

All modules of one memory are placed one after the other: each imports the memory and puts its tables at
`base`. The value of an array is the address of its first element; the eight bytes before it hold its length.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from .. import form as f
from ..passes.pipeline import optimise
from . import binary as w
from .instructions import WASM, Body

CODES = {f.NUMBERS: "q", f.WORDS: "Q", f.SMALL: "i", f.REALS: "d"}
"""The codes of elements for `struct`."""
WORK_LEFT = "work left"
"""The name of the variable that limits the work of a module; no function name contains a space."""


class EncodedModule(NamedTuple):
    """An encoded module, the address after its tables, and the signature of each entry."""

    binary: bytes
    end: int
    entries: dict[str, f.Signature]


def encode(module: f.Module, base: int, limited: bool = False) -> EncodedModule:
    """Encode a module, with its tables at an address that is a multiple of 8.

    A `limited` module exports a number, `WORK_LEFT`. Each call and each round of a loop subtracts the bytes
    of code that it may run, and the call traps when nothing is left. So the work of a call is bounded in
    proportion to that number, whatever the code.
    """
    module = optimise(module)
    at, addresses, data = base, {}, []
    for table in module.tables.values():
        at = _begin(at, len(table.values) * f.BYTES[table.type])
        held = struct.pack("<q", len(table.values))
        held += struct.pack(f"<{len(table.values)}{CODES[table.type]}", *table.values)
        addresses[table.name] = at + f.HEADER
        data.append((at, held))
        at = (at + len(held) + 7) // 8 * 8
    for room in module.rooms.values():
        at = _begin(at, room.size * f.BYTES[room.type])
        addresses[room.name] = at + f.HEADER
        data.append((at, struct.pack(f"<q{CODES[room.type]}", room.size, room.first)))
        at = (at + f.HEADER + room.size * f.BYTES[room.type] + 7) // 8 * 8
    called = list(module.functions.values())
    numbers = {function.name: i for i, function in enumerate(called)}
    types: dict[bytes, int] = {}
    typed = [types.setdefault(_signature(function), len(types)) for function in called]
    bodies = [Body(module, numbers, addresses, function, limited).encode() for function in called]
    exports = [w.text(name) + b"\x00" + w.encode_unsigned(numbers[name]) for name in module.entries]
    variables = []
    if limited:
        variables.append(w.I64 + b"\x01" + w.I64_CONST + w.encode_signed(0) + w.END)
        exports.append(w.text(WORK_LEFT) + b"\x03" + w.encode_unsigned(0))
    memories = [w.text("rulespec") + w.text("memory") + b"\x02\x00\x01"]
    if any(t in f.VAST for name in module.entries for _, t in module.functions[name].parameters):
        memories += [w.text("rulespec") + w.text(t.value) + b"\x02\x04\x00" for t in f.VAST]
    entries = {name: _entry(module.functions[name]) for name in module.entries}
    encoded = w.module(list(types), memories, typed, variables, exports, bodies, data)
    return EncodedModule(encoded, at, entries)


def _begin(at: int, size: int) -> int:
    """The address from `at` on for an array of some bytes; a large one begins with a line of the cache."""
    return -(-(at + f.HEADER) // f.LINE) * f.LINE - f.HEADER if size >= f.LINE else at


def _entry(function: f.Function) -> f.Signature:
    least = dict(function.least)
    sizes = tuple(least.get(name, 0) for name, _ in function.parameters)
    return f.Signature(tuple(t for _, t in function.parameters), function.results, sizes)


def _signature(function: f.Function) -> bytes:
    return w.function_type([WASM[t] for _, t in function.parameters], [WASM[t] for t in function.results])
