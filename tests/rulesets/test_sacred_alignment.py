"""Sacred Alignment beside a ziggurat that is kept by hand, under readings drawn at random.

The ziggurat by hand is a list of dominoes, each with its two squares; whatever is asked of it is found by
looking through the list. Its rules are written from the document and its readings.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import combinations_with_replacement, product

import pytest
from shipped_games import load

Cell = tuple[int, int, int]
"""Tier, row, column, from 1."""
Domino = tuple[int, int]
Lying = dict[Domino, tuple[Cell, Cell]]
"""Where the lower and the higher half of each domino lie."""

READINGS = {
    "first-domino": ("game", "tier", "nothing"),
    "alignment": ("half", "domino"),
    "across-tiers": ("plan", "near", "same"),
    "covered-halves": ("counted", "visible"),
    "own-half": ("ignored", "counted"),
    "support": ("laid", "bridge"),
    "refill": ("optional", "at-once"),
    "stuck-hand": ("stuck", "draw"),
    "cheat-return": ("at-once", "hand"),
    "cheat-count": ("every", "moved"),
}


def written(cell: Cell) -> str:
    return ".".join(map(str, cell))


class ByHand:
    """A ziggurat, a hand and a pile, whose last domino is drawn first."""

    def __init__(self, tiers: int, pips: int, hand_size: int, readings: dict[str, str], seed: int) -> None:
        self.readings, self.hand_size, self.cheats = readings, hand_size, 0
        full = [*combinations_with_replacement(range(pips + 1), 2)]
        self.pile = random.Random(f"deal {seed}").sample(full, len(full))
        self.dealt = [*self.pile]
        self.cells = [
            (tier, row, col)
            for tier in range(1, tiers + 1)
            for row, col in product(range(tier, 2 * tiers + 2 - tier), repeat=2)
        ]
        self.lying: Lying = {}
        self.lifted: Lying = {}
        self.hand = {self.pile.pop() for _ in range(min(hand_size, len(self.pile)))}

    # ---- what lies where

    def at(self, cell: Cell) -> tuple[Domino, int] | None:
        """The domino that covers a square, and the number that it shows there."""
        return next(
            ((d, d[cells.index(cell)]) for d, cells in self.lying.items() if cell in cells), None
        )  # fmt: skip

    def slots(self) -> Iterator[tuple[Cell, Cell]]:
        for (t, r, c), (u, s, d) in product(self.cells, repeat=2):
            if t == u and abs(r - s) + abs(c - d) == 1:
                yield (t, r, c), (u, s, d)

    def fits(self, domino: Domino, cells: tuple[Cell, Cell]) -> bool:
        """Whether a domino may lie there: vacant, supported, ascending, aligned."""
        if any(map(self.at, cells)) or (domino[0] == domino[1] and cells[0] > cells[1]):
            return False
        if cells[0][0] > 1:
            under = [self.at((t - 1, r, c)) for t, r, c in cells]
            if None in under or any(u and u[1] >= v for u, v in zip(under, domino, strict=True)):
                return False
            if self.readings["support"] == "bridge" and len({u[0] for u in under if u}) == 1:
                return False
        return self.aligned(domino, cells)

    def aligned(self, domino: Domino, cells: tuple[Cell, Cell]) -> bool:
        there = [c for lying in self.lying.values() for c in lying]
        first = {"game": not there, "tier": all(c[0] != cells[0][0] for c in there), "nothing": False}
        if first[self.readings["first-domino"]]:
            return True
        if self.readings["own-half"] == "counted" and domino[0] == domino[1]:
            return True
        return any(
            self.like(value, cell, other, cells)
            for value, cell in zip(domino, cells, strict=True)
            for other in there
        )

    def like(self, value: int, cell: Cell, other: Cell, cells: tuple[Cell, Cell]) -> bool:
        """Whether a square that is covered holds the like of a half that is to be laid."""
        (t, r, c), (u, s, d) = cell, other
        apart = {"plan": 9, "near": 1, "same": 0}[self.readings["across-tiers"]]
        if abs(r - s) + abs(c - d) != 1 or abs(t - u) > apart:
            return False
        above = (u + 1, s, d)
        if self.readings["covered-halves"] == "visible" and (self.at(above) or above in cells):
            return False
        found = self.at(other)
        assert found is not None
        domino, shown = found
        return shown == value or (self.readings["alignment"] == "domino" and value in domino)

    # ---- what can be done

    def places(self, domino: Domino) -> list[tuple[Cell, Cell]]:
        return [cells for cells in self.slots() if self.fits(domino, cells)]

    def actions(self) -> set[str]:
        if self.lifted:
            return {text for domino in self.lifted for text in self.landings(domino)}
        found = set()
        for domino in self.hand:
            for cells in self.places(domino):
                text = f"place {domino[0]}-{domino[1]} {written(cells[0])}/{written(cells[1])}"
                room = self.pile and len(self.hand) - 1 < self.hand_size
                found |= {f"{text} and draw"} if room else {text}
                found |= {text} if self.readings["refill"] == "optional" else set()
        if not found and self.pile and self.readings["stuck-hand"] == "draw":
            found.add("draw")
        return found | {f"lift {domino[0]}-{domino[1]}" for domino in self.lying}

    def landings(self, domino: Domino) -> Iterator[str]:
        """The ways to lay a domino again that was taken up, or to take it back into the hand."""
        for cells in self.places(domino):
            yield f"relay {domino[0]}-{domino[1]} {written(cells[0])}/{written(cells[1])}"
        if self.readings["cheat-return"] == "hand":
            yield f"put back {domino[0]}-{domino[1]}"

    def heap(self, domino: Domino) -> set[Domino]:
        """A domino and all that rests on it."""
        heap = {domino}
        for _ in self.lying:
            on = [(t + 1, r, c) for d in heap for t, r, c in self.lying[d]]
            heap |= {d for d, cells in self.lying.items() if any(c in on for c in cells)}
        return heap

    # ---- playing

    def play(self, text: str) -> None:
        verb, *rest = text.removeprefix("put ").split()
        if verb == "draw":
            self.hand.add(self.pile.pop())
            return
        domino = (int(rest[0][0]), int(rest[0][-1]))
        every = self.readings["cheat-count"] == "every"
        if verb == "lift":
            heap = self.heap(domino)
            self.lifted = {d: self.lying.pop(d) for d in heap}
            self.cheats += len(heap) if every else 0
        elif verb == "back":
            del self.lifted[domino]
            self.hand.add(domino)
            self.cheats += not every
        else:
            low, high = ((int(c[0]), int(c[2]), int(c[4])) for c in rest[1].split("/"))
            self.lying[domino] = (low, high)
            if verb == "relay":
                self.cheats += not every and self.lifted[domino] != (low, high)
                del self.lifted[domino]
                return
            self.hand.remove(domino)
            if rest[-1] == "draw":
                missing = min(self.hand_size - len(self.hand), len(self.pile))
                self.hand |= {self.pile.pop() for _ in range(missing)}


@pytest.mark.parametrize("seed", range(60 if os.environ.get("RULESPEC_SLOW") else 6))
def test_a_random_play_agrees_with_one_kept_by_hand(seed: int) -> None:
    rng = random.Random(f"sacred {seed}")
    readings = {ruling: rng.choice(options) for ruling, options in READINGS.items()}
    tiers, pips = rng.choice([(2, 3), (2, 3), (3, 6)])
    hand_size, counted = rng.randint(1, 4), rng.choice([5, 9, 99])
    parameters = {"tiers": tiers, "top-pip": pips, "hand-size": hand_size, "cheats-counted": counted}
    other = ByHand(tiers, pips, hand_size, readings, seed)
    deal = [f"{low}-{high}" for low, high in other.dealt]
    state = load("sacred-alignment", parameters=parameters, readings=readings).start(chance=[deal])
    for _ in range(40):
        actions = {str(action) for action in state.actions()}
        assert actions == (other.actions() if not state.is_over else set())
        cheats = min(other.cheats, counted)
        assert (state.to_data()["cheats"], len(state.to_data()["hand"])) == (cheats, len(other.hand))
        assert state.scores == {1: -cheats}
        if not actions:
            break
        laying = sorted(a for a in actions if not a.startswith("lift"))
        action = rng.choice(laying if laying and rng.random() < 0.7 else sorted(actions))
        state = state.play(action)
        other.play(action)
    assert (state.ended_by == "complete") == (2 * len(other.lying) == len(other.cells))
