"""Bounded repetition: folds, walks, closures."""

from __future__ import annotations

from typing import cast

from lark import Tree

from ...core import nodes as n
from ...core.types import Int, Optional, Scalar, Set, Type, fits, integers, join_scalars, scalar_of
from ..syntax.parser import Syntax
from .domains import bindings
from .expressions import (
    collection,
    condition,
    element_type,
    expression,
    expression_of_type,
    makes,
    whole_number,
)
from .folding import TRUE, maybe_none
from .world import Frame, phrase
from .written_types import written_type

MOST_TIMES = 10_000
"""Maximum number of steps of a walk."""
MOST_TRIED = 12
"""Maximum number of steps of a walk whose reached values are computed one by one."""
FARTHEST = 10**6
"""The greatest absolute value that a walk over numbers may reach."""


@makes("fold_")
def _fold(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word, type_tree, start_tree, binder, body_tree = tree.children
    t = written_type(frame, cast(Syntax, type_tree))
    start = expression_of_type(frame, cast(Syntax, start_tree), t)
    inner, found = bindings(frame, Tree("binders", [cast(Syntax, binder)]))
    so_far = n.Var(str(word), t)
    var, source, where = found[0]
    body = expression_of_type(inner.bound(so_far), cast(Syntax, body_tree), t)
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
    times = whole_number(frame, cast(Syntax, times_tree))
    most = max(0, cast(Int, scalar_of(times.type)).hi)
    if most > MOST_TIMES:
        frame.fail("follow.times", f"a walk has at most {MOST_TIMES:,} steps", cast(Syntax, times_tree))
    of = _type_of_walk(frame, str(word), of, cast(Syntax, step_tree), most)
    var = n.Var(str(word), of)
    step = expression(frame.bound(var), cast(Syntax, step_tree), of)
    if not fits(step.type, Optional(of)):  # only from places that the last step reaches
        step = n.Narrow(Optional(of), step, of)
    cond = condition(frame.bound(var), cast(Syntax, cond_tree))
    return n.Follow(Optional(of) if maybe_none(start.type) else of, var, start, step, cond, times, most)


def _type_of_walk(frame: Frame, word: str, start: Scalar, step_tree: Syntax, most: int) -> Scalar:
    """A type that contains every value of a walk: the union of the values reached by up to `most` steps.

    For longer walks with growing ranges it is a range that steps do not leave, narrowed once.
    """

    def beyond(of: Scalar) -> Scalar:
        step = expression(frame.bound(n.Var(word, of)), step_tree, of)
        wider = join_scalars(start, scalar_of(step.type))
        if wider is None:
            frame.fail("type.compare", f"{of} and {phrase(step.type)} do not mix", step_tree)
        return wider

    of = start
    for taken in range(MOST_TRIED):
        wider = beyond(of)
        if taken == most or wider.within(of):
            return of
        of = cast(Scalar, join_scalars(of, wider))
    while isinstance(of, Int) and max(-of.lo, of.hi) < FARTHEST:
        grown = beyond(of)
        if grown.within(of):
            return grown if beyond(grown).within(grown) else of
        of = integers(of.lo * 10 if of.lo < 0 else of.lo, max(1, of.hi) * 10)
        of = cast(Scalar, join_scalars(of, integers(min(0, of.lo), 0)))
    frame.fail("follow.type", "the steps leave every range; narrow the step to a type", step_tree)


@makes("reached_")
def _reached(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word, source_tree, start_tree, via_word, where_tree = tree.children
    source = collection(frame, cast(Syntax, source_tree), None)
    of = element_type(source)
    if of is None:
        return n.Const(Set(None), frozenset())
    start = collection(frame, cast(Syntax, start_tree), Set(of))
    start_of = element_type(start)
    if not isinstance(start.type, Set) or (start_of is not None and start_of.family != of.family):
        words = f"the start must be a set of {of}, but it is {phrase(start.type)}"
        frame.fail("type.compare", words, cast(Syntax, start_tree))
    var, via = n.Var(str(word), of), n.Var(str(via_word), of)
    body = condition(frame.bound(var).bound(via), cast(Syntax, where_tree))
    return n.Reach(Set(of), var, source, start, via, body)
