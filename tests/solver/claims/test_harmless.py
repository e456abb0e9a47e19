"""Actions that cannot be taken where they could break an invariant are not followed to see that."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.core.verdicts import PROVED
from rulespec.core.verdicts.lemmas import assume
from rulespec.language import load
from rulespec.solver.evidence import k_induction
from rulespec.solver.evidence.problem import Case
from rulespec.solver.formulas import Unrolling
from rulespec.solver.methods.table import FORMULAS
from rulespec.solver.methods.verdicts import blank

PHASES = """
rulespec: 1
id: phases
title: Phases
players: 1
rules:
- id: choose
  prose: Things are chosen first.
  formal: |
    type Thing = 1..4
    state open: set of Thing = {1, 2, 3, 4}
    state pips: 0..6 = 0
    state score: 0..60000 = 0
  action: t in open
  written: choose {t}
  do: remove t from open
- id: roll
  prose: Then a die is rolled.
  action: ()
  written: roll
  require:
    chosen:
      prose: All is chosen.
      that: open is empty
  do: roll pips from 1..6
- id: score
  prose: And what it shows may be noted.
  action: twice in Bool where pips > 0
  written: note {twice}
  require:
    rolled:
      prose: It was rolled.
      that: pips > 0
  do: |
    if score < 1000: score := score + (if twice then 2 * pips else pips)
    pips := 0
- id: leave
  prose: Or nothing is.
  action: ()
  written: leave
  do: pips := 0
claims:
- id: calm
  prose: Nothing is rolled before all is chosen.
  invariant: open is empty or pips = 0
"""


def test_what_cannot_do_harm_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ruleset.yaml"
    path.write_text(PHASES.lstrip(), "utf-8")
    game = load(path)
    followed: list[str] = []
    step = k_induction.step

    def told(*given: object) -> object:
        followed.extend(given[5])  # type: ignore[arg-type]
        return step(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(k_induction, "step", told)
    answer = FORMULAS(Case(game, game.claims["calm"], Budget(20)))
    assert answer.outcome == PROVED
    assert followed == ["choose", "leave"]


def test_what_could_do_harm_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "ruleset.yaml"
    path.write_text(PHASES.lstrip().replace("that: open is empty", "that: 1 not in open"), "utf-8")
    game = load(path)
    answer = FORMULAS(Case(game, game.claims["calm"], Budget(20)))
    assert (answer.outcome, answer.numbers) == ("refuted", {"plies": 2})


def test_who_can_always_act_is_seen_from_few_actions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ruleset.yaml"
    goes_on = "- id: goes-on\n  prose: One can go on.\n  kind: never-stuck\n  helped-by: calm\n"
    path.write_text(PHASES.lstrip() + goes_on, "utf-8")
    game, asked = load(path), list[list[str]]()
    idle = Unrolling.idle

    def told(rules: Unrolling, k: int, actions: list[str]) -> int:
        asked.append(actions)
        return idle(rules, k, actions)

    monkeypatch.setattr(Unrolling, "idle", told)
    calm = FORMULAS(Case(game, game.claims["calm"], Budget(20)))
    case = Case(game, game.claims["goes-on"], Budget(20))
    case.lemmas = assume({"calm": blank(game, game.claims["calm"], calm, 0.0)})
    assert FORMULAS(case).outcome == PROVED
    assert asked == [["roll"], ["roll", "leave"]]
