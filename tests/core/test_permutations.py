"""Groups of symmetries and the images of values, by their laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.core.symmetry import Image, Leaves, Symmetry, TooMany, extend_to_common_types, group
from rulespec.core.types import Enum, List, Map, Optional, Set, integers, with_values

COLOUR = Enum("Colour", (0, 1, 2, 3), "Colour", ("red", "blue", "green", "black"))
PLACE = integers(1, 3, "Place")
OTHER = integers(1, 3)

colours = st.permutations((0, 1, 2, 3)).map(lambda held: Image(COLOUR, tuple(held)))
places = st.permutations((1, 2, 3)).map(lambda held: Image(PLACE, tuple(held)))
symmetries = st.tuples(colours, places).map(Symmetry)
VALUE = Map(PLACE, Optional(COLOUR))
values = st.lists(st.sampled_from((None, 0, 1, 2, 3)), min_size=3, max_size=3).map(tuple)


@given(symmetries, symmetries, values)
def test_one_after_the_other_is_both(a: Symmetry, b: Symmetry, value: tuple[int | None, ...]) -> None:
    assert a.then(b).of(VALUE, value) == b.of(VALUE, a.of(VALUE, value))
    assert a.still.of(VALUE, value) == value


@given(st.lists(symmetries, min_size=1, max_size=3))
def test_a_group_is_closed_and_begins_with_what_leaves_all_as_it_is(generators: list[Symmetry]) -> None:
    found = group(generators)
    assert found[0] == generators[0].still
    assert len(set(found)) == len(found)
    assert {a.then(b) for a in found for b in generators} <= set(found)
    assert 144 % len(found) == 0


def test_the_image_says_of_the_image_what_the_value_says_of_the_value() -> None:
    turn = Symmetry((Image(PLACE, (2, 3, 1)), Image(COLOUR, (1, 0, 2, 3))))
    assert turn.of(VALUE, (0, None, 2)) == (2, 1, None)
    assert turn.of(Set(PLACE), frozenset((1, 3))) == {2, 1}
    assert turn.of(List(COLOUR, 4), (0, 0, 3)) == (1, 1, 3)


def test_a_range_is_moved_by_its_name_alone() -> None:
    turn = Symmetry((Image(PLACE, (3, 2, 1)),))
    assert turn.of(PLACE, 1) == 3
    assert turn.of(OTHER, 1) == 1


def test_a_value_that_leaves_a_narrower_type_is_refused() -> None:
    turn = Symmetry((Image(COLOUR, (1, 2, 3, 0)),))
    with pytest.raises(Leaves):
        turn.of(with_values(COLOUR, (0, 1)), 0)


def test_what_a_symmetry_does_not_speak_of_it_leaves() -> None:
    first, second = extend_to_common_types([(Image(PLACE, (2, 1, 3)),), (Image(COLOUR, (1, 0, 2, 3)),)])
    assert first.then(second).of(VALUE, (0, 1, 2)) == (0, 1, 2)
    assert len(group([first, second])) == 4


def test_a_group_that_is_too_large_is_refused() -> None:
    many = integers(1, 7, "Many")
    swap, turn = (2, 1, 3, 4, 5, 6, 7), (2, 3, 4, 5, 6, 7, 1)
    with pytest.raises(TooMany):
        group([Symmetry((Image(many, held),)) for held in (swap, turn)])
