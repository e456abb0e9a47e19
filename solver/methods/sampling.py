"""What random plays show cheaply: that a premise is met, or that a play can come back on itself."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from itertools import islice

from rulespec.budgets import Budget
from rulespec.core import nodes as n
from rulespec.play.chance import Chance, ChanceError
from rulespec.play.machine import Machine
from rulespec.play.plays import Play, write_down
from rulespec.play.position import Move, Position
from solver.evidence.problem import Case
from solver.explore import without_draw_count
from solver.explore.chance_outcomes import outcomes

PLAYS = 40
SECONDS, LUCKY_SECONDS, ROUND_SECONDS = 3.0, 12.0, 12.0
"""The most seconds for walks, for ways back on which chance may help, and for random plays that recur."""
LONGEST_LOOP = 3
"""How many plies a play may take to come back for it to be noticed."""

WIDEST = 400
"""How many positions are followed from one when looking for a way back."""
EACH = 0.25
"""The share of what is left of the time for which chance is to help from one position."""

Trail = tuple[list[Move], list[str]]
Way = list[tuple[Move, tuple[str, ...]]]
"""Moves with what chance gave at each."""


class Walk:
    """Random plays of one game from its seeds, ply by ply."""

    def __init__(self, case: Case, seconds: float = SECONDS) -> None:
        self.case = case
        self.machine = Machine(case.game)
        self.budget = case.budget.part(0.2, seconds)

    def positions(self) -> Iterator[tuple[Position, Trail]]:
        """Positions of random plays with the moves and outcomes that led there, while the budget lasts."""
        for seed in range(PLAYS):
            chance = Chance(str(seed), self.case.chance or ())
            choose = random.Random(f"choice {seed}")
            ply = self.machine.start(chance)
            moves: list[Move] = []
            drawn = list(ply.outcomes)
            while not self.budget.exhausted:
                yield ply.position, (list(moves), list(drawn))
                legal = list(self.machine.moves(ply.position))
                if not legal:
                    break
                moves.append(choose.choice(legal))
                ply = self.machine.play(ply.position, moves[-1], chance)
                drawn += ply.outcomes


def is_met(case: Case, premise: n.Expr) -> bool:
    """Whether a condition was seen to hold in some position of random plays."""
    walk = Walk(case)
    return any(
        walk.machine.holds(premise, walk.machine.situation(position))
        for position, _ in walk.positions()
        if position.fault is None
    )


def coming_back(case: Case) -> tuple[Play, int] | None:
    """A play that comes back to a position it has left, and after how many plies it was there first.

    Plies without chance are followed first, then also those where chance can help, then random plays, for a
    play may recur only after many plies, as when a counter must reach its limit first. None if no such play
    was found.
    """
    for way, seconds in ((_loop, SECONDS), (_lucky, LUCKY_SECONDS)):
        walk = Walk(case, seconds)
        for position, (moves, drawn) in walk.positions():
            back = way(walk.machine, position, walk.budget)
            if back:
                outcomes = [outcome for _, told in back for outcome in told]
                play, _ = write_down(case.game, [*drawn, *outcomes], [*moves, *(move for move, _ in back)])
                return play, len(moves)
    return _round(case)


def _round(case: Case) -> tuple[Play, int] | None:
    """A random play that passes a position twice, and the number of plies before the first time."""
    passed: dict[Position, int] = {}
    for position, (moves, drawn) in Walk(case, ROUND_SECONDS).positions():
        if not moves:
            passed.clear()
        first = passed.setdefault(without_draw_count(position), len(moves))
        if first < len(moves):
            return write_down(case.game, drawn, moves)[0], first
    return None


def _lucky(machine: Machine, start: Position, budget: Budget) -> Way:
    """A way from a position back to itself, chance giving what is nearest to it; empty if none is short."""
    goal, budget = without_draw_count(start), budget.part(EACH)

    def on(at: Position, left: int) -> Way:
        for move in machine.moves(at) if left else ():
            if budget.exhausted:
                return []
            found = [*islice(outcomes(partial(machine.play, without_draw_count(at), move), ()), WIDEST)]
            ply = min(found, key=lambda ply: _difference(without_draw_count(ply.position), goal))
            if without_draw_count(ply.position) == goal:
                return [(move, ply.outcomes)]
            further = on(ply.position, left - 1)
            if further:
                return [(move, ply.outcomes), *further]
        return []

    return on(start, LONGEST_LOOP + machine.game.players)


def _difference(a: Position, b: Position) -> int:
    """How many variables differ."""
    return sum(x != y for x, y in zip(a.values, b.values, strict=True))


def _loop(machine: Machine, start: Position, budget: Budget) -> Way:
    """The shortest way from a position back to itself without chance; empty if none is short."""
    goal = without_draw_count(start)
    back: dict[Position, tuple[Position, Move]] = {}
    layer = [goal]
    for _ in range(LONGEST_LOOP):
        following: list[Position] = []
        for at in layer:
            for move in machine.moves(at):
                if budget.exhausted or len(back) > WIDEST:
                    return []
                after = _certain(machine, at, move)
                if after is None or after in back:
                    continue
                back[after] = (at, move)
                if after == goal:
                    return _way(back, goal)
                following.append(after)
        layer = following
    return []


def _certain(machine: Machine, position: Position, move: Move) -> Position | None:
    """The position after a move that draws no chance; None if it draws."""
    try:
        return without_draw_count(machine.play(position, move, Chance(None)).position)
    except ChanceError:
        return None


def _way(back: dict[Position, tuple[Position, Move]], goal: Position) -> Way:
    at, move = back[goal]
    moves = [move]
    while at != goal:
        at, move = back[at]
        moves.append(move)
    return [(move, ()) for move in reversed(moves)]
