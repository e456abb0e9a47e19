"""Explorations number outcomes in batches, mark late in which states nobody can act, and keep no parents."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from python_instance import BOTH, Start, starting

from rulespec.code import TooLarge
from rulespec.code.packed_rows.fields import constant_variables
from rulespec.code.packed_rows.images import NoRowImage, image_tables
from rulespec.core.game import Game
from rulespec.core.symmetry import Image, Symmetry
from rulespec.core.types import Scalar
from rulespec.language import load
from rulespec.play.plays import perform, write_down
from rulespec.solver.explore import BuiltinQuestion, CodeStates, InterpreterStates, States, without_draw_count
from rulespec.solver.explore import code_states as space
from rulespec.solver.pairs.images import group_of

ROOMS = """\
rulespec: 1
id: rooms
title: Rooms
rules:
- id: rooms
  prose: Two tokens walk along a strip and never turn back. They may rest, twice.
  formal: |
    type Token = 1..2
    type Spot = 1..5
    state place: map Token -> Spot = 1
    state rests: 0..2 = 0
    state front: Token = 1
- id: walk
  prose: A token takes one step or two.
  action: t in Token, n in 1..2
  require:
    room:
      prose: There is room ahead.
      that: place[t] + n <= 5
  do: place[t] := place[t] + n
- id: rest
  prose: Rest.
  action: r in 1..1
  require:
    tired:
      prose: Only where the tokens stand together.
      that: place[1] = place[2] and rests < 2 and place[1] < 5
  do: rests := rests + 1
"""


def rooms(tmp_path: Path) -> Game:
    path = tmp_path / "rooms.yaml"
    path.write_text(ROOMS.replace("  action: true\n", "  action: r in 1..1\n"), "utf-8")
    return load(path)


def explored(states: States, most: int = 100_000, asked: bool = False) -> States:
    while states.deeper(lambda: "", most):
        if asked:  # the states of the last layer are marked before any of them is followed
            states.scan(BuiltinQuestion.ENDED, states.seen_count - states.counts[-1], states.seen_count)
    return states


@BOTH
@pytest.mark.parametrize("asked", [False, True])
def test_states_in_which_nobody_can_act_are_the_same_marked_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: Start, asked: bool
) -> None:
    """They are reached in many ways, before they are marked and after, and are found when the table grew."""
    monkeypatch.setattr(space, "FIRST_ROOM", 2)
    game = rooms(tmp_path)
    with starting(started):
        code = explored(CodeStates(game, ways=True), asked=asked)
    rules = explored(InterpreterStates(game, ways=True, layout=code.layout))
    assert code.counts == rules.counts
    assert [*code.scan(BuiltinQuestion.ENDED)] == [*rules.scan(BuiltinQuestion.ENDED)]
    assert sum(map(bool, code.scan(BuiltinQuestion.ENDED))) == 3
    assert code.digest() == rules.digest()


ROLLS = """\
rulespec: 1
id: rolls
title: Rolls
rules:
- id: walk
  prose: Roll a die of three or of four sides, and walk as far.
  formal: |
    state spot: 0..300 = 0
    state die: 1..4 = 1
  action: sides in 3..4
  do: |
    roll die from 1..sides
    spot := min(300, spot + die)
- id: there
  prose: Until three hundred.
  end: spot = 300
