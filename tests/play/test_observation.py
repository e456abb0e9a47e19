"""The observations of a seat follow from declarations, never from coincidences of values."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from playouts import playout

from rulespec.core.game import Secret
from rulespec.language import load as load_core
from rulespec.play.face import Game, State, load
from rulespec.play.observation import ObservedMove
from rulespec.play.position import Move
from rulespec.play.records.files import read_record, replay

WHISPERS = Path(__file__).parents[1] / "language" / "good" / "whispers.yaml"
GAME = load(str(WHISPERS))


def observed(state: State, move: Move, seat: int) -> ObservedMove:
    return state.game.observer.move(state.situation, move, seat)


def after(*plays: str, game: Game = GAME) -> State:
    state = game.start(seed=1)
    for play in plays:
        state = state.play(play)
    return state


@pytest.mark.parametrize(
    ("play", "seen"),
    [
        ("whisper 3 to 2", ["whisper 3 to 2", "whisper 3 to 2", "whisper ? to 2"]),
        ("pledge 1", ["pledge 1", "pledge 1", "pledge ?"]),
        ("pass 1", ["pass 1", "pass ?", "acts unseen"]),
    ],
)
def test_each_player_observes_what_is_shown_to_that_player(play: str, seen: list[str]) -> None:
    state = after(play)
    assert [state.plays_seen_by(player)[-1] for player in state.game.players] == seen


def test_a_secret_action_hides_its_choices_and_its_name() -> None:
    state = after("pledge 1", "pass 1", "pass 1", "withdraw 1")
    assert state.plays_seen_by(2) == ("pledge 1", "pass 1", "acts unseen", "acts unseen")
    assert state.plays_seen_by(1) == ("pledge 1", "acts unseen", "pass ?", "withdraw 1")


def test_a_reading_may_show_what_another_keeps_secret() -> None:
    game = load(str(WHISPERS), readings={"overheard": "everybody"})
    assert after("whisper 3 to 2", game=game).plays_seen_by(3) == ("whisper 3 to 2",)
    assert game.core.actions["whisper"].secrets == ()
    assert game.core.digest != GAME.core.digest


def test_a_game_for_one_player_has_no_secrets() -> None:
    alone = load(str(WHISPERS), players=1)
    assert all(action.secrets == () for action in alone.core.actions.values())


def test_secrets_are_part_of_the_digest() -> None:
    core = GAME.core
    pledge = core.actions["pledge"]
    (secret,) = pledge.secrets
    others = [(), (Secret(secret.choice),), (Secret(None, secret.shown),), (Secret(None),)]
    games = [replace(core, actions={**core.actions, "pledge": replace(pledge, secrets=s)}) for s in others]
    assert len({core.digest, *(game.digest for game in games)}) == 5


def test_open_is_the_default(tmp_path: Path) -> None:
    """The key only records a decision of the author."""
    text = WHISPERS.read_text("utf-8").replace("  open: q\n", "")
    text = text.replace("heard[q] := n", "heard[after(mover)] := n")
    (tmp_path / "silent.yaml").write_text(text, "utf-8")
    (tmp_path / "open.yaml").write_text(
        text.replace("  written: whisper", "  open: q\n  written: whisper"), "utf-8"
    )
    silent, said = (load_core(tmp_path / f"{name}.yaml") for name in ("silent", "open"))
    assert silent.digest == said.digest


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 999), st.integers(0, 5), st.integers(0, 50), st.permutations([1, 2, 3]))
def test_other_values_of_a_secret_choice_look_the_same(
    seed: int, plies: int, which: int, renamed: list[int]
) -> None:
    """A secret choice gives no information even if its values are players, as the mover is."""
    state = playout(GAME.start(seed=seed), seed, most=plies)
    assume(not state.is_over)
    move = state.moves[which % len(state.moves)]
    for seat in (p for p in GAME.players if p != state.to_move):
        seen = observed(state, move, seat)
        if seen.action is not None:
            kept = [value is None for value in seen.args]
        else:
            kept = [True] * len(move.args)
        args: tuple[Any, ...] = tuple(
            renamed[arg - 1] if hidden else arg for arg, hidden in zip(move.args, kept, strict=True)
        )
        assert observed(state, Move(move.action, args), seat) == seen
        assert observed(state, move, state.to_move) == (move.action, move.args)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 999), st.integers(0, 5), st.integers(1, 3))
def test_a_position_and_all_after_it_look_the_same_until_something_open_differs(
    seed: int, plies: int, seat: int
) -> None:
    """Two plays that differ in secret choices only are indistinguishable until something open differs."""
    state = playout(GAME.start(seed=seed), seed, most=plies)
    assume(not state.is_over and state.to_move != seat)
    observer = GAME.observer
    by_looks: dict[Any, set[Any]] = {}
    for move in state.moves:
        then = state.play(move)
        looks = observed(state, move, seat), observer.position(then.situation, seat)
        history = then.plays_seen_by(seat), then.to_move, then.is_over
        by_looks.setdefault(looks, set()).add(history)
    assert all(len(histories) == 1 for histories in by_looks.values())


def test_a_record_in_full_says_what_players_did_not_observe() -> None:
    state = after("pledge 1", "pass 2")
    written = state.record(full=True)
    plies = written.to_data()["plays"]
    assert plies[0]["observed"] == {"3": "pledge ?"}
    assert plies[1]["observed"] == {"1": "acts unseen", "3": "pass ?"}
    assert [*replay(read_record(written.to_json()), GAME)][-1] == state


def test_a_record_in_full_is_held_to_what_players_observed() -> None:
    text = after("pledge 1").record(full=True).to_json()
    assert '"pledge ?"' in text
    with pytest.raises(Exception, match=r"player 3 observes: pledge 1 in the record, pledge \? now"):
        list(replay(read_record(text.replace("pledge ?", "pledge 1")), GAME))


NOTATION = """\
rulespec: 1
id: top
title: Top
players: 2
rules:
- id: cards
  prose: A pile.
  formal: |
    type Card = 1..3
    hidden state pile: list of Card up to 3 = [3, 1, 2]
    hidden state put-away: set of Card = {}
  sees: size(pile)
- id: drop
  prose: Drop the top card, which is written down, and something else.
  action: c in Card
  secret: c
  written: drop {top(pile)} {c}
  do: |
    move top of pile into put-away
    add c to put-away
- id: leave
  prose: Drop the top card and say a number.
  action: c in Card
  written: leave {top(pile)} {c}
  do: move top of pile into put-away
- id: done
  prose: It ends.
  end: pile is empty
"""


def test_notation_that_reads_what_is_hidden_does_not_give_it_away(tmp_path: Path) -> None:
    (tmp_path / "top.yaml").write_text(NOTATION, "utf-8")
    game = load(str(tmp_path / "top.yaml"))
    state = after("drop 2 1", "leave 1 3", game=game)
    assert state.plays_seen_by(1) == ("drop 2 1", "leave(3)")
    assert state.plays_seen_by(2) == ("drop(?)", "leave 1 3")
