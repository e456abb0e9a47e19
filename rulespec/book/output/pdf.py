"""Rulebooks on paper: a page of a site as a PDF with a cover, contents with page numbers, and running heads.

Chromium prints a separate document for each rulebook, without scripts and external files. It cannot refer to
page numbers of other places, so it prints again with the page numbers found so far, until they no longer
change.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from ..drawing.style import stylesheet
from ..drawing.svg import own_views

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = [
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions",
    *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
]  # fmt: skip
"""Arguments with which Chromium contacts no other host; its sandbox does not work for root."""
PRINTING = ["--headless", "--no-pdf-header-footer", "--generate-pdf-document-outline"]
LONGEST = 120.0
"""Maximum seconds for one printing."""
MOST_PRINTINGS = 4
"""Maximum number of printings until the page numbers settle."""

PAPERS = {"a4": "A4", "a5": "A5", "letter": "letter"}
SMALLER = {
    "a5": ":root{--mm:.72mm}html{font-size:8.8pt}@page{margin:12mm}"
    ".rs-cover{padding-top:0}.rs-cover svg{max-height:62mm}.rs-contents{margin-top:3mm}"
}
"""Styles of papers on which letters and pictures are smaller."""
LEFT_OUT = ("part_known",)
"""The parts of a rulebook page that are not printed: answers of proofs."""

ASSETS = Path(__file__).parent.parent / "assets"
_HEADING = re.compile(r'<h([1-6]) id="([^"]*)"[^>]*>(.*?)</h\1>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_ELSEWHERE = re.compile(r'(<a\b[^>]*?) href="(?!#)[^"]*"')
_POINTER = re.compile(r'<p><a href="(?!#)[^"]*">.*?</p>', re.DOTALL)
"""A paragraph that begins with another page, which is not on paper."""
_CLOSED = re.compile(r'<details class="rs-more">.*?</details>', re.DOTALL)

_PLAY = re.compile(r'<div class="rs-trace".*?</ol></div>', re.DOTALL)
"""A play in steps, which are laid out separately on paper, so that each picture is as large as possible."""


class PdfError(Exception):
    """Raised if a rulebook cannot be printed; the text says why."""


def chromium() -> str:
    """The path of Chromium: `RULESPEC_CHROMIUM`, else the first one found. Raises PdfError."""
    own = os.environ.get("RULESPEC_CHROMIUM")
    found = [path for path in map(shutil.which, [own] if own else NAMES) if path]
    if not found:
        told = f"there is no program `{own}`" if own else "there is no Chromium"
        raise PdfError(f"{told}: install it (apt-get install chromium), or name it in RULESPEC_CHROMIUM")
    return found[0]


@dataclass(frozen=True)
class PrintedRulebook:
    """The printed parts of a game: the HTML of its rulebook page, and of an optional appendix."""

    title: str
    html: str
    appendix: str = ""


def print_pdf(book: PrintedRulebook, paper: str = "a4") -> bytes:
    """Print a rulebook as PDF, repeatedly until its page numbers settle. Raises PdfError."""
    numbers: Mapping[str, int] = {}
    for _ in range(MOST_PRINTINGS):
        pdf = _print_document(document(book, numbers, paper))
        found = places(pdf)
        if found == numbers:
            return pdf
        numbers = found
    raise PdfError(f"the page numbers of `{book.title}` do not settle")


def document(book: PrintedRulebook, numbers: Mapping[str, int], paper: str) -> str:
    """The document to print. `numbers` are the pages of anchors known so far."""
    front, *parts = _parts(book.html)
    parts = [part for part in parts if _anchor(part) not in LEFT_OUT and not _is_empty(part)]
    if book.appendix:
        title, *rest = _parts(book.appendix)
        heading = '<h2 id="rs-appendix">The exact text</h2>'
        whole = f"{heading}{_HEADING.sub('', title)}{''.join(rest)}"
        parts.append(f'<section class="rs-appendix">{whole}</section>')
    listed = "".join(
        f'<li><a href="#{anchor}"><span>{name}</span> <span>{number}</span></a></li>'
        for anchor, name in map(_first, parts)
        for number in [numbers.get(unescape(anchor), "")]
    )
    sections = (f"<section>{part}</section>" for part in parts)
    body = (
        f'<section class="rs-cover">{front}</section>'
        f'<nav class="rs-contents"><h2>Contents</h2><ol>{listed}</ol></nav><main>{"".join(sections)}</main>'
    )
    sheets = [*((ASSETS / name).read_text(encoding="utf-8") for name in ("rulespec.css", "print.css"))]
    return (
        '<!DOCTYPE html><html lang="en" data-theme="light"><head><meta charset="utf-8">'
        f"<title>{_plain(book.title)}</title><style>{''.join(sheets)}{stylesheet()}"
        f"{_page_style(book.title, paper)}</style></head><body>{body}</body></html>"
    )


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _page_style(title: str, paper: str) -> str:
    """The style of the running heads; signs in the title that could end a text or the sheet become spaces."""
    said = re.sub(r"[^\w .,:;!?'()-]", " ", title)
    return (
        f'@page{{size:{PAPERS[paper]};@top-left{{content:"{said}"}}@bottom-center{{content:counter(page)}}}}'
        f"@page :first{{@top-left{{content:none}}@bottom-center{{content:none}}}}{SMALLER.get(paper, '')}"
    )


def _parts(html: str) -> list[str]:
    """The HTML of a page for printing, split before each heading of the second level."""
    html = _ELSEWHERE.sub(r"\1", _POINTER.sub("", _CLOSED.sub("", html)))
    html = _PLAY.sub(lambda m: own_views(m[0]), html)
    places = [m.start() for m in _HEADING.finditer(html) if m[1] == "2"]
    return [html[start:end] for start, end in zip([0, *places], [*places, len(html)], strict=True)]


def _first(part: str) -> tuple[str, str]:
    """The anchor and the words of the first heading of a part."""
    heading = _HEADING.search(part)
    assert heading is not None
    return heading[2], _TAG.sub("", heading[3])


def _anchor(part: str) -> str:
    return _first(part)[0]


def _is_empty(part: str) -> bool:
    """True for a part with nothing to print under its heading."""
    return not _TAG.sub("", _HEADING.sub("", part)).strip() and "<svg" not in part


def _print_document(text: str) -> bytes:
    """The PDF that Chromium makes of a document. Raises PdfError."""
    with tempfile.TemporaryDirectory(prefix="rulespec-pdf-") as name:
        folder = Path(name)
        page, pdf = folder / "page.html", folder / "page.pdf"
        page.write_text(text, encoding="utf-8")
        command = [
            chromium(), *PRINTING, *ARGUMENTS, f"--user-data-dir={folder / 'profile'}",
            f"--print-to-pdf={pdf}", page.as_uri(),
        ]  # fmt: skip
        try:
            done = subprocess.run(
                command, capture_output=True, timeout=LONGEST, check=False, start_new_session=True
            )
        except subprocess.TimeoutExpired:
            raise PdfError(f"Chromium printed nothing within {LONGEST:.0f} s") from None
        except OSError as error:
            raise PdfError(f"Chromium cannot be run: {error.strerror}") from None
        if not pdf.is_file():
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            words = f"Chromium printed nothing (status {done.returncode}){': ' if said else ''}"
            raise PdfError(f"{words}{''.join(said)}")
        return pdf.read_bytes()


# ---- reading what was printed

_OBJECT = re.compile(rb"(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj", re.DOTALL)
_KIDS = re.compile(rb"/Kids \[([^\]]*)\]")
_REFERENCE = re.compile(rb"(\d+) 0 R")
_PLACE = re.compile(rb"/([^\s/\[\]()<>]+) \[(\d+) 0 R /XYZ ([\d.]+) ([\d.]+)")
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")


def places(pdf: bytes) -> dict[str, int]:
    """The page, counted from 1, of each linked anchor in a PDF of Chromium's."""
    return {name: page for name, (page, _) in heights(pdf).items()}


