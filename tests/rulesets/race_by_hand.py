"""Stout's race written once more, straight from its text, to compare the ruleset with.

It knows paths as lists, moves as dictionaries of stacks, and nothing of rulespec. A position maps places
as `a9` to strings of colours from the bottom up; an action is answered with the positions it leads to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Stacks = dict[str, str]

COLOURS = "YGRB"
STARTS = {"Y": "a9", "G": "i8", "R": "h0", "B": "z1"}
SIDES = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
FILES = "zabcdefghi"


def place(x: int, y: int) -> str:
    return f"{FILES[x]}{y}"


def square(name: str) -> tuple[int, int]:
    return FILES.index(name[0]), int(name[1])


def level(name: str) -> int:
    x, y = square(name)
    return max(0, min(x, 9 - x, y, 9 - y))


def on_board(x: int, y: int) -> bool:
    return 1 <= x <= 8 and 1 <= y <= 8


def ring(n: int) -> list[str]:
    """The squares of a level counterclockwise, from its left upper corner."""
    low, high = n, 9 - n
    left = [place(low, y) for y in range(high, low, -1)]
    bottom = [place(x, low) for x in range(low, high)]
    right = [place(high, y) for y in range(low, high)]
    return left + bottom + right + [place(x, high) for x in range(high, low, -1)]


def lap(colour: str) -> list[str]:
    """A colour's whole way from its Start to its Goal; Yellow's turned by quarters."""
    turned = {"Y": 0, "B": 1, "R": 2, "G": 3}[colour]
    way = [STARTS[colour]]
    for n in (1, 2, 3):
        squares = ring(n)
        first = turned * len(squares) // 4
        way += squares[first:] + squares[:first]
    return [*way, ring(4)[turned]]


LAPS = {colour: lap(colour) for colour in COLOURS}
GOALS = {colour: LAPS[colour][-1] for colour in COLOURS}


@dataclass(frozen=True)
class Race:
    """What a player may do, under a choice of readings."""

    halts: bool = False
    open_goal: bool = False
    costs: bool = False
    tip_goal: bool = False

    def ahead(self, colour: str, at: str) -> str | None:
        way = LAPS[colour]
        if at in way:
            return None if at == way[-1] else way[way.index(at) + 1]
        top = ring(4)
        return top[(top.index(at) + 1) % 4]

    def stops(self, colour: str, at: str) -> bool:
        n, way = level(at), LAPS[colour]
        if n == 4:
            return at == way[-1]
        squares = [s for s in way[1:] if level(s) == n]
        corners = squares[:: len(squares) // 4]
        kept = corners if self.halts and n > 1 else corners[1:]
        return at in kept or at == squares[-1]

    def blocked(self, stacks: Stacks, colour: str, at: str) -> bool:
        return len(stacks.get(at, "")) > 1 and not (self.open_goal and at == GOALS[colour])

    def moved(self, stacks: Stacks, start: str, points: int, aiming: bool = False) -> str:
        colour = at = stacks[start][-1]
        at = start
        for _ in range(points):
            after = self.ahead(colour, at)
            if after is None or self.blocked(stacks, colour, after):
                break
            at = after
            if not aiming and self.stops(colour, at):
                break
        return at

    def hopped(self, stacks: Stacks, start: str, points: int) -> str:
        colour, at = stacks[start][-1], start
        while points > 0:
            after, over = self.ahead(colour, at), False
            if after is None:
                break
            while after in stacks and not self.stops(colour, after):
                after, over = self.ahead(colour, after), True
                assert after is not None
            points -= 2 if over and self.costs else 1
            if points < 0:
                break
            at = after
            if self.stops(colour, at):
                break
        return at

    def leapt(self, stacks: Stacks, start: str) -> str:
        colour, at = stacks[start][-1], start
        while True:
            after = self.ahead(colour, at)
            if after is None or after in stacks:
                return at
            at = after
            if self.stops(colour, at):
                return at

    # ---- what comes of each action

    def after(self, stacks: Stacks, mine: str, action: str, points: int = 0) -> set[str]:
        """Every position that an action of this name leads to, each written out."""
        return {written(s) for s in getattr(self, f"_{action.replace('-', '_')}")(stacks, mine, points)}

    def _walk(self, stacks: Stacks, start: str, end: str) -> Iterator[Stacks]:
        if end != start:
            yield with_({**stacks, start: stacks[start][:-1]}, end, stacks[start][-1])

    def _tops(self, stacks: Stacks, mine: str) -> list[str]:
        return [p for p, s in stacks.items() if s[-1] in mine]

    def _move(self, stacks: Stacks, mine: str, points: int) -> Iterator[Stacks]:
        for p in self._tops(stacks, mine):
            yield from self._walk(stacks, p, self.moved(stacks, p, points))

    def _aim(self, stacks: Stacks, mine: str, points: int) -> Iterator[Stacks]:
        for p in self._tops(stacks, mine):
            yield from self._walk(stacks, p, self.moved(stacks, p, points + 1, aiming=True))

    def _hop(self, stacks: Stacks, mine: str, points: int) -> Iterator[Stacks]:
        for p in self._tops(stacks, mine):
            yield from self._walk(stacks, p, self.hopped(stacks, p, points + 1))

    def _leap(self, stacks: Stacks, mine: str, points: int) -> Iterator[Stacks]:
        for p in self._tops(stacks, mine):
            yield from self._walk(stacks, p, self.leapt(stacks, p))

    def _dig(self, stacks: Stacks, mine: str, points: int) -> Iterator[Stacks]:
        for p, s in stacks.items():
            if s[0] in mine and level(p) in (1, 2, 3):
                for q in neighbours(p):
                    if 0 < level(q) <= level(p):
                        yield tidy({**stacks, p: s[1:], q: s[0] + stacks.get(q, "")})

    def _swap(self, stacks: Stacks, mine: str, points: int) -> Iterator[Stacks]:
        for p in self._tops(stacks, mine):
            for q in neighbours(p):
                if q in stacks and stacks[q][-1] != stacks[p][-1] and {level(p), level(q)} <= {1, 2, 3}:
                    yield {**stacks, p: stacks[p][:-1] + stacks[q][-1], q: stacks[q][:-1] + stacks[p][-1]}

    def _swap_within(self, stacks: Stacks, mine: str, points: int) -> Iterator[Stacks]:
        for p, s in stacks.items():
            for i in range(len(s)):
                for j in range(i + 1, len(s)):
                    if s[i] != s[j] and (s[i] in mine or s[j] in mine) and level(p) < 4:
                        yield {**stacks, p: s[:i] + s[j] + s[i + 1 : j] + s[i] + s[j + 1 :]}

    def _tipped(self, stacks: Stacks, at: str, dx: int, dy: int) -> Iterator[Stacks]:
        x, y = square(at)
        if level(at) == 4 and not self.tip_goal:
            return
        if on_board(x + dx, y + dy) and level(place(x + dx, y + dy)) > level(at):
            return
        after = {p: s for p, s in stacks.items() if p != at}
        for n, piece in enumerate(stacks[at], 1):
            there = (x + n * dx, y + n * dy)
            after = with_(after, place(*there) if on_board(*there) else STARTS[piece], piece)
        yield after

    def _push(self, stacks: Stacks, mine: str, points: int) -> Iterator[Stacks]:
        for p in self._tops(stacks, mine):
            for (dx, dy), q in zip(SIDES, around(p), strict=True):
                if q in stacks and level(q) > 0:
                    yield from self._tipped(stacks, q, dx, dy)

    def _topple(self, stacks: Stacks, mine: str, points: int) -> Iterator[Stacks]:
        for p, s in stacks.items():
            if len(s) > 1 and level(p) > 0 and set(s) & set(mine):
                for dx, dy in SIDES:
                    yield from self._tipped(stacks, p, dx, dy)

    def _step(self, stacks: Stacks, mine: str, points: int) -> Iterator[Stacks]:
        for p, s in stacks.items():
            firm = level(p) == 0 or (level(p) == 4 and not self.tip_goal)
            if s in mine and not firm and (q := self.ahead(s, p)) and level(q) <= level(p):
                yield with_({**stacks, p: ""}, q, s)

    def _unload(self, stacks: Stacks, mine: str, points: int) -> Iterator[Stacks]:
        for colour in mine:
            if waiting := stacks.get(STARTS[colour], ""):
                after = {**stacks, STARTS[colour]: ""}
                for q, piece in zip(LAPS[colour][1:], waiting, strict=False):
                    after = with_(after, q, piece)
                yield after


def around(p: str) -> list[str]:
    """The places next to one, side by side in the order of `SIDES`, those off the table as nothing."""
    x, y = square(p)
    inside = [(x + dx, y + dy) for dx, dy in SIDES]
    return [place(a, b) if 0 <= a <= 9 and 0 <= b <= 9 else "" for a, b in inside]


def neighbours(p: str) -> list[str]:
    return [q for q in around(p) if q and on_board(*square(q))]


def with_(stacks: Stacks, at: str, piece: str) -> Stacks:
    return tidy({**stacks, at: stacks.get(at, "") + piece})


def tidy(stacks: Stacks) -> Stacks:
    return {p: s for p, s in stacks.items() if s}


def written(stacks: Stacks) -> str:
    return " ".join(f"{p}:{s}" for p, s in sorted(tidy(stacks).items()))
