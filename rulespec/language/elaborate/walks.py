"""Bounded repetition: folds, walks, closures."""

from __future__ import annotations

from typing import cast

from lark import Tree

from ...core import nodes as n
from ...core.types import Int, Optional, Set, Type, join_scalars, scalar_of
from .domains import bindings
from .expressions import asking, collection, condition, element, expression, makes, whole_number
from .frame import TRUE, Frame, Syntax, maybe_none
from .kinds import kind
from .world import phrase


@makes("fold_")
def _fold(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word, type_tree, start_tree, binder, body_tree = tree.children
    t = kind(frame, cast(Syntax, type_tree))
    start = asking(frame, cast(Syntax, start_tree), t)
    inner, found = bindings(frame, Tree("binders", [cast(Syntax, binder)]))
    so_far = n.Var(str(word), t)
    var, source, where = found[0]
    body = asking(inner.bound(so_far), cast(Syntax, body_tree), t)
    if where is not TRUE:
        body = n.If(t, where, body, n.Local(t, so_far))
    return n.Fold(t, var, so_far, source, start, body)


@makes("follow_")
def _follow(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word, start_tree, step_tree, cond_tree, times_tree = tree.children
    start = expression(frame, cast(Syntax, start_tree), wanted)
    of = scalar_of(start.type)
    if of is None:
        frame.fail("type.scalar", f"`follow` walks over single values, not {phrase(start.type)}", tree)
    for _ in range(4):
        var = n.Var(str(word), of)
        step = expression(frame.bound(var), cast(Syntax, step_tree), of)
        wider = join_scalars(of, scalar_of(step.type))
        if wider is None:
            frame.fail("type.compare", f"{of} and {phrase(step.type)} do not mix", cast(Syntax, step_tree))
        if wider.within(of):
            break
        of = wider
    else:
        frame.fail(
            "follow.type", "the steps leave every range; narrow the step to a type", cast(Syntax, step_tree)
        )
    cond = condition(frame.bound(var), cast(Syntax, cond_tree))
    times = whole_number(frame, cast(Syntax, times_tree))
    most = max(0, cast(Int, scalar_of(times.type)).hi)
    return n.Follow(Optional(of) if maybe_none(start.type) else of, var, start, step, cond, times, most)


@makes("reached_")
def _reached(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word, source_tree, start_tree, via_word, where_tree = tree.children
    source = collection(frame, cast(Syntax, source_tree), None)
    of = element(source)
    if of is None:
        return n.Const(Set(None), frozenset())
    start = collection(frame, cast(Syntax, start_tree), Set(of))
    start_of = element(start)
    if not isinstance(start.type, Set) or (start_of is not None and start_of.family != of.family):
        frame.fail(
            "type.compare",
            f"the start must be a set of {of}, and it is {phrase(start.type)}",
            cast(Syntax, start_tree),
        )
    var, via = n.Var(str(word), of), n.Var(str(via_word), of)
    body = condition(frame.bound(var).bound(via), cast(Syntax, where_tree))
    return n.Reach(Set(of), var, source, start, via, body)
