"""A position that play has reached goes on in code as it does by the interpreter."""

from __future__ import annotations

from pathlib import Path

from rulespec.code import Runner, write
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine

LATE = """
rulespec: 1
id: late
title: Late
rules:
- id: clock
  prose: A clock.
  formal: "state n: 0..3 = 0"
- id: wait
  prose: Wait.
  action: ()
  do: nothing
- id: done
  prose: It is over.
  end: n > 0
- id: turns
  prose: Each turn begins with a tick.
  turn:
    begin: add 1 to n
"""


def test_what_begins_a_turn_ends_no_play_before_the_next_action(tmp_path: Path) -> None:
    """Code that took up a position asked the ends again, and what the turn had begun with reached one."""
    path = tmp_path / "late.yaml"
    path.write_text(LATE, "utf-8")
    game = load(path)
    machine, runner = Machine(game), Runner(write(game))
    position = machine.start(Chance("0")).position
    moves = [tuple(move) for move in machine.moves(position)]
    assert len(moves) == 1
    assert [tuple(move) for move in runner.moves(runner.node(position.values))] == moves
