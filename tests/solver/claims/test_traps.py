"""Goals of which nothing can be the first part."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.language import load
from rulespec.solver.claims.prove import prove
from rulespec.solver.evidence.one_ply_arguments import trap
from rulespec.solver.evidence.problem import Case
from rulespec.solver.formulas.unrolling.one_ply import Passing
from rulespec.solver.formulas.unrolling.question import Question

FIRST = {
    "nothing may begin": ({"first-domino": "nothing", "stuck-hand": "draw"}, "pips[1.1.1] is some"),
    "nothing may begin upstairs": ({"across-tiers": "same", "stuck-hand": "draw"}, "pips[2.2.2] is some"),
}

STARTED = """\
rulespec: 1
id: started
title: Started
players: 1
rules:
- id: bag
  prose: A bag, empty at first.
  formal: |
    state bag: set of 1..2 = {}
- id: put
  prose: Put in what was not there; a two only beside a two.
  action: n in 1..2
  written: put {n}
  require:
    new:
      prose: It is not there.
      that: not n in bag
    beside:
      prose: A two needs a two.
      that: n = 1 or 2 in bag
  do: add n to bag
MORE
claims:
- id: back
  prose: The bag is empty or has a two.
  reachable: size(bag) = 0 or 2 in bag
"""
"""The goal holds at the start, and no ply leads to it."""


def trapped(readings: dict[str, str]) -> str:
    game = load("sacred-alignment-small", readings=readings)
    case = Case(game, game.claims["zero-cheat"], Budget(60, 4000))
    restrict = {game.state["cheats"]: 0}
    start = Question(case, "initial", restrict, [case.condition])
    return trap(case, case.condition, Passing(case, case.condition, restrict, start, case.helpers))


@pytest.mark.parametrize(
    "more", ["", "- id: full\n  prose: At once.\n  end: size(bag) = 0"], ids=["on", "over"]
)
def test_what_holds_at_the_start_is_in_reach(tmp_path: Path, more: str) -> None:
    """Whether plays go on from there or not."""
    path = tmp_path / "started.yaml"
    path.write_text(STARTED.replace("MORE", more), encoding="utf-8")
    (found,) = prove(lambda **_: load(str(path)))
    assert (found.outcome, found.numbers) == ("proved", {"plies": 0})


@pytest.mark.parametrize(("readings", "named"), FIRST.values(), ids=FIRST)
def test_what_nothing_can_begin_is_out_of_reach(readings: dict[str, str], named: str) -> None:
    assert trapped(readings)


@pytest.mark.parametrize("readings", [{}, {"across-tiers": "same", "own-half": "counted"}])
def test_what_something_can_begin_is_not(readings: dict[str, str]) -> None:
    assert not trapped(readings)
