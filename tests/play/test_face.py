"""The Python face: positions from data and pictures, states, sights, notebooks."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import handmade
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playouts import playout

import rulespec
from rulespec import Game
from rulespec.play.errors import PositionError, UnknownAction
from rulespec.play.position import Move

GAMES = {name: Game(core) for name, core in handmade.all_games().items()}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 50), st.integers(0, 12))
def test_the_data_of_a_state_are_a_position_with_the_same_future(name: str, seed: int, plies: int) -> None:
    state = playout(GAMES[name].start(seed=seed), seed, most=plies)
    again = GAMES[name].position(state.to_data(), seed=seed)
    assert again.to_data() == state.to_data()
    if not state.fault:
        assert again.moves == state.moves
        assert (again.ended_by, again.winners, again.scores) == (state.ended_by, state.winners, state.scores)


def test_what_is_not_named_keeps_its_declared_value() -> None:
    state = GAMES["trail"].position({"rests": 1})
    assert state.to_data() == {
        "mover": 1, "over": False, "here": "a", "seen": ["a"], "marks": dict.fromkeys("abcde", 0), "rests": 1,
    }  # fmt: skip


def test_whether_a_given_position_is_over_follows_from_the_rules() -> None:
    nim = GAMES["nim"]
    assert nim.position({"left": {"a": 0, "b": 0}}).ended_by == "cleared"
    assert nim.position({"left": {"a": 0, "b": 0}, "over": False}).ended_by is None
    assert nim.position({"left": {"a": 0, "b": 0}, "over": True}).ended_by == "cleared"
    assert nim.position({"left": {"a": 0, "b": 1}, "over": True}).ended_by == "stuck"
    assert GAMES["ziggurat"].position({"skips": 1}).ended_by == "stuck"


@pytest.mark.parametrize(
    ("name", "data", "problems"),
    [
        ("nim", {"lefd": {}}, {"lefd": "no state variable `lefd`; did you mean left?"}),
        ("nim", {"left": {"c": 1}, "gone": 7}, {
            "left": "`left`: `c` is not a Heap (a, b)", "gone": "`gone`: `7` is not one of 0..2"}),
        ("ziggurat", {"pips": {"1.1": 9}}, {"pips": "`pips`: at 1.1: `9` is not a Pip (0, 1)"}),
        ("ziggurat", {"pips": ". .\n. . ."}, {"pips": "`pips`: row 2 of the picture has 4 cells, not 3"}),
        ("ziggurat", {"pips": ". . . ."}, {"pips": "`pips`: the picture of `pips` has 2 rows, not 1"}),
        ("ziggurat", {"pips": ". .\n. . 7 ."}, {"pips": "`pips`: row 2, at 1.3: `7` is not a Pip (0, 1)"}),
        ("trail", {"marks": "1 2 3"}, {
            "marks": "`marks`: the diagram does not say where each key of `marks` lies; give it by keys"}),
    ],
)  # fmt: skip
def test_impossible_positions_say_all_that_is_wrong(name: str, data: Any, problems: dict[str, str]) -> None:
    with pytest.raises(PositionError) as caught:
        GAMES[name].position(data)
    assert caught.value.problems == problems


def test_a_picture_is_read_where_the_diagram_draws_it() -> None:
    drawn = GAMES["ziggurat"].position({"pips": "  . 1\n0 1 . .\n", "hand": ["0-1"]})
    assert drawn.to_data()["pips"] == {"2.3": 1, "1.1": 0, "1.2": 1}
    assert GAMES["nim"].position({"left": "1 2"}).to_data()["left"] == {"a": 1, "b": 2}
    with pytest.raises(PositionError, match=r"`\.` is not a Size"):
        GAMES["nim"].position({"left": ". 2"})


def test_players_see_what_is_not_hidden_and_what_the_rules_show() -> None:
    seen = GAMES["ziggurat"].start(seed=1).seen_by(1)
    assert "pile" not in seen
    assert seen["size(pile)"] == 2
    assert len(seen["hand"]) == 1


def test_states_are_values() -> None:
    first, second = GAMES["nim"].start(), GAMES["nim"].start()
    assert first == second
    assert len({first, second, first.play("take 1 from a")}) == 2
    assert first.play("take 1 from a").play("take 1 from b") == first.play("take 1 from b").play(
        "take 1 from a"
    )
    assert first != Game(handmade.nim((1, 3))).start()
    assert first.to_move == 1, "playing on changes nothing in the state played from"


def test_actions_say_what_they_are() -> None:
    action = GAMES["ziggurat"].start(chance=[["0-1", "0-0", "1-1"]]).actions()[0]
    assert (action.id, str(action), action.full) == ("place", "place 1-1 1.1/1.2", "place(1-1, 1.1/1.2)")
    assert (action.args, action.move) == (((1, 1), ((1, 1), (1, 2))), Move(*action.move))
    assert action.arguments == {"d": "1-1", "s": "1.1/1.2"}
    with pytest.raises(UnknownAction, match="no action of `nim`"):
        GAMES["nim"].start().play(action)


def test_a_game_without_seed_or_outcomes_draws_a_seed_and_says_it() -> None:
    state = GAMES["ziggurat"].start()
    assert state.seed is not None
    assert GAMES["ziggurat"].start(seed=state.seed) == state


def test_everything_shows_itself_in_a_notebook() -> None:
    for game in GAMES.values():
        state = game.start(seed=1)
        assert game.core.title in game._repr_html_()
        assert "<code>" in state.actions()[0]._repr_html_()
        assert "to move" in state._repr_html_()
        drawing = state._repr_svg_()
        assert (
            drawing is None if not game.core.diagram else drawing is not None and drawing.startswith("<svg")
        )


def test_importing_the_package_imports_nothing_heavy() -> None:
    heavy = "{'lark', 'yaml', 'z3', 'rulespec.play.face'}"
    code = f"import rulespec, sys; print(*({heavy} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_all_public_names_exist() -> None:
    assert all(getattr(rulespec, name) is not None for name in rulespec.__all__)
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        rulespec.lode  # noqa: B018
