"""Leistiko's dominoes: given games replayed, and random ones beside a table kept by hand.

`tests/vectors/leistiko-games.json` holds games that another program played.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from shipped_games import load
from stacked_dominoes import Place, Square, Table, dealt

from rulespec.core.diagnostics import RulesetError
from rulespec.core.evaluate import evaluate
from rulespec.play.examples import begin, examples, trial_to_show
from rulespec.play.face import Game, State

GAMES = json.loads((Path(__file__).parents[1] / "vectors" / "leistiko-games.json").read_text("utf-8"))


def game_under(rules: Mapping[str, Any]) -> Game:
    """The game under the settings of a given one."""
    return load(
        "leistiko-cut-up" if rules["cutup"] else "leistiko",
        players=rules["players"],
        parameters={"top-pip": rules["pips"], "side": rules.get("side", 4)},
        readings={
            "touch": rules["touch"],
            "base-score": rules["base_scoring"],
            "level-multiplier": {1: "one", 2: "two"}[rules["first_build_multiplier"]],
            "one-place": {"before": "unplayed", "after": "played"}[rules["end"]],
            "frame": rules.get("frame", "floating"),
            "first-domino": rules.get("first", "one-way"),
        },
    )


def dealt_out(rules: Mapping[str, Any], hands: Any) -> State:
    """The start of the game under the settings of a given one, with these dominoes in the hands."""
    return game_under(rules).position({"hand": held(hands)})


def held(hands: Any) -> dict[int, list[str]]:
    """Hands as the ruleset's position has them."""
    return {i: [f"{a}-{b}" for a, b in hand] for i, hand in enumerate(hands, 1)}


def named(square: Square, side: int) -> str:
    """A square counted from the first domino's, as the ruleset names it."""
    return "abcdefg"[square[0] + side - 1] + str(square[1] + side)


def written(domino: tuple[int, int], place: Place, side: int = 4) -> str:
    """A play in notation; a double lies one way round."""
    at = sorted(place) if domino[0] == domino[1] else place
    return f"play {domino[0]}-{domino[1]} {named(at[0], side)}-{named(at[1], side)}"


def placed(ply: Mapping[str, Any]) -> str:
    """The play of a ply of a given game, in notation."""
    low, high = ply["tile"]
    squares = {value: tuple(square) for square, value in ply["cells"]}
    first, second = (tuple(square) for square, _ in ply["cells"])
    return written((low, high), (first, second) if low == high else (squares[low], squares[high]))


@pytest.mark.parametrize("given", GAMES, ids=[str(g["seed"]) for g in GAMES])
def test_a_given_game_is_played_again(given: Mapping[str, Any]) -> None:
    state = dealt_out(given["rules"], given["hands"])
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


@pytest.mark.sampled(6)
@pytest.mark.parametrize("base", ["square", "contact"])
@pytest.mark.parametrize("multiplier", [1, 2])
@pytest.mark.parametrize("given", GAMES, ids=[str(g["seed"]) for g in GAMES])
def test_a_given_game_scores_as_its_matches_say(given: Mapping[str, Any], base: str, multiplier: int) -> None:
    rules = {**given["rules"], "base_scoring": base, "first_build_multiplier": multiplier}
    state, points = dealt_out(rules, given["hands"]), [0] * given["rules"]["players"]
    for ply in given["plies"]:
        state, raw = state.play(placed(ply)), ply["raw"]
        built = raw.get("matches", 0) * (raw["level"] + multiplier - 2)
        points[ply["player"]] += raw[base] if raw["level"] == 1 else built
        assert [*state.scores.values()] == points


USUAL = {
    "players": 2, "pips": 6, "touch": "edge", "cutup": False, "base_scoring": "square",
    "first_build_multiplier": 2, "end": "before", "frame": "floating", "first": "one-way", "side": 4,
}  # fmt: skip
OTHERS: dict[str, tuple[Any, ...]] = {
    "players": (4,), "pips": (9, 12), "touch": ("corner",), "cutup": (True,), "base_scoring": ("contact",),
    "first_build_multiplier": (1,), "end": ("after",), "frame": ("fixed",), "first": ("two-ways",),
    "side": (2,),
}  # fmt: skip
ONE_BY_ONE = [{}, *({name: value} for name, values in OTHERS.items() for value in values)]


