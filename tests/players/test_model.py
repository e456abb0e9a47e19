"""What plays are tried on: code says of every position what the interpreter says."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from python_instance import PythonInstance, Start
from texts import CARDS

from rulespec.code import Instance, Runner, write
from rulespec.play.face import Game, State, load
from rulespec.players.model import ByCode, ByRules
from rulespec.players.rules import Rules
from rulespec.players.search import SearchPlayer
from rulespec.players.simple import GreedyPlayer
from rulespec.players.table import Table
from rulespec.players.tree import Tree

NAMES = ("tic-tac-toe", "draughts", "pig", "kuhn-poker", "smith-small", "leistiko-small", "stout")
HIDDEN = ("kuhn-poker", "smith-small", "leistiko-small", "sacred-alignment-small")
GAMES = {name: load(name) for name in {*NAMES, *HIDDEN}}


def by_code(game: Game, started: Start = Instance) -> ByCode:
    written = write(game.core)
    return ByCode(game.core, game.machine, Runner(written, started(written)))


MODELS = {name: (by_code(game), ByRules(Rules(game.core, game.machine))) for name, game in GAMES.items()}


def states(game: Game, seed: int, plies: int) -> list[State]:
    """A random play of at most so many plies, chance and choices by a seed."""
    found, rng = [game.start(seed=seed)], random.Random(seed)
    while len(found) <= plies and not found[-1].is_over:
        found.append(found[-1].play(rng.choice(found[-1].moves)))
    return found


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(NAMES), st.integers(0, 99), st.integers(0, 25))
def test_code_says_what_the_interpreter_says(name: str, seed: int, plies: int) -> None:
    code, rules = MODELS[name]
    state = states(GAMES[name], seed, plies)[-1]
    node, position = code.at(state.position), state.position
    assert (code.players, code.hides) == (rules.players, rules.hides)
    moves = [code.said(row) for row in code.moves(node, 10_000)]
    assert sorted(moves) == sorted(state.moves)
    assert all(code.own(move) == row for move, row in zip(moves, code.moves(node, 10_000), strict=True))
    assert all(code.is_legal(node, code.own(move)) for move in moves[:3])
    for asked in ("is_over", "mover", "winners", "scores", "nearness"):
        assert getattr(code, asked)(node) == getattr(rules, asked)(position), asked


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(HIDDEN), st.lists(st.integers(0, 30), min_size=2, max_size=4), st.integers(0, 6))
def test_what_looks_the_same_is_the_same_for_both(name: str, seeds: list[int], plies: int) -> None:
    code, rules = MODELS[name]
    positions = [state.position for seed in seeds for state in states(GAMES[name], seed, plies)]
    for seat in rules.players:
        seen = [(code.seen(code.at(p), seat), rules.seen(p, seat)) for p in positions]
        for a, b in pairwise(sorted(seen, key=repr)):
            assert (a[0] == b[0]) == (a[1] == b[1])
        assert len({a for a, _ in seen}) == len({b for _, b in seen})


def test_a_sight_shows_what_it_shows_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "cards.yaml").write_text(CARDS)
    game = load(str(tmp_path / "cards.yaml"))
    code = by_code(game)
    start = game.start(seed=1)
    other = start.to_data()
    swapped = {**other, "hand": dict(zip(other["hand"], reversed(other["hand"].values()), strict=True))}
    a, b = (code.at(game.position(data).position) for data in (other, swapped))
    assert code.seen(a, 1) != code.seen(b, 1)
    again = code.at(game.position(other).position)
    assert code.seen(a, 2) == code.seen(again, 2)


def test_random_plies_go_on_by_the_rules() -> None:
    code, _ = MODELS["smith-small"]
    node = code.at(GAMES["smith-small"].start(seed=1).position)
    after, plies = code.rest(node, code.chance("a"), 3, lambda: False)
    assert plies == 3 and not code.is_over(after)
    end, more = code.rest(after, code.chance("b"), 1000, lambda: False)
    assert code.is_over(end) and 0 < more < 1000
    assert code.rest(end, code.chance("c"), 10, lambda: False) == (end, 0)
    assert code.rest(after, code.chance("d"), 10, lambda: True) == (after, 0)


def test_without_code_the_interpreter_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulespec.code.program.MOST_CELLS", 3)
    table = Table([load("tic-tac-toe").start()])
    view = table.view()
    assert isinstance(view.model(), ByRules)
    assert SearchPlayer(1, plays=10).choose(view) in view.moves
    assert GreedyPlayer(1).choose(view) in view.moves


@pytest.mark.parametrize("name", ["tic-tac-toe", "kuhn-poker", "pig"])
def test_a_search_is_the_same_in_the_machine_and_in_python(name: str) -> None:
    game = GAMES[name]
    state = game.start(seed=3)
    grown = []
    for model in (by_code(game), by_code(game, PythonInstance)):
        moves = [model.own(move) for move in state.moves]
        tree = Tree(model, state.values["mover"], [model.at(state.position)], moves, "seed", 100)
        for _ in range(200):
            tree.grow(lambda: False)
        grown.append([(model.said(move), edge.visits, edge.wins) for move, edge in tree.root.edges.items()])
    assert grown[0] == grown[1]


def test_moves_that_look_the_same_lead_to_one_node_of_a_search(tmp_path: Path) -> None:
    """A search for a seat must not depend on a secret of another player, by code or by the rules."""
    whispers = Path(__file__).parents[1] / "language" / "good" / "whispers.yaml"
    game = load(str(whispers))
    state = game.start(seed=1)
    grown = {}
    for model in (by_code(game), ByRules(Rules(game.core, game.machine))):
        position = model.at(state.position)
        moves = [model.own(move) for move in state.moves]
        for seat in game.players:
            tree = Tree(model, seat, [position], moves, "seed", 20)
            for _ in range(100):
                tree.grow(lambda: False)
            assert len(tree.root.edges) == len(moves)
            grown.setdefault(seat, set()).add(len(tree.root.nodes))
    # One player whispers: 2 heard numbers in 3 ways each; the others observe whom, or one number more.
    # Then 3 numbers are pledged, and passing looks like nothing, or like passing.
    assert grown == {1: {6 + 3 + 3}, 2: {3 + 1 + 3 + 1}, 3: {3 + 1 + 1 + 1}}
