"""Which state variables an effect makes depend on given local variables: taint analysis of one effect.

It errs on one side: what it leaves out does not depend on them. Values are not compared, so `x - x` depends
on `x`, and a variable that is overwritten still counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from . import nodes as n
from .walk import FreeVariables, inside


class StateReads:
    """Remembers what the definitions of one game read of its state."""

    def __init__(self) -> None:
        self._by: dict[n.Function, tuple[frozenset[n.StateVar], bool]] = {}

    def __call__(self, e: n.Expr) -> tuple[frozenset[n.StateVar], bool]:
        """The state variables that an expression may read, through definitions that it calls.

        Also whether it asks if an action is legal, which may depend on any of them. Definitions call
        themselves, but not one another in a circle.
        """
        nodes = [*inside(e)]
        variables = frozenset(node.var for node in nodes if isinstance(node, n.Get))
        asks = any(isinstance(node, n.Can) for node in nodes)
        for function in {node.function for node in nodes if isinstance(node, n.Call)}:
            if function not in self._by:
                self._by[function] = frozenset(), False  # its calls to itself add nothing
                self._by[function] = (frozenset(), False) if function.static else self(function.body)
            more, also = self._by[function]
            variables, asks = variables | more, asks or also
        return variables, asks


Sources = Mapping[n.Var | n.StateVar, int]
"""By variable, the sources that it may depend on, each a bit."""


class Flow:
    """Follows values through one effect; `spend` is called with the number of steps before they are made."""

    def __init__(self, spend: Callable[[int], None] = lambda steps: None) -> None:
        self._spend = spend
        self._free = FreeVariables()
        self._reads = StateReads()
        self._read: dict[n.Expr, tuple[frozenset[n.Var | n.StateVar], bool]] = {}

    def stored(self, effect: n.Effect, sources: Sequence[n.Var]) -> list[frozenset[n.StateVar]]:
        """For each of some local variables, the state variables that may depend on it after an effect."""
        found = self._after(effect, {var: 1 << number for number, var in enumerate(sources)}, 0)
        return [
            frozenset(var for var, on in found.items() if on >> number & 1 and isinstance(var, n.StateVar))
            for number, _ in enumerate(sources)
        ]

    def _after(self, effect: n.Effect, before: Sources, decided: int) -> Sources:
        """What depends on which sources after an effect; on those of `decided` it depends if it happens."""
        self._spend(1)
        if isinstance(effect, n.Assign):
            on = decided | self._on((*effect.path, effect.value), before)
            return _with(before, effect.target, on)
        if isinstance(effect, n.Block):
            for item in effect.items:
                before = self._after(item, before, decided)
            return before
        if isinstance(effect, n.When):
            decided |= self._on((effect.cond,), before)
            then, otherwise = (self._after(e, before, decided) for e in (effect.then, effect.otherwise))
            for var, on in otherwise.items():
                then = _with(then, var, on)
            return then
        if isinstance(effect, n.Bind):
            return self._after(
                effect.body, _with(before, effect.var, self._on((effect.value,), before)), decided
            )
        assert isinstance(effect, n.ForEach | n.Draw | n.Shuffle)
        weighed = effect.weight if isinstance(effect, n.Draw) else None
        over = [e for e in (effect.source, weighed) if e is not None]
        while True:  # a loop may carry values from one element to the next
            on = self._on(over, before)
            after = self._after(effect.body, _with(before, effect.var, on), decided | on)
            if after == before:
                return after
            before = after

    def _on(self, expressions: Iterable[n.Expr], before: Sources) -> int:
        """The sources that the values of expressions may depend on."""
        on = 0
        for e in expressions:
            if e not in self._read:
                variables, asks = self._reads(e)
                self._read[e] = self._free(e) | variables, asks
            read, asks = self._read[e]
            for var in read & before.keys():
                on |= before[var]
            for var in before if asks else ():
                on |= before[var] if isinstance(var, n.StateVar) else 0
        return on


def _with(before: Sources, var: n.Var | n.StateVar, on: int) -> Sources:
    return {**before, var: before.get(var, 0) | on} if on & ~before.get(var, 0) else before
