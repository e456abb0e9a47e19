"""Intervals are those of the textbooks, and hold the truth as often as they say."""

from __future__ import annotations

import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.core.intervals import measure, share, student


@pytest.mark.parametrize(
    ("freedom", "value"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (10, 2.2281), (30, 2.0423), (200, 1.9719), (201, 1.9718),
     (1000, 1.9623)],
)  # fmt: skip
def test_student_is_that_of_the_tables(freedom: int, value: float) -> None:
    assert student(freedom) == pytest.approx(value, abs=1e-4)


def test_wilson_is_that_of_the_literature() -> None:
    # Newcombe 1998, Statistics in Medicine 17, table I, method 3.
    for count, of, low, high in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611)]:
        found = share(count, of)
        assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_nothing_was_seen() -> None:
    assert (share(0, 0).low, share(0, 0).high) == (0.0, 1.0)
    assert measure({}) is None


@given(st.lists(st.integers(-5, 50), min_size=2, max_size=200))
def test_a_measure_is_that_of_the_sample(sample: list[int]) -> None:
    found = measure({value: sample.count(value) for value in sample})
    assert found is not None
    assert found.mean.value == pytest.approx(statistics.mean(sample))
    assert found.spread.value == pytest.approx(statistics.stdev(sample))
    assert (found.least, found.most, found.count) == (min(sample), max(sample), len(sample))
    ordered = sorted(sample)
    for q, estimate in found.quantiles.items():
        below = sum(x <= estimate.value for x in ordered)
        assert below >= q * len(sample) - 1e-9, "so many have at most that value"
        assert sum(x < estimate.value for x in ordered) < q * len(sample) + 1e-9, "and not with one less"
        assert (estimate.low or estimate.value) <= estimate.value <= (estimate.high or estimate.value)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    rng, runs = random.Random(1), 400
    held = {"mean": 0, "spread": 0, "median": 0, "share": 0}
    faces, truth = range(1, 7), statistics.pstdev(range(1, 7))
    for _ in range(runs):
        sample = rng.choices(faces, k=100)
        found = measure({face: sample.count(face) for face in faces})
        sixes = share(sample.count(6), len(sample))
        assert found is not None and found.mean.low is not None and found.mean.high is not None
        assert found.spread.low is not None and found.spread.high is not None
        median = found.quantiles[0.5]
        assert median.low is not None and median.high is not None
        held["mean"] += found.mean.low <= 3.5 <= found.mean.high
        held["spread"] += found.spread.low <= truth <= found.spread.high
        held["median"] += median.low <= 3.5 <= median.high or 3 in (median.low, median.high)
        held["share"] += sixes.low <= 1 / 6 <= sixes.high
    assert all(count > 0.92 * runs for count in held.values()), held
