"""The player in the page shows a seat of positions and actions what the interpreter shows it, and no more."""

from __future__ import annotations

import os
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from shipped_games import load
from soundness.rulesets import generated
from texts import SECRET_ACTIONS

import rulespec
from browser.player_plays import Played, plays, row
from rulespec.browser.site import bundle_script
from rulespec.code import write
from rulespec.core.notation import write as noted
from rulespec.core.types import Value
from rulespec.play.face import Game
from rulespec.players.comparing import Change, kind
from rulespec.players.rules import Rules

PLIES, RANDOM = (40, 40) if os.environ.get("RULESPEC_SLOW") else (20, 16)
"""The plies of each game, and the number of random games."""
HIDING = ("kuhn-poker", "leistiko", "sacred-alignment", "smith")
SEES = """([key, seed, rows]) => {
  const game = rulespec.load(rulespec.bundles[key]);
  const seats = game.layout.seats.map((_, seat) => seat);
  const random = rulespec.randomNumbers(seed);
  const actions = rows.map((row) => ({ action: row[0], values: row.slice(1) }));
  const states = [game.start(random)];
  for (const action of actions) states.push(game.play(states[states.length - 1], action, random));
  const sights = states.map((state) => seats.map((seat) => game.sight(state, seat)));
  return {
    equal: sights.map((some) => sights.map((others) => seats.map((i) => some[i].text === others[i].text))),
    changes: sights.slice(1).map((some, k) => seats.map((i) => game.differences(sights[k][i], some[i]))),
    seen: sights.map((some) => some.map((sight) => Array.from(new Set(game.seen(sight))).sort())),
    hidden: states.map((state) => game.hidden(state)),
    observed: actions.map((action, k) => seats.map((i) => game.observed(states[k], action, i))),
    spoken: actions.map((action, k) => seats.map((i) => game.spoken(states[k], action, i))),
  };
}"""
UNSURE = """\
rulespec: 1
id: unsure
title: Unsure
players: 2
rules:
- id: base
  prose: Somebody may look at a spot, where perhaps nothing lies; nobody sees who looks.
  formal: |
    type Spot = 1..3
    hidden state aim: Spot? = none
    hidden state looks: set of Player = {}
  sees: aim for p in Player where p in looks and p = viewer
- id: look
  prose: Begin or cease to look.
  action: open in Bool
  secret: action
  do: looks := if open then looks + {mover} else looks - {mover}
- id: point
  prose: Put something there, or take it away.
  action: s in Spot
  secret: action
  do: aim := if s = 3 then none else s
"""
"""A sight that is not shown, or shows none: a seat can tell them apart."""


def sights(game: Game, one: Played) -> dict[str, Any]:
    """The interpreter's account of all that each seat sees of a play."""
    rules = Rules(game.core, game.machine)
    moves = [[*game.machine.moves(at)][i] for at, i in zip(one.course, one.chosen, strict=False)]
    comparing, observer = rules._comparing, rules.observer
    seats = game.core.player.values
    seen = [[observer.position(game.machine.situation(at), seat) for seat in seats] for at in one.course]
    pairs = [(game.machine.situation(at), move) for at, move in zip(one.course, moves, strict=False)]
    return {
        "equal": [[[a == b for a, b in zip(x, y, strict=True)] for y in seen] for x in seen],
        "changes": [
            [[*map(changed, comparing.changes(a, b))] for a, b in zip(x, y, strict=True)]
            for x, y in pairwise(seen)
        ],
        "seen": [[sorted(comparing.texts(sight)) for sight in x] for x in seen],
        "hidden": [comparing.hidden_contents(game.machine.situation(at)) for at in one.course],
        "observed": [[observer.text(ctx, move, seat) for seat in seats] for ctx, move in pairs],
        "spoken": [
            [comparing.observed_names(observer.move(ctx, move, seat)) for seat in seats]
            for ctx, move in pairs
        ],
    }  # fmt: skip


def changed(change: Change) -> dict[str, Any]:
    """A change as the page says it."""

    def text(value: Value) -> str | None:
        return None if value is None else noted(change.type, value)

    key = noted(*change.keys[-1]) if change.keys else ""
    values = {"before": text(change.before), "after": text(change.after)}
    return {"kind": kind(change.type), **values, "key": key, "excess": change.excess}


def held_to(page: Page, name: str, game: Game, plies: int) -> None:
    """Compare what seats see of a game in the page with what the interpreter says, for so many plies."""
    page.add_script_tag(content=bundle_script(name, game))
    program = write(game.core).program
    for one in plays(game, plies):
        moves = [[*game.machine.moves(at)][i] for at, i in zip(one.course, one.chosen, strict=False)]
        asked = [name, one.seed, [row(program, move) for move in moves]]
        assert page.evaluate(SEES, asked) == sights(game, one)


@pytest.mark.parametrize("name", HIDING)
def test_a_seat_sees_in_the_page_what_the_interpreter_shows_it(player_page: Page, name: str) -> None:
    held_to(player_page, name, load(name), PLIES)


def test_secret_choices_and_notation_that_reads_what_is_hidden_stay_secret(
    player_page: Page, tmp_path: Path
) -> None:
    (tmp_path / "secrets.yaml").write_text(SECRET_ACTIONS)
    held_to(player_page, "secrets", rulespec.load(str(tmp_path / "secrets.yaml")), PLIES)


def test_a_sight_of_nothing_is_no_missing_sight(player_page: Page, tmp_path: Path) -> None:
    (tmp_path / "unsure.yaml").write_text(UNSURE)
    held_to(player_page, "unsure", rulespec.load(str(tmp_path / "unsure.yaml")), PLIES)


def test_a_seat_sees_in_the_page_what_it_sees_of_random_games(player_page: Page, tmp_path: Path) -> None:
    for seed in range(RANDOM):
        path = tmp_path / f"random-{seed}.yaml"
        path.write_text(generated(random.Random(seed), f"random-{seed}")[0])
        try:
            game = rulespec.load(str(path))
        except rulespec.RulesetError:
            continue
        held_to(player_page, path.stem, game, 8)


WORLDS = """([key, seed, rows]) => {
  const game = rulespec.load(rulespec.bundles[key]), random = rulespec.randomNumbers(seed);
  const actions = rows.map((row) => ({ action: row[0], values: row.slice(1) }));
  const states = [game.start(random)];
  for (const action of actions) states.push(game.play(states[states.length - 1], action, random));
  return game.layout.seats.map((_, seat) => {
    const view = {
      seat, seen: states.map((state) => game.sight(state, seat)),
      observed: actions.map((action, k) => (
        { text: game.observed(states[k], action, seat), action, spoken: [] }
      )),
    };
    const found = new rulespec.Worlds(game, view, random).states(60000);
    const last = view.seen[view.seen.length - 1].text;
    return found.map((state) => game.sight(state, seat).text === last);
  });
}"""


def test_hidden_dice_are_found_after_many_rolls(player_page: Page) -> None:
    """None was found once the dice had been thrown again, and the machine chose blindly."""
    game = load("liars-dice")
    player_page.add_script_tag(content=bundle_script("dice", game))
    program, one = write(game.core).program, next(iter(plays(game, 12)))
    moves = [[*game.machine.moves(at)][i] for at, i in zip(one.course, one.chosen, strict=False)]
    asked = ["dice", one.seed, [row(program, move) for move in moves]]
    assert player_page.evaluate(WORLDS, asked) == [[True] * 8] * 2
