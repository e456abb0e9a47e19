"""States by what it costs to reach them: in layers of sums, as by Dijkstra's algorithm on the whole graph."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from rulespec.budgets import OutOfBudget
from rulespec.core.verdicts import Store, Verdict
from rulespec.language import load
from rulespec.solver.claims import prove, recheck
from rulespec.solver.explore import CodeStates, InterpreterStates, States
from rulespec.solver.explore.graph import Graph

TOLLS = """
rulespec: 1
id: tolls
title: Tolls
players: 1
rules:
- id: walk
  prose: Walk on by a die or by one step, and pay where you stand.
  formal: |
    state place: 0..23 = 0
    state tired: Bool = false
    define toll = if tired then place mod 3 else 1 + place * 5 mod 7
  action: n in {1, 2, 7}
  written: go {n}
  do: |
    place := (place + n) mod 24
    tired := n = 7
- id: ride
  prose: A ride takes you as far as a die says.
  action: ()
  written: ride
  do: roll place from {3, 9, 14}
claims:
- id: least
  prose: What it takes to come to 23.
  least: toll
  when: place = 23 and not tired
  summed-over: plies
- id: nowhere
  prose: What it takes to come to no place at all.
  least: toll
  when: place = 1 and place = 2
  summed-over: plies
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "ruleset.yaml"
    path.write_text(TOLLS.lstrip(), "utf-8")
    return path


def test_layers_are_what_states_cost(path: Path) -> None:
    game = load(path)
    toll = game.claims["least"].condition
    assert toll is not None
    whole = CodeStates(game, {"toll": toll}, ways=True)
    code = CodeStates(game, {"toll": toll}, cost="toll")
    rules = InterpreterStates(game, {"toll": toll}, None, layout=code.layout, cost="toll")
    for states in (whole, code, rules):
        while states.deeper(lambda: "", 1000):
            pass
        assert states.closed
    graph, tolls = Graph(whole), whole.scan("toll")
    cost: dict[int, int] = {}
    waiting = [(0, 0)]
    while waiting:
        paid, at = heapq.heappop(waiting)
        if at not in cost:
            cost[at] = paid
            waiting += [(paid + int(tolls[at]), to) for to in graph.after(at)]
            heapq.heapify(waiting)
    wanted = {whole.position(i): paid for i, paid in cost.items()}
    for found in (code, rules):
        assert _costs(found) == wanted
    assert (code.costs, code.counts, code.digest()) == (rules.costs, rules.counts, rules.digest())
    assert len(set(code.costs)) == len(code.costs) > 5


def _costs(states: States) -> dict[object, int]:
    layers = [cost for cost, many in zip(states.costs, states.counts, strict=True) for _ in range(many)]
    return {states.position(i): cost for i, cost in enumerate(layers)}


def test_it_goes_on_where_it_stopped(path: Path) -> None:
    game = load(path)
    toll = game.claims["least"].condition
    assert toll is not None
    for make in (
        partial(CodeStates, game, {"toll": toll}, cost="toll"),
        partial(InterpreterStates, game, {"toll": toll}, None, cost="toll"),
    ):
        once, often, calls = make(), make(), 0

        def now_and_then() -> str:
            nonlocal calls
            calls += 1
            return "" if calls % 3 else "enough"

        while once.deeper(lambda: "", 1000):
            pass
        while not often.closed:
            often.deeper(now_and_then, 1000)
        assert (once.costs, once.counts) == (often.costs, often.counts)
        assert once.digest() == often.digest()


def proved(path: Path) -> tuple[Store, dict[str, Verdict]]:
    store = Store()
    return store, {v.claim: v for v in prove(partial(load, path), timeout=200, store=store)}


def test_the_least_sum_is_shown_and_checked_again(path: Path) -> None:
    store, found = proved(path)
    assert found["least"].outcome == "proved"
    assert found["nowhere"].outcome == "refuted"
    checks = recheck(store, partial(load, path))
    assert [check.passed for check in checks] == [True, True]
    assert {"explored again by the interpreter"} == {check.text for check in checks}


def test_a_sum_that_is_not_the_least_is_refused(path: Path) -> None:
    store, found = proved(path)
    least = found["least"]
    for value in (least.numbers["value"] - 1, least.numbers["value"] + 1):
        store.put(replace(least, numbers={**least.numbers, "value": value}))
        (check,) = recheck(store, partial(load, path), ["least"])
        assert check.passed is False


def test_states_that_cost_as_little_as_the_first_are_no_beginnings(path: Path) -> None:
    """Where the first state costs nothing, others are in its layer; a play to one of them was looked for in
    the setup, in vain."""
    path.write_text(TOLLS.lstrip().replace("1 + place * 5", "place * 5"), "utf-8")
    game = load(path)
    toll = game.claims["least"].condition
    assert toll is not None
    states = CodeStates(game, {"toll": toll}, cost="toll")
    while states.deeper(lambda: "", 1000):
        pass
    assert states.counts[0] > 1
    for number in range(states.states):
        _, moves = states.play_to(number)
        assert len(states.path_to(number)) == len(moves) + 1
        assert states.path_to(number)[0] == 0


def test_states_that_could_not_be_planned_wait_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They had left the queue when making room for them failed, and whoever went on closed without them."""
    game = load(path)
    toll = game.claims["least"].condition
    assert toll is not None
    whole, broken = (CodeStates(game, {"toll": toll}, cost="toll") for _ in range(2))
    plan, calls = CodeStates._plan, 0

    def fails_now_and_then(self: CodeStates, numbers: Sequence[int]) -> None:
        nonlocal calls
        calls += self is broken
        if self is broken and calls % 2:
            raise OutOfBudget("the limit of 1 MB")
        plan(self, numbers)

    monkeypatch.setattr(CodeStates, "_plan", fails_now_and_then)
    while whole.deeper(lambda: "", 1000):
        pass
    while not broken.closed:
        with suppress(OutOfBudget):
            broken.deeper(lambda: "", 1000)
    assert (whole.costs, whole.counts) == (broken.costs, broken.counts)
    assert whole.digest() == broken.digest()
