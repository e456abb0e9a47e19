"""Lists updated in place: only elements that are added, moved or removed are written.

An assignment to a list often keeps the bottom of the list: `pile := all but the top of pile`, `pile := pile +
[x]`. These elements stay in place (alias analysis: the place read is the place written). A list of one
element taken from another list is held as that element.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from ..core import nodes as n
from ..core.traversal import nodes_with_definitions, nodes_within
from ..core.types import List, integers
from ..machine import form as f
from ..machine.builder import TRUE, choose, differ, equal, plus
from .bindings import NONE, Env, Macro, Val
from .body import Body, S
from .lookup_tables import structural_key


class ListUpdate(NamedTuple):
    """The elements that stay at the bottom of a list, and what follows them."""

    kept: f.Expr
    """Number of elements that stay."""

    more: Val | None
    """The list that is added, or a scalar that is added unless it is none."""

    whole: bool
    """True if all elements stay."""

    def total(self, w: Body) -> f.Expr:
        """Number of elements after the update."""
        if self.more is None:
            return self.kept
        if isinstance(self.more.type, List):
            return w.atom(plus(self.kept, self.more.parts[1]), "total")
        one = choose(equal(self.more.expr, NONE), 0, 1) if self.more.none else 1
        return w.atom(plus(self.kept, one), "total")


def plan_update(w: Body, e: n.Assign, env: Env) -> ListUpdate | None:
    """Plan an assignment to a list as an update in place; None if no elements surely stay."""
    if not isinstance(e.value.type, List):
        return None
    first, more = (e.value.a, e.value.b) if isinstance(e.value, n.Concat) else (e.value, None)
    kept = _kept_bottom(w, e, first, env)
    if kept is None:
        return None
    whole = isinstance(first, n.Read | n.Get)
    if more is None:
        return ListUpdate(kept, None, whole)
    item = only_item(more, env)
    return ListUpdate(kept, w.atoms(w.value(*(item or (more, env)))), whole)


def write_update(w: Body, at: f.Expr, update: ListUpdate, total: f.Expr) -> None:
    """Write the statements of an update of the list at a place."""
    kept, more = update.kept, update.more
    if more is not None and isinstance(more.type, List):
        w.do("keep", S, at, kept, *more.parts)
        w.begin_version()
        return
    depth = w.depth
    if more is not None:
        w.under(differ(more.expr, NONE) if more.none else TRUE)
        w.store(S, plus(at, kept, 1), more.expr)
        w.back(depth)
    if not update.whole:
        w.do("resize", S, at, total)
        w.begin_version()
    elif more is not None:
        w.store(S, at, total)


def _kept_bottom(w: Body, e: n.Assign, first: n.Expr, env: Env) -> f.Expr | None:
    """How many elements at the bottom an expression keeps of the target; None if it is another list."""
    match first:
        case n.Const(_, ()):
            return w.atom(w.value(first, env).parts[1])
        case n.Rest(_, held, _) | n.Slice(_, held, n.Const(_, 1), _):
            pass
        case held:
            pass
    return w.atom(w.value(first, env).parts[1], "kept") if _is_target(e, held) else None


def _is_target(e: n.Assign, read: n.Expr) -> bool:
    """True if an expression reads the place to which an effect assigns."""
    keys: list[n.Expr] = []
    while isinstance(read, n.Read):
        keys.insert(0, read.key)
        read = read.map
    if not isinstance(read, n.Get) or read.var is not e.target or len(keys) != len(e.path):
        return False
    marks: dict[object, Hashable] = {
        x.var: x.var for key in (*keys, *e.path) for x in nodes_within(key) if isinstance(x, n.Local | n.Get)
    }
    pairs = zip(keys, e.path, strict=True)
    return all(structural_key(a, {**marks}) == structural_key(b, {**marks}) for a, b in pairs)


# ---- lists of one element


def single_element(e: n.Expr) -> n.Expr | None:
    """The element (or none) of a list that consists of the top or the bottom of another list."""
    match e:
        case n.Top(List(of, cap), held, n.Const(_, 1)) if of is not None:
            return n.Item(of.with_none, held, n.Size(integers(0, cap), held))
        case n.Slice(List(of), held, n.Const(_, 1) as first, n.Const(_, 1)) if of is not None:
            return n.Item(of.with_none, held, first)
    return None


def only_item(e: n.Expr, env: Env) -> tuple[n.Expr, Env] | None:
    """The item of a list of one item, with its environment."""
    if isinstance(e, n.Local) and isinstance(bound := env[e.var], Macro):
        return only_item(bound.body, bound.env)
    return (e.items[0], env) if isinstance(e, n.ListOf) and len(e.items) == 1 else None


def reads_variable(e: n.Expr, var: n.StateVar) -> bool:
    """True if an expression, or a definition that it calls, may read a variable."""
    return any(
        isinstance(x, n.Can) or (isinstance(x, n.Get) and x.var is var) for x in nodes_with_definitions(e)
    )
