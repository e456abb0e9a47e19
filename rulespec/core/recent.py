"""Results of a function by its arguments, the most recent ones, and which of them are new."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar, TypeVarTuple

Ts = TypeVarTuple("Ts")
R = TypeVar("R")


class Recent(Generic[*Ts, R]):
    """A function that keeps its last `most` results; its arguments must be hashable."""

    def __init__(self, work: Callable[[*Ts], R], most: int) -> None:
        self._work, self._most = work, most
        self._results: dict[tuple[*Ts], R] = {}
        self.computed: list[tuple[*Ts]] | None = None
        """If this is a list, the arguments of every result computed from now on are added to it."""

    def __call__(self, *key: *Ts) -> R:
        """The result for these arguments, computed if it is not kept."""
        if key in self._results:
            result = self._results.pop(key)
        else:
            result = self._work(*key)
            if self.computed is not None:
                self.computed.append(key)
            if len(self._results) >= self._most:
                del self._results[next(iter(self._results))]
        self._results[key] = result
        return result

    def __len__(self) -> int:
        return len(self._results)

    def clear(self) -> None:
        """Forget all results."""
        self._results.clear()
