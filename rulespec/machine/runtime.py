"""Modules in wasmtime, and calls of their functions."""

from __future__ import annotations

import atexit
import ctypes
import json
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

import wasmtime
from wasmtime import _ffi as ffi

from ..core.storage.code_cache import digest_of, read_code, write_code
from . import form as f
from .memory import RESERVED, STATIC_ROOM, Array, Memory

if TYPE_CHECKING:
    from .webassembly.encoder import EncodedModule

SIGN = 1 << 63


@cache
def engine() -> wasmtime.Engine:
    """The compiler, configured for the processor."""
    config = wasmtime.Config()
    config.parallel_compilation = False
    config.memory_may_move = False  # arrays are looked at where they lie
    config.memory_reservation = RESERVED
    config.cranelift_opt_level = "speed"
    made = wasmtime.Engine(config)
    atexit.register(made.close)
    atexit.register(_recent.clear)
    return made


class CompiledModule(NamedTuple):
    """A compiled module, the address after its tables, and the signature of each entry."""

    module: wasmtime.Module
    end: int
    entries: Mapping[str, f.Signature]


class Entry(Protocol):
    """A function of a module."""

    def __call__(self, *arguments: Any) -> Any:
        """Call the function; tuples of arrays are flattened."""

    def on(self, *arrays: Any) -> Callable[..., tuple[int, ...]]:
        """Bind arrays; the result is called with the whole numbers before them and returns the results.

        The arrays are checked once and must not grow later. Raises TypeError if the function has other
        parameters before arrays, other results, or more results than whole numbers.
        """


MOST_RECENT = 24
"""Maximum number of modules kept in the process."""
_recent: dict[str, CompiledModule] = {}


def compile_module(encoded: EncodedModule) -> CompiledModule:
    """Compile a module. Raises MemoryError if its tables do not fit."""
    if encoded.end > STATIC_ROOM:
        raise MemoryError(f"more than {STATIC_ROOM >> 20} MB of tables")
    return CompiledModule(wasmtime.Module(engine(), encoded.binary), encoded.end, encoded.entries)


@cache
def _compiler() -> str:
    """The version of wasmtime and of its library."""
    package = Path(wasmtime.__file__).parent
    library = Path(ffi.dll._name)
    releases = sorted(path.name for path in package.parent.glob("wasmtime-*.dist-info"))
    status = library.stat()
    return f"{releases} {library.name} {status.st_size} {status.st_mtime_ns}"


def load_or_compile(made_from: str, made: Callable[[], EncodedModule]) -> CompiledModule:
    """The module cached under a digest of everything it is made from; compiled and cached if missing.

    Raises MemoryError if its tables do not fit.
    """
    digest = digest_of(made_from, _compiler())
    held = _recent.pop(digest, None) or _load(digest)
    if held is None:
        held = compile_module(made())
        write_code(digest, _serialise(held))
    _recent[digest] = held
    if len(_recent) > MOST_RECENT:
        del _recent[next(iter(_recent))]
    return held


def _serialise(held: CompiledModule) -> bytes:
    """A module as bytes: its signatures and addresses as a line of JSON, then machine code."""
    entries = {
        name: [[t.name for t in x.parameters], [t.name for t in x.results], x.least]
        for name, x in held.entries.items()
    }
    return json.dumps([held.end, entries]).encode() + b"\n" + bytes(held.module.serialize())


def _load(digest: str) -> CompiledModule | None:
    """A compiled module from the cache; None if it is missing or damaged."""
    head, _, code = (read_code(digest) or b"").partition(b"\n")
    try:
        end, entries = json.loads(head)
        signatures = {
            name: f.Signature(_types(taken), _types(given), tuple(least))
            for name, (taken, given, least) in entries.items()
        }
        return CompiledModule(wasmtime.Module.deserialize(engine(), code), end, signatures)
    except (ValueError, TypeError, KeyError, wasmtime.WasmtimeError):  # damaged, or of another version
        return None


def _types(names: Sequence[str]) -> tuple[f.Type, ...]:
    return tuple(f.Type[name] for name in names)


