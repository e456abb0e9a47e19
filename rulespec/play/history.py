"""The plies that led to a state, each one more link: a further one costs the same after any number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Chain(Generic[T]):
    """A tuple that grows at its end: more elements, which may be worked out later, after those of another."""

    __slots__ = ("_before", "_more")

    def __init__(
        self, more: tuple[T, ...] | Callable[[], tuple[T, ...]], before: Chain[T] | None = None
    ) -> None:
        self._before, self._more = before, more

    def elements(self) -> tuple[T, ...]:
        """All elements; worked out once."""
        links: list[Chain[T]] = []
        link: Chain[T] | None = self
        while link is not None:
            links.append(link)
            link = link._before
        found: list[T] = []
        for link in reversed(links):
            if not isinstance(link._more, tuple):
                link._more = link._more()
            found += link._more
        if links[1:]:
            self._before, self._more = None, tuple(found)
        return tuple(found)
