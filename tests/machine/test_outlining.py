"""Loops that ask functions whose results are kept: what they find is kept for all that it follows from."""

from __future__ import annotations

from itertools import product

import pytest

from rulespec.machine import form as f
from rulespec.machine.passes import memoisation
from rulespec.machine.passes.pipeline import optimise

from .evaluating import Evaluator
from .running import WAYS, Run, translated

BEGINNING = (
    WAYS
    + """
    def asked(s: Numbers, x: int, y: int) -> int:
"""
)
KEPT = {
    "what a variable was before counts on": """
        found = y
        for i in range(x):
            found += _ways(i, 2)
        return found""",
    "a variable that the loop may leave": """
        found = y
        for i in range(x):
            if _ways(i, 2) > 3:
                found = i
        return found""",
    "several results": """
        found = 0
        other = 0
        left = x + y
        while left > 0:
            found += _ways(left, 2)
            other |= _ways(left, 1)
            left -= 2
        return found * 1000 + other * 10 + left""",
    "an element read before": """
        found = 0
        first = s[0]
        for i in range(x):
            found += _ways(i, first)
        return found + y""",
    "a loop in a loop": """
        found = 0
        for i in range(x):
            for j in range(i):
                found += _ways(i + y, j)
        return found""",
    "what is set before the loop": """
        first = x * 3 + y
        last = first // 2
        found = first
        for i in range(last):
            found += _ways(i, 2)
        return found""",
    "two loops": """
        found = 0
        for i in range(x):
            found += _ways(i, 2)
        s[1] = found
        for j in range(y):
            found += _ways(j, 1)
        return found""",
    "a loop that is left early, in one case of two": """
        found = y
        if x > 1:
            for i in range(x):
                found += 1
                if _ways(i, 2) == y:
                    break
        return found""",
}
ASKED = {
    "an element that changes": """
        found = 0
        for i in range(x):
            s[1] += 1
            found += _ways(i, 1) + s[1]
        return found + y""",
    "an element at a place that changes": """
        found = 0
        for i in range(x):
            found += _ways(i, s[i % 2])
        return found + y""",
    "a loop that ends the function": """
        found = 0
        for i in range(x):
            found += _ways(i, 1)
            if found > y:
                return i
        return 0 - found""",
    "a loop within a loop that does more": """
        found = y
        for i in range(x):
            s[1] += found
            for j in range(3):
                found += _ways(i, 1) + j
        return found""",
}
GIVEN = [*product(range(6), range(4)), *product(range(5), range(3))]


@pytest.fixture(params=[1, 12], autouse=True)
def places(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two places for the results of a function, and many."""
    monkeypatch.setattr(memoisation, "WORDS_BITS", request.param)


def loops_kept(module: f.Module) -> int:
    """The functions whose results are kept, but for the one of the text that calls itself."""
    return sum(x.endswith(memoisation.CACHE) for x in optimise(module).rooms) - 1


@pytest.mark.parametrize("text", [*KEPT.values(), *ASKED.values()], ids=[*KEPT, *ASKED])
def test_loops_find_what_their_text_says(text: str) -> None:
    module = translated(BEGINNING + text)
    assert loops_kept(module) == (0 if text in ASKED.values() else 2 if "j in range(y)" in text else 1)
    run, model = Run(module), Evaluator(module)
    held, s = [0, 0, 0], run.array(f.NUMBERS, [0, 0, 0])
    for turn, (x, y) in enumerate(GIVEN * 2):
        held[0] = s[0] = turn // 16 % 3
        assert (run.asked(s, x, y),) == model.call("asked", [held, x, y])
        assert list(s) == held


def test_a_loop_that_asks_nothing_kept_stays() -> None:
    text = BEGINNING.replace("_ways(n - 1, k) + _ways(n - 1, k - 1)", "n * k") + next(iter(KEPT.values()))
    assert loops_kept(translated(text)) == -1
