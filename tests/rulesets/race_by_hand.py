"""Stout's race by hand: one turn with two dice, squares as pairs of numbers, nothing of the library.

Written from the document and its readings. A position maps places to strings of colours from the bottom
up, as the vectors write them; `Reading` names what the vectors call `rules_fields`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

Place = tuple[int, int]
Position = dict[Place, str]
COLOURS = "YGRB"
WAYS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
ACTIONS = ("Aim", "Hop", "Dig", "Leap", "Swap", "Tip")


@dataclass(frozen=True)
class Reading:
    """Which readings are in force; as it stands, those by default."""

    goal_stack_blocks: bool = True
    tip_goal: bool = False
    entry_corner_stops: bool = False
    treehouse: bool = False
    run_costs_one: bool = False


def level(p: Place) -> int:
    return min(p[0], 9 - p[0], p[1], 9 - p[1])


def on_board(p: Place) -> bool:
    return level(p) > 0


@cache
def path(colour: str) -> tuple[Place, ...]:
    """The places of a colour from its Start, which is the first, to its Goal. Yellow's, turned round."""
    way: list[Place] = [(1, 9)]
    for n in (1, 2, 3):
        low, high = n, 9 - n
        way += [(low, y) for y in range(high, low, -1)] + [(x, low) for x in range(low, high)]
        way += [(high, y) for y in range(low, high)] + [(x, high) for x in range(high, low, -1)]
    way.append((4, 5))
    for _ in range(COLOURS.index(colour)):
        way = [(y, 9 - x) for x, y in way]
    return tuple(way)


def ahead(colour: str, p: Place) -> Place | None:
    """The next place; on Level 4 a piece that strayed goes counterclockwise."""
    way = path(colour)
    if p in way:
        return way[way.index(p) + 1] if p != way[-1] else None
    return {(4, 5): (4, 4), (4, 4): (5, 4), (5, 4): (5, 5), (5, 5): (4, 5)}[p]


def stops(colour: str, p: Place, reading: Reading) -> bool:
    """Whether a plain movement ends here: at a turn, the own wall, the Goal."""
    way = path(colour)
    if p not in way:
        return True  # Level 4, which has nothing but corners
    at, n = way.index(p), level(p)
    if p == way[-1] or level(way[at + 1]) > n > 0:
        return True
    entry = level(way[at - 1]) < n
    corner = p[0] == p[1] or p[0] + p[1] == 9
    return corner and (not entry or (reading.entry_corner_stops and n > 1))


