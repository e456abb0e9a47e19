"""Liar's dice with one die each, written anew: all plays end alike, and best play is worth what is published.

With six faces the first bidder loses 7/258 of a stake on average (a test of the linear program of OpenSpiel's
`liars_dice` has -0.027131782945736). The bounds here come from counterfactual regret minimisation (Neller
and Lanctot 2013): the best replies to both average strategies enclose the value.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest
from shipped_games import load

Row = list[float]


def caller_wins(faces: int, bid: int, dice: tuple[int, int]) -> bool:
    """True if a bid, counted from 0 in ascending order, is a lie about two dice."""
    number, face = bid // faces + 1, bid % faces + 1
    return sum(die in (face, faces) for die in dice) < number


class Minimiser:
    """Regrets and average strategies by the bids so far, a set of bits, and the mover's die.

    Vectors have an entry for each die. A gain is weighed by the other player's reach.
    """

    def __init__(self, faces: int) -> None:
        self.faces, self.bids = faces, 2 * faces
        self.regrets: dict[int, list[Row]] = {}
        self.shares: dict[int, list[Row]] = {}

    def actions(self, last: int) -> list[int]:
        """The higher bids, and -1 for a call."""
        return [*range(last + 1, self.bids), *([-1] if last >= 0 else [])]

    def called(self, bid: int, reach: Row, sign: int) -> Row:
        """What each die is worth to the caller (sign 1) or the bidder (-1)."""
        dice = range(1, self.faces + 1)
        wins = [[1 if caller_wins(self.faces, bid, (d, e)) else -1 for e in dice] for d in dice]
        return [sign * sum(r * w for r, w in zip(reach, row, strict=True)) for row in wins]

    def walk(self, said: int, last: int, own: Row, other: Row, weight: float) -> tuple[Row, Row]:
        """Update all from here on; the gains of the mover and of the other player."""
        actions, dice = self.actions(last), range(self.faces)
        regrets = self.regrets.setdefault(said, [[0.0] * len(actions) for _ in dice])
        shares = self.shares.setdefault(said, [[0.0] * len(actions) for _ in dice])
        mixes, gains, theirs = [normal(row) for row in regrets], [], [0.0] * self.faces
        for at, bid in enumerate(actions):
            reach = [own[d] * mixes[d][at] for d in dice]
            if bid < 0:
                mine, reply = self.called(last, other, 1), self.called(last, reach, -1)
            else:
                reply, mine = self.walk(said | 1 << bid, bid, other, reach, weight)
            gains.append(mine)
            theirs = [a + b for a, b in zip(theirs, reply, strict=True)]
        total = [sum(mixes[d][at] * gain[d] for at, gain in enumerate(gains)) for d in dice]
        for d, at in product(dice, range(len(actions))):
            regrets[d][at] = max(0.0, regrets[d][at] + gains[at][d] - total[d])
            shares[d][at] += weight * own[d] * mixes[d][at]
        return total, theirs

    def best(self, said: int, last: int, reach: Row, replying: bool) -> Row:
        """The gain of whoever replies best to the other player's average strategy."""
        actions, dice = self.actions(last), range(self.faces)
        if replying:
            gains = [
                self.called(last, reach, 1) if bid < 0 else self.best(said | 1 << bid, bid, reach, False)
                for bid in actions
            ]
            return [max(gain[d] for gain in gains) for d in dice]
        mixes, total = [normal(row) for row in self.shares[said]], [0.0] * self.faces
        for at, bid in enumerate(actions):
            to = [reach[d] * mixes[d][at] for d in dice]
            gain = self.called(last, to, -1) if bid < 0 else self.best(said | 1 << bid, bid, to, True)
            total = [a + b for a, b in zip(total, gain, strict=True)]
        return total

    def bounds(self, times: int) -> tuple[float, float]:
        """What the first bidder can make sure of, and what the other one concedes at most."""
        even = [1 / self.faces] * self.faces
        for time in range(1, times + 1):
            self.walk(0, -1, even, even, time)
        first = sum(self.best(0, -1, even, True)) / self.faces
        second = sum(self.best(0, -1, even, False)) / self.faces
        return -second, first


def normal(row: Row) -> Row:
    total = sum(row)
    return [x / total for x in row] if total > 0 else [1 / len(row)] * len(row)


@pytest.mark.parametrize("faces, worth", [(2, Fraction(1, 2)), (3, Fraction(1, 9))])
def test_best_play_is_worth_what_the_claim_says(faces: int, worth: Fraction) -> None:
    low, high = Minimiser(faces).bounds(150)
    assert low - 1e-9 <= worth <= high + 1e-9
    assert high - low < 0.02
    if load("liars-dice-one-die").parameters["sides"] == faces:
        claim = load("liars-dice-one-die").core.claims["worth"]
        assert Fraction(claim.options["is"]) == worth


def test_every_play_ends_as_by_hand() -> None:
    """All 63 rows of bids that a call ends, for all nine pairs of dice."""
    game, faces = load("liars-dice-one-die"), 3
    for dice in product(range(1, faces + 1), repeat=2):
        cups = {str(p): [str(die)] for p, die in enumerate(dice, 1)}
        for bids in (row for n in range(1, 7) for row in combinations(range(6), n)):
            state = game.position({"cup": cups})
            for bid in bids:
                state = state.play(f"{bid // faces + 1}x{bid % faces + 1}")
            end = state.play("liar")
            caller = len(bids) % 2 + 1
            own = (dice[caller - 1], dice[2 - caller])
            assert end.winners == ((caller if caller_wins(faces, bids[-1], own) else 3 - caller),)
