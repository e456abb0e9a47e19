"""A merged document to a game: players, parameters, readings, declarations, rules, claims, drawings."""

from __future__ import annotations

from collections.abc import Mapping as Given
from dataclasses import replace
from typing import Any, cast

from ..core import digest, notation
from ..core import nodes as n
from ..core.diagnostics import Label, Report, nearest
from ..core.game import Claim, Game, Parameter, Reading, Ruling
from ..core.types import Int, List, Scalar, Truth, holds
from . import bounds
from .actions import actions
from .course import ends, outcome, reactions, setup, sights, turn
from .document import text_of, words
from .elaborate.expressions import expression
from .elaborate.frame import Faulty, Frame, Syntax
from .elaborate.kinds import defined, kind
from .elaborate.world import World
from .parser import declarations, parse
from .publish import claims, layers, published
from .rules import Rules, id_of, mappings
from .variants import Document
from .yaml import Mapping, Node, Sequence
from .yaml import Scalar as Text


def assemble(
    document: Document,
    report: Report,
    players: int | None = None,
    parameters: Given[str, Any] | None = None,
    readings: Given[str, str] | None = None,
) -> Game:
    """The game of a document under the given settings; raises RulesetError with every fault."""
    world = World(report, _players(document, report, players))
    _rulings(world, document, dict(readings or {}))
    _declare(world, document)
    _parameters(world, document, dict(parameters or {}))
    rules = Rules(world, document.section("rules"))
    rules.enter_conditions()
    world.make_all()
    _conditions(world, rules, document)
    game = _game(world, rules, document)
    report.raise_errors()
    bounds.check(game, report)
    report.raise_errors()
    return replace(game, digest=digest.of_game(game))


def _game(world: World, rules: Rules, document: Document) -> Game:
    head = document.root.entries
    source = head.get("source")
    about = source.entries if isinstance(source, Mapping) else {}
    acts = actions(rules)
    finished, follows, judged = ends(rules), reactions(rules), outcome(rules)
    first, order, seen = setup(rules), turn(rules), sights(rules)
    stated: dict[str, Claim] = claims(rules, document)
    drawn = layers(rules, document)
    shown = published(rules)
    if not acts and not world.report.errors:
        world.report.error("game.actions", "a game needs at least one action", document.root.span)
    state = {name: world.state[name] for name in ("mover", "over")}
    state |= {
        d.name: world.state[d.name]
        for d in world.declared.values()
        if d.kind == "state" and d.name in world.state
    }
    return Game(
        id=text_of(head.get("id")),
        title=text_of(head.get("title")),
        summary=text_of(head.get("summary")),
        author=text_of(head.get("author")) or text_of(about.get("author")),
        licence=text_of(head.get("licence")) or text_of(about.get("licence")),
        source=tuple(w.value for w in words(about.get("document"))),
        players=world.players,
        player=world.player,
        parameters=dict(world.parameters),
        rulings={k: replace(r, asked=tuple(world.asked.get(k, {}))) for k, r in world.rulings.items()},
        rules=shown,
        types=dict(world.types),
        functions=dict(world.functions),
        state=state,
        setup=first,
        turn=order,
        actions=acts,
        reactions=follows,
        ends=finished,
        outcome=judged,
        sights=seen,
        claims=stated,
        diagram=drawn,
        spans=world.spans,
        digest="",
        extends=tuple(document.lineage[:-1]),
        warnings=tuple(d for d in world.report.diagnostics if d.severity == "warning"),
    )


# ---- settings


def _players(document: Document, report: Report, asked: int | None) -> int:
    node = document.root.entries.get("players")
    if node is None:
        return asked or 1
    text = node.entries.get("number") if isinstance(node, Mapping) else node
    wanted = node.entries.get("default") if isinstance(node, Mapping) else None
    plain = World(report)
    try:
        assert isinstance(text, Text)
        allowed = _type_of(plain, text)
        if not isinstance(allowed, Int) or allowed.lo < 1 or allowed.hi > 16:
            report.error("players.number", "the number of players is between 1 and 16", text.span)
            return 1
        first = allowed.lo if wanted is None else int(_value(plain, wanted, allowed))
    except Faulty:
        return asked or 1
    if asked is not None and asked not in allowed:
        report.error("players.number", f"this game is for {allowed} players, not {asked}", text.span)
        return int(first)
    return int(asked or first)


