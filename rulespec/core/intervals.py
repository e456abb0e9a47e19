"""Statistics of samples: shares, means, standard deviations and quantiles with 95% intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

from .data_forms import attributes

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_EXACT = 200
"""With at most this many degrees of freedom, the quantile of Student's t comes from its exact
distribution."""


@dataclass(frozen=True)
class Estimate:
    """A value estimated from a sample, and its 95% interval, if the sample has one."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Share:
    """A share of a sample as a count, with the 95% interval for the whole."""

    PUBLISHED = attributes("count value low high")

    count: int
    of: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share in the sample, from 0 to 1."""
        return self.count / self.of if self.of else 0.0


def share(count: int, of: int) -> Share:
    """A share with Wilson's score interval (Wilson 1927, Journal of the American Statistical Association 22).

    Its coverage is near 95% for small samples and shares near 0 or 1 too (Brown, Cai and DasGupta 2001,
    Statistical Science 16). An empty sample has the interval from 0 to 1.
    """
    if not of:
        return Share(count, of, 0.0, 1.0)
    p, zz = count / of, Z * Z
    middle = (p + zz / (2 * of)) / (1 + zz / of)
    half = Z * math.sqrt(p * (1 - p) / of + zz / (4 * of * of)) / (1 + zz / of)
    low = 0.0 if count == 0 else max(0.0, middle - half)
    return Share(count, of, low, 1.0 if count == of else min(1.0, middle + half))


@dataclass(frozen=True)
class Measure:
    """A number over all games: its mean, standard deviation, extremes and quantiles."""

    count: int
    mean: Estimate
    spread: Estimate
    least: int
    most: int
    quantiles: Mapping[float, Estimate]
    histogram: Mapping[int, int]
    """The number of games by value, ascending."""


def measure(histogram: Mapping[int, int]) -> Measure | None:
    """The statistics of a sample, given the frequency of each value; None for an empty one.

    The mean has Student's interval. That of the standard deviation is the large-sample one, which only
    requires a fourth moment of the distribution (delta method on the variance of the sample variance, Cramér
    1946, Mathematical Methods of Statistics, 27.4). Those of quantiles lie between order statistics whose
    ranks are binomial (Conover 1999, Practical Nonparametric Statistics, 3.2).
    """
    values = {value: histogram[value] for value in sorted(histogram) if histogram[value]}
    n = sum(values.values())
    if not n:
        return None
    least, most = min(values), max(values)
    total = sum(value * games for value, games in values.items())
    squares = sum(value * value * games for value, games in values.items())
    powers = [sum(games * (value * n - total) ** k for value, games in values.items()) for k in (2, 4)]
    moments = [float(Fraction(power, n ** (k + 1))) for power, k in zip(powers, (2, 4), strict=True)]
    return Measure(
        n, mean(total, squares, n), _spread(moments, n), least, most, _quantiles(values, n), values
    )


def mean(total: int, squares: int, n: int) -> Estimate:
    """The mean of `n` whole numbers with Student's interval, given their sum and their sum of squares.

    Sums are subtracted exactly, because large numbers that differ little would cancel in floating point. A
    single number has no interval.
    """
    middle = Fraction(total, n)
    if n < 2:
        return Estimate(float(middle), None, None)
    variance = (Fraction(squares) - total * middle) / (n - 1)
    half = Fraction(student(n - 1) * math.sqrt(variance / n))
    return Estimate(float(middle), float(middle - half), float(middle + half))


def _spread(moments: Iterable[float], n: int) -> Estimate:
    """The standard deviation with its confidence interval, from the second and fourth central moments."""
    second, fourth = moments
    if n < 2:
        return Estimate(0.0, None, None)
    found = math.sqrt(second * n / (n - 1))
    if not found:
        return Estimate(found, found, found)
    half = Z * math.sqrt(max(fourth - second * second, 0.0) / n) / (2 * found)
    return Estimate(found, max(0.0, found - half), found + half)


def _quantiles(values: Mapping[int, int], n: int) -> dict[float, Estimate]:
    """Quantiles with confidence intervals, from the number of games by value."""
    ranks = list(values.items())

    def at(rank: int) -> int:
        """The value of a rank, counted from 1."""
        left = rank
        for value, games in ranks:
            left -= games
            if left <= 0:
                return value
        return ranks[-1][0]

    found = {}
    for q in QUANTILES:
        half = Z * math.sqrt(n * q * (1 - q))
        low, high = math.floor(n * q - half), math.ceil(n * q + half) + 1
        ends = (float(at(low)) if low >= 1 else None, float(at(high)) if high <= n else None)
        found[q] = Estimate(float(at(max(1, math.ceil(n * q)))), *ends)
    return found


def student(freedom: int) -> float:
    """The two-sided 95% quantile of Student's t distribution.

    With few degrees of freedom it comes from the finite series of the distribution, with many from the
    expansion about the normal distribution (Abramowitz and Stegun 1964, Handbook of Mathematical Functions,
    26.7.3, 26.7.4 and 26.7.5).
    """
    if freedom > MOST_EXACT:
        z = Z
        first = (z**3 + z) / 4
        second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
        return z + first / freedom + second / freedom**2
    low, high = 0.0, 20.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < CONFIDENCE else (low, middle)
    return (low + high) / 2


def _within(t: float, freedom: int) -> float:
    """The probability that Student's t lies between -t and t."""
    angle = math.atan(t / math.sqrt(freedom))
    cosine, term, total = math.cos(angle), 1.0, 0.0
    if freedom % 2:
        term = cosine
        for k in range(1, freedom - 1, 2):
            total += term
            term *= cosine * cosine * (k + 1) / (k + 2)
        return 2 / math.pi * (angle + math.sin(angle) * total)
    for k in range(0, freedom - 1, 2):
        total += term
        term *= cosine * cosine * (k + 1) / (k + 2)
    return math.sin(angle) * total
