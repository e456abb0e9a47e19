"""The player of a page: a button, the playable settings, and the plays of the page that can be continued.

The bundles of the settings are scripts beside the page, which are loaded on a click.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from ...browser.bundle import NotForPages
from ...browser.positions import pack
from ...browser.settings import Setting, name_settings, settings
from ...browser.site import bundle_script
from ...play.face import Game, State
from ..examples import render
from .page import Links, Page, TableLinks

ANCHOR = "part_play"
"""The anchor of the player. No rule has this id."""
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; worker-src blob:; object-src 'none'; base-uri 'none'; form-action 'none'"
)
"""The content security policy of a page with a table alone."""
TABLE_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="{title}, against the machine or another person.">
<title>{title}</title>
<link rel="stylesheet" href="{style}">
</head>
<body data-embedded="">
<main><h1>{title}</h1>{place}</main>
<script src="{script}"></script>
</body>
</html>
"""
"""A page with the table of a game alone, to be shown in pages of other sites."""
MOST_SETTINGS = 8
"""Maximum number of settings that a page carries."""
MOST_BYTES = 4_000_000
"""Maximum total size of the scripts of all settings of a page, uncompressed."""


class Playing:
    """The settings of a game that its page carries, collected while the page is made."""

    def __init__(self, game: Game, page: Page, links: Links) -> None:
        """Nothing is carried if the site has no player; if the game is not playable, the page says why."""
        self._game, self._page, self._links = game, page, links
        self._settings: dict[str, Setting] = {}
        self._size = self._first_size = 0
        self._reason = ""
        if links.player:
            try:
                self._carry(name_settings(game))
            except NotForPages as reason:
                self._reason = str(reason)

    def of(self, states: Sequence[State], exercise: str = "") -> str:
        """The attribute of an element that shows a play, for a button that continues it; or empty."""
        plays = [before.notation(after.plays[-1]) for before, after in pairwise(states)]
        return self._attribute(states, {"plays": plays} | ({"exercise": exercise} if exercise else {}))

    def of_steps(self, states: Sequence[State]) -> str:
        """Attributes for an element with a `li` for each state that begins with the action's notation."""
        return self._attribute(states, {})

    def _attribute(self, states: Sequence[State], plays: dict[str, Any]) -> str:
        """The HTML attribute that lets a page continue a play from its last state; empty if it cannot."""
        first, last = states[0], states[-1]
        if not self._settings or not self._has(first.game):
            return ""
        data: dict[str, Any] = {"key": name_settings(first.game).key, **plays}
        begun = first.origin is not None or bool(first.plays)
        if begun:
            data["from"] = pack(first)
        data["chance"] = [*last.chance[len(first.chance) if begun else 0 :]]
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        return f' data-play="{render.escape(text)}"'

    def block(self, numbers: tuple[int, ...] = (), poster: str = "") -> Iterator[str]:
        """The player, once all plays of the page are known; empty if the page has none.

        With `numbers`, the numbers of players that the game allows, further settings are carried, too. A
        `poster`, a drawing, is shown until the game is opened.
        """
        if not self._links.player:
            return
        if self._reason:
            words = f"This game cannot be played in the page: {render.escape(self._reason)}."
            yield f'<div class="rs-play-here" id="{ANCHOR}"><p class="rs-by">{words}</p></div>'
            return
        for setting in settings(self._game, numbers) if numbers else ():
            if len(self._settings) >= MOST_SETTINGS:
                break
            self._has(setting.game)
        rules = self._links.page(self._game.id)
        picture = f'<div class="rs-poster">{poster}</div>' if poster else ""
        address = "" if rules is None else rules.address
        yield self._place(self._links.player, self._links.file, address, picture)
        if numbers and self._links.table is not None:
            yield self._embedding(self._links.table)

    def _place(self, player: str, file: Callable[[str], str], rules: str, picture: str = "") -> str:
        """The element in which the table opens; addresses are relative to its page."""
        name = self._game.id
        files = ((s, file(f"{name}-play-{s.key}.js")) for s in self._settings.values())
        listed = [setting.to_data() | {"file": address} for setting, address in files]
        data = {
            "id": name, "title": self._game.title, "script": player, "settings": listed, "rules": rules
        }  # fmt: skip
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        button = '<button type="button" class="rs-play-button" hidden>Play here</button>'
        without = "<noscript><p>Turn on JavaScript to play here.</p></noscript>"
        manifest = f' data-player="{render.escape(text)}"'
        return f'<div class="rs-play-here" id="{ANCHOR}"{manifest}>{picture}{button}{without}</div>'

    def _embedding(self, links: TableLinks) -> str:
        """HTML to copy into another site; the page that it shows, the table alone, is added to the files."""
        name, title = f"{self._game.id}-table.html", render.escape(f"Play {self._game.title}")
        place = self._place(links.player, str, links.rules)
        self._page.records[name] = TABLE_PAGE.format(
            title=title, policy=POLICY, style=links.style, script=links.script, place=place
        )
        element = f'<rulespec-game src="{self._links.file(name)}" title="{title}"></rulespec-game>'
        copied = f'<script src="{links.element}"></script>\n{element}'
        summary = "<summary>Put this game into a page of your own</summary>"
        return f'<details class="rs-embed">{summary}<pre><code>{render.escape(copied)}</code></pre></details>'

    def _has(self, game: Game) -> bool:
        """True if the page carries the settings of a game, adding them if possible."""
        setting = name_settings(game)
        if setting.key not in self._settings and len(self._settings) < MOST_SETTINGS:
            try:
                self._carry(setting)
            except NotForPages:
                return False
        return setting.key in self._settings

    def _carry(self, setting: Setting) -> None:
        """Add a setting to the page if there is room for it and for the default. Raises NotForPages."""
        if self._size + self._first_size > MOST_BYTES:
            return  # to make its script would be in vain: those of a game have about the same size
        script = bundle_script(setting.key, setting.game)
        size = len(script.encode())
        self._first_size = self._first_size or size
        if self._size + size > MOST_BYTES:
            return
        self._size += size
        self._settings[setting.key] = setting
        self._page.records[f"{self._game.id}-play-{setting.key}.js"] = script
