"""States folded by symmetries: fewer are kept, and everything that is told is as without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from rulespec.code.packed_rows.images import NoRowImage
from rulespec.core.game import Game
from rulespec.core.symmetry import Symmetry
from rulespec.language import load
from rulespec.play.plays import perform, write_down
from rulespec.solver.engines import choose
from rulespec.solver.explore import (
    CodeStates,
    NotInvariant,
    NotSymmetric,
    without_draw_count,
)
from rulespec.solver.explore.graph import Graph
from rulespec.solver.explore.markov_decision_process import ExpectedValues, expectation_at_start
from rulespec.solver.pairs.images import commute, generators, group_of

GAMES: dict[str, tuple[dict[str, int], int]] = {
    "tic-tac-toe": ({"width": 3, "height": 2}, 2),
    "hex": ({"side": 2}, 2),
    "connect-four": ({"width": 3, "height": 2, "in-line": 2}, 2),
    "peg-solitaire": ({"side": 5, "corner": 2}, 8),
    "breakthrough": ({"width": 2, "height": 4, "rows": 1}, 2),
    "eight-puzzle": ({"width": 2, "height": 2}, 2),
    "othello": ({"side": 4}, 4),
}


def explored(game: Game, symmetries: Sequence[Symmetry] = (), most: int = 3_000, **how: Any) -> CodeStates:
    states = CodeStates(game, ways=True, symmetries=symmetries, **how)
    while states.deeper(lambda: "", most):
        pass
    return states


def given(name: str) -> tuple[Game, list[Symmetry]]:
    game = load(name, None, GAMES[name][0])
    symmetries = group_of(game)
    assert len(symmetries) == GAMES[name][1]
    return game, symmetries


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("shown", [False, True])
def test_what_is_counted_is_as_without_symmetries(name: str, shown: bool) -> None:
    game, symmetries = given(name)
    if name == "othello":  # too large to close here: layer by layer then
        whole, folded = CodeStates(game), CodeStates(game, symmetries=symmetries, shown=shown)
        for states in (whole, folded):
            while len(states.counts) < 6:
                assert states.deeper(lambda: "", 100_000)
    else:
        whole, folded = explored(game), explored(game, symmetries, shown=shown)
        assert folded.closed
    assert folded.states < whole.states
    assert folded.all_counts == whole.counts
    assert folded.digest() == whole.digest()


@pytest.mark.parametrize("name", ["tic-tac-toe", "hex", "connect-four", "breakthrough"])
def test_best_play_comes_to_the_same(name: str) -> None:
    game, symmetries = given(name)
    found = {Graph(states).values(None)[0] for states in (explored(game), explored(game, symmetries))}
    assert len(found) == 1


@pytest.mark.parametrize("name", ["tic-tac-toe", "eight-puzzle", "connect-four"])
def test_plays_to_states_are_plays_of_the_game(name: str) -> None:
    game, symmetries = given(name)
    states = explored(game, symmetries)
    for number in range(0, states.states, 7):
        play, _ = write_down(game, *states.play_to(number))
        end = without_draw_count(perform(game, play).position)
        row = states.instance.words(states.layout.row_of(end))
        assert tuple(states.folding.least(row)) == states.row(number)


WRONG = """
rulespec: 1
id: wrong
title: A line of three
extends: tic-tac-toe
replace:
  claims.mirrored:
    id: mirrored
    prose: The first two columns can be exchanged.
    symmetry: s in Square -> if s.col = 3 then s else Square(3 - s.col, s.row)
"""


def test_what_is_no_symmetry_is_noticed(tmp_path: Any) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(WRONG, "utf-8")
    game = load(path, None, {"width": 3, "height": 3})
    symmetries = generators([game.claims["mirrored"]])
    with pytest.raises(NotSymmetric):
        explored(game, [symmetries[0].still, *symmetries])


def test_a_start_that_is_not_its_own_image_is_noticed(tmp_path: Any) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(
        """
rulespec: 1
id: wrong
title: Two players
extends: tic-tac-toe
add:
- claim:
    id: others
    prose: The players can be exchanged.
    symmetry: p in Player -> after(p)
""",
        "utf-8",
    )
    game = load(path, None, {"width": 3, "height": 2})
    symmetries = generators([game.claims["others"]])
    with pytest.raises(NotSymmetric) as caught:
        explored(game, [symmetries[0].still, *symmetries])
    assert caught.value.begins


def test_an_uneven_question_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "uneven.yaml"
    path.write_text(
        """
rulespec: 1
id: uneven
title: A corner
extends: tic-tac-toe
add:
- claim:
    id: corner
    prose: The first corner is marked.
    invariant: mark["1.1"] is none
""",
        "utf-8",
    )
    game = load(path, None, {"width": 3, "height": 2})
    states = CodeStates(game, {"corner": game.claims["corner"].condition}, symmetries=group_of(game))
    states.deeper(lambda: "", 1_000)
    states.deeper(lambda: "", 1_000)
    with pytest.raises(NotInvariant):
        states.scan("corner")


def test_a_list_whose_codes_would_be_taken_for_its_end_is_not_turned(tmp_path: Any) -> None:
    path = tmp_path / "list.yaml"
    path.write_text(
        """
rulespec: 1
id: listed
title: A list
players: 1
rules:
- id: say
  prose: Say a colour.
  formal: |
    type Colour = one of red, blue
    state said: list of Colour up to 2 = []
  action: c in Colour
  written: say {c}
  do: put c under said
- id: enough
  prose: Twice.
  end: size(said) = 2
claims:
- id: exchanged
  prose: The colours can be exchanged.
  symmetry: c in Colour -> if c is red then blue else red
""",
        "utf-8",
    )
    game = load(path)
    with pytest.raises(NoRowImage):
        CodeStates(game, symmetries=group_of(game))


DICE = """
rulespec: 1
id: dice
title: Two rows of counters
players: 1
rules:
- id: push
  prose: Push the counter of a row; a die says whether it moves.
  formal: |
    type Row = one of upper, lower
    type Face = 1..3
    state far: map Row -> 0..3 = 0
    state die: Face? = none
    state turns: 0..4 = 0
  action: r in Row
  written: push {r}
  require:
    room:
      prose: It is not at the end.
      that: far[r] < 3
  do: |
    roll die from Face
    if die != 1: add 1 to far[r]
    die := none
    add 1 to turns
- id: over
  prose: After four turns it is over.
  end: turns = 4
claims:
- id: exchanged
  prose: The rows can be exchanged.
  symmetry: r in Row -> if r is upper then lower else upper
"""


def test_chance_in_plies_is_kept_with_its_odds_where_formulas_show_the_symmetry(tmp_path: Any) -> None:
    path = tmp_path / "dice.yaml"
    path.write_text(DICE.strip() + "\n", "utf-8")
    game = load(path)
    symmetries = group_of(game)
    assert commute(game, symmetries[1:], 20, choose())
    with pytest.raises(NoRowImage):
        explored(game, symmetries)
    worths = []
    for states in (explored(game), explored(game, symmetries, shown=True)):
        graph = Graph(states)
        found = ExpectedValues(
            graph, lambda i, at=states: max(at.position(i).values[2]), lambda i: 0, lambda i: True
        )
        worths.append((sum(states.all_counts), states.digest(), expectation_at_start(graph, found.worth)))
    assert worths[0] == worths[1]
