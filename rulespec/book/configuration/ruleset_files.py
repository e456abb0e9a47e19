"""Finding ruleset files among other files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ...core.storage.safe_reading import read_text
from ...language.documents.yaml import MOST_BYTES


def ruleset_files(paths: Iterable[Path]) -> list[Path]:
    """The ruleset files among these files and in these folders, in a stable order."""
    found: dict[Path, None] = {}
    for path in paths:
        inside = sorted(filter(is_ruleset, path.rglob("*.yaml"))) if path.is_dir() else [path]
        found.update(dict.fromkeys(inside))
    return list(found)


def is_ruleset(path: Path) -> bool:
    """True for a file that declares its version of the language, or that cannot be read."""
    try:
        text = read_text(path, MOST_BYTES, "replace")
    except OSError:
        return path.is_file()  # for whoever reads it next to say why it cannot be read
    return any(line.startswith("rulespec:") for line in text.splitlines())