"""


@BOTH
def test_an_exploration_that_found_no_memory_goes_on_when_there_is_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: Start
) -> None:
    """Of two arrays that grow together one had room, and the next call wrote past the other (regression)."""
    monkeypatch.setattr(space, "FIRST_ROOM", 2)
    path = tmp_path / "rolls.yaml"
    path.write_text(ROLLS, "utf-8")
    game, calls = load(path), itertools.count()
    with starting(started):
        code = CodeStates(game, ways=True)
        grow = code.instance.grow

        def often_full(held: Any, size: int) -> None:
            if next(calls) % 2:
                raise TooLarge("it takes more than there is")
            grow(held, size)

        monkeypatch.setattr(code.instance, "grow", often_full)
        while not explored(code).closed:
            assert code.stopped == "it takes more than there is"
    rules = explored(InterpreterStates(game, ways=True, layout=code.layout))
    assert code.digest() == rules.digest()
    assert [code.ways_of(i) for i in range(code.states)] == [rules.ways_of(i) for i in range(code.states)]


@pytest.mark.parametrize("look", ["scan", "position", "digest"])
def test_states_that_were_never_followed_are_marked_when_they_are_asked_about(
    tmp_path: Path, look: str
) -> None:
    game = rooms(tmp_path)
    code = CodeStates(game)
    rules = InterpreterStates(game, layout=code.layout)
    for _ in range(5):
        assert code.deeper(lambda: "", 100_000)
        assert rules.deeper(lambda: "", 100_000)
    last = rules.positions.index(next(p for p in rules.positions if p.ended))
    assert last >= rules.seen_count - rules.counts[-1]
    if look == "scan":
        assert [*code.scan(BuiltinQuestion.ENDED)] == [*rules.scan(BuiltinQuestion.ENDED)]
    elif look == "position":
        assert code.position(last) == rules.position(last)
    else:
        assert code.digest() == rules.digest()


@pytest.mark.parametrize("most", [1, 2, 100, 1000, 4095])
def test_no_more_states_are_known_than_may_be(most: int) -> None:
    states = CodeStates(load("tic-tac-toe"))
    whole = explored(CodeStates(load("tic-tac-toe"))).counts
    assert explored(states, most).stopped == f"{most:,} positions"
    assert states.states == most
    assert states.counts == whole[: len(states.counts)]
    assert sum(whole[: len(states.counts) + 1]) > most
    assert explored(states).counts == whole


@pytest.mark.parametrize("folded", [False, True])
@pytest.mark.parametrize("name", ["tic-tac-toe", "nine-mens-morris", "connect-four"])
def test_the_way_to_a_state_is_a_shortest(name: str, folded: bool) -> None:
    """Plies tell where it was reached from first, among the few states that were followed about then."""
    game = load(name)
    states = CodeStates(game, symmetries=group_of(game) if folded else ())
    explored(states, 3_000)
    depths = [depth for depth, count in enumerate(states.counts) for _ in range(count)]
    for number in range(0, len(depths), 37):
        path = states.path_to(number)
        assert len(path) - 1 == depths[number]
        assert path == sorted(path)
        play, end = write_down(game, *states.play_to(number))
        assert perform(game, play).position == end.position
        if not folded:
            assert without_draw_count(end.position) == states.position(number)


def test_more_outcomes_than_a_batch_holds_come_of_one_state(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("nim", None, {"piles": [99, 99, 99, 99]})
    states = CodeStates(game)
    for _ in range(2):
        states.deeper(lambda: "", 100_000)
    assert states.counts == [1, 99 * 4]
    assert states._followed_outcomes == 99 * 4
    monkeypatch.setattr(space, "SLICE", 0.0)
    states = CodeStates(game)
    for _ in range(2):
        states.deeper(lambda: "", 100_000)
    assert states.counts == [1, 99 * 4]


DEALS = """\
rulespec: 1
id: deals
title: Deals
rules:
- id: deal
  prose: A card is drawn and shown.
  formal: |
    type Card = 1..4
    state drawn: list of Card up to size(Card) = []
    state pile: set of Card = {}
    state shown: Card? = none
  setup: |
    shuffle Card into drawn
    shown := drawn[1]
    LAST
- id: take
  prose: Take a card.
  action: n in Card
  require:
    new:
      prose: It was not taken.
      that: n not in pile and n != shown
  do: |
    PLY
"""


@pytest.mark.parametrize(
    ("last", "ply", "expected"),
    [
        ("drawn := []", "add n to pile", {"drawn"}),
        ("drawn := [2]", "add n to pile", set()),
        ("if shown = 1: drawn := []", "add n to pile", set()),
        ("swap drawn[1] with drawn[2]", "add n to pile", set()),
        ("drawn := []", "add n to pile\n    drawn := [n]", set()),
    ],
)
def test_what_never_changes_takes_no_room(tmp_path: Path, last: str, ply: str, expected: set[str]) -> None:
    """Rows without it hold as much: the states are those of the interpreter, with the same digest."""
    path = tmp_path / "deals.yaml"
    path.write_text(DEALS.replace("LAST", last).replace("PLY", ply), "utf-8")
    game = load(path)
    assert {var.name for var in constant_variables(game)} - {"mover"} == expected
    code = explored(CodeStates(game))
    rules = explored(InterpreterStates(game, layout=code.layout))
    assert code.counts == rules.counts
    assert code.digest() == rules.digest()
    assert {code.position(i) for i in range(code.states)} == set(rules.positions)
    bits = sum(field.bits for field in code.layout.cells)
    assert (bits < sum(field.bits for field in code.layout.whole.cells)) == ("drawn" in expected)


def test_images_of_what_never_changes(tmp_path: Path) -> None:
    """Rows that have no room for a value cannot hold another in its image."""
    game = rooms(tmp_path)
    layout = CodeStates(game).layout
    assert {var.name for var in layout.idle} >= {"front"}
    token = game.state["front"].type
    assert isinstance(token, Scalar)
    still, swapped = (Symmetry([Image(token, values)]) for values in ((1, 2), (2, 1)))
    assert image_tables(layout, [still])
    assert image_tables(layout.whole, [still, swapped])
    with pytest.raises(NoRowImage):
        image_tables(layout, [still, swapped])
