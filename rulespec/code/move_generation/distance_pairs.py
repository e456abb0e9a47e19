"""Pairs of choices in which the second lies at one of a few distances from the first, such as moves to
neighbours.

For each distance, one set of words holds all first choices with a legal second one, so all pairs are found at
once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from ...core import nodes as n
from ...core.game import Choice
from ...core.traversal import inline_call, nodes_within, rebuild, takes_all
from ...core.types import BOOL, Map, Scalar, Set, Value
from ...machine import form as f
from ...machine.builder import (
    as_type,
    compare,
    count_bits,
    intersection,
    load,
    minus,
    number,
    plus,
    times,
    union,
    word,
)
from ..bindings import EachValue, Env, Macro
from ..bitsets import conditions
from ..bitsets.algebra import Bitset
from ..body import Body, M
from ..codes import WORD
from ..lookup_tables import reads_scalars_only
from ..program import Program

MOST_DISTANCES = 3
"""Maximum number of words counted together; see `kit.nth_of_three`."""
FAR = 127
"""Maximum distance."""
MOST_CASES = 4
"""Maximum number of values of the state's scalars that distances depend on."""


def is_distance_pair(program: Program, choices: Sequence[Choice]) -> bool:
    """True if the first of two choices determines the set of the second."""
    for choice in choices:
        t = choice.source.type
        of = t.of if isinstance(t, Set) and not choice.chain else None
        if of is None or of != choice.var.type or program.lanes(of) is None:
            return False
    return len(choices) == 2 and set(program.free(choices[1].source)) == {choices[0].var}


@dataclass(frozen=True)
class DistanceCase:
    """The possible values of the second choice while scalars of the state have given values."""

    stored: Mapping[n.StateVar, Value]
    distances: Sequence[int]
    """The distances from the code of the first choice to that of the second, ascending."""
    places: Sequence[Mapping[Value, Value]]
    """For each distance, the second choice by the first one, if there is one."""

    @property
    def steps(self) -> int:
        """The distances as a word of signed bytes, the first one highest."""
        return int.from_bytes(b"".join(x.to_bytes(1, signed=True) for x in self.distances).ljust(8, b"\0"))

    @property
    def condition(self) -> n.Expr:
        """The condition that this case applies."""
        held = (n.Equal(BOOL, n.Get(var.type, var), n.Const(var.type, x)) for var, x in self.stored.items())
        return n.And(BOOL, tuple(held))


def distance_cases(program: Program, first: Choice, second: Choice) -> list[DistanceCase]:
    """The cases of a pair of choices, by the values of some scalars; empty if there are too many."""
    source = second.source
    while isinstance(source, n.Call) and source.function.falling is None and takes_all(source):
        source = inline_call(source)
    if not reads_scalars_only(program, source):
        return []
    stored = dict.fromkeys(x.var for x in nodes_within(source) if isinstance(x, n.Get))
    domains = [var.type.values for var in stored if isinstance(var.type, Scalar)]
    if len(domains) < len(stored) or prod(map(len, domains)) > MOST_CASES:
        return []
    found = [
        _distance_case(program, first.var, second.var, source, dict(zip(stored, x, strict=True)))
        for x in product(*domains)
    ]
    fit = all(len(x.distances) <= MOST_DISTANCES and all(abs(y) <= FAR for y in x.distances) for x in found)
    return found if fit else []


def _distance_case(
    program: Program, first: n.Var, second: n.Var, source: n.Expr, stored: dict[n.StateVar, Value]
) -> DistanceCase:
    """The pairs of values that a condition allows, by the distance of their codes."""
    places: dict[int, dict[Value, Value]] = {}
    assert isinstance(first.type, Scalar) and isinstance(second.type, Scalar)
    codes = program.codes
    partners = program.static.values(source, [{first: first.type.values}], stored)
    for x, found in zip(first.type.values, partners, strict=True):
        for y in found or ():
            distance = codes.code(second.type, y) - codes.code(first.type, x)
            places.setdefault(distance, {})[x] = y
    return DistanceCase(stored, sorted(places), [places[distance] for distance in sorted(places)])


