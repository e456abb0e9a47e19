"""Games that differ in probabilities only, and outcomes of probability zero."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.core.verdicts import UNDECIDED, Store, Verdict
from rulespec.language import load
from rulespec.solver.claims import prove, recheck
from rulespec.solver.evidence import comparisons
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.methods.table import FORMULAS, METHODS

DIE = """
rulespec: 1
id: die
title: A die
players: 1
rules:
- id: die
  prose: A die of two sides.
  formal: |
    state die: 0..2 = 0
    define odds(f: 1..2): 0..4 = 1
    define sides: 1..2 = 2
"""
ROLL = "roll die from 1..sides weighing f by odds(f)"
ROLLED = f"""{DIE}\
- id: roll
  prose: Roll once.
  action: ()
  require:
    once:
      prose: Once.
      that: die = 0
  do: {ROLL}
claims:
"""
SET_UP = f"""{DIE}\
    state done: Bool = false
  setup: {ROLL}
- id: go
  prose: Act once.
  action: ()
  require:
    once:
      prose: Once.
      that: not done
  do: done := true
claims:
"""
CHANGES = {
    "likelier": ("odds", "define odds(f: 1..2): 0..4 = f", "refuted"),
    "never-two": ("odds", "define odds(f: 1..2): 0..4 = 2 - f", "refuted"),
    "never-one": ("odds", "define odds(f: 1..2): 0..4 = f - 1", "refuted"),
    "one-side": ("sides", "define sides: 1..2 = 1", "refuted"),
    "doubled": ("odds", "define odds(f: 1..2): 0..4 = 3", "proved"),
}


def made(folder: Path, text: str, sure: bool = False) -> Path:
    """The game with a claim for each change; with `sure`, the two never comes in the game itself."""
    text = text.strip().replace("0..4 = 1\n", "0..4 = 2 - f\n" if sure else "0..4 = 1\n")
    for name, (what, other, _) in CHANGES.items():
        text += (
            f"\n- id: {name}\n  prose: Compared.\n  equivalent:\n    replace:\n      define.{what}: '{other}'"
        )
    path = folder / "die.yaml"
    path.write_text(text + "\n", "utf-8")
    return path


@pytest.mark.parametrize("text", [ROLLED, SET_UP], ids=["rolled", "set up"])
def test_other_odds_are_another_game(tmp_path: Path, text: str) -> None:
    """The outcomes of chance were the same, so the interpreter refused the play that shows the difference."""
    loader, store = partial(load, made(tmp_path, text)), Store()
    found = {v.claim: v for v in prove(loader, timeout=300, store=store)}
    assert {name: v.outcome for name, v in found.items()} == {name: x for name, (_, _, x) in CHANGES.items()}
    assert "1/2 here and 1/3 there" in found["likelier"].statement
    assert [(c.verdict.claim, c.text) for c in recheck(store, loader) if not c.passed] == []


@pytest.mark.parametrize("text", [ROLLED, SET_UP], ids=["rolled", "set up"])
def test_explorations_tell_odds_apart(tmp_path: Path, text: str) -> None:
    game = load(made(tmp_path, text))
    for name, (_, _, outcome) in CHANGES.items():
        case = Case(game, game.claims[name], Budget(30))
        assert FORMULAS(case) is None, "formulas do not compare chance"
        assert comparisons.same_explored(case, Limits(30, 1_000)).outcome == outcome, name


@pytest.mark.parametrize("text", [ROLLED, SET_UP], ids=["rolled", "set up"])
def test_outcomes_of_weight_zero_do_not_matter(tmp_path: Path, text: str) -> None:
    """The two has weight zero here, so a die with one side gives the same game."""
    found = outcomes(made(tmp_path, text, sure=True))
    assert found["one-side"] == found["never-two"] == "proved"
    assert found["doubled"] == found["likelier"] == found["never-one"] == "refuted"


def outcomes(path: Path) -> dict[str, str]:
    loader, store = partial(load, path), Store()
    found: list[Verdict] = prove(loader, timeout=300, store=store)
    assert [(c.verdict.claim, c.text) for c in recheck(store, loader) if not c.passed] == []
    return {v.claim: v.outcome for v in found}


LINGER = f"""{DIE}\
- id: turn
  prose: Turn the die over.
  action: n in 0..1
  require:
    other:
      prose: It shows something else.
      that: n != die
  do: die := n
- id: stop
  prose: Or stop.
  action: ()
  do: die := 2
- id: over
  prose: Then it is over.
  end: die = 2
claims:
- id: last
  prose: What it shows at last.
  expected: die
"""


def test_choices_that_keep_play_going_for_ever_have_no_expectation(tmp_path: Path) -> None:
    """A player who may turn the die over for ever need never take what stopping is worth."""
    (tmp_path / "die.yaml").write_text(LINGER, "utf-8")
    game = load(tmp_path / "die.yaml")
    answer = METHODS["exploration"](Case(game, game.claims["last"], Budget(20)))
    assert answer is not None
    assert (answer.outcome, answer.proofs) == (UNDECIDED, ())


def duel(*actions: str) -> str:
    """A game for two who act in turn, one of whom wins at last, with these actions."""
    return """
rulespec: 1
id: duel
title: A duel
players: 2
rules:
- id: course
  prose: Somebody wins at last.
  formal: |
    state winner: Player? = none
- id: wait
  prose: Do nothing.
  action: ()
  do: nothing
- id: over
  prose: Then it is over.
  end: winner is some
  winners: those p in Player where p = winner
claims:
- id: first
  prose: The share of player 1.
  expected: if won(1) then 1 else 0
""".replace("- id: over\n", "\n".join((*actions, "- id: over\n")))


SHOOT = """\
- id: shoot
  prose: Hit or miss.
  action: ()
  require:
    may:
      prose: You may.
      that: {may}
  do: |
    roll n from 1..2
    if n = 2: winner := mover"""
YIELD = """\
- id: give-up
  prose: Let the other win.
  action: ()
  do: winner := after(mover)"""


@pytest.mark.parametrize(
    ("actions", "mean"),
    [
        pytest.param([SHOOT.format(may="mover in Player")], "2/3", id="either-can-end"),
        pytest.param([SHOOT.format(may="mover = 1")], None, id="only-one-can"),
        pytest.param([YIELD], None, id="only-to-ones-own-harm"),
    ],
)
def test_there_is_an_expectation_if_each_side_can_end_play_by_its_best_actions(
    actions: list[str], mean: str | None, tmp_path: Path
) -> None:
    (tmp_path / "duel.yaml").write_text(duel(*actions), "utf-8")
    game = load(tmp_path / "duel.yaml")
    answer = METHODS["exploration"](Case(game, game.claims["first"], Budget(20)))
    assert answer is not None
    found = [proof.data["is"] for proof in answer.proofs if proof.kind == "fraction"]
    assert found == ([] if mean is None else [mean])
