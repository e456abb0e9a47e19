"""Loops over the elements of sets and lists, what words can say of them being said by words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ..core import nodes as n
from ..core.types import BOOL, List, Scalar, Set, Type
from ..core.walk import conjuncts
from . import lanes
from .body import Body
from .naming import Word
from .vals import Env, Known, Lanes, Val, negated, sum_of

Conds = list[tuple[n.Var, n.Expr]]
"""Conditions on an element, each with the name it has there."""


def unwrapped(w: Body, source: n.Expr, env: Env) -> tuple[n.Expr, Conds]:
    """What set a set is selected from, and the conditions."""
    conds: Conds = []
    while (
        isinstance(source, n.Select) and isinstance(source.source.type, Set) and w.known(source, env) is None
    ):
        conds = [*((source.var, part) for part in conjuncts(source.body)), *conds]
        source = source.source
    return source, conds


def denied(e: n.Expr) -> Iterator[n.Expr]:
    """The conditions whose conjunction is the negation of `e`."""
    if isinstance(e, n.Or):
        for item in e.items:
            yield from denied(item)
    elif isinstance(e, n.Not):
        yield from conjuncts(e.item)
    else:
        yield n.Not(BOOL, e)


def element_of(source: n.Expr) -> Scalar:
    """The type of the elements of a set or list."""
    of = source.type.of  # type: ignore[attr-defined]
    assert isinstance(of, Scalar)
    return of


def chosen(w: Body, source: n.Expr, conds: Conds, env: Env) -> tuple[tuple[str, ...] | None, Conds]:
    """The words of the elements that fulfil the conditions which words can answer, and the others.

    None in place of the words where the elements are listed better one by one.
    """
    if not isinstance(source.type, Set) or source.type.of is None:
        return None, conds
    of = source.type.of
    if w.program.lanes(of) is None:
        return None, conds
    answered, rest = [], []
    for var, cond in conds:
        words = lanes.mask(w, of, cond, {**env, var: Lanes()})
        if words is None:
            rest.append((var, cond))
        else:
            answered.append(words)
    if not answered and w.known(source, env) is not None:
        return None, conds
    size = w.codes.words(of)
    words = w.widened(w.value(source, env).texts, size)
    for other in answered:
        words = tuple(_and(w, a, b) for a, b in zip(words, other, strict=True))
    return words, rest


def _and(w: Body, a: str, b: str) -> str:
    if "ZERO" in (a, b):
        return "ZERO"
    if b == w.program.word((1 << 64) - 1) or a == b:
        return a
    return f"({a} & {b})"


@dataclass(frozen=True)
class Search:
    """Elements to go through: of the set in `words` (of `source` where None) those that fulfil `rest`."""

    source: n.Expr
    words: tuple[str, ...] | None
    rest: Conds


def search(w: Body, source: n.Expr, conds: Conds, env: Env) -> Search:
    """How to find the elements of a set or list that fulfil conditions."""
    source, more = unwrapped(w, source, env)
    return Search(source, *chosen(w, source, [*more, *conds], env))


@contextmanager
def elements(w: Body, var: n.Var, source: n.Expr | Search, env: Env) -> Iterator[Val]:
    """A loop over the elements of a set or list."""
    looked = source if isinstance(source, Search) else search(w, source, [], env)
    source, words, rest = looked.source, looked.words, looked.rest
    of = source.type.of  # type: ignore[attr-defined]
    if of is None:
        with w.block("while False"):
            yield Val(var.type, ("0",))
        return
    if words is not None:
        with w.bits(words, var, w.codes.base(of)) as x:
            yield guarded(w, of, x, rest, env)
        return
    known = w.known(source, env)
    if isinstance(source.type, Set) and known is None:
        with w.bits(w.value(source, env).texts, var, w.codes.base(of)) as x:
            yield guarded(w, of, x, rest, env)
        return
    x = w.local(var)
    if known is not None:
        with _known(w, of, x, known, source.type):
            yield guarded(w, of, x, rest, env)
        return
    listed = w.atoms(w.value(source, env))
    i = w.local("i")
    with w.block(f"for {i} in range({listed.texts[1]})"):
        w.line(f"{x} = s[{sum_of(listed.texts[0], i)}]")
        yield guarded(w, of, x, rest, env)


@contextmanager
def _known(w: Body, of: Scalar, x: str, known: Known, t: Type) -> Iterator[None]:
    values = known.value if isinstance(t, List) else sorted(known.value)
    codes = [w.codes.code(of, v) for v in values]
    if codes and codes == list(range(codes[0], codes[0] + len(codes))):
        first = f"{codes[0]}, " if codes[0] else ""
        with w.block(f"for {x} in range({first}{codes[-1] + 1})"):
            yield
    else:
        i = w.local("i")
        with w.block(f"for {i} in range({len(codes)})"):
            w.line(f"{x} = {some_of(w, of, codes or [0])}[{i}]")
            yield


def some_of(w: Body, of: Scalar, codes: Sequence[int]) -> str:
    """The name of a table of these codes, values of the type `of`."""
    return w.program.table("table", codes, f"some {of}", f"some values of {of}")


def guarded(w: Body, of: Scalar, x: str, rest: Conds, env: Env) -> Val:
    """The element of a loop, after tests that go on to the next one where a condition fails."""
    val = Val(of, (x,))
    for var, cond in rest:
        text = w.cond(cond, {**env, var: val})
        with w.block(f"if {negated(text)}"):
            w.line("continue")
    return val


def empty_words(w: Body, t: Set, wanted: Word) -> list[str]:
    """Names of words in which a set is gathered."""
    names = [w.local(wanted) for _ in range(w.codes.words(t.of))]
    for name in names:
        w.line(f"{name} = ZERO")
    return names


def add_scalar(w: Body, names: Sequence[str], of: Scalar, val: Val) -> None:
    """Put a scalar into the set that names hold, unless it is none."""
    if val.none:
        val = w.atoms(val)
        with w.block(f"if {val.text} != NONE"):
            w.add_bit(names, w.bit(val.text, of))
    else:
        w.add_bit(names, w.bit(val.text, of))
