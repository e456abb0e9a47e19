"""What an expression is evaluated in: one state, who answers `can`, and how much may be evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from . import nodes as n
from .types import Value

Env = dict[n.Var, Value]


class Asker(Protocol):
    """Whoever knows which actions are legal: the machine that runs the game."""

    def __call__(self, action: str, args: tuple[Value, ...]) -> bool: ...


def _nobody(action: str, args: tuple[Value, ...]) -> bool:
    raise LookupError(f"`can {action}` asked where no game is being played")


class Exhausted(Exception):
    """More was to be evaluated than its context allows."""


class Context:
    """What an expression may read besides its locals: one state. Definitions are remembered for it."""

    __slots__ = ("can", "left", "memo", "state")

    def __init__(
        self,
        state: Mapping[n.StateVar, Value] | None = None,
        can: Asker = _nobody,
        most: float = float("inf"),
    ) -> None:
        self.state: Mapping[n.StateVar, Value] = state if state is not None else {}
        self.can = can
        self.left = most
        self.memo: dict[tuple[n.Function, tuple[Value, ...]], Value] = {}

    def spend(self, times: int) -> None:
        """So many bodies or definitions are about to be evaluated; Exhausted past the `most` that may be."""
        self.left -= times
        if self.left < 0:
            raise Exhausted
