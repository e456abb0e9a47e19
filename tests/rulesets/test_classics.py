"""The classic games, held to counts that were made elsewhere or are made here by a few lines of their own.

`tests/vectors/classics-perft.json` holds counts that were given; those that others published stand with
their source in `perft.json` beside the rulesets (`test_counts`).
The suite counts to a small depth, `make perft` to all of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from shipped_games import load

from rulespec.play.chance import Chance
from rulespec.play.face import Game
from rulespec.play.perft import perft
from rulespec.play.position import Position

GIVEN = json.loads((Path(__file__).parents[1] / "vectors" / "classics-perft.json").read_text("utf-8"))
SLOW = bool(os.environ.get("RULESPEC_SLOW"))

SETTINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "tic-tac-toe": ("tic-tac-toe", {}),
    "connect-four": ("connect-four", {}),
    "breakthrough (5x5)": ("breakthrough", {"width": 5, "height": 5, "rows": 1}),
    "hex (3x3)": ("hex", {"side": 3}),
    "othello": ("othello", {}),
    "nim (3, 4, 5)": ("nim", {"piles": [3, 4, 5]}),
}
PEGS = (1, 1, 2, 8, 39, 171, 719, 2757, 9751)
"""Positions of peg solitaire after n jumps, mirrored and turned ones counted once (OEIS A112737)."""
QUICK = {"tic-tac-toe": 6, "connect-four": 4, "breakthrough (5x5)": 3, "hex (3x3)": 6, "othello": 4}


def upto(counts: dict[Any, int], quick: int | None) -> dict[int, int]:
    """The counts by depth, in the suite only those of small depth."""
    return {int(d): c for d, c in counts.items() if SLOW or quick is None or int(d) <= quick}


@pytest.mark.parametrize("name", SETTINGS)
def test_counts_are_those_of_other_programs(name: str) -> None:
    ruleset, parameters = SETTINGS[name]
    wanted = upto(GIVEN[name]["counts"], QUICK.get(name))
    assert perft(load(ruleset, parameters=parameters), max(wanted)) == wanted


def test_a_jump_of_draughts_is_one_action_and_read_as_it_is_written() -> None:
    game = load("draughts")
    state = game.position({"board": {"c3": "1k", "d4": "2m", "d6": "2m", "b6": "2m", "b4": "2m", "h8": "2m"}})
    found = [str(action) for action in state.actions()]
    assert found == ["c3-a5-c7-e5-c3", "c3-e5-c7-a5-c3"]
    for action in state.actions():
        assert state.find(str(action)) == state.find(action.full) == state.find(action.text.upper()) == action
    after = state.play(found[0])
    assert after.to_data()["board"] == {"c3": "1k", "h8": "2m"}


# ---- positions


def layers(game: Game, start: Position) -> Iterator[set[Position]]:
    """The positions at distance 0, 1, 2, … of a start; chance plays no part."""
    chance = Chance("0")
    known, layer = {start}, {start}
    while layer:
        yield layer
        moves = ((p, move) for p in layer for move in game.machine.moves(p))
        layer = {game.machine.play(p, move, chance).position for p, move in moves} - known
        known |= layer


def test_positions_of_the_eight_puzzle_by_distance() -> None:
    wanted = upto(GIVEN["eight-puzzle"]["positions"], 13)
    game = load("eight-puzzle")
    # Two tiles have changed places, so the goal, at which a play would end, is out of reach.
    start = game.position({"tile": ". 1 2\n3 4 5\n6 8 7\n"})
    found = {d: len(layer) for d, layer in zip(wanted, layers(game, start.position), strict=False)}
    assert found == wanted


def test_a_mixed_eight_puzzle_can_be_put_in_order() -> None:
    game = load("eight-puzzle", parameters={"width": 2, "height": 2})
    goal = game.position({"tile": "1 2\n3 .\n", "over": False}).position.values
    for seed in range(8):
        reached = layers(game, game.start(seed=seed).position)
        assert any(p.values[2:] == goal[2:] for layer in reached for p in layer)


def test_positions_of_peg_solitaire_up_to_symmetry() -> None:
    game = load("peg-solitaire")
    depth = len(PEGS) if SLOW else 5

    def one_of_eight(position: Position) -> tuple[tuple[int, int], ...]:
        pegs = [(x - 4, y - 4) for x, y in position.values[2]]
        turned = [[(s * a, t * b) for a, b in swapped] for swapped in (pegs, [(y, x) for x, y in pegs])
                  for s in (1, -1) for t in (1, -1)]  # fmt: skip
        return min(tuple(sorted(view)) for view in turned)

    found = layers(game, game.start(seed=0).position)
    assert [len({one_of_eight(p) for p in layer}) for layer, _ in zip(found, range(depth), strict=False)] == [
        *PEGS[:depth]
    ]


# ---- games counted by a few lines of their own


@cache
def kalah(pits: tuple[int, ...], mover: int, depth: int) -> int:
    """Sequences of exactly `depth` sowings; pits 0 to 5 and the store 6 are the first player's."""
    rows = [sum(pits[0:6]), sum(pits[7:13])]
    if depth == 0:
        return 1
    return 0 if 0 in rows else sum(sown(pits, mover, house, depth - 1) for house in range(6))


