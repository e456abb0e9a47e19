"""Players: legal, stronger than chance, and none the wiser for what is hidden from their seat."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from texts import SECRET_ACTIONS

from rulespec.play.face import Game, State, load
from rulespec.players import simple
from rulespec.players.levels import LEVELS
from rulespec.players.naming import player_of
from rulespec.players.search import SearchPlayer
from rulespec.players.simple import GreedyPlayer, RandomPlayer
from rulespec.players.table import Player, Table
from rulespec.players.worlds import WORLDS, Worlds
from rulespec.simulation.policies import full_policy_name, player_for

HIDDEN = ("smith-small", "smith-tiny", "leistiko-small", "kuhn-poker", "sacred-alignment-small", "liars-dice")
GAMES = {name: load(name) for name in HIDDEN}


def searcher(seed: int, plays: int = 60) -> SearchPlayer:
    return SearchPlayer(seed, plays=plays)


def played(game: Game, players: Mapping[Any, Player], seed: int) -> State:
    """The end of a play between these players."""
    table = Table([game.start(seed=seed)])
    while not table.state.is_over:
        table.play(players[table.state.to_move].choose(table.view()))
    return table.state


def at_random(game: Game, seed: int, plies: int) -> Table:
    """A table after so many random actions, or fewer where it was over before."""
    table, rng = Table([game.start(seed=seed)]), random.Random(seed)
    for _ in range(plies):
        after = table.state.play(rng.choice(table.state.moves))
        if after.is_over:
            break
        table.states.append(after)
    return table


def chosen(state: State, player: Player) -> str:
    return str(state.find(player.choose(Table([state]).view())))


# ---- strength


def test_search_wins_against_chance_at_tic_tac_toe_and_never_loses_as_second() -> None:
    game = load("tic-tac-toe")
    first = [played(game, {1: searcher(i), 2: RandomPlayer(i)}, i).winners for i in range(4)]
    assert first.count((1,)) >= 3
    for i, other in enumerate((RandomPlayer(1), GreedyPlayer(3), searcher(4))):
        assert played(game, {1: other, 2: searcher(i, 300)}, i).winners != (1,)


def test_search_wins_against_chance_and_greed_at_a_small_connect_four() -> None:
    game = load("connect-four", parameters={"width": 4, "height": 4, "in-line": 3})
    others: list[Callable[[int], Player]] = [RandomPlayer, RandomPlayer, GreedyPlayer]
    ends = [played(game, {1: other(i), 2: searcher(i, 40)}, i) for i, other in enumerate(others)]
    assert [end.winners for end in ends].count((2,)) >= 2


@pytest.mark.parametrize("player", [GreedyPlayer(1), searcher(1)], ids=["greedy", "search"])
def test_a_win_is_taken_and_a_loss_is_parried(player: Player) -> None:
    game = load("tic-tac-toe")
    win = game.position({"mark": ". . .\n2 1 .\n2 1 ."})
    assert win.play(chosen(win, player)).winners == (1,)
    threat = game.position({"mover": 2, "mark": ". . .\n. 2 .\n1 1 ."})
    assert chosen(threat, player) == "put 3.1"


def test_a_greedy_choice_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 2,000 actions, each with a ply of some seconds, a single choice took hours."""
    tried: list[object] = []
    after = simple._positions_after
    monkeypatch.setattr(simple, "_positions_after", lambda *given: tried.append(given) or after(*given))
    start = load("connect-four-small").start()
    chosen(start, GreedyPlayer(1))
    assert tried
    tried.clear()
    monkeypatch.setattr(simple, "LONGEST", 0.0)
    assert chosen(start, GreedyPlayer(1)) in map(str, start.actions())
    assert not tried


def test_a_puzzle_is_played_to_its_end() -> None:
    game = load("eight-puzzle")
    state = game.position({"tile": "1 2 3\n4 5 6\n. 7 8"})
    table = Table([state])
    while not table.state.is_over and len(table.states) < 4:
        table.play(searcher(1).choose(table.view()))
    assert table.state.winners == (1,)


def test_a_bet_is_called_with_the_best_card_and_not_with_the_worst() -> None:
    game = load("kuhn-poker")
    for card, answer in (("3", "call"), ("1", "fold")):
        other = "2"
        rest = next(c for c in "123" if c not in (card, other))
        state = game.start(chance=[[rest, card, other]])
        table = Table([state, state.play("bet")])
        assert str(table.state.find(searcher(1, 300).choose(table.view()))) == answer


def test_three_players_with_hidden_hands_play_to_the_end() -> None:
    game = load("smith-small", players=3)
    assert played(game, {1: searcher(1, 10), 2: GreedyPlayer(1), 3: RandomPlayer(1)}, 1).is_over


def test_a_search_in_time_has_an_answer_where_many_actions_are_legal() -> None:
    table = Table([load("sacred-alignment").start(seed=1)])
    view = table.view()
    assert len(view.moves) > 500
    advice = SearchPlayer(1, seconds=0.3).advise(view)
    assert advice.move in view.moves and advice.plays


# ---- what a seat knows


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(HIDDEN), st.integers(0, 30), st.integers(0, 12))
def test_a_world_is_a_play_by_the_rules_that_looks_the_same_and_gets_the_same_choice(
    name: str, seed: int, plies: int
) -> None:
    game = GAMES[name]
    table = at_random(game, seed, plies)
    view = table.view()
    worlds = Worlds("law").of(view)
    assert worlds, "some hidden state was found"
    for world in worlds[:2]:
        other = Table([game.start(chance=world.outcomes)])
        for move in [observed.move for observed in view.observed]:
            assert move is not None
            other.play(move)
        again = other.view()
        assert (again.seen, again.observed, again.moves) == (view.seen, view.observed, view.moves)
        for player in (lambda: searcher(seed, 8), lambda: GreedyPlayer(seed), lambda: RandomPlayer(seed)):
            assert player().choose(other.view()) == player().choose(view)


