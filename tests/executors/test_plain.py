"""Values as JSON and back; data of any other form is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from rulespec.core.data_forms import WrongForm
from rulespec.executors.plain import WIRE


class Pair(NamedTuple):
    first: int
    words: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Whole:
    pairs: Sequence[Pair]
    by_number: Mapping[int, float]
    by_name: Mapping[str, Any]
    column: Sequence[int | None]
    here: int = field(default=0, compare=False)


WHOLE = Whole([Pair(1), Pair(2, ("a", "b"))], {3: 0.5}, {"x": {"y": [1, {"z": None}]}}, [1, None])


def test_a_value_comes_back_as_it_was() -> None:
    data = json.loads(json.dumps(WIRE.encode(WHOLE)))
    assert WIRE.decode(Whole, data) == WHOLE
    assert "here" not in data
    empty = Whole([], {}, {}, [])
    assert WIRE.decode(Whole, json.loads(json.dumps(WIRE.encode(empty)))) == empty


@pytest.mark.parametrize(
    "change",
    [
        {"pairs": {}},
        {"pairs": [{"first": "1", "words": None}]},
        {"pairs": [{"first": True, "words": None}]},
        {"pairs": [{"first": 1}]},
        {"pairs": [{"first": 1, "words": [1]}]},
        {"by_number": {"3": 0.5}},
        {"by_number": [[3, 0.5], [3, 0.5]]},
        {"by_number": [[3, 1]]},
        {"by_number": [[3]]},
        {"by_name": [[1, 2]]},
        {"column": ["1"]},
        {"column": "12"},
        {"more": 1},
        {"here": 1},
    ],
)
def test_data_of_another_form_is_refused(change: dict[str, Any]) -> None:
    data = json.loads(json.dumps(WIRE.encode(WHOLE)))
    with pytest.raises(WrongForm):
        WIRE.decode(Whole, {**data, **change})
