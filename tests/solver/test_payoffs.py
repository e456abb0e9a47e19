"""Payoffs: what players want the most of, in best play by each method and in what machine players choose."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.sides import SEEN_ALONE
from rulespec.core.verdicts import UNDECIDED
from rulespec.core.winners import NOT_CONSTANT
from rulespec.language import load, read
from rulespec.players.search import SearchPlayer
from rulespec.players.simple import GreedyPlayer
from rulespec.players.table import Table
from rulespec.solver.claims import prove
from rulespec.solver.evidence import game_graph
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore.state_space import Limits

HEAP = """
rulespec: 1
id: heap
title: A heap
players: PLAYERS
parameters:
  gains:
    type: list of 0..9 up to 12
    default: [3, 1, 4, 1, 5, 9, 2, 6]
    prose: What the counters are worth, the last first.
rules:
- id: heap
  prose: Counters lie in a heap.
  formal: |
    state left: 0..8 = 8
    state coins: map Player -> 0..90 = 0
- id: take
  prose: Take one or two.
  action: n in 1..2 where n <= left
  written: take {n}
  do: |
    for i in 1..n:
      add gains[left] otherwise 0 to coins[mover] up to 90
      remove 1 from left
- id: bare
  prose: Nothing is left.
  end: left = 0
  payoff: PAYOFF
  SIDES
claims:
- id: first
  prose: What the first player can make sure of.
  expected: payoff(1)
- id: value
  prose: The same, as a result.
  kind: value
"""
OPPOSED = "coins[player] - coins[after(player)]"
GAINS = st.lists(st.integers(0, 9), min_size=8, max_size=8)


def heap(folder: Path, payoff: str = OPPOSED, players: int = 2, sides: str = "") -> Path:
    path = folder / f"heap-{players}.yaml"
    text = HEAP.replace("PAYOFF", payoff).replace("PLAYERS", str(players)).replace("SIDES", sides)
    path.write_text(text, "utf-8")
    return path


def mean(game: Game, claim: str = "first") -> Fraction:
    answer = game_graph.expectation(Case(game, game.claims[claim], Budget(60.0)), Limits(30.0, 20_000))
    return Fraction(answer.proofs[0].data["is"])


def by_hand(gains: list[int]) -> int:
    """What the player to move is ahead at the end, both taking as much as they can."""

    @cache
    def ahead(left: int) -> int:
        takes = [n for n in (1, 2) if n <= left]
        return max((sum(gains[left - n : left]) - ahead(left - n) for n in takes), default=0)

    return ahead(len(gains))


def test_best_play_takes_the_most(tmp_path: Path) -> None:
    ruleset = read(heap(tmp_path))

    @settings(max_examples=10, deadline=None)
    @given(gains=GAINS)
    def run(gains: list[int]) -> None:
        assert mean(ruleset.with_settings(None, {"gains": gains}, {})) == by_hand(gains)

    run()


def test_the_value_of_best_play_is_the_payoff_of_the_first_side(tmp_path: Path) -> None:
    game = load(heap(tmp_path))
    verdicts = {v.claim: v for v in prove(lambda **setting: game)}
    expected = by_hand([3, 1, 4, 1, 5, 9, 2, 6])
    assert verdicts["value"].numbers["value"] == expected
    assert str(expected) in verdicts["first"].statement


def test_the_payoff_of_a_side_is_the_sum_of_its_members(tmp_path: Path) -> None:
    """Two pairs that take turns are two players who do; each partner has the payoff of the pair."""
    ahead = "(if player in {1, 3} then 1 else -1) * (coins[1] + coins[3] - coins[2] - coins[4])"
    pairs = load(heap(tmp_path, ahead, 4, "sides: 1 and 3 against 2 and 4"))
    assert mean(pairs) == 2 * by_hand([3, 1, 4, 1, 5, 9, 2, 6])


def test_payoffs_that_do_not_add_up_to_the_same_have_no_best_play(tmp_path: Path) -> None:
    game = load(heap(tmp_path, "coins[player] * (if left = 0 and mover = 1 then 2 else 1)"))
    for verdict in prove(lambda **setting: game):
        assert verdict.outcome == UNDECIDED
        assert NOT_CONSTANT in " ".join([*verdict.remarks, verdict.statement])


@pytest.mark.parametrize("player", ["search", "greedy"])
def test_machine_players_want_the_most_and_not_to_be_ahead(player: str, tmp_path: Path) -> None:
    """Three coins each are more than one alone, though nobody is ahead."""
    path = tmp_path / "deal.yaml"
    path.write_text(DEAL, "utf-8")
    table = Table([rulespec.load(path).start()])
    made = SearchPlayer(1, plays=400) if player == "search" else GreedyPlayer(1)
    assert made.choose(table.view()).action == "share"


DEAL = """
rulespec: 1
id: deal
title: A deal
players: 2
rules:
- id: coins
  prose: Coins.
  formal: |
    state coins: map Player -> 0..9 = 0
    state settled: Bool = false
