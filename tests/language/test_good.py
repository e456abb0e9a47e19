"""What each construct means: small invented games whose examples show it, and expressions with their values.

The games of `good/` hold every construct of formal text and every key of a ruleset between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playouts import random_playout

import rulespec
from rulespec.core.context import Context
from rulespec.core.diagnostics import Report, Source
from rulespec.core.evaluate import evaluate
from rulespec.core.meter import Meter
from rulespec.core.types import Value
from rulespec.language import load
from rulespec.language.documents import ruleset_shape as shapes
from rulespec.language.documents.yaml import Mapping, Node, Scalar, Sequence, read
from rulespec.language.syntax import parser
from rulespec.play.examples import run_examples

GOOD = Path(__file__).parent / "good"
GAMES = sorted(path for path in GOOD.glob("*.yaml") if path.stem != "frame")

VALUES: dict[str, Value] = {
    "2 + 3 * 4": 14,
    "7 div 2": 3,
    "7 mod 2": 1,
    "(0 - 7) div 2": -4,
    "(0 - 7) mod 2": 1,
    "1 div 0 otherwise 5": 5,
    "min(3, 2)": 2,
    "max(3, 2)": 3,
    "abs(2 - 5)": 3,
    "sum(k * k for k in 1..3)": 14,
    "count(a in 1..3, b in 1..3 where a < b)": 3,
    "size({1, 2, 2})": 2,
    "size({a + b for a in 1..3, b in 1..3})": 5,
    "{1, 2} + {3} - {2}": frozenset({1, 3}),
    "{1, 2} & {2, 3}": frozenset({2}),
    "those k in 1..6 where k mod 2 = 0": frozenset({2, 4, 6}),
    "first k in 1..6 where k > 3": 4,
    "first k in 1..6 where k > 9": None,
    "the k in 1..6 where k > 5": 6,
    "first k in 1..6 with most k mod 4": 3,
    "fold t: 0..99 from 0 over k in 1..4 to min(t + k, 99)": 10,
    "[3, 1, 2][2]": 1,
    "[3, 1, 2][4]": None,
    "[3, 1, 2][2..3]": (1, 2),
    "[k * k for k in 1..3]": (1, 4, 9),
    "let k be 3; k * k": 9,
    "if 1 < 2 then 5 else 6": 5,
    "follow q from 1 to q + 1 while true at most 5 times": 6,
    "follow q from 7 to (q + 1) mod 9 while true at most 500 times": 3,
    "follow q from 7 to q - 1 while q > 3 at most 2 times": 5,
    "follow q from 0 to 0 - q while true at most 40 times": 0,
    "every k in 1..3 satisfies k < 4": True,
    "some k in 1..3 satisfies k > 3": False,
    "no k in 1..3 satisfies k > 3": True,
    "3 in 1..4 and 5 not in {1, 2}": True,
    "none is none": True,
    "{} is empty": True,
    "not true or false": False,
}


def value(formal: str, folder: Path) -> Value:
    """The value of an expression in a game with nothing else in it."""
    text = (GOOD / "frame.yaml").read_text("utf-8")
    path = folder / "game.yaml"
    path.write_text(text.replace("EXPRESSION", formal), "utf-8")
    return evaluate(load(path).functions["asked"].body, {}, Context())


@pytest.mark.parametrize("formal", VALUES)
def test_value(formal: str, tmp_path: Path) -> None:
    assert value(formal, tmp_path) == VALUES[formal]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_game(path: Path) -> None:
    game = rulespec.load(path)
    assert [failure.render() for failure in run_examples(game)] == []
    assert random_playout(game, 3, 400).is_over


def test_the_games_hold_every_construct(monkeypatch: pytest.MonkeyPatch) -> None:
    parse, seen = parser._parse, {"brackets"}

    def noting(
        text: Scalar, formal: str, start: str, report: Report, meter: Meter
    ) -> parser.ParsedText | None:
        parsed = parse(text, formal, start, report, meter)
        if parsed is not None:
            seen.update(str(tree.data) for tree in parsed.tree.iter_subtrees())
        return parsed

    monkeypatch.setattr(parser, "_parse", noting)
    for path in GAMES:
        load(path)
    rules = parser.formal_parser("expr_text").rules
    kinds = {str(r.alias or r.origin.name) for r in rules if not str(r.origin.name).startswith("_")}
    inlined = {str(r.origin.name) for r in rules if r.options.expand1} - {str(r.alias) for r in rules}
    assert kinds - inlined - seen == {"place_field"}  # which is read only to be refused


def keys(kind: shapes.Kind, node: Node, where: str = "") -> Iterator[str]:
    """Every key that a tree uses, by the path of shapes that lead to it."""
    if isinstance(kind, shapes.Either):
        forms = {
            Mapping: shapes.Shape | shapes.NamedEntries,
            Sequence: shapes.Many,
            Scalar: shapes.Leaf,
        }
        kind = next((k for k in kind.options if isinstance(k, forms[type(node)])), kind.options[0])
    if isinstance(kind, shapes.Shape) and isinstance(node, Mapping):
        for key, value in node.entries.items():
            yield f"{where}.{key}"
            yield from keys(kind.keys.get(key) or shapes.DATA, value, f"{where}.{key}")
    elif isinstance(kind, shapes.NamedEntries) and isinstance(node, Mapping):
        for value in node.entries.values():
            yield from keys(kind.of, value, where)
    elif isinstance(kind, shapes.Many) and isinstance(node, Sequence):
        for item in node.items:
            yield from keys(kind.of, item, where)


def test_the_games_hold_every_key_of_a_rule_and_of_a_claim() -> None:
    seen: set[str] = set()
    for path in GAMES:
        root = read(Source(path.name, path.read_text("utf-8")), Report())
        assert isinstance(root, Mapping)
        seen.update(keys(shapes.VARIANT if "extends" in root.entries else shapes.RULESET, root))
    for shape, where in (
        (shapes.RULE, ".rules"), (shapes.TURN, ".rules.turn"), (shapes.EXAMPLE, ".rules.examples"),
        (shapes.CLAIM, ".claims"), (shapes.ADDITION, ".add"), (shapes.PARAMETER, ".parameters"),
    ):  # fmt: skip
        assert {f"{where}.{key}" for key in shape.keys} - seen == set(), where
