"""The scripts of the player as one text, with the tables that they share with the drawings of Python.

Shapes, sizes and words stand once, in `rulespec.book`; the text begins with them as JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..book.drawing import description, scene, style, symbols
from ..book.drawing.table import TABLE

FOLDER = Path(__file__).parent / "js"
SCRIPTS = (
    "machine", "chance", "values", "engine", "notation", "refusals", "packing", "sights",
    "scene", "shapes", "svg", "picture",
    "dom", "choices", "board", "actions", "seats", "history", "search", "worlds", "worker", "table",
)  # fmt: skip
"""The scripts in the order in which they are run."""

_BLOCK = re.compile(r"^\s*/\*\*.*?\*/\s*?$", re.DOTALL | re.MULTILINE)


def tables() -> dict[str, Any]:
    """Data of `rulespec.book` that scripts read as `rulespec.tables`."""
    return {
        "symbols": symbols.SYMBOLS,
        "tones": style.TONES,
        "scene": {"pieces": scene.PIECES, "unread": description.UNREAD, "back": description.BACK},
        "drawing": TABLE.data,
    }  # fmt: skip


def light(source: str) -> str:
    """A script without its comments and indentation.

    Comments are whole lines, or blocks that begin a line with `/**`; no text goes on over several lines.
    """
    listed = (line.strip() for line in _BLOCK.sub("", source).splitlines())
    return "\n".join(line for line in listed if line and not line.startswith("//"))


def script(names: Iterable[str] = SCRIPTS) -> str:
    """These scripts after the tables, as one script for a page, a worker or another engine."""
    data = json.dumps(tables(), ensure_ascii=False, separators=(",", ":"))
    first = f"(globalThis.rulespec = globalThis.rulespec || {{}}).tables = {data};"
    sources = (light((FOLDER / f"{name}.js").read_text(encoding="utf-8")) for name in names)
    return "\n".join([first, *sources, ""])


def player() -> str:
    """The script of a page, which keeps itself as `rulespec.source`: the text of a worker is made of it."""
    keeping = "(function(whole){whole();globalThis.rulespec.source=String(whole)})"
    return f"{keeping}(function(){{\n{script()}}});\n"
