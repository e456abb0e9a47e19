"""The book of a game: the chapters of its rulebook in the order a player needs them.

Texts are plain text with `**strong**`, `*emphasis*`, `` `notation` `` and `[words](target)`. The target is
the id of a rule, a chapter or a term of the glossary. Expressions in texts are already evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from .diagnostics import Diagnostic, Span
from .examples import Example

BOXES = ("note", "tip", "example", "variant")
"""The kinds of boxes that a block may stand in."""
LOOKS = ("card",)
"""The looks that a chapter may have: `card` is for a reference card, on one page in print."""
EVERYBODY = "everybody"
"""The seat of a picture in which all cards are face up."""
MARKED = re.compile(
    r"`(?P<code>[^`]+)`|\[(?P<words>[^\[\]]+)\]\((?P<target>[^()\s]*)\)"
    r"|\*\*(?P<strong>[^*]+)\*\*|\*(?P<emphasis>[^*]+)\*"
)
"""A marked piece of a text."""


def plain(text: str) -> str:
    """The words of a text without its marks."""
    return MARKED.sub(lambda mark: mark["code"] or mark["words"] or mark["strong"] or mark["emphasis"], text)


@dataclass(frozen=True)
class Text:
    """Paragraphs of running text."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Listing:
    """Items of a list; `ordered` ones are numbered steps."""

    items: tuple[str, ...]
    ordered: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of cells below column heads."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class Figure:
    """A picture of an example, which is executed.

    `seat` is the player whose view it shows, empty for the mover, `EVERYBODY` for all cards. `exercise` is
    the task of a reader who plays it.
    """

    example: Example
    caption: str = ""
    seat: str = ""
    exercise: str = ""


@dataclass(frozen=True)
class Pictures:
    """Pictures side by side."""

    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Playthrough:
    """A play to step through: an example with a `play` in its data, and a text for each action."""

    example: Example
    texts: tuple[str, ...]
    opening: str = ""
    seat: str = ""


Content: TypeAlias = Text | Listing | Table | Pictures | Playthrough


@dataclass(frozen=True)
class Block:
    """One item of a chapter, which tells `rules`.

    Without `content` it shows the prose of the rules, with `examples` also their examples.
    """

    content: Content | None = None
    rules: tuple[str, ...] = ()
    heading: str = ""
    box: str = ""
    examples: bool = False


@dataclass(frozen=True)
class Chapter:
    """A chapter with its blocks; `look` is one of `LOOKS`, or empty."""

    id: str
    heading: str
    blocks: tuple[Block, ...]
    look: str = ""


@dataclass(frozen=True)
class Term:
    """A word of the game, other forms of it, and its meaning."""

    word: str
    forms: tuple[str, ...]
    text: str

    @property
    def anchor(self) -> str:
        """The name by which texts refer to it."""
        return "-".join(self.word.lower().split())


@dataclass(frozen=True)
class Book:
    """The chapters in reading order, with the parts before and after them."""

    chapters: tuple[Chapter, ...]
    facts: tuple[tuple[str, str], ...] = ()
    """Facts such as playing time and age, by kind."""
    terms: tuple[Term, ...] = ()
    left_out: tuple[str, ...] = ()
    """Rules that appear only in the exact text."""
    credits: tuple[str, ...] = ()
    """Paragraphs about the authors of the game."""
    closing: tuple[Chapter, ...] = ()
    """Chapters after those generated from the rules."""
    from_rules: bool = False
    """True if chapters generated from the kinds of the rules stand between `chapters` and `closing`."""
    doubts: tuple[Diagnostic, ...] = ()
    """Words that are used before they are explained."""

    @property
    def all_chapters(self) -> tuple[Chapter, ...]:
        """The chapters that the author wrote, and those generated from the rules once they exist."""
        return (*self.chapters, *self.closing)

    def blocks(self) -> Iterator[tuple[Chapter, Block]]:
        """All blocks in the order of reading, each with its chapter."""
        for chapter in self.all_chapters:
            for block in chapter.blocks:
                yield chapter, block


@dataclass(frozen=True, eq=False)
class Bound:
    """The book section of a ruleset, built on first use."""

    span: Span
    make: Callable[[], Book]
    """Builds the book; raises RulesetError with everything that is wrong with it."""

    @cached_property
    def book(self) -> Book:
        """The book; raises RulesetError with everything that is wrong with its section."""
        return self.make()
