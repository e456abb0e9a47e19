"""The playthroughs kept beside rulesets: a ply that goes otherwise is a rule that changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playthroughs import MOST_PLIES, wanted

from rulespec.cli import main
from rulespec.language import shipped
from rulespec.play.records import read_record

GAMES = {path: game for name in shipped() for path, game in wanted(name).items()}
MOST_BYTES = 200_000


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_playthrough_goes_as_it_was_recorded(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert path.is_file(), f"run `python tests/rulesets/playthroughs.py {GAMES[path].id}`"
    assert path.stat().st_size < MOST_BYTES
    kept, game = read_record(path.read_text("utf-8"), str(path)), GAMES[path]
    assert (kept.ruleset, kept.players, kept.given) == (game.id, game.core.players, None)
    assert len(kept.accounts) == len(kept.plays) + 1
    assert len(kept.plays) == MOST_PLIES or (kept.outcome or {})["ended"]
    status = main(["replay", str(path)])
    told = capsys.readouterr().out
    assert status == 0, f"{told}\nIf the rules are right now: python tests/rulesets/playthroughs.py {game.id}"


def test_no_playthrough_is_left_over() -> None:
    kept = {path for folder in {file.parent for file in GAMES} for path in folder.glob("*")}
    assert kept == GAMES.keys()
