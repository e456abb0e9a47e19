"""Which local names an expression still needs: a side table of its free variables."""

from __future__ import annotations

from dataclasses import fields

from ..core import nodes as n

BOUND: dict[type[n.Expr], tuple[tuple[str, ...], tuple[str, ...]]] = {
    n.Let: (("var",), ("body",)),
    n.Tabulate: (("var",), ("body",)),
    **{kind: (("var",), ("body",)) for kind in (n.All, n.Any, n.Sum, n.Best, n.First, n.Select, n.Image, n.Collect)},
    n.Fold: (("var", "total"), ("body",)),
    n.Follow: (("var",), ("step", "cond")),
    n.Reach: (("var", "via"), ("body",)),
}
"""For each operator that binds: its binders, and the parts in which they are bound."""


class FreeVariables:
    """Remembers the free variables of every node it was asked about."""

    def __init__(self) -> None:
        self._known: dict[n.Expr, frozenset[n.Var]] = {}

    def __call__(self, e: n.Expr) -> frozenset[n.Var]:
        """The local names that evaluating `e` reads from its environment."""
        if e not in self._known:
            self._known[e] = self._find(e)
        return self._known[e]

    def _find(self, e: n.Expr) -> frozenset[n.Var]:
        if isinstance(e, n.Local):
            return frozenset((e.var,))
        binders, bodies = BOUND.get(type(e), ((), ()))
        bound = frozenset(getattr(e, name) for name in binders)
        found: frozenset[n.Var] = frozenset()
        for slot in fields(e):
            part = getattr(e, slot.name)
            for item in part if isinstance(part, tuple) else (part,):
                if isinstance(item, n.Expr):
                    found |= self(item) - bound if slot.name in bodies else self(item)
        return found
