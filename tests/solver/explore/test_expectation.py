"""Exact means on acyclic graphs: a kernel agrees with fractions, or leaves out what is too large for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from python_instance import PythonInstance

from rulespec import load
from rulespec.code import Instance, write
from rulespec.kernels.graphs import LIMIT

WRITTEN = write(load("nim").core)
STARTED = [Instance(WRITTEN), PythonInstance(WRITTEN)]
Way = list[tuple[int, int]]


@st.composite
def graphs(draw: st.DrawFn) -> list[tuple[int, list[Way]]]:
    """States, each with a number and its ways: outcomes with what their probability is one of."""
    great = draw(st.booleans())
    numbers = st.integers(-LIMIT, LIMIT) if great else st.integers(-9, 9)
    made: list[tuple[int, list[Way]]] = []
    for i in range(draw(st.integers(1, 12))):
        ways = list[Way]()
        for _ in range(draw(st.integers(0, 3)) if i else 0):
            odds = draw(st.integers(1, 4)) * (
                draw(st.sampled_from((1, 10**6 + 3, 10**9 + 7))) if great else 1
            )
            shown = min(odds, 6)
            ways.append([(draw(st.integers(0, i - 1)), max(odds, shown)) for _ in range(shown)])
        made.append((draw(numbers) if not ways else draw(st.integers(-3, 3)), ways))
    return made


def by_fractions(states: Sequence[tuple[int, list[Way]]], wants: Sequence[int]) -> list[Fraction]:
    worth: list[Fraction] = []
    for (number, ways), want in zip(states, wants, strict=True):
        means = [sum((worth[to] / odds for to, odds in way), Fraction()) for way in ways]
        if not means:
            worth.append(Fraction(number))
        elif want == 0:
            worth.append(sum(means, Fraction()) / len(means) + number)
        else:
            worth.append((max(means) if want == 1 else min(means)) + number)
    return worth


def by_kernel(
    started: Instance, states: Sequence[tuple[int, list[Way]]], wants: Sequence[int]
) -> list[Fraction | None]:
    firsts, ways, outs, odds = [0], [0], list[int](), list[int]()
    for _, listed in states:
        for way in listed:
            outs += [to for to, _ in way]
            odds += [share for _, share in way]
            ways.append(len(outs))
        firsts.append(len(ways) - 1)

    def array(kind: str, values: Sequence[int]) -> Any:
        room = started.room(kind, max(1, len(values)))
        room[: len(values)] = values
        return room

    payoff, gain = (array("vast numbers", [number for number, _ in states]) for _ in range(2))
    over, under = (started.room("vast numbers", len(states)) for _ in range(2))
    edges = (
        array("vast numbers", firsts), array("vast numbers", ways), array("vast small", outs),
        array("vast numbers", odds),
    )  # fmt: skip
    order, want = array("vast small", range(len(states))), array("vast numbers", wants)
    kernel = started.beside({}, "graphs")["expectations"]
    kernel(order, edges, payoff, gain, want, over, under, started.room("numbers", 2))
    pairs = zip(over, under, strict=True)
    return [Fraction(int(a), int(b)) if int(b) else None for a, b in pairs][: len(states)]


@settings(max_examples=150, deadline=None)
@given(graphs(), st.data())
def test_means_are_those_of_fractions_or_left_out(
    states: list[tuple[int, list[Way]]], data: st.DataObject
) -> None:
    wants = [data.draw(st.sampled_from((-1, 0, 1))) for _ in states]
    exact = by_fractions(states, wants)
    for started in STARTED:
        found = by_kernel(started, states, wants)
        assert all(x is None or x == y for x, y in zip(found, exact, strict=True))
        small = max(max(abs(number), 1) for number, _ in states) < 10
        terms = math.lcm(*(worth.denominator for worth in exact))
        if (
            small
            and terms < 10**9
            and all(odds < 10 for _, ways in states for way in ways for _, odds in way)
        ):
            assert None not in found


def test_what_does_not_fit_is_left_out_with_all_before_it() -> None:
    states = [
        (LIMIT, list[Way]()),
        (LIMIT, list[Way]()),
        (0, [[(0, 1), (1, 1)]]),
        (0, [[(2, 1)]]),
        (1, [[(0, 2), (0, 2)]]),
    ]
    for started in STARTED:
        found = by_kernel(started, states, [0] * 5)
        assert found[:4] == [LIMIT, LIMIT, None, None]
        assert found[4] is None