def _type_of(world: World, text: Text) -> Scalar | List:
    if text.value.isdigit():
        value = int(text.value)
        return Int("number", range(value, value + 1))
    parsed = parse(text, "type_text", world.report)
    if parsed is None:
        raise Faulty
    frame, tree = Frame(world, text), cast(Syntax, parsed.tree.children[0])
    if tree.data == "plain_def" and cast(Syntax, tree.children[0]).data == "list_type":
        return cast(List, kind(frame, cast(Syntax, tree.children[0])))
    return defined(frame, tree, "")


def _value(world: World, node: Node, of: Scalar | List) -> Any:
    """A constant of a type: its notation, an expression known beforehand, or a list of these."""
    if isinstance(node, Sequence) and isinstance(of, List) and of.of is not None:
        made = tuple(_value(world, item, of.of) for item in node.items)
        if holds(of, made):
            return made
    elif isinstance(node, Text):
        plain = notation.read(of, node.value)
        if plain is not None:
            return plain
        known = _computed(world, node, of)
        if known is not None and holds(of, known):
            return known
    world.report.error("parameter.value", f"this is no value of {of}", node.span)
    raise Faulty


def _computed(world: World, text: Text, of: Scalar | List) -> Any:
    parsed = parse(text, "expr_text", world.report)
    if parsed is None:
        raise Faulty
    made = expression(Frame(world, text), cast(Syntax, parsed.tree.children[0]), of)
    return made.value if isinstance(made, n.Const) else None


def _parameters(world: World, document: Document, given: dict[str, Any]) -> None:
    node = document.root.entries.get("parameters")
    entries = node.entries if isinstance(node, Mapping) else {}
    for name, text in document.settings.items():
        if name not in entries:
            where = text.original or text
            world.report.error(
                "parameter.unknown",
                f"there is no parameter `{name}` to set",
                where.span,
                help=nearest(name, entries),
            )
    for name in given:
        if name not in entries:
            world.report.error(
                "parameter.unknown", f"there is no parameter `{name}`", help=nearest(name, entries)
            )
    for name, entry in entries.items():
        if name in world.declared or name in world.rulings:
            _clash(world, name, cast(Mapping, node).keys[name])
        elif isinstance(entry, Mapping):
            try:
                world.parameters[name] = _parameter(world, name, entry, document, given)
            except Faulty:
                continue


def _clash(world: World, name: str, word: Text) -> None:
    declared = world.declared.get(name)
    place = declared.span(world) if declared else world.rulings[name].span
    first = Label(place, "the other one") if place else None
    world.report.error("name.twice", f"`{name}` is declared twice", word.span, first)


def _parameter(
    world: World, name: str, entry: Mapping, document: Document, given: dict[str, Any]
) -> Parameter:
    text, default = entry.entries.get("type"), document.settings.get(name, entry.entries.get("default"))
    if not isinstance(text, Text) or default is None:
        raise Faulty
    of = _type_of(world, text)
    value = usual = _value(world, default, of)
    if name in given:
        value = _given(of, given[name])
        if value is None:
            what = f"a {of}" if isinstance(of, List) else f"one of {of}"
            world.report.error("parameter.value", f"`{name}` is {what}, not `{given[name]}`", text.span)
            raise Faulty
    return Parameter(name, of, value, usual, text_of(entry.entries.get("prose")))


def _given(of: Scalar | List, wanted: Any) -> Any:
    """A value from Python or the command line: itself or its notation; None if it is neither."""
    if isinstance(of, List) and of.of is not None and isinstance(wanted, list | tuple):
        made = tuple(_given(of.of, item) for item in wanted)
        return made if holds(of, made) else None
    if isinstance(of, Scalar) and isinstance(of, Truth) == isinstance(wanted, bool) and wanted in of:
        return wanted
    return notation.read(of, str(wanted))


