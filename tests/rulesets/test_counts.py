"""The counts kept beside rulesets: a number that changes is a rule that changed."""

from __future__ import annotations

import json

import pytest
from recount import SEED, table_of

from rulespec.language import shipped
from rulespec.play.face import load
from rulespec.play.perft import perft

TABLES = {path: json.loads(path.read_text("utf-8")) for path in map(table_of, shipped()) if path.is_file()}
KEPT = {name: counts for table in TABLES.values() for name, counts in table.items()}


@pytest.mark.parametrize("name", sorted(KEPT))
def test_counts_are_those_kept(name: str) -> None:
    kept = {int(depth): count for depth, count in KEPT[name].items()}
    assert perft(load(name), max(kept), SEED) == kept


def test_every_game_has_its_counts() -> None:
    games = {name for name, path in shipped().items() if path.name == "ruleset.yaml"}
    assert games <= KEPT.keys(), "run `python tests/rulesets/recount.py NAME`"
    assert KEPT.keys() <= shipped().keys()
