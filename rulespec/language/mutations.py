"""Mutations of a ruleset: its formal text with one change, each a complete ruleset.

A change is made in the text of a clause, in its file, so the mutated ruleset is read and checked like any
other. A requirement or a law is dropped; a number, comparison, connective or quantifier is replaced by
another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..core.diagnostics import Source, Span
from ..core.numbers import whole_number
from .documents.rule_texts import formal_texts_of
from .documents.yaml import Scalar
from .loader import Ruleset, read
from .rules import id_of

DROPPED = "true"
"""The text that replaces a dropped condition."""

OTHERS: Mapping[str, tuple[str, ...]] = {
    "<": ("<=",), "<=": ("<",), ">": (">=",), ">=": (">",), "=": ("!=",), "!=": ("=",),
    "and": ("or",), "or": ("and",), "every": ("some",), "some": ("every",),
    "most": ("least",), "least": ("most",), "+": ("-",), "-": ("+",),
}  # fmt: skip
"""The replacements of words and signs."""

NAME = r"[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z][A-Za-z0-9_]*)*"
_WORD = re.compile(rf'"[^"\n]*"|#[^\n]*|{NAME}|\d+|:=|[<>!]=|[<>=+-]')


@dataclass(frozen=True)
class Break:
    """One change: `was` at `span`, in the text `where` (a key) of a clause, and its replacement."""

    clause: str
    where: str
    span: Span
    was: str
    becomes: str

    @property
    def text(self) -> str:
        """The change in words."""
        return "dropped" if self.becomes == DROPPED else f"`{self.was}` becomes `{self.becomes}`"

    @cached_property
    def source(self) -> Source:
        """The file after the change."""
        lines = self.span.source.text.split("\n")
        first, last = self.span.line - 1, self.span.end_line - 1
        before, after = lines[first][: self.span.column - 1], lines[last][self.span.end_column - 1 :]
        # Lines that fall away stay as empty ones, so that every place after them is where it was.
        lines[first : last + 1] = [before + self.becomes + after, *[""] * (last - first)]
        return Source(self.span.source.name, "\n".join(lines))


def breaks(name: str | Path, clauses: frozenset[str] = frozenset()) -> list[Break]:
    """Every mutation of a ruleset in reading order, including inherited text, or those of `clauses` only.

    Raises RulesetError if there is no such ruleset or its structure is faulty.
    """
    found: list[Break] = []
    for rule in read(name).document.section("rules"):
        if not clauses or id_of(rule) in clauses:
            for where, text, start in formal_texts_of(rule):
                if start and text.exact and not text.in_flow:
                    found += _breaks(id_of(rule), where, text)
    return found


def mutated_ruleset(name: str | Path, change: Break) -> Ruleset:
    """The mutated ruleset. Raises RulesetError if it has no meaning."""
    return read(name, instead={change.source.name: change.source})


def _breaks(clause: str, where: str, text: Scalar) -> Iterator[Break]:
    if where in ("that", "after") or where.startswith("require"):
        lines = text.formal.rstrip("\n").split("\n")
        whole = text.place(1, 1, len(lines), len(lines[-1]) + 1)
        yield Break(clause, where, whole, text.formal.strip(), DROPPED)
    for number, line in enumerate(text.formal.split("\n"), 1):
        for found in _WORD.finditer(line):
            place = text.place(number, found.start() + 1, number, found.end() + 1)
            for other in _others(found.group()):
                yield Break(clause, where, place, found.group(), other)


def _others(word: str) -> tuple[str, ...]:
    value = whole_number(word)
    if value is not None:
        return (str(value + 1), str(value - 1)) if value else (str(value + 1),)
    return OTHERS.get(word, ())
