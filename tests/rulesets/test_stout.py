"""Stout's race under its other readings and settings, and with Queens."""

from __future__ import annotations

from typing import Any

import pytest
from shipped_games import load

from rulespec.core.context import Context
from rulespec.core.evaluate import call
from rulespec.play.face import State

RULINGS = {
    "entry-corner", "goal-stack", "tip-goal", "hop-count", "aim-stack", "blocking", "maximal-move",
    "wall-stop", "leap", "dig", "swap", "tip", "redo", "order", "movement-die", "action-die", "two-players",
    "teams", "two-colours-roll", "three-players", "strays", "home", "unload", "roll-movement",
}  # fmt: skip
OF_THE_QUEEN = {"queen", "arrange", "queen-odd-points", "queen-carried-home", "queen-above-drones"}


def test_every_ruling_is_there() -> None:
    assert set(load("stout").core.rulings) == RULINGS
    assert set(load("stout-queen").core.rulings) == RULINGS | OF_THE_QUEEN


def legal(given: dict[str, Any], *, name: str = "stout", players: int = 4, **readings: str) -> set[str]:
    state = load(name, players=players, readings=readings).position(given, seed=0)
    return {str(action) for action in state.actions()} - {"done"}


@pytest.mark.parametrize(
    ("ruling", "reading", "given", "plain", "other"),
    [
        ("entry-corner", "halts", {"moves": 3, "stack": {"b8": "[Y]"}}, "b5", "b7"),
        ("goal-stack", "open", {"moves": 3, "stack": {"d6": "[Y]", "d5": "[Y, Y]"}}, None, "d5"),
        ("hop-count", "run-costs-one",
         {"moves": 2, "special": "hop", "stack": {"a9": "[Y]", "a8": "[G]"}}, "a5", "a6"),
    ],
)  # fmt: skip
def test_a_reading_changes_where_a_piece_arrives(
    ruling: str, reading: str, given: dict[str, Any], plain: str | None, other: str
) -> None:
    for readings, wanted in (({}, plain), ({ruling: reading}, other)):
        state = load("stout", readings=readings).position({"mover": 1, **given}, seed=0)
        verb, start = "hop" if "special" in given else "move", next(iter(given["stack"]))
        found = [str(a) for a in state.actions() if str(a) == f"{verb} {start}"]
        assert [_arrival(state, text) for text in found] == ([wanted] if wanted else [])


def _arrival(state: State, text: str) -> str:
    then, now = state.play(text).to_data()["stack"], state.to_data()["stack"]
    return next(place for place in then if len(then[place]) > len(now.get(place, ())))


def test_pieces_on_a_goal_may_be_tipped_where_it_is_so_read() -> None:
    given = {"mover": 1, "special": "tip", "stack": {"d6": ["Y"], "e5": ["G"]}}
    assert legal(given) == set()
    assert "push d6 e5" in legal(given, **{"tip-goal": "allowed"})


def test_a_stray_piece_walks_round_the_top_from_corner_to_corner() -> None:
    """It ran past the corners of Level 4, all four squares of which are corners, straight to its Goal."""
    given = {"mover": 1, "moves": 3, "special": "wild", "stack": {"d4": ["Y"]}}
    state = load("stout", readings={"tip-goal": "allowed"}).position(given, seed=0)
    assert {str(a) for a in state.actions() if a.id in ("dig", "swap")} == set()
    arrived = {verb: state.play(f"{verb} d4").to_data()["stack"] for verb in ("move", "hop", "leap", "aim")}
    stopped = {"e4": ["Y"]}
    assert arrived == {"move": stopped, "hop": stopped, "leap": stopped, "aim": {"d5": ["Y"]}}


def test_a_stack_that_is_home_tips_only_its_neighbours() -> None:
    """It could tip itself off its own Goal, eight ways."""
    given = {"mover": 1, "special": "tip", "stack": {"d5": ["Y", "Y"], "d6": ["Y"]}}
    allowed = {"tip-goal": "allowed"}
    assert legal(given, **allowed) == {"push d5 d6", "push d6 d5"}
    strays = {**given, "stack": {"d5": ["R", "Y"], "e4": ["R", "Y"]}}
    assert {text.split()[1] for text in legal(strays, **allowed) if text.startswith("topple")} == {"e4"}
    partner = {"two-players": "two-colours", **allowed}
    assert "topple d5 west" in legal(strays, players=2, **partner)


