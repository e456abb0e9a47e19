"""Sides: who wins together, what best play comes to by each method, and how that is told."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.sides import UNLIKE, maximising_side, minimising_side, sides
from rulespec.core.verdicts import UNDECIDED
from rulespec.core.verdicts.wording import sentence
from rulespec.language import load
from rulespec.play.examples import run_examples
from rulespec.solver.claims import prove
from rulespec.solver.evidence import game_value
from rulespec.solver.evidence.positions import Positions
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore.graph import Graph
from rulespec.solver.explore.spot_check import SpotCheck
from rulespec.solver.explore.state_space import Limits

PILE = """
rulespec: 1
id: pile
title: A pile
summary: Players take counters from a pile.
players: PLAYERS
rules:
- id: pile
  prose: Counters lie in a pile.
  formal: |
    state left: 0..SIZE = SIZE
- id: partners
  prose: Some play together.
  sides: SIDES
- id: take
  prose: Take some.
  action: n in {TAKES} where n <= left
  written: take {n}
  do: remove n from left
- id: last
  prose: The game is over when nobody can take.
  end: every n in {TAKES} satisfies n > left
  WINNERS
claims:
- id: best
  prose: Best play.
  kind: value
"""


def pile(
    folder: Path,
    sides: str,
    players: int = 4,
    size: int = 7,
    takes: str = "1, 2",
    winners: str = "winners: mover",
) -> Game:
    """A game in which players take counters from a pile; by default the last to take wins."""
    text = PILE.replace("PLAYERS", str(players)).replace("SIZE", str(size)).replace("TAKES", takes)
    file = folder / "ruleset.yaml"
    file.write_text(text.replace("SIDES", sides).replace("WINNERS", winners))
    return load(str(file))


def by_hand(groups: list[list[int]], size: int, takes: list[int]) -> int:
    """1 if the first group can make sure that one of its players takes last, -1 if the second can."""
    players = sum(map(len, groups))

    @cache
    def worth(left: int, mover: int, last: int) -> int:
        most = mover in groups[0]
        after = [worth(left - n, mover % players + 1, mover) for n in takes if n <= left]
        if not after:
            return 1 if last in groups[0] else -1
        return max(after) if most else min(after)

    return worth(size, 1, 1)


GROUPS = [[[1, 3], [2, 4]], [[1, 2], [3, 4]], [[1, 4], [2, 3]], [[1], [2, 3, 4]], [[1, 2, 3], [4]]]


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(
        [[[1, 3], [2, 4]], [[1, 2], [3, 4]], [[1, 4], [2, 3]], [[1], [2, 3, 4]], [[1, 2, 3], [4]]]
    ),
    st.integers(3, 9),
    st.sets(st.integers(1, 4), min_size=2, max_size=3),
)
def test_every_method_finds_the_value_of_the_sides(
    tmp_path_factory: pytest.TempPathFactory, groups: list[list[int]], size: int, takes: set[int]
) -> None:
    words = " against ".join(" and ".join(map(str, group)) for group in groups)
    takes |= {1}
    game = pile(tmp_path_factory.mktemp("pile"), words, 4, size, ", ".join(map(str, sorted(takes))))
    assert [*map(list, sides(game))] == groups
    expected = by_hand(groups, size, sorted(takes))
    case = Case(game, game.claims["best"], Budget(60))
    seen = Positions(case, Limits(60, 1_000_000, folded=False), ways=True)
    assert seen.all()
    assert int(Graph(seen.states).values(None)[0]) == expected
    question = game_value.best_play(case)
    found = question.bounds()
    assert found.span == (expected, expected)
    strategies = question.strategies(expected, expected, 10_000)
    assert question.held_against(strategies, SpotCheck()).span == (expected, expected)


def test_a_verdict_names_the_players_of_the_side(tmp_path: Path) -> None:
    size = next(size for size in range(3, 20) if by_hand([[1, 2], [3, 4]], size, [1, 2]) == -1)
    game = pile(tmp_path, "1 and 2 against 3 and 4", size=size)
    (verdict,) = prove(lambda **setting: game)
    assert "the game is won by players 3 and 4." in sentence(verdict, game.claims["best"])


def test_a_side_wins_whole_and_most_points_of_a_side_win(tmp_path: Path) -> None:
    pile(tmp_path, "1 and 3 against 2 and 4", size=1)
    assert [*rulespec.load(tmp_path / "ruleset.yaml").start().play("take 1").winners] == [1, 3]
    points = "score: if player = 2 then 3 else if player = 4 then 0 else 2\n"
    pile(tmp_path, "1 and 3 against 2 and 4", size=1, winners=points)
    assert [*rulespec.load(tmp_path / "ruleset.yaml").start().play("take 1").winners] == [1, 3]


def test_together_all_want_the_most(tmp_path: Path) -> None:
    game = pile(tmp_path, "together", 3, 4, "1, 2", "winners: if mover = 3 then Player else {}")
    assert (maximising_side(game), minimising_side(game)) == ((1, 2, 3), ())
    (verdict,) = prove(lambda **setting: game)
    assert "the game is won by players 1, 2 and 3." in sentence(verdict, game.claims["best"])


@pytest.mark.parametrize(
    ("sides", "code"),
    [
        ("1 and 3 against 2", "sides.missing"),
        ("1 and 3 against 2 and 4 and 5", "sides.player"),
        ("1 and 3 against 3 and the rest", "sides.twice"),
        ("the rest against the rest", "sides.twice"),
        ("1 against 2 against the rest", "claim.opposed"),
        ("by left > player", "claim.opposed"),
    ],
)
def test_faults(tmp_path: Path, sides: str, code: str) -> None:
    with pytest.raises(rulespec.RulesetError) as error:
        pile(tmp_path, sides)
    assert [one.code for one in error.value.diagnostics] == [code]


def test_the_rest_are_all_others(tmp_path: Path) -> None:
    assert sides(pile(tmp_path, "2 against the rest")) == ((1, 3, 4), (2,))


def test_rules_ask_for_allies_and_rivals(tmp_path: Path) -> None:
    words = """score: number(player)
  formal: |
    define pair(p: Player) = size(allies(p)) * 10 + size(rivals(p))
    define points(p: Player) = side-score(p)
    define gone(p: Player) = won(p)
  examples:
  - id: asked
    play: [take 1]
    then: pair(1) = 31 and pair(2) = 13 and points(3) = 8 and points(2) = 2 and gone(4) and not gone(2)
"""
    pile(tmp_path, "1 and 3 and 4 against 2", size=1, winners=words)
    assert not run_examples(rulespec.load(tmp_path / "ruleset.yaml"))


def test_partners_who_see_different_things_have_no_best_play(tmp_path: Path) -> None:
    hidden = """winners: mover
  formal: |
    hidden state card: map Player -> 1..2 = 1
  setup: |
    for p in Player: roll card[p] from 1..2
  sees: card[viewer]
"""
    pile(tmp_path, "1 and 3 against 2 and 4", size=2, winners=hidden)
    file = tmp_path / "ruleset.yaml"
    file.write_text(file.read_text().replace("kind: value", "expected: if won(1) then card[1] else 0"))
    game = load(str(file))
    (verdict,) = prove(lambda **setting: game)
    assert verdict.outcome == UNDECIDED
    assert UNLIKE in sentence(verdict, game.claims["best"])