def mixed(seed: int) -> dict[str, Any]:
    """Rules drawn at random, each setting as it usually is or otherwise."""
    chosen = random.Random(seed)
    return {name: chosen.choice((USUAL[name], *others)) for name, others in OTHERS.items()}


def told(rules: Mapping[str, Any]) -> str:
    """Rules as the name of a test."""
    return " ".join(f"{name}={value}" for name, value in rules.items()) or "usual"


MANY = 100 if os.environ.get("RULESPEC_SLOW") else 1


@pytest.mark.sampled(6)
@pytest.mark.parametrize("rules", [*ONE_BY_ONE, *map(mixed, range(MANY))], ids=told)
def test_a_random_game_agrees_with_one_kept_by_hand(rules: Mapping[str, Any]) -> None:
    agree(dealt({**USUAL, **rules}, seed=1), random.Random(told(rules)))


SHAPES = {
    "a line": "####",
    "a crooked line": "##.\n.##",
    "a crossing": ".#.\n###",
    "a hook": "###\n#..",
    "five": "##.\n###",
}
"""What is left of the level below, seen from above."""


@pytest.mark.parametrize("end", ["before", "after"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_level_of_one_place_ends_the_game(shape: str, end: str) -> None:
    rows = enumerate(SHAPES[shape].split("\n"))
    squares = [(x, -y) for y, row in rows for x, sign in enumerate(row) if sign == "#"]
    for seed in range(6):
        table = dealt({**USUAL, "end": end}, seed)
        table.shown, table.height, table.level = dict.fromkeys(squares, 0), dict.fromkeys(squares, 4), 5
        agree(table, random.Random(seed))
        if table.over == "one-place":
            return
    pytest.fail("no play ended so")


def agree(table: Table, chosen: random.Random) -> None:
    """Play at random and find the same at every ply."""
    game, side = game_under(table.rules), table.rules["side"]
    state = game.position(given(table))
    while not table.over:
        plays = {written(*play, side): play for play in table.plays()}
        assert {str(action) for action in state.actions()} == plays.keys()
        assert (state.to_move, state.values["level"]) == (table.mover + 1, table.level)
        text = chosen.choice(sorted(plays))
        table.play(*plays[text])
        state = state.play(text)
        assert [*state.scores.values()] == table.scores
        assert [*map(len, state.values["hand"])] == [*map(len, table.hands)]
    assert (state.ended_by, state.values["level"]) == (table.over, table.level)
    assert [p - 1 for p in state.winners] == table.winners()


def given(table: Table) -> dict[str, Any]:
    """What lies on a table, as the ruleset's position."""
    at = {square: named(square, table.rules["side"]) for square in table.shown}
    return {
        "hand": held(table.hands),
        "pips": {at[square]: pips for square, pips in table.shown.items()},
        "height": {at[square]: height for square, height in table.height.items()},
        "level": table.level,
    }


def test_three_do_not_play() -> None:
    with pytest.raises(RulesetError, match="for 2 or 4 players, not 3"):
        load("leistiko", players=3)


def test_a_base_alone_wants_enough_dominoes() -> None:
    """Eight dominoes were laid of a set of six."""
    for name in ("leistiko-base", "leistiko-cut-up-base"):
        with pytest.raises(RulesetError, match="enough for a base"):
            load(name, parameters={"top-pip": 2})
        assert load(name, parameters={"top-pip": 2, "side": 2}).start(seed=0).actions()


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


@pytest.mark.parametrize("name", ["leistiko", "leistiko-cut-up"])
def test_the_positions_of_examples_are_of_one_set_of_dominoes(name: str) -> None:
    """Once an example laid a domino that lay on the table already."""
    game = load(name)
    for example in examples(game):
        found = trial_to_show(game, example)
        assert found.holds
        core, state = found.game.core, begin(found.game, example.data)
        context = found.game.machine.situation(state.position)
        for claim in ("heights", "showing", "one-owner"):
            condition = core.claims[claim].condition
            assert condition is not None
            assert evaluate(condition, {}, context), (example.clause, example.id, claim)
