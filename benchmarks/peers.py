"""Random games of other projects, where installed: OpenSpiel from Python, PGX and Ludax in batches of JAX."""

from __future__ import annotations

import importlib
import importlib.util
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

Way = Callable[[int], tuple[int, int]]
"""Plays some games at random from a seed: how many, and their plies in all."""

BATCH = 512
"""Games that JAX plays at a time: several times more take no less time for each on one core."""


@dataclass(frozen=True)
class Names:
    """What a game is called elsewhere, where it is there by nearly the same rules; empty where not."""

    spiel: str = ""
    pgx: str = ""
    ludax: str = ""


GAMES = {
    "tic-tac-toe": Names("tic_tac_toe", "tic_tac_toe", "tic_tac_toe"),
    "connect-four": Names("connect_four", "connect_four", "connect_four"),
    "breakthrough": Names("breakthrough"),
    "hex": Names("hex(board_size=11)", "hex", "hex"),
    "othello": Names("othello", "othello", "reversi"),
    "nine-mens-morris": Names("nine_mens_morris"),
    "draughts": Names("checkers", "", "english_draughts"),
    "kalah": Names("mancala"),
    "pig": Names("pig"),
    "nim": Names("nim"),
    "backgammon": Names("backgammon"),
    "go": Names("go(board_size=9)", "go_9x9"),
    "goofspiel": Names("turn_based_simultaneous_game(game=goofspiel())"),
    "kuhn-poker": Names("kuhn_poker", "kuhn_poker"),
    "liars-dice": Names("liars_dice(numdice=5)"),
    "paper-lanterns": Names("hanabi"),
    "yacht": Names("yacht"),
    "sacred-alignment": Names(),
    "leistiko": Names(),
    "smith": Names(),
    "stout": Names(),
}


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on one core, with the threads that JAX begins meanwhile."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def has(module: str) -> bool:
    """Whether a module is installed."""
    return importlib.util.find_spec(module) is not None


def ways(game: str) -> dict[str, Way]:
    """How the others that are installed play a game, by the name of the project."""
    names = GAMES[game]
    found: dict[str, Way] = {}
    if names.spiel and has("pyspiel"):
        found["OpenSpiel"] = _open_spiel(names.spiel)
    if names.pgx and has("pgx"):
        found["PGX"] = _batches(importlib.import_module("pgx").make(names.pgx))
    if names.ludax and has("ludax"):
        text = getattr(importlib.import_module("ludax.games"), names.ludax)
        found["Ludax"] = _batches(importlib.import_module("ludax").LudaxEnvironment(game_str=text))
    return found


def _open_spiel(name: str) -> Way:
    spiel: Any = importlib.import_module("pyspiel")
    game = spiel.load_game(name)
    rng = random.Random(0)

    def play(seed: int) -> tuple[int, int]:
        plies = 0
        for _ in range(10):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, odds)[0])
                    continue
                state.apply_action(rng.choice(state.legal_actions()))
                plies += 1
        return 10, plies

    return play


def _batches(env: Any) -> Way:
    """Batches in one compiled loop; a game that is over waits for the others."""
    jax: Any = importlib.import_module("jax")
    jnp: Any = importlib.import_module("jax.numpy")
    init, step = jax.vmap(env.init), jax.vmap(env.step)

    def going(held: Any) -> Any:
        state, _, _ = held
        return ~_over(state).all()

    def ply(held: Any) -> Any:
        state, key, plies = held
        key, chosen = jax.random.split(key)
        plies = plies + (~_over(state)).sum()
        odds = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(chosen, odds, axis=1)
        return step(state, actions), key, plies

    def games(key: Any) -> Any:
        state = init(jax.random.split(key, BATCH))
        return jax.lax.while_loop(going, ply, (state, key, jnp.zeros((), jnp.int32)))[2]

    compiled = jax.jit(games)

    def play(seed: int) -> tuple[int, int]:
        return BATCH, int(compiled(jax.random.PRNGKey(seed)))

    play(0)  # compiles
    return play


def _over(state: Any) -> Any:
    return state.terminated | state.truncated
