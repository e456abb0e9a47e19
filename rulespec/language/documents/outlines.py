"""The head of a ruleset: its title, its players and what it extends, read without the rest of its file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ...core.diagnostics import Report, Source
from ...core.numbers import whole_number
from .ruleset_files import finder, locate, source_of
from .yaml import Mapping, Node, Scalar, read

KEYS = ("id", "title", "summary", "extends", "players", "replace")
"""The keys of a head; `replace` may replace the players."""
MOST_LAYERS = 8
"""Maximum number of files from which a head is collected."""
_KEY = re.compile(r"([A-Za-z][\w-]*)[ \t]*:(?:[ \t]|$)")
_INSIDE = (" ", "#", "-")
"""The beginnings of lines that belong to the key above them."""
_RANGE = re.compile(r"(\d{1,2}) *\.\. *(\d{1,2})|(\w+) in (\d{1,2})\.\.(\d{1,2}) where \3 != (\d{1,2})")
"""Numbers of players that are read without the parser: a range, or a single number."""


@dataclass(frozen=True)
class Outline:
    """The head of a ruleset. `extends` leads from the first ruleset of its line to the nearest."""

    title: str
    summary: str
    players: tuple[int, ...]
    """The numbers of players that the ruleset allows; none if they cannot be read."""
    extends: tuple[str, ...]


def outline(name: str | Path) -> Outline:
    """The outline of a ruleset, given by shipped name or path. Raises RulesetError if there is no such file.

    Faults are ignored; unreadable parts are empty.
    """
    heads = [*_heads(locate(name))]
    firsts = (next((h[key] for h in heads if key in h), None) for key in ("title", "summary"))
    title, summary = map(_one_line, firsts)
    extends = tuple(_one_line(head.get("id")) for head in reversed(heads[1:]))
    return Outline(title, summary, _players(heads), extends)


def numbers_in_words(numbers: Sequence[int]) -> str:
    """Numbers of players in words: `2 to 4`, `2 or 4`."""
    if len(numbers) > 2 and [*numbers] == [*range(numbers[0], numbers[-1] + 1)]:
        return f"{numbers[0]} to {numbers[-1]}"
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last


def _heads(path: Path) -> Iterator[dict[str, Node]]:
    """The head of a file, then those of the rulesets it extends, nearest first."""
    find, source = finder(path), source_of(path, Report())
    for _ in range(MOST_LAYERS + 1):
        root = _head(source) if source is not None else None
        if not isinstance(root, Mapping):
            return
        yield root.entries
        base = root.entries.get("extends")
        if not isinstance(base, Scalar):
            return
        source = find(base.value, base.span, Report())


@lru_cache(maxsize=64)
def _head(source: Source) -> Node | None:
    """The tree of a head, cached because variants of one ruleset read it again and again."""
    return read(_head_of(source), Report())


def _head_of(source: Source) -> Source:
    """The source without the lines of other keys; all of it if keys do not begin lines."""
    kept, inside = list[str](), False
    for line in source.text.split("\n"):
        if line and not line.startswith(_INSIDE):
            key = _KEY.match(line)
            if key is None and line != "---":
                return source
            inside = key is not None and key[1] in KEYS
        kept.append(line if inside else "")
    return Source(source.name, "\n".join(kept))


def _players(heads: Sequence[dict[str, Node]]) -> tuple[int, ...]:
    """The numbers of players that the nearest head with any allows."""
    node = next((node for head in heads if (node := _written_players(head)) is not None), None)
    if node is None:
        return (1,) if heads else ()
    number = node.entries.get("number") if isinstance(node, Mapping) else node
    if isinstance(number, Scalar):
        plain = whole_number(number.value)
        if plain is not None:
            return (plain,)
        if found := _RANGE.fullmatch(number.value):
            low, high = int(found[1] or found[4]), int(found[2] or found[5])
            return tuple(n for n in range(low, high + 1) if found[6] is None or n != int(found[6]))
    return _worked_out(node)


def _written_players(head: dict[str, Node]) -> Node | None:
    replaced = head.get("replace")
    there = replaced.entries if isinstance(replaced, Mapping) else head
    return there.get("players", head.get("players"))


def _worked_out(players: Node) -> tuple[int, ...]:
    """The numbers of players if they are given otherwise than as a plain number or range."""
    from ..settings import allowed_players
    from ..work_limit import new_meter
    from .variants import Document

    document = Document(Mapping(players.span, False, {"players": players}))
    allowed = allowed_players(document, Report(), new_meter())
    return tuple(allowed.values) if allowed else ()


def _one_line(node: Node | None) -> str:
    return " ".join(node.value.split()) if isinstance(node, Scalar) else ""
