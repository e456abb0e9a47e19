"""Parts of every page about a game: the page itself, its links, headings and anchors."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ...core.diagnostics import Diagnostic
from ...core.game import Rule
from ...core.notation import write
from ...play.face import Game, State
from ..drawing.diagram import Richness, thumbnail
from ..examples import render


@dataclass(frozen=True)
class Target:
    """Another page: its address relative to this one, and its title."""

    address: str
    title: str
    summary: str = ""


Link = Callable[[str], Target | None]
"""A page of another ruleset by its id or file; None for this page or an unknown one."""


def no_page(name: str) -> None:
    """The `Link` of a page without other pages."""


@dataclass(frozen=True)
class TableLinks:
    """The addresses that the page of a table alone needs, relative to it."""

    player: str
    script: str
    style: str
    rules: str
    """The rulebook of the game."""
    element: str
    """The script of the element that shows the page in others, relative to the page under construction."""


@dataclass(frozen=True)
class Links:
    """The addresses that the pages of a game need, relative to the page under construction."""

    page: Link = no_page
    """The rulebook of a ruleset."""
    exact: Link = no_page
    """The page with the exact text of a ruleset."""
    file: Callable[[str], str] = str
    """A file that belongs to the page."""
    trust: str = ""
    """The page about trust in verdicts; empty if the site has none."""
    variants: tuple[Target, ...] = ()
    """The rulebooks of the game's variants."""
    player: str = ""
    """The script of the player; empty if the site has none."""
    puzzles: str = ""
    """The page with the puzzles of the game; empty if there is none."""
    table: TableLinks | None = None
    """The addresses of a page with the table alone; None if the site has no player."""


@dataclass
class Page:
    """A page as Markdown, with the faults found on it."""

    markdown: str
    faults: list[Diagnostic] = field(default_factory=list)
    executed: int = 0
    """The number of examples of the ruleset that were run, or that its variant drops."""
    picture: str = ""
    """A small drawing of the richest position on the page."""
    richness: Richness = (False, 0, 0)
    """The richness of that drawing."""
    records: dict[str, str] = field(default_factory=dict)
    """Files that belong to the page, by name: plays that are evidence, playable games."""

    def offer(self, state: State) -> None:
        """Use the drawing of a position as the picture of the page if it is richer than the present one."""
        if state.game.core.diagram:
            values, _ = render.visible_values(state, render.seat_of(state))
            picture, richness = thumbnail(state.game.core, values)
            if richness > self.richness:
                self.picture, self.richness = picture, richness


_SPECIAL = re.compile(r"([\\`*_{}\[\]()>#+\-.!|:~^$\"'])")


def heading(level: int, text: str, anchor: str) -> str:
    """A Markdown heading of a ruleset's words, with Markdown characters escaped."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")
    safe = _SPECIAL.sub(r"\\\1", plain).replace("\\:", ":").replace("\\'", "'").replace('\\"', '"')
    return f"{'#' * level} {safe} {{#{re.sub('[^A-Za-z0-9_.-]', '-', anchor)}}}"


def title_of(rule: Rule) -> str:
    """A rule's heading, or its id as words."""
    return rule.heading or rule.id.replace("-", " ").capitalize()


def anchor(name: str, target: str = "") -> str:
    """A link to something on the same page, by its own name or another one."""
    return f'<a href="#{render.escape(target or name)}">{render.escape(name)}</a>'


def differences(game: Game, other: Game) -> tuple[str, ...]:
    """The settings of a game that differ from those of the page that shows it."""
    said = [f"players: {other.core.players}"] if other.core.players != game.core.players else []
    values = {p.id: write(p.type, p.value) for p in game.core.parameters.values()}
    given = {p.id: write(p.type, p.value) for p in other.core.parameters.values()}
    said += [f"{name}: {value}" for name, value in given.items() if values.get(name) != value]
    read = game.readings
    return (*said, *(f"{name}: {value}" for name, value in other.readings.items() if read.get(name) != value))
