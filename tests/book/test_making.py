"""Pages of several games are made beside one another, and are what they are when they are made alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import rulespec
from rulespec.book.content.page import Links, Page
from rulespec.book.content.published_verdicts import PublishedVerdicts
from rulespec.book.output.making import PageOrder, make_pages
from rulespec.book.output.page_cache import PageCache

HERE = os.getpid()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PageCache:
    """An empty cache, on what looks like four cores."""
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("rulespec.book.output.making.cores", lambda: 4)
    return PageCache(tmp_path, ())


def wanted(make: Callable[[str], Page], *games: str) -> list[PageOrder]:
    """Two pages about each game."""
    return [
        PageOrder(
            game,
            PublishedVerdicts(),
            f"{game.id}{suffix}",
            Links(),
            partial(_named, f"{game.id}{suffix}", make),
        )
        for game in map(rulespec.load, games)
        for suffix in ("", "-exact")
    ]


def _named(name: str, make: Callable[[str], Page], _: Links) -> Page:
    return make(name)


def with_process(name: str) -> Page:
    """A page that says in which process it was made."""
    return Page(f"{name} {os.getpid()}")


def test_each_game_has_a_process_and_its_pages_come_in_order(cache: PageCache) -> None:
    pages = make_pages(wanted(with_process, "nim", "pig", "tic-tac-toe"), cache)
    names, processes = zip(*(page.markdown.split() for page in pages), strict=True)
    assert names == ("nim", "nim-exact", "pig", "pig-exact", "tic-tac-toe", "tic-tac-toe-exact")
    assert str(HERE) not in processes
    assert processes[::2] == processes[1::2]


def test_pages_are_kept(cache: PageCache) -> None:
    first = make_pages(wanted(with_process, "nim", "pig"), cache)
    assert make_pages(wanted(with_process, "nim", "pig"), cache) == first


def test_one_game_is_not_worth_a_process(cache: PageCache) -> None:
    assert make_pages(wanted(with_process, "nim"), cache)[0].markdown == f"nim {HERE}"


def test_what_ends_a_process_is_done_here(cache: PageCache) -> None:
    def make(name: str) -> Page:
        if name == "pig" and os.getpid() != HERE:
            os._exit(3)
        return with_process(name)

    pages = make_pages(wanted(make, "nim", "pig"), cache)
    assert pages[0].markdown != f"nim {HERE}"
    assert pages[2].markdown == f"pig {HERE}"


def test_an_error_of_a_page_is_that_of_the_site(cache: PageCache) -> None:
    def make(name: str) -> Page:
        raise ValueError(f"no page {name}")

    with pytest.raises(ValueError, match="no page nim"):
        make_pages(wanted(make, "nim"), cache)
    with pytest.raises(ValueError, match="no page"):
        make_pages(wanted(make, "nim", "pig"), cache)
