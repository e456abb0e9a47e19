"""Values of expressions that follow from the rules and a few names; parts are worked out once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..core import nodes as n
from ..core.context import Context
from ..core.evaluate import evaluate
from ..core.types import Value
from ..core.walk import BOUND, FreeVariables, inside, reads_state, slots


class Static:
    """Evaluates expressions many times, for different values of their free names.

    A loop within an expression that depends on fewer names than stand around it becomes a definition of its
    own, whose results the interpreter remembers.
    """

    def __init__(self) -> None:
        self.free = FreeVariables()
        self._shared: dict[n.Expr, n.Expr] = {}
        self._context = Context()

    def value(
        self, e: n.Expr, env: dict[n.Var, Value], state: Mapping[n.StateVar, Value] | None = None
    ) -> Value:
        """The value of an expression, which may read variables of the state that are given."""
        if e not in self._shared:
            self._shared[e] = self._sharing(e, self.free(e))
        return evaluate(self._shared[e], env, Context(state) if state else self._context)

    def _sharing(self, e: n.Expr, around: frozenset[n.Var]) -> n.Expr:
        """An expression of the same value, in which names `around` have values."""
        if not any(type(node) in BOUND and not isinstance(node, n.Let) for node in inside(e)):
            return e
        free = self.free(e)
        if free < around and not reads_state(e):
            names = tuple(free)
            part = n.Function("part", names, e.type, static=True)
            part.body = self._sharing(e, free)
            return n.Call(e.type, part, tuple(n.Local(var.type, var) for var in names))
        binders, bodies = BOUND.get(type(e), ((), ()))
        within = around.union(getattr(e, name) for name in binders)
        changed: dict[str, Any] = {}
        for name, item in slots(e):
            assert isinstance(item, n.Expr)
            made = self._sharing(item, within if name in bodies else around)
            if isinstance(getattr(e, name), tuple):
                changed[name] = (*changed.get(name, ()), made)
            elif made is not item:
                changed[name] = made
        return replace(e, **changed) if changed else e
