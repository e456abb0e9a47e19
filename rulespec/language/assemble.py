"""A merged document to a game: players, parameters, readings, declarations, rules, claims, drawings."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as Given
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from ..core import nodes as n
from ..core import notation
from ..core.diagnostics import Report
from ..core.game import Claim, Game, Ruling, Work
from ..core.meter import Meter
from . import bounds, legality_tests
from .actions import actions, choices_of_action, enter_action_bodies
from .books import book_section, positions
from .claims import check_best_play, claims, name_sides
from .course import ends, outcome, reactions, setup, sights, turn
from .declarations import declare
from .documents.shapes import text_of, words
from .documents.variants import Document
from .documents.yaml import Mapping
from .documents.yaml import Scalar as Text
from .drawings import layers
from .elaborate.folding import TRUE
from .elaborate.memoisation import Memories
from .elaborate.world import Faulty, World
from .fitting_values import CONDITIONS, FittingValues, conditions, in_words
from .libraries import check_arguments, make_reached
from .lowering import draw_open_readings
from .presentations import presentation
from .published_rules import publish_rules
from .results import enter_results
from .rules import Rules, id_of
from .settings import Settings, Usual, settle, settle_parameters
from .stages import declared_stages, enter_stages
from .starts import enter_starts
from .syntax.printer import PrintedExpressions
from .work_limit import ENTRY, report_limits

Made = TypeVar("Made")


def assemble(document: Document, report: Report, memories: Memories, meter: Meter, given: Settings) -> Game:
    """The game of a document under the given settings; raises RulesetError with every fault.

    The work is spent from `meter`; exceeding its limit is a fault too. `memories` belong to the document and
    hold the parts that its games share.
    """
    with report_limits(report, meter):
        game = _assemble(document, report, memories, meter, given)
    report.raise_errors()
    return game


def _assemble(document: Document, report: Report, memories: Memories, meter: Meter, given: Settings) -> Game:
    """Elaborate a document into a game, with faults in `report`."""
    world, usual = settle(document, report, memories, meter, given)
    declare(world, document)
    settle_parameters(world, document, given.parameters)
    world.lifted |= document.lifted
    named = document.root.entries.get("positions")
    positions_there = named.entries if isinstance(named, Mapping) else ()
    rules = Rules(world, document.section("rules"), positions_there)
    rules.enter_conditions()
    enter_results(rules)
    enter_starts(rules, document)
    enter_stages(rules, choices_of_action)
    enter_action_bodies(rules)
    world.make_all()
    check_arguments(world, document)
    fitting = FittingValues(document, memories, world)
    _check_conditions(world, rules, document, fitting)
    game = name_sides(replace(_game(world, rules, document, usual, given), fitting=fitting))
    report.raise_errors()
    with meter.part("measuring the rules", document.root.span):
        bounds.check(game, report, memories.measured)
    legality_tests.check_arguments(game, world.spans, report)
    legality_tests.check_cycles(game, report, memories.measured)
    check_best_play(game, usual, report)
    return game


def _game(world: World, rules: Rules, document: Document, usual: Usual, given: Settings) -> Game:
    """Put the elaborated parts of a game together."""
    head = document.root.entries
    source = head.get("source")
    about = source.entries if isinstance(source, Mapping) else {}
    acts = actions(rules)
    finished, follows, judged = (_share(rules, ends), _share(rules, reactions), _share(rules, outcome))
    first, order, seen = _share(rules, setup), _share(rules, turn), _share(rules, sights)
    first = draw_open_readings(world, first)
    stated: dict[str, Claim] = claims(rules, document, given, assemble)
    drawn = layers(rules, document, acts)
    make_reached(world, document)
    shown = publish_rules(rules, usual)
    words_of_table = presentation(rules, document, acts)  # its words of libraries are no rules
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
        rulings=_rulings_with_users(world, rules),
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
        texts=PrintedExpressions(world.memory.trees),
        extends=tuple(document.lineage[:-1]),
        positions=positions(rules, document),
        bound=book_section(rules, document),
        work=Work(
            text_of(about.get("author")) or text_of(head.get("author")),
            tuple(text_of(title) for title in words(about.get("title"))),
            text_of(about.get("year")),
        ),
        conditions=tuple(text_of(entry.entries.get("prose")) for entry in conditions(document)),
        stages=_share(rules, declared_stages),
        presentation=words_of_table,
    )


def _share(rules: Rules, make: Callable[[Rules], Made]) -> Made:
    """The result of `make`, or an earlier result for all rules under readings that give the same."""
    return rules.world.piece(("part", make.__name__), partial(make, rules))


def _in_order(world: World, made: Given[str, Made]) -> dict[str, Made]:
    """Declarations in order, after those that every game has."""
    given = {name: thing for name, thing in made.items() if name not in world.declared}
    return given | {name: made[name] for name in world.declared if name in made}


def _rulings_with_users(world: World, rules: Rules) -> dict[str, Ruling]:
    """The rulings with the ids that refer to each: clauses in the order of the rules, then all others."""
    clauses: dict[str, set[str]] = {}
    for ruling, clause in world.remembering.asked:
        if clause:
            clauses.setdefault(ruling, set()).add(clause)
    places = {id_of(rule): number for number, rule in enumerate(rules.rules)}

    def place(clause: str) -> tuple[int, str]:
        return places.get(clause, len(places)), clause

    asked = {name: tuple(sorted(clauses.get(name, ()), key=place)) for name in world.rulings}
    return {name: replace(ruling, asked=asked[name]) for name, ruling in world.rulings.items()}


def _broken_conditions(world: World, rules: Rules, document: Document) -> list[Mapping]:
    """The conditions between parameters that do not hold."""
    broken = []
    for entry in conditions(document):
        that = entry.entries.get("that")
        with suppress(Faulty):
            held = rules.condition(that, "") if isinstance(that, Text) else TRUE
            if not isinstance(held, n.Const):
                message = "a condition between parameters reads no state"
                world.report.error("condition.static", message, entry.entries["that"].span)
            elif not held.value:
                broken.append(entry)
    return broken


def _check_conditions(world: World, rules: Rules, document: Document, fitting: FittingValues) -> None:
    for entry in world.piece(CONDITIONS, partial(_broken_conditions, world, rules, document)):
        world.meter.spend(ENTRY * len(world.parameters))
        values = in_words({p.id: notation.write(p.type, p.value) for p in world.parameters.values()})
        message = f"{text_of(entry.entries.get('prose'))} Here {values}."
        span = entry.entries["that"].span
        world.report.error("condition.broken", message, span, help=fitting.advice)
