"""Scenes: their plain form, the sight of players and onlookers, series, named pictures, options."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from rulespec.book.drawing.description import describe_scene
from rulespec.book.drawing.diagram import Picture, draw, draw_series, legend, scene_of, signs, visible_values
from rulespec.book.drawing.layers import scene
from rulespec.book.drawing.scene import Mark, Piece, arrange, to_data, with_news
from rulespec.book.drawing.svg import own_views
from rulespec.play.face import State, load

VIEW = re.compile(r'viewBox="([^"]*)"')


def later(name: str, plies: int, seed: int = 1) -> State:
    """A position after random moves."""
    state, rng = load(name).start(seed=seed), random.Random(seed)
    while plies and not state.is_over:
        state, plies = state.play(rng.choice(state.moves)), plies - 1
    return state


def test_a_scene_is_plain_data() -> None:
    state = later("smith", 6)
    shown = scene(state.game.core, state.values)
    data = to_data(shown)
    assert json.loads(json.dumps(data)) == data
    cards = [mark for mark in data["marks"] if mark["kind"] == "card"]
    assert len(cards) == sum(spot is not None for spot in state.values["pyramid"])
    assert cards[0].keys() >= {"kind", "label", "suit", "rank", "x", "y"}
    assert "size" not in cards[0], "what is as usual is left out"
    assert to_data(
        arrange("t", [Mark("hand", 0, items=(Piece("a", 2),), looks=frozenset({"pips", "tiles"}))])
    ) == {
        "title": "t",
        "numbered": False,
        "marks": [
            {"kind": "hand", "layer": 0, "items": [{"label": "a", "tone": 2}], "looks": ["pips", "tiles"]}
        ],
    }


def test_ranks_and_suits_are_those_of_the_notation() -> None:
    state = load("smith").position({"hand": {"1": ["TH", "AS", "QC", "7D"]}, "mover": 1})
    hand = next(m for m in scene(state.game.core, state.values).hands if "Hand of player 1" in m.text)
    assert {(p.label, p.suit, p.rank) for p in hand.items} == {
        ("TH", "hearts", "10"), ("AS", "spades", "A"), ("QC", "clubs", "Q"), ("7D", "diamonds", "7")
    }  # fmt: skip


@pytest.mark.parametrize("name", ["smith", "leistiko", "kuhn-poker"])
def test_a_picture_shows_a_player_nothing_of_what_others_hold(name: str) -> None:
    """The opening picture of a rulebook had both hands and all cards that lie face down."""
    state = later(name, 0)
    players = state.game.core.player.values
    everything = scene(state.game.core, state.values)
    all_labels = _hidden(everything)
    for viewer in (*players, None):
        values, sizes = visible_values(state.game.core, state.values, viewer)
        shown = scene_of(state.game.core, Picture(values, sizes=sizes))
        labels = _hidden(shown)
        own = {n for n, label in labels.items() if label and label == all_labels[n]}
        assert len(own) <= (0 if viewer is None else 1), "at most the own hand is open"
        for place, found in labels.items():
            assert place in own or not any(found), f"{viewer} sees {found} at {place}"
        drawing = draw(state.game.core, values, alone=False, sizes=sizes)
        assert "-back" in drawing or "rs-dback" in drawing or "rs-back" in drawing


def _hidden(shown: Any) -> dict[str, tuple[str, ...]]:
    """The labels of hidden things: of hands by caption, or else of the cards on the table."""
    found = {m.text: tuple(p.label for p in m.items) for m in shown.hands if "Collected" not in m.text}
    if not found:
        found = {f"{m.x}": (m.label,) for m in shown.board if m.kind == "card"}
    return found


def test_a_picture_for_a_player_does_not_depend_on_what_the_player_cannot_see() -> None:
    state = later("smith", 0)
    game, values = state.game.core, state.values
    at = game.player.values.index(2)
    hand, aside = ([*values[name]] for name in ("hand", "aside"))
    hand[at], aside[at] = aside[at], hand[at]
    other = values | {"hand": tuple(hand), "aside": tuple(aside)}
    assert draw(game, values) != draw(game, other)
    for viewer, alike in ((1, True), (None, True), (2, False)):
        one, two = (
            draw(game, known, sizes=sizes)
            for known, sizes in (visible_values(game, v, viewer) for v in (values, other))
        )
        assert (one == two) is alike, viewer


def test_the_backs_of_an_onlooker_are_as_many_as_the_cards() -> None:
    state = later("smith", 5)
    values, sizes = visible_values(state.game.core, state.values)
    shown = scene_of(state.game.core, Picture(values, sizes=sizes)).hands
    whole = scene(state.game.core, state.values).hands
    assert [len(m.items) for m in shown] == [len(m.items) for m in whole]


def test_pictures_of_a_series_show_the_same_part_of_the_table() -> None:
    """Between two pictures of one example the grid lost a file, because no base could reach it any more."""
    states = [later("leistiko", plies) for plies in range(6)]
    game = states[0].game.core
    series = draw_series(game, [Picture(state.values) for state in states])
    assert len({view for drawing in series for view in VIEW.findall(drawing)}) == 1
    alone = {view for state in states for view in VIEW.findall(draw(game, state.values, alone=False))}
    assert len(alone) > 1, "or the test shows nothing"
    assert {view for drawing in series for view in VIEW.findall(own_views(drawing))} == alone


def test_marks_that_have_only_changed_their_depth_are_no_news() -> None:
    """A level that counts as the ground from now on lifts or lowers all that lies there."""

    def tiles(depth: int, *columns: int) -> list[Mark]:
        return [Mark("tile", 1, x, label="5", level=depth, corner=str(depth)) for x in columns]

    def news(before: list[Mark], now: list[Mark]) -> list[float]:
        scene = with_news(arrange("", now), arrange("", before))
        return [mark.x for mark in scene.marks if mark.new]

    assert news(tiles(1, 1, 2), tiles(2, 1, 2, 3)) == [3]
    assert news(tiles(1, 1, 2), [*tiles(1, 1), *tiles(2, 2)]) == [2], "one was lifted, and the other stayed"
    assert news(tiles(1, 1), tiles(2, 1)) == [1], "so it was if there is only one"


def test_what_never_changes_is_one_group_that_is_the_same_in_all_pictures() -> None:
    grounds = set()
    for plies in range(0, 40, 7):
        state = later("stout", plies)
        drawing = draw(state.game.core, state.values, alone=False)
        grounds.add(
            drawing[drawing.index('<g class="gg">') : drawing.index("</g>", drawing.index('<g class="gg">'))]
        )
    assert len(grounds) == 1
    assert len(grounds.pop()) > 2_000


CALLED = """\
rulespec: 1
id: called
title: Called
players: 1
rules:
- id: base
  prose: Two squares.
  formal: |
    type Square = 1..2
    state spot: Square? = none
