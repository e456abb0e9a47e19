"""What an expression depends on: its free local names, and whether it reads the state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from ..core import nodes as n

_PLAIN = (n.Tabulate, n.All, n.Any, n.Sum, n.Best, n.First, n.Select, n.Image, n.Collect)

BOUND: dict[type[n.Expr], tuple[tuple[str, ...], tuple[str, ...]]] = {
    n.Let: (("var",), ("body",)),
    **dict.fromkeys(_PLAIN, (("var",), ("body",))),
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
        for name, item in parts(e):
            found |= self(item) - bound if name in bodies else self(item)
        return found


def parts(e: n.Expr) -> Iterator[tuple[str, n.Expr]]:
    """The expressions that a node is made of, each with the name of its slot."""
    for slot in fields(e):
        held = getattr(e, slot.name)
        for item in held if isinstance(held, tuple) else (held,):
            if isinstance(item, n.Expr):
                yield slot.name, item


def reads_state(e: n.Expr) -> bool:
    """Whether the value may differ between states, the locals being the same."""
    if isinstance(e, n.Get | n.Can) or (isinstance(e, n.Call) and not e.function.static):
        return True
    return any(reads_state(item) for _, item in parts(e))
