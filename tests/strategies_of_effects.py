"""Random effects of every operator, in the world of `world`."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import strategies  # noqa: F401 - fills the table of operators
from building import assign, local
from hypothesis import strategies as st
from making import Maker, is_truth, makes
from world import FREE, SCALARS, STATE, SUIT, WANTED, WORLD

from rulespec.core import nodes as n
from rulespec.core.traversal import Node, rebuild
from rulespec.core.types import BOOL, List, Map, Scalar, Set, Type, scalar_of


def _effect(m: Maker, kind: type[n.Effect] | None, depth: int) -> n.Effect:
    kinds = list(EFFECTS) if depth > 0 else [n.Assign]
    return EFFECTS[kind or m.pick(kinds)](m, depth - 1)


def _assign(m: Maker, depth: int) -> n.Effect:
    var = m.pick(list(STATE.values()))
    t: Type = var.type
    path: list[n.Expr] = []
    while isinstance(t, Map) or (isinstance(t, List) and m.pick([True, False])):
        if isinstance(t, Map) and path and m.pick([True, False]):
            break
        path.append(m.make(t.keys, 1) if isinstance(t, Map) else m.number(1))
        t = cast(Type, t.of)
    return assign(var, m.make(scalar_of(t) or t, max(depth, 1)), *path)


def _block(m: Maker, depth: int) -> n.Effect:
    return n.Block(tuple(_effect(m, None, depth) for _ in range(m.pick([1, 2]))))


def _when(m: Maker, depth: int) -> n.Effect:
    return n.When(m.make(BOOL, 1), _effect(m, None, depth), _effect(m, None, depth))


def _for_each(m: Maker, depth: int) -> n.Effect:
    var, source, inner = m.over(1)
    return n.ForEach(var, source, _effect(inner, None, depth))


def _bind(m: Maker, depth: int) -> n.Effect:
    value = m.make(m.pick(WANTED), 1)
    var = n.Var("bound", value.type)
    return n.Bind(var, value, _effect(m.inside(var), None, depth))


def _draw(m: Maker, depth: int) -> n.Effect:
    source = m.make(Set(m.pick(SCALARS)), 1)
    var = n.Var("drawn", cast(Scalar, cast(Set, source.type).of))
    inner = m.inside(var)
    weight = inner.number(1) if m.pick([True, False]) else None
    return n.Draw(var, source, weight, _effect(inner, None, depth))


def _shuffle(m: Maker, depth: int) -> n.Effect:
    source = m.make(Set(m.pick([BOOL, SUIT])), 1)
    of = cast(Scalar, cast(Set, source.type).of)
    var = n.Var("shuffled", List(of, len(of.values)))
    return n.Shuffle(var, source, _effect(m.inside(var), None, depth))


EFFECTS: dict[type[n.Effect], Callable[[Maker, int], n.Effect]] = {
    n.Assign: _assign,
    n.Block: _block,
    n.When: _when,
    n.ForEach: _for_each,
    n.Bind: _bind,
    n.Draw: _draw,
    n.Shuffle: _shuffle,
}


@makes(n.After, gives=is_truth)
def _after(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    """After an effect without chance, whose names are its parameters alone."""
    chosen = tuple(n.Var("chosen", m.pick(SCALARS)) for _ in range(m.pick([0, 1, 2])))
    given = (*(local(v) for v in FREE), *(m.make(v.type, depth) for v in chosen))
    made = rebuild(_effect(Maker(m.draw, (*FREE, *chosen)), None, 2), _certain)
    params = {v: n.Var("param", v.type) for v in (*FREE, *chosen)}

    def rename(node: Node) -> Node:
        return (
            n.Local(node.type, params[node.var]) if isinstance(node, n.Local) and node.var in params else node
        )

    effect = rebuild(made, rename)
    return n.After(
        BOOL, next(iter(WORLD.actions)), tuple(params.values()), given, effect, m.make(BOOL, depth)
    )


def _certain(node: Node) -> Node:
    """For each element where one is drawn, nothing where there is a shuffle."""
    if isinstance(node, n.Draw):
        return n.ForEach(node.var, node.source, node.body)
    return n.NOTHING_DONE if isinstance(node, n.Shuffle) else node


@st.composite
def effects(draw: st.DrawFn, kind: type[n.Effect] | None = None, depth: int = 2) -> n.Effect:
    """An effect, with this operator at its root if one is given."""
    return _effect(Maker(draw), kind, depth)
