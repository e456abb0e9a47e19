"""The context of an evaluation: one state, a function that answers `can`, and a limit of steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from . import nodes as n
from .meter import Meter
from .types import Value

Env = dict[n.Var, Value]


class Asker(Protocol):
    """The machine that runs the game, which can tell which actions are legal."""

    def __call__(self, action: str, args: tuple[Value, ...]) -> bool: ...


def _nobody(action: str, args: tuple[Value, ...]) -> bool:
    raise LookupError(f"`can {action}` asked where no game is being played")


class Context:
    """The state that expressions read besides their locals, with memoised values of definitions."""

    __slots__ = ("can", "memo", "meter", "seen", "state")

    def __init__(
        self,
        state: Mapping[n.StateVar, Value] | None = None,
        can: Asker = _nobody,
        meter: Meter | None = None,
    ) -> None:
        """A context in one state. With a meter, evaluation spends its steps and may raise
        StepLimitExceeded."""
        self.state: Mapping[n.StateVar, Value] = state if state is not None else {}
        self.can = can
        self.meter = meter
        self.seen: set[object] | None = None
        """Collects pairs of a node and the branch that was chosen, or the number of the disjunct that
        held."""
        self.memo: dict[tuple[n.Function, tuple[Value, ...]], Value] = {}

    def after(self, effect: n.Effect, env: Env) -> Context:
        """The context in the state after an effect; this one stays unchanged. Raises LookupError."""
        raise LookupError("`after` asked where no game is being played")

    def spend(self, steps: int) -> None:
        """Spend steps of the meter, if there is one, before the work is done."""
        if self.meter is not None:
            self.meter.spend(steps)

    def spend_on(self, times: int, *nodes: n.Expr | n.Effect) -> None:
        """Spend the steps of evaluating `nodes` `times` times, if there is a meter."""
        if self.meter is not None:
            weight = 1
            for node in nodes:
                weight += self.meter.weight(node)
            self.meter.spend(times * weight)
