"""Elements of a set that fulfil conditions, as words; conditions beyond bit sets are tested one by one.

A disjunction is tested only if no disjunct holds that is the same for all elements, and only for elements for
which no disjunct holds that bit sets can express. Elements for which the conditions have the same static
values are tested once for all of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from ...core import nodes as n
from ...core.traversal import parts
from ...core.types import BOOL, Scalar, Set, Value, fits
from ...machine import form as f
from ...machine.builder import (
    ZERO,
    both,
    choose,
    complement,
    either,
    intersection,
    load,
    negation,
    plus,
    times,
    union,
)  # fmt: skip
from ..bindings import Conds, EachValue, Env, Macro, Val
from ..bitsets.conditions import BitsetWriter, condition_bitset
from ..body import Body
from ..codes import WORD
from ..loops import (
    ElementSearch,
    add_scalar,
    collect_bitset,
    disjuncts,
    empty_bitset,
)

FEW_OPERATIONS = 20
"""A disjunct that takes more operations on words is tested only for the elements that may need it."""


def filter_elements(w: Body, var: n.Var, looked: ElementSearch, of: Scalar, env: Env) -> tuple[f.Expr, ...]:
    """The elements that a search finds, as words in locals."""
    if looked.words is None:
        return tuple(collect_bitset(w, "ready", var, looked, of, env))
    ready = [w.named("ready", e) for e in looked.words]
    if not looked.rest:
        return tuple(ready)
    lanes: Env = {**env, **{v: EachValue() for v, _ in looked.rest}}
    maker, depth = BitsetWriter(w, of), w.depth
    parts_of = [[*disjuncts(cond)] for _, cond in looked.rest]
    constant = [[w.cond(x, lanes) for x in held if not maker.varies(x, lanes)] for held in parts_of]
    w.under(either(*(both(*map(negation, held)) for held in constant)))
    varying = [[x for x in held if maker.varies(x, lanes)] for held in parts_of]
    sure, rest = _answered_disjuncts(w, of, looked.rest, varying, lanes)
    w.plans |= {"union of disjuncts, the cheap ones as bit sets": None} if sure else {}
    surely = [w.named("surely", intersection(e, held)) for e, held in zip(ready, sure, strict=False)]
    for name, held in zip(ready, surely, strict=False):
        w.set(name, intersection(name, complement(held)))
    left, failed = [w.named("left", e) for e in ready], empty_bitset(w, Set(of), "failed")
    groups, x = _equivalence_table(maker, [cond for _, cond in rest], lanes), w.name(var)
    with w.repeat(union(*left)):
        w.lowest(left, x, w.codes.base(of))
        group: list[f.Local] = []
        if groups is not None:
            at = w.atom(times(w.bit(x, of), maker.size), "at")
            group = [w.named("group", load(groups, plus(at, k))) for k in range(maker.size)]
            for name, held in zip(left, group, strict=True):
                w.set(name, intersection(name, complement(held)))
        single: Env = {**env, **{v: Val(of, (x,)) for v, _ in rest}}
        holds = w.atom(w.cond(n.And(BOOL, tuple(cond for _, cond in rest)), single), "holds")
        for name, held in zip(failed, group, strict=False):
            w.set(name, union(name, choose(holds, ZERO, held)))
        if not group:
            with w.when(negation(holds)):
                add_scalar(w, failed, of, Val(of, (x,)))
    for name, held in zip(ready, failed, strict=True):
        w.set(name, intersection(name, complement(held)))
    for name, held in zip(ready, surely, strict=False):
        w.set(name, union(name, held))
    w.back(depth)
    return tuple(ready)


def _answered_disjuncts(
    w: Body, of: Scalar, conds: Conds, parts: Sequence[Sequence[n.Expr]], lanes: Env
) -> tuple[Sequence[f.Expr], Conds]:
    """The values that fulfil conditions by disjuncts expressible as bit sets, and the other disjuncts.

    The bit set is empty if a condition has no such disjunct.
    """
    sure, others = [], conds
    for (var, _), disjoined in zip(conds, parts, strict=True):
        few = FEW_OPERATIONS if len(disjoined) > 1 else 0
        words = [condition_bitset(w, of, part, lanes, few) for part in disjoined]
        left = tuple(part for part, held in zip(disjoined, words, strict=True) if held is None)
        if len(conds) == 1:
            others = [(var, n.Or(BOOL, left))]
        if len(left) == len(words):
            return (), others
        sure.append(tuple(map(union, *(held for held in words if held is not None))))
    return tuple(map(intersection, *sure)), others


def _equivalence_table(maker: BitsetWriter, conds: Sequence[n.Expr], env: Env) -> f.Static | None:
    """A table of the lanes for which conditions are the same; None if all lanes differ."""
    w, of = maker.w, maker.of
    columns = [column for cond in conds for column in _dependences(maker, cond, env)]
    groups: dict[Hashable, list[Value]] = {}
    for value, *row in zip(of.values, *columns, strict=True):
        groups.setdefault(tuple(row), []).append(value)
    if len(groups) == len(of.values):
        return None
    rows = [0] * (WORD * maker.size**2)
    for group in groups.values():
        for value in group:
            at = (w.codes.code(of, value) - w.codes.base(of)) * maker.size
            rows[at : at + maker.size] = w.codes.mask(of, group)
    meaning = f"for each {of} those of which the same is true"
    return w.program.table(rows, f"like {of}", meaning, f.WORDS)


def _dependences(maker: BitsetWriter, e: n.Expr, env: Env) -> Iterator[Sequence[Value]]:
    """Sequences of static values for the lanes that determine an expression's dependence on the lane."""
    if not maker.varies(e, env):
        return
    column, bound = maker.fixed(e, env), env[e.var] if isinstance(e, n.Local) else None
    if column is not None:
        yield column
    elif isinstance(bound, Macro):
        yield from _dependences(maker, bound.body, bound.env)
    elif isinstance(e, n.Call) and e.function.falling is None:
        for arg in _unfit_arguments(e):
            yield from _dependences(maker, arg, env)
        yield from _dependences(maker, e.function.body, _arguments(e, env))
    else:
        held = [getattr(e, slot) for slot in e.SLOTS]
        inner = {**env, **{x: Val(x.type, ()) for x in held if isinstance(x, n.Var)}}
        for part in parts(e):
            if isinstance(part, n.Statement):
                continue  # the effect in an `After`, which depends on its arguments alone
            yield from _dependences(maker, part, inner)


def _arguments(e: n.Call, env: Env) -> Env:
    return {param: Macro(arg, env) for param, arg in zip(e.function.params, e.args, strict=True)}


def _unfit_arguments(e: n.Call) -> list[n.Expr]:
    """The arguments that may fail to fit; a call with such an argument does not reach its definition."""
    pairs = zip(e.function.params, e.args, strict=True)
    return [arg for param, arg in pairs if not fits(arg.type, param.type)]
