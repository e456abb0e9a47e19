"""The addresses of the pages about games, relative to a page of the site, and the navigation to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape, unescape
from itertools import groupby
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.utils import get_relative_url

from ...core.diagnostics import CONTROL
from ...core.game import Game as Core
from ...language.documents.ruleset_files import display_path
from ...play.face import Game
from . import contents, exact, puzzles
from .page import Link, Links, TableLinks, Target

RECORDS = "records"
"""The folder below the rulebook pages with the plays that are evidence, and the playable games."""
PLAYER = "assets/player.js"
"""The script of the player, which a page loads when a game is opened."""
STYLE, SCRIPT, PRINT_STYLE = "assets/rulespec.css", "assets/rulespec.js", "assets/print.css"
ELEMENT = "assets/embed.js"
"""The script that makes an element of a table in pages of other sites."""


@dataclass(frozen=True)
class Linking:
    """The games of a site, and the places of their pages in it."""

    games: Sequence[Game]
    folder: str
    """The folder of the site with the rulebooks."""
    trust: str
    """The page about trust in verdicts; empty if there is none."""
    player: bool
    """False for pages on which no game can be played."""
    config: MkDocsConfig
    files: Files

    def address(self, game: Game, suffix: str = "") -> str:
        """The source of a page about a game; `suffix` ends the names of such pages, empty for rulebooks."""
        return f"{self.folder}/{game.id}{suffix}.md"

    def base_of(self, game: Game) -> Core | None:
        """The game that a variant extends, if the site has that."""
        near = game.core.extends[-1] if game.core.extends else ""
        return next((one.core for one in self.games if one.id == near and one is not game), None)

    def links(self, game: Game, address: str) -> Links:
        """The addresses that a page of a game needs, relative to the page at `address`.

        Raises PluginError if the page named by `trust` does not belong to the site.
        """
        here = self._url(address)

        def file(name: str) -> str:
            return get_relative_url(f"{self.folder}/{RECORDS}/{name}", here)

        link = self.link(address)
        variants = [one for one in self.games if one is not game and one.core.extends[-1:] == (game.id,)]
        return Links(
            link,
            self.link(address, exact.SUFFIX),
            file,
            self._trust_from(here),
            tuple(target for one in variants if (target := link(one.id)) is not None),
            get_relative_url(PLAYER, here) if self.player else "",
            get_relative_url(self._url(self.address(game, puzzles.SUFFIX)), here)
            if puzzles.file_of(game).is_file()
            else "",
            self._table(game, here) if self.player else None,
        )

    def _table(self, game: Game, here: str) -> TableLinks:
        """The addresses for a page with the table of a game; the page lies beside the playable games."""
        rules = self._url(self.address(game))
        records = f"{self.folder}/{RECORDS}/"
        player, script, style, book = (
            get_relative_url(one, records) for one in (PLAYER, SCRIPT, STYLE, rules)
        )
        return TableLinks(player, script, style, book, get_relative_url(ELEMENT, here))

    def link(self, address: str, suffix: str = "") -> Link:
        """A function that links a page at this address to the pages of rulesets, given by id or file."""
        here = self._url(address)

        def link(name: str) -> Target | None:
            known = next(
                (game for game in self.games if name in (game.id, display_path(Path(game.name)))), None
            )
            if known is None:
                return None
            there = self._url(self.address(known, suffix))
            target = Target(get_relative_url(there, here), known.title, known.core.summary)
            return None if there == here else target

        return link

    def _url(self, address: str) -> str:
        return File.generated(self.config, address, content="").url

    def _trust_from(self, here: str) -> str:
        """The address of the page named by `trust`, relative to a page; empty if none is named.

        Raises PluginError.
        """
        if not self.trust:
            return ""
        page = self.files.get_file_from_path(self.trust)
        if page is None:
            raise PluginError(f"`trust: {self.trust}` is no page of the site")
        return get_relative_url(page.url, here)

    def navigation(self, nav: Any, groups: Mapping[str, str]) -> Any:
        """A navigation in which the rulebooks, grouped under headings, replace the name of their folder."""
        if isinstance(nav, list):
            return [self.navigation(entry, groups) for entry in nav]
        if isinstance(nav, dict):
            return {title: self.navigation(entry, groups) for title, entry in nav.items()}
        if nav == f"{self.folder}/" and self.games:
            return [f"{nav}index.md", *self._grouped(groups)]
        return nav

    def _grouped(self, groups: Mapping[str, str]) -> Iterator[Any]:
        """The entries for the rulebooks: a group's below its name, variants below their game."""
        for group, games in groupby(self.games, key=lambda game: groups.get(game.name, "")):
            entries: list[Any] = []
            for base, *variants in contents.families([*games]):
                addresses = [self.address(game) for game in (base, *variants)]
                entries += [{plain_title(escape(base.title)): addresses}] if variants else addresses
            yield from [{group: entries}] if group else entries


def plain_title(title: str) -> str:
    """A title, as HTML, without angle brackets and characters that reorder the text around it.

    Other themes insert titles into pages as markup, and beside other words.
    """
    text = CONTROL.sub("", unescape(title))
    plain = text.replace("<", "‹").replace(">", "›")
    return title if plain == unescape(title) else escape(plain, quote=False)