def heights(pdf: bytes) -> dict[str, tuple[int, float]]:
    """For each anchor its page, and its height above the lower edge in points."""
    objects = {int(m[1]): m[2] for m in _OBJECT.finditer(pdf)}
    numbers = {page: number for number, page in enumerate(_pages(objects), 1)}
    catalogue = next((body for body in objects.values() if b"/Type /Catalog" in body), b"")
    named = re.search(rb"/Dests (\d+) 0 R", catalogue)
    return {
        _ESCAPED.sub(lambda m: bytes([int(m[1], 16)]), m[1]).decode("utf-8", "replace"): (
            numbers[int(m[2])],
            float(m[4]),
        )
        for m in _PLACE.finditer(objects.get(int(named[1]), b"") if named else b"")
        if int(m[2]) in numbers
    }


def page_count(pdf: bytes) -> int:
    """The number of pages of a PDF of Chromium's."""
    return len([*_pages({int(m[1]): m[2] for m in _OBJECT.finditer(pdf)})])


def _pages(objects: Mapping[int, bytes]) -> Iterator[int]:
    """The numbers of the objects of the pages, in order."""
    root = next((body for body in objects.values() if b"/Type /Catalog" in body), b"")
    found = re.search(rb"/Pages (\d+) 0 R", root)
    waiting = [int(found[1])] if found else []
    while waiting:
        number = waiting.pop(0)
        kids = _KIDS.search(objects.get(number, b""))
        if kids is not None:
            waiting[:0] = map(int, _REFERENCE.findall(kids[1]))
        elif number in objects:
            yield number
