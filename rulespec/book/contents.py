"""The page that lists all rulebooks: of each a picture, a sentence, how its claims stand, its variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..core.verdicts import Store
from ..play.face import Game
from . import render
from .claims import of_a_deal
from .pages import Link, heading
from .readings import WORDS


@dataclass(frozen=True)
class Entry:
    """One rulebook: its game, the verdicts on it, and a drawing from its page."""

    game: Game
    store: Store
    picture: str = ""


def in_order(games: Iterable[Game]) -> list[Game]:
    """Games by title, each before its variants."""
    listed = sorted(games, key=lambda game: game.core.title.casefold())
    known = {game.id for game in listed}

    def base(game: Game) -> str:
        return next((name for name in reversed(game.core.extends) if name in known and name != game.id), "")

    def below(name: str) -> Iterable[Game]:
        for game in listed:
            if base(game) == name:
                yield game
                yield from below(game.id)

    return list(below(""))


def index(entries: Sequence[Entry], link: Link) -> str:
    """The page as Markdown. Entries are in the order of `in_order`."""
    known = {entry.game.id for entry in entries}
    groups: list[list[Entry]] = []
    for entry in entries:
        if groups and known.intersection(entry.game.core.extends):
            groups[-1].append(entry)
        else:
            groups.append([entry])
    cards = "".join(_card(base, variants, link) for base, *variants in groups)
    return f'{heading(1, "Rulebooks", "rulebooks")}\n\n<div class="rs-games">{cards}</div>\n'


def _card(base: Entry, variants: Sequence[Entry], link: Link) -> str:
    core = base.game.core
    picture = f'<div class="rs-thumb" aria-hidden="true">{base.picture}</div>' if base.picture else ""
    listed = "".join(f"<li>{_title(v, link)} {_summary(v)}{_claims(v)}</li>" for v in variants)
    return (
        f'<article class="rs-game">{picture}<h2>{_title(base, link)}</h2>'
        f"<p>{render.prose(core.summary)}</p>{_claims(base)}"
        f"{f'<ul>{listed}</ul>' if listed else ''}</article>"
    )


def _title(entry: Entry, link: Link) -> str:
    core, target = entry.game.core, link(entry.game.id)
    title = render.escape(core.title)
    return f'<a href="{render.escape(target.address)}">{title}</a>' if target else title


def _summary(entry: Entry) -> str:
    return render.prose(entry.game.core.summary)


def _claims(entry: Entry) -> str:
    """How many claims stand how, those that are asked of one deal left out."""
    core = entry.game.core
    found = [entry.store.current(core, c) for c in core.claims.values() if not of_a_deal(c)]
    if not found:
        return ""
    counts = Counter(verdict.outcome if verdict else "" for verdict in found)
    words = [
        f"{n} {WORDS.get(outcome, 'not decided yet')}" for outcome, n in sorted(counts.items(), reverse=True)
    ]
    return f'<p class="rs-by">{len(found)} claim{"s" * (len(found) > 1)}: {", ".join(words)}</p>'
