"""Quick results of random plays: a premise that is met, a repeated position, plays that look the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from heapq import heappop, heappush
from itertools import count, islice
from operator import ne

from rulespec.budgets import Budget
from rulespec.core import nodes as n
from rulespec.play.chance import Chance
from rulespec.play.face import Game
from rulespec.play.machine import Machine
from rulespec.play.plays import Play, write_down
from rulespec.play.position import Move, Position
from rulespec.players.table import Hall, Table
from rulespec.players.worlds import Worlds
from rulespec.solver.evidence.comparisons import told_apart_by
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.evidence.replay import answer_by_play
from rulespec.solver.explore import without_draw_count
from rulespec.solver.explore.chance_outcomes import outcomes
from rulespec.solver.pairs.belief_states import History, KnowledgeCheck

PLAYS = 40
SHARE = 0.2
"""The share of the remaining budget for random plays."""
SECONDS, BACK_SECONDS, ROUND_SECONDS = 3.0, 8.0, 12.0
"""Maximum seconds for meeting a condition, for ways back to positions, and for plays that recur."""
WIDEST = 400
"""Maximum number of positions expanded in search of a way back, and of outcomes of a ply."""
EACH = 0.25
"""The share of the remaining time for a way back from one position."""
UNSEEN = "Whether some play goes on for ever was not decided: none was seen to come back."

Trail = tuple[list[Move], list[str]]


def random_plays(machine: Machine, case: Case, budget: Budget) -> Iterator[tuple[Position, Trail]]:
    """Positions of random plays while the budget lasts, with the moves and outcomes that led to each."""
    for seed in range(PLAYS):
        chance = Chance(str(seed), case.chance or ())
        choose = random.Random(f"choice {seed}")
        ply = machine.start(chance)
        moves: list[Move] = []
        drawn = list(ply.outcomes)
        while not budget.exceeded_limit:
            yield ply.position, (list(moves), list(drawn))
            legal = list(machine.moves(ply.position))
            if not legal:
                break
            moves.append(choose.choice(legal))
            ply = machine.play(ply.position, moves[-1], chance)
            drawn += ply.outcomes


def finished_plays(case: Case, budget: Budget) -> Iterator[Play]:
    """Random plays to their ends, while the budget lasts."""
    for position, (moves, drawn) in random_plays(Machine(case.game), case, budget):
        if position.is_over:
            yield write_down(case.game, drawn, moves)[0]


def is_met(case: Case, premise: n.Expr) -> bool:
    """True if a condition held in some position of the random plays."""
    machine = Machine(case.game)
    plays = random_plays(machine, case, case.budget.part(SHARE, SECONDS))
    sound = (position for position, _ in plays if position.fault is None)
    return any(machine.holds(premise, machine.situation(position)) for position in sound)


def find_lookalikes(case: Case, seconds: float) -> Answer | None:
    """The answer of two plays that look alike to a player and differ in what must be known.

    Random plays are compared with worlds that agree with the observations of the player to act, or of each
    player at the end. None if no such plays are found.
    """
    game, budget = case.game, case.budget.part(1.0, seconds)
    played = Game(game)
    hall = Hall(played)
    for seed in range(PLAYS if hall.rules.hides else 0):
        table, choose = Table([played.start(seed)], hall), random.Random(f"choice {seed}")
        while not budget.exceeded_limit:
            state = table.state
            for seat in played.players if state.is_over else (state.values["mover"],):
                check = KnowledgeCheck(game, seat)
                for world in Worlds(str(seed)).of(table.view(seat), budget):
                    if not check.unlike(state.position, world.position):
                        continue
                    moves = [action.move for action in state.plays]
                    one, other = History(state.chance, tuple(moves)), History(world.outcomes, world.moves)
                    if not check.objection(one, other):
                        return told_apart_by(case, check.alike(one, other))
            if not state.moves:
                break
            table.play(choose.choice(state.moves))
    return None


def repeating_play(case: Case) -> Answer | None:
    """The answer of a play that repeats a position; None if none was found."""
    found = find_repetition(case)
    if found is None:
        return None
    return answer_by_play(case, found[0], "interpreter", repeats=found[1])


def find_repetition(case: Case) -> tuple[Play, int] | None:
    """A play that returns to an earlier position, and the ply of its first visit.

    Ways back are sought from positions of random plays; then these are played to their ends, because a play
    may recur only after many plies, for example when a counter must reach its limit first. None if no such
    play is found.
    """
    machine, budget = Machine(case.game), case.budget.part(SHARE, BACK_SECONDS)
    for position, (moves, drawn) in random_plays(machine, case, budget):
        back = _way_back(machine, without_draw_count(position), budget.part(EACH))
        if back:
            outcomes = [outcome for given, _ in back for outcome in given]
            play, _ = write_down(case.game, [*drawn, *outcomes], [*moves, *(move for _, move in back)])
            return play, len(moves)
    passed: dict[Position, int] = {}
    for position, (moves, drawn) in random_plays(machine, case, case.budget.part(SHARE, ROUND_SECONDS)):
        if not moves:
            passed.clear()
        first = passed.setdefault(without_draw_count(position), len(moves))
        if first < len(moves):
            return write_down(case.game, drawn, moves)[0], first
    return None


def _way_back(machine: Machine, goal: Position, budget: Budget) -> list[tuple[tuple[str, ...], Move]]:
    """Outcomes and moves from a position back to itself; empty if none are found.

    Best first: positions that differ from the goal in fewer variables are expanded before others, and of the
    outcomes of a ply only the nearest.
    """
    came: dict[Position, tuple[Position, tuple[str, ...], Move]] = {}
    waiting, number = [(0, 0, goal)], count(1)
    while waiting and goal not in came:
        at = heappop(waiting)[-1]
        for move in machine.moves(at):
            if budget.exceeded_limit or len(came) > WIDEST:
                return []
            plies = islice(outcomes(partial(machine.play, at, move), ()), WIDEST)
            ends = [(without_draw_count(ply.position), ply.outcomes) for ply in plies]
            differing = (sum(map(ne, end.values, goal.values)) for end, _ in ends)
            far, nearest = min((x, i) for i, x in enumerate(differing))
            after, given = ends[nearest]
            if after not in came:
                came[after] = at, given, move
                heappush(waiting, (far, next(number), after))
    way: list[tuple[tuple[str, ...], Move]] = []
    at = goal
    while goal in came and (at != goal or not way):
        at, given, move = came[at]
        way.insert(0, (given, move))
    return way
