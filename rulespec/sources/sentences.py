"""A document as sentences, by a deterministic rule that needs only the text.

- **Blocks.** A line without a letter or digit ends a block. - **Units.** In a block a line continues the line
before it if it begins with a small letter, or if its first word would not have fitted onto that line: a line
holds as much as the longest one of its block that has several words, 39 characters at the least. Any other
line begins a unit, and so does every item of a list (`•`, `-`, `*`, `+`, `1.`, `1)`, `(1)`) and a line after
`#`; those signs belong to no sentence. In a block a number begins an item only if it is 1 or one more than
that of the last item. - **Sentences.** In a unit a sentence ends at a `.`, `!`, `?` or `…`, with the quotes
and brackets that it closes, if the next word begins with a capital or a digit, even without a space between,
or is an address. The point of an abbreviation, of initials, and of a number after a word like `Figure` ends
none.

So headings, items and captions are separate sentences, and wrapping a paragraph differently changes nothing.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ..core.diagnostics import Source, Span

ROOM = 39
"""Minimum capacity of a line in characters: nobody wraps a paragraph so narrowly."""
DIGITS = 12
"""Number of hexadecimal digits of a sentence's SHA-256 in a map."""
HEADING = 8
"""Maximum number of words in a heading."""

_BYTE_ORDER_MARK = "\ufeff"
_MARKER = re.compile(
    r"\s*(?:(?:[•‣▪◦●○∙·*+-]|#{1,6}|(?P<number>\d{1,3})[.)]|\((?P<bracketed>\d{1,3})\))\s+)+"
)
_GLUED = re.compile(r"(?<=[a-z][a-z])([.!?][\"'”’)\]]*)(?=[A-Z][a-z])")
_ADDRESS = re.compile(r"://|www\.|@")
_INITIALS = re.compile(r"[A-Z](\.[A-Z])*")
_ENDING, _CLOSING, _OPENING = ".!?…", "\"'”’»)]}>*_", "\"'“‘«([{<*_"
_ABBREVIATED = frozenset(
    "al approx art ca cf ch chap dr ed eds e.g eg ex fig figs i.e ie mr mrs ms no nos nr op p para pp prof"
    " ref sec st v ver viz vol vols vs".split()
)
_NUMBERED = frozenset("chapter diagram example fig figure illustration no part section step table".split())


@dataclass(frozen=True)
class Sentence:
    """One sentence of a document: its number (from 1), its place, and its digest.

    `heading` is True if it has the form of a heading: a few words without an end, no item of a list.
    """

    number: int
    span: Span
    digest: str
    heading: bool = False


@dataclass(frozen=True)
class _Word:
    """A word with its place: the line, and the columns where it begins and ends (exclusive)."""

    text: str
    line: int
    start: int
    end: int


def sentences(document: Source) -> tuple[Sentence, ...]:
    """The sentences of a document, in order."""
    found: list[Sentence] = []
    for unit, listed in _units(document.text.replace(_BYTE_ORDER_MARK, " ")):
        cuts = [0, *(i for i in range(1, len(unit)) if _ends(unit, i)), len(unit)]
        parts = [unit[a:b] for a, b in pairwise(cuts)]
        for words in parts:
            first, last = words[0], words[-1]
            span = Span(document, first.line, first.start, last.line, last.end)
            short = len(parts) == 1 and len(words) <= HEADING and last.text[-1] not in ".!?…,;"
            heading = short and not listed
            found.append(Sentence(len(found) + 1, span, digest(" ".join(w.text for w in words)), heading))
    return tuple(found)


def digest(sentence: str) -> str:
    """The digest of a sentence, independent of spaces and line breaks."""
    plain = unicodedata.normalize("NFC", " ".join(sentence.split()))
    return hashlib.sha256(plain.encode("utf-8")).hexdigest()[:DIGITS]


def _units(text: str) -> Iterator[tuple[list[_Word], bool]]:
    """The words of each unit, and True if it is an item of a list."""
    last = 0
    for block in _blocks(text):
        room = max(ROOM, *(len(line) for _, line in block if " " in line.strip()), 0)
        unit: list[_Word] = []
        before, listed = "", False
        for number, line in block:
            sign = _MARKER.match(line)
            count = _count(sign)
            if unit and count not in (None, 1, last + 1):
                sign = None  # a number of the text that happens to begin a line
            elif count is not None:
                last = count
            words = [*_words(line, number, sign.end() if sign else 0)]
            if unit and (sign or not _goes_on(before, words[0].text, room)):
                yield unit, listed
                unit = []
            if not unit:
                listed = sign is not None and "#" not in sign.group()
            unit += words
            before = line
        yield unit, listed


def _count(sign: re.Match[str] | None) -> int | None:
    """The number of an item of a numbered list."""
    digits = sign and (sign["number"] or sign["bracketed"])
    return int(digits) if digits else None  # at most three digits


def _blocks(text: str) -> Iterator[list[tuple[int, str]]]:
    """The lines of each block with their numbers, from 1."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        sign = _MARKER.match(line)
        if any(map(str.isalnum, line[sign.end() if sign else 0 :])):
            block.append((number, line.rstrip()))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _words(line: str, number: int, start: int) -> Iterator[_Word]:
    for found in re.finditer(r"\S+", line[start:]):
        at, word = start + found.start() + 1, found.group()
        glued = [] if _ADDRESS.search(word) else [m.end() for m in _GLUED.finditer(word)]
        cuts = [0, *glued, len(word)]
        for a, b in pairwise(cuts):
            yield _Word(word[a:b], number, at + a, at + b)


def _goes_on(before: str, word: str, room: int) -> bool:
    """True if a line that begins with a word continues the line before it."""
    return word[0].islower() or len(before) + 1 + len(word) > room


def _ends(unit: list[_Word], at: int) -> bool:
    """True if a sentence ends before this word in a unit."""
    ended = unit[at - 1].text.rstrip(_CLOSING)
    first = next(filter(str.isalnum, unit[at].text), "")
    begins = first.isupper() or first.isdigit() or _ADDRESS.search(unit[at].text)
    if not ended or ended[-1] not in _ENDING or not begins:
        return False
    if ended[-1] != "." or ended.endswith(".."):
        return True
    word = ended[:-1].lstrip(_OPENING)
    if word.isdigit():
        return at < 2 or unit[at - 2].text.rstrip(".").lower() not in _NUMBERED
    return word.lower() not in _ABBREVIATED and (word == "I" or not _INITIALS.fullmatch(word))
