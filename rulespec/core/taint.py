"""Taint analysis of one effect: the state variables that may depend on given local variables after it.

It over-approximates: a variable that it leaves out does not depend on them. Values are not compared, so
`x - x` depends on `x`, and a variable that is overwritten stays tainted.
"""

from __future__ import annotations

from typing import assert_never

from . import nodes as n
from .traversal import FreeVariables, nodes_within

Tainted = frozenset[n.Var | n.StateVar]


class StateReads:
    """The state variables that expressions of one game read; memoised for each definition."""

    def __init__(self) -> None:
        self._by: dict[n.Function, tuple[frozenset[n.StateVar], bool]] = {}

    def __call__(self, e: n.Expr) -> tuple[frozenset[n.StateVar], bool]:
        """The state variables that an expression may read, directly or through definitions.

        The second result is True if it tests the legality of an action, which may depend on any variable.
        """
        variables, asks, called = self._directly(e)
        for function in called:
            more, also = self._read_by(function)
            variables, asks = variables | more, asks or also
        return variables, asks

    def _directly(self, e: n.Expr) -> tuple[frozenset[n.StateVar], bool, set[n.Function]]:
        nodes = [*nodes_within(e)]
        called = {node.function for node in nodes if isinstance(node, n.Call) and not node.function.static}
        variables = frozenset(node.var for node in nodes if isinstance(node, n.Get))
        return variables, any(isinstance(node, n.Can) for node in nodes), called

    def _read_by(self, function: n.Function) -> tuple[frozenset[n.StateVar], bool]:
        """The variables that a function reads, calls included, and True if it tests legality."""
        if function not in self._by:
            variables: frozenset[n.StateVar] = frozenset()
            asks, waiting, seen = False, [function], {function}
            while waiting:
                more, also, called = self._directly(waiting.pop().body)
                variables, asks = variables | more, asks or also
                waiting += called - seen
                seen |= called
            self._by[function] = variables, asks
        return self._by[function]


class Flow:
    """Taint analysis of the effects of one game."""

    def __init__(self) -> None:
        self.reads = StateReads()
        self._free = FreeVariables()

    def dependent_variables(self, effect: n.Effect, source: n.Var) -> frozenset[n.StateVar]:
        """The state variables that may depend on a local variable after an effect."""
        found = self.after(effect, frozenset({source}), False)
        return frozenset(var for var in found if isinstance(var, n.StateVar))

    def after(self, effect: n.Effect, tainted: Tainted, decided: bool) -> Tainted:
        """The tainted variables after an effect; `decided` if the source decides whether it runs."""
        match effect:
            case n.Assign():
                stored = decided or any(self._depends(e, tainted) for e in (*effect.path, effect.value))
                return tainted | {effect.target} if stored else tainted
            case n.Block():
                for item in effect.items:
                    tainted = self.after(item, tainted, decided)
                return tainted
            case n.When():
                decided |= self._depends(effect.cond, tainted)
                then, otherwise = (self.after(e, tainted, decided) for e in (effect.then, effect.otherwise))
                return then | otherwise
            case n.Bind():
                depends = self._depends(effect.value, tainted)
                return self.after(effect.body, tainted | {effect.var} if depends else tainted, decided)
            case n.ForEach() | n.Draw() | n.Shuffle():
                return self._after_loop(effect, tainted, decided)
            case _:
                assert_never(effect)

    def _after_loop(self, effect: n.ForEach | n.Draw | n.Shuffle, tainted: Tainted, decided: bool) -> Tainted:
        """The tainted variables after a loop, a fixed point because a round may pass values to the next."""
        weight = effect.weight if isinstance(effect, n.Draw) else None
        sources = [effect.source, *([weight] if weight is not None else [])]
        while True:
            depends = any(self._depends(e, tainted) for e in sources)
            inner = tainted | {effect.var} if depends else tainted
            after = self.after(effect.body, inner, decided or depends)
            if after == tainted:
                return after
            tainted = after

    def _depends(self, e: n.Expr, tainted: Tainted) -> bool:
        if self._free(e) & tainted:
            return True
        variables, asks = self.reads(e)
        return bool(variables & tainted) or (asks and any(isinstance(var, n.StateVar) for var in tainted))
