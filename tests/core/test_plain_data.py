"""Values as plain data and back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.core.plain_data import from_data, show, to_data
from rulespec.core.types import BOOL, Enum, List, Map, Optional, Record, Scalar, Set, Type, Value, integers

PIP = integers(0, 3, "Pip")
FILE = integers(1, 4, "File", "abcd")
SUIT = Enum("Suit", range(3), "Suit", ("spades", "hearts", "clubs"), "SHC")
CARDS = tuple((p, s) for p in range(4) for s in range(3))
CARD = Record("Card", CARDS, "Card", (("pip", PIP), ("suit", SUIT)), (0, 1))
PAIR = Record("Pair", tuple((a, b) for a in range(4) for b in range(4)), "Pair", (("a", PIP), ("b", PIP)))
SCALARS: tuple[Scalar, ...] = (PIP, FILE, SUIT, CARD, PAIR, BOOL)


def values(t: Type) -> st.SearchStrategy[Value]:
    """Every value of a type."""
    if isinstance(t, Scalar):
        return st.sampled_from(list(t.values))
    if isinstance(t, Map):
        return st.tuples(*[values(t.of)] * len(t.keys.values))
    assert isinstance(t, Optional | Set | List)
    assert t.of is not None
    if isinstance(t, Optional):
        return st.none() | values(t.of)
    if isinstance(t, Set):
        return st.frozensets(values(t.of))
    return st.lists(values(t.of), max_size=t.cap).map(tuple)


def types() -> st.SearchStrategy[Type]:
    scalars = st.sampled_from(SCALARS)
    kept = st.sampled_from(SCALARS[:-1])
    flat = scalars | kept.map(Optional) | kept.map(Set) | kept.map(lambda t: List(t, 3))
    return flat | st.builds(Map, kept, flat)


@given(st.data())
def test_data_of_a_value_gives_the_value_back(data: st.DataObject) -> None:
    t = data.draw(types())
    value = data.draw(values(t))
    assert from_data(t, to_data(t, value), value if isinstance(t, Map) else None) == value


@given(st.data())
def test_notation_of_a_value_gives_the_value_back(data: st.DataObject) -> None:
    t = data.draw(types().filter(lambda t: not isinstance(t, Map)))
    value = data.draw(values(t))
    assert from_data(t, show(t, value)) == value


def test_how_values_look_as_data() -> None:
    assert to_data(Map(FILE, Optional(CARD)), (None, (3, 0), None, (0, 2))) == {"b": "3S", "d": "0C"}
    assert to_data(Set(PIP), frozenset({2, 0})) == [0, 2]
    assert to_data(List(SUIT, 4), (1, 1)) == ["H", "H"]


@pytest.mark.parametrize(
    ("t", "data", "message"),
    [
        (PIP, 7, r"`7` is not a Pip \(0, 1, 2, 3\)"),
        (PIP, True, "`True` is not a Pip"),
        (PIP, 1.5, "1.5 is a decimal number; put the notation of a Pip in quotes"),
        (SUIT, "heart", "`heart` is not a Suit"),
        (CARD, "3SS", "`3SS` is not a Card; did you mean 3S"),
        (List(PIP, 2), [1, 2, 3], "3 elements do not fit in a list of Pip up to 2"),
        (Set(PIP), 3, "`3` is not a set of Pip: give a list of its elements"),
        (Set(PIP), "3", "write its elements in {…}"),
        (Map(FILE, Optional(PIP)), {"b": 9}, "at b: `9` is not a Pip"),
        (Map(FILE, Optional(PIP)), {"b": 1, "2": 1}, "`b` is given twice"),
        (Map(FILE, PIP), {"a": 1}, "no value for `b`"),
        (Map(FILE, PIP), [1], "give its keys with their values"),
    ],
)
def test_what_is_wrong_with_data_is_said(t: Type, data: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_data(t, data)


def test_keys_that_are_not_named_hold_nothing_or_what_they_had() -> None:
    assert from_data(Map(FILE, Optional(PIP)), {"b": 1}, (3, 3, 3, 3)) == (None, 1, None, None)
    assert from_data(Map(FILE, PIP), {"b": 1}, (3, 3, 3, 3)) == (3, 1, 3, 3)
    assert from_data(Map(FILE, Map(FILE, PIP)), {"b": {"a": 1}}, ((3,) * 4,) * 4)[1] == (1, 3, 3, 3)


def test_values_outside_their_type_can_still_be_shown() -> None:
    assert show(PIP, 12) == "12"
    assert show(FILE, -1) == "-1"
    assert show(List(PIP, 1), (1, 9)) == "[1, 9]"
    assert show(PIP, None) == "none"
