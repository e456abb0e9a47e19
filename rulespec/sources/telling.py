"""Where a reader of the rulebook finds what a sentence became: the chapters that tell each thing.

A rule that only the exact text has, a setting and a claim are not told there. Without a book section the
rulebook tells every rule in its own words; so does that of a variant with its own rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..language.document import CHAPTERS
from ..language.rules import id_of
from ..language.shapes import text_of, words
from ..language.variants import Document
from ..language.yaml import Mapping, Sequence, mappings


class Place(NamedTuple):
    """A place on a rulebook page: its anchor and its heading; `variant` is the variant whose page it is."""

    anchor: str
    heading: str
    variant: str = ""


FACTS = Place("", "At a glance")
CREDITS = Place("part_about", "About these rules")
QUESTIONS = Place("part_questions", "Open questions")


def places(document: Document, own: str, prefix: str) -> dict[str, tuple[Place, ...]]:
    """The places of the things of one file by their names, which begin with `prefix`; see `citations`."""
    found: dict[str, list[Place]] = {}
    title = text_of(document.root.entries.get("title"))
    for name, found_at in _told(document, own, title if prefix else ""):
        place = found_at._replace(variant=prefix.removesuffix("/"))
        kept = found.setdefault(prefix + name, [])
        if place not in kept:
            kept.append(place)
    return {name: tuple(kept) for name, kept in found.items()}


def _told(document: Document, own: str, variant: str) -> Iterator[tuple[str, Place]]:
    yield "players", FACTS
    book = document.root.entries.get("book")
    if isinstance(book, Mapping):
        yield from _in_chapters(document, book)
    if not isinstance(book, Mapping) or "chapters" not in book.entries:
        for rule in document.section("rules"):
            if not variant or rule.span.source.name == own:
                place = Place(id_of(rule), variant or text_of(rule.entries.get("heading")) or id_of(rule))
                yield from _of_rule(rule, place)
                for example in mappings(rule.entries.get("examples")):
                    yield f"{id_of(rule)}.examples.{id_of(example)}", place
    for rule in document.section("rules"):
        if "readings" in rule.entries and not variant:
            yield id_of(rule), QUESTIONS


def _in_chapters(document: Document, book: Mapping) -> Iterator[tuple[str, Place]]:
    """The paths that a book section tells: its chapters, and the rules and examples named in them."""
    rules = {id_of(rule): rule for rule in document.section("rules")}
    yield "book.facts", FACTS
    yield "book.credits", CREDITS
    for chapter in (one for key in CHAPTERS for one in mappings(book.entries.get(key))):
        place = Place(id_of(chapter), text_of(chapter.entries.get("heading")))
        yield f"book.{id_of(chapter)}", place
        for block in mappings(chapter.entries.get("contents")):
            for word in words(block.entries.get("rules")):
                if word.value in rules:
                    yield from _of_rule(rules[word.value], place)
            for name in _examples(block):
                rule, _, example = name.partition(".")
                yield f"{rule}.examples.{example}", place


def _of_rule(rule: Mapping, place: Place) -> Iterator[tuple[str, Place]]:
    yield id_of(rule), place
    require = rule.entries.get("require")
    for name in require.entries if isinstance(require, Mapping) else ():
        yield f"{id_of(rule)}.require.{name}", place


def _examples(block: Mapping) -> Iterator[str]:
    """The names of the examples that a block shows."""
    one, more = block.entries.get("figure"), block.entries.get("figures")
    figures = [one, *(more.items if isinstance(more, Sequence) else ())]
    for figure in figures:
        if isinstance(figure, Mapping):
            yield text_of(figure.entries.get("example"))
