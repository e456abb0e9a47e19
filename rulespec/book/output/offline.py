"""A site without a network: addresses of files with digests of their contents, and the list of a small site.

The theme's service worker keeps a file with a digest in its address as long as a kept page refers to it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, join, normpath

from mkdocs.structure.files import File

from ..content.linking import ELEMENT
from .search import ADDRESS

SUFFIXES = (".css", ".js", ".svg")
"""The endings of the files whose addresses get digests."""
WORKER = "service-worker.js"
"""The service worker in the folder of the site, which can only keep what is in its own folder."""
MOST_BYTES = 2_000_000
"""A site of at most so many bytes is kept whole."""
_ADDRESS = re.compile(r"""("|&quot;)((?:[\w.-]+/)*[\w.-]+\.(?:css|js|svg))(?="|&quot;)""")
"""An address as an attribute, or within JSON in one."""
_ALL = "var all = [];"


def digests(files: Iterable[File]) -> dict[str, str]:
    """The beginning of the digest of each script, style sheet and drawing of a site, by its place there."""
    left_out = (WORKER, ELEMENT, ADDRESS)  # no page of the site has their addresses
    found = [file for file in files if file.dest_uri.endswith(SUFFIXES) and file.dest_uri not in left_out]
    return {file.dest_uri: sha256(file.content_bytes).hexdigest()[:12] for file in found}


def with_digests(page: str, place: str, known: dict[str, str]) -> str:
    """A page at a place of the site, with digests of the linked files added to their addresses."""

    def versioned(found: re.Match[str]) -> str:
        digest = known.get(normpath(join(dirname(place), found[2])))
        return f"{found[0]}?v={digest}" if digest else found[0]

    return _ADDRESS.sub(versioned, page)


def keep_small_site(folder: Path, known: dict[str, str]) -> None:
    """Configure the service worker of a small site to store all of it."""
    worker = folder / WORKER
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(".")]
    if not worker.is_file() or sum(path.stat().st_size for path in paths) > MOST_BYTES:
        return
    names = [path.relative_to(folder).as_posix() for path in paths if path != worker]
    listed = json.dumps([f"{name}?v={known[name]}" if name in known else name for name in names])
    text = worker.read_text(encoding="utf-8").replace(_ALL, f"var all = {listed};")
    worker.write_text(text, encoding="utf-8")