def instantiate(memory: Memory, held: CompiledModule) -> dict[str, Entry]:
    """The entries of a module, placed after the modules already in the memory."""
    memories = [memory.memory]
    if len(held.module.imports) > 1:
        memories += [memory.region(kind).memory for kind in f.VAST]
    exports = wasmtime.Instance(memory.store, held.module, memories).exports(memory.store)
    memory.static_end = held.end
    return {
        name: _callable_entry(memory, exports[name], signature)  # type: ignore[arg-type]
        for name, signature in held.entries.items()
    }


def _callable_entry(memory: Memory, function: wasmtime.Func, signature: f.Signature) -> Entry:
    """A callable for a function; tuples of arrays are flattened. All arrays must differ, which
    optimisation needs, see `memory_effects`."""
    parameters, results, least = signature
    size = max(len(parameters), len(results), 1)
    raw = (ffi.wasmtime_val_raw_t * size)()
    held = ctypes.byref(function._func)
    call = ffi.wasmtime_func_call_unchecked
    sizes = enumerate(zip(parameters, least, strict=True))
    arrays = [(i, t, fewest) for i, (t, fewest) in sizes if t.is_array]
    whole = [i for i, t in enumerate(parameters) if not t.is_array and t is not f.REAL]
    put = _raw_values(["d" if t is f.REAL else "q" for t in parameters]).pack_into
    get = _raw_values([RESULTS[t] for t in results]).unpack_from

    def fill(raw: Any, arguments: Sequence[Any]) -> None:
        parts: list[Any] = []
        _flatten(arguments, parts)
        if len(parts) != len(parameters):
            raise TypeError(f"{len(parameters)} values are taken, not {len(parts)}")
        if len({id(parts[i]) for i, _, _ in arrays}) != len(arrays):
            raise TypeError("an array is passed twice")
        for i, t, fewest in arrays:
            part = parts[i]
            if not isinstance(part, Array) or part.kind is not t or part.memory is not memory:
                raise TypeError(f"an {t.value} of its own memory is taken, not {part!r}")
            if len(part.view) < fewest:  # on which the code relies
                raise TypeError(f"at least {fewest} elements are taken, not {len(part)}")
            parts[i] = part.address
        for i in whole:
            if parts[i] >= SIGN:
                parts[i] -= 2 * SIGN
        put(raw, 0, *parts)

    trap = ctypes.POINTER(ffi.wasm_trap_t)()
    trap_place, context = ctypes.byref(trap), memory.store._context

    def run(raw: Any) -> None:
        nonlocal trap, trap_place
        error = call(context(), held, raw, size, trap_place)
        if bool(error):
            raise wasmtime.WasmtimeError._from_ptr(error)
        if bool(trap):
            found, trap = trap, ctypes.POINTER(ffi.wasm_trap_t)()  # the exception owns what it was given
            trap_place = ctypes.byref(trap)
            raise wasmtime.Trap._from_ptr(found)

    def entry(*arguments: Any) -> Any:
        fill(raw, arguments)
        run(raw)
        found = get(raw)
        return found[0] if len(found) == 1 else found or None

    def on(*given: Any) -> Callable[..., tuple[int, ...]]:
        numbers = next((i for i, t in enumerate(parameters) if t is not f.NUMBER), len(parameters))
        if len(results) > numbers or any(t is not f.NUMBER for t in results):
            raise TypeError("the results are no whole numbers, or more than are taken")
        own = (ffi.wasmtime_val_raw_t * size)()
        fill(own, [*[0] * numbers, *given])
        put = _raw_values("q" * numbers).pack_into

        def call_on(*values: int) -> tuple[int, ...]:
            put(own, 0, *values)
            run(own)
            return get(own)

        call_on.arrays = given  # type: ignore[attr-defined]  # they live as long as the call
        return call_on

    entry.on = on  # type: ignore[attr-defined]
    return cast(Entry, entry)


def _flatten(values: Sequence[Any], into: list[Any]) -> None:
    for value in values:
        if isinstance(value, tuple):
            _flatten(value, into)
        else:
            into.append(value)


RESULTS = {f.NUMBER: "q", f.WORD: "Q", f.REAL: "d", f.TRUTH: "?"}
"""The formats of results."""


def _raw_values(formats: Iterable[str]) -> struct.Struct:
    """Raw values of a call, one after the other."""
    each = ctypes.sizeof(ffi.wasmtime_val_raw_t)
    return struct.Struct("<" + "".join(f"{x}{each - struct.calcsize('<' + x)}x" for x in formats))
