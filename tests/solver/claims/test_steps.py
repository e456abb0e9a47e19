"""Claims about single plies and about plays without end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.core.verdicts import Store, Verdict
from rulespec.language import load
from rulespec.solver.claims import prove, recheck
from rulespec.solver.evidence.problem import Case
from rulespec.solver.methods import play_search, sampling
from rulespec.solver.methods.verdicts import verdict_of

STAIRS = """
rulespec: 1
id: stairs
title: Stairs
players: 1
rules:
- id: stairs
  prose: Two tokens climb stairs, and may roll down again until they are at the top.
  formal: |
    type Token = one of red, blue
    type Step = 0..3
    state high: map Token -> Step = 0
    define arrived(t: Token): 0..1 = if high[t] = 3 then 1 else 0
- id: climb
  prose: One step up.
  action: t in Token where high[t] < 3
  written: climb {t}
  do: high[t] := Step(high[t] + 1) otherwise 3
- id: roll
  prose: All the way down.
  action: t in Token where high[t] in LOW
  written: roll {t}
  do: high[t] := 0
claims:
- id: stays
  prose: Who is at the top stays there.
  never-falls: "[arrived(t) for t in Token]"
- id: both
  prose: There are never fewer at the top.
  never-falls: arrived(red) + arrived(blue)
- id: on-and-on
  prose: One can go on for ever.
  kind: endless
- id: low
  prose: Somebody is down.
  invariant: some t in Token satisfies high[t] < 3
"""


@pytest.fixture
def stairs(tmp_path: Path) -> Callable[[str], Callable[..., Game]]:
    def made(low: str) -> Callable[..., Game]:
        path = tmp_path / "stairs.yaml"
        path.write_text(STAIRS.replace("LOW", low).lstrip())
        return lambda **given: load(path)

    return made


def outcomes(verdicts: list[Verdict]) -> dict[str, str]:
    return {v.claim: v.outcome for v in verdicts}


@pytest.mark.parametrize(
    "low, expected",
    [
        ("1..2", {"stays": "proved", "both": "proved", "on-and-on": "proved", "low": "refuted"}),
        ("2..3", {"stays": "refuted", "both": "refuted", "on-and-on": "proved", "low": "refuted"}),
        ("4..5", {"stays": "proved", "both": "proved", "on-and-on": "refuted", "low": "refuted"}),
    ],
)
def test_what_never_falls_and_what_never_ends(
    low: str, expected: dict[str, str], stairs: Callable[[str], Callable[..., Game]]
) -> None:
    loader, store = stairs(low), Store()
    verdicts = prove(loader, timeout=200, store=store)
    assert outcomes(verdicts) == expected
    assert all(check.passed for check in recheck(store, loader))
    refuted = next((v for v in verdicts if v.claim == "stays" and v.outcome == "refuted"), None)
    if refuted is not None:
        assert refuted.numbers["plies"] == 4
        record = store.records[refuted.evidence[0].data["record"]]
        store.records[refuted.evidence[0].data["record"]] = {**record, "plays": record["plays"][:-1]}
        assert not next(c for c in recheck(store, loader, ["stays"])).passed


def test_an_invariant_that_fails_late_is_refuted_by_a_play_that_is_hunted_for(
    stairs: Callable[[str], Callable[..., Game]],
) -> None:
    """Whoever looked at all positions saw few of them, and formulas no play of a hundred plies."""
    game = stairs("1..2")()
    case = Case(game, game.claims["low"], Budget(200))
    assert play_search.find_violation(case, 200, lambda: "enough") is None
    found = play_search.find_violation(case, 200, lambda: "")
    assert found is not None
    assert (found.outcome, found.numbers) == ("refuted", {"plies": 6})
    assert verdict_of(case, found, Store()).evidence


def test_numbers_for_what_the_state_decides_cannot_be_compared(tmp_path: Path) -> None:
    path = tmp_path / "stairs.yaml"
    text = STAIRS.replace("LOW", "1..2").replace("for t in Token]", "for t in Token where high[t] > 1]")
    path.write_text(text.lstrip())
    with pytest.raises(RulesetError, match="known beforehand"):
        load(path)


DICE = """
rulespec: 1
id: dice
title: Dice
players: 2
rules:
- id: dice
  prose: A die is rolled at every turn, and there are far too many positions to look at.
  formal: |
    type Pip = 1..6
    state seen: map Pip -> 0..200000 = 0
    state die: Pip? = none
  turn:
    begin: roll die from Pip
- id: note
  prose: What it shows is noted, or not.
  action: more in Bool
  written: note {more}
  do: |
    if more and seen[die] < 200000: add 1 to seen[die]
claims:
- id: on-and-on
  prose: One can go on for ever.
  kind: endless
"""


def test_chance_may_help_a_play_to_come_back(tmp_path: Path) -> None:
    path = tmp_path / "dice.yaml"
    path.write_text(DICE.lstrip())
    store = Store()
    (verdict,) = prove(lambda **given: load(path), timeout=10, store=store)
    assert verdict.outcome == "proved"
    assert all(check.passed for check in recheck(store, lambda **given: load(path)))


FIRST = """
- id: first
  prose: Four things are chosen before, once and for all.
  formal: |
    state chosen: 0..4 = 0
- id: choose
  prose: One of many.
  action: n in 1..60
  written: choose {n}
  require:
    before:
      prose: Not all is chosen.
      that: chosen < 4
  do: add 1 to chosen
- id: then
  prose: All is chosen.
  binds: [note]
  that: chosen = 4
claims:
"""


def test_what_never_comes_back_does_not_take_all_the_time(tmp_path: Path) -> None:
    """From the first position there are millions of ways, and none leads back."""
    path = tmp_path / "dice.yaml"
    path.write_text(DICE.lstrip().replace("claims:\n", FIRST.lstrip()))
    game = load(path)
    assert sampling.find_repetition(Case(game, game.claims["on-and-on"], Budget(6))) is not None
