"""Arrays in the linear memory of WebAssembly."""

from __future__ import annotations

import atexit
import ctypes
import weakref
from array import array
from bisect import insort
from collections.abc import Iterator, Sequence
from typing import Any

import wasmtime

from . import form as f

PAGE = 1 << 16
MOST_PAGES = 1 << 16
STATIC_ROOM = 1 << 22
"""Tables of modules lie below this address, arrays above."""
UNIT = 16
"""Addresses of blocks are multiples of this."""
MORE_THAN_THERE_IS = "more memory than there is"
CODES = {f.NUMBERS: "q", f.WORDS: "Q", f.SMALL: "i", f.REALS: "d"}


_open: weakref.WeakSet[Memory] = weakref.WeakSet()


@atexit.register
def _close() -> None:
    """Close all memories while wasmtime still can: at the end of Python its modules go before them."""
    for memory in [*_open]:
        memory.store.close()


class Memory:
    """A linear memory with its arrays. What is freed is used again; the memory goes with its last array.

    MemoryError where the system gives none.
    """

    def __init__(self, engine: wasmtime.Engine) -> None:
        self.store = wasmtime.Store(engine)
        _open.add(self)
        limits = wasmtime.Limits(STATIC_ROOM // PAGE, MOST_PAGES)
        try:
            self.memory = wasmtime.Memory(self.store, wasmtime.MemoryType(limits))
        except wasmtime.WasmtimeError:
            raise MemoryError(MORE_THAN_THERE_IS) from None
        self.base = ctypes.cast(self.memory.data_ptr(self.store), ctypes.c_void_p).value or 0
        self.static_end = UNIT
        self._end = STATIC_ROOM
        self._free: list[tuple[int, int]] = []
        """Addresses and sizes of free blocks, by address."""
        self.released: list[tuple[int, int]] = []
        """Addresses and bytes of blocks that came back and are not among the free ones yet. Arrays can go at
        any moment, also in the midst of what is done here, so they do nothing but append to this."""

    def room(self, kind: f.Type, size: int) -> Array:
        """An array of so many zeros. MemoryError where the memory is full."""
        bytes_ = f.HEADER + size * f.BYTES[kind]
        at = self._taken((bytes_ + UNIT - 1) // UNIT * UNIT)
        ctypes.memset(self.base + at, 0, bytes_)
        ctypes.c_int64.from_address(self.base + at).value = size
        return Array(self, kind, at + f.HEADER, size)

    def _taken(self, bytes_: int) -> int:
        while self.released:
            self._free_again(*self.released.pop())
        for i, (at, held) in enumerate(self._free):
            if held >= bytes_:
                if held == bytes_:
                    del self._free[i]
                else:
                    self._free[i] = at + bytes_, held - bytes_
                return at
        at = self._end
        missing = at + bytes_ - self.memory.size(self.store) * PAGE
        if missing > 0:
            pages = (missing + PAGE - 1) // PAGE
            if self.memory.size(self.store) + pages > MOST_PAGES:
                raise MemoryError("more than 4 GB")
            try:
                self.memory.grow(self.store, pages)
            except wasmtime.WasmtimeError:
                raise MemoryError(MORE_THAN_THERE_IS) from None
        self._end += bytes_
        return at

    def _free_again(self, at: int, bytes_: int) -> None:
        """Put a block among the free ones, and join it with free neighbours."""
        bytes_ = (bytes_ + UNIT - 1) // UNIT * UNIT
        insort(self._free, (at, bytes_))
        i = self._free.index((at, bytes_))
        if i + 1 < len(self._free) and at + bytes_ == self._free[i + 1][0]:
            bytes_ += self._free.pop(i + 1)[1]
            self._free[i] = at, bytes_
        if i and sum(self._free[i - 1]) == at:
            before = self._free[i - 1]
            self._free[i - 1 : i + 1] = [(before[0], before[1] + bytes_)]


class Array:
    """An array of numbers, words or reals in a memory; a sequence that can be changed in place."""

    __slots__ = ("__weakref__", "address", "kind", "memory", "view")

    def __init__(self, memory: Memory, kind: f.Type, address: int, size: int) -> None:
        self.memory, self.kind, self.address = memory, kind, address
        bytes_ = size * f.BYTES[kind]
        held = (ctypes.c_char * bytes_).from_address(memory.base + address)
        self.view: memoryview[Any] = _cast(memoryview(held).cast("B"), kind)
        block = address - f.HEADER, f.HEADER + bytes_
        weakref.finalize(self, memory.released.append, block).atexit = False

    def __len__(self) -> int:
        return len(self.view)

    def __getitem__(self, at: Any) -> Any:
        return self.view[at].tolist() if isinstance(at, slice) else self.view[at]

    def __setitem__(self, at: Any, value: Any) -> None:
        if isinstance(value, Array):
            value = value.view
        elif isinstance(at, slice) and not isinstance(value, memoryview):
            value = memoryview(array(CODES[self.kind], value))
        self.view[at] = value

    def __iter__(self) -> Iterator[Any]:
        return iter(self.view)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Array):
            return bool(self.view == other.view)
        return isinstance(other, Sequence) and self.view.tolist() == list(other)

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> Array:
        """Another array with the same elements."""
        made = self.memory.room(self.kind, len(self))
        made.view[:] = self.view
        return made

    def frozen(self, size: int | None = None) -> memoryview[Any]:
        """The first so many elements, or all, as they are now."""
        held = self.view if size is None else self.view[:size]
        return _cast(memoryview(held.tobytes()), self.kind)

    def tolist(self) -> list[Any]:
        """The elements."""
        found: list[Any] = self.view.tolist()
        return found

    def tobytes(self) -> bytes:
        """The elements as bytes."""
        found: bytes = self.view.tobytes()
        return found


def _cast(held: memoryview, kind: f.Type) -> memoryview[Any]:
    """Bytes as elements of an array."""
    made: memoryview[Any] = held.cast(CODES[kind])  # type: ignore[call-overload]
    return made
