"""The counts kept beside every ruleset: a number that changes is a rule that changed."""

from __future__ import annotations

import json

import pytest
from recount import SEED, table_of

from rulespec.language import shipped
from rulespec.play.face import load
from rulespec.play.perft import perft


@pytest.mark.parametrize("name", sorted(shipped()))
def test_counts_are_those_kept(name: str) -> None:
    path = table_of(name)
    table = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    assert name in table, f"run `python tests/rulesets/recount.py {name}`"
    kept = {int(depth): count for depth, count in table[name].items()}
    assert perft(load(name), max(kept), SEED) == kept


def test_no_table_holds_counts_of_what_is_not_there() -> None:
    for path in {table_of(name) for name in shipped()}:
        assert set(json.loads(path.read_text("utf-8"))) == {n for n in shipped() if table_of(n) == path}
