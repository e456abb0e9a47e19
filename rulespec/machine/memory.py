"""Arrays in the linear memories of WebAssembly."""

from __future__ import annotations

import atexit
import ctypes
import gc
import math
import mmap
import os
import struct
import weakref
from array import array
from bisect import insort
from collections.abc import Iterator, Sequence
from typing import Any

import wasmtime

from . import form as f

PAGE = 1 << 16
MOST_PAGES = 1 << 16
STATIC_ROOM = 1 << 23
"""Tables of modules lie below this address, arrays above."""
UNIT = 16
"""Sizes of blocks are multiples of this."""
COLLECTED_AFTER = 256 << 20
"""After allocation of this many bytes, the garbage collector runs: it alone frees arrays in cycles of
objects."""
MORE_THAN_THERE_IS = "more memory than there is"
CODES = {f.NUMBERS: "q", f.WORDS: "Q", f.SMALL: "i", f.REALS: "d"}
CODES |= {vast: CODES[kind] for vast, kind in f.VAST.items()}


def _available() -> int:
    """The address space reserved for a memory in bytes: at least 4 GB, which modules rely on."""
    least = PAGE * MOST_PAGES
    try:
        import resource  # missing on Windows

        if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
            return least
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ImportError, ValueError, OSError):
        return least
    return max(least, 1 << (there - 1).bit_length())


RESERVED = _available()
"""Size of the reserved address space: as much as the machine has. Memories can neither move nor exceed it."""


_open: weakref.WeakSet[Memory] = weakref.WeakSet()


@atexit.register
def _close() -> None:
    """Close all memories at exit, before wasmtime's modules are gone."""
    for memory in [*_open]:
        memory.store.close()


