"""Semijoins: conditions on the values that a map holds, driven from the keys of the map.

A condition on each card that looks for the first place of the card, and fails if there is none, is evaluated
for the places instead: the words of the places that fulfil it give the cards that they hold. A place counts
for a card only if it is the first that holds it, according to the inverse of the map.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...core import nodes as n
from ...core.traversal import nodes_within, rebuild
from ...core.types import BOOL, Map, Optional, Scalar, fits, scalar_of
from ...machine.builder import ZERO, equal, intersection, load, plus, times, word
from ..bindings import EachValue, Env, Known, Macro, Val
from ..body import B, Body, S
from .algebra import Bitset, BitsetAlgebra
from .multiword import lowest_position

Mask = Callable[[Body, Scalar, n.Expr, Env], Bitset]
"""Writes a condition on all values of a type as words."""


class FirstKey(NamedTuple):
    """The first key at which a map of the state holds the value of the lane."""

    var: n.StateVar
    keys: Scalar
    of: Scalar


class Semijoin(NamedTuple):
    """Conditions on the first key of each value, and the remaining conditions."""

    first: FirstKey
    key: n.Var
    joined: n.Expr
    """The condition on the key."""

    others: list[n.Expr]


def plan_semijoin(maker: BitsetAlgebra, conds: Sequence[n.Expr], env: Env) -> Semijoin | None:
    """Plan a semijoin for a conjunction; None if it can hold for values that are not in the map."""
    first = next((x for e in conds for node in nodes_within(e) if (x := _first_key(maker, node, env))), None)
    if first is None:
        return None
    key = n.Var("key", first.keys)
    missing = n.Const(Optional(first.keys), None)
    joined, others, rejects_none = list[n.Expr](), list[n.Expr](), False
    for e in conds:
        asked = _replace_first_key(maker, e, first, n.Local(first.keys, key), env)
        if asked is e or maker.varies(asked, {**env, key: Known(first.keys.values[0])}):
            others.append(e)
            continue
        joined.append(asked)
        without = maker.w.known(_replace_first_key(maker, e, first, missing, env), env)
        rejects_none = rejects_none or _is_strict(e, first, maker, env)
        rejects_none = rejects_none or (without is not None and not without.value)
    if not rejects_none:
        return None
    t = first.var.type
    held = n.Read(first.of.with_none, n.Get(t, first.var), n.Local(first.keys, key))
    return Semijoin(first, key, n.And(BOOL, (*joined, n.Not(BOOL, n.IsNone(BOOL, held)))), others)


def write_semijoin(w: Body, plan: Semijoin, size: int, env: Env, mask: Mask) -> Bitset:
    """The values, as a set of `size` words, that the map has at keys for which the condition holds."""
    first, program = plan.first, w.program
    keys = mask(w, first.keys, plan.joined, {**env, plan.key: EachValue()})
    there = map(word, w.codes.mask(first.keys, first.keys.values))
    values = tuple(w.named("found", ZERO) for _ in range(size))
    with w.bits(list(map(intersection, keys, there)), "key", w.codes.base(first.keys)) as key:
        position, _ = w.index(Val(first.keys, (key,)), first.keys)
        value = w.named("value", load(S, plus(program.offsets[first.var].expr, position)))
        at = times(plus(value, -w.codes.codes(first.of)[0]), len(keys))
        inverse = [load(B, plus(program.plane(first.var), at, i)) for i in range(len(keys))]
        with w.when(equal(lowest_position(inverse), w.bit(key, first.keys))):
            w.add_bit(values, w.bit(value, first.of))
    return values


def _first_key(maker: BitsetAlgebra, e: n.Expr | n.Effect, env: Env) -> FirstKey | None:
    """The first key that an expression finds for the lane; None if it is no such search."""
    match e:
        case n.Call(_, n.Function(body=n.First() as body, params=(param,), falling=None), (arg,)):
            lane = fits(arg.type, param.type) and _is_lane(arg, env)
            return _first_key(maker, body, {param: EachValue()}) if lane else None
        case n.First(_, key, source, n.Equal(_, n.Read(_, n.Get(Map() as t, var), n.Local(_, asked)), value)):
            pass
        case n.First(_, key, source, n.Equal(_, value, n.Read(_, n.Get(Map() as t, var), n.Local(_, asked)))):
            pass
        case _:
            return None
    of, every = scalar_of(t.of), isinstance(source, n.Domain | n.Const) and maker.w.known(source, {})
    if (
        of is None
        or not of.within(maker.of)
        or not maker.w.program.has_inverse(var)
        or not _is_lane(value, env)
    ):
        return None
    if asked is not key or t.keys != key.type or not every or set(every.value) != set(t.keys.values):
        return None
    return FirstKey(var, t.keys, of)


def _is_strict(e: n.Expr, first: FirstKey, maker: BitsetAlgebra, env: Env) -> bool:
    """True if a condition is a definition that takes the first key itself, and so fails without one."""
    pairs = zip(e.function.params, e.args, strict=True) if isinstance(e, n.Call) else ()
    return any(isinstance(x.type, Scalar) and _first_key(maker, arg, env) == first for x, arg in pairs)


def _is_lane(e: n.Expr, env: Env) -> bool:
    """True if an expression is the value of the lane itself."""
    bound = env.get(e.var) if isinstance(e, n.Local) else None
    return _is_lane(bound.body, bound.env) if isinstance(bound, Macro) else isinstance(bound, EachValue)


def _replace_first_key(maker: BitsetAlgebra, e: n.Expr, first: FirstKey, by: n.Expr, env: Env) -> n.Expr:
    """A condition with the first key replaced."""
    return rebuild(e, lambda node: by if _first_key(maker, node, env) == first else node)
