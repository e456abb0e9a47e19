"""Goals that are out of reach because their opposite is an invariant."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import Evidence, Store, Verdict
from rulespec.language import load
from rulespec.solver.claims import prove, recheck
from rulespec.solver.evidence import k_induction
from rulespec.solver.evidence.engine_rules import never_there, of_positions
from rulespec.solver.evidence.problem import Case

RULES = """
rulespec: 1
id: coins
title: Coins
players: 2
rules:
- id: coins
  prose: Eight coins lie in a row of ten cups, some of which are marked.
  formal: |
    state cup: map 1..10 -> 0..9 = {c -> if c <= 8 then 1 else 0 for c in 1..10}
    state marked: map 1..10 -> Bool = false
    state first: 1..10 = 1
    state hour: 1..9 = 3
- id: move
  prose: Move a coin into another cup.
  action: a in 1..10, b in 1..10
  written: move {a} {b}
  require:
    there:
      prose: There is a coin, and room for it.
      that: a != b and cup[a] > 0 and cup[b] < 9
  do: |
    cup[a] := cup[a] - 1
    cup[b] := cup[b] + 1
    hour := if hour < 5 then hour + 1 else 1
- id: mark
  prose: Mark a cup. The first one that is marked is remembered.
  action: c in 1..10
  written: mark {c}
  do: |
    if every x in 1..10 satisfies not marked[x]: first := c
    marked[c] := true
claims:
- id: no-coin-more
  prose: There are never more coins.
  unreachable: sum(cup[c] for c in 1..10) != 8
- id: no-more-than-eight
  prose: There are at most eight coins.
  invariant: sum(cup[c] for c in 1..10) <= 8
- id: nine-coins
  prose: There are nine coins at some time, which is wrong.
  reachable: sum(cup[c] for c in 1..10) > 8
- id: unmarked-first
  prose: Some cup is marked, and the first one is not, which is wrong.
  reachable: (some c in 1..10 satisfies marked[c]) and not marked[first]
- id: six
  prose: After five comes one.
  unreachable: hour > 5
- id: at-once
  prose: The first cup is never full, which is wrong.
  unreachable: cup[1] = 1
- id: five
  prose: Five coins can lie in one cup.
  reachable: cup[1] = 5
- id: as-at-first
  prose: No cup is empty among the first, which is wrong.
  unreachable: cup[3] = 0
"""
SHOWN = {
    "no-coin-more": "proved",
    "no-more-than-eight": "proved",
    "nine-coins": "refuted",
    "unmarked-first": "refuted",
    "six": "proved",
    "at-once": "refuted",
    "five": "proved",
    "as-at-first": "refuted",
}


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Store, dict[str, Verdict]]:
    path: Path = tmp_path_factory.mktemp("coins") / "coins.yaml"
    path.write_text(RULES.lstrip(), "utf-8")
    game, store = load(path), Store()

    def loader(**_: Any) -> Game:
        return game

    return loader, store, {v.claim: v for v in prove(loader, store=store)}


def test_what_no_ply_leads_to_is_out_of_reach(decided: tuple[Any, Store, dict[str, Verdict]]) -> None:
    loader, store, found = decided
    assert {name: v.outcome for name, v in found.items()} == SHOWN
    for name in ("no-coin-more", "no-more-than-eight", "unmarked-first", "six"):
        assert {e.kind for e in found[name].evidence} == {"induction"}
        assert found[name].numbers.keys() <= {"depth"}
    assert found["unmarked-first"].reasons[0].startswith("No play begins there, and no ply leads there")
    assert {check.passed for check in recheck(store, loader)} == {True}


def test_a_goal_that_is_reached_is_not_denied(decided: tuple[Any, Store, dict[str, Verdict]]) -> None:
    game = decided[0]()
    for name in ("at-once", "as-at-first"):
        case = Case(game, game.claims[name], Budget(60))
        for depth in (1, 2):
            shown = never_there(of_positions(partial(k_induction.at_depth, depth=depth)))(case)
            assert shown is None, (name, depth)


@pytest.mark.parametrize(("claim", "outcome"), [("five", "refuted"), ("as-at-first", "proved")])
@pytest.mark.parametrize(
    "data",
    [
        *({"depth": 1}, {"depth": 2}, {"depth": 1, "by": "flows"}, {"depth": 0}),
        {"depth": 0, "invariants": [["conserved", "", "=", "8", "1", "sum(cup[k] for k in 1..10)"]]},
    ],
)
def test_what_can_be_reached_is_not_excluded(
    decided: tuple[Any, Store, dict[str, Verdict]], claim: str, outcome: str, data: dict[str, Any]
) -> None:
    loader, _, found = decided
    wrong = replace(found[claim], outcome=outcome, evidence=(Evidence("induction", data),), numbers={})
    assert [check.passed for check in recheck(Store([wrong]), loader)] == [False]
