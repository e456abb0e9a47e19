"""The index of a site's search: the sections of its pages, as a script that the theme loads on demand.

It is a script because a page opened as a file may load no other kind of file. A section with the same words
on an earlier page, such as a variant's rules on that of its base, is listed there only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

ADDRESS = "assets/search-index.js"
"""The file of the index in a site."""

HEADINGS = ("h1", "h2", "h3")
SKIPPED = ("svg", "script", "style", "template")
VOID = ("br", "hr", "img", "input", "wbr", "col", "source", "link", "meta")
PARTED = (
    "p", "li", "td", "th", "tr", "br", "div", "dt", "dd", "pre", "blockquote", "figure", "figcaption",
    "caption", "summary", "h4", "h5", "h6",
)  # fmt: skip
"""Elements whose text is separate from that before them."""
CITING = "rs-kind"
"""The class of the line that cites the sentences of a document; they are found like ids."""
LEFT_OUT = {"rs-more", "rs-same", "rs-play-here"}
"""The classes of parts that are not searched: formal text and evidence, collapsed; rules of a base; the
player."""
LONGEST = 2_000
"""Maximum length of the searched text of a section."""
_LABEL = re.compile(r"[a-z][a-z-]*-[0-9]+(?:\.\.[0-9]+)?")
_SPACE = re.compile(r"\s+")


@dataclass
class Section:
    """A part of a page from one heading to the next."""

    anchor: str
    heading: str = ""
    text: str = ""
    ids: list[str] = field(default_factory=list)
    """The ids in it: its own, those of clauses, rulings and claims, and of cited sentences."""


@dataclass
class Index:
    """The sections of all pages, in the order in which the pages were added."""

    pages: list[tuple[str, str, int]] = field(default_factory=list)
    """The address from the top of the site, the title, and 1 for a rulebook."""
    sections: list[tuple[int, Section]] = field(default_factory=list)
    _seen: set[tuple[str, str]] = field(default_factory=set)

    def add(self, address: str, title: str, html: str, rulebook: bool = False) -> None:
        """Add the content of a page; its first section links to the top of it."""
        number = len(self.pages)
        self.pages.append((address, title, int(rulebook)))
        for at, section in enumerate(sections_of(html)):
            section.anchor = section.anchor if at else ""
            section.heading = section.heading or title
            if at and (section.heading, section.text) in self._seen:
                continue
            self._seen.add((section.heading, section.text))
            self.sections.append((number, section))

    def script(self) -> str:
        """The index as a script that passes it to the page."""
        sections = [[n, s.anchor, s.heading, s.text, " ".join(s.ids)] for n, s in self.sections]
        data = {"pages": self.pages, "sections": sections}
        return f"window.rulespecIndex={json.dumps(data, ensure_ascii=False, separators=(',', ':'))};\n"


def sections_of(html: str) -> Iterator[Section]:
    """The sections of a page; the first one has everything before the second heading."""
    reader = _Reader()
    reader.feed(html)
    for section in reader.sections:
        section.heading = _SPACE.sub(" ", section.heading).strip()
        section.text = _SPACE.sub(" ", section.text).strip()[:LONGEST]
        if section.heading or section.text:
            yield section


class _Reader(HTMLParser):
    """Reads the content of a page into sections."""

    def __init__(self) -> None:
        super().__init__()
        self.sections = [Section("")]
        self._heading = self._first = self._citing = False
        self._skipping: list[str] = []
        """The open elements, from the skipped one on."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if self._skipping:
            if tag not in VOID:
                self._skipping.append(tag)
            return
        if tag in SKIPPED or LEFT_OUT & {*(given.get("class") or "").split()}:
            self._skipping.append(tag)
            return
        name = given.get("id") or ""
        if tag in HEADINGS:
            self._heading = True
            if self._first or self.sections[-1].text.strip():
                self.sections.append(Section(name))
            self._first = True
        self._citing = self._citing or CITING in (given.get("class") or "").split()
        if name:
            self.sections[-1].ids.append(name.removeprefix("claim-"))
        if tag in PARTED:
            self.sections[-1].text += " "

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        return

    def handle_endtag(self, tag: str) -> None:
        if self._skipping:
            if tag in self._skipping:
                while self._skipping.pop() != tag:
                    pass
        elif tag in HEADINGS:
            self._heading = False
        elif tag == "p":
            self._citing = False

    def handle_data(self, data: str) -> None:
        """Add text to the heading, the cited labels or the body of the last section, unless it is skipped."""
        if self._skipping:
            return
        if self._heading:
            self.sections[-1].heading += data
        elif self._citing:
            self.sections[-1].ids += _LABEL.findall(data)
        else:
            self.sections[-1].text += data


def description_of(html: str, longest: int = 160) -> str:
    """The first sentences of a page, for its `<meta name="description">`; empty without any text."""
    text = next((section.text for section in sections_of(html) if section.text), "")
    if len(text) <= longest:
        return text
    end = text.rfind(". ", 60, longest)
    return text[: end + 1] if end > 0 else text[: text.rfind(" ", 0, longest - 1)] + " …"
