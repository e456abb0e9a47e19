"""Players that look no further than an action and the reply to it: random and greedy."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ..budgets import UNBOUNDED, Budget
from ..core.types import Value
from ..play.chance import Chance
from ..play.position import Move, Position
from .rules import Rules
from .table import View
from .worlds import Worlds
from .worth import Scale, Worth, judge

TRIES = 4
"""Number of tries of an action if chance or hidden hands matter."""

MANY = 40
"""With more moves than this each is tried only once."""

MOST_DOUBTED = 10
"""Number of best moves that are tested for losing at once."""

LONGEST = 60.0
"""Seconds after which one of the moves tried so far is chosen."""

MOST_ANSWERS = 60
"""A winning reply is sought among at most this many legal moves."""


class RandomPlayer:
    """Chooses uniformly among the legal actions, by its own seed."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(f"player {seed}")

    def choose(self, view: View) -> Move:
        """A random legal action."""
        return view.moves[self._random.randrange(len(view.moves))]


class GreedyPlayer:
    """Wins if one action suffices, avoids giving the next player a win, else takes the best immediate result.

    Results are judged by the rules' own scores after the action, or without scores by the nearness of a win;
    see `worth`. The seed decides between equal ones. If no hidden state is consistent (see `worlds`), it
    chooses at random.
    """

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(f"greedy {seed}")
        self._worlds = Worlds(f"greedy {seed}")
        self._seed = seed

    def choose(self, view: View) -> Move:
        """The best move at first sight, unless it loses at once and another of the best few does not."""
        moves = self._random.sample(view.moves, len(view.moves))
        worlds = [world.position for world in self._worlds.of(view)]
        rules, budget = view.rules, Budget(LONGEST)
        looked = rank_moves(rules, view.seat, worlds, moves, self._seed, budget)
        if looked[0].wins:
            return looked[0].move
        doubted = looked[:MOST_DOUBTED] if budget.seconds_left > 0 else []
        found = (look for look in doubted if not loses(rules, view.seat, look, self._seed))
        return next(found, looked[0]).move


@dataclass(frozen=True)
class Look:
    """A move, its possible positions, their value for the mover, and whether all are won."""

    move: Move
    after: tuple[Position, ...]
    value: float
    wins: bool


def rank_moves(
    rules: Rules,
    seat: Value,
    worlds: Sequence[Position],
    moves: Sequence[Move],
    seed: int | str,
    budget: Budget = UNBOUNDED,
) -> list[Look]:
    """The moves, best immediate result first; those for which time was too short come last, unevaluated."""
    at = list(rules.players).index(seat)
    tries = TRIES if len(moves) <= MANY else 1
    gains = rules.machine.game.outcome.gains  # a win is not all, then
    scale = Scale(gains)
    seen: list[tuple[Move, tuple[Position, ...], list[Worth], bool]] = []
    for move in moves:
        after = _positions_after(rules, worlds, move, seed, tries) if budget.seconds_left > 0 else ()
        worths = [judge(rules, position) for position in after]
        for worth in worths:
            scale.note(worth)
        won = bool(after) and not gains and all(seat in rules.winners(position) for position in after)
        seen.append((move, after, worths, won and all(worth.wins[at] == 1.0 for worth in worths)))
    found = [
        Look(
            move,
            after,
            sum(scale.value(w.wins[at], w.points[at]) for w in worths) / max(len(worths), 1),
            wins,
        )
        for move, after, worths, wins in seen
    ]
    return sorted(found, key=lambda look: (look.wins, bool(look.after), look.value), reverse=True)


def _positions_after(
    rules: Rules, worlds: Sequence[Position], move: Move, seed: int | str, tries: int
) -> tuple[Position, ...]:
    """The positions after a move: in a few worlds that allow it, or for a few draws of chance."""
    found: list[Position] = []
    for number in range(tries if worlds else 0):
        world = worlds[number % len(worlds)]
        if rules.hides and not rules.is_legal(world, move):
            continue
        position, outcomes = rules.play(world, move, Chance(f"{seed}/{number}"))
        found.append(position)
        if not outcomes and len(worlds) == 1:
            break
    return tuple(found)


def loses(rules: Rules, seat: Value, look: Look, seed: int | str) -> bool:
    """True if the next player wins at once after a move, whatever chance and hidden state may be."""
    return (
        (not rules.machine.game.outcome.gains)
        and bool(look.after)
        and all(
            _has_winning_answer(rules, position, seat, Chance(f"{seed}/{number}"))
            for number, position in enumerate(look.after)
        )
    )


def _has_winning_answer(rules: Rules, position: Position, seat: Value, chance: Chance) -> bool:
    """True if another player is to move and can win at once."""
    mover = rules.mover(position)
    if position.is_over or mover == seat:
        return False
    for answer in rules.moves(position, MOST_ANSWERS):
        winners = rules.winners(rules.play(position, answer, chance).position)
        if mover in winners and seat not in winners:
            return True
    return False
