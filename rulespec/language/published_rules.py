"""The rules as the rulebook shows them beside the formal text: clauses and examples."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Given
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from ..core.examples import Example
from ..core.game import ABSENT, Rule
from .documents.shapes import text_of, words
from .documents.variants import Document
from .documents.yaml import Mapping, Node, Scalar, mappings, plain
from .elaborate.world import Faulty
from .formal_texts import FormalTexts
from .libraries import library_rules
from .rules import Rules, id_of
from .settings import NOTHING, Usual, settings_of_example
from .syntax.printer import one_line
from .work_limit import ENTRY

KINDS_OF_RULE = (
    "library action that after reaction end setup start turn phases rounds score payoff winners titles sees "
    "readings settled formal"
).split()
"""Keys that determine the kind of a rule; the first one present decides."""

KIND_OF_KEY = {
    "that": "law",
    "after": "law",
    "readings": "ruling",
    "settled": "ruling",
    "phases": "turn",
    "start": "setup",
    "rounds": "turn",
    "payoff": "score",
}
"""The kinds whose names differ from their keys."""

NOT_DATA = ("id", "prose", "source", "note", "then", "players", "parameters", "readings")


def publish_rules(rules: Rules, usual: Usual) -> tuple[Rule, ...]:
    """Every rule in reading order, as the rulebook shows it."""
    names = {id_of(rule) for rule in rules.rules} | usual.document.gone.keys()
    for word in (drop.word for drop in usual.document.drops):
        if word.value not in names:
            help = rules.world.report.nearest(word.value, names)
            rules.world.report.error("name.rule", f"there is no rule `{word.value}`", word.span, help=help)
    everything = (*rules.rules, *library_rules(rules, usual.document))
    return tuple(_published_rule(rules, rule, usual) for rule in everything)


def _published_rule(rules: Rules, rule: Mapping, usual: Usual) -> Rule:
    rules.world.meter.spend(ENTRY)
    name = id_of(rule)
    return replace(
        rules.world.piece(("rule", name), partial(_rule_words, name, rule)),
        formal=FormalTexts(rules, rule),
        ruling=rules.world.rulings.get(name),
        examples=tuple(_examples(rules, name, rule, usual)),
    )


def _rule_words(name: str, rule: Mapping) -> Rule:
    """The words of a rule, which are the same under all settings."""
    entries = rule.entries
    kind = next((k for k in KINDS_OF_RULE if k in entries), "words")
    parts = (entries.get(key) for key in ("require", "phases"))
    named = [entry for part in parts if isinstance(part, Mapping) for entry in part.entries.items()]
    return Rule(
        id=name,
        kind=KIND_OF_KEY.get(kind, kind),
        heading=text_of(entries.get("heading")) or name.replace("-", " ").capitalize(),
        prose=text_of(entries.get("prose")),
        source=tuple(w.value for w in words(entries.get("source"))),
        note=text_of(entries.get("note")),
        formal=(),
        requirements=tuple(
            (k, text_of(v.entries["prose"]))
            for k, v in named
            if isinstance(v, Mapping) and "prose" in v.entries
        ),
        binds=tuple(w.value for w in words(entries.get("binds"))),
        origin=rule.span.source.name,
        span=rule.span,
    )


def _examples(rules: Rules, clause: str, rule: Mapping, usual: Usual) -> Iterator[Example]:
    document = usual.document
    for example in mappings(rule.entries.get("examples")):
        rules.world.meter.spend(ENTRY + len(rules.world.parameters) + len(rules.world.rulings))
        if id(example) not in document.inherited:
            with suppress(Faulty):
                settings = settings_of_example(rules.world, usual, example)
                yield example_of(rules, clause, example, settings, settings)
            continue
        written_for = document.usual.get(id(example), {})
        settings, own = (_settings(rules, usual, example, values) for values in (written_for, NOTHING))
        if settings == own == ABSENT:
            continue
        made = rules.attempt(partial(example_of, rules, clause, example, settings, own), None)
        if made is None:
            continue
        needs = rules.world.piece(("needs", id(example)), partial(_needs, rules, made, document))
        drops = (d.word.value for d in document.drops if id(example) in d.examples)
        yield replace(
            made,
            inherited=True,
            repeated=id(example) in document.repeated,
            needs=needs,
            drops=tuple(name for name in drops if name in needs),
        )


def _settings(
    rules: Rules, usual: Usual, example: Mapping, written_for: Given[str, Node]
) -> Given[str, Any] | None:
    """The settings of an inherited example, see `settings_of_example`; ABSENT if they no longer exist."""

    def make() -> Given[str, Any] | None:
        return settings_of_example(rules.world, usual, example, written_for)

    absent: Given[str, Any] | None = ABSENT
    return rules.world.quietly(make, absent)


def _needs(rules: Rules, example: Example, document: Document) -> tuple[str, ...]:
    """The ids on which an example depends: its clause, the clauses it names and the actions it takes."""
    plays = [text for key in ("legal", "only", "play") for text in as_list(example.data.get(key))]
    refused = [one for one in as_list(example.data.get("refused")) if isinstance(one, dict)]
    plays += [one.get("play") for one in refused]
    named = {example.clause, *(str(one.get("by")) for one in refused)}
    for rule in (*rules.rules, *document.gone.values()):
        rules.world.meter.spend(len(plays))
        if "action" in rule.entries:
            start = text_of(rule.entries.get("written") or rule.entries.get("id")).partition("{")[0].strip()
            if any(isinstance(text, str) and f"{text} ".startswith(f"{start} ".lstrip()) for text in plays):
                named.add(id_of(rule))
    return tuple(sorted(named))


def as_list(data: Any) -> list[Any]:
    """A single value or a list as a list."""
    return data if isinstance(data, list) else [] if data is None else [data]


def example_of(
    rules: Rules,
    clause: str,
    example: Mapping,
    settings: Given[str, Any] | None,
    own: Given[str, Any] | None = ABSENT,
) -> Example:
    """An example as data. Statements about another game are not read, since they may mean nothing here."""
    made = rules.world.piece(("example", id(example)), partial(_example, rules, clause, example))
    then = example.entries.get("then")
    if isinstance(then, Scalar) and (settings is None or own is None):
        holds = partial(rules.world.piece, ("then", id(example)), partial(rules.condition, then, clause))
        held = holds() if settings is None else rules.world.quietly(holds, None)
        if held is None:
            own = ABSENT
        else:
            text = one_line(rules.expression_tree(then))
            made = replace(made, data={**made.data, "then": held, "then text": text})
    return replace(made, settings=settings, own=own)


def _example(rules: Rules, clause: str, example: Mapping) -> Example:
    """The parts of an example that are the same under all settings."""
    data: dict[str, Any] = {k: plain(v) for k, v in example.entries.items() if k not in NOT_DATA}
    named = example.entries.get("position")
    if isinstance(named, Scalar):
        check_position(rules, named)
    prose = text_of(example.entries.get("prose"))
    source = tuple(w.value for w in words(example.entries.get("source")))
    note = text_of(example.entries.get("note"))
    return Example(id_of(example), clause, prose, data, example.span, None, source, note)


def check_position(rules: Rules, word: Scalar) -> None:
    """Report the name of a position if the ruleset has no such position."""
    if word.value not in rules.positions:
        help = rules.world.report.nearest(word.value, rules.positions)
        words = f"there is no position `{word.value}`"
        rules.world.report.error("name.position", words, word.span, help=help)
