"""The code of a game in the machine: its functions, kernels beside it, and the arrays that they share."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from ..budgets import ask_for
from ..core.cached_code import digest_of
from ..machine.form import BYTES, NUMBERS, REALS, SMALL, WORDS
from .codes import TooLarge
from .write import Written

if TYPE_CHECKING:
    from ..machine.encode import Encoded
    from ..machine.memory import Array
    from ..machine.runtime import Entry
    from ..machine.units import Unit

KINDS = {"numbers": NUMBERS, "words": WORDS, "small": SMALL, "reals": REALS}
KEPT = 24
"""The texts of so many games are kept in the process."""


def can_run() -> bool:
    """True if the machine is installed; without it the interpreter runs everything."""
    return importlib.util.find_spec("wasmtime") is not None


class Instance:
    """A memory with the code of a game in it. TooLarge where there is no machine, or no more memory."""

    def __init__(self, written: Written) -> None:
        if not can_run():
            raise TooLarge("the machine (the package wasmtime) is not installed")
        from ..machine.memory import Memory
        from ..machine.runtime import engine

        self.written = written
        try:
            self.memory = Memory(engine())
        except MemoryError as none:
            raise TooLarge(f"it takes {none}") from None

    @cached_property
    def names(self) -> dict[str, Entry]:
        """The functions of the game's own code that may be called from outside."""
        return self._loaded("", (), tuple(self.written.entries))

    def beside(self, text: str, *kernels: str) -> dict[str, Entry]:
        """The functions of kernels, which may use those of the game's code and of a text beside it."""
        return self._loaded(text, kernels, ())

    def _loaded(self, text: str, kernels: tuple[str, ...], entries: tuple[str, ...]) -> dict[str, Entry]:
        from ..machine.runtime import instantiate, kept

        own, state, base = self.written.text, self._state, self.memory.static_end
        digest = digest_of(own, repr(state), text, repr(kernels), repr(entries), str(base))
        made = partial(_encoded, own, state, text, kernels, entries, base)
        try:
            return instantiate(self.memory, kept(digest, made))
        except MemoryError as full:
            raise TooLarge(f"it takes {full}") from None

    @property
    def _state(self) -> tuple[int, int]:
        """How many numbers and words belong to the state; others are changed while conditions are worked
        out.
        """
        program = self.written.program
        return program.state_cells, len(program.words)

    # ---- arrays

    def room(self, kind: str, size: int) -> Array:
        """An array of so many zeros of a kind: `words`, `numbers`, `small` numbers of 32 bits or `reals`."""
        ask_for(BYTES[KINDS[kind]] * size)
        try:
            return self.memory.room(KINDS[kind], size)
        except MemoryError as full:
            raise TooLarge(f"it takes {full}") from None

    def numbers(self, values: Iterable[int]) -> Array:
        """An array of numbers."""
        return self._filled("numbers", values)

    def words(self, values: Iterable[int]) -> Array:
        """An array of words."""
        return self._filled("words", values)

    def _filled(self, kind: str, values: Iterable[int]) -> Array:
        listed: Sequence[int] = values if isinstance(values, Sequence) else list(values)
        made = self.room(kind, len(listed))
        made[:] = listed
        return made


@lru_cache(maxsize=KEPT)
def _unit(text: str, state: tuple[int, int]) -> Unit:
    from ..kernels.units import text_unit

    return text_unit(text, {}, {"s": state[0], "b": state[1]})


def _encoded(
    game: str,
    state: tuple[int, int],
    text: str,
    kernels: tuple[str, ...],
    entries: tuple[str, ...],
    base: int,
) -> Encoded:
    from ..kernels.units import module_of, text_unit
    from ..machine.encode import encode
    from ..machine.units import Ref

    own = _unit(game, state)
    if text:
        own = text_unit(text, {**own.names, **{name: Ref(own, name) for name in own.functions}}, own.state)
    return encode(module_of(own, kernels, entries), base)