def sown(pits: tuple[int, ...], mover: int, house: int, depth: int) -> int:
    board, at = list(pits), 7 * mover + house
    n, board[at] = board[at], 0
    if not n:
        return 0
    while n:
        at = (at + 1) % 14
        if at != 13 - 7 * mover:
            board[at], n = board[at] + 1, n - 1
    store = 6 + 7 * mover
    if 7 * mover <= at < store and board[at] == 1 and board[12 - at]:
        board[store] += 1 + board[12 - at]
        board[at] = board[12 - at] = 0
    return kalah(tuple(board), mover if at == store else 1 - mover, depth)


@pytest.mark.parametrize("seeds", [1, 3, 4])
def test_counts_of_kalah(seeds: int) -> None:
    pits = ((seeds,) * 6 + (0,)) * 2
    depths = range(1, 7 if SLOW else 5)
    found = perft(load("kalah", parameters={"seeds": seeds}), max(depths))
    assert found == {d: kalah(pits, 0, d) for d in depths}


RINGS = [[(r * x, r * y) for x, y in ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))]
         for r in (1, 2, 3)]  # fmt: skip
Point = tuple[int, int]
Men = tuple[frozenset[Point], frozenset[Point]]


@dataclass(frozen=True)
class Morris:
    """Sequences of exactly `depth` actions of nine men's morris, under these readings, on so many rings."""

    flying: bool = True
    safe: bool = True
    each: bool = False
    rings: int = 3

    @cached_property
    def points(self) -> set[Point]:
        return {p for ring in RINGS[: self.rings] for p in ring}

    @cached_property
    def mills(self) -> list[set[Point]]:
        rings = RINGS[: self.rings]
        along = [{ring[i], ring[i + 1], ring[(i + 2) % 8]} for ring in rings for i in (0, 2, 4, 6)]
        return along + [{ring[i] for ring in rings} for i in (1, 3, 5, 7) if self.rings == 3]

    @cached_property
    def beside(self) -> set[frozenset[Point]]:
        rings = RINGS[: self.rings]
        around = {frozenset((ring[i], ring[(i + 1) % 8])) for ring in rings for i in range(8)}
        return around | {frozenset((a[i], b[i])) for a, b in pairwise(rings) for i in (1, 3, 5, 7)}

    def count(self, men: Men, hands: tuple[int, int], mover: int, to_take: int, depth: int) -> int:
        if depth == 0:
            return 1
        own, other = men[mover], men[1 - mover]
        if to_take:
            return sum(self.taken(men, hands, mover, to_take, p, depth) for p in self.takeable(other))
        setting, total = hands[mover] > 0, 0
        after = (hands[0] - (mover == 0), hands[1] - (mover == 1)) if setting else hands
        for p, q in self.steps(own, self.points - own - other, setting):
            moved = (own - {p}) | {q}
            mills = sum(q in line and line <= moved for line in self.mills)
            take = mills if self.each else min(mills, 1)
            turn = mover if take else 1 - mover
            total += self.count(tuple_of(moved, other, mover), after, turn, take, depth - 1)
        return total

    def steps(self, own: frozenset[Point], free: set[Point], setting: bool) -> Iterator[tuple[Any, Point]]:
        """From where, or None for a man that is set, to where."""
        flies = self.flying and len(own) <= 3
        yield from ((None, q) for q in free if setting)
        yield from (
            (p, q) for p in own for q in free if not setting and (flies or frozenset((p, q)) in self.beside)
        )

    def takeable(self, other: frozenset[Point]) -> frozenset[Point]:
        bound = {p for line in self.mills if line <= other for p in line}
        return other if other <= bound or not self.safe else other - bound

    def taken(self, men: Men, hands: tuple[int, int], mover: int, to_take: int, p: Point, depth: int) -> int:
        left = men[1 - mover] - {p}
        if len(left) + hands[1 - mover] < 3:
            return int(depth == 1)
        take = to_take - 1 if left else 0
        turn = mover if take else 1 - mover
        return self.count(tuple_of(men[mover], left, mover), hands, turn, take, depth - 1)


