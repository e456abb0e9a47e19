"""Sentences about actions: as declared, by default, and for a reader who did not see everything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulespec
from rulespec.play.face import Game
from rulespec.play.face import load as load_game
from rulespec.play.wording import counters
from rulespec.players.table import Table

TEXT = """\
rulespec: 1
id: cards
title: Cards
players: 2
rules:
- id: board
  prose: Each player has chosen a card, or not; the heap lies open.
  formal: |
    state heap: 0..9 = 7
    hidden state chosen: map Player -> 0..3 = 0
- id: choose
  prose: Choose a card, face down.
  action: n in 1..3
  secret: n
  do: chosen[mover] := n
- id: take
  prose: Take from the heap.
  action: n in 1..3 where n <= heap
  written: take {n}
  do: remove n from heap
- id: bare
  prose: The game ends when the heap is gone.
  end: heap = 0
"""
TABLE = """\
table:
  seats: [Yellow, Red, Blue]
  sentences:
    choose: chooses the {n}
    take: takes {n} of {heap}{if n = heap then ", the last" else ""}
"""


def loaded(folder: Path, text: str) -> Game:
    path = folder / "cards.yaml"
    path.write_text(text, "utf-8")
    return load_game(path)


def sentences(game: Game, seat: int | None, *texts: str) -> list[str]:
    states = [game.start()]
    for text in texts:
        states.append(states[-1].play(text))
    table = Table(states)
    return [table.sentence(ply, seat) for ply in range(1, len(states))]


PLAY = ("take 3", "take 1", "choose 2", "take 3")


def test_a_play_is_reported_in_the_sentences_of_its_table(tmp_path: Path) -> None:
    said = sentences(loaded(tmp_path, TEXT + TABLE), None, *PLAY)
    assert said == [
        "Yellow takes 3 of 7.", "Red takes 1 of 4.", "Yellow chooses the 2.", "Red takes 3 of 3, the last.",
    ]  # fmt: skip


def test_players_whom_a_sentence_names_are_called_by_their_seats(tmp_path: Path) -> None:
    action = "  action: n in 1..3 where n <= heap\n  written: take {n}\n"
    offer = action.replace("heap\n", "heap, p in Player where p != mover\n").replace("{n}", "{n} for {p}")
    table = TABLE.replace("takes {n} of", "takes {n} for {p} of") + "  counters: ['next {mover}']\n"
    game = loaded(tmp_path, TEXT.replace(action, offer) + table)
    assert sentences(game, None, "take 3 for 2") == ["Yellow takes 3 for Red of 7."]
    assert counters(game.core, game.machine.situation(game.start().position)) == ["next Yellow"]


def test_without_a_table_it_is_reported_in_notation(tmp_path: Path) -> None:
    said = sentences(loaded(tmp_path, TEXT), None, *PLAY[:3])
    assert said == ["Player 1: take 3.", "Player 2: take 1.", "Player 1: choose 2."]


def test_the_only_player_is_not_named(tmp_path: Path) -> None:
    """The report of a puzzle read as if somebody else played it: `Player 1 takes 3 of 7.`"""
    alone = (TEXT + TABLE).replace("players: 2", "players: 1")
    assert sentences(loaded(tmp_path, alone), None, *PLAY[:2]) == ["Takes 3 of 7.", "Takes 1 of 4."]
    assert sentences(loaded(tmp_path, alone.split("table:")[0]), None, "take 3") == ["take 3."]


@pytest.mark.parametrize(("seat", "third"), [(1, "Yellow chooses the 2."), (2, "Yellow: choose ?.")])
def test_no_sentence_tells_a_secret_choice(tmp_path: Path, seat: int, third: str) -> None:
    assert sentences(loaded(tmp_path, TEXT + TABLE), seat, *PLAY[:3])[2] == third


def test_what_is_chosen_at_once_is_told_when_all_have_chosen() -> None:
    """It was `Player 1: ?.`, and that is no sentence."""
    game = rulespec.load("rock-paper-scissors")
    states = [game.start()]
    states.append(states[-1].play("rock"))
    assert [Table(states).sentence(1, seat) for seat in (1, 2)] == [
        "Player 1 shows rock.", "Player 1 has chosen."
    ]  # fmt: skip
    states.append(states[-1].play("paper"))
    assert Table(states).sentence(1, 2) == "Player 1 shows rock."


def test_words_of_the_table_leave_the_digest_alone(tmp_path: Path) -> None:
    assert loaded(tmp_path, TEXT + TABLE).core.digest == loaded(tmp_path, TEXT).core.digest


def test_a_variant_changes_a_sentence_and_keeps_the_others() -> None:
    base, variant = (rulespec.load(name).core.presentation for name in ("tic-tac-toe", "connect-four"))
    assert base.seats != variant.seats == ("Yellow", "Red")
    assert [*variant.sentences] == ["drop"]


@pytest.mark.parametrize(
    ("name", "players", "data", "play", "told"),
    [
        ("smith", 2, {"hand": {"1": ["4S", "9H"]}, "pyramid": {"7.1": "3D"}}, "pair 4S 9H",
         "pairs the four of spades with the nine of hearts"),
        ("whist", 4, {"hand": {"1": ["AC"]}, "turned": "2H"}, "AC", "plays the ace of clubs"),
        ("stout-queen", 4, None, "arrange Y 4", "puts the Queen on a9 at height 4"),
    ],
)  # fmt: skip
def test_sentences_call_things_as_players_do(
    name: str, players: int, data: dict[str, Any] | None, play: str, told: str
) -> None:
    """Cards were called by their notation, and an action that a variant adds had no sentence."""
    game = rulespec.load(name, players=players)
    state = game.start(seed=0) if data is None else game.position(data)
    seat = "Yellow" if data is None else "Player 1"
    assert Table([state, state.play(play)]).sentence(1, None) == f"{seat} {told}."


def shown(game: Game, *texts: str) -> list[str]:
    """What is always in view after these actions."""
    state = game.start()
    for text in texts:
        state = state.play(text)
    return counters(game.core, game.machine.situation(state.position))


COUNTERS = """\
  counters: ['{heap} left', '{if player = mover then "to move" else "waits"}']
"""


def test_counters_are_for_all_or_for_each_player(tmp_path: Path) -> None:
    assert shown(loaded(tmp_path, TEXT)) == []
    assert shown(loaded(tmp_path, TEXT + TABLE + COUNTERS), "take 3") == [
        "4 left", "Yellow: waits", "Red: to move"
    ]  # fmt: skip


def test_scores_are_in_view_unless_something_hidden_is_read(tmp_path: Path) -> None:
    score = "- id: score\n  prose: Score.\n  score: {}\n"
    assert shown(loaded(tmp_path, TEXT + score.format("heap")))[0] == "Player 1: score 7"
    assert shown(loaded(tmp_path, TEXT + score.format("chosen[player]"))) == []


def test_what_is_forced_is_declared_or_has_neither_choice_nor_chance() -> None:
    assert rulespec.load("othello").core.forced_actions == {"pass"}
    assert rulespec.load("yacht").core.forced_actions == frozenset()