def test_six_sides_and_the_treehouse_die() -> None:
    core = load("stout", readings={"movement-die": "six-plus-one", "action-die": "treehouse"}).core
    faces = call(core.functions["action-faces"], (), Context())
    assert call(core.functions["movement-faces"], (), Context()) == frozenset(range(2, 8))
    assert {core.types["Face"].members[f] for f in faces} == {"tip", "swap", "hop", "dig", "aim", "wild"}
    given = {"mover": 1, "moves": 2, "special": "wild", "stack": {"a9": ["Y"]}}
    assert legal(given) >= {"leap a9", "roll action"}
    assert not legal(given, **{"action-die": "treehouse"}) & {"leap a9", "roll action"}


def test_alone_the_first_one_home_has_won() -> None:
    stack = {"d5": ["Y", "Y"], "d6": ["Y"], "h1": ["R"]}
    state = load("stout").position({"mover": 1, "special": "hop", "moves": 1, "stack": stack}, seed=0)
    state = state.play("hop d6")
    assert (state.ended_by, state.winners) == ("home", (1,))


def test_partners_win_together_and_who_is_home_rolls_one_die() -> None:
    game = load("stout", readings={"teams": "partners"})
    stack = {"d5": ["Y", "Y"], "d6": ["Y"], "e4": ["R", "R"], "e3": ["R"]}
    state = game.position({"mover": 1, "moves": 1, "special": "hop", "stack": stack}, seed=0)
    state = state.play("hop d6")
    assert (state.ended_by, state.to_move) == (None, 2)
    won = game.position({**state.to_data(), "mover": 3, "moves": 1, "special": "hop"}, seed=0).play("hop e3")
    assert (won.ended_by, won.winners) == ("home", (1, 3))
    turns = game.position({**state.to_data(), "mover": 4, "moves": 1, "special": "dig"}, seed=0).play("done")
    data = turns.to_data()
    assert (data["mover"], data["retired"], data["moves"]) == (1, True, None)
    assert data["special"] is not None


@pytest.mark.parametrize("face", ["aim", "hop", "leap"])
def test_who_is_home_passes_whatever_the_die_shows(face: str) -> None:
    """With an Aim, nothing was left to do and nothing to leave: the game ended, with nobody having won."""
    given = {"mover": 1, "retired": True, "special": face, "stack": {"d5": ["Y", "Y", "Y"], "e3": ["R"]}}
    state = load("stout", readings={"teams": "partners"}).position(given, seed=0)
    assert [str(action) for action in state.actions()] == ["done"]
    assert (state.is_over, state.play("done").to_move) == (False, 2)


def test_two_players_with_two_colours() -> None:
    both = {"two-players": "two-colours"}
    given = {"mover": 1, "moves": 2, "stack": {"a9": ["Y"], "h0": ["R"], "i8": ["G"]}}
    assert legal(given, players=2, **both) == {"move a9", "move h0"}
    in_turn = {**both, "two-colours-roll": "in-turn"}
    assert legal({**given, "acting": "R"}, players=2, **in_turn) == {"move h0"}
    stack = {"e4": ["R", "R"], "e3": ["R"], "a9": ["Y"]}
    game = load("stout", players=2, readings=both)
    state = game.position({"mover": 1, "moves": 1, "special": "hop", "stack": stack}, seed=0).play("hop e3")
    assert (state.ended_by, state.winners) == ("home", (1,))


def test_the_colours_take_their_turns_clockwise() -> None:
    readings = {"two-players": "two-colours", "two-colours-roll": "in-turn"}
    state, seen = load("stout", players=2, readings=readings).start(seed=1), []
    for _ in range(5):
        seen.append((state.to_move, state.to_data()["acting"]))
        state = state.play("done")
    assert seen == [(1, "Y"), (2, "G"), (1, "R"), (2, "B"), (1, "Y")]