def test_worlds_differ_in_what_is_hidden() -> None:
    game = GAMES["smith-small"]
    view, hand = at_random(game, 1, 4).view(), [*game.core.state].index("hand")
    hands = {world.position.values[hand] for world in Worlds("1").of(view)}
    assert len(hands) > 3
    assert len({held[view.seat - 1] for held in hands}) == 1, "the own hand is the same in all"


@pytest.mark.parametrize("seed", range(3))
def test_hidden_dice_are_found_after_many_rolls(seed: int) -> None:
    """Of eight worlds none was found once the dice had been thrown again, and the machine chose blindly."""
    view = at_random(GAMES["liars-dice"], seed, 15).view()
    assert len(view.seen) > 10
    worlds = Worlds("1").of(view)
    assert len(worlds) == WORLDS
    cup = [*GAMES["liars-dice"].core.state].index("cup")
    assert len({world.position.values[cup] for world in worlds}) > 3


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 99))
def test_worlds_follow_a_play_and_begin_anew_after_another(seed: int) -> None:
    game = GAMES["smith-small"]
    worlds = Worlds("1")
    for table in (at_random(game, seed, 3), at_random(game, seed, 7), at_random(game, seed + 1, 5)):
        view = table.view()
        assert worlds.of(view)
        assert all(
            table.hall.rules.sight(world.position, view.seat) == view.seen[-1] for world in worlds.of(view)
        )


def test_a_secret_choice_is_not_told_and_worlds_leave_it_open(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text(SECRET_ACTIONS)
    game = load(str(tmp_path / "secret.yaml"))
    start, hand = game.start(seed=1), [*game.core.state].index("hand")
    held = sorted(start.values["hand"][0])
    shown = {"show": f"show {held[0]}", "discard": "discard ? no", "swap": "acts unseen"}
    for word, text in shown.items():
        move = next(move for move in start.moves if move.action == word and move.args[0] == held[0])
        table = Table([start, start.play(move)])
        assert table.text(1, 2) == text
        assert table.observation(1, 1) == (word, move.args), "who acts knows it all"
        hands = {world.position.values[hand][0] for world in Worlds("1").of(table.view())}
        assert len(hands) > 1


def test_a_position_set_up_by_hand_tells_a_seat_nothing_of_what_is_hidden() -> None:
    game = GAMES["smith-small"]
    data = game.start(seed=1).to_data()
    view = Table([game.position(data)]).view()
    assert searcher(1).advise(view).blind


# ---- names


def test_players_have_names() -> None:
    assert isinstance(player_of("search:0.5", 1), SearchPlayer)
    assert isinstance(player_of("greedy", 1), GreedyPlayer)
    with pytest.raises(ValueError, match="did you mean random"):
        player_of("randm", 1)


def test_levels_repeat_their_choices() -> None:
    """Tables and simulations know the same levels."""
    view = Table([load("nim").start(seed=1)]).view()
    for name in LEVELS:
        moves = [player_of(name, seed).choose(view) for seed in range(6)]
        assert moves == [player_for(name, str(seed)).choose(view) for seed in range(6)]
        assert full_policy_name(name) == name
    assert len({player_of("beginner", seed).choose(view) for seed in range(20)}) > 1


TOGETHER = """
rulespec: 1
id: together
title: Together
players: 2
rules:
- id: table
  prose: A counter.
  formal: |
    state n: 0..4 = 0
    state t: 0..4 = 0
    state won: map Player -> Bool = {p -> false for p in Player}
- id: help
  prose: Help or not.
  action: b in Bool
  written: '{if b then "help" else "wait"}'
  do: |
    if b: add 1 to n
    add 1 to t
    for p in Player: won[p] := n = 2
- id: over
  prose: After two turns.
  end: t = 2
- id: win
  prose: Both win if both have helped.
  winners: those p in Player where n = 2
"""


@pytest.mark.parametrize("winners", ["those p in Player where n = 2", "those p in Player where won[p]"])
@pytest.mark.parametrize("player", [GreedyPlayer(1), searcher(1)], ids=["greedy", "search"])
def test_who_can_win_together_does(player: Player, winners: str, tmp_path: Path) -> None:
    """A shared win was worth as much as that nobody wins, so both were tried alike."""
    path = tmp_path / "together.yaml"
    path.write_text(TOGETHER.replace("those p in Player where n = 2", winners), "utf-8")
    game = load(str(path))
    for seed in range(4):
        state = game.start(seed=seed)
        if isinstance(player, GreedyPlayer):  # it looks one ply ahead
            state = state.play("help")
        while not state.is_over:
            state = state.play(chosen(state, player))
        assert state.winners == (1, 2)


def test_a_tie_is_not_preferred_to_a_win(tmp_path: Path) -> None:
    path = tmp_path / "together.yaml"
    judged = "those p in Player where t = 2 and (n = 2 or p = mover)"
    path.write_text(TOGETHER.replace("those p in Player where n = 2", judged), "utf-8")
    state = load(str(path)).start(seed=1).play("help")
    for player in (GreedyPlayer(1), searcher(1)):
        assert chosen(state, player) == "wait"
