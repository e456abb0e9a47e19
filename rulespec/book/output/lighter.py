"""Lighter pages: drawings share equal parts, and those of collapsed plays are loaded when they are opened.

The drawings of a play are in a script file, because a page that was opened as a file may load no other kind.
A reader without scripts has the actions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable

from .sharing import DRAWING, share_runs

_FOLDED = re.compile(r'(</summary><div class="rs-trace"[^>]*)>(<ol>.*?</ol></div>)', re.DOTALL)


def lighter(html: str, name: str, address: Callable[[str], str]) -> tuple[str, dict[str, str]]:
    """A smaller version of a page, and the scripts that belong to it by file name.

    `name` is unique to the page; `address` gives the URL of a file relative to it.
    """
    scripts: dict[str, str] = {}

    def folded(match: re.Match[str]) -> str:
        file = f"{name}-{len(scripts) + 1}.js"
        scripts[file] = _script([found[0] for found in DRAWING.finditer(match[2])], file)
        return f'{match[1]} data-drawings="{address(file)}">{DRAWING.sub("", match[2])}'

    return share_runs(_FOLDED.sub(folded, html), f"{name}-run-"), scripts


_BETWEEN = "\x1e"
"""Separates drawings while they are shared; no drawing has control characters."""


def _script(drawings: Iterable[str], file: str) -> str:
    """A script that passes the drawings of a play, in order, to the page under the file's name."""
    listed = share_runs(_BETWEEN.join(drawings), f"{file.removesuffix('.js')}-").split(_BETWEEN)
    lines = ",\n".join(json.dumps(drawing, ensure_ascii=False) for drawing in listed)
    return f"(window.rulespecPlays ||= {{}})[{json.dumps(file)}] = [\n{lines}\n];\n"
