"""Best play where both sides choose at once: matrix games, stages that come back, evidence that is held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED, UNDECIDED
from rulespec.language import load, read
from rulespec.solver.evidence import equilibrium, game_graph
from rulespec.solver.evidence.positions import in_stages
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.explore.spot_check import SpotCheck
from rulespec.solver.explore.stage_values import solve_matrix
from rulespec.solver.explore.stages import is_open_between_stages, read_mixes
from rulespec.solver.explore.state_space import Limits

GOOD = Path(__file__).parents[1] / "language" / "good"

TABLE = """
rulespec: 1
id: table
title: A table
players: 2
parameters:
  gains:
    type: list of 0..9 up to 9
    default: [4, 0, 8, 8, 4, 0, 0, 8, 4]
    prose: What the first player gains.
  again:
    type: 0..10
    default: 10
    prose: At this gain both choose again.
rules:
- id: numbers
  prose: There is a number.
  formal: |
    state total: 0..18 = 0
    state number: 0..2 = 0
- id: choose
  prose: Both choose at once.
  at-once: Player
  action: c in 1..3
  secret: SECRET
  do: |
    let gain be gains[3 * (c[1] - 1) + (c[2] + number - 1) mod 3 + 1] otherwise 0
    if gain != again:
      add gain to total
      add 1 to number
- id: end
  prose: It ends after two choices.
  end: number = 2
claims:
- id: mean
  prose: The mean.
  expected: total
"""
GAINS = st.lists(st.integers(0, 9), min_size=9, max_size=9)
LIMITS = Limits(30.0, 20_000)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("stages")
    (made / "table.yaml").write_text(TABLE.replace("  secret: SECRET\n", ""), "utf-8")
    (made / "secret.yaml").write_text(TABLE.replace("SECRET", "c"), "utf-8")
    return made


def table(folder: Path, gains: Sequence[int], again: int = 10) -> Case:
    ruleset = read(folder / "table.yaml")
    game = ruleset.with_settings(None, {"gains": [*gains], "again": again}, {})
    return Case(game, game.claims["mean"], Budget(60.0))


def value(answer: Answer) -> Fraction:
    return Fraction(answer.proofs[0].data["is"])


# ---- matrix games


MATRICES = st.integers(1, 4).flatmap(
    lambda n: st.lists(
        st.lists(st.fractions(-5, 5, max_denominator=4), min_size=n, max_size=n), min_size=1, max_size=4
    )
)


@settings(max_examples=150, deadline=None)
@given(MATRICES)
def test_mixes_make_sure_of_the_value_of_a_matrix(matrix: list[list[Fraction]]) -> None:
    found = solve_matrix(matrix)
    own, theirs = found.mixes
    assert sum(own) == sum(theirs) == 1 and min(*own, *theirs, 0) == 0
    assert (
        min(sum(p * row[j] for p, row in zip(own, matrix, strict=True)) for j in range(len(theirs)))
        == found.value
    )
    assert max(sum(q * x for q, x in zip(theirs, row, strict=True)) for row in matrix) == found.value
    turned = solve_matrix([[-x for x in column] for column in zip(*matrix, strict=True)])
    assert turned.value == -found.value


# ---- stages


@settings(max_examples=12, deadline=None)
@given(gains=GAINS)
def test_the_value_of_stages_is_that_of_the_sequence_form(folder: Path, gains: list[int]) -> None:
    case = table(folder, gains)
    tree = equilibrium.tree_of(case, 30.0)
    by_sequences = equilibrium.answer_by_strategies(case, tree, tree.solve())
    assert in_stages(case)
    assert value(game_graph.expectation(case, LIMITS)) == value(by_sequences)


@settings(max_examples=10, deadline=None)
@given(gains=GAINS, order=st.sampled_from([*permutations(range(3))]))
def test_names_of_choices_do_not_matter(folder: Path, gains: list[int], order: tuple[int, ...]) -> None:
    other = [gains[3 * i + j] for i in order for j in range(3)]
    one, two = (value(game_graph.expectation(table(folder, g), LIMITS)) for g in (gains, other))
    assert one == two


HILLS = """
rulespec: 1
id: hills
title: Hills
players: 2
rules:
- id: hills
  prose: Player 2 guards two of three hills, and player 1 climbs one.
  formal: |
    state reached: set of 1..3 = {}
    state over-now: 0..1 = 0
  at-once: Player
  action: chosen in sets of 1..2 from 1..3 as "+"
  require:
    number:
      prose: Player 2 has two hills, player 1 one.
      that: size(chosen) = mover
  do: |
    reached := chosen[1] - chosen[2]
    over-now := 1
- id: end
  prose: That is all.
  end: over-now = 1
claims:
- id: chance
  prose: The chance of a hill that is not guarded.
  expected: size(reached)
