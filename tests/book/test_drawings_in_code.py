"""Drawings by the code of a game: its scenes are those of the layers, and show a seat only what it knows."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from marks_in_code import Drawer

from rulespec.book.diagram import Picture, scene_of, seen
from rulespec.book.marks import MARKS
from rulespec.book.scene import Scene, to_data
from rulespec.browser.know import ALL, ONLOOKER
from rulespec.code import TooLarge
from rulespec.core.context import Context
from rulespec.core.game import Game
from rulespec.core.types import Value
from rulespec.language.loader import shipped
from rulespec.play.face import State, load
from rulespec.play.observation import Observer, Seen
from rulespec.play.position import Move

ROOT = Path(__file__).parents[2]
GAMES = sorted(name for name, path in shipped().items() if "variants" not in path.parts)
PLIES = 12


def later(name: str, plies: int) -> Iterator[State]:
    """The positions of a random play."""
    rng = random.Random(name)
    state = load(name).start(seed=plies)
    for _ in range(plies):
        yield state
        if state.is_over:
            return
        state = state.play(rng.choice(state.moves))
    yield state


def shown(state: State, viewer: int, moves: Sequence[Move]) -> Scene:
    """The scene of a position for a viewer by the layers, with actions."""
    game, values, sizes = state.game.core, state.values, None
    if viewer != ALL:
        values, sizes = seen(game, values, None if viewer == ONLOOKER else viewer)
    return scene_of(game, Picture(values, sizes=sizes, moves=moves))


@pytest.mark.parametrize("name", GAMES)
def test_scenes_by_the_code_of_a_game_are_those_of_its_layers(name: str) -> None:
    game = load(name).core
    drawer, rng = Drawer(game), random.Random(name)
    for state in later(name, PLIES):
        node = drawer.node(state.values)
        moves = rng.sample(state.moves, min(rng.randrange(4), len(state.moves)))
        for viewer in (ALL, ONLOOKER, *game.player.values):
            found = to_data(drawer.scene(node, viewer, moves))
            assert found == to_data(shown(state, viewer, moves)), viewer


def test_each_mark_of_a_drawing_can_be_drawn_by_code() -> None:
    """The game of all marks has one action for each: after it that mark is on the table."""
    state = load(str(ROOT / "docs" / "games" / "marks.yaml")).start(seed=1)
    drawer = Drawer(state.game.core)
    kinds: set[str] = set()
    for move in state.moves:
        after = state.play(move)
        found = drawer.scene(drawer.node(after.values))
        assert to_data(found) == to_data(shown(after, ALL, ()))
        kinds.update(mark.kind for mark in found.marks)
    assert kinds == MARKS.keys() - {"hexagon"}


@pytest.mark.parametrize("name", ["smith", "leistiko", "kuhn-poker"])
def test_the_scene_of_a_seat_does_not_depend_on_what_it_cannot_see(name: str) -> None:
    """Two hidden pieces are exchanged, so that the seat cannot distinguish the positions."""
    state = load(name).start(seed=3)
    game = state.game.core
    drawer, rng, observer = Drawer(game), random.Random(name), Observer(game)

    def observed(values: Mapping[str, Value], seat: int) -> Seen:
        return observer.position(Context({var: values[name] for name, var in game.state.items()}), seat)

    for seat in game.player.values:
        for _ in range(200):
            values = exchanged(game, state.values, rng)
            if observed(values, seat) == observed(state.values, seat):
                break
        else:
            pytest.fail("no pieces were found that the seat does not see")
        nodes = drawer.node(state.values), drawer.node(values)
        one, two = (to_data(drawer.scene(node, seat)) for node in nodes)
        assert one == two


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
"""


def test_a_hidden_value_that_is_never_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "never-empty.yaml"
    path.write_text(NEVER_EMPTY)
    with pytest.raises(TooLarge, match="`secret` is hidden"):
        Drawer(load(str(path)).core)
