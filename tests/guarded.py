"""Generated code run in plain Python with arrays that check every index.

A Python list takes a negative index from its end, and compiled code reads past the end of an array; neither
is noticed if the result does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex

from rulespec.code import Written
from rulespec.code.runner import Plain
from rulespec.kernels import kit


class Guarded(list[int]):
    """A list that raises IndexError for negative indices and for slices out of range."""

    def _look(self, at: SupportsIndex | slice) -> None:
        if isinstance(at, slice):
            first, last = at.start or 0, len(self) if at.stop is None else at.stop
            if not 0 <= first <= last <= len(self):
                raise IndexError(f"places {first} to {last} of {len(self)}")
        elif not 0 <= int(at) < len(self):
            raise IndexError(f"place {int(at)} of {len(self)}")

    def __getitem__(self, at: Any) -> Any:
        self._look(at)
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        self._look(at)
        super().__setitem__(at, value)

    def copy(self) -> Guarded:
        return Guarded(self)


NAMES: dict[str, Any] = {
    **{name: getattr(kit, name) for name in kit.__all__},
    "BIT": Guarded(kit.BIT),
    "table": Guarded,
    "masks": Guarded,
}
"""The names that generated code calls, with guarded tables."""


class Careful(Plain):
    """The kit of plain Python with guarded arrays and tables."""

    @staticmethod
    def load(written: Written) -> dict[str, Any]:
        made = dict(NAMES)
        exec(written.text, made)  # noqa: S102 - written by us
        return made

    @staticmethod
    def numbers(values: Iterable[int]) -> list[int]:
        return Guarded(values)

    words = numbers

    @staticmethod
    def packed(held: Sequence[int]) -> tuple[int, ...]:
        return tuple(held)

    @staticmethod
    def room(kind: str, size: int) -> list[int]:
        return Guarded([0] * size)
