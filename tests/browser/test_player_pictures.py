"""Scenes that a page works out: they are those of Python, and show a seat only what it knows."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from shipped_games import SMALLER, base_rulesets, load

import rulespec
from rulespec.book.drawing.diagram import Picture, scene_of, visible_values
from rulespec.book.drawing.layers import scene
from rulespec.book.drawing.marks import MARKS
from rulespec.book.drawing.scene import Mark, Part, Piece, to_data
from rulespec.browser import bundle as bundles
from rulespec.browser.parts import drawing
from rulespec.browser.site import bundle_script
from rulespec.code import write
from rulespec.code.program import encode_state
from rulespec.core.context import Context
from rulespec.core.game import Game
from rulespec.core.types import Value
from rulespec.language.documents.ruleset_files import shipped_rulesets
from rulespec.play import face
from rulespec.play.face import State
from rulespec.play.observation import Observer
from rulespec.play.position import Move

ROOT = Path(__file__).resolve().parents[2]
SLOW = bool(os.environ.get("RULESPEC_SLOW"))
GAMES = [*shipped_rulesets()] if SLOW else base_rulesets()
POSITIONS = 100 if SLOW else 6
ALL, ONLOOKER = -1, -2
SCENES = """([key, cases]) => {
  const game = rulespec.load(rulespec.bundles[key]);
  const state = (longs) => longs &&
    ({ bytes: new Uint8Array(BigInt64Array.from(longs, BigInt).buffer), ended: 0, fault: 0, draws: 0 });
  const action = (row) => ({ action: row[0], values: row.slice(1) });
  return cases.map(([longs, viewer, { before, actions, refused, pictures }]) => {
    const shown = { actions: actions.map(action), refused: refused.map(action) };
    return game.scene(state(longs), viewer, { before: state(before), pictures, ...shown });
  });
}"""
GHOSTS = """([key, longs, rows]) => {
  const game = rulespec.load(rulespec.bundles[key]);
  const bytes = new Uint8Array(BigInt64Array.from(longs, BigInt).buffer);
  const actions = rows.map((row) => ({ action: row[0], values: row.slice(1) }));
  return game.ghosts({ bytes, ended: 0, fault: 0, draws: 0 }, null, actions);
}"""


class Drawn:
    """A game whose scenes the page works out."""

    def __init__(self, page: Page, name: str, players: int | None = None) -> None:
        self.page, self.name, self.first = page, name, load(name, players, SMALLER.get(name))
        self.game = self.first.core
        page.add_script_tag(content=bundle_script(name, self.first))
        self.program = write(self.game, {}, drawing(self.game)).program

    def longs(self, values: Mapping[str, Value]) -> list[str]:
        """A state as the page keeps it: numbers, words, and the words of each value of maps."""
        program = self.program
        numbers, words = encode_state(program, [values[name] for name in self.game.state])
        held = [*numbers[: program.state_cells], *words[: program.state_words]]
        for var in self.game.state.values():
            if var in program.planes:
                at = program.planes[var].at
                held += words[at : at + program.plane_size(var)]
        return [str(x - (x >> 63 << 64)) for x in held]

    def row(self, move: Move) -> list[int]:
        """An action as the page has it: its number, then its choices."""
        found = [list(self.game.actions).index(move.action)]
        for choice, value in zip(self.game.actions[move.action].choices, move.args, strict=True):
            found += self.program.flat(choice.chain.type if choice.chain else choice.var.type, value)
        return found

    def case(
        self, values: Mapping[str, Value], viewer: int = ALL, before: Mapping[str, Value] | None = None,
        actions: Sequence[Move] = (), refused: Sequence[Move] = (), pictures: Sequence[str] = (),
    ) -> list[Any]:  # fmt: skip
        """The question to the page for one scene."""
        return [
            self.longs(values), viewer,
            {
                "before": None if before is None else self.longs(before), "pictures": [*pictures],
                "actions": [*map(self.row, actions)], "refused": [*map(self.row, refused)],
            },
        ]  # fmt: skip

    def scenes(self, cases: Sequence[Any]) -> list[dict[str, Any]]:
        """The scenes of the page as plain data."""
        return [
            {**found, "marks": [plain(Mark, mark) for mark in found["marks"]]}
            for found in self.page.evaluate(SCENES, [self.name, cases])
        ]


def plain(kind: type, thing: Mapping[str, Any]) -> dict[str, Any]:
    """A mark without what is at its default, as `to_data` has it."""
    found: dict[str, Any] = {}
    for slot in fields(kind):
        value = thing[slot.name]
        if slot.name in ("items", "parts"):
            value = [plain(Piece if slot.name == "items" else Part, inner) for inner in value]
        if value != (list(slot.default) if isinstance(slot.default, tuple | frozenset) else slot.default):
            found[slot.name] = value
    return found


def positions(game: face.Game) -> Iterator[tuple[State, State]]:
    """The positions of random plays, each with that before it."""
    rng, left, seed = random.Random(game.id), POSITIONS, 0
    while left > 0:
        seed += 1
        before = state = game.start(seed=seed)
        while left > 0:
            yield state, before
            left -= 1
            if state.is_over:
                break
            before, state = state, state.play(rng.choice(state.moves))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", GAMES)
def test_the_page_works_out_the_scenes_of_python(player_page: Page, name: str) -> None:
    """Scenes with news, with legal and refused actions, in games with secrets for each viewer."""
    drawn, rng = Drawn(player_page, name), random.Random(name)
    game = drawn.game
    hides = any(var.hidden for var in game.state.values())
    viewers = [ALL, ONLOOKER, *range(len(game.player.values))] if hides else [ALL]
    cases, wanted = [], []
    for number, (state, before) in enumerate(positions(drawn.first)):
        moves = rng.sample(state.moves, min(number % 4, len(state.moves)))
        gone = [move for move in before.moves if move not in state.moves][: number % 3]
        for viewer in viewers:
            old = before.values if number % 2 else None
            cases.append(drawn.case(state.values, viewer, old, moves, gone))
            wanted.append(to_data(scene_of(game, picture(game, state, viewer, old, moves, gone))))
    for found, expected, case in zip(drawn.scenes(cases), wanted, cases, strict=True):
        assert found == json.loads(json.dumps(expected)), case[1:]


def picture(
    game: Game, state: State, viewer: int, before: Mapping[str, Value] | None,
    moves: Sequence[Move], refused: Sequence[Move],
) -> Picture:  # fmt: skip
    """The same for Python: values and sizes as the viewer knows them."""
    if viewer == ALL:
        return Picture(state.values, before, moves, refused)
    seat = None if viewer == ONLOOKER else game.player.values[viewer]
    values, sizes = visible_values(game, state.values, seat)
    old = None if before is None else visible_values(game, before, seat)[0]
    return Picture(values, old, moves, refused, sizes)


def test_each_mark_can_be_drawn_by_the_page(player_page: Page) -> None:
    """The game of all marks has one action for each: after it that mark is on the table."""
    drawn = Drawn(player_page, str(ROOT / "docs" / "games" / "marks.yaml"))
    states = [state.play(move) for state in [drawn.first.start(seed=1)] for move in state.moves]
    wanted = [to_data(scene(drawn.game, state.values)) for state in states]
    assert drawn.scenes([drawn.case(state.values) for state in states]) == json.loads(json.dumps(wanted))
    assert {mark["kind"] for found in wanted for mark in found["marks"]} == MARKS.keys() - {"hexagon"}


NAMED = """\
rulespec: 1
id: named
title: Named
players: 1
rules:
- id: base
  prose: There are spots.
  formal: |
    type Spot = 1..3
    type Colour = one of red, blue
    state held: list of Spot up to 2 = [1, 2]
    state seen: set of Colour = {red, blue}
    state last: Spot? = none
