"""Arrays that check what is written to them and where they are read, and the kit of generated code with them.

A memory view takes a negative index from its end, and the machine reads past the end of an array; neither is
noticed if the result does not matter.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import partial
from typing import Any, SupportsIndex

from rulespec.kernels import kit

CODES = {"numbers": "q", "words": "Q", "small": "i", "reals": "d"}
CODES |= {f"vast {kind}": CODES[kind] for kind in ("numbers", "words", "small")}
"""The kinds of arrays, with the type codes of their elements."""


class Guarded(array):  # type: ignore[type-arg]
    """An array of a kind with the interface of those in the machine.

    Raises IndexError for negative indices and slices out of range, OverflowError for an element that does not
    fit (but sums of words begin again at 0), ValueError for a slice that would change the size.
    """

    def __new__(cls, kind: str, elements: Iterable[Any]) -> Guarded:
        made = super().__new__(cls, CODES[kind], elements)
        made.kind = kind
        return made

    kind: str

    def _look(self, at: SupportsIndex | slice) -> None:
        if isinstance(at, slice):
            first, last = at.start or 0, len(self) if at.stop is None else at.stop
            if not 0 <= first <= last <= len(self):
                raise IndexError(f"places {first} to {last} of {len(self)}")
        elif not 0 <= int(at) < len(self):
            raise IndexError(f"place {int(at)} of {len(self)}")

    def __getitem__(self, at: Any) -> Any:
        self._look(at)
        found = super().__getitem__(at)
        return found.tolist() if isinstance(at, slice) else found

    def __setitem__(self, at: Any, value: Any) -> None:
        self._look(at)
        if isinstance(at, slice):
            value = array(self.typecode, value)
            if len(range(*at.indices(len(self)))) != len(value):
                raise ValueError(f"{len(value)} elements for a slice of another size")
        elif self.typecode == "Q" and value > kit.FULL_WORD:
            value &= kit.FULL_WORD
        super().__setitem__(at, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Iterable) and self.tolist() == list(other)

    __hash__ = None  # type: ignore[assignment]

    def zero(self, size: int) -> None:
        """Set the first elements to 0."""
        self[:size] = [0] * size

    def copy(self) -> Guarded:
        """Another array with the same elements."""
        return Guarded(self.kind, self)

    def frozen(self, size: int | None = None) -> memoryview[Any]:
        """The first so many elements, or all, as they are now."""
        return memoryview(array(self.typecode, self.tolist()[:size]))


KIT: dict[str, Any] = {
    **{name: held for name, held in vars(kit).items() if not name.startswith("_")},
    "BIT": Guarded("words", kit.BIT),
    "table": partial(Guarded, "numbers"),
    "masks": partial(Guarded, "words"),
}
"""The names of the kit, with guarded tables."""
