"""What best play comes to in small games, against what others found."""

from __future__ import annotations

from typing import Any

import pytest

from rulespec.language import load
from rulespec.solver.explore import CodeStates
from rulespec.solver.explore.graph import Graph
from rulespec.solver.pairs.images import group_of

DRAWN, WON, LOST = 0, 1, -1

KALAH = {1: "DLWLWD", 2: "WLLLWW", 3: "DW"}
"""By houses, for 1, 2, … seeds in each: whether the first player wins, draws or loses.

G. Irving, J. Donkers, J. Uiterwijk, Solving Kalah, ICGA Journal 23 (2000) 139-147.
"""

NIM = [[1, 2, 3], [2, 3, 4], [1, 1, 4, 4], [5, 5], [2, 4, 6], [1, 3, 5]]


def explored(name: str, parameters: dict[str, Any], **how: Any) -> CodeStates:
    states = CodeStates(load(name, None, parameters), ways=True, **how)
    while states.deeper(lambda: "", 100_000):
        pass
    assert states.closed
    return states


def outcome(states: CodeStates) -> int:
    """Who wins from the start with best play: 1 the first player, -1 the second, 0 nobody."""
    return int(Graph(states).values(None)[0])


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("houses", "seeds", "known"),
    [(houses, seeds, known) for houses, row in KALAH.items() for seeds, known in enumerate(row, 1)],
)
def test_kalah(houses: int, seeds: int, known: str) -> None:
    states = explored("kalah", {"houses": houses, "seeds": seeds})
    assert outcome(states) == {"D": DRAWN, "W": WON, "L": LOST}[known]


@pytest.mark.parametrize("piles", NIM)
def test_nim(piles: list[int]) -> None:
    """Bouton (1901): the second player wins where the sizes, added in twos without carrying, are nothing."""
    total = 0
    for pile in piles:
        total ^= pile
    game = load("nim", None, {"piles": piles})
    conditions = {name: game.claims[name].condition for name in ("out-of-balance", "into-balance")}
    states = explored("nim", {"piles": piles})
    assert outcome(states) == (WON if total else LOST)
    asked = CodeStates(game, {name: e for name, e in conditions.items() if e is not None})
    while asked.deeper(lambda: "", 100_000):
        pass
    assert all(all(asked.scan(name)) for name in conditions)


@pytest.mark.parametrize("side", [2, 3])
def test_hex_is_won_by_the_first_player(side: int) -> None:
    """Nash's argument."""
    game = load("hex", None, {"side": side})
    found = explored("hex", {"side": side}, symmetries=group_of(game))
    assert outcome(found) == WON
    assert sum(found.all_counts) == explored("hex", {"side": side}).states


def test_tic_tac_toe_has_765_positions_but_for_symmetry() -> None:
    game = load("tic-tac-toe")
    found = explored("tic-tac-toe", {}, symmetries=group_of(game))
    assert (found.states, sum(found.all_counts)) == (765, 5478)
    assert outcome(found) == DRAWN
