"""Gauges: rows of yes-or-no facts by which it is seen how far a play has come.

Which places of a map hold something, what is in a set, how long a list is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulespec.core import nodes as n
from rulespec.core.types import BOOL, List, Map, Optional, Set, integers


@dataclass(frozen=True)
class Gauge:
    """Facts about one variable, of which a ply may add some."""

    facts: tuple[n.Expr, ...]


def gauges(of: Iterable[n.StateVar]) -> list[Gauge]:
    """The gauges of some variables, both as they fill and as they empty."""
    found = []
    for var in of:
        facts = _facts(var)
        if facts:
            none = tuple(n.Not(BOOL, fact) for fact in facts)
            found += [Gauge(facts), Gauge(none)]
    return found


def _facts(var: n.StateVar) -> tuple[n.Expr, ...]:
    t, whole = var.type, n.Get(var.type, var)
    if isinstance(t, Map) and isinstance(t.of, Optional):
        reads = [n.Read(t.of, whole, n.Const(t.keys, key)) for key in t.keys.values]
        return tuple(n.Not(BOOL, n.IsNone(BOOL, read)) for read in reads)
    if isinstance(t, Set) and t.of is not None:
        return tuple(n.Member(BOOL, n.Const(t.of, value), whole) for value in t.of.values)
    if isinstance(t, List):
        size = n.Size(integers(0, t.cap), whole)
        return tuple(n.Less(BOOL, n.Const(integers(i, i), i), size) for i in range(t.cap))
    return ()
