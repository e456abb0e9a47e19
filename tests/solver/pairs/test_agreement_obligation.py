"""Two games agree from any state, or differ in what is told: other words, names, values, chance."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from rulespec.core.game import Game
from rulespec.core.types import Scalar, Value
from rulespec.language import load
from rulespec.solver.engines import choose
from rulespec.solver.pairs import Correspondence, Incomparable, by_notation
from rulespec.solver.pairs.agreement import apart_anywhere, apart_at_start

LADDER = """
rulespec: 1
id: ladder
title: Ladder
players: 2
parameters:
  top:
    type: 2..9
    default: 5
    prose: The highest rung.
rules:
- id: rungs
  prose: Both climb one ladder.
  formal: |
    type Rung = 0..top
    type Side = one of left, right
    state rung: map Player -> Rung = 0
    state leaning: Side = left
    state die: 1..3 = 1
- id: climb
  prose: Climb as many rungs as the die shows, or one.
  action: far in Bool
  written: climb {if far then "far" else "on"}
  require:
    room:
      prose: There is a rung.
      that: rung[mover] < top
  do: |
    roll die from 1..3
    rung[mover] := min(rung[mover] + (if far then die else 1), top)
- id: lean
  prose: Lean the ladder to the other side.
  action: s in Side where s != leaning
  written: lean {s}
  do: leaning := s
- id: up
  prose: Whoever is up first wins.
  end: some p in Player satisfies rung[p] = top
  score: rung[player]
"""


def game(folder: Path, change: str = "") -> Game:
    """The game, changed."""
    (folder / "ladder.yaml").write_text(LADDER, "utf-8")
    text = f"rulespec: 1\nid: other\ntitle: Other\nextends: ladder\n{change}"
    (folder / "other.yaml").write_text(text, "utf-8")
    return load(folder / "other.yaml")


def apart(likeness: Correspondence) -> set[str]:
    """In what two games differ, at the start or from any state."""
    engine = choose(None)
    at_start = apart_at_start(likeness, engine, lambda: 30.0)
    anywhere = apart_anywhere(likeness, engine, lambda: 30.0)
    return {d.kind for d in (*at_start, *anywhere)}


CLIMB = """
replace:
  climb.do: |
    roll die from {}
    {}
"""
CAPPED = "rung[mover] := min(rung[mover] + (if far then die else 1), top)"
UP = """
replace:
  up:
    id: up
    prose: Somebody wins.
    end: some p in Player satisfies rung[p] = top
    score: rung[player]
    winners: those p in Player with {} rung[p]
"""
LEAN = """
replace:
  lean.do: |
    leaning := s
    {}
"""
SAME = {
    "as it is": "summary: As it is.",
    "an end in other words": "replace:\n  up.end: not (every p in Player satisfies rung[p] < top)",
    "an effect in other words": CLIMB.format(
        "1..3",
        "let to be rung[mover] + (if far then die else 1); rung[mover] := if to > top then top else to",
    ),
    "chance that is weighed": CLIMB.format("0..3 weighing k by min(k, 1)", CAPPED),
    "winners in other words": UP.format("most"),
    "a choice in other words": """
replace:
  lean:
    id: lean
    prose: Lean the ladder to the other side.
    action: s in Side
    written: lean {s}
    require:
      other:
        prose: It leans there already.
        that: s != leaning
    do: leaning := s
""",
    "a variable of its own": LEAN.format("changed := true")
    + """
add:
- rule:
    id: changing
    prose: It has leaned.
    formal: |
      state changed: Bool = false
""",
}
OTHER = {
    "legal": "replace:\n  climb.require.room.that: rung[mover] + 1 < top",
    "state": LEAN.format("rung[mover] := 0"),
    "chance": CLIMB.format("1..2", CAPPED),
    "score": "replace:\n  up.score: rung[player] + (if leaning is left then 1 else 0)",
    "winner": UP.format("least"),
    "fault": CLIMB.format("1..3", "rung[mover] := rung[mover] + (if far then die else 1)"),
}


@pytest.mark.parametrize("change", [pytest.param(text, id=name) for name, text in SAME.items()])
def test_other_words_for_the_same_game_agree(tmp_path: Path, change: str) -> None:
    base, other = load_base(tmp_path, change)
    assert apart(Correspondence(base, other)) == set()
    assert apart(Correspondence(other, base)) == set()


def load_base(folder: Path, change: str) -> tuple[Game, Game]:
    """The game, and the changed one."""
    other = game(folder, change)
    return load(folder / "ladder.yaml"), other


@pytest.mark.parametrize(("kind", "change"), [pytest.param(k, text, id=k) for k, text in OTHER.items()])
def test_what_differs_is_told(tmp_path: Path, kind: str, change: str) -> None:
    base, other = load_base(tmp_path, change)
    assert kind in apart(Correspondence(base, other))
    assert kind in apart(Correspondence(other, base))


def test_another_start_differs_at_the_start_only(tmp_path: Path) -> None:
    base, other = load_base(tmp_path, "replace:\n  state.leaning: 'state leaning: Side = right'")
    likeness, engine = Correspondence(base, other), choose(None)
    assert {d.what for d in apart_at_start(likeness, engine, lambda: 30.0)} == {"leaning"}
    assert apart_anywhere(likeness, engine, lambda: 30.0) == []


def test_a_judgement_where_nobody_can_act_counts(tmp_path: Path) -> None:
    stuck = "remove: [lean]\nreplace:\n  up.end: mover = 0\n  climb.require.room.that: mover = 0\n"
    mine = game(tmp_path, stuck)
    other = game(tmp_path, stuck + "  up.score: rung[player] + 1\n")
    assert apart(Correspondence(mine, other)) == {"score"}


def test_a_renaming_of_values_is_a_symmetry_or_is_none(tmp_path: Path) -> None:
    base = load_base(tmp_path, "")[0]

    def mirrored(mine: Scalar, other: Scalar) -> Mapping[Value, Value]:
        if mine.name == "Side" and len(mine.values) == len(other.values):
            return dict(zip(mine.values, reversed(other.values), strict=True))
        return by_notation(mine, other)

    likeness = Correspondence(base, base, mirrored)
    assert apart_anywhere(likeness, choose(None), lambda: 30.0) == []
    assert apart_at_start(likeness, choose(None), lambda: 30.0)

    def seats(mine: Scalar, other: Scalar) -> Mapping[Value, Value]:
        return {1: 2, 2: 1} if mine is base.player and other is base.player else by_notation(mine, other)

    assert apart_anywhere(Correspondence(base, base, seats), choose(None), lambda: 30.0) == []


def test_variables_of_another_kind_are_not_compared(tmp_path: Path) -> None:
    base, other = load_base(
        tmp_path, "replace:\n  state.leaning: 'state leaning: set of Side = {}'\nremove: [lean]"
    )
    with pytest.raises(Incomparable, match="`leaning` is Side in one and set of Side in the other"):
        Correspondence(base, other)
