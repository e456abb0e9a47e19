"""Operators that evaluate a body more than once, as code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...core import nodes as n
from ...core.evaluate import in_order
from ...core.traversal import conjuncts, rebuild
from ...core.types import List, Map, Optional, Scalar, Set, Value
from ...machine import form as f
from ...machine.builder import (
    FALSE,
    as_type,
    both,
    choose,
    compare,
    complement,
    count_bits,
    differ,
    either,
    equal,
    intersection,
    negation,
    number,
    plus,
    truth,
    union,
)  # fmt: skip
from ..bindings import NONE, Conds, Env, Known, Val
from ..bitsets.algebra import Bitset
from ..bitsets.growing_sets import write_growing_comparison
from ..bitsets.multiword import lowest_position
from ..bitsets.ray_search import write_ray_search
from ..bitsets.state_maps import MOST_CASES
from ..bitsets.static_relations import static_image, write_closure
from ..body import Body, Handler, S
from ..list_updates import only_item
from ..loops import (
    add_scalar,
    collect_bitset,
    element_type,
    elements,
    empty_bitset,
    expand_conjuncts,
    negated_conjuncts,
    plan_search,
)
from ..move_generation.filtering import filter_elements
from .calls import searches_first
from .plain import fitted, same

# ---- conditions


def quantified(every: bool) -> Callable[[Body, n.Any, Env], Val]:
    """Handler for `some` or `every`; `every` looks for an element that fails."""

    def handler(w: Body, e: n.Any, env: Env) -> Val:
        parts = negated_conjuncts(e.body) if every else conjuncts(e.body)
        conds: Conds = [x for part in parts for x in expand_conjuncts(e.var, part)]
        if w.functions.share_conditions is not None:
            conds, env = w.functions.share_conditions(w, conds, env)
        looked = plan_search(w, e.source, conds, env)
        words = looked.words
        if words is not None and not looked.rest:
            return Val(e.type, (compare("==" if every else "!=", union(*words), 0),))
        name = w.named("holds", truth(every))
        with elements(w, e.var, looked, env):
            w.set(name, truth(not every))
            w.leave()
        return Val(e.type, (name,))

    return handler


# ---- numbers


def size(w: Body, e: n.Size, env: Env) -> Val:
    if isinstance(e.item.type, List):
        return Val(e.type, (w.value(e.item, env).parts[1],))
    return Val(e.type, (count_bits(*w.value(e.item, env).parts),))


def split_default(e: n.Sum | n.Image | n.Collect, blank: Value) -> tuple[Conds, n.Expr]:
    """The conditions under which a body differs from its default value, and its value then."""
    body = e.body
    if isinstance(body, n.If) and isinstance(body.otherwise, n.Const) and body.otherwise.value == blank:
        return [(e.var, part) for part in conjuncts(body.cond)], body.then
    return [], body


def sum_(w: Body, e: n.Sum, env: Env) -> Val:
    conds, body = split_default(e, 0)
    looked, var = plan_search(w, e.source, conds, env), e.var
    if isinstance(body, n.Const) and body.value == 1:
        if looked.words is not None and not looked.rest:
            return Val(e.type, (count_bits(*looked.words),))
        if looked.rest:  # the last condition is added up, which takes no branch
            (var, body), looked = looked.rest[-1], replace(looked, rest=looked.rest[:-1])
    name = w.named("total", 0)
    with elements(w, e.var, looked, env) as x:
        found = w.value(body, {**env, var: x})
        if found.none:
            found = w.atoms(found)
            w.add(name, choose(differ(found.expr, NONE), found.expr, 0))
        else:
            w.add(name, found.expr)
    return Val(e.type, (name,))


def best(w: Body, e: n.Best, env: Env) -> Val:
    name = w.named("best", NONE)
    with elements(w, e.var, e.source, env) as x:
        found = w.atoms(w.value(e.body, {**env, e.var: x}))
        # None is less than every value, so the most needs no question about it.
        better = compare(">" if e.most else "<", found.expr, name)
        if not e.most:
            there = [differ(found.expr, NONE)] if found.none else []
            better = both(*there, either(equal(name, NONE), better))
        with w.when(better):
            w.set(name, found.expr)
    return Val(e.type, (name,), True)


def first(w: Body, e: n.First, env: Env) -> Val:
    conds: Conds = [(e.var, part) for part in conjuncts(e.body)]
    blank = w.nothing(e.type)
    looked = plan_search(w, e.source, conds, env)
    if looked.words is not None and not looked.rest:
        held = [w.atom(word, "held") for word in looked.words]
        there = plus(lowest_position(held), w.codes.base(element_type(looked.source)))
        return Val(e.type, (choose(differ(union(*held), 0), there, blank.expr),), blank.none)
    var = n.Var(e.var.name, e.type)
    along = write_ray_search(w, n.Let(e.type, var, e, n.Local(e.type, var)), env)
    if along is not None:
        return w.value(*along)
    name = w.named(e.var, blank.expr, f.NUMBER)
    with elements(w, e.var, looked, env) as x:
        w.set(name, x.expr)
        w.leave()
    return Val(e.type, (name,), blank.none)


# ---- sets and lists


def select(w: Body, e: n.Select, env: Env) -> Val:
    assert isinstance(e.type, Set)
    looked = plan_search(w, e.source, [(e.var, part) for part in conjuncts(e.body)], env)
    if looked.words is not None and not looked.rest:
        return fitted(w, e.type, Val(looked.source.type, looked.words))
    if e.type.of is None:
        return Val(e.type, ())
    if w.codes.words(e.type.of) > 1 or not looked.rest:
        return Val(e.type, tuple(collect_bitset(w, "those", e.var, looked, e.type.of, env)))
    # The last condition takes no branch.
    looked, (var, cond) = replace(looked, rest=looked.rest[:-1]), looked.rest[-1]
    (those,) = empty_bitset(w, e.type, "those")
    with elements(w, e.var, looked, env) as x:
        held = as_type(as_type(w.cond(cond, {**env, var: x}), f.NUMBER), f.WORD)
        w.set(those, union(those, f.Binary(f.WORD, "<<", held, w.bit(x.expr, e.type.of))))
    return Val(e.type, (those,))


def image(w: Body, e: n.Image, env: Env) -> Val:
    assert isinstance(e.type, Set)
    only = only_item(e.source, env)
    if only is not None and isinstance(e.body, n.Local) and e.body.var is e.var:
        return w.value(n.SetOf(e.type, only[:1]), only[1])
    conds, body = split_default(e, None)
    looked = plan_search(w, e.source, conds, env)
    if (
        isinstance(body, n.Local)
        and body.var is e.var
        and isinstance(looked.source.type, Set)
        and not looked.rest
    ):
        words = looked.words or w.value(looked.source, env).parts
        return fitted(w, e.type, Val(looked.source.type, words))
    names = empty_bitset(w, e.type, "found")
    listed = _read_at(body, e.var) if isinstance(looked.source.type, Set) else None
    size = w.atom(w.value(listed, env).parts[1], "size") if listed else None
    with elements(w, e.var, looked, env) as x:
        if size is not None:  # elements come in order, and no later one is a position of the list either
            with w.when(compare(">", x.expr, size)):
                w.leave()
        found = w.value(body, {**env, e.var: x})
        if e.type.of is not None and found.expr != NONE:
            add_scalar(w, names, e.type.of, found)
    return Val(e.type, tuple(names))


def _read_at(e: n.Expr, var: n.Var) -> n.Local | None:
    """The list that an expression reads at a number, if the expression is none outside the list."""
    if e.type.nothing is not None:
        return None
    if isinstance(e, n.Item) and isinstance(e.list, n.Local) and e.list.var is not var:
        return e.list if isinstance(e.position, n.Local) and e.position.var is var else None
    if isinstance(e, n.Call):
        for param, arg in zip(e.function.params, e.args, strict=True):
            if isinstance(param.type, Scalar) and (found := _read_at(arg, var)):
                return found
    return None


def collect(w: Body, e: n.Collect, env: Env) -> Val:
    assert isinstance(e.type, List)
    at = w.slot(e.type)
    size = w.named("size", 0)
    conds, body = split_default(e, None)
    with elements(w, e.var, plan_search(w, e.source, conds, env), env) as x:
        append(w, at, size, w.value(body, {**env, e.var: x}))
    return Val(e.type, (number(at), size))


def append(w: Body, at: int, size: f.Local, val: Val) -> None:
    """Append a scalar, unless it is none, to a list under construction."""
    if val.expr == NONE:
        return
    val, depth = w.atoms(val) if val.none else val, w.depth
    if val.none:
        w.under(differ(val.expr, NONE))
    w.store(S, plus(at, size), val.expr)
    w.add(size, 1)
    w.back(depth)


def joined_sets(w: Body, e: n.Fold, env: Env) -> Val | None:
    """The union of static sets, one for each element of a set; None if they are not static."""
    match e.body:
        case n.Union(_, n.Local(_, total), more) if total is e.total and total not in w.program.free(more):
            image = more
        case _:
            return None
    while isinstance(image, n.Select | n.Image) and e.var not in w.program.free(image.body):
        image = image.source
    of = image.type.of if isinstance(image.type, Set) else None
    if of is None or not isinstance(e.source.type, Set) or e.source.type.of is None:
        return None
    words = static_image(w, e.var, e.source, of, image, env)
    if words is None:
        return None
    held = n.Var("image", image.type)
    joined = rebuild(more, lambda node: n.Local(held.type, held) if node is image else node)
    both_sets = n.Union(e.type, e.start, joined)
    return w.value(both_sets, {**env, held: Val(held.type, words)})


def fold(w: Body, e: n.Fold, env: Env) -> Val:
    joined = joined_sets(w, e, env)
    if joined is not None:
        return joined
    start = fitted(w, e.type, w.value(e.start, env))
    if isinstance(e.type, Map):
        start = w.copied(e.type, start)
    slot = w.slot(e.type) if isinstance(e.type, List) else 0
    total = w.fresh(start, e.total)
    if isinstance(e.type, List):
        w.put(e.type, slot, total)
        w.assign(total.parts, w.held(e.type, slot))
    total = Val(total.type, total.parts, isinstance(e.type, Optional))
    known = w.known(e.source, env)
    if (
        known is not None
        and len(known.value) <= MOST_CASES
        and isinstance(e.type, Set)
        and searches_first(e.body)
    ):
        for value in in_order(e.source.type, known.value):
            found = fitted(w, e.type, w.value(e.body, {**env, e.var: Known(value), e.total: total}))
            w.assign(total.parts, found)
        return total
    with elements(w, e.var, e.source, env) as x:
        found = fitted(w, e.type, w.value(e.body, {**env, e.var: x, e.total: total}))
        if isinstance(e.type, List):
            w.put(e.type, slot, found)
            w.assign(total.parts, w.held(e.type, slot))
        elif isinstance(e.type, Map):
            w.put(e.type, total.expr, found)
        else:
            w.assign(total.parts, w.atoms(found) if len(found.parts) > 1 else found)
    return total


# ---- bounded repetition


def follow(w: Body, e: n.Follow, env: Env) -> Val:
    start = w.value(e.start, env)
    at = w.fresh(start, e.var)
    times = w.value(e.times, env)
    if times.none:
        times = w.atoms(times)
        times = Val(times.type, (choose(equal(times.expr, NONE), 0, times.expr),))
    left = w.named("left", times.expr)
    there = [differ(at.expr, NONE)] if start.none else []
    with w.repeat(both(*there, compare(">", left, 0))):
        inner = {**env, e.var: Val(e.var.type, at.parts)}
        held = negation(w.cond(e.cond, inner))
        if held != FALSE:
            with w.when(held):
                w.leave()
        beyond = w.value(e.step, inner)
        if beyond.none:
            beyond = w.atoms(beyond)
            with w.when(equal(beyond.expr, NONE)):
                w.leave()
        w.assign(at.parts, beyond)
        w.add(left, -1)
    return Val(e.type, at.parts, start.none)


def equals(w: Body, e: n.Equal, env: Env) -> Val:
    """The equality of two values; a search for the elements of a set ends as soon as it is decided."""
    sides: Sequence[tuple[n.Expr, n.Expr | None]] = ()
    if isinstance(e.a.type, Set) and isinstance(e.b.type, Set):
        sides = (e.a, e.b), (e.b, e.a)
    elif isinstance(e.a, n.Size) and isinstance(e.b, n.Const) and e.b.value == 0:
        sides = ((e.a.item, None),)
    for grown, other in sides:
        with w.aside() as written:
            held = write_growing_comparison(w, grown, other, env, closure)
        if held is not None:
            w.body += written
            return Val(e.type, (held,))
    return Val(e.type, (same(w, w.value(e.a, env), w.value(e.b, env)),))


def reach(w: Body, e: n.Reach, env: Env) -> Val:
    found = closure(w, e, env)
    assert found is not None
    return found


def closure(w: Body, e: n.Reach, env: Env, each: Callable[[Bitset], None] | None = None) -> Val | None:
    """The closure of a set; with `each`, which writes what is done with each step, None without steps."""
    assert isinstance(e.type, Set) and e.type.of is not None
    of = element_type(e.source)
    size, among = w.codes.words(of), n.Var("among", Set(of))
    early: Conds = [(e.var, part) for part in conjuncts(e.body) if e.via not in w.program.free(part)]
    late: Conds = [(e.var, part) for part in conjuncts(e.body) if e.via in w.program.free(part)]
    source: Sequence[f.Expr]
    if isinstance(e.source.type, List):
        source = collect_bitset(w, "allowed", e.var, e.source, of, env)
    else:
        source = [w.atom(word, "allowed") for word in w.widened(w.value(e.source, env).parts, size)]
    start = w.widened(w.value(e.start, env).parts, size)
    begun = tuple(map(intersection, start, source))
    looked = plan_search(w, n.Local(among.type, among), early, {**env, among: Val(among.type, tuple(source))})
    allowed = tuple(w.atom(word, "allowed") for word in looked.words or source)
    if not looked.rest:
        words = write_closure(w, e, [cond for _, cond in late], begun, allowed, env, each)
        if words is not None:
            return fitted(w, e.type, Val(Set(of), words))
    if each is not None:
        return None
    reached = [w.named("reached", x) for x in begun]
    waiting = [w.named("waiting", r) for r in reached]
    via = w.name(e.via)
    with w.repeat(union(*waiting)):
        w.lowest(waiting, via, w.codes.base(of))
        new = tuple(intersection(a, complement(r)) for a, r in zip(allowed, reached, strict=True))
        inner = {**env, e.via: Val(of, (via,)), among: Val(among.type, new)}
        looked = plan_search(w, n.Local(among.type, among), [*looked.rest, *late], inner)
        for found, r, v in zip(filter_elements(w, e.var, looked, of, inner), reached, waiting, strict=True):
            w.set(r, union(r, found))
            w.set(v, union(v, found))
    return fitted(w, e.type, Val(Set(of), tuple(reached)))


HANDLERS: dict[type[n.Expr], Handler] = {
    n.Size: size,
    n.All: quantified(True),
    n.Any: quantified(False),
    n.Sum: sum_,
    n.Best: best,
    n.First: first,
    n.Select: select,
    n.Image: image,
    n.Collect: collect,
    n.Fold: fold,
    n.Follow: follow,
    n.Reach: reach,
    n.Equal: equals,
}
