"""The pages of rulesets, made in parallel unless they are cached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ...budgets import UNBOUNDED, can_fork, cores, map_unordered, watchdog
from ...play.face import Game
from ..content.page import Links, Page
from ..content.published_verdicts import PublishedVerdicts
from .lighter import lighter
from .page_cache import PageCache
from .sheet import with_sheet

Numbers = tuple[int, ...]
"""Pages by their index in the order."""


@dataclass(frozen=True)
class PageOrder:
    """A page about a game, by its name, and the function that makes it with its links."""

    game: Game
    published: PublishedVerdicts
    name: str
    links: Links
    make: Callable[[Links], Page]


def make_pages(wanted: Sequence[PageOrder], cache: PageCache) -> list[Page]:
    """The pages, compressed, in order; pages that are not cached are made and cached.

    The pages of one game are made one after the other, because they share much of the work; games are spread
    over processes, one for each core, if processes can be forked.
    """
    found = {i: page for i, one in enumerate(wanted) if (page := _read_page(one, cache)) is not None}
    left = [i for i in range(len(wanted)) if i not in found]
    games = [tuple(of_one) for _, of_one in groupby(left, key=lambda i: wanted[i].game.name)]

    def make(numbers: Numbers) -> list[Page]:
        return [_make_page(wanted[i], cache) for i in numbers]

    for numbers, pages in _made_in_processes(make, games):
        found |= zip(numbers, pages, strict=True)
    return [found[i] for i in range(len(wanted))]


def _made_in_processes(
    make: Callable[[Numbers], list[Page]], games: Sequence[Numbers]
) -> Iterator[tuple[Numbers, list[Page]]]:
    """The pages of each game, made in several processes if possible, in the order in which they are done."""
    jobs = min(cores(), len(games))
    if jobs < 2 or not can_fork():
        yield from ((numbers, make(numbers)) for numbers in games)
        return
    for numbers, pages in map_unordered(lambda numbers, _: make(numbers), games, jobs, lambda: UNBOUNDED):
        # A page that ended its process ends or fails here too, where the watchdog of this process says so.
        yield numbers, make(numbers) if isinstance(pages, Exception) else pages


def _read_page(one: PageOrder, cache: PageCache) -> Page | None:
    return cache.read(one.game, one.published, one.name)


def _make_page(one: PageOrder, cache: PageCache) -> Page:
    watchdog.step()
    page = one.make(one.links)
    page.markdown, scripts = lighter(with_sheet(page.markdown), one.name, one.links.file)
    page.records |= scripts
    cache.write(one.game, one.published, one.name, page)
    return page