class Turn:
    """The turn of a player, whose pieces are those of one colour or of two."""

    def __init__(self, position: Position, own: str, reading: Reading) -> None:
        self.at, self.own, self.reading = {p: s for p, s in position.items() if s}, own, reading

    def tops(self) -> list[Place]:
        return [p for p, stack in self.at.items() if stack[-1] in self.own]

    def changed(self, *changes: tuple[Place, str]) -> Turn:
        return Turn({**self.at, **dict(changes)}, self.own, self.reading)

    def run(self, p: Place, points: int, aimed: bool) -> Place:
        q, piece = p, self.at[p][-1]
        for _ in range(points):
            nxt = ahead(piece, q)
            open_goal = nxt == path(piece)[-1] and not self.reading.goal_stack_blocks
            if nxt is None or (len(self.at.get(nxt, "")) > 1 and not open_goal):
                break
            q = nxt
            if not aimed and stops(piece, q, self.reading):
                break
        return q

    def hop(self, p: Place, points: int) -> Place:
        q, piece = p, self.at[p][-1]
        while True:
            nxt, cost = ahead(piece, q), 1
            while nxt is not None and nxt in self.at and not stops(piece, nxt, self.reading):
                nxt, cost = ahead(piece, nxt), 1 + self.reading.run_costs_one
            if nxt is None or cost > points:
                return q
            q, points = nxt, points - cost
            if stops(piece, q, self.reading):
                return q

    def leap(self, p: Place) -> Place:
        q, colour = p, self.at[p][-1].upper()
        while (nxt := ahead(colour, q)) is not None and nxt not in self.at:
            q = nxt
            if stops(colour, q, self.reading):
                break
        return q

    def advanced(self, p: Place, q: Place) -> Turn:
        return self.changed((p, self.at[p][:-1]), (q, self.at.get(q, "") + self.at[p][-1]))

    def movements(self, kind: str, points: int) -> Iterator[Turn]:
        """A plain, aimed or hopping movement, or a leap."""
        for p in self.tops():
            q = (
                self.leap(p) if kind == "Leap"
                else self.hop(p, points) if kind == "Hop"
                else self.run(p, points, kind == "Aim")
            )  # fmt: skip
            if q != p:
                yield self.advanced(p, q)

    def digs(self) -> Iterator[Turn]:
        for p, stack in self.at.items():
            if stack[0] in self.own and level(p) in (1, 2, 3):
                for dx, dy in WAYS:
                    q = (p[0] + dx, p[1] + dy)
                    if on_board(q) and level(q) <= level(p):
                        yield self.changed((p, stack[1:]), (q, stack[0] + self.at.get(q, "")))

    def swaps(self) -> Iterator[Turn]:
        free = [p for p in self.at if level(p) in (1, 2, 3)]
        for p in free:
            for q in free:
                if self.at[p][-1] in self.own and max(abs(p[0] - q[0]), abs(p[1] - q[1])) == 1:
                    one, other = self.at[p], self.at[q]
                    yield self.changed((p, one[:-1] + other[-1]), (q, other[:-1] + one[-1]))
            stack = [*self.at[p]]
            for i in range(len(stack)):
                for j in range(i):
                    if stack[i] in self.own or stack[j] in self.own:
                        other_way = [*stack]
                        other_way[i], other_way[j] = stack[j], stack[i]
                        yield self.changed((p, "".join(other_way)))

    def spilt(self, p: Place, places: list[Place]) -> Turn:
        """The stack on a place laid out on these, what falls off the board on its Start."""
        at = {**self.at}
        for piece, q in zip(at.pop(p), places, strict=False):
            to = q if on_board(q) else path(piece)[0]
            at[to] = at.get(to, "") + piece
        return Turn(at, self.own, self.reading)

    def tipped(self, p: Place, dx: int, dy: int) -> Iterator[Turn]:
        line = [(p[0] + n * dx, p[1] + n * dy) for n in range(1, len(self.at[p]) + 1)]
        if level(line[0]) <= level(p):
            yield self.spilt(p, line)

    def tips(self) -> Iterator[Turn]:
        open_to = [p for p in self.at if on_board(p) and (level(p) < 4 or self.reading.tip_goal)]
        for p in self.tops():
            for q in open_to:
                dx, dy = q[0] - p[0], q[1] - p[1]
                if max(abs(dx), abs(dy)) == 1:
                    yield from self.tipped(q, dx, dy)
        for p in open_to:
            stack = self.at[p]
            if len(stack) > 1:
                if any(c in stack and p != path(c)[-1] for c in self.own):
                    for dx, dy in WAYS:
                        yield from self.tipped(p, dx, dy)
            elif stack in self.own:
                q = ahead(stack, p)
                if q is not None and level(q) <= level(p):
                    yield self.spilt(p, [q])
        for start, *way in map(path, self.own):
            if start in self.at:
                yield self.spilt(start, way)

    def actions(self, face: str) -> Iterator[Turn]:
        """Everything that one action of a face of the action die may do, changed or not."""
        kinds = {"Dig": self.digs, "Swap": self.swaps, "Tip": self.tips}
        for kind in (*kinds, "Leap"):
            if face == kind or (face == "Wild" and not (kind == "Leap" and self.reading.treehouse)):
                yield from kinds[kind]() if kind in kinds else self.movements("Leap", 0)

    def enhanced(self, face: str, points: int) -> Iterator[Turn]:
        for kind in ("Aim", "Hop"):
            if face in (kind, "Wild"):
                yield from self.movements(kind, points + 1)

    def won(self) -> bool:
        return any(self.at.get(path(c)[-1], "").count(c) == 3 for c in COLOURS)

    def ends(self, points: int, face: str) -> Iterator[Turn]:
        """All positions in which the turn may end, nothing rolled again."""
        yield self
        for moved in self.movements("", points):
            yield moved
            if not moved.won():
                yield from moved.actions(face)
        yield from self.enhanced(face, points)
        for acted in self.actions(face):
            yield acted
            if not acted.won():
                yield from acted.movements("", points)

    def sets(self, points: int, face: str) -> list[set[str]]:
        """The distinct positions after a movement, an enhanced one, another action, and the whole turn."""
        now = {self.written()}
        kinds = (self.movements("", points), self.enhanced(face, points), self.actions(face))
        changed = [{turn.written() for turn in turns} - now for turns in kinds]
        return [*changed, {turn.written() for turn in self.ends(points, face)}]

    def written(self) -> str:
        """The position as one text, which tells positions apart."""
        return " ".join(f"{name_of(p)}:{stack}" for p, stack in sorted(self.at.items()))


def name_of(p: Place) -> str:
    """The name that the ruleset gives a place."""
    return "zabcdefghi"[p[0]] + str(p[1])


def scattered(colours: str, seed: str, strays: bool = False) -> Position:
    """A position in which pieces stand close enough to get in each other's way; nobody is home.

    With `strays` some stand on any square of Level 4.
    """
    rng = random.Random(seed)
    squares = [(x, y) for x in range(1, 9) for y in range(1, 9) if level((x, y)) < 4]
    crowd = rng.sample(squares, rng.randint(3, 12))
    at: Position = {}
    for piece in rng.sample(colours * 3, 3 * len(colours)):
        kind, goal = rng.random(), path(piece)[-1]
        place = rng.choice(crowd)
        if kind < 0.12:
            place = path(piece)[0]
        elif kind < 0.3 and at.get(goal, "").count(piece) < 2:
            place = goal
        elif kind < 0.45 and strays:
            place = rng.choice([path(c)[-1] for c in COLOURS if c != piece])
        at[place] = at.get(place, "") + piece
    return at
