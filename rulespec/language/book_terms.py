"""The words of a book: links with existing targets, and terms that are explained before they are used.

A term of the glossary is explained where it stands in `**strong**` type, as in rulebooks, or at the first
link to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..core.book import Block, Book, Listing, Pictures, Playthrough, Table, Term, Text
from ..core.diagnostics import Diagnostic, Label
from .documents.shapes import text_of
from .documents.yaml import Mapping, Node, Scalar, Sequence
from .rules import Rules, id_of
from .work_limit import CHARACTER

LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s]*)\)")
"""A link in a text: words, and the id that it leads to."""
STRONG = re.compile(r"\*\*([^*]+)\*\*")
WITHOUT_LINKS = frozenset(("heading", "play", "legal", "only", "refused", "given", "then", "for"))
"""Keys of a book that hold no text with links."""
NOTATION = re.compile(r"`[^`]*`")


def check_terms(book: Book, node: Mapping, rules: Rules) -> Book:
    """The book with doubts about its terms added; broken links are reported."""
    anchors = {id_of(rule) for rule in rules.rules} | {chapter.id for chapter, _ in book.blocks()}
    anchors |= {term.anchor for term in book.terms}
    for text in _scalars(node):
        for link in LINK.finditer(text.value):
            if link[2] not in anchors:
                help = rules.world.report.nearest(link[2], anchors)
                message = f"`{link[0]}` leads to no rule, chapter or term"
                rules.world.report.error("book.link", message, text.span, help=help)
    return replace(book, doubts=tuple(_doubts(book, node, rules)))


def _doubts(book: Book, node: Mapping, rules: Rules) -> Iterator[Diagnostic]:
    """Doubts about terms that are used before they are explained, or never explained."""
    proses = {id_of(rule): rule for rule in rules.rules}
    open_terms = {term: _pattern(term) for term in book.terms}
    for chapter, block in book.blocks():
        heading = [chapter.heading] if block is chapter.blocks[0] else []
        for text in (*heading, *_texts(block, proses)):
            shown = _blank_out(text)
            rules.world.meter.spend(CHARACTER * len(text) + len(text) * len(open_terms))
            explained = [range(*strong.span()) for strong in STRONG.finditer(shown)]
            for term, pattern in [*open_terms.items()]:
                found, linked = pattern.search(shown), _links_to(text, term)
                if found is None or 0 <= linked < found.start():
                    if linked >= 0:
                        del open_terms[term]
                    continue
                del open_terms[term]
                if not any(found.start() in words for words in explained):
                    message = f"the chapter `{chapter.heading}` uses `{found[0]}` before it is explained"
                    help = f"explain it there as **{found[0]}**, or link it: [{found[0]}]({term.anchor})"
                    yield _doubt(message, help, node)
    for term in open_terms:
        message = f"the glossary has `{term.word}`, and no chapter explains it"
        yield _doubt(message, f"set it in strong type where it is explained: **{term.word}**", node)


def _links_to(text: str, term: Term) -> int:
    """The place in a text of the first link to a term; -1 without one."""
    return next((link.start() for link in LINK.finditer(text) if link[2] == term.anchor), -1)


def _blank_out(text: str) -> str:
    """A text with blanks in place of notation and links."""
    return re.sub(f"{NOTATION.pattern}|{LINK.pattern}", lambda found: " " * len(found[0]), text)


def _doubt(message: str, help: str, node: Mapping) -> Diagnostic:
    return Diagnostic("book.term", message, (Label(node.span),), help, "warning")


def _pattern(term: Term) -> re.Pattern[str]:
    words = sorted((re.escape(form) for form in (term.word, *term.forms)), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(words)})(?![\w-])", re.IGNORECASE)


def _texts(block: Block, proses: dict[str, Mapping]) -> Iterator[str]:
    """The texts of a block in reading order."""
    if block.heading:
        yield block.heading
    content = block.content
    if content is None:
        for name in block.rules:
            yield text_of(proses[name].entries.get("prose"))
    elif isinstance(content, Text):
        yield from content.paragraphs
    elif isinstance(content, Listing):
        yield from content.items
    elif isinstance(content, Table):
        yield from (content.caption, *content.columns)
        for row in content.rows:
            yield from row
    elif isinstance(content, Pictures):
        yield from (text for figure in content.figures for text in (figure.caption, figure.exercise))
    elif isinstance(content, Playthrough):
        yield from (content.opening, *content.texts)


def _scalars(node: Node) -> Iterator[Scalar]:
    """All texts in a tree that may contain links."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _scalars(item)
    else:
        for key, value in node.entries.items():
            if key not in WITHOUT_LINKS:
                yield from _scalars(value)