- id: take
  prose: Take a spot.
  action: s in Spot
  do: last := s
- id: end
  prose: It ends.
  end: size(held) = 0
diagram:
- mark: label
  across: 1
  up: -1
  text: "  {held} and   {seen}, then {last} "
- mark: disc
  for: a in Spot, b in Spot where a < b
  in: few
  across: a - b
  up: 0
  tone: b = 3
- mark: line
  on: take
  in: many
  across: s
  up: 1
  to-across: last
  to-up: 1
"""


def test_captions_pictures_with_names_and_marks_without_a_place(player_page: Page, tmp_path: Path) -> None:
    path = tmp_path / "named.yaml"
    path.write_text(NAMED)
    drawn = Drawn(player_page, str(path))
    first = drawn.first.start(seed=1)
    state = first.play("take(2)")
    moves = state.moves[:2]
    for names in ((), ("few",), ("many", "few"), ("none",)):
        wanted = scene_of(drawn.game, Picture(state.values, first.values, moves, names=names))
        case = drawn.case(state.values, ALL, first.values, moves, pictures=names)
        assert drawn.scenes([case]) == [json.loads(json.dumps(to_data(wanted)))]


def test_the_marks_of_actions_are_worked_out_at_once(player_page: Page) -> None:
    drawn = Drawn(player_page, "leistiko")
    state = drawn.first.start(seed=2)
    moves = state.moves[:40]
    found = player_page.evaluate(GHOSTS, [drawn.name, drawn.longs(state.values), [*map(drawn.row, moves)]])
    assert len(found) == len(moves)
    for move, marks in zip(moves, found, strict=True):
        shown = scene(drawn.game, state.values, [move]).marks
        wanted = [(m.kind, m.layer, m.x, m.y, m.to and [*m.to]) for m in shown if m.option]
        assert sorted((m["kind"], m["layer"], m["x"], m["y"], m["to"]) for m in marks) == sorted(wanted)


@pytest.mark.parametrize(("name", "players"), [("smith", 2), ("leistiko", 4), ("kuhn-poker", 2)])
def test_the_scene_of_a_seat_does_not_depend_on_what_it_cannot_see(
    player_page: Page, name: str, players: int
) -> None:
    """Two hidden pieces are exchanged, so that the seat cannot distinguish the positions."""
    drawn, rng = Drawn(player_page, name, players), random.Random(name)
    game, values = drawn.game, drawn.first.start(seed=3).values
    observer = Observer(game)

    def alike(other: Mapping[str, Value], seat: Value) -> bool:
        one, two = (
            observer.position(Context({var: held[name] for name, var in game.state.items()}), seat)
            for held in (values, other)
        )
        return one == two and to_data(scene(game, values)) != to_data(scene(game, other))

    for viewer, seat in enumerate(game.player.values):
        others = (exchanged(game, values, rng) for _ in range(200))
        other = next(found for found in others if alike(found, seat))
        one, two, first, second = drawn.scenes(
            [drawn.case(held, who) for who in (viewer, ALL) for held in (values, other)]
        )
        assert one == two
        assert first != second


def exchanged(game: Game, values: Mapping[str, Value], rng: random.Random) -> dict[str, Value]:
    """A position in which two hidden pieces have changed their places."""
    found = {name: _open(values[name]) for name, var in game.state.items() if var.hidden}
    places = [
        (name, i, j) for name, rows in found.items() for i, row in enumerate(rows) for j in range(len(row))
    ]
    (one, a, b), (two, c, d) = rng.sample(places, 2)
    found[one][a][b], found[two][c][d] = found[two][c][d], found[one][a][b]
    return {**values, **{name: _closed(values[name], rows) for name, rows in found.items()}}


def _open(value: Value) -> list[list[Value]]:
    """The pieces of a list, or at each key of a map of sets or single pieces."""
    if isinstance(value[0] if value else None, frozenset):
        return [sorted(row) for row in value]
    return [list(value)]


def _closed(value: Value, rows: list[list[Value]]) -> Value:
    """The same as a value like another one."""
    sets = isinstance(value[0] if value else None, frozenset)
    return tuple(map(frozenset, rows)) if sets else tuple(rows[0])


POINTING = """\
rulespec: 1
id: pointing
title: Pointing
players: 2
rules:
- id: base
  prose: There are spots.
  formal: |
    type Spot = 1..3
    hidden state aim: Spot? = none
