"""Loops over the elements of sets and lists, using words for the conditions that they can express."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ..core import nodes as n
from ..core.traversal import conjuncts, inline_call, takes_all
from ..core.types import BOOL, List, Scalar, Set, Type, fits
from ..machine import form as f
from ..machine.builder import ZERO, differ, intersection, load, negation, number, plus
from .bindings import NONE, Conds, EachValue, Env, Known, Val
from .bitsets import conditions
from .body import Body, S


def unwrap_selections(w: Body, source: n.Expr, env: Env) -> tuple[n.Expr, Conds]:
    """The set from which a set is selected, and the conditions of the selection."""
    conds: Conds = []
    while (
        isinstance(source, n.Select) and isinstance(source.source.type, Set) and w.known(source, env) is None
    ):
        conds = [*((source.var, part) for part in conjuncts(source.body)), *conds]
        source = source.source
    return source, conds


def negated_conjuncts(e: n.Expr) -> Iterator[n.Expr]:
    """The conditions whose conjunction is the negation of `e`."""
    if isinstance(e, n.Or):
        for item in e.items:
            yield from negated_conjuncts(item)
    elif isinstance(e, n.Not):
        yield from conjuncts(e.item)
    else:
        yield n.Not(BOOL, e)


def disjuncts(e: n.Expr) -> Iterator[n.Expr]:
    """The disjuncts of a condition; `some` is distributed over them."""
    match e:
        case n.Or():
            for item in e.items:
                yield from disjuncts(item)
        case n.Not(_, n.And(_, items)):
            for item in items:
                yield from disjuncts(n.Not(BOOL, item))
        case n.If(_, cond, then, n.Const(_, True)):
            yield from disjuncts(n.Or(BOOL, (n.Not(BOOL, cond), then)))
        case n.Any():
            yield from (n.Any(BOOL, e.var, e.source, part) for part in disjuncts(e.body))
        case n.Call() if e.function.falling is None and takes_all(e):
            inlined = [*disjuncts(inline_call(e))]
            yield from inlined if len(inlined) > 1 else (e,)
        case _:
            yield e


def expand_conjuncts(var: n.Var, cond: n.Expr) -> Iterator[tuple[n.Var, n.Expr]]:
    """The conjuncts of a condition on an element, including those inside definitions."""
    if isinstance(cond, n.Call) and isinstance(cond.function.body, n.And) and len(cond.args) == 1:
        (arg,), (param,) = cond.args, cond.function.params
        if isinstance(arg, n.Local) and arg.var is var and fits(var.type, param.type):
            yield from (x for part in conjuncts(cond.function.body) for x in expand_conjuncts(param, part))
            return
    yield var, cond


def element_type(source: n.Expr) -> Scalar:
    """The type of the elements of a set or list."""
    of = source.type.of  # type: ignore[attr-defined]
    assert isinstance(of, Scalar)
    return of


def filter_by_bitsets(
    w: Body, source: n.Expr, conds: Conds, env: Env
) -> tuple[tuple[f.Expr, ...] | None, Conds]:
    """The elements that fulfil all conditions expressible as bit sets, and the remaining conditions.

    None in place of the set if a loop over the elements is better.
    """
    if not isinstance(source.type, Set) or source.type.of is None:
        return None, conds
    of = source.type.of
    if w.program.lanes(of) is None:
        return None, conds
    answered, rest = [], []
    for var, cond in conds:
        words = conditions.condition_bitset(w, of, cond, {**env, var: EachValue()})
        if words is None:
            rest.append((var, cond))
        else:
            answered.append(words)
    if not answered and w.known(source, env) is not None:
        return None, conds
    size = w.codes.words(of)
    words = w.widened(w.value(source, env).parts, size)
    for other in answered:
        words = tuple(a if a == b else intersection(a, b) for a, b in zip(words, other, strict=True))
    return words, rest


@dataclass(frozen=True)
class ElementSearch:
    """The elements to search: those in `words` (of `source` if None) that fulfil `rest`."""

    source: n.Expr
    words: tuple[f.Expr, ...] | None
    rest: Conds


def plan_search(w: Body, source: n.Expr, conds: Conds, env: Env) -> ElementSearch:
    """Plan a search for the elements of a set or list that fulfil conditions."""
    source, more = unwrap_selections(w, source, env)
    return ElementSearch(source, *filter_by_bitsets(w, source, [*more, *conds], env))


@contextmanager
def elements(w: Body, var: n.Var, source: n.Expr | ElementSearch, env: Env) -> Iterator[Val]:
    """Loop over the elements of a set or list."""
    looked = source if isinstance(source, ElementSearch) else plan_search(w, source, [], env)
    source, words, rest = looked.source, looked.words, looked.rest
    of = source.type.of  # type: ignore[attr-defined]
    if of is None:
        with w.aside():
            yield Val(var.type, (number(0),))
        return
    known = w.known(source, env) if words is None else None
    if isinstance(source.type, Set) and known is None:
        with w.bits(w.value(source, env).parts if words is None else words, var, w.codes.base(of)) as x:
            yield skip_failing(w, of, x, rest, env)
        return
    x = w.name(var)
    if known is not None:
        with _constant_elements(w, of, x, known, source.type):
            yield skip_failing(w, of, x, rest, env)
        return
    first, size = w.atoms(w.value(source, env)).parts
    i = w.name("i")
    with w.each(i, 0, size):
        w.set(x, load(S, plus(first, i)))
        yield skip_failing(w, of, x, rest, env)


@contextmanager
def _constant_elements(w: Body, of: Scalar, x: f.Local, known: Known, t: Type) -> Iterator[None]:
    """Write a loop over known elements, by counting if their codes are consecutive."""
    values = known.value if isinstance(t, List) else sorted(known.value)
    codes = [w.codes.code(of, v) for v in values]
    if codes and codes == list(range(codes[0], codes[0] + len(codes))):
        with w.each(x, codes[0], codes[-1] + 1):
            yield
    else:
        i = w.name("i")
        with w.each(i, 0, len(codes)):
            w.set(x, load(value_table(w, of, codes or [0]), i))
            yield


def value_table(w: Body, of: Scalar, codes: Sequence[int]) -> f.Static:
    """A table of codes of values of the type `of`."""
    return w.program.table(codes, f"some {of}", f"some values of {of}")


def skip_failing(w: Body, of: Scalar, x: f.Local, rest: Conds, env: Env) -> Val:
    """The element of a loop, after tests that skip it if one of the conditions fails."""
    val = Val(of, (x,))
    for var, cond in rest:
        with w.when(negation(w.cond(cond, {**env, var: val}))):
            w.next()
    return val


def empty_bitset(w: Body, t: Set, wanted: str) -> list[f.Local]:
    """New locals for the words of a set, empty at first."""
    return [w.named(wanted, ZERO) for _ in range(w.codes.words(t.of))]


def add_scalar(w: Body, names: Sequence[f.Expr], of: Scalar, val: Val) -> None:
    """Add a scalar to the set in locals, unless it is none."""
    if not val.none:
        w.add_bit(names, w.bit(val.expr, of))
        return
    val = w.atoms(val)
    with w.when(differ(val.expr, NONE)):
        w.add_bit(names, w.bit(val.expr, of))


def collect_bitset(
    w: Body, wanted: str, var: n.Var, source: n.Expr | ElementSearch, of: Scalar, env: Env
) -> list[f.Local]:
    """Collect the elements of a set or list as a bit set in locals."""
    names = empty_bitset(w, Set(of), wanted)
    with elements(w, var, source, env) as x:
        add_scalar(w, names, of, x)
    return names
