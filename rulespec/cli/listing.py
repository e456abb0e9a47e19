"""list: the shipped rulesets by their heads."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence

from ..language.documents.outlines import Outline, outline
from ..language.documents.ruleset_files import shipped_rulesets
from .output import print_json, table
from .status import HELD


def list(arguments: argparse.Namespace) -> int:
    """Name the shipped rulesets."""
    found = {name: outline(name) for name in shipped_rulesets()}
    if arguments.json:
        rows = [
            {
                "name": name,
                "title": o.title,
                "summary": o.summary,
                "players": [*o.players],
                "extends": [*o.extends],
            }
            for name, o in found.items()
        ]
        print_json({"rulesets": rows})
    else:
        print(table([_row_of(name, found[name], depth) for name, depth in _in_order(found)]))
    return HELD


def _in_order(found: Mapping[str, Outline]) -> Iterator[tuple[str, int]]:
    """Names with their depth: each ruleset before those that extend it, those without a base at depth 0."""

    def below(base: str, depth: int) -> Iterator[tuple[str, int]]:
        for name, o in found.items():
            nearest_base = next((e for e in reversed(o.extends) if e in found and e != name), "")
            if nearest_base == base:
                yield name, depth
                yield from below(name, depth + 1)

    yield from below("", 0)


def _row_of(name: str, o: Outline, depth: int) -> tuple[str, ...]:
    players = "1 player" if o.players == (1,) else f"{_numbers(o.players)} players"
    return ("  " * depth + name, players, o.title)


def _numbers(numbers: Sequence[int]) -> str:
    """Ascending numbers in words: a range, or a choice."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]}-{numbers[-1]}"
    return " or ".join(map(str, numbers))
