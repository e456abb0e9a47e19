"""What a reader of the rulebook sees beside the formal text: clauses, examples, claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from ..core import nodes as n
from ..core.diagnostics import nearest
from ..core.game import Claim, Example, Rule
from .document import BARE_CLAIMS, KINDS_OF_CLAIM, text_of, words
from .elaborate.frame import Faulty
from .printer import line
from .rules import Rules, id_of, mappings
from .settings import Usual, elsewhere
from .texts import FormalTexts
from .variants import Document
from .yaml import Mapping, Scalar, plain

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
    entries = rule.entries
    name = id_of(rule)
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
        formal=FormalTexts(rules, rule),
        requirements=tuple((k, text_of(v.entries.get("prose"))) for k, v in named if isinstance(v, Mapping)),
        binds=tuple(w.value for w in words(entries.get("binds"))),
        ruling=rules.world.rulings.get(name),
        examples=tuple(_examples(rules, name, rule, usual)),
        origin=rule.span.source.name,
        span=rule.span,
    )


def _examples(rules: Rules, clause: str, rule: Mapping, usual: Usual) -> Iterator[Example]:
    for example in mappings(rule.entries.get("examples")):
        try:
            made = _example(rules, clause, example, elsewhere(rules.world, usual, example))
            yield replace(made, repeated=id(example) in usual.repeated)
        except Faulty:
            continue


def _example(rules: Rules, clause: str, example: Mapping, settings: dict[str, Any] | None) -> Example:
    """An example as data; what it says of another game is not read here, where it may mean nothing."""
    data: dict[str, Any] = {k: plain(v) for k, v in example.entries.items() if k not in NOT_DATA}
    then = example.entries.get("then")
    if isinstance(then, Scalar) and settings is None:
        data["then"] = rules.world.piece(("then", id(example)), partial(rules.condition, then, clause))
        data["then text"] = line(rules.expression_tree(then))
    prose = text_of(example.entries.get("prose"))
    source = tuple(w.value for w in words(example.entries.get("source")))
    note = text_of(example.entries.get("note"))
    return Example(id_of(example), clause, prose, data, example.span, settings, source, note)


# ---- claims


def claims(rules: Rules, document: Document) -> dict[str, Claim]:
    """What the author says of the game, by id."""
    found: dict[str, Claim] = {}
    for entry in document.section("claims"):
        name = id_of(entry)
        if name in found:
            rules.world.report.error(
                "name.twice", f"the claim `{name}` stands here twice", entry.entries["id"].span
            )
        try:
            found[name] = rules.world.piece(("claim", name), partial(_claim, rules, name, entry))
        except Faulty:
            continue
    for entry in document.section("claims"):
        for helper in words(entry.entries.get("helped-by")):
            if helper.value not in found:
                message, help = f"there is no claim `{helper.value}`", nearest(helper.value, found)
                rules.world.report.error("name.claim", message, helper.span, help=help)
    return found


def _claim(rules: Rules, name: str, entry: Mapping) -> Claim:
    world = rules.world
    keys = [k for k in (*KINDS_OF_CLAIM, "kind") if k in entry.entries]
    if len(keys) != 1:
        listed = ", ".join(f"`{k}`" for k in (*KINDS_OF_CLAIM, "kind"))
        world.report.error("claim.kind", f"a claim says one thing, under one of {listed}", entry.span)
        raise Faulty
    text = entry.entries[keys[0]]
    assert isinstance(text, Scalar)
    prose = text_of(entry.entries.get("prose"))
    options = _options(rules, name, entry)
    if keys[0] == "kind":
        if text.value not in BARE_CLAIMS:
            world.report.error(
                "claim.kind",
                f"there is no kind of claim `{text.value}`",
                text.span,
                help=nearest(text.value, BARE_CLAIMS),
            )
            raise Faulty
        return Claim(name, prose, text.value.replace("-", "_"), None, options, "", entry.span)
    if keys[0] in ("terminates", "most", "least"):
        made: n.Expr = rules.number(text, name)
    else:
        made = rules.condition(text, name)
    kind = "best" if keys[0] in ("most", "least") else keys[0]
    if kind == "best":
        options["sense"] = keys[0]
    shown = line(rules.expression_tree(text))
    return Claim(name, prose, kind, made, options, shown, entry.span)


def _options(rules: Rules, name: str, entry: Mapping) -> dict[str, Any]:
    options: dict[str, Any] = {}
    when = entry.entries.get("when")
    if isinstance(when, Scalar):
        options["when"] = rules.condition(when, name)
    start = entry.entries.get("from")
    if isinstance(start, Scalar):
        if start.value not in ("start", "deal"):
            rules.world.report.error("claim.from", "`from` is `start` or `deal`", start.span)
        options["from"] = start.value
    for key in ("across", "helped-by"):
        if key in entry.entries:
            listed = words(entry.entries[key])
            options[key] = tuple(w.value for w in listed)
            for word in listed if key == "across" else ():
                if word.value not in ("every-ruling", *rules.world.rulings):
                    help = nearest(word.value, rules.world.rulings)
                    rules.world.report.error(
                        "ruling.unknown", f"there is no ruling `{word.value}`", word.span, help=help
                    )
    return options
