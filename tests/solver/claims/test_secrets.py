"""Games with secrets: knowledge, values of best play, and comparison of games."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.cli.loading import Loader
from rulespec.core.verdicts import Store
from rulespec.language import load
from rulespec.solver.claims import prove, recheck
from rulespec.solver.evidence import comparisons
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.methods.table import FORMULAS

HIDE = """\
rulespec: 1
id: hide
title: Hide
players: 2
rules:
- id: hide
  prose: The first player hides something.
  action: p in TYPE
  secret: p
  written: hide {p}
  require:
    first:
      prose: The first player hides.
      that: mover = 1
  do: |
    chosen := p
    add 1 to turns
  formal: |
    type Name = one of ann, bob
    type Number = 1..2
    hidden state chosen: TYPE? = none
    state guess: TYPE? = none
    state turns: 0..3 = 0
  sees: if viewer = 1 then chosen else none
- id: guess
  prose: The second player guesses.
  action: p in TYPE
  written: guess {p}
  require:
    second:
      prose: The second player guesses.
      that: mover = 2
  do: guess := p
- id: done
  prose: Then all is shown.
  end: guess is some
  winners: if guess = chosen then 2 else 1
  sees: if over then chosen else none
claims:
- id: odds
  prose: Nobody can know it.
  expected: if guess = chosen then 0 else 1
  is: 1/2
- id: known
  prose: All know what they may do, and who has won.
  kind: knowable
"""


@pytest.mark.parametrize("kind", ["Player", "Name", "Number"])
def test_a_secret_does_not_depend_on_the_type_of_its_values(kind: str, tmp_path: Path) -> None:
    """If a hidden choice was a player, the number of the next mover revealed it."""
    (tmp_path / "hide.yaml").write_text(HIDE.replace("TYPE", kind), "utf-8")
    store, loader = Store(), Loader(str(tmp_path / "hide.yaml"))
    verdicts = {v.claim: v for v in prove(loader, timeout=200, store=store)}
    assert verdicts["odds"].outcome == "proved"
    assert verdicts["odds"].statement == "The mean is 1/2. Worked out exactly."
    assert verdicts["known"].outcome == "proved"
    assert [check.passed for check in recheck(store, loader)] == [True, True]


@pytest.mark.parametrize("line", ["  open: p\n", "  secret: p shown to Player\n", "  secret: p shown to 2\n"])
def test_a_shown_choice_can_be_guessed(line: str, tmp_path: Path) -> None:
    text = HIDE.replace("TYPE", "Player").replace("  secret: p\n", line)
    (tmp_path / "hide.yaml").write_text(text, "utf-8")
    verdicts = {v.claim: v for v in prove(Loader(str(tmp_path / "hide.yaml")), timeout=200)}
    assert verdicts["odds"].statement.startswith("The mean is 0.")


SAME = """\
- id: told
  prose: It makes no difference whether the second player observes the choice.
  equivalent:
    replace:
      hide.secret: p shown to 2
- id: reworded
  prose: Nobody is nobody, however it is said.
  equivalent:
    replace:
      hide.secret: p shown to those q in Player where q = mover and turns = 0
- id: action
  prose: That something is hidden need not be observed either.
  equivalent:
    replace:
      hide.secret: action
"""


def test_observers_of_a_choice_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "hide.yaml"
    path.write_text(HIDE.replace("TYPE", "Number").split("claims:")[0] + "claims:\n" + SAME, "utf-8")
    store, loader = Store(), Loader(str(path))
    verdicts = {v.claim: v for v in prove(loader, timeout=200, store=store)}
    wanted = {"told": "refuted", "reworded": "proved", "action": "refuted"}
    assert {name: v.outcome for name, v in verdicts.items()} == wanted
    assert "of `hide 1` player 2 observes more in one of them" in verdicts["told"].statement
    assert all(check.passed for check in recheck(store, loader))
    game = load(path)
    cases = {name: Case(game, claim, Budget(20)) for name, claim in game.claims.items()}
    assert [name for name, asked in cases.items() if FORMULAS(asked)] == ["reworded"]


WHISPERS = (Path(__file__).parents[2] / "language" / "good" / "whispers.yaml").read_text("utf-8")
OWN = "n in Number where n not in pledged[mover]"
KNOWN = "- id: known\n  prose: All know what they must.\n  kind: knowable\n"


@pytest.mark.parametrize(
    ("legal", "outcome"),
    [
        pytest.param(OWN, "proved", id="own pledges, which no sight shows"),
        pytest.param(OWN.replace("mover", "after(after(mover))"), "proved", id="pledges that were shown"),
        pytest.param(OWN.replace("mover", "after(mover)"), "refuted", id="pledges that were not shown"),
    ],
)
def test_three_players_remember_their_own_and_shown_choices(legal: str, outcome: str, tmp_path: Path) -> None:
    text = WHISPERS.replace(OWN, legal).replace("plies = 6", "plies = 4").replace("1..3", "1..2") + KNOWN
    (tmp_path / "whispers.yaml").write_text(text, "utf-8")
    game = load(tmp_path / "whispers.yaml")
    case = Case(game, game.claims["known"], Budget(600))
    assert FORMULAS(case) is None  # the present view alone does not tell
    assert comparisons.known_explored(case, Limits(300, 100_000)).outcome == outcome


AT_ONCE = """\
rulespec: 1
id: at-once
title: At once
players: 2
rules:
- id: choose
  prose: Both choose a sign at the same time, that is without seeing the other's.
  action: s in 1..3
  secret: s
  written: sign {s}
  do: chosen[mover] := s
  formal: |
    hidden state chosen: map Player -> 1..3? = none
  sees: chosen[viewer]
- id: reveal
  prose: Both signs are shown. Each beats the one before it, and the first beats the last.
  reaction: every p in Player satisfies chosen[p] is some
  do: |
    for p in Player: shown[p] := chosen[p]
    won := (chosen[1] - chosen[2]) mod 3 otherwise 0
  formal: |
    state shown: map Player -> 1..3? = none
    state won: 0..2 = 0
- id: done
  prose: One round.
  end: shown[1] is some
  winners: those p in Player where p = won
claims:
- id: fair
  prose: Neither is better off.
  expected: if won = 1 then 1 else if won = 2 then -1 else 0
  is: 0
"""


def test_choices_at_once_are_secret_choices_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "at-once.yaml").write_text(AT_ONCE, "utf-8")
    (verdict,) = prove(Loader(str(tmp_path / "at-once.yaml")), timeout=200)
    assert verdict.statement == "The mean is 0. Worked out exactly."
    (evidence,) = verdict.evidence
    assert any("1/3" in choice for choice in evidence.data["choices"])
    (tmp_path / "at-once.yaml").write_text(AT_ONCE.replace("secret: s", "open: s"), "utf-8")
    (verdict,) = prove(Loader(str(tmp_path / "at-once.yaml")), timeout=200)
    assert verdict.statement.startswith("The mean is -1.")
