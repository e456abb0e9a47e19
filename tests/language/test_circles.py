"""Cycles of actions whose legality tests depend on one another are found in one depth-first search."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulespec.core import nodes as n
from rulespec.core.types import BOOL
from rulespec.language.legality_tests import _circles, _Test

NAMES = "abcdef"
GRAPHS = st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), unique=True))


def can_tests(*names: str) -> list[_Test]:
    return [_Test(name, n.Can(BOOL, name, ())) for name in names]


def reached(graph: dict[str, list[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [*graph.get(start, [])]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph.get(name, [])
    return found


@given(GRAPHS)
def test_circles_are_found_where_there_are_any(graph: dict[str, list[str]]) -> None:
    circles = [*_circles({name: can_tests(*tos) for name, tos in graph.items()})]
    circular = {name for name in graph if name in reached(graph, name)}
    assert bool(circles) == bool(circular)
    for circle in circles:
        names = [test.action for test in circle]
        assert all(to in graph[at] for at, to in zip([names[-1], *names], names, strict=False))
        assert set(names) <= circular


def test_a_row_is_gone_through_once() -> None:
    """The search once followed the row to its end from each of its actions."""
    visited: list[str] = []

    class Row(dict[str, list[_Test]]):
        def __getitem__(self, name: str) -> list[_Test]:
            visited.append(name)
            return super().__getitem__(name)

        def get(self, name: str, default: object = None) -> list[_Test]:  # type: ignore[override]
            visited.append(name)
            return super().get(name, [])

    row = Row({f"a{i}": can_tests(f"a{i + 1}") for i in range(2_000)})
    assert not [*_circles(row)]
    assert len(visited) <= 2_001
