"""Static analyses of small random games are confirmed by exploring all their positions.

Each seed gives a ruleset. `RULESPEC_RANDOM_GAMES=1000` sets their number, `RULESPEC_FIRST_GAME=5000` the
first seed; a message names the seed, and `soundness.dealt.ruleset(seed, folder)` gives its text.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from confirming import Space, TooMany
from confirming_facts import mistakes
from soundness.dealt import ruleset

GAMES = int(os.environ.get("RULESPEC_RANDOM_GAMES", "10"))
FIRST = int(os.environ.get("RULESPEC_FIRST_GAME", "0"))


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


def test_static_analyses_hold_in_random_games(tmp_path: Path) -> None:
    found = [f"seed {seed}, {text}" for seed, space in spaces(tmp_path, GAMES) for text in mistakes(space)]
    assert not found, "\n".join(found)
