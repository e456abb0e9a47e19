"""Players that look no further than an action and the answer to it: by chance, and greedy."""

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
"""Where chance or hidden hands decide too, an action is tried in so many ways."""

MANY = 40
"""Of more moves than this each is tried once only."""

MOST_DOUBTED = 10
"""So many of the best moves are asked whether they lose at once."""

LONGEST = 60.0
"""Seconds after which a choice is made among the moves that were tried so far."""

MOST_ANSWERS = 60
"""An answer that wins is looked for among so many legal moves."""


class RandomPlayer:
    """Chooses uniformly among the legal actions, by a seed of its own."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(f"player {seed}")

    def choose(self, view: View) -> Move:
        """One of the legal actions."""
        return view.moves[self._random.randrange(len(view.moves))]


class GreedyPlayer:
    """Wins if one action is enough, avoids giving the next player a win, else takes what is best at once.

    What is best is judged by the rules' own scores as they stand after the action, and where there are
    none by how near a win is; see `worth`. Among equals the choice is by seed. Where nothing is known of
    what is hidden (see `worlds`), it chooses by chance.
    """

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(f"greedy {seed}")
        self._worlds = Worlds(f"greedy {seed}")
        self._seed = seed

    def choose(self, view: View) -> Move:
        """The move that looks best, but none that loses at once if another of the best few does not."""
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
    """A move, the positions that it may lead to, how good they are for who makes it, whether all are won."""

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
    """The moves, best at once first. Those for which the budget has no time come last, not looked at."""
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
    """The positions after a move: in a few worlds that allow it, or by a few draws of chance."""
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
    """True if the next player to move wins at once after a move, whatever chance and hidden hands may be."""
    return (
        (not rules.machine.game.outcome.gains)
        and bool(look.after)
        and all(
            _has_winning_answer(rules, position, seat, Chance(f"{seed}/{number}"))
            for number, position in enumerate(look.after)
        )
    )


def _has_winning_answer(rules: Rules, position: Position, seat: Value, chance: Chance) -> bool:
    """True if another player is to move and wins at once."""
    mover = rules.mover(position)
    if position.is_over or mover == seat:
        return False
    for answer in rules.moves(position, MOST_ANSWERS):
        winners = rules.winners(rules.play(position, answer, chance).position)
        if mover in winners and seat not in winners:
            return True
    return False