- id: point
  prose: Point at a spot in secret, and at another for all to see.
  action: s in Spot, t in Spot
  secret: s
  open: t
  do: aim := s
diagram:
- mark: disc
  on: point
  across: s
  up: 1
- mark: disc
  on: point
  across: t
  up: 2
"""


def test_the_secret_part_of_an_action_is_drawn_for_the_mover_alone(player_page: Page, tmp_path: Path) -> None:
    path = tmp_path / "pointing.yaml"
    path.write_text(POINTING)
    drawn = Drawn(player_page, str(path))
    state = drawn.first.start(seed=1)
    moves = [move for move in state.moves if move.args == (2, 3)]
    cases = [drawn.case(state.values, viewer, actions=moves) for viewer in (0, ALL, 1, ONLOOKER)]
    found = [[(mark["x"], -mark["y"]) for mark in shown["marks"]] for shown in drawn.scenes(cases)]
    assert found == [[(2, 1), (3, 2)]] * 2 + [[(3, 2)]] * 2


PURSES = """\
rulespec: 1
id: purses
title: Purses
players: 2
rules:
- id: base
  prose: Each player has coins, whose number all see.
  formal: |
    type Coin = one of copper, gold
    hidden state stock: bag of Coin up to 4 = {4 copper, 2 gold}
    hidden state purse: map Player -> bag of Coin up to 4 = {}
  setup: |
    draw 3 of stock into purse[1]
    draw 2 of stock into purse[2]
  sees: |
    purse[viewer]
    size(purse[p]) for p in Player
