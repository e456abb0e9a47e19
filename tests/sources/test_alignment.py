"""Sentences of two texts beside each other: what stayed is seen, and the work grows with the texts only."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.sources.alignment import align

TEXTS = st.lists(st.sampled_from("abcdefgh"), max_size=30)


@given(TEXTS, TEXTS)
def test_all_of_both_texts_is_there_in_order(old: list[str], new: list[str]) -> None:
    pairs = align(old, new)
    assert [i for i, _ in pairs if i is not None] == [*range(len(old))]
    assert [j for _, j in pairs if j is not None] == [*range(len(new))]
    assert (None, None) not in pairs


@given(
    TEXTS, TEXTS, st.lists(st.sampled_from("xyz"), max_size=2), st.lists(st.sampled_from("xyz"), max_size=2)
)
def test_one_place_that_changed_is_all_that_changed(
    before: list[str], after: list[str], old: list[str], new: list[str]
) -> None:
    one, other = before + old + after, before + new + after
    same = [i for i, j in align(one, other) if i is not None and j is not None and one[i] == other[j]]
    assert len(same) >= len(before) + len(after)


@pytest.mark.parametrize(
    ("old", "new", "stayed"),
    [
        ("aXbXcX", "bXcX", "bXcX"),  # what is repeated stays with its neighbours
        ("abcdef", "abdcef", "abdef"),
        ("XaXbX", "XbXaX", "XaX"),
        ("XXXX", "XX", "XX"),
        ("XYXYXY", "YXYX", "YXYX"),
        ("", "ab", ""),
    ],
)
def test_what_stayed(old: str, new: str, stayed: str) -> None:
    pairs = align(old, new)
    same = [old[i] for i, j in pairs if i is not None and j is not None and old[i] == new[j]]
    assert len(same) >= len(stayed)


class Counted(str):
    """A sentence that counts its comparisons."""

    looks = 0

    def __eq__(self, other: object) -> bool:
        Counted.looks += 1
        return str.__eq__(self, other)

    def __hash__(self) -> int:
        Counted.looks += 1
        return str.__hash__(self)


def of(*words: str) -> list[Counted]:
    return [Counted(word) for word in words]


SIZE = 2_000
REPEATED: dict[str, tuple[Sequence[Counted], Sequence[Counted]]] = {
    "one sentence": (of(*"a" * SIZE), of(*"a" * (SIZE // 2))),
    "two in turn": (of(*"ab" * (SIZE // 2)), of(*"ba" * (SIZE // 2))),
    "two, one moved": (of("x", *"ab" * SIZE, "y"), of("y", *"ba" * SIZE, "x")),
    "forty, backwards": (
        of(*map(str, range(40))) * (SIZE // 40),
        of(*map(str, range(40)))[::-1] * (SIZE // 40),
    ),
    "none alike": (of(*map(str, range(SIZE))), of(*map(str, range(SIZE, 2 * SIZE)))),
    "all once, backwards": (of(*map(str, range(SIZE))), of(*map(str, range(SIZE)))[::-1]),
}


@pytest.mark.parametrize("case", REPEATED)
def test_work_grows_with_the_texts(case: str) -> None:
    """A document that repeats its sentences took time that grew with the square of their number, or worse."""
    old, new = REPEATED[case]
    Counted.looks = 0
    align(old, new)
    assert Counted.looks < 40 * (len(old) + len(new))
