"""The changes of a game from day to day, as blocks of a page."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from ...core.diagnostics import RulesetError
from ...core.storage.cache import read_cached_data, write_cached_data
from ...core.storage.source_digest import source_digest
from ...language import load
from ...language.differences import CHANGED, Change, changes, lines
from ...play.face import Game
from ...sources.revisions import NoRevision, Revision, game_at, revisions
from ..examples import render
from .page import heading

DAYS = 30
"""Maximum number of days that are compared."""
NONE_YET = "There is no earlier revision yet."


def changes_by_day(game: Game, since: Path | None = None) -> Iterator[str]:
    """The changes of a game by day, newest first, between the revisions in its git repository.

    With `since`, a file, they are those from the game in that file. Raises RulesetError if it is faulty.
    """
    if since is not None:
        yield from _entry(f"Since {since.stem}", changes(load(str(since)), game.core))
        return
    try:
        found = revisions([Path(source.name) for source in game.sources if Path(source.name).is_file()])
    except NoRevision:
        found = []
    told = [*_by_revision(Path(game.name), found[: DAYS + 1])]
    yield from told or [f"<p>{NONE_YET}</p>"]


def _by_revision(file: Path, found: Sequence[Revision]) -> Iterator[str]:
    """The changes between consecutive revisions; each entry is cached."""
    for after, before in pairwise(found):
        parts = (source_digest(__name__), str(file.absolute()), before.name, after.name)
        key = hashlib.sha256("\n".join(parts).encode()).hexdigest()
        entry = read_cached_data(f"changes-{key[:32]}.json", key)
        if not isinstance(entry, str):
            entry = "\n\n".join(_entry(after.day, _changes_between(file, before, after)))
            write_cached_data(f"changes-{key[:32]}.json", key, entry)
        yield from [entry] if entry else []
    if found:
        yield f"<p>First version: {found[-1].day}.</p>"


def _changes_between(file: Path, before: Revision, after: Revision) -> list[Change] | None:
    """The changes between two revisions; None if this program cannot read one of them."""
    try:
        return changes(*(game_at(file, revision.name) for revision in (before, after)))
    except (NoRevision, RulesetError):
        return None


def _entry(title: str, found: Sequence[Change] | None) -> Iterator[str]:
    """A heading with changes, or with the remark that these are unknown; nothing if there are none."""
    if found is None:
        yield heading(2, title, f"changes-{title}")
        yield "<p>The rules of that day cannot be compared: this program does not read them.</p>"
    elif found:
        yield heading(2, title, f"changes-{title}")
        yield f'<ul class="rs-changes">{"".join(map(_change, found))}</ul>'


def _change(change: Change) -> str:
    """The HTML of a change, with the lines that differ."""
    text = render.escape(change.sentence("→"))
    if change.how != CHANGED or change.is_value:
        return f"<li>{text}</li>"
    parts = (
        f"<p>{render.escape(part)}</p>"
        + render.listing("\n".join(f"{sign} {line}" for sign, line in lines(before, after)))
        for part, before, after in change.parts
    )
    return f"<li>{render.details(change.sentence(), ''.join(parts))}</li>"
