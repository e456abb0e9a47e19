"""The text of a rulebook page in passages, and the spans of it that tell the sentences of a document.

A passage is one paragraph, item, row, caption, fact or answer; it lies below one anchor and one heading. A
rule that only the exact text has is no passage. Without a book section the rulebook tells every rule in its
own words; so does that of a variant with its own rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, assert_never

from ..core.book import Block, Book, Chapter, Content, Listing, Pictures, Playthrough, Table, Text, plain
from ..core.examples import Example
from ..core.game import Game, Rule
from ..language.documents.outlines import numbers_in_words

FACTS, GLOSSARY, QUESTIONS, ABOUT = "At a glance", "Glossary", "Open questions", "About these rules"
"""Headings of the parts of a page that are no chapters."""
ANCHORS = {GLOSSARY: "part_glossary", QUESTIONS: "part_questions", ABOUT: "part_about"}
BETWEEN = " | "
"""The separator between the cells of a row."""


class Passage(NamedTuple):
    """A passage of a rulebook page; `variant` is the id of the variant whose page it is."""

    words: str
    anchor: str
    heading: str
    variant: str = ""


class Telling(NamedTuple):
    """A span of a page that expresses a sentence: its words, and the passage that contains it."""

    span: str
    passage: Passage


def find(span: str, passages: Iterable[Passage]) -> Telling | None:
    """The first passage that contains the words of a span, whole and in order; None without one."""
    words = " ".join(span.split())
    pattern = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")
    found = (Telling(words, passage) for passage in passages if pattern.search(passage.words))
    return next(found, None) if words else None


def passages(core: Game, players: Sequence[int]) -> tuple[Passage, ...]:
    """The passages of the rulebook page of a game for these numbers of players, in order.

    Raises RulesetError with the faults of its book section.
    """
    book = core.book
    told = _Page(core, book)
    own = book.all_chapters if book is not None else ()
    placed = (
        {name for _, block in book.blocks() for name in block.rules} | {*book.left_out} if book else set()
    )
    whole = book is not None and not book.from_rules
    rest = [rule for rule in core.rules if rule.id not in placed and (rule.kind == "library" or not whole)]
    found = [
        *told.front(players),
        *(passage for chapter in own for passage in told.chapter(chapter)),
        *(passage for rule in rest for passage in told.rule(rule, examples=True)),
        *told.glossary(),
        *told.questions(),
        *told.about(),
    ]
    return tuple(passage for passage in found if passage.words)


def passages_of_variant(core: Game, file: str) -> tuple[Passage, ...]:
    """The passages on a variant's page that its base lacks; `file` is the variant's own file.

    Raises RulesetError with the faults of its book section.
    """
    told = _Page(core, core.book)
    chapters = core.book.all_chapters if core.book is not None else ()
    own = [rule for rule in core.rules if rule.origin == file] if core.book is None else []
    found = [
        *told.front(()),
        *(passage for chapter in chapters for passage in told.chapter(chapter)),
        *(passage for rule in own for passage in told.rule(rule, examples=True)),
    ]
    return tuple(passage._replace(variant=core.id) for passage in found if passage.words)


class _Page:
    """The passages of one page; the anchor of a rule is where it is first told."""

    def __init__(self, core: Game, book: Book | None) -> None:
        self.core, self.book = core, book
        self.rules = {rule.id: rule for rule in core.rules}
        self.anchored: set[str] = set()

    def front(self, players: Sequence[int]) -> Iterator[Passage]:
        """The title and the facts; without `players` the numbers of players are left out."""
        facts = [("Players", numbers_in_words(players))] if players else []
        facts += self.book.facts if self.book else ()
        facts += [("By", self.core.author)] if self.core.author else []
        texts = [self.core.title, self.core.summary, *(f"{kind}{BETWEEN}{text}" for kind, text in facts)]
        return (Passage(_on_one_line(text), self.core.id, FACTS) for text in texts)

    def chapter(self, chapter: Chapter) -> Iterator[Passage]:
        """A chapter, with its headings."""
        yield Passage(chapter.heading, chapter.id, chapter.heading)
        for number, block in enumerate(chapter.blocks, 1):
            anchor = f"{chapter.id}_{number}" if block.heading else chapter.id
            yield Passage(block.heading, anchor, chapter.heading)
            yield from self._block(block, anchor, chapter.heading)

    def _block(self, block: Block, anchor: str, heading: str) -> Iterator[Passage]:
        if block.content is None:
            for name in block.rules:
                yield from self.rule(self.rules[name], block.examples, heading)
            return
        new = [name for name in block.rules if name not in self.anchored]
        self.anchored.update(new)
        for text in self._texts(block.content):
            yield Passage(_on_one_line(plain(text)), new[0] if new else anchor, heading)

    def rule(self, rule: Rule, examples: bool, heading: str = "") -> Iterator[Passage]:
        """A rule in its own prose."""
        self.anchored.add(rule.id)
        texts = [rule.prose, *(words for _, words in rule.requirements)]
        if examples:
            shown = [example for example in rule.examples if example.settings is None]
            texts += [rule.note, *(example.prose for example in shown)]
        return (Passage(_on_one_line(_plainly(text)), rule.id, heading or rule.heading) for text in texts)

    def _texts(self, content: Content) -> Iterator[str]:
        if isinstance(content, Text):
            yield from content.paragraphs
        elif isinstance(content, Listing):
            yield from content.items
        elif isinstance(content, Table):
            yield content.caption
            yield from map(BETWEEN.join, (content.columns, *content.rows))
        elif isinstance(content, Pictures):
            yield from (figure.caption or _plainly(self._prose(figure.example)) for figure in content.figures)
        elif isinstance(content, Playthrough):
            yield from (content.opening, *content.texts)
        else:
            assert_never(content)

    def _prose(self, example: Example) -> str:
        """The words of an example, which may be one of a rule by name."""
        if example.data is not None:
            return example.prose
        return next(one.prose for one in self.rules[example.clause].examples if one.id == example.id)

    def glossary(self) -> Iterator[Passage]:
        """The terms with their meanings."""
        for term in self.book.terms if self.book else ():
            words = f"{term.word}{BETWEEN}{plain(term.text)}"
            yield Passage(_on_one_line(words), f"term_{term.anchor}", GLOSSARY)

    def questions(self) -> Iterator[Passage]:
        """The questions that the rules leave open, with their answers."""
        for ruling in (one for one in self.core.rulings.values() if len(one.readings) > 1):
            for text in (ruling.question, *(reading.prose for reading in ruling.readings)):
                yield Passage(_on_one_line(_plainly(text)), ANCHORS[QUESTIONS], QUESTIONS)

    def about(self) -> Iterator[Passage]:
        """The credits and the licence."""
        core = self.core
        texts = [*map(plain, self.book.credits if self.book else ())]
        texts += [core.work.cite_document(number) for number in range(len(core.source))]
        texts += [f"Licence of the original: {core.licence}"] if core.licence else []
        return (Passage(_on_one_line(text), ANCHORS[ABOUT], ABOUT) for text in texts)


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _plainly(text: str) -> str:
    """A rule's own words without the marks of code."""
    return text.replace("`", "")
