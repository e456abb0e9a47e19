"""Games with hidden cards and linear programs, against what is known of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.core.verdicts import Evidence, InvalidAnswer, Store
from rulespec.language import load
from rulespec.solver.claims import prove, recheck
from rulespec.solver.explore.linear_programming import maximise
from rulespec.solver.explore.sequence_form import GameTree, TooLargeTree

KUHN = partial(load, "kuhn-poker")


@pytest.fixture(scope="module")
def store() -> Store:
    kept = Store()
    (verdict,) = prove(KUHN, ["worth"], timeout=200, store=kept)
    assert verdict.outcome == "proved"
    return kept


def test_kuhn_poker_is_worth_what_kuhn_said(store: Store) -> None:
    """Kuhn 1950: minus one eighteenth for the first player, who never bets a 2."""
    (check,) = recheck(store, KUHN, ["worth"])
    assert check.passed, check.text
    (evidence,) = next(iter(store)).evidence
    assert "player 2 (card[viewer]: 1, check): check 2/3, bet 1/3" in evidence.data["choices"]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"plans": []}, "damaged"),
        ({"plans": [["1"], ["1"]]}, "none of this game"),
    ],
)
def test_strategies_that_were_meddled_with_are_refused(
    store: Store, change: dict[str, object], text: str
) -> None:
    verdict = next(iter(store))
    (evidence,) = verdict.evidence
    changed = Evidence(evidence.kind, {**evidence.data, **change})
    (check,) = recheck(Store([replace(verdict, evidence=(changed,))]), KUHN, ["worth"])
    assert check.passed is False
    assert text in check.text


def test_another_mean_than_the_claim_names_makes_no_verdict(store: Store) -> None:
    verdict = next(iter(store))
    (evidence,) = verdict.evidence
    changed = Evidence(evidence.kind, {**evidence.data, "is": "-1/17"})
    with pytest.raises(InvalidAnswer, match="-1/17"):
        replace(verdict, evidence=(changed,))


def test_worse_strategies_are_refused(store: Store) -> None:
    verdict = next(iter(store))
    (evidence,) = verdict.evidence
    mine, theirs = evidence.data["plans"]
    swapped = ["1" if x == "0" else "0" if x == "1" else x for x in mine[1:]]
    changed = Evidence(evidence.kind, {**evidence.data, "plans": [["1", *swapped], theirs]})
    (check,) = recheck(Store([replace(verdict, evidence=(changed,))]), KUHN, ["worth"])
    assert check.passed is False


def test_a_weight_below_nothing_makes_no_plan() -> None:
    """Weights that add up as they must, one of them negative, can be worth more than any strategy."""
    tree = GameTree(KUHN(), lambda position: 0)
    side = tree.sides[0]

    def plan(*first: int) -> dict[int, Fraction]:
        made = {0: Fraction(1)}
        for number, info in enumerate(side.information_sets.values()):
            shares = first if number == 0 else (1, 0)
            for sequence, share in zip(info.sequences, shares, strict=True):
                made[sequence] = made[info.before] * share
        return made

    assert tree.sound(0, plan(1, 0))
    assert not tree.sound(0, plan(2, -1))


AGAIN = """
rulespec: 1
id: signs
title: Signs
players: 2
rules:
- id: signs
  prose: Both choose in secret; whoever is unlike the other begins anew, else the first has won.
  formal: |
    type Sign = one of sun, moon
    hidden state chosen: map Player -> Sign? = none
    state won: Bool = false
- id: choose
  prose: Choose.
  action: s in Sign
  secret: s
  do: chosen[mover] := s
  sees: chosen[viewer]
- id: reveal
  prose: Both are shown.
  reaction: every p in Player satisfies chosen[p] is some
  do: |
    if chosen[1] = chosen[2]: won := true
    for p in Player: chosen[p] := none
- id: over
  prose: It is over.
  end: won
  winners: those p in Player where p = 1
claims:
- id: worth
  prose: The first wins.
  expected: if won then 1 else 0
"""


def test_a_game_with_recurring_positions_is_reported_at_once(tmp_path: Path) -> None:
    """Recurring positions were followed until the time was over, and only that was reported."""
    path = tmp_path / "signs.yaml"
    path.write_text(AGAIN.lstrip(), "utf-8")
    (verdict,) = prove(partial(load, path), ["worth"], timeout=600)
    assert verdict.outcome == "undecided"
    assert "plays need not end" in verdict.statement


def test_endless_plays_are_cut_off(tmp_path: Path) -> None:
    """Each ply of a play was one recursive call, up to the limit of Python."""
    path = tmp_path / "signs.yaml"
    path.write_text(AGAIN.lstrip(), "utf-8")
    with pytest.raises(TooLargeTree, match="longer"):
        GameTree(load(path), lambda position: 0)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(-4, 6), min_size=3, max_size=3), min_size=1, max_size=4),
    st.lists(st.integers(0, 3), min_size=3, max_size=3),
)
def test_a_linear_program_and_its_dual_agree(matrix: list[list[int]], goal: list[int]) -> None:
    rows = [{j: Fraction(x) for j, x in enumerate(row)} for row in [*matrix, [1, 1, 1]]]
    limits = [Fraction(i + 1) for i in range(len(rows))]
    wanted = {j: Fraction(x) for j, x in enumerate(goal)}
    unknowns, duals = maximise(wanted, rows, limits, 3)
    assert min(*unknowns, *duals) >= 0
    for row, limit in zip(rows, limits, strict=True):
        assert sum(x * unknowns[j] for j, x in row.items()) <= limit
    for j in range(3):
        assert sum(row[j] * y for row, y in zip(rows, duals, strict=True)) >= wanted[j]
    best = sum(x * unknowns[j] for j, x in wanted.items())
    assert best == sum(limit * y for limit, y in zip(limits, duals, strict=True))
