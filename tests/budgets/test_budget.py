"""Budgets: parts end with the whole, messages name the limit, and large allocations are refused."""

from __future__ import annotations

import gc
import re
from pathlib import Path

import pytest

from rulespec.budgets import Allowance, Budget, OutOfBudget, ask_for, held_to, memory_in_use


def test_a_part_ends_with_the_whole() -> None:
    whole = Budget(10.0)
    part = whole.part(0.5, most=2.0)
    assert 1.9 < part.seconds_left <= 2.0
    whole.started -= 9.0
    assert part.seconds_left <= 1.0
    whole.started -= 9.0
    assert part.exceeded_limit == whole.exceeded_limit == "the limit of 10 s"


def test_a_part_that_is_spent_before_the_whole_names_both() -> None:
    part = Budget(60.0).part(1.0, most=1.0)
    part.started -= 2.0
    assert part.exceeded_limit == "its share (1 s) of the limit of 60 s"
    with pytest.raises(OutOfBudget, match="its share"):
        part.check()


def test_too_much_memory_is_named_as_it_was_given() -> None:
    assert Budget(60.0, memory=1).exceeded_limit == "the limit of 1 MB"
    assert Budget(60.0).exceeded_limit == ""


def test_later_questions_inherit_unused_time() -> None:
    allowed = Allowance(12.0, None, 4_000, usual=60.0)
    assert 2.9 < allowed.question(waiting=4).seconds_left <= 3.0
    assert 5.9 < allowed.question(waiting=2).seconds_left <= 6.0, "the first two took no time"
    allowed.call.started -= 11.0
    assert 0.9 < allowed.question(waiting=20).seconds_left <= 1.0, "there is no less while there is a second"
    assert not allowed.over
    allowed.call.started -= 1.1
    assert allowed.over


@pytest.mark.parametrize(
    ("timeout", "each", "seconds"),
    [(None, None, 60.0), (None, 5.0, 5.0), (30.0, 5.0, 5.0), (30.0, None, 30.0)],
)
def test_each_question_has_a_limit(timeout: float | None, each: float | None, seconds: float) -> None:
    left = Allowance(timeout, each, 4_000, usual=60.0).question().seconds_left
    assert seconds - 0.1 < left <= seconds


def test_large_allocations_beyond_the_limit_are_refused() -> None:
    free = 100 * 2**20
    with held_to(int(memory_in_use()) + 200):
        ask_for(free)
        with pytest.raises(OutOfBudget, match=r"the limit of \d+ MB"):
            ask_for(3 * free)
    ask_for(1000 * free)


def test_garbage_makes_room_before_an_allocation_is_refused() -> None:
    """Memories of deals that had been explored stayed until the next was refused its own."""
    gc.collect()
    with held_to(int(memory_in_use()) + 300):
        held: list[object] = [bytearray(b"x") * (200 << 20)]
        held.append(held)  # a cycle, with next to no objects
        with pytest.raises(OutOfBudget):
            ask_for(200 << 20)
        del held
        ask_for(200 << 20)


def test_no_module_of_the_solver_reads_a_clock() -> None:
    """A limit by a clock of its own would not end with the whole budget."""
    solver = Path(__file__).parents[2] / "solver"
    texts = {path.relative_to(solver).as_posix(): path.read_text("utf-8") for path in solver.rglob("*.py")}
    assert len(texts) > 100, "the solver was not found"
    assert not [path for path, text in texts.items() if re.search(r"(?m)^\s*(import time|from time)\b", text)]
