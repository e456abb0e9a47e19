"""The time that questions get in turn: the first tier first, then rounds of twice the time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

import pytest

from rulespec.budgets import Budget
from rulespec.solver.claims.turns import Ask, take_turns

Log = list[tuple[str, float]]


class Clock:
    """A clock that stands still unless somebody lets time pass."""

    seconds = 0.0

    def __call__(self, seconds: float) -> None:
        self.seconds += seconds


class Timed(Budget):
    """A budget by such a clock."""

    def __init__(self, clock: Clock, seconds: float, whole: Budget | None = None) -> None:
        super().__init__(seconds, whole=whole, started=clock.seconds)
        self.clock = clock

    @property
    def seconds_spent(self) -> float:
        return self.clock.seconds - self.started

    def part(self, share: float, most: float = inf, room: float = 1.0) -> Budget:
        return Timed(self.clock, min(self.seconds_left * share, most), self)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def asking(clock: Clock, needs: dict[str, float], log: Log) -> Ask[str]:
    """Asks questions that need so many seconds, and logs each turn with the seconds it was given."""

    def ask(questions: Sequence[str], seconds: float, until: Budget) -> Iterator[tuple[str, bool]]:
        for question in questions:
            if until.seconds_left <= (seconds / 2 if question in dict(log) else 0):
                return
            given = min(seconds, until.seconds_left)
            log.append((question, given))
            clock(min(given, needs[question]))
            yield question, needs[question] <= given

    return ask


def turns(
    clock: Clock, tiers: list[list[str]], timeout: float, each: float = inf, **needs: float
) -> tuple[Log, list[str]]:
    """The turns that were taken, and the questions that had none."""
    log: Log = []
    for _ in take_turns(tiers, Timed(clock, timeout), each, asking(clock, needs, log)):
        pass
    return log, [question for tier in tiers for question in tier if question not in dict(log)]


def test_the_first_tier_gets_what_it_needs(clock: Clock) -> None:
    """Each of 576 combinations of readings had an equal share, and none was decided."""
    others = [f"other{number}" for number in range(500)]
    log, unasked = turns(clock, [["usual"], others], 30.0, usual=12.0, **dict.fromkeys(others, 100.0))
    assert log[0] == ("usual", 15.0)
    assert [seconds for _, seconds in log[1:]] == [2.0] * 9
    assert unasked == others[9:]


def test_questions_come_again_with_twice_the_time(clock: Clock) -> None:
    log, unasked = turns(clock, [["easy", "hard", "harder"]], 60.0, easy=1.0, hard=3.0, harder=20.0)
    assert log == [
        ("easy", 2.0), ("hard", 2.0), ("harder", 2.0), ("hard", 4.0), ("harder", 4.0), ("harder", 48.0),
    ]  # fmt: skip
    assert unasked == []


def test_what_later_tiers_leave_goes_to_the_first(clock: Clock) -> None:
    log, _ = turns(clock, [["usual"], ["other"]], 32.0, usual=100.0, other=1.0)
    assert log == [("usual", 16.0), ("other", 16.0), ("usual", 15.0)]


def test_a_limit_for_each_question_is_its_whole_time(clock: Clock) -> None:
    log, _ = turns(clock, [["one", "two"]], inf, 5.0, one=9.0, two=3.0)
    assert log == [("one", 5.0), ("two", 5.0)]
    log, _ = turns(clock, [["one", "two"]], 1000.0, 5.0, one=9.0, two=9.0)
    assert [seconds for question, seconds in log if question == "one"] == [2.0, 4.0, 5.0]


def test_no_time_is_lost_but_by_doubling(clock: Clock) -> None:
    names = [f"q{number}" for number in range(7)]
    log, _ = turns(clock, [names[:3], names[3:]], 100.0, **dict.fromkeys(names, 1000.0))
    assert sum(seconds for _, seconds in log) == pytest.approx(100.0)
    for name in names:
        given = [seconds for question, seconds in log if question == name]
        assert given == sorted(given) or log[-1][0] == name
