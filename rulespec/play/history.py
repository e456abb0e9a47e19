"""The plies that led to a state, as a linked chain: appending costs the same at any length."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Chain(Generic[T]):
    """A tuple that grows at its end: further elements, possibly computed later, after those of another."""

    __slots__ = ("_before", "_more", "_packed")

    def __init__(
        self, more: tuple[T, ...] | Callable[[], tuple[T, ...]], before: Chain[T] | None = None
    ) -> None:
        self._before, self._more = before, more
        self._packed: bytes | None = None

    @classmethod
    def unpack(cls, packed: bytes, element: Callable[[int], T]) -> Chain[T]:
        """The tuple of the elements with these numbers, created on demand; see `pack`."""
        made = cls(lambda: tuple(map(element, memoryview(packed).cast("I"))))
        made._packed = packed
        return made

    def pack(self, number: Callable[[T], int]) -> bytes:
        """The numbers of all elements, four bytes each; `number` is called for new elements only."""
        links: list[Chain[T]] = []
        link: Chain[T] | None = self
        while link is not None and link._packed is None:
            links.append(link)
            link = link._before
        found = array("I")
        if link is not None and link._packed is not None:
            found.frombytes(link._packed)
            if link._before is not None:  # only the last link keeps its numbers, and the first
                link._packed = None
        for one in reversed(links):
            found.extend(map(number, one._own()))
        self._packed = found.tobytes()
        return self._packed

    def _own(self) -> tuple[T, ...]:
        """The elements of this link, computed once."""
        if not isinstance(self._more, tuple):
            self._more = self._more()
        return self._more

    def elements(self) -> tuple[T, ...]:
        """All elements, computed once."""
        links: list[Chain[T]] = []
        link: Chain[T] | None = self
        while link is not None:
            links.append(link)
            link = link._before
        found: list[T] = []
        for link in reversed(links):
            found += link._own()
        if links[1:]:
            self._before, self._more = None, tuple(found)
        return tuple(found)
