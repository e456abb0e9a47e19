"""Numbers of action sequences of the classic games, against counts made elsewhere.

`tests/vectors/classics-perft.json` holds the counts that were given; further ones say where they
are from. `SLOW` sets are counted by `make perft`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rulespec.play.face import load
from rulespec.play.perft import perft

GIVEN = json.loads((Path(__file__).parents[1] / "vectors" / "classics-perft.json").read_text("utf-8"))

SETTINGS: dict[str, tuple[str, dict[str, object]]] = {
    "tic-tac-toe": ("tic-tac-toe", {}),
    "connect-four": ("connect-four", {}),
    # The numbers are those of one row each: with two, the second player has 12 replies and not 13.
    "breakthrough (5x5)": ("breakthrough", {"width": 5, "height": 5, "rows": 1}),
    "hex (3x3)": ("hex", {"side": 3}),
    "othello": ("othello", {}),
    "nim (3, 4, 5)": ("nim", {"piles": [3, 4, 5]}),
}
QUICK = {"tic-tac-toe": 6, "connect-four": 4, "breakthrough (5x5)": 3, "hex (3x3)": 6, "othello": 4}
"""The depth to which the suite counts; the rest is counted where RULESPEC_SLOW is set."""
SLOW = bool(os.environ.get("RULESPEC_SLOW"))


def counts(name: str) -> dict[int, int]:
    given = {int(depth): count for depth, count in GIVEN[name]["counts"].items()}
    return {d: c for d, c in given.items() if SLOW or d <= QUICK.get(name, d)}


@pytest.mark.parametrize("name", SETTINGS)
def test_counts_are_those_of_other_programs(name: str) -> None:
    ruleset, parameters = SETTINGS[name]
    wanted = counts(name)
    assert perft(load(ruleset, parameters=parameters), max(wanted)) == wanted
