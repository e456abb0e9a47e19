"""The modules of the player as one script, with the tables that they share with Python's drawings.

Marks, sizes and words are defined once, in `rulespec.book.drawing`; the script begins with them as JSON.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from ..book.drawing import description, scene, style, symbols
from ..book.drawing.table import TABLE
from ..players.levels import LEVELS

FOLDER = Path(__file__).parent / "js"
SCRIPTS = (
    "tables", "machine", "values", "chance", "engine", "notation", "refusals", "packing", "sights",
    "scene", "shapes", "svg", "picture",
    "dom", "choices", "board", "actions", "seats", "history", "deals", "search", "worlds", "worker", "table",
)  # fmt: skip
"""The modules, each after those that it imports."""

_BLOCK = re.compile(r"^\s*/\*\*(?:(?!\*/).)*\*/\s*?$", re.DOTALL | re.MULTILINE)
_TYPE = re.compile(r"/\*\* @type [^*]*\*/ ?")
_IMPORT = re.compile(r'^import \{ (.*) \} from "\./(.*)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:class|function\*?|const) (\w+))", re.MULTILINE)


def tables() -> dict[str, Any]:
    """Data that the modules share with Python."""
    return {
        "symbols": symbols.SYMBOLS,
        "tones": style.TONES,
        "scene": {"pieces": scene.PIECES, "unread": description.UNREAD, "back": description.BACK},
        "drawing": TABLE.to_data(),
        "levels": LEVELS,
    }  # fmt: skip


def light(source: str) -> str:
    """A script without its comments and indentation.

    Comments are whole lines, blocks that begin a line with `/**`, or types; each text is on one line.
    """
    listed = (line.strip() for line in _TYPE.sub("", _BLOCK.sub("", source)).splitlines())
    return "\n".join(line for line in listed if line and not line.startswith("//"))


def _module(name: str) -> str:
    """A module as a function to be called once; its exports go into `modules` under its name."""
    source = light((FOLDER / f"{name}.js").read_text(encoding="utf-8"))
    exported = ", ".join(found[2] for found in _EXPORT.finditer(source))
    body = _EXPORT.sub(r"\1", _IMPORT.sub(r"const { \1 } = modules.\2;", source))
    return f'modules.{name} = (function () {{\n"use strict";\n{body}\nreturn {{ {exported} }};\n}})();'


def script() -> str:
    """The tables and the modules as one script, for a page, a worker or another engine.

    All exports become part of the global `rulespec`.
    """
    data = json.dumps(tables(), ensure_ascii=False, separators=(",", ":"))
    listed = "\n".join(map(_module, SCRIPTS))
    return (
        f"globalThis.rulespecTables = {data};\n(function () {{\nconst modules = {{}};\n{listed}\n"
        "globalThis.rulespec = Object.assign(globalThis.rulespec || {}, ...Object.values(modules));\n"
        "rulespec.bundles = rulespec.bundles || Object.create(null);\n})();\n"
    )


def player() -> str:
    """The script of a page, which stores its own text as `rulespec.source` for creating a worker."""
    keeping = "(function(whole){whole();globalThis.rulespec.source=String(whole)})"
    return f"{keeping}(function(){{\n{script()}}});\n"
