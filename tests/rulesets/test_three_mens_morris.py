"""Three men's morris by a few lines of their own, which use nothing of the library: positions and best play.

As is told of the game elsewhere, too, the first player can make sure of winning, unless the middle is barred
to the first man.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from rulespec.budgets import Budget
from rulespec.language import load
from rulespec.play import face
from rulespec.play.perft import perft
from rulespec.solver.evidence import game_graph
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore.state_space import Limits

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
NEXT = {frozenset(pair) for a, b, c in LINES for pair in ((a, b), (b, c))}
Position = tuple[str, int]
"""Whose men stand on the points, and the player to move."""
START: Position = ("." * 9, 1)
READINGS = [*product(("anywhere", "beside"), ("lines", "anywhere"))]


def after(position: Position, opening: str, moving: str) -> Iterator[Position]:
    """Where each action leads; nowhere once there is a row."""
    board, mover = position
    free = [q for q in range(9) if board[q] == "."]
    own = [p for p in range(9) if board[p] == str(mover)]
    if won_by(board):
        return
    if len(own) < 3:
        barred = opening == "beside" and len(free) == 9
        changes: list[tuple[int | None, int]] = [(None, q) for q in free if not (barred and q == 4)]
    else:
        changes = [(p, q) for p in own for q in free if moving == "anywhere" or frozenset((p, q)) in NEXT]
    for p, q in changes:
        yield "".join("." if i == p else str(mover) if i == q else x for i, x in enumerate(board)), 3 - mover


def won_by(board: str) -> int:
    """The player with a row, 0 for none."""
    return next(
        (int(board[a]) for a, b, c in LINES if board[a] != "." and board[a] == board[b] == board[c]), 0
    )


def solved(opening: str, moving: str) -> tuple[int, str]:
    """How many positions there are, and what best play comes to."""
    graph: dict[Position, list[Position]] = {}
    waiting = [START]
    while waiting:
        position = waiting.pop()
        if position not in graph:
            graph[position] = [*after(position, opening, moving)]
            waiting += graph[position]
    winner = {position: won_by(position[0]) for position in graph}
    before: dict[Position, int] = {}
    while before != winner:
        before = dict(winner)
        for position, following in graph.items():
            mover, results = position[1], {before[to] for to in following}
            if following and not winner[position]:
                winner[position] = mover if mover in results else 0 if 0 in results else 3 - mover
    return len(graph), ("drawn", "won by 1", "won by 2")[winner[START]]


@pytest.mark.parametrize(("opening", "moving"), READINGS)
def test_best_play_and_positions_are_those_found_by_hand(opening: str, moving: str) -> None:
    game = load("three-mens-morris", readings={"opening": opening, "moving": moving})
    claims, limits = game.claims, Limits(60.0, 100_000)
    positions = game_graph.statistic(Case(game, claims["positions"], Budget(60)), limits)
    worth = game_graph.value(Case(game, claims["first-wins"], Budget(60)), limits)
    named = {0: "drawn", 1: "won by 1", -1: "won by 2"}[worth.numbers["value"]]
    assert (positions.numbers["value"], named) == solved(opening, moving)
    assert (named == "won by 1") == ((opening, moving) == ("anywhere", "lines"))


@pytest.mark.parametrize(("opening", "moving"), READINGS)
def test_sequences_are_those_counted_by_hand(opening: str, moving: str) -> None:
    layer, counts = [START], {}
    for depth in range(1, 5):
        layer = [to for position in layer for to in after(position, opening, moving)]
        counts[depth] = len(layer)
    game = face.load("three-mens-morris", readings={"opening": opening, "moving": moving})
    assert perft(game, 4) == counts
