"""Counts, values and expectations of whole games, against what is known of them."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from families import DICE

from rulespec.core.verdicts import Store, Verdict
from rulespec.language import load
from rulespec.solver.claims import prove, recheck

HEAD = """
rulespec: 1
id: small
title: A small game
"""


def decide(tmp_path: Path, text: str, **limits: float) -> dict[str, Verdict]:
    path = tmp_path / "ruleset.yaml"
    path.write_text(HEAD.strip() + text, "utf-8")
    loader = partial(load, path)
    store = Store()
    verdicts = {v.claim: v for v in prove(loader, each=10, store=store)}
    for check in recheck(store, loader):
        assert check.passed or check.verdict.outcome == "undecided", check.text
    return verdicts


def test_the_best_choice_is_found_though_play_comes_back(tmp_path: Path) -> None:
    """Far: half the time home, else back to 0, so 2 plies. Twice near, then far: 5 and half of all."""
    found = decide(
        tmp_path,
        DICE
        + """
- id: fewest
  prose: It is claimed.
  expected: 1
  summed-over: plies
  wants: least
  is: 2
- id: most
  prose: It is claimed.
  expected: 1
  summed-over: plies
  is: 2
- id: lucky
  prose: It is claimed.
  expected: 1
  summed-over: plies
  policy: random
- id: where
  prose: It is claimed.
  expected: place
  is: 3
- id: back
  prose: It is claimed.
  never-hopeless: place = 3
  within: 1
- id: sample
  prose: It is claimed.
  estimate: 1
  summed-over: plies
  games: 2000
- id: half
  prose: It is claimed.
  estimate: place = 3
  games: 500
""",
    )
    outcomes = {name: v.outcome for name, v in found.items()}
    assert outcomes == {
        "fewest": "proved", "most": "refuted", "lucky": "proved", "where": "proved", "back": "proved",
        "sample": "estimated", "half": "estimated",
    }  # fmt: skip
    assert _exactly(found["fewest"]) == 2
    assert _exactly(found["most"]) == 10
    lucky = _by_hand()
    assert _exactly(found["lucky"]) == lucky
    low, high = (float(x.strip("().%,")) for x in found["sample"].statement.split()[-3::2])
    assert low < lucky < high
    assert found["half"].numbers["total"] == 500


def _exactly(verdict: Verdict) -> Fraction:
    return Fraction(next(e.data["is"] for e in verdict.evidence if e.kind == "fraction"))


def _by_hand() -> Fraction:
    """Plies of random play: v2 = 1 + v0/4 + v2/4, v1 = 1 + v0/4 + v1/4 + v2/4, v0 = 1 + v0/2 + v1/4."""
    # From the first two: v2 = (4 + v0)/3, v1 = (4 + v0 + v2)/3 = (16 + 4 v0)/9; then v0/2 = 1 + (4 + v0)/9.
    v0 = Fraction(13, 9) / (Fraction(1, 2) - Fraction(1, 9))
    assert v0 / 2 == 1 + (4 + v0) / 9
    return v0


TOGETHER = """
players: 2
rules:
- id: stones
  prose: Take one or two of five stones; the last stone wins.
  formal: |
    state left: 0..5 = 5
  action: n in 1..2
  written: take {n}
  require:
    enough:
      prose: There are so many.
      that: n <= left
  do: remove n from left
- id: over
  prose: Nothing is left.
  end: left = 0
  winners: mover
claims:
- id: who
  prose: It is claimed.
  kind: value
  is: won by 1
- id: not-drawn
  prose: It is claimed.
  kind: value
  is: drawn
- id: much
  prose: It is claimed.
  value: if mover = 1 then 7 else 3
  is: 7
- id: all
  prose: It is claimed.
  kind: count
  is: 10
- id: near
  prose: It is claimed.
  kind: count
  at: 1
  is: 2
- id: within
  prose: It is claimed.
  count: left > 2
  within: 2
  is: 4
- id: heaps
  prose: It is claimed. The same heap with another player to move is the same value.
  kind: count
  different: left
  is: 6
- id: heaps-for-two
  prose: It is claimed. What is none is no value.
  count: left > 0
  different: first x in {1, 2} where x = left
  is: 2
- id: plays
  prose: It is claimed.
  kind: count
  of: plays
  is: 8
