"""Goofspiel by the recurrence of Rhoads and Bartholdi (2012), written anew and apart from the solver.

f(V, Y, P) is what the first player is ahead on average with the hands V and Y and the prizes P still to come:
the mean over the prizes of a matrix game with the gain of the prize and f of what is left in it.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest
from shipped_games import load

from rulespec.language import shipped_rulesets

Matrix = Sequence[Sequence[Fraction]]
Hand = frozenset[int]


def value(matrix: Matrix) -> Fraction:
    """The value of a matrix game by its square parts (Shapley and Snow 1950)."""
    rows, columns = range(len(matrix)), range(len(matrix[0]))
    for size in range(1, min(len(matrix), len(matrix[0])) + 1):
        for part in combinations(rows, size):
            for others in combinations(columns, size):
                square = [[matrix[i][j] for j in others] for i in part]
                own, theirs = equal_mix(square), equal_mix([*zip(*square, strict=True)])
                if own is None or theirs is None:
                    continue
                worth = [sum(p * matrix[i][j] for p, i in zip(own, part, strict=True)) for j in columns]
                cost = [sum(q * matrix[i][j] for q, j in zip(theirs, others, strict=True)) for i in rows]
                if min(worth) == max(cost):
                    return min(worth)
    raise AssertionError("every matrix game has a value")


def equal_mix(square: Matrix) -> list[Fraction] | None:
    """A mix of the rows for which all columns are worth the same, if there is one alone."""
    size = len(square)
    rows = [[square[i][j] - square[i][0] for i in range(size)] + [Fraction(0)] for j in range(1, size)]
    rows.append([Fraction(1)] * (size + 1))
    for at in range(size):
        pivot = next((k for k in range(at, size) if rows[k][at]), None)
        if pivot is None:
            return None
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [x / rows[at][at] for x in rows[at]]
        for k in range(size):
            if k != at and rows[k][at]:
                rows[k] = [x - rows[k][at] * y for x, y in zip(rows[k], rows[at], strict=True)]
    mix = [row[size] for row in rows]
    return mix if min(mix) >= 0 else None


def matrix(mine: Hand, theirs: Hand, prize: int, left: Hand) -> list[list[Fraction]]:
    """By the bids of both, each ascending: what the first player is ahead on average from here."""
    return [
        [prize * ((a > b) - (a < b)) + ahead(mine - {a}, theirs - {b}, left) for b in sorted(theirs)]
        for a in sorted(mine)
    ]


@cache
def ahead(mine: Hand, theirs: Hand, prizes: Hand) -> Fraction:
    if not prizes:
        return Fraction(0)
    found = (value(matrix(mine, theirs, prize, prizes - {prize})) for prize in prizes)
    return sum(found, Fraction(0)) / len(prizes)


SUIT = frozenset((1, 2, 3, 4))


def test_neither_player_has_an_advantage() -> None:
    assert ahead(SUIT, SUIT, SUIT) == 0
    assert load("goofspiel").parameters["cards"] == len(SUIT)


@pytest.mark.parametrize("side", [0, 1])
def test_first_bids_are_best(side: int) -> None:
    """The proof's mixes for the first bids make sure of the value that the recurrence gives each prize."""
    store = shipped_rulesets()["goofspiel"].parent / "verdicts.json.gz"
    verdicts = json.loads(gzip.decompress(store.read_bytes()))["verdicts"]
    (proof,) = (
        e["data"] for v in verdicts if v["claim"] == "fair" for e in v["evidence"] if e["kind"] == "stages"
    )
    mixes = [tuple(map(Fraction, stage[2 + side].split())) for stage in proof["stages"]]
    first = [mix for mix in mixes[:4] if len(mix) == len(SUIT)]
    for prize in SUIT:
        bids = matrix(SUIT, SUIT, prize, SUIT - {prize})
        lines = bids if side else [*zip(*bids, strict=True)]
        best = value(bids)
        assert best == 0
        signed = [[x * (1 - 2 * side) for x in line] for line in lines]
        sure = [
            min(sum(p * x for p, x in zip(mix, line, strict=True)) for line in signed)
            for mix in [*first, *pure_mixes()]
        ]
        assert max(sure) == 0, prize
    assert first


def pure_mixes() -> list[tuple[Fraction, ...]]:
    """A single bid for certain, which a proof does not list where one is best."""
    return [tuple(Fraction(i == j) for j in range(len(SUIT))) for i in range(len(SUIT))]
