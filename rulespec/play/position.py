"""The state of a play: a position, a move, and the fault that may have ended it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..core.diagnostics import Span
from ..core.types import Value

STUCK = "stuck"
"""The end of a play in which the mover (or nobody) had a legal action."""


class Move(NamedTuple):
    """An action with a value for each of its choices."""

    action: str
    args: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A value that does not fit its place. It ends the play: nothing is ever clamped."""

    place: str
    """The variable with its keys, in notation: `pips[1.2.3]`."""
    value: str
    type: str
    span: Span | None = None

    def __str__(self) -> str:
        return f"`{self.place}` would become {self.value}, but it can only hold {self.type}"


@dataclass(frozen=True, slots=True)
class Position:
    """The values of the state variables, in the order of `Game.state`, and the status of the play.

    `draws` is the number of chance draws so far; `ended` the id of the end that was reached, or `stuck`.
    After a fault the values are those before the ply that faulted.
    """

    values: tuple[Value, ...]
    draws: int = 0
    ended: str | None = None
    fault: Fault | None = None

    @property
    def is_over(self) -> bool:
        """True if the play has ended."""
        return self.ended is not None or self.fault is not None
