"""The puzzles that ship beside rulesets are for their rules, and their plays solve them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.book.content.page import Links
from rulespec.book.content.puzzles import SUFFIX, puzzles
from rulespec.language.documents.ruleset_files import home
from rulespec.play.face import load

FILES = sorted(home().rglob(f"*{SUFFIX}.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_shipped_puzzle_is_solved_by_its_play(file: Path) -> None:
    page = puzzles(load(file.stem.removesuffix(SUFFIX)), Links())
    assert not page.faults
    assert page.markdown.count('<li id="deal-') == page.markdown.count("actions</a> shows") == 30
    assert "open;" not in page.markdown
