"""Every reading of every ruling: it loads and plays, and examples show where it matters."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from playouts import random_playout
from shipped_games import load

from rulespec.core.examples import Example
from rulespec.language import shipped_rulesets
from rulespec.play.errors import IllegalAction
from rulespec.play.examples import begin, examples
from rulespec.play.face import Game, State

GAMES = {name: load(name) for name in shipped_rulesets()}
READINGS = [
    (name, ruling.id, reading.id)
    for name, game in GAMES.items()
    for ruling in game.core.rulings.values()
    if not any(ruling.id in GAMES[base].core.rulings for base in game.core.extends)
    for reading in ruling.readings[1:]
    if reading.modelled
]
"""Those of a variant that its base has not."""
MOST_PLIES = 200 if os.environ.get("RULESPEC_SLOW") else 12


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "ruling", "reading"), READINGS)
def test_a_game_is_played_under_every_reading(name: str, ruling: str, reading: str) -> None:
    played = random_playout(GAMES[name].under(readings={ruling: reading}), 0, MOST_PLIES)
    assert played.fault is None
    assert played.is_over or len(played.plays) == MOST_PLIES


@pytest.mark.parametrize(("name", "ruling", "reading"), READINGS)
def test_an_example_shows_what_a_reading_changes(name: str, ruling: str, reading: str) -> None:
    found = [e for e in examples(GAMES[name]) if asked(e).get(ruling) == reading]
    assert found, "no example is read so"
    usual = GAMES[name].core.rulings[ruling].readings[0].id
    assert any(differs(GAMES[name], e, ruling, usual) for e in found), "the usual reading does the same"


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "ruling", "reading"), READINGS)
def test_an_example_shows_what_the_usual_reading_says(name: str, ruling: str, reading: str) -> None:
    usual = [e for e in examples(GAMES[name]) if ruling not in asked(e)]
    near = sorted(usual, key=lambda example: example.clause != ruling)
    assert any(differs(GAMES[name], example, ruling, reading) for example in near)


@pytest.mark.parametrize("name", GAMES)
def test_every_example_says_what_it_shows(name: str) -> None:
    assert not [example.id for example in examples(GAMES[name]) if not example.prose]


def asked(example: Example) -> Mapping[str, str]:
    """The readings that an example names."""
    return dict((example.settings or {}).get("readings", {}))


def differs(game: Game, example: Example, ruling: str, reading: str) -> bool:
    """Whether an example goes otherwise under another reading of one ruling."""
    settings = dict(example.settings or {})
    other = {**settings, "readings": {**asked(example), ruling: reading}}
    return [*course(game.under(**settings), example)] != [*course(game.under(**other), example)]


def course(game: Game, example: Example) -> Iterator[Any]:
    """What can be seen and done in an example, ply by ply."""
    data = example.data
    state = begin(game, data)
    yield shown(state)
    plays = data.get("play", [])
    for text in plays if isinstance(plays, list) else [plays]:
        try:
            state = state.play(text)
        except IllegalAction:
            yield "refused"
            return
        yield shown(state)


def shown(state: State) -> Any:
    """Everything about a state that a player could tell."""
    sights = {player: state.seen_by(player) for player in state.game.players}
    actions = {str(action) for action in state.actions()}
    return state.to_data(), sights, actions, state.scores, state.winners, state.titles, state.ended_by
