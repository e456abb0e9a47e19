"""What the printer prints parses to the same tree, for every construct and for every shipped ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import cast

import pytest
from derivations import derived, flattest, grammar, shortest_through
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Token, Tree
from lark.grammar import NonTerminal, Rule

from rulespec.language.parser import STARTS, formal_parser
from rulespec.language.printer import line, printed

Syntax = Tree[Token]


def parsed(text: str, start: str) -> Syntax:
    return formal_parser(start).parse(text, start=start)


def plain(tree: Syntax | Token | None) -> object:
    """A tree without what has no meaning: brackets, and blocks on one line told from those below."""
    if tree is None or isinstance(tree, Token):
        return " ".join(tree.split()) if tree is not None and tree.type == "BEST" else tree
    if tree.data in ("brackets", "stmts") and len(tree.children) == 1:
        return plain(cast(Syntax, tree.children[0]))
    children = tree.children
    if tree.data == "block" and cast(Syntax, children[0]).data == "stmts":
        children = cast(Syntax, children[0]).children
    return (str(tree.data), [plain(child) for child in children])


def check(text: str, start: str) -> None:
    tree = parsed(text, start)
    out = printed([tree], text)
    again = parsed(out, start)
    assert plain(again) == plain(tree)
    assert printed([again], out) == out
    if start == "expr_text":
        assert plain(parsed(line(cast(Syntax, tree.children[0])), start)) == plain(tree)


@pytest.mark.parametrize("rule", grammar().rules, ids=lambda r: f"{r.origin.name}-{r.order}-{r.alias or ''}")
def test_every_production(rule: Rule) -> None:
    start, text = shortest_through(rule)
    check(text, start)


@pytest.mark.parametrize("start", STARTS)
def test_any_text(start: str) -> None:
    @settings(max_examples=150, deadline=None)
    @given(st.integers(0, 60), st.integers(0, 2**32))
    def run(size: int, seed: int) -> None:
        chance, left = Random(seed), iter(range(size))

        def expand(rules: Sequence[Rule]) -> Rule:
            return flattest(rules) if next(left, None) is None else chance.choice(rules)

        check(derived(NonTerminal(start), expand, chance.choice), start)

    run()
