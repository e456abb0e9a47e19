"""How much work may be done with a text that somebody else wrote, counted in steps.

A step is about what the interpreter does for one operator. Everything that grows with a text, or with the
values that it speaks of, spends steps before it does the work, and says for which part of the text.
"""

from __future__ import annotations

from types import TracebackType

from . import nodes as n
from .diagnostics import Span
from .walk import BOUND, slots

Node = n.Expr | n.Effect

EFFECT = 5
"""The steps of performing an effect apart from what is in it."""


class Exhausted(Exception):
    """More work was to be done than is allowed."""


class Meter:
    """Counts steps, in all and for each part, and ends the work at a limit."""

    def __init__(self, most: int) -> None:
        """A meter that allows so many steps."""
        self.most = most
        self.left = most
        self._weights: dict[Node, int] = {}
        self._parts: list[tuple[str, Span | None]] = [("", None)]
        self._since = most
        self._spent: dict[tuple[str, Span | None], int] = {}

    def spend(self, steps: int) -> None:
        """Count work that is about to be done; raises Exhausted past the limit."""
        self.left -= steps
        if self.left < 0:
            raise Exhausted

    @property
    def is_exhausted(self) -> bool:
        """Whether the limit was passed."""
        return self.left < 0

    def weight(self, node: Node) -> int:
        """How many operators are evaluated for a node at the most, but for bodies that are counted apart."""
        found = self._weights.get(node)
        if found is None:
            bodies = _COUNTED.get(type(node), ())
            found = 1 if isinstance(node, n.Expr) else EFFECT
            found += sum(self.weight(part) for name, part in slots(node) if name not in bodies)
            self._weights[node] = found
        return found

    @property
    def place(self) -> Span | None:
        """The place of the part that is being worked at."""
        return self._parts[-1][1]

    def part(self, name: str, span: Span | None) -> _Entered:
        """Within this context, steps are spent for a part: its name in messages, and its place."""
        return _Entered(self, (name, span))

    @property
    def costliest(self) -> tuple[str, Span | None, int]:
        """Of all parts that have a name the one with the most steps, its place, and how many they are."""
        self._settle()
        part = max(self._spent, key=lambda one: (bool(one[0]), self._spent[one]))
        return *part, self._spent[part]

    def _settle(self) -> None:
        """Charge what was spent since the last time to the part that is being worked at."""
        self._spent[self._parts[-1]] = self._spent.get(self._parts[-1], 0) + self._since - self.left
        self._since = self.left


class _Entered:
    __slots__ = ("_meter", "_part")

    def __init__(self, meter: Meter, part: tuple[str, Span | None]) -> None:
        self._meter, self._part = meter, part

    def __enter__(self) -> None:
        self._meter._settle()
        self._meter._parts.append(self._part)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._meter._settle()
        self._meter._parts.pop()


_COUNTED: dict[type[Node], tuple[str, ...]] = {
    **{kind: bodies for kind, (_, bodies) in BOUND.items() if kind is not n.Let},
    n.ForEach: ("body",),
    n.Draw: ("weight",),
}
"""The bodies that are counted for each element when they are evaluated."""
