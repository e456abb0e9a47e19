"""A limit on the work that an untrusted text causes, counted in steps.

A step is about the work of the interpreter for one operator. All work that grows with a text, or with the
values that it denotes, spends steps beforehand, and names the responsible part of the text.
"""

from __future__ import annotations

from types import TracebackType

from . import nodes as n
from .diagnostics import Span
from .traversal import BOUND, slots

Node = n.Expr | n.Effect

EFFECT = 5
"""The steps of performing an effect, without its parts."""


class StepLimitExceeded(Exception):
    """Raised when the limit of steps is exceeded."""


class Meter:
    """Counts steps, in total and for each part of a text, up to a limit."""

    question = "this"
    """The current work, in words."""

    def __init__(self, most: int) -> None:
        """A meter with a limit of `most` steps."""
        self.most = most
        self.left = most
        self._weights: dict[Node, int] = {}
        self._parts: list[tuple[str, Span | None]] = [("", None)]
        self._since = most
        self._spent: dict[tuple[str, Span | None], int] = {}

    def spend(self, steps: int) -> None:
        """Count steps before the work is done; raises StepLimitExceeded past the limit."""
        self.left -= steps
        if self.left < 0:
            raise StepLimitExceeded(f"{self.question} takes more than {self.most:,} steps")

    def ask(self, question: str) -> None:
        """Note the beginning of a question, in words."""

    def weight(self, node: Node) -> int:
        """The most steps that evaluating a node once takes, except bodies, which are counted per element."""
        weight = self._weights.get(node)
        if weight is None:
            bodies = _COUNTED.get(type(node), ())
            weight = 1 if isinstance(node, n.Expression) else EFFECT
            weight += sum(self.weight(part) for name, part in slots(node) if name not in bodies)
            self._weights[node] = weight
        return weight

    @property
    def place(self) -> Span | None:
        """The place of the current part."""
        return self._parts[-1][1]

    def part(self, name: str, span: Span | None) -> _Entered:
        """A context in which steps are charged to a part: its name in messages, and its place."""
        return _Entered(self, (name, span))

    @property
    def costliest(self) -> tuple[str, Span | None, int]:
        """The named part with the most steps: its name, its place and its steps."""
        self._settle()
        part = max(self._spent, key=lambda one: (bool(one[0]), self._spent[one]))
        return *part, self._spent[part]

    def _settle(self) -> None:
        """Charge the steps since the last call to the current part."""
        self._spent[self._parts[-1]] = self._spent.get(self._parts[-1], 0) + self._since - self.left
        self._since = self.left


class PerQuestion(Meter):
    """Allows a number of steps for every question, with no limit on questions."""

    def ask(self, question: str) -> None:
        """Begin to count anew."""
        self._settle()
        self.question = question
        self.left = self._since = self.most


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
"""The parts of nodes whose steps are counted for each element when they are evaluated."""
