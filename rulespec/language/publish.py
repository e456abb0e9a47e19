"""What a reader of the rulebook sees beside the formal text: clauses, examples, claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from ..core.game import Example, Rule
from .elaborate.frame import Faulty
from .printer import line
from .rules import Rules, id_of
from .settings import Usual, elsewhere
from .shapes import text_of, words
from .texts import FormalTexts
from .work import ENTRY
from .yaml import Mapping, Scalar, mappings, plain

KINDS_OF_RULE = (
    "action",
    "that",
    "reaction",
    "end",
    "setup",
    "turn",
    "score",
    "winners",
    "titles",
    "sees",
    "readings",
    "settled",
    "formal",
)
"""What tells the kind of a rule, the first that is there."""


NOT_DATA = ("id", "prose", "source", "note", "then", "players", "parameters", "readings")


def published(rules: Rules, usual: Usual) -> tuple[Rule, ...]:
    """Every rule in reading order, as the rulebook shows it."""
    return tuple(_rule(rules, rule, usual) for rule in rules.rules)


def _rule(rules: Rules, rule: Mapping, usual: Usual) -> Rule:
    rules.world.meter.spend(ENTRY)
    name = id_of(rule)
    return replace(
        rules.world.piece(("rule", name), partial(_words, name, rule)),
        formal=FormalTexts(rules, rule),
        ruling=rules.world.rulings.get(name),
        examples=tuple(_examples(rules, name, rule, usual)),
    )


def _words(name: str, rule: Mapping) -> Rule:
    """The words of a rule, alike under all settings."""
    entries = rule.entries
    kind = next((k for k in KINDS_OF_RULE if k in entries), "words")
    require = entries.get("require")
    named = require.entries.items() if isinstance(require, Mapping) else ()
    return Rule(
        id=name,
        kind={"that": "law", "readings": "ruling", "settled": "ruling"}.get(kind, kind),
        heading=text_of(entries.get("heading")) or name.replace("-", " ").capitalize(),
        prose=text_of(entries.get("prose")),
        source=tuple(w.value for w in words(entries.get("source"))),
        note=text_of(entries.get("note")),
        formal=(),
        requirements=tuple((k, text_of(v.entries.get("prose"))) for k, v in named if isinstance(v, Mapping)),
        binds=tuple(w.value for w in words(entries.get("binds"))),
        origin=rule.span.source.name,
        span=rule.span,
    )


def _examples(rules: Rules, clause: str, rule: Mapping, usual: Usual) -> Iterator[Example]:
    for example in mappings(rule.entries.get("examples")):
        rules.world.meter.spend(ENTRY + len(rules.world.parameters) + len(rules.world.rulings))
        try:
            made = example_of(rules, clause, example, elsewhere(rules.world, usual, example))
            yield replace(made, repeated=True) if id(example) in usual.repeated else made
        except Faulty:
            continue


def example_of(rules: Rules, clause: str, example: Mapping, settings: dict[str, Any] | None) -> Example:
    """An example as data; what it says of another game is not read here, where it may mean nothing."""
    made = rules.world.piece(("example", id(example)), partial(_example, rules, clause, example))
    then = example.entries.get("then")
    if isinstance(then, Scalar) and settings is None:
        held = rules.world.piece(("then", id(example)), partial(rules.condition, then, clause))
        made = replace(made, data={**made.data, "then": held, "then text": line(rules.expression_tree(then))})
    return made if settings is None else replace(made, settings=settings)


def _example(rules: Rules, clause: str, example: Mapping) -> Example:
    """The words of an example, alike under all settings."""
    data: dict[str, Any] = {k: plain(v) for k, v in example.entries.items() if k not in NOT_DATA}
    named = example.entries.get("position")
    if isinstance(named, Scalar):
        check_position(rules, named)
    prose = text_of(example.entries.get("prose"))
    source = tuple(w.value for w in words(example.entries.get("source")))
    note = text_of(example.entries.get("note"))
    return Example(id_of(example), clause, prose, data, example.span, None, source, note)


def check_position(rules: Rules, word: Scalar) -> None:
    """Report the name of a position that the ruleset has not."""
    if word.value not in rules.positions:
        help = rules.world.report.nearest(word.value, rules.positions)
        rules.world.report.error(
            "name.position", f"there is no position `{word.value}`", word.span, help=help
        )
