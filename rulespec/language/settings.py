"""Settings, which precede the rules: players, parameters, readings; and the settings of examples."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Mapping as Given
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast

from ..core import nodes as n
from ..core import notation
from ..core.diagnostics import Label, Report, Span
from ..core.game import OPEN, Parameter, Reading, Ruling
from ..core.meter import Meter
from ..core.numbers import MOST_DIGITS, whole_number
from ..core.types import Int, List, Scalar, Truth, holds
from .documents.shapes import text_of, words
from .documents.variants import Document
from .documents.yaml import Mapping, Node, Sequence
from .documents.yaml import Scalar as Text
from .elaborate.expressions import expression
from .elaborate.memoisation import Memories
from .elaborate.world import Faulty, Frame, World
from .elaborate.written_types import defined_type
from .rules import id_of
from .syntax.parser import Syntax, parse

NOTHING: Given[str, Node] = {}


@dataclass(frozen=True)
class Settings:
    """The settings that a ruleset is loaded with, over its defaults."""

    players: int | None = None
    parameters: Given[str, Any] = field(default_factory=dict)
    readings: Given[str, str] = field(default_factory=dict)
    left_open: Collection[str] = ()
    """The rulings that are left open: see `lowering.draw_open_readings`."""


@dataclass(frozen=True)
class Usual:
    """The defaults of a document, independent of its current settings; those of parameters are in
    `Parameter`."""

    players: int
    allowed: Int | None
    """The allowed numbers of players; None if the document declares them wrongly."""
    readings: Given[str, str]
    document: Document


def settle(
    document: Document, report: Report, memories: Memories, meter: Meter, given: Settings
) -> tuple[World, Usual]:
    """A world without declarations, in which players and readings are settled."""
    usual, chosen = _players(document, report, meter, given.players)
    world = World(report, memories.last, chosen, meter=meter)
    _rulings(world, document)
    defaults = {name: ruling.chosen for name, ruling in world.rulings.items()}
    for name, reading in given.readings.items():
        _choose(world, document, name, reading, None)
    for name in given.left_open:
        if name in world.rulings:
            world.rulings[name] = replace(world.rulings[name], chosen=OPEN)
        else:
            report.error("ruling.unknown", f"there is no ruling `{name}`", None)
    allowed = allowed_players(document, Report(), meter)
    world.most_players = max(world.players, allowed.hi if allowed is not None else 1)
    return world, Usual(usual, allowed, defaults, document)


def settings_of_example(
    world: World, usual: Usual, example: Mapping, written_for: Given[str, Node] = NOTHING
) -> Given[str, Any] | None:
    """The settings of the game that an example is about; None if it is this game.

    A setting missing in the example has the value it was `written_for`, or else its default. Raises Faulty
    for a name that does not exist. An inherited example for other numbers of players is no fault.
    """
    held = example.entries.get("players") or written_for.get("players")
    asked = text_of(held)
    players = whole_number(asked) if asked else None
    found: dict[str, dict[str, Node]] = {}
    for key in ("parameters", "readings"):
        found[key] = dict(_entries(written_for.get(key))) | dict(_entries(example.entries.get(key)))
    parameters = {name: _parameter_asked(world, name, node) for name, node in found["parameters"].items()}
    readings = {name: _reading_asked(world, name, node) for name, node in found["readings"].items()}
    if held is not None and players is None:
        world.report.error("players.number", "the number of players is a number", held.span)
        raise Faulty
    if (
        held is not None
        and players is not None
        and usual.allowed is not None
        and players not in usual.allowed
    ):
        if id(example) not in usual.document.inherited:
            message = f"this game is for {players_in_words(usual.allowed)} players, not {players}"
            world.report.error("players.number", message, held.span)
        raise Faulty
    here = (
        (usual.players if players is None else players) == world.players
        and all(parameters.get(p.id, p.default) == p.value for p in world.parameters.values())
        and all(readings.get(r.id, usual.readings[r.id]) == r.chosen for r in world.rulings.values())
    )
    if here:
        return None
    given = {name: notation.write(world.parameters[name].type, v) for name, v in parameters.items()}
    return {"players": players, "parameters": given, "readings": readings}


def _entries(node: Node | None) -> list[tuple[str, Node]]:
    return list(node.entries.items()) if isinstance(node, Mapping) else []


def _instead(world: World, name: str, parameters: Collection[str]) -> str:
    """Advice on a missing parameter."""
    if name in world.rulings:
        return f"`{name}` is a ruling: choose a reading of it"
    if name == "players":
        return "write `players: …` beside `set`"
    return world.report.choices(name, parameters)


def _parameter_asked(world: World, name: str, node: Node) -> Any:
    if name not in world.parameters:
        help = _instead(world, name, world.parameters)
        world.report.error("parameter.unknown", f"there is no parameter `{name}`", node.span, help=help)
        raise Faulty
    return _value(world, node, cast("Scalar | List", world.parameters[name].type))


def _reading_asked(world: World, name: str, node: Node) -> str:
    if not isinstance(node, Text) or not known_reading(world, name, node.value, node.span, node.span):
        raise Faulty
    return node.value


def allowed_players(document: Document, report: Report, meter: Meter) -> Int | None:
    """The allowed numbers of players; None, with the fault reported, if the document declares them
    wrongly."""
    node = document.root.entries.get("players")
    if node is None:
        return Int("number", range(1, 2))
    text = node.entries.get("number") if isinstance(node, Mapping) else node
    try:
        allowed = _type_of(World(report, meter=meter), text) if isinstance(text, Text) else None
    except Faulty:
        return None
    if isinstance(allowed, Int) and allowed.lo >= 1 and allowed.hi <= 16:
        return allowed
    place = text.span if text is not None else node.span
    report.error("players.number", "the number of players is between 1 and 16", place)
    return None


def players_in_words(allowed: Int) -> str:
    """Numbers of players in words."""
    gaps = len(allowed.values) <= allowed.hi - allowed.lo
    return " or ".join(map(str, allowed.values)) if gaps else str(allowed)


def _players(document: Document, report: Report, meter: Meter, asked: int | None) -> tuple[int, int]:
    """The default number of players, and the requested one if it is allowed."""
    node = document.root.entries.get("players")
    allowed = allowed_players(document, report, meter)
    if node is None or allowed is None:
        return 1, asked or 1
    text = node.entries.get("number") if isinstance(node, Mapping) else node
    wanted = node.entries.get("default") if isinstance(node, Mapping) else None
    try:
        assert isinstance(text, Text)
        first = allowed.lo if wanted is None else int(_value(World(report, meter=meter), wanted, allowed))
    except Faulty:
        return 1, asked or 1
    if asked is not None and asked not in allowed:
        message = f"this game is for {players_in_words(allowed)} players, not {asked}"
        report.error("players.number", message, text.span)
        return first, first
    return first, asked or first


def _type_of(world: World, text: Text) -> Scalar | List:
    value = whole_number(text.value)
    if value is not None:
        return Int("number", range(value, value + 1))
    if text.value.isascii() and text.value.isdigit():
        world.report.error("number.size", f"a number has at most {MOST_DIGITS} digits", text.span)
        raise Faulty
    parsed = parse(text, "type_text", world.report, world.meter)
    if parsed is None:
        raise Faulty
    frame, tree = Frame(world, text), cast(Syntax, parsed.tree.children[0])
    made = defined_type(frame, tree, "")
    if not isinstance(made, Scalar | List):
        frame.fail("type.scalar", f"a parameter is a single value or a list, not {made}", tree)
    return made


def _value(world: World, node: Node, of: Scalar | List) -> Any:
    """A constant of a type from YAML: its notation, a constant expression, or a list of these.

    Raises Faulty.
    """
    if isinstance(node, Sequence) and isinstance(of, List) and of.of is not None:
        made = tuple(_value(world, item, of.of) for item in node.items)
        if holds(of, made):
            return made
    elif isinstance(node, Text):
        plain = notation.read(of, node.value)
        if plain is not None:
            return plain
        known = _compute(world, node, of)
        if known is not None and holds(of, known):
            return known
    world.report.error("parameter.value", f"this is no value of {of}", node.span)
    raise Faulty


def _compute(world: World, text: Text, of: Scalar | List) -> Any:
    parsed = parse(text, "expr_text", world.report, world.meter)
    if parsed is None:
        raise Faulty
    made = expression(Frame(world, text), cast(Syntax, parsed.tree.children[0]), of)
    return made.value if isinstance(made, n.Const) else None


def settle_parameters(world: World, document: Document, given: Given[str, Any]) -> None:
    """Give every parameter its value, after the types have been declared."""
    node = document.root.entries.get("parameters")
    entries = node.entries if isinstance(node, Mapping) else {}
    for name, text in document.settings.items():
        if name not in entries:
            where = text.original or text
            words, help = f"there is no parameter `{name}` to set", _instead(world, name, entries)
            world.report.error("parameter.unknown", words, where.span, help=help)
    for name in given:
        if name not in entries:
            help = _instead(world, name, entries)
            world.report.error("parameter.unknown", f"there is no parameter `{name}`", help=help)
    for name, entry in entries.items():
        if name in world.declared or name in world.rulings:
            _report_duplicate(world, name, cast(Mapping, node).keys[name])
        elif isinstance(entry, Mapping):
            try:
                world.parameters[name] = _parameter(world, name, entry, document, given)
            except Faulty:
                continue


def _report_duplicate(world: World, name: str, word: Text) -> None:
    declared = world.declared.get(name)
    place = declared.span(world) if declared else world.rulings[name].span
    first = Label(place, "the other one") if place else None
    world.report.error("name.twice", f"`{name}` is declared twice", word.span, first)


def _parameter(
    world: World, name: str, entry: Mapping, document: Document, given: Given[str, Any]
) -> Parameter:
    text, default = entry.entries.get("type"), document.settings.get(name, entry.entries.get("default"))
    if not isinstance(text, Text) or default is None:
        raise Faulty
    of = world.parameter_type(name, partial(_type_of, world, text))
    value = usual = _value(world, default, of)
    if name in given:
        asked = _value_given(of, given[name])
        if asked is None:  # goes on with the usual value, so that nothing else is told than this
            what = f"a {of}" if isinstance(of, List) else f"one of {of}"
            world.report.error("parameter.value", f"`{name}` is {what}, not `{given[name]}`", text.span)
        else:
            value = asked
    prose, cited = text_of(entry.entries.get("prose")), words(entry.entries.get("source"))
    return Parameter(name, of, value, usual, prose, tuple(word.value for word in cited))


def _value_given(of: Scalar | List, wanted: Any) -> Any:
    """A value given in Python or on the command line, as itself or in notation; None if it is neither."""
    if isinstance(of, List) and of.of is not None and isinstance(wanted, list | tuple):
        made = tuple(_value_given(of.of, item) for item in wanted)
        return made if holds(of, made) else None
    if isinstance(of, Scalar) and isinstance(of, Truth) == isinstance(wanted, bool) and wanted in of:
        return wanted
    return notation.read(of, str(wanted))


def _rulings(world: World, document: Document) -> None:
    for rule in document.section("rules"):
        if "readings" in rule.entries or "settled" in rule.entries:
            name = id_of(rule)
            if name in world.rulings:
                world.report.error("name.twice", f"the ruling `{name}` appears here twice", rule.span)
            else:
                world.rulings[name] = world.piece(("ruling", name), partial(_ruling, name, rule))
    for name, word in document.choices.items():
        _choose(world, document, name, word.value, word)


def _ruling(name: str, rule: Mapping) -> Ruling:
    node = rule.entries.get("readings")
    readings: list[Reading] = []
    for key, value in node.entries.items() if isinstance(node, Mapping) else ():
        if isinstance(value, Mapping):
            prose, modelled = (text_of(value.entries.get(part)) for part in ("prose", "modelled"))
            readings.append(Reading(key, prose, modelled != "no"))
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


def _choose(world: World, document: Document, name: str, reading: str, word: Text | None) -> None:
    place = word.span if word else None
    named = word.original.span if word and word.original else place
    parameters = document.root.entries.get("parameters")
    if name not in world.rulings and isinstance(parameters, Mapping) and name in parameters.entries:
        help = f"`{name}` is a parameter: set its value"
        world.report.error("ruling.unknown", f"there is no ruling `{name}`", named, help=help)
    elif known_reading(world, name, reading, named, place):
        world.rulings[name] = replace(world.rulings[name], chosen=reading)


def known_reading(world: World, name: str, reading: str, named: Span | None, place: Span | None) -> bool:
    """True if a ruling has a reading with formal text; otherwise a fault is reported."""
    found = world.rulings.get(name)
    known = {r.id: r for r in found.readings} if found else {}
    if found is None:
        help = world.report.choices(name, world.rulings)
        world.report.error("ruling.unknown", f"there is no ruling `{name}`", named, help=help)
    elif reading not in known:
        help = world.report.choices(reading, known)
        world.report.error("ruling.reading", f"`{name}` has no reading `{reading}`", place, help=help)
    elif not known[reading].modelled:
        message = f"the reading `{reading}` of `{name}` is listed but not modelled"
        world.report.error("ruling.modelled", message, place)
    return reading in known and known[reading].modelled
