"""JSON text laid out for reading and comparing line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

WIDTH = 110


def lines(data: Any, indent: int = 0, room: int = WIDTH) -> str:
    """Data as JSON text: on one line if it fits, else each entry on a line, with lists of scalars filled.

    `indent` is the depth, `room` the space left on the first line.
    """
    flat = json.dumps(data, ensure_ascii=False)
    if len(flat) <= room or not isinstance(data, dict | list) or not data:
        return flat
    inner, within = " " * (indent + 1), WIDTH - indent - 2
    if isinstance(data, dict):
        keys = {key: f"{json.dumps(key, ensure_ascii=False)}: " for key in data}
        entries = [keys[key] + lines(item, indent + 1, within - len(keys[key])) for key, item in data.items()]
        return "{" + f",\n{inner}".join(entries) + "}"
    if any(isinstance(item, dict | list) for item in data):
        return "[" + f",\n{inner}".join(lines(item, indent + 1, within) for item in data) + "]"
    filled = _fill_lines((json.dumps(x, ensure_ascii=False) for x in data), within)
    return "[" + f"\n{inner}".join(filled) + "]"


def _fill_lines(items: Iterable[str], width: int) -> list[str]:
    """Items separated by commas, as many on each line as fit."""
    found = [""]
    for item in items:
        if found[-1] and len(found[-1]) + len(item) + 3 > width:
            found[-1] += ","
            found.append("")
        found[-1] += (", " if found[-1] else "") + item
    return found
