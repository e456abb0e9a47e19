"""Inequalities between sums, shown by what a ply changes, and goals and values that known claims exclude."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rulespec.budgets import Budget
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.types import BOOL, integers
from rulespec.core.verdicts import Store, Verdict
from rulespec.language import load
from rulespec.solver.claims import prove, recheck
from rulespec.solver.evidence import k_induction
from rulespec.solver.evidence.linear_combination import added_up
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore import state_space
from rulespec.solver.formulas.linear.linear_cases import cases_of
from rulespec.solver.formulas.unrolling.question import Question
from rulespec.solver.methods.table import METHODS

TOWERS = """
rulespec: 1
id: towers
title: Towers
rules:
- id: towers
  prose: Build six towers of twelve stones; a stone on top of three is worth nothing and takes one away.
  formal: |
    state height: map 1..6 -> 0..4 = 0
    state stones: 0..12 = 12
    state worth: map 1..6 -> 0..3? = none
    define worth-all = sum(worth[c] for c in 1..6)
- id: build
  prose: Lay a stone on a tower, or two.
  action: c in 1..6, n in 1..2
  written: build {n} on {c}
  require:
    low:
      prose: No tower is higher than four.
      that: height[c] + n <= 4
    stones:
      prose: There are so many stones.
      that: n <= stones
  do: |
    add n to height[c]
    worth[c] := min(3, (worth[c] otherwise 0) + n)
    remove n from stones
claims:
- id: stones-are-kept
  prose: No stone comes from nowhere.
  invariant: sum(height[c] for c in 1..6) + stones <= 12
- id: worth-its-height
  prose: While no tower is full, all are worth at most their stones.
  invariant: (some c in 1..6 satisfies height[c] = 4) or worth-all <= sum(height[c] for c in 1..6)
- id: gained
  prose: Stones are gained, which is wrong.
  invariant: sum(height[c] for c in 1..6) <= 2 * stones
- id: too-many
  prose: More stones lie than there are.
  unreachable: sum(height[c] for c in 1..6) > 12
  helped-by: [stones-are-kept]
- id: all-laid
  prose: All stones that there are lie.
  reachable: sum(height[c] for c in 1..6) >= 12
  helped-by: [stones-are-kept]
- id: most-laid
  prose: The most that can lie.
  most: 3 * sum(height[c] for c in 1..6)
  helped-by: [stones-are-kept]
"""


@pytest.fixture
def towers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    path = tmp_path / "towers.yaml"
    path.write_text(TOWERS, "utf-8")
    monkeypatch.setattr(state_space, "EASY_POSITIONS", 100)

    def loader(**_: Any) -> Game:
        return game

    game = load(path)
    return loader


def test_what_sums_say(towers: Any) -> None:
    store = Store()
    found: dict[str, Verdict] = {v.claim: v for v in prove(towers, store=store, timeout=300)}
    outcomes = {name: v.outcome for name, v in found.items()}
    assert outcomes == dict.fromkeys(outcomes, "proved") | {"gained": "refuted"}
    for name in ("stones-are-kept", "worth-its-height"):
        assert [e.kind for e in found[name].evidence if e.kind != "helper"] == ["induction"]
    assert found["too-many"].reasons[-1] == "`stones-are-kept` add up to that."
    assert found["most-laid"].numbers["value"] == 36
    assert [c.passed for c in recheck(store, towers)] == [True] * len(found)


def test_the_claim_that_excludes_must_hold(towers: Any) -> None:
    store = Store()
    verdicts = prove(towers, ["stones-are-kept", "too-many"], store=store)
    (helper,) = [v for v in verdicts if v.claim == "stones-are-kept"]
    store.put(replace(helper, outcome="undecided", evidence=(), numbers={}))
    checks = {c.verdict.claim: c.passed for c in recheck(store, towers, timeout=2)}
    assert checks["too-many"] is not True


@pytest.mark.parametrize("more", [{}, {"bound": 1_000}, {"bound": -1_000}])
def test_sums_that_leave_a_goal_open_do_not_refute_it(towers: Any, more: dict[str, int]) -> None:
    """A contradiction of thirteen stones leaves room for twelve, whatever bound is written beside it."""
    store = Store()
    named = ["stones-are-kept", "too-many", "all-laid"]
    found = {v.claim: v for v in prove(towers, named, store=store)}
    assert [found[name].outcome for name in named] == ["proved"] * 3
    evidence = [
        replace(e, data={**e.data, **more}) if e.kind == "combination" else e
        for e in found["too-many"].evidence
    ]
    assert {e.kind for e in evidence} == {"combination", "helper"}
    store.put(replace(found["all-laid"], outcome="refuted", numbers={}, evidence=tuple(evidence)))
    checks = {c.verdict.claim: c.passed for c in recheck(store, towers, timeout=100)}
    assert checks == {"stones-are-kept": True, "too-many": True, "all-laid": False}


WALKS = """
rulespec: 1
id: walks
title: Walks
rules:
- id: row
  prose: Six squares are dry or wet, and a stone is carried along those that are dry.
  formal: |
    state wet: set of 1..6 = {}
    state stone: 1..6 = 1
    define dry(from: 1..6, to: 1..6, n: 0..5 falling): Bool =
      from not in wet and (from = to or n > 0 and from < 6 and dry(from + 1, to, n - 1))
- id: carry
  prose: Carry the stone on.
  action: c in 1..6
  written: carry to {c}
  require:
    on:
      prose: It goes on, and every square on the way is dry.
      that: stone < c and dry(stone, c, 5)
  do: |
    stone := c
- id: flood
  prose: Flood a square on which the stone does not lie.
  action: c in 1..6
  written: flood {c}
  require:
    away:
      prose: The stone is elsewhere, and the square is dry.
      that: c != stone and c not in wet
  do: |
    add c to wet
claims:
- id: on-dry-land
  prose: The stone lies where it is dry.
  invariant: stone not in wet
"""


def test_what_uses_itself_is_asked_only_where_it_matters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "walks.yaml"
    path.write_text(WALKS, "utf-8")
    game = load(path)
    case = Case(game, game.claims["on-dry-land"], Budget(30))
    bads, about = k_induction.forbidden(case)
    begin = Question(case, "initial", None, about)

    def broken(action: str, loose: bool) -> tuple[bool, bool]:
        question = k_induction.step(case, bads, about, 1, begin, [action], loose)
        return question.possible(one_of=bads(question, 1)), question.is_relaxed

    assert broken("flood", loose=True) == (False, False)
    assert broken("carry", loose=True) == (True, True)
    assert broken("carry", loose=False) == (False, False)
    assert METHODS["induction"](case).outcome == "proved"


def test_no_invariant_is_added_a_negative_number_of_times(tmp_path: Path) -> None:
    """What may be as great as one likes cannot bound anything by being taken away."""
    path = tmp_path / "towers.yaml"
    path.write_text(TOWERS, "utf-8")
    one, zero = (n.Const(integers(x, x), x) for x in (1, 0))
    var = n.StateVar("v", BOOL, n.Const(BOOL, False))
    number = n.If(integers(0, 1), n.Get(BOOL, var), one, zero)
    cases = cases_of(load(path), number, True, [n.AtMost(BOOL, zero, number)])
    assert added_up(cases, [[Fraction(0)]]) == 1
    with pytest.raises(ValueError, match="number of times"):
        added_up(cases, [[Fraction(-1)]])
