"""Best play where players may win together: refused where nobody may win, else a shared win is a draw."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED, UNDECIDED
from rulespec.core.winners import Sharing, sharing
from rulespec.language import load
from rulespec.solver.claims import prove
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore import CodeStates, InterpreterStates
from rulespec.solver.explore.states import Unsound
from rulespec.solver.explore.strategies import EndValues
from rulespec.solver.methods.best_play import search

GAME = """\
rulespec: 1
id: together
title: Together
summary: Two players help or wait.
players: {players}
rules:
- id: table
  prose: A counter.
  formal: |
    state n: 0..4 = 0
    {hidden}state t: 0..4 = 0
    state won: map Player -> Bool = {{p -> false for p in Player}}
- id: help
  prose: Help or not.
  action: b in Bool
  written: '{{if b then "help" else "wait"}}'
  do: |
    if b: add 1 to n
    add 1 to t
    for p in Player: won[p] := {won}
- id: over
  prose: After two turns.
  end: t = 2
- id: win
  prose: Who wins.
  {judged}
claims:
{claims}
"""
VALUE = "- id: v\n  prose: Who wins.\n  kind: value\n"
EXPECTED = "- id: e\n  prose: How often.\n  expected: if n = 2 then 1 else 0\n"
NUMBER = "- id: x\n  prose: How much.\n  value: n\n"
RANDOM = "- id: r\n  prose: How often.\n  expected: if n = 2 then 1 else 0\n  policy: random\n"
BOTH = "n = 2"
"""Both win if both have helped, else nobody."""
SOMEBODY = "n > 0 or p = 1"
"""Both win if anybody has helped, else player 1."""
ALONE = "p = 1 and n > 0"
"""Player 1 wins, or nobody."""
EACH = "winners: those p in Player where won[p]"


def written(
    folder: Path, claims: str, won: str = BOTH, judged: str = EACH, hidden: str = "", players: int = 2
) -> Path:
    path = folder / "together.yaml"
    path.write_text(
        GAME.format(claims=claims, won=won, judged=judged, hidden=hidden, players=players), "utf-8"
    )
    return path


def game(folder: Path, claims: str, won: str = BOTH, judged: str = EACH, hidden: str = "") -> Game:
    return load(written(folder, claims, won, judged, hidden))


@pytest.mark.parametrize("claims", [VALUE, EXPECTED, NUMBER])
@pytest.mark.parametrize(
    "judged",
    [
        "winners: those p in Player where n = 2",
        "winners: 'if n = 2 then Player else {}'",
        "winners: 'if n = 2 then {1, 2} else if n = 1 then {1} else {}'",
    ],
)
def test_a_claim_about_best_play_is_a_fault_where_the_text_tells(
    claims: str, judged: str, tmp_path: Path
) -> None:
    """It was proved that such a game is drawn."""
    with pytest.raises(RulesetError) as caught:
        game(tmp_path, claims, judged=judged)
    assert [fault.code for fault in caught.value.diagnostics] == ["claim.opposed"]
    assert "may win together" in str(caught.value)


@pytest.mark.parametrize("claims", [VALUE, EXPECTED, NUMBER])
def test_so_it_is_for_more_than_two_players(claims: str, tmp_path: Path) -> None:
    with pytest.raises(RulesetError) as caught:
        load(written(tmp_path, claims, players=3))
    assert [fault.code for fault in caught.value.diagnostics] == ["claim.opposed"]


def test_random_play_needs_nobody_who_wants_anything(tmp_path: Path) -> None:
    load(written(tmp_path, RANDOM, players=3))
    game(tmp_path, RANDOM, judged="winners: those p in Player where n = 2")


@pytest.mark.parametrize(
    ("claims", "hidden"),
    [(VALUE, ""), (EXPECTED, ""), (EXPECTED, "hidden ")],
    ids=["value", "open", "hidden"],
)
def test_where_the_text_does_not_tell_the_positions_do(claims: str, hidden: str, tmp_path: Path) -> None:
    found = {}
    for won in (BOTH, SOMEBODY, ALONE):
        path = written(tmp_path, claims, won=won, hidden=hidden)
        [found[won]] = prove(partial(load, path))
    assert [verdict.outcome for verdict in found.values()] == [UNDECIDED, PROVED, PROVED]
    assert "may win together" in found[BOTH].statement


@pytest.mark.parametrize("won", [SOMEBODY, BOTH])
def test_a_search_ends_at_a_shared_win(won: str, tmp_path: Path) -> None:
    """It sees a part of the positions, so it cannot tell whether nobody wins elsewhere; random plays may."""
    made = game(tmp_path, VALUE, won=won)
    answer = search(Case(made, made.claims["v"], Budget(60)))
    assert answer.outcome == UNDECIDED
    assert "may win together" in answer.remarks[0]
    alone = game(tmp_path, VALUE, won=ALONE)
    assert search(Case(alone, alone.claims["v"], Budget(60))).outcome == PROVED


@pytest.mark.parametrize("make", [CodeStates, InterpreterStates])
def test_a_strategy_that_ends_in_a_shared_win_shows_nothing(
    make: type[CodeStates] | type[InterpreterStates], tmp_path: Path
) -> None:
    """A certificate counted it as a draw."""
    code = CodeStates(game(tmp_path, VALUE))
    space = code if make is CodeStates else InterpreterStates(code.game, layout=code.layout)
    while space.deeper(lambda: "", 1000):
        pass
    values = EndValues(space, None)
    with pytest.raises(Unsound, match="win together"):
        list(values.ends())
    with pytest.raises(Unsound, match="win together"):
        [values.end(row) for row in map(space.row, range(space.states))]


def test_most_points_win_so_equal_points_are_a_draw(tmp_path: Path) -> None:
    path = written(tmp_path, VALUE, judged="score: if n = 2 then 1 else 0")
    made, [verdict] = load(path), prove(partial(load, path))
    assert (verdict.outcome, sharing(made)) == (PROVED, Sharing.TIE)
    assert search(Case(made, made.claims["v"], Budget(60))).outcome == PROVED


@pytest.mark.parametrize(
    ("judged", "meaning"),
    [
        ("winners: those p in Player where n = 2", Sharing.TOGETHER),
        ("winners: 'if n = 2 then Player else {}'", Sharing.TOGETHER),
        ("winners: 'if n = 2 then Player else if n = 1 then {1} else {}'", Sharing.WIN),
        (EACH, Sharing.WIN),
        ("winners: if n = 2 then mover else none", Sharing.WIN),
        ("winners: mover", Sharing.TIE),
        ("score: n", Sharing.TIE),
    ],
)
def test_what_a_shared_win_means(judged: str, meaning: Sharing, tmp_path: Path) -> None:
    assert sharing(game(tmp_path, RANDOM, judged=judged)) is meaning
