"""The tables of the parser that come with the package fit the grammar; others are made and cached."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark

from rulespec.core.storage import cache
from rulespec.language.syntax import parser, parser_tables
from rulespec.language.syntax.layout import Layout

TEXT = "every p in Player satisfies count(c in 1..3 where c mod 2 = 1 or left > 0) < size(hand[p])"


def tree(of: Lark) -> object:
    return of.parse(TEXT, start="expr_text")


def test_the_tables_of_the_package_fit_the_grammar() -> None:
    """After a change of the grammar, `make grammar` writes them anew."""
    text = parser_tables.shipped_tables(parser.grammar_key())
    assert text is not None
    assert tree(parser_tables.from_text(text, Layout())) == tree(parser.new_parser())


def test_other_tables_are_made_and_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As under another version of Lark."""
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "kept"))
    cache._usable.cache_clear()
    monkeypatch.setattr(parser.lark, "__version__", "another")
    assert parser_tables.shipped_tables(parser.grammar_key()) is None
    made = parser._built.__wrapped__()
    assert [path.name for path in (tmp_path / "kept").iterdir()] == [parser.KEPT]
    monkeypatch.setattr(parser, "new_parser", None)
    assert tree(parser._built.__wrapped__()) == tree(made)
