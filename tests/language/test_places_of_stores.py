"""Each store of the rules has its place in the text, where a fault in it is told."""

from __future__ import annotations

import pytest

from rulespec.core.traversal import assignments, may_fault
from rulespec.language import load, shipped_rulesets


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_store_that_may_fault_has_a_place(name: str) -> None:
    """A `move` stores twice, and a fault in its second store was told without a line."""
    game = load(name)
    for action in game.actions.values():
        stores = [x for x in assignments(action.effect) if may_fault(x) and x.target.name != "plies"]
        assert [x for x in stores if x not in game.spans] == [], action.id
