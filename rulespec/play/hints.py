"""Advice by random plays: which action does best when everything after it is left to chance.

A plain Monte Carlo search of one ply, for a hint to a beginner and no more. It plays on from the true
position, what is hidden included, with chance of its own.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from .chance import Chance
from .face import Action, State
from .position import Move, Position

MOST_TRIED = 40
"""With more legal actions than this, a random choice of so many is tried."""

MOST_PLIES = 1_000


@dataclass
class Tally:
    """What random plays after an action came to, for the player who took it."""

    action: Action
    plays: int = 0
    wins: float = 0.0
    """Plays won, a win shared between k winners counting one k-th."""
    points: int = 0
    """The sum of the scores reached."""

    @property
    def worth(self) -> tuple[float, float]:
        """The share of plays won, then the mean score."""
        return (self.wins / self.plays, self.points / self.plays) if self.plays else (-1.0, 0.0)


def advise(state: State, seconds: float = 2.0, seed: int | str = 0) -> Tally | None:
    """The legal action after which random plays go best; None if none of them ended within the time.

    The state must not be over. Actions are tried in turn, one play each, until the time is up.
    """
    rng = random.Random(f"advice {seed}")
    actions = state.actions()
    tried = [Tally(a) for a in (rng.sample(actions, MOST_TRIED) if len(actions) > MOST_TRIED else actions)]
    player = state.values["mover"]
    until = time.monotonic() + seconds
    number = 0
    while time.monotonic() < until:
        tally = tried[number % len(tried)]
        end = _played_out(state, tally.action.move, f"{seed} {number // len(tried)}", rng, until)
        number += 1
        if end is not None:
            machine = state.game.machine
            winners = machine.winners(end)
            tally.plays += 1
            tally.wins += player in winners and 1 / len(winners)
            tally.points += machine.scores(end).get(player, 0)
    best = max(tried, key=lambda t: t.worth)
    return best if best.plays else None


def _played_out(state: State, first: Move, seed: str, rng: random.Random, until: float) -> Position | None:
    """Where a random play ends; None if it is too long, or the time is up before it ends."""
    machine, chance = state.game.machine, Chance(seed)
    position, move = state.position, first
    for _ in range(MOST_PLIES):
        position = machine.play(position, move, chance).position
        if position.is_over:
            return position
        if time.monotonic() > until:
            return None
        moves = list(machine.moves(position))
        move = moves[rng.randrange(len(moves))]
    return None
