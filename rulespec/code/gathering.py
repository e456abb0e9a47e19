"""The elements that a search finds, as words; what words cannot answer is asked of as few as can be.

A condition is asked of none where it has a premise that fails, which no element has a part in. Of elements
on which the conditions depend alike one is asked for all: elements for which the rules give the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import NamedTuple

from ..core import nodes as n
from ..core.types import BOOL, Scalar, Set, Value, fits
from ..core.walk import conjuncts, parts
from ..machine import form as f
from ..machine.building import (
    ZERO,
    both,
    choose,
    either,
    intersection,
    inverted,
    load,
    negated,
    plus,
    times,
    union,
)  # fmt: skip
from .body import Body
from .codes import WORD
from .lanes import Maker
from .lookups import GaveUp
from .loops import Search, add_scalar, as_words, denied, empty_words
from .vals import Env, Lanes, Macro, Val


def gathered(w: Body, var: n.Var, looked: Search, of: Scalar, env: Env) -> tuple[f.Expr, ...]:
    """The elements that a search finds, as words under names."""
    if looked.words is None:
        return tuple(as_words(w, "ready", var, looked, of, env))
    ready = [w.named("ready", e) for e in looked.words]
    if not looked.rest:
        return tuple(ready)
    conds, depth = [cond for _, cond in looked.rest], w.depth
    lanes: Env = {**env, **{v: Lanes() for v, _ in looked.rest}}
    asking = _Asking(Maker(w, of), w.name(var), conds, lanes)
    single: Env = {**env, **{v: Val(of, (asking.x,)) for v, _ in looked.rest}}
    w.under(either(*(both(*_premises(asking.maker, cond, lanes)) for cond in conds)))
    failed = asking.by_elements(ready, conds[0], lanes, single) if len(conds) == 1 else None
    if failed is None:
        left, names = [w.named("left", e) for e in ready], empty_words(w, Set(of), "failed")
        with asking.each(left) as group:
            holds = w.atom(w.cond(n.And(BOOL, tuple(conds)), single), "holds")
            asking.add(names, group, negated(holds))
        failed = names
    for name, held in zip(ready, failed, strict=True):
        w.set(name, intersection(name, inverted(held)))
    w.back(depth)
    return tuple(ready)


class _Asking:
    """Asks conditions of one lane, x, of each group of those on which they depend alike."""

    def __init__(self, maker: Maker, x: f.Local, conds: Sequence[n.Expr], lanes: Env) -> None:
        self.w, self.of, self.maker, self.x = maker.w, maker.of, maker, x
        self.groups = _alike(maker, conds, lanes)

    @contextmanager
    def each(self, left: Sequence[f.Local]) -> Iterator[Sequence[f.Expr]]:
        """A loop over lanes, which are taken out of words: the group of x as words, none for x alone."""
        w, group = self.w, list[f.Expr]()
        with w.repeat(union(*left)):
            w.lowest(left, self.x, w.codes.base(self.of))
            if self.groups is not None:
                at = w.atom(times(w.bit(self.x, self.of), self.maker.size), "at")
                group = [w.named("group", load(self.groups, plus(at, k))) for k in range(self.maker.size)]
                for name, held in zip(left, group, strict=True):
                    w.set(name, intersection(name, inverted(held)))
            yield group

    def add(self, names: Sequence[f.Local], group: Sequence[f.Expr], condition: f.Expr) -> None:
        """Put a group into words where a condition holds."""
        for name, held in zip(names, group, strict=False):
            self.w.set(name, union(name, choose(condition, held, ZERO)))
        if not group:
            with self.w.when(condition):
                add_scalar(self.w, names, self.of, Val(self.of, (self.x,)))

    def by_elements(
        self, ready: Sequence[f.Local], cond: n.Expr, lanes: Env, single: Env
    ) -> Sequence[f.Expr] | None:
        """The lanes for which a condition fails that some element of a set has a property, where the rules
        say which elements go with which lanes: each element is asked of the lanes for which none was found
        (loop interchange). None, and nothing is written, for other conditions.
        """
        w, maker = self.w, self.maker
        some = _some(cond, lanes, maker.varies)
        if some is None or not isinstance(t := some.source.type, Set) or t.of is None:
            return None
        alone = _some(cond, single, lambda e, _: e is not some.source)
        if w.program.lanes(t.of) is None or maker.varies(some.source, some.around) or alone is None:
            return None
        every = n.Domain(Set(t.of), t.of)
        narrowed = [(n.Select(Set(t.of), x.var, every, x.body), env) for x, env in some.among]
        columns = [column for e, env in narrowed if (column := maker.fixed(e, env)) is not None]
        if not columns or len(columns) < len(some.among):
            return None
        with w.aside() as body:
            try:
                asked = maker.named(maker.both(tuple(ready), *(maker.mask(*x) for x in some.premises)))
            except GaveUp:
                return None
            table, found = self._by_element(t.of, columns), empty_words(w, Set(self.of), "found")
            held = w.value(alone.source, alone.around).parts
            with w.bits(held, alone.element, w.codes.base(t.of)) as y:
                at = w.atom(times(w.bit(y, t.of), maker.size), "at")
                rows = [load(table, plus(at, k)) for k in range(maker.size)]
                open_ = zip(rows, asked, map(inverted, found), strict=True)
                with self.each([w.named("left", intersection(*x)) for x in open_]) as group:
                    inner = {**alone.env, alone.element: Val(t.of, (y,))}
                    self.add(found, group, w.atom(w.cond(alone.body, inner), "holds"))
        w.body += body
        return [intersection(a, inverted(b)) for a, b in zip(asked, found, strict=True)]

    def _by_element(self, t: Scalar, columns: Sequence[Sequence[Value]]) -> f.Static:
        """A table of the lanes that go with each value of a type."""
        codes, size = self.w.codes, self.maker.size
        rows = [0] * (WORD * codes.words(t) * size)
        for value in t.values:
            lanes = [
                x for x, *held in zip(self.of.values, *columns, strict=True)
                if all(value in part for part in held)
            ]  # fmt: skip
            at = (codes.code(t, value) - codes.base(t)) * size
            rows[at : at + size] = codes.mask(self.of, lanes)
        meaning = f"for each {t} the {self.of} that it goes with"
        return self.w.program.table(rows, f"with {t}", meaning, f.WORDS)


class _Some(NamedTuple):
    """A condition that some element of a set, and among those, has a property, unless a premise fails; each
    part with what its names stand for.
    """

    premises: Sequence[tuple[n.Expr, Env]]
    element: n.Var
    source: n.Expr
    around: Env
    among: Sequence[tuple[n.Select, Env]]
    body: n.Expr
    env: Env


def _some(e: n.Expr, env: Env, varies: Callable[[n.Expr, Env], bool]) -> _Some | None:
    """A condition in this form, its source taken apart as long as that `varies`; None for others."""
    premises: list[tuple[n.Expr, Env]] = []
    while type(e) is not n.Any:
        if isinstance(e, n.Call) and e.function.falling is None and not _unfit(e):
            env, e = _arguments(e, env), e.function.body
        elif isinstance(e, n.If) and isinstance(e.otherwise, n.Const) and e.otherwise.value is True:
            premises.append((e.cond, env))
            e = e.then
        else:
            return None
    source, around, among = e.source, env, list[tuple[n.Select, Env]]()
    while isinstance(source, n.Select | n.Call) and varies(source, around):
        if isinstance(source, n.Select):
            among.append((source, around))
            source = source.source
        elif source.function.falling is None and not _unfit(source):
            around, source = _arguments(source, around), source.function.body
        else:
            break
    return _Some(premises, e.var, source, around, among, e.body, env)


def _premises(maker: Maker, e: n.Expr, env: Env) -> Iterator[f.Expr]:
    """Conditions that are the same for all lanes; where one of them fails, a condition holds."""
    if isinstance(e, n.Call) and e.function.falling is None and not _unfit(e):
        yield from _premises(maker, e.function.body, _arguments(e, env))
        return
    against = [*denied(e)]
    if isinstance(e, n.If) and isinstance(e.otherwise, n.Const) and e.otherwise.value is True:
        against = [*conjuncts(e.cond), *denied(e.then)]
    yield from (maker.w.cond(x, env) for x in against if not maker.varies(x, env))


def _alike(maker: Maker, conds: Sequence[n.Expr], env: Env) -> f.Static | None:
    """A table of the lanes that are alike in all that conditions ask of a lane; None where each is alone."""
    w, of = maker.w, maker.of
    columns = [column for cond in conds for column in _aspects(maker, cond, env)]
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


def _aspects(maker: Maker, e: n.Expr, env: Env) -> Iterator[Sequence[Value]]:
    """Values that the rules give for each lane, such that an expression depends on the lane by them alone."""
    if not maker.varies(e, env):
        return
    column, bound = maker.fixed(e, env), env[e.var] if isinstance(e, n.Local) else None
    if column is not None:
        yield column
    elif isinstance(bound, Macro):
        yield from _aspects(maker, bound.body, bound.env)
    elif isinstance(e, n.Call) and e.function.falling is None:
        for arg in _unfit(e):
            yield from _aspects(maker, arg, env)
        yield from _aspects(maker, e.function.body, _arguments(e, env))
    else:
        held = [getattr(e, slot.name) for slot in fields(e)]
        inner = {**env, **{x: Val(x.type, ()) for x in held if isinstance(x, n.Var)}}
        for part in parts(e):
            assert isinstance(part, n.Expr)
            yield from _aspects(maker, part, inner)


def _arguments(e: n.Call, env: Env) -> Env:
    return {param: Macro(arg, env) for param, arg in zip(e.function.params, e.args, strict=True)}


def _unfit(e: n.Call) -> list[n.Expr]:
    """The arguments that need not fit: a call with one that does not is answered without the definition."""
    pairs = zip(e.function.params, e.args, strict=True)
    return [arg for param, arg in pairs if not fits(arg.type, param.type)]
