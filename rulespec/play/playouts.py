"""Plays to the end: by players who choose, or at random from a seed."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Protocol

from .face import Action, Game, State
from .position import Move


class Player(Protocol):
    """Whoever chooses an action. The state is not over, so it has at least one."""

    def choose(self, state: State) -> Action | Move | str:
        """The action to play, as `State.play` takes it."""
        ...


class RandomPlayer:
    """Chooses uniformly among the legal actions, by a seed of its own."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(f"player {seed}")

    def choose(self, state: State) -> Move:
        """One of the legal actions."""
        return state.moves[self._random.randrange(len(state.moves))]


def playout(state: State, players: Player | Mapping[Any, Player], most: int | None = None) -> State:
    """Play on from a state until it is over, or for at most so many plies.

    One player acts for everybody, or each acts for the key under which it stands, as in `to_move`.
    Raises IllegalAction if a player chooses what the rules refuse.
    """
    plies = 0
    while not state.is_over and (most is None or plies < most):
        player = players[state.to_move] if isinstance(players, Mapping) else players
        state = state.play(player.choose(state))
        plies += 1
    return state


def random_playout(game: Game, seed: int | str, most: int | None = None) -> State:
    """A uniformly random play of the game from the start; the seed fixes chance and choices alike."""
    return playout(game.start(seed=seed), RandomPlayer(seed), most)
