"""The games of Smith's cards that were played elsewhere, replayed action by action."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rulespec.play.face import Game, State, load

GAMES = json.loads((Path(__file__).parents[1] / "vectors" / "smith-games.json").read_text("utf-8"))


def start(given: dict[str, Any]) -> tuple[Game, State]:
    """The game of a vector under its rules, its cards dealt in their order."""
    rules = given["rules"]
    game = load(
        "smith",
        players=rules["players"],
        parameters={"rows": rules["rows"], "with-offhand": rules["offhand"]},
        readings={
            "must-collect": "forced" if rules["must_collect"] else "free",
            "cascade": "chained" if rules["cascade"] else "before",
            "end-check": rules["end_check"],
            "tie": {"share": "among", "ender": "ender"}[rules["tie"]],
        },
    )
    return game, game.start(chance=[given["cards"][::-1]])


@pytest.mark.parametrize("given", GAMES, ids=lambda given: str(given["seed"]))
def test_a_game_played_elsewhere(given: dict[str, Any]) -> None:
    game, state = start(given)
    for ply in given["plies"]:
        assert state.to_move == ply["player"] + 1
        kinds = Counter(action.id for action in state.actions())
        assert kinds == +Counter(take=ply["n_take"], king=ply["n_king"], pair=ply["n_pair"])
        assert len(state.actions()) == ply["n_actions"]
        state = state.play(" ".join(ply["action"]))
        assert list(state.scores.values()) == ply["got"]
        hands = state.to_data()["hand"]
        assert [len(hands.get(str(p), ())) for p in game.players] == ply["hand_sizes"]
        assert len(state.to_data()["pyramid"]) == ply["pyramid"]
    assert state.is_over
    assert state.ended_by == {"pyramid": "empty-pyramid", "hand": "empty-hand"}[given["over"]]
    assert state.winners == tuple(p + 1 for p in given["winners"])
