"""Tallies: a game that keeps the sizes of its sets plays as it did, and its tallies are their sizes."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest

from rulespec.core.game import Game
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from solver.formulas.set_sizes import CountedGame, disjoint_holders, with_size_counters

CARDS = """
rulespec: 1
id: cards
title: Cards
rules:
- id: table
  prose: A pile, a hand and a row.
  formal: |
    type Card = 1..8
    state pile: list of Card up to 8 = []
    state hand: set of Card = {}
    state row: set of Card = {}
- id: deal
  prose: Shuffle and draw three.
  setup: |
    shuffle Card into pile
    move top 3 of pile into hand
- id: lay
  prose: Lay one and fill the hand up to three.
  action: c in hand
  require:
    room:
      prose: The row has room for six.
      that: size(row) < 6
  do: |
    LAY
    move top 3 - size(hand) of pile into hand
- id: done
  prose: It ends with an empty hand.
  end: hand is empty
"""


def cards(lay: str) -> Game:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cards.yaml"
        path.write_text(CARDS.replace("LAY", lay.replace("\n", "\n    ")), "utf-8")
        return load(path)


def positions(made: CountedGame, seed: int, plies: int = 12) -> list[dict[str, object]]:
    """The values of a random play of a tallied game, by name."""
    machine, chance, rng = Machine(made.game), Chance(str(seed)), random.Random(seed)
    names = list(made.game.state)
    at = machine.start(chance).position
    seen = [dict(zip(names, at.values, strict=True))]
    for _ in range(plies):
        moves = [m for m in machine.moves(at) if m.action in {a.id for a in made.actions}]
        if not moves:
            break
        at = machine.play(at, rng.choice(moves), chance).position
        seen.append(dict(zip(names, at.values, strict=True)))
    return seen


LAYINGS = {
    "taken out first": "remove c from hand\nadd c to row",
    "taken out twice": "remove c from hand\nadd c to row\nremove c from hand",
    "perhaps not there": "remove c from hand\nadd c to row\nremove 1 from hand",
    "again and again": "for x in hand: remove c from hand\nadd c to row",
    "in one branch": "if c = 1: remove c from hand\nif c != 1: remove c from hand\nadd c to row",
    "put back": "remove c from hand\nadd 1 to hand",
    "all at once": "hand := {}\nadd c to row",
    "by own size": "remove c from hand\nrow := those x in Card where size(row) < 3 and (x in row or x = c)",
}


@pytest.mark.parametrize("laying", LAYINGS.values(), ids=LAYINGS)
def test_tallies_are_the_sizes_of_their_sets(laying: str) -> None:
    game = cards(laying)
    made = with_size_counters(game, list(game.actions.values()))
    assert {s.name for s in made.tallies} == {"hand", "row"}
    for seed in range(4):
        for values in positions(made, seed):
            for of, tally in made.tallies.items():
                assert values[tally.name] == len(values[of.name])  # type: ignore[arg-type]


def test_tallies_are_the_sizes_in_a_shipped_game() -> None:
    game = load("sacred-alignment-small", readings={"stuck-hand": "draw"})
    made = with_size_counters(game, list(game.actions.values()))
    (of, tally) = next(iter(made.tallies.items()))
    assert of.name == "hand"
    for seed in range(2):
        assert all(len(v["hand"]) == v[tally.name] for v in positions(made, seed, 5))  # type: ignore[arg-type]


def names(game: Game) -> set[str]:
    effects = [*(a.effect for a in game.actions.values()), game.turn.begin]
    return {v.name for v in disjoint_holders(game.state.values(), game.setup, effects)}


def test_what_only_moves_is_in_one_place() -> None:
    assert names(cards("remove c from hand")) == {"pile", "hand", "row"}
    assert names(cards("hand := {}")) == {"pile", "hand", "row"}


@pytest.mark.parametrize(
    ("laying", "left"),
    [
        ("remove c from hand\nadd c to row", {"pile", "hand"}),
        ("add 1 to hand", {"pile", "row"}),
        ("move top 1 of pile into row\nadd c to pile", {"hand", "row"}),
        ("for x in hand: move top 1 of pile into row", {"hand", "pile"}),
    ],
)
def test_what_may_be_copied_is_not(laying: str, left: set[str]) -> None:
    """`disjoint_holders` may say less than is true, never more: what comes from a broken place is broken."""
    assert names(cards(laying)) <= left
    game = cards(laying)
    held = names(game)
    for seed in range(4):
        for values in positions(CountedGame(game, list(game.actions.values()), {}), seed):
            things = [x for name in sorted(held) for x in values[name]]  # type: ignore[attr-defined]
            assert len(things) == len(set(things))
