"""The tree search: the same in the machine and in Python, by the rules, and none the wiser for secrets."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from python_instance import PythonInstance, Start

from rulespec.cli.board import advice_text
from rulespec.code import Instance, Runner, write
from rulespec.code.execution.tree_search import TreeSearch
from rulespec.kernels import tree_search as kernel
from rulespec.play.face import Game, State, load
from rulespec.players.search import SearchPlayer
from rulespec.players.simple import GreedyPlayer
from rulespec.players.table import Table

WHISPERS = Path(__file__).parents[1] / "language" / "good" / "whispers.yaml"


def tree_of(game: Game, started: Start = Instance) -> TreeSearch:
    written = write(game.core)
    return TreeSearch(Runner(written, started(written)))


def grown(tree: TreeSearch, state: State, plays: int, seat: object = None) -> list[tuple[object, ...]]:
    """The results of a search in a state whose position is known."""
    seat = state.values["mover"] if seat is None else seat
    tree.begin(seat, [state.position.values], state.moves, "seed", plays, lambda: False)
    tree.grow(plays, math.inf, lambda: False)
    return sorted(map(tuple, tree.results()), key=repr)


@pytest.mark.parametrize("name", ["tic-tac-toe", "kuhn-poker", "pig", str(WHISPERS)])
def test_a_search_is_the_same_in_the_machine_and_in_python(name: str) -> None:
    state = load(name).start(seed=3)
    found = [grown(tree_of(state.game, started), state, 60) for started in (Instance, PythonInstance)]
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["connect-four", "smith-small", "leistiko-small", "sacred-alignment-small"])
def test_a_search_again_is_the_same_and_counts_what_it_did(name: str) -> None:
    tree, state = tree_of(load(name)), load(name).start(seed=2)
    found = grown(tree, state, 300)
    assert tree.plays == 300 == sum(int(str(result[1])) for result in found)
    grown(tree, state, 50)
    assert grown(tree, state, 300) == found
    assert {result[0] for result in found} <= {*state.moves}


def test_a_full_tree_goes_on_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulespec.code.execution.tree_search.MOST_NODES", 20)
    state = load("connect-four").start()
    found = grown(tree_of(state.game), state, 2_000)
    assert sum(int(str(result[1])) for result in found) == 2_000


def test_a_short_buffer_of_legal_actions_is_made_longer() -> None:
    game = load("draughts-small")
    tree, state = tree_of(game), game.start()
    assert not tree._written.rows.fits
    found = grown(tree, state, 50)
    short = max(tree._written.constants.get("BLOCK", 0), 2 * tree._written.width)
    tree._now = (*tree._now[:3], tree._runner.instance.room("numbers", short))
    assert grown(tree, state, 50) == found
    assert len(tree._now[3]) > short


def test_without_code_the_greedy_player_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulespec.code.program.MOST_CELLS", 3)
    table = Table([load("tic-tac-toe").start()])
    view = table.view()
    assert view.tree() is None
    advice = SearchPlayer(1, plays=10).advise(view)
    assert advice.move == GreedyPlayer(1).choose(view)
    assert "greedy choice" in advice_text(advice, False, 2)


def test_moves_that_look_the_same_lead_to_one_node_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search for a seat must not depend on a secret of another player."""
    # So all nodes are children of the root.
    monkeypatch.setattr("rulespec.code.execution.tree_search.DEEPEST", 1)
    game, children = load(str(WHISPERS)), {}
    tree, state = tree_of(game), game.start(seed=1)
    for seat in game.players:
        assert len(grown(tree, state, 100, seat)) == 12
        children[seat] = tree._tally[kernel.T_NODES] - 1
    # One player whispers: 2 heard numbers in 3 ways each; the others observe whom, or one number more.
    # Then 3 numbers are pledged, and passing looks like nothing, or like passing.
    assert children == {1: 6 + 3 + 3, 2: 3 + 1 + 3 + 1, 3: 3 + 1 + 1 + 1}
