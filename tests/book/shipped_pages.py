"""Pages of shipped rulesets without verdicts, each made once in a process."""

from __future__ import annotations

from functools import cache

from rulespec.book.content.exact import exact
from rulespec.book.content.page import Links, Page, Target
from rulespec.book.content.pages import rulebook
from rulespec.book.content.published_verdicts import PublishedVerdicts
from rulespec.play.face import Game, load


def links(here: str) -> Links:
    """Links from one page of a site where every ruleset has both pages."""

    def page(name: str, of: str) -> Target | None:
        return None if f"{name}{of}" == here else Target(f"{name}{of}.html", name.capitalize())

    return Links(lambda name: page(name, ""), lambda name: page(name, "-exact"))


@cache
def game(name: str) -> Game:
    return load(name)


@cache
def page(name: str) -> Page:
    """The rulebook page of a game."""
    return rulebook(game(name), PublishedVerdicts(), links(name))


@cache
def exact_page(name: str) -> Page:
    """The page with the exact text of a game."""
    return exact(game(name), PublishedVerdicts(), links(f"{name}-exact"))
