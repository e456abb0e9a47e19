"""Stout's race with Queens by hand: what the document adds to a turn of `race_by_hand`.

A Drone is a capital letter and a Queen a small one, so that Yellow plays `Y` and `y`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from race_by_hand import COLOURS, WAYS, Place, Position, Reading, Turn, ahead, level, on_board, path, stops


@dataclass(frozen=True)
class QueensReading(Reading):
    """The readings in force, those about Queens included."""

    odd_points_spare: bool = False
    whole_stack_goes: bool = False
    carried_count: bool = True


def both(colours: str) -> str:
    """The Drones and Queens of these colours."""
    return colours + colours.lower()


class QueensTurn(Turn):
    """The turn of a player of these colours, to whom their Queens and Drones belong."""

    reading: QueensReading

    def changed(self, *changes: tuple[Place, str]) -> QueensTurn:
        return QueensTurn({**self.at, **dict(changes)}, self.own, self.reading)

    # ---- movement

    def goes(self, piece: str, p: Place, points: int, kind: str) -> Place:
        """The place to which a movement takes a piece from a place, alone or with others."""
        colour, queen = piece.upper(), piece.islower()
        if kind == "Hop":
            return self.hops(colour, p, points, 2 if queen else 1)
        q = p
        for _ in range(points // 2 if queen else points):
            nxt = ahead(colour, q)
            if nxt is None or (not queen and self.blocked(colour, nxt)):
                break
            q = nxt
            if kind != "Aim" and stops(colour, q, self.reading):
                break
        return q

    def blocked(self, colour: str, q: Place) -> bool:
        there = self.at.get(q, "")
        if q == path(colour)[-1] and not self.reading.goal_stack_blocks:
            return False
        return len(there) > 1 or there.islower()

    def hops(self, colour: str, p: Place, points: int, cost: int) -> Place:
        while True:
            nxt, fare = ahead(colour, p), cost
            while nxt is not None and nxt in self.at and not stops(colour, nxt, self.reading):
                nxt, fare = ahead(colour, nxt), cost * (1 + self.reading.run_costs_one)
            if nxt is None or fare > points:
                return p
            p, points = nxt, points - fare
            if stops(colour, p, self.reading):
                return p

    def going(self) -> Iterator[tuple[Place, str, str]]:
        """The groups that can move: place, leading piece, and all moving pieces from the bottom up."""
        for p, stack in self.at.items():
            queens = [i for i, piece in enumerate(stack) if piece.islower()]
            if queens and stack[queens[-1]] in self.own:
                first = 0 if self.reading.whole_stack_goes else queens[-1]
                yield p, stack[queens[-1]], stack[first:]
            if stack[-1] in self.own and stack[-1].isupper():
                yield p, stack[-1], stack[-1]

    def movements(self, kind: str, points: int) -> Iterator[QueensTurn]:
        for moved, _ in self.led(kind, points):
            yield moved

    def led(self, kind: str, points: int) -> Iterator[tuple[QueensTurn, str]]:
        """A plain, aimed or hopping movement, or a leap, with the piece that led it."""
        if kind == "Leap":
            for p in self.tops():
                if (q := self.leap(p)) != p:
                    yield self.laid(p, q, self.at[p][-1]), self.at[p][-1]
            return
        for p, leader, party in self.going():
            q = self.goes(leader, p, points, kind)
            barred = len(party) > 1 and level(q) == 4 and not self.reading.carried_count
            if q != p and not barred:
                yield self.laid(p, q, party), leader

    def laid(self, p: Place, q: Place, party: str) -> QueensTurn:
        return self.changed((p, self.at[p][: -len(party)]), (q, self.at.get(q, "") + party))

    # ---- the other actions

    def swaps(self) -> Iterator[Turn]:
        yield from super().swaps()
        for p, stack in self.at.items():
            for i in range(len(stack)):
                for j in range(i):
                    if level(p) == 0 and stack[i] in self.own:
                        way = [*stack]
                        way[i], way[j] = stack[j], stack[i]
                        yield self.changed((p, "".join(way)))

    def spilt(self, p: Place, places: list[Place]) -> QueensTurn:
        at = {**self.at}
        for piece, q in zip(at.pop(p), places, strict=False):
            to = q if on_board(q) else path(piece.upper())[0]
            at[to] = at.get(to, "") + piece
        return QueensTurn(at, self.own, self.reading)

    def tips(self) -> Iterator[Turn]:
        open_to = [p for p in self.at if on_board(p) and (level(p) < 4 or self.reading.tip_goal)]
        for p in self.tops():
            for dx, dy in WAYS:
                if (p[0] + dx, p[1] + dy) in open_to:
                    yield from self.tipped((p[0] + dx, p[1] + dy), dx, dy)
        for p in open_to:
            stack = self.at[p]
            if len(stack) > 1 and any(x in self.own and p != path(x.upper())[-1] for x in stack):
                for dx, dy in WAYS:
                    yield from self.tipped(p, dx, dy)
            elif len(stack) == 1 and stack in self.own:
                q = ahead(stack.upper(), p)
                if q is not None and level(q) <= level(p):
                    yield self.spilt(p, [q])
        for colour in COLOURS:
            start, *way = path(colour)
            if colour in self.own and start in self.at:
                yield self.spilt(start, way)

    # ---- the whole turn

    def won(self) -> bool:
        return any(
            self.at.get(path(c)[-1], "").count(c) + self.at.get(path(c)[-1], "").count(c.lower()) == 4
            for c in COLOURS
        )

    def ends(self, points: int, face: str) -> Iterator[Turn]:
        yield self
        for acted in self.actions(face):
            yield acted
            if not acted.won():
                yield from acted.moved("", points, "")
        for kind in ("Aim", "Hop"):
            if face in (kind, "Wild"):
                yield from self.moved(kind, points + 1, "")
        yield from self.moved("", points, face)

    def moved(self, kind: str, points: int, face: str) -> Iterator[Turn]:
        """All positions in which the turn may end that goes on with a movement, this face being left."""
        for moved, leader in self.led(kind, points):
            yield moved
            if moved.won():
                continue
            if leader.islower() and points % 2 and self.reading.odd_points_spare:
                yield from moved.ends(1, face)
            else:
                yield from moved.actions(face)


def scattered_with_queens(colours: str, seed: str, strays: bool = False) -> Position:
    """A position of three Drones and a Queen of each colour, close together; nobody is home.

    With `strays` some stand on Goals of others.
    """
    rng = random.Random(seed)
    squares = [(x, y) for x in range(1, 9) for y in range(1, 9) if level((x, y)) < 4]
    crowd = rng.sample(squares, rng.randint(3, 9))
    at: Position = {}
    pieces = [*(colours * 3 + colours.lower())]
    for piece in rng.sample(pieces, len(pieces)):
        colour, kind = piece.upper(), rng.random()
        goal, place = path(colour)[-1], rng.choice(crowd)
        home = at.get(goal, "")
        if kind < 0.15:
            place = path(colour)[0]
        elif kind < 0.3 and sum(x.upper() == colour for x in home) < 3:
            place = goal
        elif kind < 0.4 and strays:
            place = rng.choice([path(c)[-1] for c in COLOURS if c != colour])
        at[place] = at.get(place, "") + piece
    return at
