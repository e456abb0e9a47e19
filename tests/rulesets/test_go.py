"""Go: positions and plays counted by others, or by a few lines of Python that know nothing of the ruleset."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from shipped_games import load

from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.play.perft import perft

Board = tuple[int, ...]
"""The colours of the stones, row by row, 0 where there is none."""


def neighbours(side: int) -> list[list[int]]:
    """The neighbours of each crossing."""
    return [
        [at + d for d, fits in ((-1, at % side > 0), (1, at % side < side - 1), (-side, at >= side),
                                (side, at < side * (side - 1))) if fits]
        for at in range(side * side)
    ]  # fmt: skip


def chain(board: Board, at: int, near: list[list[int]]) -> tuple[set[int], bool]:
    """The chain of a stone, and whether it has a free neighbour."""
    found, waiting, free = {at}, [at], False
    while waiting:
        for other in near[waiting.pop()]:
            free = free or board[other] == 0
            if board[other] == board[at] and other not in found:
                found.add(other)
                waiting.append(other)
    return found, free


def placed(board: Board, at: int, colour: int, near: list[list[int]]) -> Board | None:
    """The board after a stone is placed; None where its chain has no free neighbour then."""
    after = [*board]
    after[at] = colour
    for other in near[at]:
        stones, free = chain(tuple(after), other, near) if after[other] == 3 - colour else (set(), True)
        if not free:
            after = [0 if i in stones else stone for i, stone in enumerate(after)]
    return tuple(after) if chain(tuple(after), at, near)[1] else None


def plays(side: int, depth: int) -> list[int]:
    """How many plays there are of each length, no board coming twice."""
    near, counts = neighbours(side), [0] * (depth + 1)

    def follow(board: Board, past: frozenset[Board], colour: int, passes: int, length: int) -> None:
        counts[length] += 1
        if length == depth or passes == 2:
            return
        for at in range(side * side):
            after = placed(board, at, colour, near) if board[at] == 0 else None
            if after is not None and after not in past:
                follow(after, past | {after}, 3 - colour, 0, length + 1)
        follow(board, past, 3 - colour, passes + 1, length + 1)

    start = (0,) * (side * side)
    follow(start, frozenset([start]), 1, 0, 0)
    return counts


@pytest.mark.parametrize(("side", "depth"), [(2, 9), (3, 4)])
def test_plays_are_those_of_another_program(side: int, depth: int) -> None:
    game = load("go", parameters={"side": side, "longest": 20})
    assert [1, *perft(game, depth).values()] == plays(side, depth)


def images(board: Board, side: int) -> list[Board]:
    """The board turned, mirrored and with its colours exchanged."""
    found, swap = [], (0, 2, 1)
    for _ in range(4):
        board = tuple(board[side * (side - 1 - x) + y] for y in range(side) for x in range(side))
        mirrored = tuple(board[side * y + side - 1 - x] for y in range(side) for x in range(side))
        found += [one for b in (board, mirrored) for one in (b, tuple(swap[stone] for stone in b))]
    return found


@pytest.mark.parametrize(("side", "legal"), [(2, 57), (3, 12_675)])
def test_as_many_positions_are_legal_as_tromp_and_farneback_counted(side: int, legal: int) -> None:
    """OEIS A094777, positions in which each chain has a free neighbour; one of each class is asked."""
    core = load("go", parameters={"side": side}).core
    stone, asked = core.state["stone"], core.functions["surrounded"]
    (square,) = asked.params
    classes = Counter(min(images(board, side)) for board in product(range(3), repeat=side * side))
    found = 0
    for board, boards in classes.items():
        context = Context({stone: tuple(colour or None for colour in board)})
        surrounded = (evaluate(asked.body, {square: at}, context) for at in square.type.values)
        found += 0 if any(surrounded) else boards
    assert found == legal
