"""The classics on boards of other sizes, counted here by a few lines of their own.

Each counter below is written from the rules as everybody knows them and uses nothing of the library. A place
is `(column, row)` from 0 on. The suite counts to a small depth, `make perft` further.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest
from shipped_games import load

from rulespec.play.perft import perft

Place = tuple[int, int]
Men = frozenset[Place]

DEEPER = 1 if os.environ.get("RULESPEC_SLOW") else 0
NONE: Men = frozenset()


def breakthrough(depth: int, width: int = 8, height: int = 8, rows: int = 2) -> int:
    """Sequences of so many steps."""

    @cache
    def count(own: Men, other: Men, left: int) -> int:
        """The mover goes upwards; then the board is turned upside down."""
        if not left:
            return 1
        total = 0
        for x, y in own:
            for across in (-1, 0, 1):
                to = (x + across, y + 1)
                if not 0 <= to[0] < width or to in own or (across == 0 and to in other):
                    continue
                rest = other - {to}
                if to[1] == height - 1 or not rest:
                    total += left == 1
                else:
                    total += count(turned(rest), turned(own - {(x, y)} | {to}), left - 1)
        return total

    def turned(men: Iterable[Place]) -> Men:
        return frozenset((x, height - 1 - y) for x, y in men)

    mine = frozenset((x, y) for x in range(width) for y in range(rows))
    return count(mine, turned(mine), depth)


def lines(depth: int, width: int, height: int, goal: int, drops: bool) -> int:
    """Sequences of so many marks, of which so many in a line end the game; they drop, or do not."""

    def wins(men: Men, at: Place) -> bool:
        def length(dx: int, dy: int) -> int:
            n = 0
            while (at[0] + (n + 1) * dx, at[1] + (n + 1) * dy) in men:
                n += 1
            return n

        return any(1 + length(x, y) + length(-x, -y) >= goal for x, y in ((1, 0), (0, 1), (1, 1), (1, -1)))

    @cache
    def count(own: Men, other: Men, left: int) -> int:
        if not left:
            return 1
        free = [(x, y) for x in range(width) for y in range(height) if (x, y) not in own | other]
        if drops:
            free = [(x, min(y for a, y in free if a == x)) for x in sorted({x for x, _ in free})]
        return sum(left == 1 if wins(own | {at}, at) else count(other, own | {at}, left - 1) for at in free)

    return count(NONE, NONE, depth)


def othello(depth: int, side: int) -> int:
    """Sequences of so many discs and passes."""
    ways = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    places = [(x, y) for x in range(side) for y in range(side)]

    def flanked(own: Men, other: Men, at: Place) -> Men:
        found: set[Place] = set()
        for dx, dy in ways:
            n = 1
            while (at[0] + n * dx, at[1] + n * dy) in other:
                n += 1
            if (at[0] + n * dx, at[1] + n * dy) in own:
                found |= {(at[0] + i * dx, at[1] + i * dy) for i in range(1, n)}
        return frozenset(found)

    def plays(own: Men, other: Men) -> dict[Place, Men]:
        free = (at for at in places if at not in own | other)
        return {at: turned for at in free if (turned := flanked(own, other, at))}

    @cache
    def count(own: Men, other: Men, left: int) -> int:
        if not left:
            return 1
        if found := plays(own, other):
            return sum(count(other - t, own | t | {at}, left - 1) for at, t in found.items())
        return count(other, own, left - 1) if plays(other, own) else 0

    a, b = side // 2 - 1, side // 2
    return count(frozenset({(b, a), (a, b)}), frozenset({(a, a), (b, b)}), depth)


def hexes(depth: int, side: int) -> int:
    """Sequences of so many stones; the mover joins left and right, then the board is mirrored."""
    beside = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))

    def joined(own: Men) -> bool:
        reached = {at for at in own if at[0] == 0}
        edge = [*reached]
        while edge:
            x, y = edge.pop()
            fresh = {(x + dx, y + dy) for dx, dy in beside} & own - reached
            reached |= fresh
            edge += fresh
        return any(x == side - 1 for x, _ in reached)

    @cache
    def count(own: Men, other: Men, left: int) -> int:
        if not left:
            return 1
        total = 0
        for at in ((x, y) for x in range(side) for y in range(side)):
            if at not in own and at not in other:
                laid = own | {at}
                total += left == 1 if joined(laid) else count(mirrored(other), mirrored(laid), left - 1)
        return total

    def mirrored(men: Men) -> Men:
        return frozenset((y, x) for x, y in men)

    return count(NONE, NONE, depth)


def nim(depth: int, piles: tuple[int, ...]) -> int:
    """Sequences of so many turns."""
    if not depth:
        return 1
    left = [(piles[:i], n, piles[i + 1 :]) for i, n in enumerate(piles)]
    return sum(nim(depth - 1, (*a, rest, *b)) for a, n, b in left for rest in range(n))


Pieces = frozenset[tuple[Place, bool]]


def draughts(depth: int, side: int, rows: int) -> int:
    """Sequences of so many turns, of which the mover goes upwards; then the board is turned round.

    A piece is a place, and true for a king. Jumps that take another way are different turns.
    """

    def turned(pieces: Iterable[tuple[Place, bool]]) -> Pieces:
        return frozenset(((side - 1 - x, side - 1 - y), king) for (x, y), king in pieces)

    def ways(king: bool) -> list[Place]:
        return [(x, y) for x in (-1, 1) for y in ((-1, 1) if king else (1,))]

    def moved(own: Pieces, at: Place, king: bool, to: Place) -> Pieces:
        return own - {(at, king)} | {(to, king or to[1] == side - 1)}

    def jumps(own: Pieces, others: Pieces, at: Place, king: bool) -> Iterable[tuple[Place, Men]]:
        """Where the jumps of a piece end, and all that they take."""
        full = {place for place, _ in own | others} - {at}
        enemies = {place for place, _ in others}

        def on(here: Place, taken: Men) -> Iterable[tuple[Place, Men]]:
            further = False
            for x, y in () if here[1] == side - 1 and not king else ways(king):
                over, to = (here[0] + x, here[1] + y), (here[0] + 2 * x, here[1] + 2 * y)
                if over in enemies - taken and to not in full and 0 <= to[0] < side and 0 <= to[1] < side:
                    further = True
                    yield from on(to, taken | {over})
            if taken and not further:
                yield here, taken

        return on(at, NONE)

    def turns(own: Pieces, others: Pieces) -> Iterable[tuple[Pieces, Pieces]]:
        found = [
            (moved(own, at, king, to), frozenset(piece for piece in others if piece[0] not in taken))
            for at, king in own
            for to, taken in jumps(own, others, at, king)
        ]
        full = {place for place, _ in own | others}
        return found or [
            (moved(own, at, king, to), others)
            for at, king in own
            for to in ((at[0] + x, at[1] + y) for x, y in ways(king))
            if to not in full and 0 <= to[0] < side and 0 <= to[1] < side
        ]

    @cache
    def count(own: Pieces, others: Pieces, left: int) -> int:
        if not left:
            return 1
        return sum(count(turned(b), turned(a), left - 1) for a, b in turns(own, others))

    men = frozenset(((x, y), False) for x in range(side) for y in range(rows) if (x + y) % 2 == 0)
    return count(men, turned(men), depth)


CASES: list[tuple[str, dict[str, Any], Callable[[int], int], int]] = [
    ("breakthrough", {}, breakthrough, 3),
    *(
        ("breakthrough", size, lambda n, size=size: breakthrough(n, **size), depth)
        for size, depth in [
            ({"width": 5, "height": 5, "rows": 1}, 4),
            ({"width": 5, "height": 5, "rows": 2}, 4),
            ({"width": 6, "height": 6}, 3),
            ({"width": 3, "height": 4, "rows": 1}, 7),
        ]
    ),
    ("tic-tac-toe", {"width": 4, "height": 4}, lambda n: lines(n, 4, 4, 3, False), 4),
    ("tic-tac-toe", {"width": 5, "height": 2, "in-line": 4}, lambda n: lines(n, 5, 2, 4, False), 8),
    ("connect-four", {"width": 4, "height": 4}, lambda n: lines(n, 4, 4, 4, True), 10),
    ("connect-four", {"width": 5, "height": 4, "in-line": 3}, lambda n: lines(n, 5, 4, 3, True), 6),
    ("othello", {"side": 4}, lambda n: othello(n, 4), 7),
    ("othello", {"side": 6}, lambda n: othello(n, 6), 5),
    ("hex", {"side": 2}, lambda n: hexes(n, 2), 4),
    ("hex", {"side": 4}, lambda n: hexes(n, 4), 4),
    ("hex", {"side": 5}, lambda n: hexes(n, 5), 3),
    ("draughts", {"side": 4, "rows": 1}, lambda n: draughts(n, 4, 1), 9),
    ("draughts", {"side": 6, "rows": 1}, lambda n: draughts(n, 6, 1), 7),
    ("draughts", {"side": 6, "rows": 2}, lambda n: draughts(n, 6, 2), 6),
    ("draughts", {}, lambda n: draughts(n, 8, 3), 4),
    ("nim", {"piles": [1, 3, 5, 7]}, lambda n: nim(n, (1, 3, 5, 7)), 5),
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("name", "size", "by_hand", "depth"), CASES, ids=[f"{name} {size}" for name, size, *_ in CASES]
)
def test_other_sizes_count_as_by_hand(
    name: str, size: dict[str, Any], by_hand: Callable[[int], int], depth: int
) -> None:
    depths = range(1, depth + DEEPER + 1)
    assert perft(load(name, parameters=size), max(depths)) == {d: by_hand(d) for d in depths}