- id: keep
  prose: Keep one coin.
  action: ()
  do: |
    coins[mover] := 1
    settled := true
- id: share
  prose: Share six.
  action: ()
  do: |
    for p in Player: coins[p] := 3
    settled := true
- id: end
  prose: Settled.
  end: settled
  payoff: coins[player]
"""


WON = """
claims:
- id: lead
  prose: Lead.
  most: payoff(1)
- id: lag
  prose: Lag.
  least: payoff(2)
"""


def test_without_payoffs_a_win_is_one_and_a_loss_is_minus_one(tmp_path: Path) -> None:
    path = tmp_path / "won.yaml"
    path.write_text(DEAL.replace("payoff: ", "score: ") + WON, "utf-8")
    game = load(path)
    found = {v.claim: v.numbers["value"] for v in prove(lambda **setting: game)}
    assert found == {"lead": 1, "lag": -1}


PILE = """
rulespec: 1
id: pile
title: A pile
players: 3
rules:
- id: pile
  prose: Counters lie in a pile.
  formal: |
    state left: 0..7 = 7
- id: take
  prose: Take one or two.
  action: n in 1..2 where n <= left
  written: take {n}
  do: remove n from left
- id: bare
  prose: Whoever takes the last counter has won.
  end: left = 0
  winners: mover
claims:
- id: one
  prose: The side of one player.
  expected: if won(WHO) then 1 else 0
  who: WHO
  others: OTHERS
"""


def chance_by_hand(who: int, others: str, left: int, mover: int, last: int) -> Fraction:
    """The chance that a player takes last, who wants it, while the others do not, or do not care."""
    if left == 0:
        return Fraction(last == who)
    after = [chance_by_hand(who, others, left - n, mover % 3 + 1, mover) for n in (1, 2) if n <= left]
    if mover == who:
        return max(after)
    return min(after) if others == "opposed" else sum(after, Fraction(0)) / len(after)


@pytest.mark.parametrize("others", ["opposed", "random"])
@pytest.mark.parametrize("who", [1, 2, 3])
def test_one_side_of_three_against_all_others(who: int, others: str, tmp_path: Path) -> None:
    path = tmp_path / "pile.yaml"
    path.write_text(PILE.replace("WHO", str(who)).replace("OTHERS", others), "utf-8")
    game = load(path)
    (verdict,) = prove(lambda **setting: game)
    expected = chance_by_hand(who, others, 7, 1, 0)
    assert mean(game, "one") == expected
    words = "can make sure of" if others == "opposed" else "Against random play"
    assert words in verdict.statement and f"player {who}" in verdict.statement


def test_a_bound_for_a_side_is_asked_where_nothing_is_hidden(tmp_path: Path) -> None:
    path = tmp_path / "pile.yaml"
    text = PILE.replace("WHO", "1").replace("OTHERS", "opposed")
    path.write_text(
        text.replace("    state left", "    hidden state luck: 0..1 = 0\n    state left"), "utf-8"
    )
    game = load(path)
    (verdict,) = prove(lambda **setting: game)
    assert verdict.outcome == UNDECIDED and SEEN_ALONE in " ".join([*verdict.remarks, verdict.statement])
