"""Climbs: deals change by little, plays are legal and as good as is said, and the same seed climbs alike."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from handmade import race
from python_instance import PythonInstance, starting

from rulespec.code import Instance, Runner, write
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.types import BOOL, integers
from rulespec.language import load
from rulespec.play.machine import Machine
from rulespec.play.plays import write_down
from rulespec.solver.analyses.goals import Goal
from rulespec.solver.evidence.replay import value
from rulespec.solver.search import HillClimbing
from rulespec.solver.search.deals import changed_deal, random_deal

YES = n.Const(BOOL, True)


def climb(game: Game, claim: str, seed: int = 0) -> HillClimbing:
    """A climb for what a claim asks the best of."""
    asked = game.claims[claim]
    assert asked.condition is not None
    when = asked.options.get("when", YES)
    return HillClimbing(game, Goal(when, asked.condition, asked.options["sense"] == "most"), seed=seed)


def after(steps: int, of: HillClimbing) -> HillClimbing:
    """A climb after so many rounds of changes."""
    for _ in range(steps):
        of.step()
    return of


ONE_CARD = """
rulespec: 1
id: one-card
title: One card
players: 1
rules:
- id: things
  prose: A pile for one card, and a die.
  formal: |
    type Card = {suit: 1..2}
    state pile: list of Card up to 2 = []
    state die: 0..6 = 0
- id: beginning
  prose: The one card is shuffled before and after the die is rolled.
  setup: |
    shuffle (those c in Card where c.suit = 1) into pile
    roll die from 1..6
    pile := []
    shuffle (those c in Card where c.suit = 1) into pile
- id: wait
  prose: Wait.
  action: ()
  do: die := 0
- id: done
  prose: It is over.
  end: die = 0
"""


def test_a_shuffle_that_is_changed_has_two_things_in_each_others_place() -> None:
    game = load("smith-small")
    runner, source, machine = Runner(write(game, {})), random.Random(1), Machine(game)
    deal = random_deal(runner, source)
    for _ in range(20):
        other = changed_deal(runner, deal, source)
        starts = [machine.start(d.chance) for d in (deal, other)]
        for start, there in zip(starts, (deal, other), strict=True):
            assert runner.decode(there.node.cells, there.node.words) == start.position.values
        before, now = (s.outcomes[0].strip("[]").split(", ") for s in starts)
        assert sorted(before) == sorted(now)
        assert sum(a != b for a, b in zip(before, now, strict=True)) == 2
        deal = other


def test_a_shuffle_of_one_thing_is_never_changed(tmp_path: Path) -> None:
    """It has nothing to pick, and picks of the next draw were taken for its own."""
    path = tmp_path / "ruleset.yaml"
    path.write_text(ONE_CARD.lstrip(), "utf-8")
    game = load(path)
    runner, source, machine = Runner(write(game, {})), random.Random(1), Machine(game)
    deal = random_deal(runner, source)
    for _ in range(5):
        deal = changed_deal(runner, deal, source)
        position = machine.start(deal.chance).position
        assert runner.decode(deal.node.cells, deal.node.words) == position.values


def test_one_pick_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "ruleset.yaml"
    path.write_text(ONE_CARD.lstrip(), "utf-8")
    runner = Runner(write(load(path), {}))
    deal = random_deal(runner, random.Random(1))
    found = [changed_deal(runner, deal, random.Random(i)).draws for i in range(300)]
    assert {pick for draws in found for draw in draws for pick in draw} == {(6, i) for i in range(6)}


@pytest.mark.parametrize(("claim", "best"), [("most-actions", 5), ("fewest-actions", 2), ("most-cards", 4)])
def test_the_best_play_is_legal_and_as_good_as_is_said(claim: str, best: int) -> None:
    game = load("smith-tiny")
    found = after(400, climb(game, claim))
    _, end = write_down(game, *found.play)
    assert value(game, game.claims[claim], end) == best


def test_the_same_seed_climbs_alike_in_the_machine_and_in_python() -> None:
    found = []
    for started in (Instance, PythonInstance):
        with starting(started):
            found.append(after(100, climb(load("smith-tiny"), "most-cards", seed=3)))
    assert len({(c.play, c.plies, c.best) for c in found}) == 1


def test_what_chance_gives_in_play_is_part_of_the_play() -> None:
    game = race()
    won = game.state["won"]
    richest = n.Read(integers(0, 3), n.Get(won.type, won), n.Const(game.player, 2))
    found = after(200, HillClimbing(game, Goal(YES, richest, most=True)))
    _, end = write_down(game, *found.play)
    assert end.fault is None
    assert end.game.machine.situation(end.position).values[won][1] == 3 == -(found.best or 0)
