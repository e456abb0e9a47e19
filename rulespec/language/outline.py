"""What a ruleset says of itself, read without going into its rules: enough for a list of many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.diagnostics import Report
from . import variants
from .loader import finder, locate, source_of
from .settings import allowed_players
from .shapes import text_of
from .work import new_meter
from .yaml import Node


@dataclass(frozen=True)
class Outline:
    """The head of a ruleset. `extends` leads from the first ruleset of its line to the nearest."""

    title: str
    summary: str
    players: tuple[int, ...]
    """How many may play."""
    extends: tuple[str, ...]
    claims: int
    faults: int
    """How many faults the head and its structure have; the rules may have others."""


def outline(name: str | Path) -> Outline:
    """The head of a shipped name or a path. RulesetError if there is no such file."""
    path = locate(name)
    report = Report()
    source = source_of(path, report)
    meter = new_meter()
    document = variants.load(source, finder(path), report, meter) if source else None
    if document is None:
        return Outline("", "", (), (), 0, report.count)
    entries, allowed = document.root.entries, allowed_players(document, report, meter)
    return Outline(
        _line(entries.get("title")),
        _line(entries.get("summary")),
        tuple(allowed.values) if allowed else (),
        tuple(document.lineage[:-1]),
        len(document.section("claims")),
        report.count,
    )


def numbers_in_words(numbers: Sequence[int]) -> str:
    """Numbers of players as a reader is told them: `2 to 4`, `2 or 4`."""
    if len(numbers) > 2 and [*numbers] == [*range(numbers[0], numbers[-1] + 1)]:
        return f"{numbers[0]} to {numbers[-1]}"
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last


def _line(node: Node | None) -> str:
    return " ".join(text_of(node).split())