@pytest.mark.parametrize(
    ("players", "settings", "starts"),
    [
        (2, {}, {"a9": 1, "h0": 2}),
        (2, {"first-colour": "blue"}, {"z1": 1, "i8": 2}),
        (3, {}, {"a9": 1, "i8": 2, "h0": 3}),
        (3, {"left-out": "green"}, {"a9": 1, "h0": 2, "z1": 3}),
        (4, {"first-colour": "red"}, {"h0": 1, "z1": 2, "a9": 3, "i8": 4}),
    ],
)
def test_who_plays_which_colour(players: int, settings: dict[str, str], starts: dict[str, int]) -> None:
    state = load("stout", players=players, parameters=settings).start(seed=0)
    assert {k: len(v) for k, v in state.to_data()["stack"].items()} == dict.fromkeys(starts, 3)
    for _ in range(players):
        mine = {str(a).split()[1] for a in state.actions() if a.id == "move"}
        assert mine == {place for place, player in starts.items() if player == state.to_move}
        state = state.play("done")


# ---- Queens


def test_each_player_gives_the_queen_her_place_before_the_race() -> None:
    state = load("stout-queen", players=2).start(seed=0)
    assert {str(a) for a in state.actions()} == {f"arrange Y {i}" for i in range(1, 5)}
    state = state.play("arrange Y 4").play("arrange R 2")
    assert state.to_data()["stack"] == {"a9": ["Y", "Y", "Y", "YQ"], "h0": ["R", "RQ", "R", "R"]}
    assert (state.to_move, state.to_data()["waiting"]) == (1, [])
    assert state.to_data()["moves"] is not None


def test_with_two_colours_each_player_arranges_both() -> None:
    state = load("stout-queen", players=2, readings={"two-players": "two-colours"}).start(seed=0)
    movers = []
    while state.to_data()["moves"] is None:
        movers.append(state.to_move)
        state = state.play(str(state.actions()[0]))
    assert movers == [1, 2, 1, 2]


@pytest.mark.parametrize(
    ("readings", "wanted"),
    [
        ({}, {"b1": ["G"], "d1": ["YQ"]}),
        ({"queen-above-drones": "together"}, {"d1": ["G", "YQ"]}),
    ],
)
def test_a_queen_and_the_drones_beneath_her(readings: dict[str, str], wanted: dict[str, list[str]]) -> None:
    given = {"mover": 1, "moves": 4, "stack": {"b1": ["G", "YQ"]}}
    state = load("stout-queen", readings=readings).position(given, seed=0)
    (text,) = (str(a) for a in state.actions() if a.id in ("move", "carry"))
    assert state.play(text).to_data()["stack"] == wanted


def test_drones_that_are_carried_home_count_or_stay_outside() -> None:
    stack = {"d5": ["Y", "Y"], "d6": ["YQ", "Y"]}
    given = {"mover": 1, "moves": 2, "stack": stack}
    state = load("stout-queen").position(given, seed=0).play("carry d6 plainly")
    assert (state.ended_by, state.winners) == ("home", (1,))
    assert "carry d6 plainly" not in legal(given, name="stout-queen", **{"queen-carried-home": "uncounted"})


def test_a_drone_carried_to_a_strange_goal_leaves_it_by_the_next_corner() -> None:
    """By the default readings, too, a piece may stand on Level 4 and not be home."""
    given = {"mover": 1, "moves": 3, "stack": {"f4": ["RQ", "Y"], "e4": ["Y"]}}
    state = load("stout-queen").position(given, seed=0).play("move e4")
    assert state.to_data()["stack"] == {"f4": ["RQ", "Y"], "e5": ["Y"]}


def test_an_odd_point_vanishes_or_is_spared() -> None:
    given = {"mover": 1, "moves": 5, "stack": {"a6": ["YQ"], "c1": ["Y"]}}
    assert load("stout-queen").position(given, seed=0).play("move a6").to_move == 2
    spared = load("stout-queen", readings={"queen-odd-points": "spare"}).position(given, seed=0)
    state = spared.play("move a6").play("move c1")
    assert state.to_data()["stack"] == {"a4": ["YQ"], "d1": ["Y"]}