- id: pay
  prose: Pay a coin.
  action: c in purse[mover]
  open: c
  do: remove c from purse[mover]
diagram:
- mark: hand
  for: p in Player
  items: purse[p]
  look: discs
"""


def test_what_others_have_in_a_bag_is_drawn_as_backs(player_page: Page, tmp_path: Path) -> None:
    path = tmp_path / "purses.yaml"
    path.write_text(PURSES)
    drawn = Drawn(player_page, str(path))
    state = drawn.first.start(seed=1)
    viewers = (0, 1, ONLOOKER)
    found = drawn.scenes([drawn.case(state.values, viewer) for viewer in viewers])
    shown = (picture(drawn.game, state, seat, None, (), ()) for seat in viewers)
    assert found == json.loads(json.dumps([to_data(scene_of(drawn.game, one)) for one in shown]))
    hands = [[mark["items"] for mark in scene["marks"]] for scene in found]
    backs = [[sum(not item.get("label") for item in hand) for hand in both] for both in hands]
    assert backs == [[0, 2], [3, 0], [3, 2]]


NEVER_EMPTY = """\
rulespec: 1
id: never-empty
title: Never empty
players: 2
rules:
- id: base
  prose: There is a hidden number.
  formal: |
    hidden state secret: 1..3 = 2
- id: pass
  prose: Nothing happens.
  action: ()
  do: secret := secret
diagram:
- mark: label
  across: 1
  up: 1
  label: SHOWN
"""


@pytest.mark.parametrize(("shown", "refused"), [("secret", True), ("3", False)])
def test_a_hidden_value_that_is_drawn_and_never_none_is_refused(
    tmp_path: Path, shown: str, refused: bool
) -> None:
    path = tmp_path / "never-empty.yaml"
    path.write_text(NEVER_EMPTY.replace("SHOWN", shown))
    game = rulespec.load(str(path))
    with pytest.raises(bundles.NotForPages, match="an optional type can") if refused else nullcontext():
        bundles.bundle(game, drawing(game.core))
