"""First steps along rays, for all values of a type at once.

If the next place depends on the place alone, and not on the number of the step, the words of all steps are
computed from the far end backwards: the bits for a place come from those of the place one step further.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise
from math import prod

from ...core import nodes as n
from ...core.traversal import nodes_within, rebuild
from ...core.types import Map, Scalar, Set, Value, scalar_of
from ..bindings import EachValue, Env, Known
from ..body import Body
from ..lookup_tables import structural_key
from .algebra import Bitset, BitsetAlgebra, NotExpressible
from .multiword import shift_bits
from .state_maps import Relation, each_alone


def write_ray_bitset(
    maker: BitsetAlgebra, e: n.Let, env: Env, made: Callable[[n.Expr, Env], Bitset]
) -> Bitset:
    """Bit set that `made` gives for the body at the first step of a ray. Raises NotExpressible."""
    w, first = maker.w, e.value
    assert isinstance(first, n.First)
    steps, place = step_numbers(w, first, env), ray_place(w, first)
    if len(steps) < 2 or place is None or scalar_of(place.type) != maker.of:
        raise NotExpressible
    columns = [maker.fixed(place, {**env, first.var: Known(step)}) or () for step in steps]
    if not _are_successors(maker, columns):
        raise NotExpressible
    columns = [column for column in columns if any(x is not None for x in column)]
    if not columns:
        raise NotExpressible
    at = n.Var("place", maker.of)
    here = n.Local(maker.of, at)
    cond = replace_place(first.body, place, here)
    bodies = [_body_at(maker, e, place, here, some) for some in (False, True)]
    blank = _body_at(maker, e, place, n.Const(place.type, None), True)
    if None in bodies or blank is None or (values_past_end(w, blank) or {True}) - {False, frozenset()}:
        raise NotExpressible
    parts = [cond, *(x for x in bodies if x is not None)]
    if any(
        maker.varies(n.Local(x.type, x), env) for part in parts for x in w.program.free(part) if x is not at
    ):
        raise NotExpressible
    cared, maker.cared, lanes = maker.cared, set(maker.of.values), {**env, at: EachValue()}
    met = maker.named(maker.mask(cond, lanes))
    near, far = (maker.named(maker.both(met, made(x, lanes))) for x in parts[1:])
    maker.cared = cared
    step = Relation(maker, each_alone(columns[0]), maker.of)
    passed, found = maker.named(maker.both(maker.inverted(met), step.there)), far
    if columns[2:]:
        found = _spread(maker, step, passed, far, len(columns) - 2)
    if columns[1:]:
        near = maker.named(maker.either(near, maker.both(passed, step.preimage(found, cut=False))))
    return maker.named(step.preimage(near))


def _spread(maker: BitsetAlgebra, step: Relation, passed: Bitset, far: Bitset, times: int) -> Bitset:
    """The lanes from which at most `times` steps, each through a passable lane, lead into a set.

    Each round doubles the steps if all have one length (parallel prefix; P. Kogge and H. Stone, 1973).
    """
    if len(step.shifts) > 1 or not step.by_shifts:
        found = far
        for _ in range(times):
            found = maker.named(maker.either(far, maker.both(passed, step.preimage(found, cut=False))))
        return found
    maker.w.plans["parallel-prefix fill along rays"] = None
    (distance,) = step.shifts
    through = {1: passed}

    def shifted(words: Bitset, steps: int) -> Bitset:
        maker.spend()
        return shift_bits(words, maker.size, distance * steps)

    found, done = far, 0
    while done < times:
        more = min(done + 1, times - done)
        if more not in through:
            half = 1 << (more - 1).bit_length() - 1
            through[more] = maker.named(maker.both(through[half], shifted(through[half], more - half)))
        found = maker.named(maker.either(found, maker.both(through[more], shifted(found, more))))
        done += more
    return found


def _are_successors(maker: BitsetAlgebra, columns: Sequence[Sequence[Value]]) -> bool:
    """True if each further place is the successor of the one before it."""
    following = {None: None, **dict(zip(maker.of.values, columns[0], strict=False))}
    pairs = pairwise(columns)
    return all(columns) and all(list(b) == [following.get(x) for x in a] for a, b in pairs)


def _body_at(maker: BitsetAlgebra, e: n.Let, place: n.Expr, at: n.Expr, some: bool) -> n.Expr | None:
    """The body at a place, with `some` place before it or none; None if the body depends on more."""
    w, first = maker.w, e.value
    assert isinstance(first, n.First)

    def change(node: n.Expr | n.Effect) -> n.Expr | n.Effect:
        if isinstance(node, n.Read) and is_same_place(w, node.key, e.var, place, first.var):
            return n.Read(node.type, node.map, at)
        return node

    def shaped(node: n.Expr) -> n.Expr:
        if isinstance(node, n.If):
            return n.If(node.type, rebuild(node.cond, change), shaped(node.then), shaped(node.otherwise))
        if (
            isinstance(node, n.Image)
            and is_same_place(w, node.body, node.var, place, first.var)
            and are_steps_before(w, node.source, e)
        ):
            return n.Const(node.type, frozenset(maker.of.values[:some]))
        return rebuild(node, change) if not isinstance(node.type, Set) else node

    found = shaped(e.body)
    return None if e.var in w.program.free(found) else found


# ---- tests

MOST_WAYS = 64
"""Maximum number of cases that are tried for a condition at the end of a line."""


def step_numbers(w: Body, e: n.First, env: Env) -> list[int]:
    """The numbers tried by a search if they are consecutive, else an empty list."""
    known = w.known(e.source, env)
    steps = sorted(known.value) if known is not None and isinstance(known.value, frozenset) else []
    follow = bool(steps) and type(steps[0]) is int and steps == list(range(steps[0], steps[-1] + 1))
    return steps if follow else []


def ray_place(w: Body, e: n.First) -> n.Expr | None:
    """The place through which alone the condition depends on the number; None if there is none."""
    found = [
        x.key for x in nodes_within(e.body)
        if isinstance(x, n.Read) and isinstance(x.map.type, Map) and e.var in w.program.free(x.key)
    ]  # fmt: skip
    if len(found) != 1 or w.program.reads_state(found[0]):
        return None
    rest = replace_place(e.body, found[0], n.Const(found[0].type, None))
    return None if e.var in w.program.free(rest) else found[0]


def replace_place(e: n.Expr, place: n.Expr, other: n.Expr) -> n.Expr:
    """A condition with every occurrence of a place replaced."""
    return rebuild(e, lambda node: other if node is place else node)


def is_same_place(w: Body, key: n.Expr, number: n.Var, place: n.Expr, step: n.Var) -> bool:
    """True if a key, at one number, is the place that another expression gives for a step."""
    local = n.Local(step.type, step)
    again = rebuild(key, lambda x: local if isinstance(x, n.Local) and x.var is number else x)
    marks: dict[object, Hashable] = {x: i for i, x in enumerate(w.program.free(place))}
    return structural_key(again, {**marks}) == structural_key(place, {**marks})


def are_steps_before(w: Body, source: n.Expr, e: n.Let) -> bool:
    """True if a set holds exactly the numbers before the one found by a search, given as a local."""
    assert isinstance(e.value, n.First)
    if w.program.reads_state(source) or set(w.program.free(source)) - {e.var}:
        return False
    steps = sorted(w.program.static.value(e.value.source, {}))
    before = {step: frozenset(range(steps[0], step)) for step in steps}
    numbers = (*steps, None)
    found = w.program.static.values(source, [{e.var: numbers}])
    return all(x == before.get(number, frozenset()) for number, x in zip(numbers, found, strict=True))


def values_past_end(w: Body, e: n.Expr) -> set[Value] | None:
    """The possible values of an expression whose place is none, as past a line's end; None if unknown."""

    def change(node: n.Expr | n.Effect) -> n.Expr | n.Effect:
        at = isinstance(node, n.Read) and node.key
        nowhere = isinstance(node, n.Read) and isinstance(at, n.Const) and at.value is None
        return n.Const(node.type, node.type.nothing) if nowhere else node  # type: ignore[union-attr]

    changed = rebuild(e, change)
    free: list[n.Var | n.StateVar] = [*w.program.free(changed)]
    free += dict.fromkeys(x.var for x in nodes_within(changed) if isinstance(x, n.Get))
    cases = [{x: x.type.values} for x in free if isinstance(x.type, Scalar)]
    asking = (n.Call, n.Can, n.After)
    calls = any(isinstance(x, asking) and w.program.reads_state(x) for x in nodes_within(changed))
    if calls or len(cases) < len(free) or prod(len(*x.values()) for x in cases) > MOST_WAYS:
        return None
    return {*w.program.static.values(changed, cases)}
