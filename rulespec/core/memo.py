"""Memoisation of results about games."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

from .game import Game

Ts = TypeVarTuple("Ts")
R = TypeVar("R")


def by_game(work: Callable[[Game, *Ts], R]) -> Callable[[Game, *Ts], R]:
    """Decorate a function of a game and hashable arguments so that each result is computed once.

    Results are dropped with their game, so they must not refer to it.
    """
    kept: WeakKeyDictionary[Game, dict[tuple[*Ts], R]] = WeakKeyDictionary()

    @wraps(work)
    def once(game: Game, *args: *Ts) -> R:
        held = kept.setdefault(game, {})
        if args not in held:
            held[args] = work(game, *args)
        return held[args]

    return once
