"""The page that lists all rulebooks, each with a picture, a sentence, the status of its claims, and its
variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from ...play.face import Game
from ..examples import render
from .page import Link, heading
from .published_verdicts import PublishedVerdicts
from .readings import WORDS

OWN = "ruleset.yaml"
"""The name of the file of a game that has its own folder, which also contains its variants."""


@dataclass(frozen=True)
class Entry:
    """One rulebook: its game, its verdicts, and a drawing from its page."""

    game: Game
    published: PublishedVerdicts
    picture: str = ""
    group: str = ""
    """The heading in the list; the first rulebooks have none."""


def group_of(file: Path, folder: Path) -> str:
    """The heading for a ruleset file found in a folder: the folders between them, in words.

    `rulesets/board-games/hex/ruleset.yaml`, found in `rulesets`, belongs to the `Board games`; a variant
    belongs to the group of its base.
    """
    home = next((up for up in file.parents if (up / OWN).is_file()), file.parent)
    inside = home.is_relative_to(folder) and home != folder
    between = home.relative_to(folder).parts[:-1] if inside else ()
    return ", ".join(between).replace("-", " ").capitalize()


def in_order(games: Iterable[Game], groups: Mapping[str, str]) -> list[Game]:
    """Games sorted by group and title, each before its variants; `groups` has the group of each name."""
    listed = sorted(games, key=lambda game: (groups.get(game.name, ""), game.core.title.casefold()))
    known = {game.id for game in listed}

    def base(game: Game) -> str:
        if not is_variant(game, known):
            return ""
        return next(name for name in reversed(game.core.extends) if name in known and name != game.id)

    def below(name: str) -> Iterable[Game]:
        for game in listed:
            if base(game) == name:
                yield game
                yield from below(game.id)

    return list(below(""))


def is_variant(game: Game, known: Iterable[str]) -> bool:
    """True for a game that extends one of the games known by id, unless it has its own folder."""
    return Path(game.name).name != OWN and bool({*known}.intersection(game.core.extends) - {game.id})


def index(entries: Sequence[Entry], link: Link) -> str:
    """The page as Markdown, for entries in the order of `in_order`."""
    blocks = [heading(1, "Rulebooks", "rulebooks")]
    for group, listed in groupby(entries, key=lambda entry: entry.group):
        blocks += [heading(2, group, "group-" + group.lower().replace(" ", "-"))] if group else []
        blocks.append(cards([*listed], link))
    return "\n\n".join(blocks) + "\n"


def cards(entries: Sequence[Entry], link: Link, brief: bool = False) -> str:
    """A picture and a sentence for each game, as HTML; without `brief` also its verdicts and variants."""
    families = _families(entries)
    shown = "".join(_card(base, () if brief else variants, link, brief) for base, *variants in families)
    return f'<div class="rs-games">{shown}</div>'


def _families(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Each ruleset with its variants."""
    by_game = {entry.game.id: entry for entry in entries}
    return [[by_game[game.id] for game in family] for family in families([*(e.game for e in entries)])]


def families(games: Sequence[Game]) -> list[list[Game]]:
    """Each game with its variants, for games in the order of `in_order`."""
    known, found = {game.id for game in games}, list[list[Game]]()
    for game in games:
        if found and is_variant(game, known):
            found[-1].append(game)
        else:
            found.append([game])
    return found


def _card(base: Entry, variants: Sequence[Entry], link: Link, brief: bool) -> str:
    """The HTML of a game in the list of games, with its variants folded."""
    picture = f'<div class="rs-thumb" aria-hidden="true">{base.picture}</div>' if base.picture else ""
    listed = "".join(f"<li>{_title(v, link)} {_summary(v)}</li>" for v in variants)
    count = "one variant" if len(variants) == 1 else f"{len(variants)} variants"
    folded = f"<details><summary>{count}</summary><ul>{listed}</ul></details>" if listed else ""
    head = "h3" if base.group or brief else "h2"
    return (
        f'<article class="rs-game">{picture}<{head}>{_title(base, link)}</{head}>'
        f"<p>{_summary(base)}</p>{'' if brief else _claims(base)}{folded}</article>"
    )


def _title(entry: Entry, link: Link) -> str:
    core, target = entry.game.core, link(entry.game.id)
    title = render.escape(core.title)
    return f'<a href="{render.escape(target.address)}">{title}</a>' if target else title


def _summary(entry: Entry) -> str:
    return render.prose(entry.game.core.summary)


def _claims(entry: Entry) -> str:
    """The number of claims for each outcome, except claims about a single deal."""
    core = entry.game.core
    found = [entry.published.verdict(core, c) for c in core.claims.values() if not c.is_of_one_deal]
    if not found:
        return ""
    counts = Counter(verdict.outcome if verdict else "" for verdict in found)
    pairs = sorted(counts.items(), reverse=True)
    words = [f"{n} {WORDS.get(outcome, 'not decided yet')}" for outcome, n in pairs]
    return f'<p class="rs-by">{len(found)} claim{"s" * (len(found) > 1)}: {", ".join(words)}</p>'
