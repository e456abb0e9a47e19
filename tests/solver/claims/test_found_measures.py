"""Measures that nobody wrote: proposed by random plays, corrected by counterexamples, judged like any."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulespec import load
from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED, REFUTED, Evidence
from rulespec.core.verdicts.evidence_wording import measure_text
from rulespec.solver.evidence.engine_rules import by_evidence
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.formulas.linear import ranking_functions
from rulespec.solver.methods.table import METHODS

PATIENCE = """\
rulespec: 1
id: heaps
title: Heaps
summary: A heap is filled again a few times.
players: 1
rules:
- id: heaps
  prose: There are rounds and a heap.
  formal: |
    state rounds: 0..3 = 3
    state heap: 0..TOP = 0
- id: take
  prose: Take one or more from the heap.
  action: by in 1..2
  require:
    there:
      prose: There are as many.
      that: heap >= by
  do: remove by from heap
- id: fill
  prose: Fill it.
  action: ()
  require:
    left:
      prose: A round is left.
      that: rounds > 0
  do: |
    remove 1 from rounds
    heap := TOP
- id: done
  prose: It is over when nothing is left.
  end: rounds = 0 and heap = 0
claims:
- id: ends
  prose: It ends.
  kind: terminates
- id: for-ever
  prose: It goes on for ever.
  kind: endless
"""
LEFT = ["0", "1", "rounds"]
HEAP = ["0", "1", "heap"]
DOWN = """\
rulespec: 1
id: down
title: Down
summary: A number goes down.
players: 1
rules:
- id: count
  prose: There is a number, and nothing else.
  formal: |
    state left: 0..3 = 3
    state same: 0..0 = 0
- id: step
  prose: Count down.
  action: ()
  require:
    some:
      prose: It is not at the bottom.
      that: left > 0
  do: remove 1 from left
- id: down
  prose: It is over at the bottom.
  end: left = 0
claims:
- id: ends
  prose: It ends.
  terminates: left
"""


def game_of(folder: Path, text: str, top: int = 3) -> Game:
    path = folder / "game.yaml"
    path.write_text(text.replace("TOP", str(top)), "utf-8")
    return load(path).core


def case_of(game: Game, claim: str = "ends") -> Case:
    return Case(game, game.claims[claim], Budget(60, 2000))


def judgement(game: Game, rows: list[list[str]], claim: str = "ends") -> Answer | None:
    return by_evidence(case_of(game, claim), Evidence("induction", {"depth": 1, "measure": rows}))


@pytest.mark.parametrize(("top", "numbers", "most"), [(3, 1, 12), (60, 2, 3 * 61)])
@pytest.mark.parametrize("claim", ["ends", "for-ever"])
def test_a_measure_is_found_and_judged(tmp_path: Path, top: int, numbers: int, most: int, claim: str) -> None:
    game = game_of(tmp_path, PATIENCE, top)
    shown = METHODS["measure"](case_of(game, claim))
    assert shown is not None
    assert shown.outcome == (PROVED if claim == "ends" else REFUTED)
    (proof,) = shown.proofs
    assert len(proof.data["measure"]) == numbers
    assert shown.numbers == {"plies": most}
    assert shown.numbers["plies"] >= 3 + 3 * top  # the longest play
    again = judgement(game, proof.data["measure"], claim)
    assert again is not None
    assert replace(again, engine="") == replace(shown, engine="")


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [LEFT],  # a ply that takes leaves it
        [HEAP, LEFT],  # filling raises the first
        [LEFT, LEFT],
        [["0", "-1", "rounds"], HEAP],  # rises, and is negative
        [["-2", "4", "rounds", "1", "heap"]],  # negative before the last ply
        [LEFT, ["0", "1", "stones"]],
        [LEFT, ["0", "1"]],
        [LEFT, ["none", "1", "heap"]],
        [LEFT, HEAP, ["0", "1", "(if over then 0 else 1)", "1"]],
    ],
)
def test_a_measure_that_does_not_fall_is_not_believed(tmp_path: Path, rows: list[list[str]]) -> None:
    for top in (3, 60):
        assert judgement(game_of(tmp_path, PATIENCE, top), rows) is None


def test_numbers_in_order_bound_the_length_of_plays(tmp_path: Path) -> None:
    game = game_of(tmp_path, PATIENCE)
    shown = judgement(game, [LEFT, HEAP])
    assert shown is not None
    assert shown.numbers == {"plies": 3 * 4}
    explored = METHODS["exploration"](case_of(game))
    assert explored is not None
    assert explored.numbers["plies"] == 12


def test_of_a_number_that_is_too_large_it_is_not_known_whether_it_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(tmp_path, PATIENCE)
    monkeypatch.setattr(ranking_functions, "MOST_VALUES", 2)
    assert judgement(game, [LEFT, LEFT]) is None
    assert judgement(game, [LEFT, HEAP]) is None  # a loss, not an error
    assert judgement(game, [["0", "4", "rounds", "1", "heap"]]) is not None


def test_the_ply_that_makes_a_first_number_negative_is_a_ply(tmp_path: Path) -> None:
    shown = judgement(game_of(tmp_path, DOWN), [["-1", "1", "left"], ["0", "1", "same"]])
    assert shown is not None
    assert shown.numbers == {"plies": 3}


def test_a_measure_reads_as_formal_text() -> None:
    row = ["13", "2", "size(deck)", "-1", "bid", "-3", "days"]
    assert measure_text(row) == "2 * size(deck) + 13 - (bid + 3 * days)"
    assert measure_text(["3", "-1", "days"]) == "3 - days"
    assert measure_text(["0", "1", "days"]) == "days"
