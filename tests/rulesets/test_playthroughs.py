"""The playthroughs kept beside rulesets: a ply that goes otherwise is a rule that changed.

Of long ones the first plies are played again; `make perft` goes through the whole of them.
"""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import pytest
from playthroughs import BROKEN_OFF, wanted

from rulespec.core.diagnostics import RulesetError
from rulespec.language import shipped_rulesets
from rulespec.play.records.files import read_record, replay

GAMES = {path: game for name in shipped_rulesets() for path, game in wanted(name).items()}
MOST_BYTES = 200_000
PLIES = BROKEN_OFF * 2 if os.environ.get("RULESPEC_SLOW") else 20


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_playthrough_goes_as_it_was_recorded(path: Path) -> None:
    assert path.is_file(), f"run `python tests/rulesets/playthroughs.py {GAMES[path].game.id}`"
    assert path.stat().st_size < MOST_BYTES
    kept, game = read_record(path.read_text("utf-8"), str(path)), GAMES[path].game
    assert (kept.ruleset, kept.players) == (game.id, game.core.players)
    assert len(kept.accounts) == len(kept.plays) + 1
    assert (kept.outcome or {})["ended"] or (len(kept.plays) == BROKEN_OFF and kept.given is None)
    try:
        *_, last = islice(replay(kept, game), PLIES + 1)
    except RulesetError as error:
        pytest.fail(f"{error}\nIf the rules are right now: python tests/rulesets/playthroughs.py {game.id}")
    assert len(last.plays) == min(len(kept.plays), PLIES)


def test_where_a_play_was_broken_off_another_one_shows_the_end() -> None:
    for path in GAMES:
        kept = read_record(path.read_text("utf-8"), str(path))
        assert (kept.outcome or {})["ended"] or path.with_stem(f"{path.stem}-end") in GAMES, path


def test_no_playthrough_is_left_over() -> None:
    kept = {path for folder in {file.parent for file in GAMES} for path in folder.glob("*")}
    assert kept == GAMES.keys()
