"""A cache of rulebook pages, valid until any of their inputs changes.

The inputs of a page are the texts of its ruleset and of those that it extends, the files beside them
(variants, source maps, puzzles, verdicts), the stamps of the verdicts, the addresses of other pages, and the
program.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...core.storage.cache import read_cached_data, write_cached_data
from ...core.storage.source_digest import source_digest
from ...core.verdicts import beside
from ...language.documents.ruleset_files import home
from ...play.face import Game
from ..content.page import Page
from ..content.published_verdicts import PublishedVerdicts

PATTERNS = ("*.yaml", "variants/*.yaml", "sources/*.yaml", "*-puzzles.json")
"""The files beside a ruleset that its page may be about."""

MOST_FILES = 2_000
"""With more files beside it, a page is always made anew."""


class PageCache:
    """The cached pages of one site."""

    def __init__(self, site: Path, setting: Iterable[str]) -> None:
        """`site` is the folder of the configuration; `setting` are texts that all pages depend on."""
        self._site = site
        self._setting = [str(site), *setting]

    def read(self, game: Game, published: PublishedVerdicts, page: str) -> Page | None:
        """A cached page of a game by its name, if nothing has changed since."""
        key = self._key(game, published)
        data = read_cached_data(self._name(game, page), key) if key else None
        return _page(data) if isinstance(data, dict) else None

    def write(self, game: Game, published: PublishedVerdicts, name: str, page: Page) -> None:
        """Cache a faultless page of a game under its name."""
        key = self._key(game, published)
        if key and not page.faults:
            write_cached_data(self._name(game, name), key, asdict(page))

    def _name(self, game: Game, page: str) -> str:
        return f"page-{_digest([str(self._site), game.name, page])[:32]}.json"

    def _key(self, game: Game, published: PublishedVerdicts) -> str:
        """A digest of all inputs of a page; empty if they are unknown."""
        files = _files(game)
        if not game.sources or len(files) > MOST_FILES:
            return ""
        parts = [source_digest("rulespec.book.plugin"), *self._setting, game.name]
        parts += [part for source in game.sources for part in (source.name, source.text)]
        parts += [f"{file} {_content(file)}" for file in files]
        parts += [published.checked(verdict) or "" for verdict in published.store]
        parts += [str(published.released(verdict) or "") for verdict in published.store]
        return _digest(parts)


def _files(game: Game) -> list[Path]:
    """The variants, source maps, puzzles and stores of verdicts that belong to a game."""
    found: set[Path] = set()
    for source in game.sources:
        path = next((p for p in (Path(source.name), home().parent / source.name) if p.is_file()), None)
        if path is not None:
            folder = beside(path.absolute()).parent
            found.update(file for pattern in PATTERNS for file in folder.glob(pattern))
    return sorted({*found, beside(Path(game.name).absolute())})


def _content(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256(json.dumps([*parts]).encode()).hexdigest()


def _page(data: dict[str, Any]) -> Page | None:
    try:
        page = Page(**data)
    except TypeError:
        return None
    board, pieces, marks = page.richness
    page.richness = (board, pieces, marks)
    return page