def _rulings(world: World, document: Document, given: dict[str, str]) -> None:
    for rule in document.section("rules"):
        if "readings" in rule.entries or "settled" in rule.entries:
            name = id_of(rule)
            if name in world.rulings:
                world.report.error("name.twice", f"the ruling `{name}` stands here twice", rule.span)
            else:
                world.rulings[name] = _ruling(name, rule)
    for name, word in document.choices.items():
        _choose(world, name, word.value, word)
    for name, reading in given.items():
        _choose(world, name, reading, None)


def _ruling(name: str, rule: Mapping) -> Ruling:
    node = rule.entries.get("readings")
    readings: list[Reading] = []
    for key, value in node.entries.items() if isinstance(node, Mapping) else ():
        if isinstance(value, Mapping):
            readings.append(
                Reading(
                    key, text_of(value.entries.get("prose")), text_of(value.entries.get("modelled")) != "no"
                )
            )
        else:
            readings.append(Reading(key, text_of(value)))
    if not readings:
        readings.append(Reading("settled", text_of(rule.entries.get("settled"))))
    question = text_of(rule.entries.get("question"))
    source = tuple(w.value for w in words(rule.entries.get("source")))
    return Ruling(
        name,
        question,
        tuple(readings),
        readings[0].id,
        source,
        text_of(rule.entries.get("note")),
        span=rule.span,
    )


def _choose(world: World, name: str, reading: str, word: Text | None) -> None:
    place = word.span if word else None
    found = world.rulings.get(name)
    if found is None:
        where = word.original.span if word and word.original else place
        world.report.error(
            "ruling.unknown", f"there is no ruling `{name}`", where, help=nearest(name, world.rulings)
        )
        return
    known = {r.id: r for r in found.readings}
    if reading not in known:
        world.report.error(
            "ruling.reading", f"`{name}` has no reading `{reading}`", place, help=nearest(reading, known)
        )
    elif not known[reading].modelled:
        world.report.error(
            "ruling.modelled", f"the reading `{reading}` of `{name}` is listed but not modelled", place
        )
    else:
        world.rulings[name] = replace(found, chosen=reading)


# ---- declarations


def _declare(world: World, document: Document) -> None:
    seen: dict[str, Mapping] = {}
    for rule in document.section("rules"):
        name = id_of(rule)
        if name in seen:
            world.report.error(
                "name.twice",
                f"the rule `{name}` stands here twice",
                rule.entries["id"].span,
                seen[name].entries["id"].span,
            )
        seen[name] = rule
        formal = rule.entries.get("formal")
        if isinstance(formal, Text):
            for parsed in declarations(formal, world.report):
                tree = cast(Syntax, parsed.tree.children[0])
                kind = str(tree.data).removesuffix("_decl")
                word = tree.children[1 if kind == "state" else 0]
                if (kind, str(word)) not in document.removed:
                    world.declare(kind, cast(Any, word), tree, formal, name)
    for (kind, name), texts in document.overrides.items():
        for text in texts:
            for parsed in declarations(text, world.report):
                world.override(kind, name, cast(Syntax, parsed.tree.children[0]), text)


def _conditions(world: World, rules: Rules, document: Document) -> None:
    for entry in mappings(document.root.entries.get("conditions")):
        that = entry.entries.get("that")
        if not isinstance(that, Text):
            continue
        try:
            held = rules.condition(that, "")
        except Faulty:
            continue
        values = ", ".join(f"{p.id} = {notation.write(p.type, p.value)}" for p in world.parameters.values())
        if not isinstance(held, n.Const):
            world.report.error("condition.static", "a condition between parameters reads no state", that.span)
        elif not held.value:
            world.report.error(
                "condition.broken", f"{text_of(entry.entries.get('prose'))} Here {values}.", that.span
            )
