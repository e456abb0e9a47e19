"""The page of a rulebook lists the secrets of each action."""

from __future__ import annotations

from pathlib import Path

from rulespec.book.content.exact import exact
from rulespec.book.content.published_verdicts import PublishedVerdicts
from rulespec.play.face import load

WHISPERS = str(Path(__file__).parents[1] / "language" / "good" / "whispers.yaml")


def test_a_page_names_the_secrets_of_an_action() -> None:
    page = exact(load(WHISPERS), PublishedVerdicts()).markdown
    assert "The other players do not learn which action this is.</p>" in page
    shown = "<code>those p in Player where p = after(mover)</code>"
    assert f"The other players do not learn <code>n</code>; it is shown to {shown}.</p>" in page
    assert "do not learn" not in exact(load(WHISPERS, players=1), PublishedVerdicts()).markdown