def legal_firsts(
    w: Body, case: DistanceCase, pair: Sequence[Choice], conds: Sequence[n.Expr], env: Env
) -> Sequence[Bitset] | None:
    """For each distance of a case, the first choices with a legal second; None if not expressible."""
    if any(isinstance(node, n.After) for e in conds for node in nodes_within(e)):
        return None
    first, second = pair[0].var, pair[1].var
    of, into = first.type, second.type
    assert isinstance(of, Scalar)
    known = {var: n.Const(var.type, x) for var, x in case.stored.items()}

    def given(e: n.Expr) -> n.Expr:
        return rebuild(e, lambda x: known.get(x.var, x) if isinstance(x, n.Get) else x)

    source = w.value(given(pair[0].source), env).parts
    found = []
    for places in case.places:
        apart = n.Const(Map(of, into), tuple(map(places.get, of.values)))
        inner: Env = {first: EachValue()}
        inner = {**env, **inner, second: Macro(n.Read(into, apart, n.Local(of, first)), inner)}
        there = n.Member(BOOL, n.Local(of, first), n.Const(Set(of), frozenset(places)))
        words = conditions.condition_bitset(w, of, n.And(BOOL, (there, *map(given, conds))), inner)
        if words is None:
            return None
        found.append(tuple(map(intersection, source, words)))
    return found


# ---- the block

PAIR_WIDTH = 3
"""Size of a row: the number of the action, which is 0, and two choices."""


def pair_size(size: int) -> int:
    """Size of the row and the block together, for sets of `size` words."""
    return PAIR_WIDTH + MOST_DISTANCES * size + 1


def enter_pairs(body: Body, n: f.Local, found: Sequence[Bitset], steps: f.Expr) -> None:
    """Write code that stores a block in m, first choices first, and the number of legal actions in n."""
    words = [e for group in zip(*found, strict=True) for e in group]
    body.program.constant("BLOCK", PAIR_WIDTH + len(words) + 1)
    body.set(n, count_bits(*words))
    for i, e in enumerate((*words, steps)):
        body.store(M, PAIR_WIDTH + i, as_type(e, f.NUMBER))


def _block_words(size: int) -> tuple[list[list[f.Expr]], f.Expr]:
    """The first words for all distances, then the second words and so on, and the distances as a word."""
    *words, steps = (as_type(load(M, i), f.WORD) for i in range(PAIR_WIDTH, pair_size(size)))
    return [words[i : i + MOST_DISTANCES] for i in range(0, len(words), MOST_DISTANCES)], steps


def write_pair_picking(body: Body, k: f.Local, first: int, size: int) -> None:
    """Write the body of a function that returns the place of the row of action k.

    `first` is the code of the first bit.
    """
    (held, *others), steps = _block_words(size)
    at, step = body.local("at"), body.local("step")
    base: f.Expr = number(first)
    if others:
        base, held = body.named("base", base), [body.named("held", e) for e in held]
    for i, words in enumerate(others, 1):
        before = body.named("before", count_bits(*held))
        with body.when(compare(">=", k, before)):
            body.set(k, minus(k, before))
            body.set(base, first + WORD * i)  # type: ignore[arg-type]
            for name, e in zip(held, words, strict=True):
                body.set(name, e)  # type: ignore[arg-type]
    body.results((at, step), "nth_of_three", *held, k, steps)
    for place, number_in_row in enumerate((0, plus(at, base), plus(at, base, step))):
        body.store(M, place, number_in_row)
    body.give(0)


def write_pair_listing(body: Body, n: f.Expr, first: int, size: int, full: int) -> None:
    """Write the rest of the function that lists all rows, when the block is already in m."""
    with body.when(compare(">", times(n, PAIR_WIDTH), f.Length(M))):
        body.give(full)
    groups, steps = _block_words(size)
    groups, steps = [[body.named("held", e) for e in words] for words in groups], body.named("steps", steps)
    at = body.named("at", 0)
    with body.bits([union(*words) for words in groups], "x", first) as x:
        for i, held in enumerate(zip(*groups, strict=True)):
            with body.when(body.has_bit(held, minus(x, first))):
                lifted = as_type(f.Binary(f.WORD, "<<", steps, word(8 * i)), f.NUMBER)
                distance = f.Binary(f.NUMBER, ">>", lifted, number(56))
                for place, e in enumerate((0, x, plus(x, distance))):
                    body.store(M, plus(at, place), e)
                body.add(at, PAIR_WIDTH)
    body.give(n)
