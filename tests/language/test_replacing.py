"""Any part of a ruleset replaced by any other, or removed: a game comes of it, or faults that name places."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from texts import COUNTDOWN, RULING

from rulespec.core.context import Context
from rulespec.core.diagnostics import RulesetError
from rulespec.core.evaluate import evaluate
from rulespec.language import load, read
from rulespec.language.documents.yaml import Mapping, Node, Sequence

HEAD = "rulespec: 1\nid: variant\ntitle: A variant\nsummary: Something else.\nextends: base\n"
PARAMETERS = "parameters:\n  size:\n    type: 1..9\n    default: 3\n    prose: A size.\n"
MORE = """\
    type Side = one of near, far
    define few(n: 1..2) = n <= left
    to take-off(n: 1..2): remove n from left
"""
BASE = (
    COUNTDOWN.replace("- id: bare\n", RULING, 1)
    .replace("  formal: |\n", f"  formal: |\n{MORE}", 1)
    .replace("rules:\n", f"{PARAMETERS}rules:\n", 1)
)
DECLARED = {"type": "Side", "define": "few", "to": "take-off", "state": "left"}
DECLARATIONS = (
    "type {} = one of near, far",
    "type {} = {{a: 1..2, b: 1..2}}",
    "define {}: 1..3 = 1",
    "define {}(n: 1..2) = original",
    "define {}(n: 1..2) = original(n)",
    "define {} = original",
    "state {}: 0..3 = 0",
    "state {}: map Player -> 0..1 = 0",
    "state {}: 0..3 = original",
    "to {}(n: 1..2): nothing",
    "to {}: original",
    "to {}(n: 1..2): original",
    "type {} = one of near, far\n    define other = 1",
    "# {} is nothing",
    "original",
    "(",
)
VALUES = (
    "1",
    "take",
    "a.b",
    '"{1 = 1}"',
    "[]",
    "{}",
    "[1]",
    "{id: a}",
    "{a: 1}",
    "[{id: a}]",
    "|\n    nothing",
)
SHARE = 400
"""How many of the changes of parts are tried."""


def paths(node: Node, path: str = "", depth: int = 4) -> Iterator[str]:
    """The paths of what stands in a part of a ruleset, also of what no path leads to."""
    named: dict[str, Node] = {}
    if isinstance(node, Mapping):
        named = node.entries
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            name = item.entries.get("id") if isinstance(item, Mapping) else None
            named[getattr(name, "value", str(number))] = item
    for name, inner in named.items():
        whole = f"{path}.{name}" if path else name
        yield whole
        if depth:
            yield from paths(inner, whole, depth - 1)


def loads_or_faults(folder: Path, change: str) -> bool:
    """True if a variant with this change is a game. Its faults have places."""
    (folder / "base.yaml").write_text(BASE, "utf-8")
    (folder / "variant.yaml").write_text(HEAD + change, "utf-8")
    try:
        load(folder / "variant.yaml")
    except RulesetError as error:
        assert all(fault.labels for fault in error.diagnostics), change
        return False
    return True


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", DECLARED)
@pytest.mark.parametrize("of", DECLARED)
def test_a_declaration_is_replaced_by_any_other(kind: str, of: str, tmp_path: Path) -> None:
    """A definition in place of a type ended in an AttributeError."""
    name = DECLARED[of]
    good = [
        (text, called)
        for text in DECLARATIONS
        for called in (name, DECLARED[kind], "Other")
        if loads_or_faults(tmp_path, f"replace:\n  {kind}.{name}: |\n    {text.format(called)}\n")
    ]
    assert all(text.startswith(f"{kind} ") and called == name for text, called in good)
    assert bool(good) == (kind == of)


def test_any_part_is_replaced_by_any_value_or_removed(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(BASE, "utf-8")
    root = read(tmp_path / "base.yaml").document.root
    there = [path.removeprefix("rules.") for path in paths(root)]
    changes = [f"remove: [{path}]\n" for path in there]
    changes += [f"replace:\n  {path}: {value}\n" for path in there for value in VALUES]
    tried = random.Random(1).sample(changes, SHARE)
    good = [change for change in tried if loads_or_faults(tmp_path, change)]
    assert 0 < len(good) < SHARE / 2


def test_an_example_is_replaced_by_an_example(tmp_path: Path) -> None:
    """It was held against the shape of a rule."""
    change = "replace:\n  first.examples.one:\n    id: one\n    prose: One.\n    legal: [take 2]\n"
    first = "add:\n- rule:\n    id: first\n    prose: x\n    examples:\n    - {id: one, legal: [take 1]}\n"
    (tmp_path / "base.yaml").write_text(BASE, "utf-8")
    (tmp_path / "middle.yaml").write_text(HEAD.replace("id: variant", "id: middle") + first, "utf-8")
    path = tmp_path / "variant.yaml"
    path.write_text(HEAD.replace("extends: base", "extends: middle") + change, "utf-8")
    assert load(path).rules[-1].examples[0].data["legal"] == ["take 2"]


LAYERS = [
    (  # what one variant removed the next declares anew
        "remove: [define.few]\n",
        "add:\n- rule:\n    id: again\n    prose: x\n    formal: |\n      define few(n: 1..2) = n = 1\n",
        [1],
    ),
    (  # a variant replaces the text in which the one before replaced a declaration
        "replace:\n  define.few: |\n    define few(n: 1..2) = n = 2\n",
        "replace:\n  heap.formal: |\n    type Side = one of near, far\n    state left: 0..5 = 5\n"
        "    state last: Player? = none\n    define few(n: 1..2) = n = 1\n"
        "    to take-off(n: 1..2): nothing\n",
        [1],
    ),
    (  # and here the declaration itself, on top of it
        "replace:\n  define.few: |\n    define few(n: 1..2) = n = 2\n",
        "replace:\n  define.few: |\n    define few(n: 1..2) = original or n = 1\n",
        [1, 2],
    ),
    (  # the rule is gone, and what was replaced in it
        "replace:\n  define.few: |\n    define few(n: 1..2) = n = 2\n",
        "remove: [define.few]\n",
        None,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("middle", "last", "few"), LAYERS)
def test_each_variant_changes_what_the_one_before_left(
    middle: str, last: str, few: list[int] | None, tmp_path: Path
) -> None:
    """A removal took away what a later variant declared; a replacement outlived what it replaced."""
    (tmp_path / "base.yaml").write_text(BASE, "utf-8")
    (tmp_path / "middle.yaml").write_text(HEAD.replace("id: variant", "id: middle") + middle, "utf-8")
    path = tmp_path / "variant.yaml"
    path.write_text(HEAD.replace("extends: base", "extends: middle") + last, "utf-8")
    game = load(path)
    found = game.functions.get("few")
    assert (found is None) == (few is None)
    if found is not None:
        values = [n for n in (1, 2) if evaluate(found.body, {found.params[0]: n}, Context())]
        assert values == few
