"""Reading a built site: the links, identifiers and addresses of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

EXTERNAL = re.compile(
    r"""(?:src|href|action)\s*=\s*["']?(?:https?:)?//|url\(\s*["']?(?:https?:)?//|@import"""
)
ADDRESSES = {"href", "src", "data-src"}
"""Attributes that hold the address of another file."""


@dataclass
class Read:
    """A page as its links see it."""

    ids: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)


PLAYER = "part_play"
"""The identifier of the player of a page."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.read = Read()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value is not None:
                self.read.ids.append(value)
            elif name in ADDRESSES and value:
                self.read.addresses.append(value)


def read(page: Path) -> Read:
    """The identifiers and addresses of a page."""
    reader = _Reader()
    reader.feed(page.read_text(encoding="utf-8"))
    return reader.read


def asks_another_host(text: str) -> bool:
    """True if a page, style sheet or script loads anything from another host."""
    return EXTERNAL.search(text) is not None


def dead_links(site: Path) -> Iterator[str]:
    """Each link of a built site that leads nowhere, and each identifier given twice, as `page: fault`.

    Pages are named from the folder of the site. A link to another host counts as alive.
    """
    pages = {page: read(page) for page in sorted(site.rglob("*.html"))}
    for page, content in pages.items():
        name = page.relative_to(site).as_posix()
        for twice in sorted({i for i in content.ids if content.ids.count(i) > 1}):
            yield f"{name}: the id `{twice}` is given twice"
        for address in sorted(set(content.addresses)):
            fault = _fault(address, page, site, pages)
            if fault:
                yield f"{name}: {fault}"


def _fault(address: str, page: Path, site: Path, pages: dict[Path, Read]) -> str:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return ""
    path, anchor = urldefrag(address)
    path = unquote(path.partition("?")[0])
    if path.startswith("/"):
        target = site / path.lstrip("/")
    else:
        target = (page.parent / path).resolve() if path else page
    target = target / "index.html" if target.is_dir() else target
    if not target.is_file():
        return f"`{address}` leads to no file"
    place = PLAYER if anchor.startswith("play=") else unquote(anchor)  # the player opens a play there
    if anchor and target in pages and place not in pages[target].ids:
        return f"`{address}` leads to no place on the page"
    return ""
