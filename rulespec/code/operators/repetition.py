"""Operators that evaluate a body more than once, as code."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...core import nodes as n
from ...core.types import List, Map, Optional, Scalar, Set, Value
from ...core.walk import conjuncts
from .. import lanes
from ..body import Body
from ..loops import Conds, add_scalar, denied, element_of, elements, empty_words, guarded, search
from ..vals import Env, Lanes, Val, negated, plus, sum_of
from .plain import fitted

# ---- conditions


def quantified(every: bool) -> Callable[[Body, n.Any, Env], Val]:
    """`every` looks for an element for which the body fails."""

    def handler(w: Body, e: n.Any, env: Env) -> Val:
        conds: Conds = [(e.var, part) for part in (denied(e.body) if every else conjuncts(e.body))]
        looked = search(w, e.source, conds, env)
        words = looked.words
        if words is not None and not looked.rest:
            text = f"({' | '.join(words)})" if len(words) > 1 else words[0]
            return Val(e.type, (f"({text} {'==' if every else '!='} ZERO)",))
        name = w.local("holds")
        w.line(f"{name} = {every}")
        with elements(w, e.var, looked, env):
            w.line(f"{name} = {not every}")
            w.line("break")
        return Val(e.type, (name,))

    return handler


# ---- numbers


def size(w: Body, e: n.Size, env: Env) -> Val:
    if isinstance(e.item.type, List):
        return Val(e.type, (w.value(e.item, env).texts[1],))
    words: tuple[str, ...] | None
    if isinstance(e.item, n.Select) and isinstance(e.item.source.type, Set) and not w.known(e.item, env):
        looked = search(w, e.item, [], env)
        words = looked.words
        if words is None or looked.rest:
            name = w.local("count_")
            w.line(f"{name} = 0")
            with elements(w, e.item.var, looked, env):
                w.line(f"{name} += 1")
            return Val(e.type, (name,))
    else:
        words = w.value(e.item, env).texts
    return Val(e.type, (_counted(words),))


def _counted(words: Sequence[str]) -> str:
    """The text of how many elements a set has."""
    counts = " + ".join(f"count({word})" for word in words) or "0"
    return f"({counts})" if len(words) > 1 else counts


def kept(e: n.Sum | n.Image | n.Collect, blank: Value) -> tuple[Conds, n.Expr]:
    """The conditions under which a body is more than a value that counts for nothing, and what it is then."""
    body = e.body
    if isinstance(body, n.If) and isinstance(body.otherwise, n.Const) and body.otherwise.value == blank:
        return [(e.var, part) for part in conjuncts(body.cond)], body.then
    return [], body


def sum_(w: Body, e: n.Sum, env: Env) -> Val:
    conds, body = kept(e, 0)
    looked = search(w, e.source, conds, env)
    if looked.words is not None and not looked.rest and isinstance(body, n.Const) and body.value == 1:
        return Val(e.type, (_counted(looked.words),))
    name = w.local("total")
    w.line(f"{name} = 0")
    with elements(w, e.var, looked, env) as x:
        found = w.value(body, {**env, e.var: x})
        if found.none:
            found = w.atoms(found)
            with w.block(f"if {found.text} != NONE"):
                w.line(f"{name} += {found.text}")
        else:
            w.line(f"{name} += {found.text}")
    return Val(e.type, (name,))


def best(w: Body, e: n.Best, env: Env) -> Val:
    name = w.local("best")
    w.line(f"{name} = NONE")
    with elements(w, e.var, e.source, env) as x:
        found = w.atoms(w.value(e.body, {**env, e.var: x}))
        # None is less than every value, so the most needs no question about it.
        if e.most:
            test = f"{found.text} > {name}"
        else:
            there = f"{found.text} != NONE and " if found.none else ""
            test = f"{there}({name} == NONE or {found.text} < {name})"
        with w.block(f"if {test}"):
            w.line(f"{name} = {found.text}")
    return Val(e.type, (name,), True)


def first(w: Body, e: n.First, env: Env) -> Val:
    conds: Conds = [(e.var, part) for part in conjuncts(e.body)]
    blank = w.nothing(e.type)
    looked = search(w, e.source, conds, env)
    if looked.words is not None and not looked.rest and len(looked.words) == 1:
        held = w.atom(looked.words[0], "held")
        there = plus(f"low({held})", w.codes.base(element_of(looked.source)))
        return Val(e.type, (f"({there} if {held} else {blank.text})",), blank.none)
    name = w.local(e.var)
    w.line(f"{name} = {blank.text}")
    with elements(w, e.var, looked, env) as x:
        w.line(f"{name} = {x.text}")
        w.line("break")
    return Val(e.type, (name,), blank.none)


# ---- sets and lists


def select(w: Body, e: n.Select, env: Env) -> Val:
    assert isinstance(e.type, Set)
    looked = search(w, e.source, [(e.var, part) for part in conjuncts(e.body)], env)
    if looked.words is not None and not looked.rest:
        return fitted(w, e.type, Val(looked.source.type, looked.words))
    if e.type.of is None:
        return Val(e.type, ())
    names = empty_words(w, e.type, "those")
    with elements(w, e.var, looked, env) as x:
        add_scalar(w, names, e.type.of, x)
    return Val(e.type, tuple(names))


def image(w: Body, e: n.Image, env: Env) -> Val:
    assert isinstance(e.type, Set)
    conds, body = kept(e, None)
    looked = search(w, e.source, conds, env)
    if (
        isinstance(body, n.Local)
        and body.var is e.var
        and isinstance(looked.source.type, Set)
        and not looked.rest
    ):
        words = looked.words or w.value(looked.source, env).texts
        return fitted(w, e.type, Val(looked.source.type, words))
    names = empty_words(w, e.type, "found")
    listed = _read_at(body, e.var) if isinstance(looked.source.type, Set) else None
    size = w.atom(w.value(listed, env).texts[1], "size_") if listed else ""
    with elements(w, e.var, looked, env) as x:
        if size:  # elements come in order, and no later one is a position of the list either
            with w.block(f"if {x.text} > {size}"):
                w.line("break")
        found = w.value(body, {**env, e.var: x})
        if e.type.of is not None and found.text != "NONE":
            add_scalar(w, names, e.type.of, found)
    return Val(e.type, tuple(names))


def _read_at(e: n.Expr, var: n.Var) -> n.Local | None:
    """A list such that an expression is none where a number is no position of it."""
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
    count = w.local("count_")
    w.line(f"{count} = 0")
    conds, body = kept(e, None)
    with elements(w, e.var, search(w, e.source, conds, env), env) as x:
        append(w, at, count, w.value(body, {**env, e.var: x}))
    return Val(e.type, (str(at), count))


def append(w: Body, at: int, count: str, val: Val) -> None:
    """Put a scalar, unless it is none, at the end of a list that is being made."""
    if val.text == "NONE":
        return
    val = w.atoms(val) if val.none else val
    head = f"if {val.text} != NONE" if val.none else "if True"
    if not val.none:
        w.line(f"s[{sum_of(str(at), count)}] = {val.text}")
        w.line(f"{count} += 1")
        return
    with w.block(head):
        w.line(f"s[{sum_of(str(at), count)}] = {val.text}")
        w.line(f"{count} += 1")


def fold(w: Body, e: n.Fold, env: Env) -> Val:
    start = fitted(w, e.type, w.value(e.start, env))
    if isinstance(e.type, Map):
        start = w.copied(e.type, start)
    in_memory = isinstance(e.type, List)
    slot = str(w.slot(e.type)) if in_memory else ""
    total = w.fresh(start, e.total)
    if in_memory:
        w.put(e.type, slot, total)
        w.set(total.texts, w.held(e.type, slot))
    total = Val(total.type, total.texts, isinstance(e.type, Optional))
    with elements(w, e.var, e.source, env) as x:
        found = fitted(w, e.type, w.value(e.body, {**env, e.var: x, e.total: total}))
        if isinstance(e.type, List):
            w.put(e.type, slot, found)
            w.set(total.texts, w.held(e.type, slot))
        elif isinstance(e.type, Map):
            w.put(e.type, total.text, found)
        else:
            w.set(total.texts, w.atoms(found) if len(found.texts) > 1 else found)
    return total


# ---- bounded repetition


def follow(w: Body, e: n.Follow, env: Env) -> Val:
    start = w.value(e.start, env)
    at = w.fresh(start, e.var)
    left = w.value(e.times, env)
    if left.none:
        left = w.atoms(left)
        left = Val(left.type, (f"(0 if {left.text} == NONE else {left.text})",))
    count = w.fresh(left, "left").text
    there = f"{at.text} != NONE and " if start.none else ""
    with w.block(f"while {there}{count} > 0"):
        inner = {**env, e.var: Val(e.var.type, at.texts)}
        held = w.cond(e.cond, inner)
        if held != "True":
            with w.block(f"if {negated(held)}"):
                w.line("break")
        beyond = w.value(e.step, inner)
        if beyond.none:
            beyond = w.atoms(beyond)
            with w.block(f"if {beyond.text} == NONE"):
                w.line("break")
        w.line(f"{at.text} = {beyond.text}")
        w.line(f"{count} -= 1")
    return Val(e.type, at.texts, start.none)


def reach(w: Body, e: n.Reach, env: Env) -> Val:
    assert isinstance(e.type, Set) and e.type.of is not None
    of = element_of(e.source)
    size = w.codes.words(of)
    parts = list(conjuncts(e.body))
    early: Conds = [(e.var, part) for part in parts if e.via not in w.program.free(part)]
    late: Conds = [(e.var, part) for part in parts if e.via in w.program.free(part)]
    if isinstance(e.source.type, List):
        allowed = _as_set(w, e.source, env)
    else:
        allowed = list(w.fresh(Val(e.type, w.widened(w.value(e.source, env).texts, size)), "allowed").texts)
    start = w.widened(w.value(e.start, env).texts, size)
    reached = [w.local("reached") for _ in allowed]
    waiting = [w.local("waiting") for _ in allowed]
    for a, r, v, word in zip(allowed, reached, waiting, start, strict=True):
        w.line(f"{r} = {word} & {a}")
        w.line(f"{v} = {r}")
    late = [*_cut(w, of, allowed, early, env), *late]
    via = w.local(e.via)
    with w.block(f"while {' | '.join(waiting)}"):
        w.lowest(waiting, via, w.codes.base(of))
        inner = {**env, e.via: Val(of, (via,))}
        new = [w.local("new") for _ in allowed]
        for name, a, r in zip(new, allowed, reached, strict=True):
            w.line(f"{name} = {a} & ~{r}")
        rest = _cut(w, of, new, late, inner)
        for name, r, v in zip(new, reached, waiting, strict=True):
            if not rest:
                w.line(f"{r} |= {name}")
                w.line(f"{v} |= {name}")
        if rest:
            with w.bits(new, e.var, w.codes.base(of)) as x:
                val = guarded(w, of, x, rest, inner)
                w.add_bit(reached, w.bit(val.text, of))
                w.add_bit(waiting, w.bit(val.text, of))
    return fitted(w, e.type, Val(Set(of), tuple(reached)))


def _cut(w: Body, of: Scalar, names: list[str], conds: Conds, env: Env) -> Conds:
    """Take out of a set what words can exclude; the conditions that are left to ask."""
    rest: Conds = []
    for var, cond in conds:
        words = lanes.mask(w, of, cond, {**env, var: Lanes()})
        if words is None:
            rest.append((var, cond))
            continue
        for name, word in zip(names, words, strict=True):
            w.line(f"{name} &= {word}")
    return rest


def _as_set(w: Body, source: n.Expr, env: Env) -> list[str]:
    of = element_of(source)
    names = empty_words(w, Set(of), "allowed")
    with elements(w, n.Var("x", of), source, env) as x:
        add_scalar(w, names, of, x)
    return names