def tuple_of(own: frozenset[Point], other: frozenset[Point], mover: int) -> Men:
    return (own, other) if mover == 0 else (other, own)


def test_counts_of_nine_mens_morris_from_the_start() -> None:
    none: frozenset[Point] = frozenset()
    assert perft(load("nine-mens-morris"), 2) == {
        d: Morris().count((none, none), (9, 9), 0, 0, d) for d in (1, 2)
    }


@pytest.mark.parametrize(
    ("rules", "readings"),
    [
        (Morris(), {}),
        (Morris(flying=False), {"flying": "walk"}),
        (Morris(safe=False), {"safe-mills": "none-safe"}),
        (Morris(each=True), {"two-mills": "each"}),
    ],
)
@pytest.mark.parametrize(
    ("first", "second", "hands"),
    [
        ("a1 a4 d7 g7 b2 b4", "g1 g4 f2 d2 d3 e4", (1, 1)),
        ("a1 a4 d7 g7 b2 b4", "g1 g4 f2 d2 d3", (0, 0)),
        ("a1 a4 b2", "g1 g4 f2 d2", (0, 0)),
        ("a1 a4 d7 g7", "g1 f2 f4 d6 b2", (1, 0)),
        ("a1 a4 d7", "g1 g4 g7 d2 f6", (1, 1)),
    ],
)
def test_counts_of_nine_mens_morris_from_a_position(
    rules: Morris, readings: dict[str, str], first: str, second: str, hands: tuple[int, int]
) -> None:
    sides = [{("abcdefg".index(p[0]) - 3, int(p[1]) - 4) for p in text.split()} for text in (first, second)]
    game = load("nine-mens-morris", readings=readings)
    men = {**dict.fromkeys(first.split(), 1), **dict.fromkeys(second.split(), 2)}
    start = game.position({"man": men, "in-hand": {1: hands[0], 2: hands[1]}}).position
    by_hand = (frozenset(sides[0]), frozenset(sides[1]))
    depths = (1, 2, 3)
    found = perft(game, max(depths), start=start)
    assert found == {d: rules.count(by_hand, hands, 0, 0, d) for d in depths}


@pytest.mark.parametrize(
    ("first", "second", "hands"),
    [
        ("", "", (6, 6)),
        ("a1 a3 c1 b2", "e1 e3 d2 b4", (0, 0)),
        ("a1 a3 b2", "e1 e5 d4 b4", (0, 0)),
        ("a1 a3 b2 c2", "e1 e5 d4 d3", (2, 2)),
    ],
)
def test_counts_of_six_mens_morris(first: str, second: str, hands: tuple[int, int]) -> None:
    game = load("six-mens-morris")
    men = {**dict.fromkeys(first.split(), 1), **dict.fromkeys(second.split(), 2)}
    start = game.position({"man": men, "in-hand": {1: hands[0], 2: hands[1]}}).position
    sides = [{("abcde".index(p[0]) - 2, int(p[1]) - 3) for p in text.split()} for text in (first, second)]
    by_hand = (frozenset(sides[0]), frozenset(sides[1]))
    found = perft(game, 3, start=start)
    assert found == {d: Morris(rings=2).count(by_hand, hands, 0, 0, d) for d in (1, 2, 3)}


def test_every_play_of_kuhn_poker_pays_as_the_cards_say() -> None:
    game = load("kuhn-poker")
    paid = {"check check": 1, "check bet call": 2, "check bet fold": -1, "bet call": 2, "bet fold": 1}
    for cards in permutations((1, 2, 3)):
        higher = 1 if cards[0] > cards[1] else -1
        for line, stake in paid.items():
            state = game.start(chance=[cards[::-1]])
            for action in line.split():
                assert action in map(str, state.actions())
                state = state.play(action)
            folded = line.endswith("fold")
            gain = stake if folded else stake * higher
            assert state.is_over
            assert state.scores == {1: gain, 2: -gain}
    assert perft(game, 4) == {1: 2, 2: 4, 3: 2, 4: 0}


def test_a_turn_of_pig() -> None:
    game = load("pig", parameters={"target": 10})
    state = game.start(chance=[4, 5, 1, 6, 6])
    for action in ("roll", "roll"):
        state = state.play(action)
    assert (state.to_move, state.to_data()["turn-total"]) == (1, 9)
    state = state.play("roll")
    assert (state.to_move, state.scores) == (2, {1: 0, 2: 0})
    state = state.play("roll").play("roll")
    assert [str(action) for action in state.actions()] == ["hold"]
    state = state.play("hold")
    assert (state.winners, state.scores) == ((2,), {1: 0, 2: 12})
