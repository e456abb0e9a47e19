"""Kernels in the machine, alone or beside the code of a game, and the arrays that they share."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING

from ...budgets import ask_for
from ...core.cpython import without_collector
from ...core.storage.code_cache import digest_of
from ...kernels.kit import FIRST
from ...machine import form as f
from ..codes import TooLarge
from ..program import Program, in_words
from ..writer import GameCode

if TYPE_CHECKING:
    from ...machine.memory import Array
    from ...machine.runtime import Entry
    from ...machine.webassembly.encoder import EncodedModule
    from .kernel_names import KernelNames

KINDS = {"numbers": f.NUMBERS, "words": f.WORDS, "small": f.SMALL, "reals": f.REALS}
KINDS |= {"vast numbers": f.VAST_NUMBERS, "vast words": f.VAST_WORDS, "vast small": f.VAST_SMALL}


def can_run() -> bool:
    """True if wasmtime is installed; without it the interpreter runs everything."""
    return importlib.util.find_spec("wasmtime") is not None


@contextmanager
def _memory_errors() -> Iterator[None]:
    """Turn a failed allocation of the block into TooLarge."""
    try:
        yield
    except MemoryError as full:
        raise TooLarge(f"it takes {full}") from None


class KernelInstance:
    """A memory with kernels that need no game. Raises TooLarge without a machine or enough memory."""

    def __init__(self) -> None:
        if not can_run():
            raise TooLarge("the machine (the package wasmtime) is not installed")
        from ...machine.memory import Memory
        from ...machine.runtime import engine

        with _memory_errors():
            self.memory = Memory(engine())

    def functions(self, *kernels: str) -> dict[str, Entry]:
        """The functions of kernels that work without a game, by name."""
        from ...machine.runtime import instantiate, load_or_compile

        base = self.memory.static_end
        with _memory_errors():
            digest = digest_of("kernels", repr(kernels), str(base))
            return instantiate(self.memory, load_or_compile(digest, partial(_without_game, kernels, base)))

    # ---- arrays

    def room(self, kind: str, size: int) -> Array:
        """An array of `size` zeros of a kind: `words`, `numbers`, `small` numbers of 32 bits or `reals`.

        One of `vast words`, `vast numbers` or `vast small` numbers may take more than 4 GB.
        """
        ask_for(f.BYTES[KINDS[kind]] * size)
        with _memory_errors():
            return self.memory.room(KINDS[kind], size)

    def grow(self, held: Array, size: int) -> None:
        """Append zeros to an array."""
        ask_for(f.BYTES[held.kind] * (size - len(held)))
        with _memory_errors():
            self.memory.grow(held, size)

    def numbers(self, values: Iterable[int]) -> Array:
        """An array of numbers."""
        return self._fill_array("numbers", values)

    def words(self, values: Iterable[int]) -> Array:
        """An array of words."""
        return self._fill_array("words", values)

    def _fill_array(self, kind: str, values: Iterable[int]) -> Array:
        listed: Sequence[int] = values if isinstance(values, Sequence) else list(values)
        made = self.room(kind, len(listed))
        made[:] = listed
        return made


class Instance(KernelInstance):
    """A memory with the code of a game. Raises TooLarge without a machine or enough memory."""

    def __init__(self, written: GameCode) -> None:
        super().__init__()
        self.written = written

    @cached_property
    def names(self) -> dict[str, Entry]:
        """The functions of the game's own code that may be called from outside."""
        entries = tuple(self.written.entries)
        return dict(zip(entries, self._load({}, (), entries).values(), strict=True))

    def beside(self, given: KernelNames, *kernels: str) -> dict[str, Entry]:
        """Compile kernels that may use the game's functions and further names; return their entries."""
        return self._load(given, kernels, ())

    def _load(
        self, given: KernelNames, kernels: tuple[str, ...], entries: tuple[str, ...]
    ) -> dict[str, Entry]:
        """Load the compiled code and kernels from the cache, or compile them; returns the entries."""
        from ...machine.runtime import instantiate, load_or_compile

        base = self.memory.static_end
        digest = digest_of(self.written.digest, repr(given), repr(kernels), repr(entries), str(base))
        made = partial(encode_with_kernels, self.written, given, kernels, entries, base)
        with _memory_errors():
            return instantiate(self.memory, load_or_compile(digest, made))


@without_collector()
def encode_with_kernels(
    written: GameCode,
    given: KernelNames,
    kernels: tuple[str, ...],
    entries: tuple[str, ...],
    base: int,
    limited: bool = False,
) -> EncodedModule:
    """A module with functions of kernels and entries of a game's code; its tables begin at address `base`.

    Calls into a `limited` module stop after too much work; see `machine.encode.encode`.
    """
    from ...kernels.units import game_unit, module_of
    from ...machine.webassembly.encoder import encode

    least, spans = array_facts(written.program)
    unit = game_unit({**written.tables, **written.functions, **given}, least, spans)
    return encode(module_of(unit, kernels, entries), base, limited)


def _without_game(kernels: tuple[str, ...], base: int) -> EncodedModule:
    """A module with functions of kernels alone."""
    from ...kernels.units import game_unit, module_of
    from ...machine.webassembly.encoder import encode

    return encode(module_of(game_unit({}), kernels), base)


def array_facts(program: Program) -> tuple[dict[str, int], dict[str, tuple[str, f.Span]]]:
    """The facts about the arrays of a game's functions; see `machine.array_facts`."""
    spans: dict[str, tuple[str, f.Span]] = {}
    for var, place in program.offsets.items():
        spans[place.expr.name] = "b" if in_words(var.type) else "s", (place.at, program.size(var.type))
    for var, place in program.planes.items():
        spans[place.expr.name] = "b", (place.at, program.plane_size(var))
    least = {
        "s": len(program.cells),
        "b": len(program.words),
        "c": FIRST,
        "m": program.constants.get("BLOCK", 0),
    }
    return least, spans
