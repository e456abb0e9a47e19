"""The mean length of a random game is a fingerprint of its rules: it is the one that others found.

`lengths.json` holds the lengths of thousands of games (`make lengths`); the first ones are played again here.
"""

from __future__ import annotations

import json
import os
from itertools import chain, repeat
from pathlib import Path
from statistics import fmean, stdev

import pytest
from lengths import FIRST, GAMES, STORE, lengths

KEPT = json.loads(STORE.read_text("utf-8"))
KNOWN = {
    "tic-tac-toe": (7.63, 0.005), "connect-four": (21.3, 0.05), "breakthrough": (64.15, 0.005),
    "hex": (107.6, 0.05), "othello": (60.4, 0.05),
}  # fmt: skip
"""The means that other programs found, and how far rounding may have moved them. In Othello a pass counts."""
AGAIN = {"tic-tac-toe": FIRST, "connect-four": 20, "breakthrough": 3, "hex": 3, "othello": 3}
"""How many games are played again; `make perft` plays all of the first ones."""


@pytest.mark.parametrize("name", GAMES)
def test_the_mean_length_is_the_known_one(name: str) -> None:
    kept, (known, rounding) = KEPT[name], KNOWN[name]
    found = [*chain.from_iterable(repeat(int(length), n) for length, n in kept["lengths"].items())]
    assert len(found) == kept["games"] == GAMES[name]
    error = stdev(found) / len(found) ** 0.5
    assert (kept["mean"], kept["standard error"]) == (round(fmean(found), 4), round(error, 4))
    assert abs(fmean(found) - known) < 2 * error + rounding


def test_the_page_says_what_was_found() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "evidence.md").read_text("utf-8")
    for name, kept in KEPT.items():
        found = f"{kept['mean']:.3f} ± {kept['standard error']:.3f}"
        assert f"| {name} | {kept['games']:,} | {KNOWN[name][0]:g} | {found} |\n" in page


@pytest.mark.parametrize("name", GAMES)
def test_the_games_are_those_that_were_played(name: str) -> None:
    games = FIRST if os.environ.get("RULESPEC_SLOW") else AGAIN[name]
    assert lengths(name, games) == KEPT[name]["first"][:games]
