"""A merged document to a game: players, parameters, readings, declarations, rules, claims, drawings."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as Given
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar, cast

from ..core import nodes as n
from ..core import notation
from ..core.diagnostics import Report
from ..core.game import Claim, Game, Ruling, Work
from ..core.meter import Meter
from . import arguments, bounds, circles
from .actions import actions
from .books import bound, positions
from .claims import check_best_play, claims
from .course import ends, outcome, reactions, setup, sights, turn
from .drawings import layers
from .elaborate.frame import Faulty, Frame, Syntax
from .elaborate.memory import Memories
from .elaborate.world import World
from .others import Settings
from .parser import Lost, Parsed, declarations
from .printer import Written
from .publish import published
from .rules import Rules, id_of
from .settings import Usual, settle_parameters, settled
from .shapes import text_of, words
from .variants import Document
from .work import ENTRY, bounded
from .yaml import Mapping, mappings
from .yaml import Scalar as Text

Made = TypeVar("Made")


def assemble(
    document: Document,
    report: Report,
    memories: Memories,
    meter: Meter,
    players: int | None = None,
    parameters: Given[str, Any] | None = None,
    readings: Given[str, str] | None = None,
) -> Game:
    """The game of a document under the given settings; raises RulesetError with every fault.

    The work is spent from `meter`; passing its limit is a fault too. `memories` are those of the document and
    hold the parts that its games share.
    """
    given = Settings(players, parameters or {}, readings or {})
    with bounded(report, meter):
        game = _assembled(document, report, memories, meter, given)
    report.raise_errors()
    return game


def _assembled(document: Document, report: Report, memories: Memories, meter: Meter, given: Settings) -> Game:
    players, parameters, readings = given.players, given.parameters, given.readings
    world, usual = settled(document, report, memories, meter, players, parameters, readings)
    _declare(world, document)
    settle_parameters(world, document, parameters)
    world.lifted |= document.lifted
    named = document.root.entries.get("positions")
    positions_there = named.entries if isinstance(named, Mapping) else ()
    rules = Rules(world, document.section("rules"), positions_there)
    rules.enter_conditions()
    world.make_all()
    _conditions(world, rules, document)
    game = _game(world, rules, document, usual, given)
    report.raise_errors()
    with meter.part("measuring the rules", document.root.span):
        bounds.check(game, report, memories.measured)
    arguments.check(game, world.spans, report)
    circles.check(game, report, memories.measured)
    check_best_play(game, usual, report)
    return game


def _game(world: World, rules: Rules, document: Document, usual: Usual, given: Settings) -> Game:
    head = document.root.entries
    source = head.get("source")
    about = source.entries if isinstance(source, Mapping) else {}
    acts = actions(rules)
    finished, follows, judged = _part(rules, ends), _part(rules, reactions), _part(rules, outcome)
    first, order, seen = _part(rules, setup), _part(rules, turn), _part(rules, sights)
    stated: dict[str, Claim] = claims(rules, document, given)
    drawn = layers(rules, document, acts)
    shown = published(rules, usual)
    if not acts and not world.report.count:
        world.report.error("game.actions", "a game needs at least one action", document.root.span)
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
        rulings=_asked(world, rules),
        rules=shown,
        types=_in_order(world, world.types),
        functions=_in_order(world, world.functions),
        state=_in_order(world, world.state),
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
        texts=Written(world.memory.trees),
        extends=tuple(document.lineage[:-1]),
        positions=positions(rules, document),
        bound=bound(rules, document),
        work=Work(
            text_of(about.get("author")) or text_of(head.get("author")),
            tuple(text_of(title) for title in words(about.get("title"))),
            text_of(about.get("year")),
        ),
        conditions=tuple(text_of(entry.entries.get("prose")) for entry in mappings(head.get("conditions"))),
    )


def _part(rules: Rules, make: Callable[[Rules], Made]) -> Made:
    """The result of `make`, or an earlier one of all rules under readings that say the same."""
    return rules.world.piece(("part", make.__name__), partial(make, rules))


def _in_order(world: World, made: Given[str, Made]) -> dict[str, Made]:
    """What was made, in order of declaration, after what every game has."""
    given = {name: thing for name, thing in made.items() if name not in world.declared}
    return given | {name: made[name] for name in world.declared if name in made}


def _asked(world: World, rules: Rules) -> dict[str, Ruling]:
    """The rulings, each with the ids that ask for it: clauses in the order of the rules, then all others."""
    clauses: dict[str, set[str]] = {}
    for ruling, clause in world.remembering.asked:
        clauses.setdefault(ruling, set()).add(clause)
    places = {id_of(rule): number for number, rule in enumerate(rules.rules)}

    def place(clause: str) -> tuple[int, str]:
        return places.get(clause, len(places)), clause

    return {
        name: replace(ruling, asked=tuple(sorted(clauses.get(name, ()), key=place)))
        for name, ruling in world.rulings.items()
    }


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
            with world.meter.part(f"this text of `{name}`", formal.span):
                _declare_all(world, document, formal, name)
    for (kind, name), texts in document.overrides.items():
        older = world.declared.get(name)
        if older is not None and older.text is document.holders[kind, name]:
            for text in texts:
                _override(world, kind, name, text)


def _override(world: World, kind: str, name: str, text: Text) -> None:
    """Replace a declaration by the one in a text of a variant, which must be of the same kind and name."""
    found = _declarations(world, text)
    if any(isinstance(parsed, Lost) for parsed in found):
        return
    trees = [cast(Syntax, parsed.tree.children[0]) for parsed in found if isinstance(parsed, Parsed)]
    told = [_head(tree) for tree in trees]
    if told != [(kind, name)]:
        listed = " and ".join(f"`{of} {word}`" for of, word in told) or "nothing"
        message = f"`{kind}.{name}` is replaced by one declaration of `{kind} {name}`; this declares {listed}"
        others = [tree for tree, head in zip(trees, told, strict=True) if head != (kind, name)] or trees[1:]
        place = Frame(world, text).span(others[0]) if others else text.span
        help = "further declarations stand under `formal` of a rule that the variant adds"
        world.report.error("variant.declaration", message, place, help=help)
        return
    world.override(name, trees[0], text)


def _head(tree: Syntax) -> tuple[str, str]:
    """The kind and the name of a declaration."""
    kind = str(tree.data).removesuffix("_decl")
    return kind, str(tree.children[1 if kind == "state" else 0])


def _declarations(world: World, text: Text) -> list[Parsed | Lost]:
    """The declarations in a text; a text without faults is parsed once for all games of a document."""
    cached = world.memory.texts.declarations
    if text in cached:
        return cached[text]
    faults = world.report.count
    parsed = [*declarations(text, world.report, world.meter)]
    if world.report.count == faults:
        cached[text] = parsed
    return parsed


def _declare_all(world: World, document: Document, formal: Text, clause: str) -> None:
    for parsed in _declarations(world, formal):
        if isinstance(parsed, Lost):
            world.lose(parsed.kind, parsed.name, formal, clause)
            continue
        tree = cast(Syntax, parsed.tree.children[0])
        kind, _ = _head(tree)
        word = tree.children[1 if kind == "state" else 0]
        if document.removed.get((kind, str(word))) is not formal:
            world.declare(kind, cast(Any, word), tree, formal, clause)


def _conditions(world: World, rules: Rules, document: Document) -> None:
    for entry in mappings(document.root.entries.get("conditions")):
        that = entry.entries.get("that")
        if not isinstance(that, Text):
            continue
        try:
            held = rules.condition(that, "")
        except Faulty:
            continue
        if not isinstance(held, n.Const):
            world.report.error("condition.static", "a condition between parameters reads no state", that.span)
        elif not held.value:
            world.meter.spend(ENTRY * len(world.parameters))
            values = ", ".join(
                f"{p.id} = {notation.write(p.type, p.value)}" for p in world.parameters.values()
            )
            world.report.error(
                "condition.broken", f"{text_of(entry.entries.get('prose'))} Here {values}.", that.span
            )