- id: beginnings
  prose: It is claimed.
  kind: count
  of: plays
  at: 2
  is: 4
- id: lost
  prose: It is claimed.
  never-hopeless: left = 2
"""


def test_who_wins_and_how_many_there_are(tmp_path: Path) -> None:
    found = decide(tmp_path, TOGETHER)
    assert {name for name, v in found.items() if v.outcome != "proved"} == {"not-drawn", "lost"}
    assert found["not-drawn"].statement == "With best play the game is won by player 1. So it is not drawn."
    assert found["lost"].numbers == {"plies": 2}


@pytest.mark.parametrize("piles", [[1, 2, 3], [1, 4, 5], [2, 3], [1, 1, 1]])
def test_nim_is_won_as_its_theory_says(piles: list[int]) -> None:
    from rulespec.budgets import Budget
    from rulespec.core.game import Claim
    from rulespec.solver.evidence.exploration import explore
    from rulespec.solver.evidence.problem import Case
    from rulespec.solver.explore.state_space import Limits

    game = load("nim", None, {"piles": piles})
    left = 0
    for pile in piles:
        left ^= pile
    claim = Claim("who", "", "value", None, {"is": "won by 1" if left else "won by 2"})
    answer = explore(Case(game, claim, Budget(20)), Limits(10, 100_000))
    assert answer is not None
    assert answer.outcome == "proved", answer.remarks


GAMBLE = """
players: 1
rules:
- id: gamble
  prose: Walk round a ring, or gamble and perhaps fall into a hole beside it.
  formal: |
    state place: 0..9 = 0
    state fallen: Bool = false
    state steps: 1..3 = 1
  action: far in Bool
  written: go {far}
  require:
    up:
      prose: Nobody walks in the hole.
      that: not fallen
  do: |
    roll steps from 1..3
    place := (place + steps) mod 10
    if far and place = HOLE: fallen := true
- id: climb
  prose: In the hole there is no way but down.
  action: ()
  written: dig
  require:
    down:
      prose: One is in the hole.
      that: fallen
  do: |
    if place > 0: remove 1 from place
claims:
- id: hopeful
  prose: One can come to the top.
  never-hopeless: place = 9 and not fallen
"""


@pytest.mark.parametrize(("hole", "outcome"), [("7", "refuted"), ("place + 1", "proved")])
def test_who_may_fall_into_a_hole_is_without_hope(hole: str, outcome: str, tmp_path: Path) -> None:
    assert decide(tmp_path, GAMBLE.replace("HOLE", hole))["hopeful"].outcome == outcome


def test_sequences_are_counted_no_deeper_than_they_go(tmp_path: Path) -> None:
    """All four million positions of the game were explored to count its first plies."""
    (tmp_path / "own.yaml").write_text(
        "rulespec: 1\nid: own\ntitle: Four\nextends: connect-four\nclaims:\n- id: beginnings\n"
        "  prose: It is claimed.\n  kind: count\n  of: plays\n  at: 3\n  is: 343\n",
        encoding="utf-8",
    )
    (verdict,) = prove(lambda **settings: load(str(tmp_path / "own.yaml"), **settings), ["beginnings"])
    assert (verdict.outcome, verdict.numbers) == ("proved", {"value": 343, "states": 1 + 7 + 49 + 238})


def test_a_number_has_no_value_where_play_may_go_on_for_ever(tmp_path: Path) -> None:
    """Endless plays counted as 0 if every value of the number was -1, 0 or 1."""
    found = decide(
        tmp_path,
        """
players: 1
rules:
- id: things
  prose: A number.
  formal: |
    state n: 0..1 = 1
    state done: Bool = false
- id: stay
  prose: Stay.
  action: ()
  do: nothing
- id: stop
  prose: Stop.
  action: ()
  do: done := true
- id: over
  prose: It is over.
  end: done
  winners: those p in Player where n = 0
claims:
- id: one
  prose: Every play that ends comes to 1.
  value: n
- id: less
  prose: Every play that ends comes to -1.
  value: 0 - n
- id: won
  prose: Nobody wins, and a play without an end is drawn.
  kind: value
  is: drawn
""",
    )
    assert {name: v.outcome for name, v in found.items()} == {
        "one": "undecided", "less": "undecided", "won": "proved",
    }  # fmt: skip
