"""Advice by random plays: which action does best when everything after it is left to chance.

A plain Monte Carlo search of one ply, for a hint to a beginner and no more. It plays on from the true
position with chance of its own, so it is no advice where something is hidden: it would tell.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from .chance import Chance
from .face import Action, State
from .position import Move, Position

LEAST_PLAYS = 4
"""So many plays an action is tried with at least; where time is short fewer actions are tried."""

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
    """The legal action after which random plays go best; None if the time is too short to tell.

    The state must not be over. Actions are tried in turn, one play each, until the time is up; of many
    actions only as many, drawn at random, as can be tried often enough.
    """
    rng = random.Random(f"advice {seed}")
    tried = [Tally(action) for action in state.actions()]
    rng.shuffle(tried)
    began = time.monotonic()
    until = began + seconds
    number = 0
    while time.monotonic() < until:
        tally = tried[number % len(tried)]
        end = _played_out(state, tally.action.move, f"{seed} {number // len(tried)}", rng, until)
        if end is not None:
            _count(tally, state, end)
        number += 1
        if number == LEAST_PLAYS:
            affordable = int(number * seconds / (time.monotonic() - began) / LEAST_PLAYS)
            tried = tried[: max(2, affordable)]
    enough = [tally for tally in tried if tally.plays >= LEAST_PLAYS]
    return max(enough, key=lambda tally: tally.worth, default=None)


def _count(tally: Tally, state: State, end: Position) -> None:
    machine, player = state.game.machine, state.values["mover"]
    winners = machine.winners(end)
    tally.plays += 1
    tally.wins += player in winners and 1 / len(winners)
    tally.points += machine.scores(end).get(player, 0)


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
