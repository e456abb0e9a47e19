"""Leistiko's dominoes: given games replayed, and random ones beside a table kept by hand.

`tests/vectors/leistiko-games.json` holds games that another program played.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from stacked_dominoes import Place, Square, dealt

from rulespec.core.diagnostics import RulesetError
from rulespec.play.face import Game, State, load

GAMES = json.loads((Path(__file__).parents[1] / "vectors" / "leistiko-games.json").read_text("utf-8"))


def game_under(rules: Mapping[str, Any]) -> Game:
    """The game under the settings of a given one."""
    return load(
        "leistiko-cut-up" if rules["cutup"] else "leistiko",
        players=rules["players"],
        parameters={"top-pip": rules["pips"]},
        readings={
            "touch": rules["touch"],
            "base-score": rules["base_scoring"],
            "level-multiplier": {1: "one", 2: "two"}[rules["first_build_multiplier"]],
            "one-place": {"before": "unplayed", "after": "played"}[rules["end"]],
            "frame": rules.get("frame", "floating"),
            "first-domino": rules.get("first", "one-way"),
        },
    )


def with_hands(game: Game, hands: Any) -> State:
    """The start of the game with these dominoes in the players' hands."""
    return game.position({"hand": {i: [f"{a}-{b}" for a, b in hand] for i, hand in enumerate(hands, 1)}})


def named(square: Square) -> str:
    """A square counted from the first domino's, as the ruleset names it."""
    return "abcdefg"[square[0] + 3] + str(square[1] + 4)


def written(domino: tuple[int, int], place: Place) -> str:
    """A play in notation; a double lies one way round."""
    at = sorted(place) if domino[0] == domino[1] else place
    return f"play {domino[0]}-{domino[1]} {named(at[0])}-{named(at[1])}"


def placed(ply: Mapping[str, Any]) -> str:
    """The play of a ply of a given game, in notation."""
    low, high = ply["tile"]
    squares = {value: tuple(square) for square, value in ply["cells"]}
    first, second = (tuple(square) for square, _ in ply["cells"])
    return written((low, high), (first, second) if low == high else (squares[low], squares[high]))


@pytest.mark.parametrize("given", GAMES, ids=[str(g["seed"]) for g in GAMES])
def test_a_given_game_is_played_again(given: Mapping[str, Any]) -> None:
    state = with_hands(game_under(given["rules"]), given["hands"])
    for ply in given["plies"]:
        assert (state.to_move, state.values["level"]) == (ply["player"] + 1, ply["level"])
        assert len(state.moves) == ply["n_plays"]
        assert len({frozenset(move.args[1]) for move in state.moves}) == ply["n_places"]
        state = state.play(placed(ply))
        assert [*state.scores.values()] == ply["scores"]
    assert state.ended_by == {"all played": "all-played"}[given["over"]]
    assert state.values["level"] == given["final_level"]
    assert [*map(len, state.values["hand"])] == given["left"]
    assert [p - 1 for p in state.winners] == given["winners"]


@pytest.mark.parametrize("base", ["square", "contact"])
@pytest.mark.parametrize("multiplier", [1, 2])
@pytest.mark.parametrize("given", GAMES, ids=[str(g["seed"]) for g in GAMES])
def test_a_given_game_scores_as_its_matches_say(given: Mapping[str, Any], base: str, multiplier: int) -> None:
    rules = {**given["rules"], "base_scoring": base, "first_build_multiplier": multiplier}
    state, points = with_hands(game_under(rules), given["hands"]), [0] * given["rules"]["players"]
    for ply in given["plies"]:
        state, raw = state.play(placed(ply)), ply["raw"]
        built = raw.get("matches", 0) * (raw["level"] + multiplier - 2)
        points[ply["player"]] += raw[base] if raw["level"] == 1 else built
        assert [*state.scores.values()] == points


SETTINGS: dict[str, dict[str, Any]] = {
    "as it stands": {},
    "four players": {"players": 4},
    "corners": {"touch": "corner"},
    "every contact": {"base_scoring": "contact", "first_build_multiplier": 1},
    "the one place is played": {"end": "after", "pips": 9},
    "double-nine": {"pips": 9, "players": 4},
    "double-twelve": {"pips": 12},
    "a fixed frame": {"frame": "fixed"},
    "a fixed frame and an upright first domino": {"frame": "fixed", "first": "two-ways", "players": 4},
    "cut-up": {"cutup": True},
    "cut-up for four at corners": {"cutup": True, "players": 4, "touch": "corner", "end": "after"},
}
USUAL = {
    "players": 2, "pips": 6, "touch": "edge", "cutup": False, "base_scoring": "square",
    "first_build_multiplier": 2, "end": "before", "frame": "floating", "first": "one-way",
}  # fmt: skip


@pytest.mark.parametrize("name", SETTINGS)
def test_a_random_game_agrees_with_one_kept_by_hand(name: str) -> None:
    table = dealt({**USUAL, **SETTINGS[name]}, seed=1)
    state = with_hands(game_under(table.rules), table.hands)
    chosen = random.Random(name)
    while not table.over:
        plays = [*table.plays()]
        assert {str(action) for action in state.actions()} == {written(*play) for play in plays}
        assert (state.to_move, state.values["level"]) == (table.mover + 1, table.level)
        play = chosen.choice(sorted(plays))
        table.play(*play)
        state = state.play(written(*play))
        assert [*state.scores.values()] == table.scores
    assert (state.ended_by, state.values["level"]) == (table.over, table.level)
    assert [p - 1 for p in state.winners] == table.winners()


def test_three_do_not_play() -> None:
    with pytest.raises(RulesetError, match="for 2 or 4 players, not 3"):
        load("leistiko", players=3)


def test_cut_up_lifts_what_one_reading_of_the_base_lifts() -> None:
    state = load("leistiko-cut-up").start(seed=4)
    other = load("leistiko", readings={"completion": "box-only"}).start(seed=4)
    chosen = random.Random(4)
    while not state.is_over:
        assert state.to_data() == other.to_data()
        assert state.moves == other.moves
        move = chosen.choice(state.moves)
        state, other = state.play(move), other.play(move)
    assert (state.ended_by, state.scores) == (other.ended_by, other.scores)
