"""Plays to the end at random from a seed."""

from __future__ import annotations

import random

from rulespec.play.face import Game, State


def playout(state: State, seed: int | str, most: int | None = None) -> State:
    """Play on from a state until it is over, or for at most so many plies, each legal action equally likely.

    The seed fixes the choices; chance comes from where the state has it.
    """
    rng = random.Random(f"player {seed}")
    plies = 0
    while not state.is_over and (most is None or plies < most):
        state = state.play(state.moves[rng.randrange(len(state.moves))])
        plies += 1
    return state


def random_playout(game: Game, seed: int | str, most: int | None = None) -> State:
    """A uniformly random play of the game from the start; the seed fixes chance and choices alike."""
    return playout(game.start(seed=seed), seed, most)