- id: put
  prose: Put it somewhere.
  action: s in Square
  do: spot := s
- id: end
  prose: It is over.
  end: spot is some
diagram:
- mark: square
  for: s in Square
  across: s
  up: 1
- mark: callout
  in: setup
  across: 2
  up: 1
  text: The right square, {size(Square)} in all
- mark: highlight
  on: put
  across: s
  up: 1
- mark: line
  across: 1
  up: 1
  to-across: 2
  to-up: 1
"""


def test_a_layer_with_in_is_drawn_in_the_pictures_of_that_name(tmp_path: Any) -> None:
    file = tmp_path / "called.yaml"
    file.write_text(CALLED, "utf-8")
    state = load(file).start()
    game = state.game.core
    plain, setup = (
        draw(game, state.values, alone=False),
        draw(game, state.values, alone=False, names=["setup"]),
    )
    assert "bc" not in re.findall(r'class="(\w+)"', plain)
    assert ">The right square, 2 in all</text>" in setup
    assert "A: The right square, 2 in all" in setup, "also in words"
    assert legend(signs(plain)) == ""
    assert "the place meant" in legend(signs(draw(game, state.values, alone=False, moves=state.moves)))


def test_options_count_from_one_and_refused_ones_come_last() -> None:
    state = load("tic-tac-toe").start()
    assert scene(state.game.core, state.values, state.moves).options == frozenset(), (
        "this game draws no actions"
    )
    state = load("othello").start()
    shown = scene(state.game.core, state.values, state.moves[:2], refused=state.moves[:1])
    assert shown.options == {1, 2}, "a refused action that looks like a legal one is not drawn"


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        (
            "othello",
            {"disc": {"d4": 1, "e4": 2, "d5": 2}},
            "1 at d4; 2 at e4, d5",
        ),
        (
            "stout",
            {"mover": 1, "moves": 3, "special": "tip", "stack": {"a8": ["Y", "G"]}},
            "Y G at a8; To move: Y; Movement die: 3; Action die: tip",
        ),
        ("nim", {"left": [1, 0, 2]}, "3 times a piece"),
    ],
)
def test_a_drawing_says_in_words_what_lies_where(name: str, given: dict[str, Any], words: str) -> None:
    state = load(name).position(given)
    assert describe_scene(scene(state.game.core, state.values)) == words


def test_hidden_pieces_are_counted_in_words() -> None:
    state = load("smith").start(seed=3)
    values, sizes = visible_values(state.game.core, state.values)
    said = describe_scene(scene_of(state.game.core, Picture(values, sizes=sizes)))
    assert "Hand of player 2: 6 backs; Offhand of player 1: 6 backs" in said
