"""The player of a page: a button, the playable settings, and the plays of the page that can be continued.

The bundles of the settings are scripts beside the page, which are loaded on a click.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from ...browser.bundle import NotForPages
from ...browser.positions import pack
from ...browser.settings import Setting, name_settings, settings
from ...browser.site import bundle_script
from ...play.face import Game, State
from ..examples import render
from .page import Links, Page

ANCHOR = "part_play"
"""The anchor of the player. No rule has this id."""
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
        self._size = 0
        self._reason = ""
        if links.player:
            try:
                self._carry(name_settings(game))
            except NotForPages as reason:
                self._reason = str(reason)

    def of(self, states: Sequence[State]) -> str:
        """The attribute of an element that shows a play, for a button that continues it; or empty."""
        plays = [before.notation(after.plays[-1]) for before, after in pairwise(states)]
        return self._attribute(states, {"plays": plays})

    def of_steps(self, states: Sequence[State]) -> str:
        """The same for an element with a `li` for each state that begins with the action's notation."""
        return self._attribute(states, {})

    def _attribute(self, states: Sequence[State], plays: dict[str, Any]) -> str:
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
        """The player, once all plays of the page are known; nothing without a player.

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
        name = self._game.id
        listed = [
            setting.to_data() | {"file": self._links.file(f"{name}-play-{setting.key}.js")}
            for setting in self._settings.values()
        ]
        rules = self._links.page(name)
        data = {
            "id": name, "title": self._game.title, "script": self._links.player, "settings": listed,
            "rules": "" if rules is None else rules.address,
        }  # fmt: skip
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        button = '<button type="button" class="rs-play-button" hidden>Play here</button>'
        without = "<noscript><p>Playing here needs scripts.</p></noscript>"
        manifest = f' data-player="{render.escape(text)}"'
        picture = f'<div class="rs-poster">{poster}</div>' if poster else ""
        yield f'<div class="rs-play-here" id="{ANCHOR}"{manifest}>{picture}{button}{without}</div>'

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
        """Add a setting to the page if there is room. Raises NotForPages."""
        script = bundle_script(setting.key, setting.game)
        size = len(script.encode())
        if self._size + size > MOST_BYTES:
            return
        self._size += size
        self._settings[setting.key] = setting
        self._page.records[f"{self._game.id}-play-{setting.key}.js"] = script
