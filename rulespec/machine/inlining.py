"""Which functions are put in the place of their calls."""

from __future__ import annotations

from collections import Counter
from typing import Any, get_args

from . import form as f

SMALL = 500
"""A function of at most so many nodes is put in the place of every call."""
LARGE = 1500
"""One of at most so many, in the place of its only call."""


def to_inline(module: f.Module) -> frozenset[str]:
    """The functions without several results and without loops of calls whose bodies replace their calls."""
    nodes = {name: nodes_of(function.body) for name, function in module.functions.items()}
    calls = {
        name: Counter(n.function for n in held if isinstance(n, f.Call | f.Do | f.SetResults))
        for name, held in nodes.items()
    }
    times: Counter[str] = Counter()
    for called in calls.values():
        times.update(called)
    chosen: set[str] = set()
    sizes: dict[str, int] = {}
    for name in _inside_out(calls):
        function = module.functions[name]
        sizes[name] = len(nodes[name]) + sum(sizes[c] * k for c, k in calls[name].items() if c in chosen)
        most = LARGE if times[name] == 1 and name not in module.entries else SMALL
        if sizes[name] <= most and len(function.results) <= 1 and not function.apart:
            chosen.add(name)
    return frozenset(chosen)


def _inside_out(calls: dict[str, Counter[str]]) -> list[str]:
    """The functions that do not come to call themselves, each after those that it calls."""
    done: dict[str, bool] = {}
    order: list[str] = []

    def visit(name: str, above: frozenset[str]) -> bool:
        """True if no call comes round."""
        if name in above:
            return False
        if name not in done:
            done[name] = not [0 for other in calls[name] if not visit(other, above | {name})]
            if done[name]:
                order.append(name)
        return done[name]

    for name in calls:
        visit(name, frozenset())
    return order


_SLOTS = {kind: kind.__slots__ for kind in (*get_args(f.Expr), *get_args(f.Statement))}


def nodes_of(node: Any) -> list[Any]:
    """All nodes within a body or a node."""
    return _nodes(node, [])


def _nodes(node: Any, into: list[Any]) -> list[Any]:
    if isinstance(node, tuple):
        for part in node:
            _nodes(part, into)
    elif type(node) in _SLOTS:
        into.append(node)
        for name in _SLOTS[type(node)]:
            _nodes(getattr(node, name), into)
    return into