"""


def test_sets_chosen_at_once_are_solved(tmp_path: Path) -> None:
    """Both draw lots, so the one hill is guarded two times of three."""
    (tmp_path / "hills.yaml").write_text(HILLS, "utf-8")
    game = load(tmp_path / "hills.yaml")
    case = Case(game, game.claims["chance"], Budget(60.0))
    assert value(game_graph.expectation(case, LIMITS)) == Fraction(1, 3)


def iterated(gains: Sequence[int], again: int) -> float:
    """The value by iterating fictitious worths: no linear programs, in floating point."""

    @cache
    def rows(number: int, back: float) -> list[list[float]]:
        later = worth(number + 1) if number < 1 else 0.0
        cells = [[gains[3 * i + (j + number) % 3] for j in range(3)] for i in range(3)]
        return [[back if gain == again else gain + later for gain in row] for row in cells]

    def matrix_value(matrix: list[list[float]]) -> float:
        """By all square parts of the matrix (Shapley and Snow 1950)."""
        best = max(map(min, matrix))
        for part, others in supports():
            mix = equal_mix([[matrix[i][j] for j in others] for i in part])
            if mix is not None:
                best = max(
                    best, min(sum(p * matrix[i][j] for p, i in zip(mix, part, strict=True)) for j in range(3))
                )
        return best

    @cache
    def worth(number: int) -> float:
        back = 0.0
        for _ in range(400):
            now = matrix_value(rows(number, back))
            if abs(now - back) < 1e-12:
                break
            back = now
        return back

    return worth(0)


def supports() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    parts = [(0, 1), (0, 2), (1, 2), (0, 1, 2)]
    return ((a, b) for a in parts for b in parts if len(a) == len(b))


def equal_mix(matrix: list[list[float]]) -> list[float] | None:
    """A mix of the rows for which all columns are worth the same, if there is one."""
    size = len(matrix)
    rows = [[matrix[i][j] - matrix[i][0] for i in range(size)] + [0.0] for j in range(1, size)]
    rows.append([1.0] * size + [1.0])
    for at in range(size):
        pivot = max(range(at, size), key=lambda k: abs(rows[k][at]))
        if abs(rows[pivot][at]) < 1e-12:
            return None
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for k in range(size):
            if k != at:
                factor = rows[k][at] / rows[at][at]
                rows[k] = [x - factor * y for x, y in zip(rows[k], rows[at], strict=True)]
    mix = [rows[i][size] / rows[i][i] for i in range(size)]
    return mix if min(mix) >= -1e-12 else None


@settings(max_examples=15, deadline=None)
@given(gains=GAINS, again=st.integers(0, 9))
def test_stages_that_come_back_have_the_value_of_iterating(
    folder: Path, gains: list[int], again: int
) -> None:
    answer = game_graph.expectation(table(folder, gains, again), LIMITS)
    if answer.outcome != UNDECIDED:
        assert float(value(answer)) == pytest.approx(iterated(gains, again), abs=1e-6)


def test_ties_that_come_back_are_worth_what_decides(folder: Path) -> None:
    """Rock, paper, scissors twice, with ties played again: each side can make sure of half of all."""
    answer = game_graph.expectation(table(folder, [4, 0, 8, 8, 4, 0, 0, 8, 4], again=4), LIMITS)
    assert (answer.outcome, value(answer)) == (PROVED, 8)


def test_where_a_side_can_keep_play_going_nothing_is_said(folder: Path) -> None:
    answer = game_graph.expectation(table(folder, [4] * 9, again=4), LIMITS)
    assert answer.outcome == UNDECIDED
    assert "for ever" in answer.remarks[0]


# ---- evidence


def is_accepted(case: Case, data: Mapping[str, Any]) -> bool:
    """True if mixes show what evidence says, its words apart."""
    mixed = replace(case, mixes=read_mixes(data["stages"]))
    answer = game_graph.expectation(mixed, replace(LIMITS, spot_check=SpotCheck()))
    keys = ("is", "stages")
    return bool(answer.proofs) and all(answer.proofs[0].data[key] == data[key] for key in keys)


@pytest.mark.parametrize("again", [10, 4])
def test_forged_mixes_are_refused(folder: Path, again: int) -> None:
    case = table(folder, [4, 0, 8, 8, 4, 0, 0, 8, 4], again)
    data = dict(game_graph.expectation(case, LIMITS).proofs[0].data)
    assert game_graph.expectation(case, replace(LIMITS, judge=True)).proofs[0].data == data
    assert is_accepted(case, data)
    (number, worth, own, theirs), *rest = data["stages"]
    forged = [
        [number, str(Fraction(worth) + 1), own, theirs],
        [number, worth, "1/2 1/2 0", theirs],
        [number, worth, own, "1 0 0"],
        [number, worth, "1/3 1/3 1/3 0", theirs],
        [number, worth, "2/3 2/3 -1/3", theirs],
        [number, worth, "1 1 1", theirs],
        [number, worth, own, "0 0 0"],
        ["99", worth, own, theirs],
    ]
    for entry in forged:
        assert not is_accepted(case, {**data, "stages": [entry, *rest]})
    assert not is_accepted(case, {**data, "stages": rest})
    assert not is_accepted(case, {**data, "stages": [*data["stages"], ["99", worth, own, theirs]]})


def leaking(game: Game) -> Game:
    """A game in which every player sees the choices as they are made."""
    shown = game.sights[1]
    ((one, _),) = shown.binders
    everybody = game.stages[0].who
    return replace(game, sights=(replace(shown, binders=((one, everybody),)),))


def test_stages_whose_choices_are_seen_are_not_solved_so(folder: Path) -> None:
    case = table(folder, [4, 0, 8, 8, 4, 0, 0, 8, 4])
    assert is_open_between_stages(case.game)
    assert not is_open_between_stages(leaking(case.game))
    secret = load(folder / "secret.yaml")
    assert not is_open_between_stages(secret)
    assert not is_open_between_stages(load(GOOD / "stages.yaml"))
