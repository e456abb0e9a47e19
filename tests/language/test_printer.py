"""What the printer prints parses to the same tree, for every construct and for every shipped ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import cast

import pytest
import shipped_games
from derivations import derived, flattest, grammar, shortest_through
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Token, Tree
from lark.grammar import NonTerminal, Rule
from shipped_games import base_rulesets

from rulespec.core.diagnostics import Report
from rulespec.core.meter import Meter
from rulespec.language import load
from rulespec.language.documents.yaml import Scalar
from rulespec.language.syntax import parser
from rulespec.language.syntax.parser import STARTS, ParsedText, formal_parser
from rulespec.language.syntax.printer import one_line
from rulespec.language.syntax.text_printer import print_text

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
    out = print_text([(tree, text)])
    again = parsed(out, start)
    assert plain(again) == plain(tree)
    assert print_text([(again, out)]) == out
    if start == "expr_text":
        assert plain(parsed(one_line(cast(Syntax, tree.children[0])), start)) == plain(tree)


@pytest.mark.parametrize("rule", grammar().rules, ids=lambda r: f"{r.origin.name}-{r.order}-{r.alias or ''}")
def test_every_production(rule: Rule) -> None:
    start, text = shortest_through(rule)
    check(text, start)


@pytest.mark.parametrize("start", STARTS)
def test_any_text(start: str) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.integers(0, 60), st.integers(0, 2**32))
    def run(size: int, seed: int) -> None:
        chance, left = Random(seed), iter(range(size))

        def expand(rules: Sequence[Rule]) -> Rule:
            return flattest(rules) if next(left, None) is None else chance.choice(rules)

        check(derived(NonTerminal(start), expand, chance.choice), start)

    run()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", base_rulesets())
def test_shipped_rulesets_mean_the_same_when_all_their_texts_are_reprinted(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = shipped_games.load(name).core.digest
    seen = []

    def reprinted(text: Scalar, formal: str, start: str, report: Report, meter: Meter) -> ParsedText | None:
        tree = parsed(formal, start)
        seen.append(start)
        again = parsed(print_text([(tree, formal)]), start)
        assert plain(again) == plain(tree)
        return ParsedText(again, text)

    monkeypatch.setattr(parser, "_parse", reprinted)
    assert load(name).digest == usual
    assert {"decl_text", "expr_text", "choices_text"} <= set(seen)


@pytest.mark.parametrize(
    ("start", "text", "canonical"),
    [
        ("expr_text", "((a or (b))) and  c", "(a or b) and c"),
        ("expr_text", "(not some x in S satisfies p) or q", "not (some x in S satisfies p) or q"),
        ("expr_text", "a and (every x in S satisfies p)", "a and every x in S satisfies p"),
        ("expr_text", "a - (b - c) - d * (e div f)", "a - (b - c) - d * (e div f)"),
        ("expr_text", "(a otherwise b) + 1", "(a otherwise b) + 1"),
        ("effect_text", "move (top(l)) from l to m", "move (top(l)) from l to m"),
        ("effect_text", "if a:\n     b := 1 # why\nelse: nothing", "if a:\n  # why\n  b := 1\nelse: nothing"),
        ("effect_text", "if a: b := 1; c := 2", "if a:\n  b := 1\n  c := 2"),
        ("expr_text", "# first\na\n  # then\n  or b", "# first\n# then\na or b"),
        ("choices_text", "( )", "()"),
        ("sees_text", "hand[p]  for p in Player\nsize( pile )", "hand[p] for p in Player\nsize(pile)"),
    ],
)
def test_canonical(start: str, text: str, canonical: str) -> None:
    assert print_text([(parsed(text, start), text)]) == canonical
    check(text, start)


def test_long_texts_are_cut_at_the_outermost_construct() -> None:
    text = (
        "every first-square in Squares-of-the-board, second-square in Squares-of-the-board satisfies "
        "first-square = second-square or distance(first-square, second-square) > least-distance"
    )
    assert print_text([(parsed(text, "expr_text"), text)]).split("\n") == [
        "every first-square in Squares-of-the-board, second-square in Squares-of-the-board satisfies",
        "  first-square = second-square or distance(first-square, second-square) > least-distance",
    ]
    check(text, "expr_text")


HEAP = Path(__file__).parent / "bad" / "base" / "ruleset.yaml"


def test_a_variant_shows_the_declarations_it_has(tmp_path: Path) -> None:
    base = HEAP.read_text("utf-8").replace("    state heap", "    define few = 3 # stones\n    state heap")
    (tmp_path / "heap.yaml").write_text(base, "utf-8")
    path = tmp_path / "more.yaml"
    path.write_text(
        "rulespec: 1\nid: more\ntitle: More\nextends: heap\nreplace:\n  define.few: define few = (4)\n",
        "utf-8",
    )
    shown = {what: text for rule in load(path).rules[:1] for what, text in rule.formal}
    assert shown["formal"].split("\n") == [
        "type Count = 0..7", "define few = 4", "state heap: Count = 7",
    ]  # fmt: skip


def test_an_expression_over_several_lines_is_told_on_one_without_its_comments(tmp_path: Path) -> None:
    """Messages once took the lines of the file together, so that a comment swallowed what followed."""
    path = tmp_path / "heap.yaml"
    text = HEAP.read_text("utf-8").replace(
        "that: n <= heap", "that: |\n        n <= heap # so many lie there\n        or  heap = 0"
    )
    path.write_text(text, "utf-8")
    game = load(path)
    assert game.texts[game.actions["take"].requirements[0].condition] == "n <= heap or heap = 0"
