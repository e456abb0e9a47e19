"""Who wins: a set of players, one player, or nobody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulespec.core.diagnostics import RulesetError
from rulespec.play.face import load

TEXT = """\
rulespec: 1
id: heap
title: The heap
players: 2
rules:
- id: stones
  prose: There is one heap.
  formal: |
    state heap: 0..7 = 7
- id: take
  prose: Take a stone, or all but one.
  action: n in 1..6
  do: remove n from heap
- id: bare
  prose: The game ends when one stone is left, or none.
  end: heap <= 1
  winners: WINNERS
"""


def winners(folder: Path, formal: str, *plays: str) -> Any:
    path = folder / "heap.yaml"
    path.write_text(TEXT.replace("WINNERS", formal), "utf-8")
    state = load(str(path)).start(seed=0)
    for play in plays:
        state = state.play(play)
    return state.winners


@pytest.mark.parametrize(
    ("formal", "won"),
    [
        ("mover", (2,)),
        ("after(mover)", (1,)),
        ("1", (1,)),
        ("none", ()),
        ("if heap = 1 then none else mover", ()),
        ("if heap = 0 then none else mover", (2,)),
        ("those p in Player where p != mover", (1,)),
        ("Player", (1, 2)),
    ],
)
def test_winners(tmp_path: Path, formal: str, won: tuple[int, ...]) -> None:
    assert winners(tmp_path, formal, "take 3", "take 3") == won


@pytest.mark.parametrize("formal", ["heap", "3", "heap = 1", "those n in 1..4 where n = heap"])
def test_what_is_no_player_does_not_win(tmp_path: Path, formal: str) -> None:
    with pytest.raises(RulesetError, match="this does not fit"):
        winners(tmp_path, formal)


def test_a_rule_with_an_end_and_a_limit_of_turns_is_one_end(tmp_path: Path) -> None:
    path = tmp_path / "heap.yaml"
    text = TEXT.replace("winners: WINNERS", "turn:\n    limit: 2")
    path.write_text(text, "utf-8")
    game = load(str(path))
    assert [end.id for end in game.core.ends] == ["bare"]
    for plays in (("take 6",), ("take 1", "take 1")):
        state = game.start(seed=0)
        for play in plays:
            assert not state.is_over
            state = state.play(play)
        assert state.ended_by == "bare"
