"""The well-formed texts and data that hostile inputs are made from."""

from __future__ import annotations

import gzip
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import derivations
from lark.grammar import NonTerminal

from rulespec.language.syntax.parser import STARTS

ROOT = Path(__file__).resolve().parents[2]
SMALL = 12_000
"""Bytes of the largest ruleset that is mutated often; larger ones are mutated now and then."""


def _texts(*patterns: str) -> dict[str, str]:
    return {
        str(path.relative_to(ROOT)): path.read_text("utf-8")
        for pattern in patterns
        for path in sorted(ROOT.glob(pattern))
    }


@cache
def rulesets() -> dict[str, str]:
    """Whole rulesets by path, the small ones."""
    found = _texts("tests/language/good/*.yaml", "docs/games/*.yaml", "tests/book/*.yaml")
    found |= _texts("tests/language/bad/*.yaml", "rulesets/classics/*/ruleset.yaml")
    return {path: text for path, text in found.items() if len(text) <= SMALL}


@cache
def large() -> dict[str, str]:
    """The large rulesets by path."""
    return _texts("rulesets/*/ruleset.yaml")


@cache
def variants() -> dict[str, str]:
    """Variants by path; what they extend is a shipped ruleset."""
    return _texts("rulesets/**/variants/*.yaml")


@cache
def records() -> tuple[Any, ...]:
    """Records of plays, with and without accounts of every ply."""
    found = (json.loads(text) for text in _texts("rulesets/classics/*/playthroughs/*.json").values())
    return tuple(record for record in found if len(json.dumps(record)) < 60_000)


@cache
def stores() -> dict[str, Any]:
    """The stored verdicts of the classics by the path of their folder."""
    found = sorted(ROOT.glob("rulesets/classics/*/verdicts.json.gz"))
    return {str(path.parent): json.loads(gzip.decompress(path.read_bytes())) for path in found}


@cache
def pages() -> dict[str, str]:
    """Pages with fences by path."""
    found = _texts("docs/**/*.md")
    return {path: text for path, text in found.items() if "```rulespec" in text}


@cache
def documents() -> dict[str, str]:
    """Prose that a source map could be about."""
    return _texts("README.md", "docs/tutorial.md", "docs/index.md")


@cache
def maps() -> dict[str, str]:
    """Source maps by path."""
    return _texts("rulesets/*/sources/*.yaml", "tests/sources/good/sources/*.yaml")


def formal(rng: random.Random) -> str:
    """Formal text derived from the grammar: its shape is right, its names and types seldom are."""
    fuel = rng.choice((4, 12, 40))

    def expand(rules: Any) -> Any:
        nonlocal fuel
        fuel -= 1
        return rng.choice(rules) if fuel > 0 else derivations.flattest(rules)

    return derivations.derived(NonTerminal(rng.choice(list(STARTS))), expand, rng.choice).strip()
