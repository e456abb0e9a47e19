"""By formulas nothing follows an end, and nobody passes after a fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from deciding import Plies, plies_of_the_interpreter
from handmade import nim

from rulespec.core.game import Game
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Position
from rulespec.solver.engines import choose
from rulespec.solver.formulas import Unrolling
from rulespec.solver.formulas.aig import FALSE, TRUE, Gates
from rulespec.solver.formulas.effects import FAULT, STUCK
from rulespec.solver.formulas.values import lift

FAULTING = """
rulespec: 1
id: faulting
title: Faulting
players: 2
rules:
- id: counter
  prose: Two counters.
  formal: |
    state n: 0..2 = 0
    state m: 0..2 = 0
- id: far
  prose: Make one 1, and the other more than it can be.
  action: ()
  written: far
  require:
    low:
      prose: The first is 0.
      that: n = 0
  do: |
    n := 1
    m := n + 5
- id: turns
  prose: If you cannot move you pass.
  turn:
    stuck: pass
"""


def start(game: Game) -> Position:
    return Machine(game).start(Chance("0")).position


@pytest.mark.parametrize("over", [False, True])
def test_nothing_follows_an_end(over: bool) -> None:
    game = nim()
    plies, gates = Plies(game), Gates()
    state = {v: lift(v.type, x) for v, x in zip(plies.variables, start(game).values, strict=True)}
    state[game.state["over"]] = TRUE if over else FALSE
    plies.template.stamp(gates, {**state, FAULT: FALSE, STUCK: FALSE}, {})
    assert plies.possible(gates) != over


def test_nobody_passes_after_a_fault(tmp_path: Path) -> None:
    """Midway nobody could act, for the first counter is 1; but the ply faults, and it is 0 again."""
    path = tmp_path / "faulting.yaml"
    path.write_text(FAULTING, "utf-8")
    game = load(path)
    machine, plies = Machine(game), Plies(game)
    expected = plies_of_the_interpreter(machine, start(game), plies.kept)
    assert plies.after(start(game)) == expected != set()


ENDS_IN_FAULTS = """
rulespec: 1
id: counting
title: Counting
rules:
- id: counter
  prose: A counter, and a sum down from it.
  formal: |
    state n: 1..2 = 1
    define down(q: 0..1 falling): 0..9 = if q = 0 then n else min(9, (down(q - 1) otherwise 0) + n)
- id: up
  prose: Count.
  action: ()
  do: add 1 to n
claims:
- id: less
  prose: The counter is less than its sum.
  invariant: n < (down(n) otherwise 0)
"""


def test_a_definition_that_uses_itself_ends_where_a_number_can_have_no_value(tmp_path: Path) -> None:
    """After the ply that surely faults no value of the counter is left, and unfolding it had no end."""
    path = tmp_path / "counting.yaml"
    path.write_text(ENDS_IN_FAULTS, "utf-8")
    game = load(path)
    asked = game.claims["less"].condition
    unrolling = Unrolling(game, start="initial", ask=[asked], engine=choose())
    for _ in range(2):
        unrolling.extend()
    assert not unrolling.solve([unrolling.holds(asked, 2)], 60.0)
