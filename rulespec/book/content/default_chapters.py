"""Chapters generated from the rules, for a ruleset whose book is missing or incomplete.

They follow the order in which a player needs the rules, and the rules keep theirs within each chapter. A rule
of a kind without a chapter, such as a definition, joins the rule before it.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from ...core.book import Block, Book, Chapter
from ...core.game import Game, Rule

PIECES, SETUP, TURN, END, GOAL = "part_pieces", "part_setup", "part_turn", "part_end", "part_goal"
WORDS = "part_words"
LIBRARY = "library"
"""The kind of a rule with the words of a library, which have a chapter of their own at the end."""
HEADINGS = {
    GOAL: "The goal",
    PIECES: "Board and pieces",
    SETUP: "Setting up",
    TURN: "Your turn",
    END: "The end of the game",
    WORDS: "Words",
}
"""The chapters in reading order."""
BELONGS = {
    "setup": SETUP,
    "turn": TURN,
    "action": TURN,
    "law": TURN,
    "reaction": TURN,
    "end": END,
    LIBRARY: WORDS,
}
"""The chapter that a rule begins, by its kind, unless it decides who wins."""
JUDGES = ("score", "winners", "titles")
"""Kinds of formal text that decide who wins."""


def default_book(game: Game) -> Book:
    """The book generated from the kinds of a game's rules."""
    return Book(_chapters(game, ()))


def complete_book(book: Book, game: Game) -> Book:
    """A book with added chapters for the rules that it does not place or leave out itself."""
    told = {name for _, block in book.blocks() for name in block.rules} | {*book.left_out}
    if not book.from_rules:
        told |= {rule.id for rule in game.rules if rule.kind != LIBRARY}
    return replace(book, chapters=(*book.chapters, *_chapters(game, told)), from_rules=False)


def _chapters(game: Game, told: Container[str]) -> tuple[Chapter, ...]:
    """The chapters of a game without a book: the rules not told elsewhere, by kind."""
    found: dict[str, list[str]] = {name: [] for name in HEADINGS}
    at = PIECES
    for rule in game.rules:
        at = GOAL if _judges(rule) else BELONGS.get(rule.kind, at)
        if rule.id not in told:
            found[at].append(rule.id)
    return tuple(
        Chapter(name, heading, tuple(Block(rules=(rule,), examples=True) for rule in found[name]))
        for name, heading in HEADINGS.items()
        if found[name]
    )


def _judges(rule: Rule) -> bool:
    return rule.kind in JUDGES or any(what in JUDGES for what, _ in rule.formal)
