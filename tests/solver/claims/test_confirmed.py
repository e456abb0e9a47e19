"""Answers of each decider to small random games are confirmed by exploring all their positions.

Each seed gives a ruleset. `RULESPEC_RANDOM_GAMES=1000` sets their number, `RULESPEC_FIRST_GAME=5000` the
first seed; a message names the seed, and `random_rulesets.ruleset(seed, folder)` gives its text.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from confirming import Space, TooMany, decisions, wrong
from confirming_facts import mistakes
from random_rulesets import ruleset

from solver.claims.facts import sums

pytestmark = pytest.mark.usefixtures("interpreted")

GAMES = int(os.environ.get("RULESPEC_RANDOM_GAMES", "12"))
FIRST = int(os.environ.get("RULESPEC_FIRST_GAME", "0"))
READ = 4
"""The factor by which more games are analysed than decided, since that takes less time."""


def spaces(folder: Path, count: int) -> Iterator[tuple[int, Space]]:
    """Random games with few positions, each with its seed."""
    for seed in range(FIRST, FIRST + count):
        game = ruleset(seed, folder)
        try:
            space = Space(game) if game is not None else None
        except TooMany:
            continue
        if space is not None:
            yield seed, space


def test_answers_of_deciders_hold_in_random_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "FEWEST_FACTS", 1)
    found, count = [], 0
    for seed, space in spaces(tmp_path, GAMES):
        for decider, case, answer in decisions(space):
            count += 1
            why = wrong(space, case, answer)
            if why:
                helped = f", given {', '.join(case.settled)}" if case.settled else ""
                found.append(f"seed {seed}, {case.claim.id} by {decider}{helped}: {why}")
    assert not found, "\n".join(found)
    assert count > 5 * GAMES


def test_static_analyses_hold_in_random_games(tmp_path: Path) -> None:
    found = [
        f"seed {seed}, {text}" for seed, space in spaces(tmp_path, READ * GAMES) for text in mistakes(space)
    ]
    assert not found, "\n".join(found)
