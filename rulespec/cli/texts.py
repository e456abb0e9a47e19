"""list, check, show: rulesets as texts."""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path
from typing import Any

from ..core.diagnostics import Diagnostic, RulesetError
from ..core.game import Game, Rule
from ..core.notation import write
from ..language import load, shipped
from .status import FAILED, HELD, WRONG, Usage, say, settings, table

PAGES = (".md", ".markdown")


def list(arguments: argparse.Namespace) -> int:
    """Name the shipped rulesets."""
    games = {name: load(name) for name in shipped()}
    if arguments.json:
        say(
            [
                {"name": n, "title": g.title, "summary": g.summary, "extends": [*g.extends]}
                for n, g in games.items()
            ]
        )
        return HELD
    print(table([(name, g.title, f"{g.players} player{'s' * (g.players > 1)}") for name, g in games.items()]))
    return HELD


def check(arguments: argparse.Namespace) -> int:
    """Read rulesets or pages, run their examples, name every fault."""
    wanted = arguments.what or [*shipped()]
    rulesets = [w for w in wanted if not _is_page(w)]
    pages = [w for w in wanted if _is_page(w)]
    faults: tuple[Diagnostic, ...] = ()
    wrong = False
    examples = 0
    for name in rulesets:
        found, ran, unreadable = _checked(name)
        faults, examples, wrong = faults + found, examples + ran, wrong or unreadable
    if pages:
        from ..book.fences import check_files

        checked = check_files(pages)
        faults, examples = faults + checked.faults, examples + len(checked.executed)
    if arguments.json:
        say({"checked": wanted, "examples": examples, "diagnostics": [f.to_data() for f in faults]})
    else:
        for fault in faults:
            print(fault.render())
        print(f"{len(rulesets)} rulesets, {examples} examples, {len(faults)} faults")
    errors = any(f.severity == "error" for f in faults)
    return WRONG if wrong else FAILED if errors else HELD


def _is_page(what: str) -> bool:
    path = Path(what)
    return path.suffix in PAGES or (path.is_dir() and not (path / "ruleset.yaml").is_file())


def _checked(name: str) -> tuple[tuple[Diagnostic, ...], int, bool]:
    """The faults of a ruleset, how many examples it has, and whether it could not be read at all."""
    from ..book.diagram import problems
    from ..play.examples import run_example
    from ..play.face import Game as Played

    try:
        core = load(name)
    except RulesetError as error:
        return error.diagnostics, 0, True
    game = Played(core, name)
    found = [*core.warnings, *problems(core)]
    ran = [example for rule in core.rules for example in rule.examples]
    for example in ran:
        found += run_example(game, example)
    return tuple(found), len(ran), False


def show(arguments: argparse.Namespace) -> int:
    """Print the rules."""
    game = load(arguments.name, **settings(arguments))
    rules = game.rules
    if arguments.rule:
        rules = tuple(r for r in rules if r.id == arguments.rule)
        if not rules:
            raise Usage(f"`{game.id}` has no rule `{arguments.rule}`")
    if arguments.json:
        say(_data(game, rules))
        return HELD
    if not arguments.rule:
        _show_head(game)
    for rule in rules:
        _show_rule(game, rule, arguments.formal)
    if not arguments.rule:
        for claim in game.claims.values():
            print(f"claim {claim.id} ({claim.kind}): {claim.prose}")
    return HELD


def _data(game: Game, rules: tuple[Rule, ...]) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "digest": game.digest,
        "players": game.players,
        "parameters": {p.id: write(p.type, p.value) for p in game.parameters.values()},
        "readings": {r.id: r.chosen for r in game.rulings.values()},
        "rules": [
            {"id": r.id, "kind": r.kind, "heading": r.heading, "prose": r.prose, "source": [*r.source]}
            for r in rules
        ],
        "claims": {c.id: c.prose for c in game.claims.values()},
    }


def _show_head(game: Game) -> None:
    print(game.title.upper())
    print(_wrapped(game.summary))
    for parameter in game.parameters.values():
        value = write(parameter.type, parameter.value)
        print(_wrapped(f"{parameter.id} = {value} (of {parameter.type}): {parameter.prose}", "  "))
    print()


def _show_rule(game: Game, rule: Rule, formal: bool) -> None:
    source = f"  [{', '.join(rule.source)}]" if rule.source else ""
    print(f"{rule.heading} ({rule.id}){source}")
    print(_wrapped(rule.prose, "  "))
    for name, prose in rule.requirements:
        print(_wrapped(f"{name}: {prose}", "    "))
    ruling = game.rulings.get(rule.id)
    if ruling is not None:
        print(_wrapped(ruling.question, "  ") if ruling.question else "", end="\n" if ruling.question else "")
        for reading in ruling.readings:
            mark = "*" if reading.id == ruling.chosen else " "
            print(_wrapped(f"{mark} {reading.id}: {reading.prose}", "  "))
    if formal:
        for what, text in rule.formal:
            print(textwrap.indent(f"{what}: {text}" if "\n" not in text else f"{what}:\n{text}", "    | "))
    print()


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, 100, initial_indent=indent, subsequent_indent=indent + "  ")