class Region:
    """One linear memory, divided into blocks of bytes. Raises MemoryError if the system provides none."""

    def __init__(self, store: wasmtime.Store, first: int, most: int, wide: bool) -> None:
        self.store, self.most = store, most
        limits = wasmtime.Limits(0 if wide else first // PAGE, None if wide else most)
        try:
            self.memory = wasmtime.Memory(store, wasmtime.MemoryType(limits, is_64=wide))
        except wasmtime.WasmtimeError:
            raise MemoryError(MORE_THAN_THERE_IS) from None
        self.base = ctypes.cast(self.memory.data_ptr(store), ctypes.c_void_p).value or 0
        if wide and hasattr(mmap, "MADV_HUGEPAGE"):  # tables are read at random places
            reserved = ctypes.c_void_p(self.base), ctypes.c_size_t(most * PAGE)
            ctypes.CDLL(None).madvise(*reserved, mmap.MADV_HUGEPAGE)
        first += f.LINE - f.HEADER  # so that no row of a power of two words lies in two cache lines
        self.end = self._used = first
        self._collected = first
        """The end of the blocks, and the start of memory never used so far, which is still zero."""
        self._free: list[tuple[int, int]] = []
        """Addresses and sizes of free blocks, by address."""
        self.released: list[tuple[int, int]] = []
        """Addresses and sizes of released blocks that are not in the free list yet. Arrays can be released
        at any moment, even during the methods of this class, so releasing only appends here."""

    def allocate(self, bytes_: int) -> int:
        """Allocate a block of zeros and return its address. Raises MemoryError if the memory is full."""
        size = _round_up(bytes_)
        if self.end + size > min(self._collected + COLLECTED_AFTER, self.most * PAGE):
            gc.collect()
            self._clear()
            self._collected = self.end + size
        self._clear()
        for i, (at, held) in enumerate(self._free):
            if held >= size:
                self._free[i : i + 1] = [(at + size, held - size)] if held > size else []
                break
        else:
            at = self.end
            self._lengthen(at + size)
        ctypes.memset(self.base + at, 0, max(0, min(at + bytes_, self._used) - at))
        self._used = max(self._used, at + size)
        return at

    def extend(self, at: int, bytes_: int, more: int) -> bool:
        """Extend the last block in place with zeros; False for any other block."""
        self._clear()
        first, last = at + bytes_, at + _round_up(more)
        if at + _round_up(bytes_) != self.end:
            return False
        self._lengthen(last)
        ctypes.memset(self.base + first, 0, max(0, min(last, self._used) - first))
        self._used = max(self._used, last)
        return True

    def _lengthen(self, end: int) -> None:
        """Move the end of the used part further. Raises MemoryError."""
        there = self.memory.size(self.store)
        pages = (end + PAGE - 1) // PAGE - there
        if pages > 0:
            if there + pages > self.most:
                raise MemoryError(f"more than {self.most * PAGE >> 30} GB")
            try:
                self.memory.grow(self.store, pages)
            except wasmtime.WasmtimeError:
                raise MemoryError(MORE_THAN_THERE_IS) from None
        self.end = end

    def _clear(self) -> None:
        """Move the released blocks to the free list."""
        while self.released:
            self._free_again(*self.released.pop())

    def _free_again(self, at: int, bytes_: int) -> None:
        """Free a block and join it with free neighbours; if it is the last, shorten the region."""
        size = _round_up(bytes_)
        insort(self._free, (at, size))
        i = self._free.index((at, size))
        if i + 1 < len(self._free) and at + size == self._free[i + 1][0]:
            size += self._free.pop(i + 1)[1]
            self._free[i] = at, size
        if i and sum(self._free[i - 1]) == at:
            at, before = self._free.pop(i - 1)
            size += before
            i -= 1
            self._free[i] = at, size
        if at + size == self.end:
            self.end = at
            del self._free[i]


def _round_up(bytes_: int) -> int:
    return (bytes_ + UNIT - 1) // UNIT * UNIT


class Memory:
    """The memories of an instance with their arrays; freed blocks are reused.

    There is one for tables of modules and arrays of at most 4 GB, and one for each vast kind, as large as the
    machine's memory. All are released with the last array. Raises MemoryError if the system provides none.
    """

    def __init__(self, engine: wasmtime.Engine) -> None:
        self.store = wasmtime.Store(engine)
        _open.add(self)
        self._main = Region(self.store, STATIC_ROOM, MOST_PAGES, False)
        self.memory = self._main.memory
        self._vast: dict[f.Type, Region] = {}
        self.static_end = UNIT

    def region(self, kind: f.Type) -> Region:
        """The linear memory for arrays of a kind."""
        if kind not in f.VAST:
            return self._main
        if kind not in self._vast:
            self._vast[kind] = Region(self.store, PAGE, RESERVED // PAGE, True)
        return self._vast[kind]

    def room(self, kind: f.Type, size: int) -> Array:
        """An array of zeros. Raises MemoryError if the memory is full."""
        region = self.region(kind)
        at = region.allocate(f.HEADER + size * f.BYTES[kind])
        ctypes.c_int64.from_address(region.base + at).value = size
        return Array(self, kind, at + f.HEADER, size)

    def grow(self, held: Array, size: int) -> None:
        """Append zeros to an array. Raises MemoryError if the memory is full.

        It is extended in place if it is the last one of its memory, and moved otherwise.
        """
        region, each, at = self.region(held.kind), f.BYTES[held.kind], held.address - f.HEADER
        before, after = (f.HEADER + n * each for n in (len(held), size))
        if not region.extend(at, before, after):
            at = region.allocate(after)
            ctypes.memmove(region.base + at, region.base + held.address - f.HEADER, before)
            region.released.append((held.address - f.HEADER, before))
        held.leave()
        ctypes.c_int64.from_address(region.base + at).value = size
        held.lie(at + f.HEADER, size)


class Array:
    """A mutable sequence of numbers, words or reals in a memory."""

    __slots__ = ("__weakref__", "_address_here", "_freeing", "address", "kind", "memory", "view")

    def __init__(self, memory: Memory, kind: f.Type, address: int, size: int) -> None:
        self.memory, self.kind = memory, kind
        self.lie(address, size)

    def lie(self, address: int, size: int) -> None:
        """Set the address and size of the array."""
        bytes_, region = size * f.BYTES[self.kind], self.memory.region(self.kind)
        self._address_here = region.base + address
        held = (ctypes.c_char * bytes_).from_address(self._address_here)
        self.address, self.view = address, _cast(memoryview(held).cast("B"), self.kind)
        block = address - f.HEADER, f.HEADER + bytes_
        self._freeing = weakref.finalize(self, region.released.append, block)
        self._freeing.atexit = False

    def leave(self) -> None:
        """Release the block of the array."""
        self._freeing.detach()

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

    def zero(self, size: int) -> None:
        """Set the first elements to 0."""
        ctypes.memset(self._address_here, 0, self.view[:size].nbytes)

    def copy(self) -> Array:
        """Another array with the same elements."""
        made = self.memory.room(self.kind, len(self))
        made.view[:] = self.view
        return made

    def frozen(self, size: int | None = None) -> memoryview[Any]:
        """A copy of the first `size` elements, or of all."""
        held = self.view if size is None else self.view[:size]
        return _cast(memoryview(held.tobytes()), self.kind)

    def as_buffer(self, code: str, *shape: int) -> memoryview[Any]:
        """A view of the first elements in place, with a shape and format; it keeps the array alive."""
        held = (ctypes.c_char * (struct.calcsize(code) * math.prod(shape))).from_address(self._address_here)
        held.array = self  # type: ignore[attr-defined]
        made: memoryview[Any] = memoryview(held).cast("B").cast(code, shape)  # type: ignore[call-overload]
        return made

    def tolist(self) -> list[Any]:
        """The elements."""
        found: list[Any] = self.view.tolist()
        return found

    def tobytes(self) -> bytes:
        """The elements as bytes."""
        found: bytes = self.view.tobytes()
        return found


def _cast(held: memoryview, kind: f.Type) -> memoryview[Any]:
    """Bytes viewed as elements of an array."""
    made: memoryview[Any] = held.cast(CODES[kind])  # type: ignore[call-overload]
    return made
