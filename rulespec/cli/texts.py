"""show, schema: rulesets as texts."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ..core.diagnostics import nearest
from ..core.game import Game, Rule
from ..core.notation import in_words, write
from ..core.verdicts import Store, beside
from ..language import load, locate
from ..language.documents.json_schema import ruleset_schema_text
from ..play.observation import secrets_in_words
from .output import escape, fill, print_json
from .status import HELD, Usage, settings

if TYPE_CHECKING:
    from ..play.consequences import Consequences


def show(arguments: argparse.Namespace) -> int:
    """Print the rules."""
    game = load(arguments.name, **settings(arguments))
    rules = game.rules
    if arguments.rule:
        rules = tuple(r for r in rules if r.id == arguments.rule)
        if not rules:
            advice = nearest(arguments.rule, (r.id for r in game.rules))
            raise Usage(f"`{game.id}` has no rule `{arguments.rule}`" + (f"; {advice}" if advice else ""))
    if arguments.code:
        return _show_code(game, arguments.json)
    found = _consequences(arguments) if arguments.rule in game.rulings else {}
    if arguments.json:
        print_json({**_data(game, rules), "consequences": [one.to_data() for one in found.values()]})
        return HELD
    if not arguments.rule:
        _show_head(game)
    for rule in rules:
        _show_rule(game, rule, arguments.formal, found)
    if not arguments.rule and game.claims:
        print("Claims")
        for claim in game.claims.values():
            print(fill(f"{claim.id} ({claim.kind.replace('_', '-')}): {claim.prose}", "  "))
    return HELD


def _consequences(arguments: argparse.Namespace) -> dict[str, Consequences]:
    """The consequences of each unchosen reading of the shown ruling."""
    from ..core.verdicts.stamps import Stamps
    from ..play.consequences import consequences
    from ..play.face import load as load_game

    game = load_game(arguments.name, **settings(arguments))
    store, stamps = Store.read(beside(locate(arguments.name))), Stamps()
    ruling = game.core.rulings[arguments.rule]
    return {one.reading: one for one in consequences(game, store, stamps.of, ruling)}


def _show_code(game: Game, as_json: bool) -> int:
    """Print the generated code of a game. Raises Usage if it is too large."""
    from ..code import TooLarge, write

    try:
        written = write(game)
    except TooLarge as error:
        raise Usage(f"`{game.id}` has no code: {error}") from None
    if as_json:
        print_json({**_data(game, ()), "code": written.text, "names": dict(written.meanings)})
    else:
        for line in written.listing.split("\n"):
            print(escape(line))
    return HELD


def _data(game: Game, rules: tuple[Rule, ...]) -> dict[str, Any]:
    """A game and some of its rules as JSON data."""
    return {
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "extends": [*game.extends],
        "digest": game.digest,
        "players": game.players,
        "parameters": {p.id: write(p.type, p.value) for p in game.parameters.values()},
        "fitting": [*game.fitting.values] if game.fitting is not None else [],
        "readings": {r.id: r.chosen for r in game.rulings.values()},
        "rules": [_rule_data(rule) for rule in rules],
        "claims": {c.id: c.prose for c in game.claims.values()},
    }


def _rule_data(rule: Rule) -> dict[str, Any]:
    """A rule as JSON data."""
    return {
        "id": rule.id,
        "kind": rule.kind,
        "heading": rule.heading,
        "prose": rule.prose,
        "source": [*rule.source],
        "requirements": dict(rule.requirements),
        "formal": [{"what": what, "text": text} for what, text in rule.formal],
    }


def _show_head(game: Game) -> None:
    """Print the title, summary and settings of a game."""
    print(game.title.upper())
    if game.summary:
        print(fill(game.summary, "", ""))
    if game.extends:
        print(fill(f"a variant of {', '.join(reversed(game.extends))}", "  "))
    print(f"  players = {game.players}")
    for parameter in game.parameters.values():
        value = write(parameter.type, parameter.value)
        print(fill(f"{parameter.id} = {value} (of {in_words(parameter.type)}): {parameter.prose}", "  "))
    for condition in game.conditions:
        print(fill(condition, "  "))
    if game.fitting is not None and game.fitting.advice:
        print(fill(f"{game.fitting.advice.capitalize()}.", "  "))
    print()


def _show_rule(game: Game, rule: Rule, formal: bool, found: Mapping[str, Consequences]) -> None:
    """Print a rule; `found` are the consequences of readings, by reading."""
    title = rule.heading or rule.id.replace("-", " ").capitalize()
    source = f"  [{', '.join(rule.source)}]" if rule.source else ""
    print(fill(f"{title} ({rule.id}){source}"))
    print(fill(rule.prose, "  ", "  "))
    for name, prose in rule.requirements:
        print(fill(f"{name}: {prose}", "    "))
    for text in secrets_in_words(game, game.actions[rule.id]) if rule.id in game.actions else ():
        print(fill(text, "    "))
    if rule.binds:
        print(fill(f"binds {', '.join(rule.binds)}", "    "))
    ruling = game.rulings.get(rule.id)
    if ruling is not None and len(ruling.readings) == 1:
        print(fill(f"decided here: {ruling.readings[0].prose}", "  "))
    elif ruling is not None:
        print(fill(ruling.question, "  ", "  "))
        for reading in ruling.readings:
            mark = "*" if reading.id == ruling.chosen else " "
            print(fill(f"{mark} {reading.id}: {reading.prose}", "  ", "      "))
            for text in found[reading.id].sentences if reading.id in found else ():
                print(fill(f"- {text}", "      ", "        "))
    if rule.note:
        print(fill(f"note: {rule.note}", "  "))
    if formal:
        for what, text in rule.formal:
            print(textwrap.indent(f"{what}: {text}" if "\n" not in text else f"{what}:\n{text}", "    | "))
    print()


def schema(arguments: argparse.Namespace) -> int:
    """Print the JSON schema of a command's output, or list all schemas."""
    folder = files(__package__) / "schemas"
    names = (e.name for e in folder.iterdir() if e.name.endswith(".json"))
    known = sorted(["ruleset", *(name.removesuffix(".json") for name in names)])
    if arguments.of == "ruleset":
        print(ruleset_schema_text(), end="")
    elif arguments.of is None:
        print("\n".join(known))
    elif arguments.of not in known:
        advice = nearest(arguments.of, known) or "there are " + ", ".join(known)
        raise Usage(f"there is no schema `{arguments.of}`; {advice}")
    else:
        print((folder / f"{arguments.of}.json").read_text(encoding="utf-8"), end="")
    return HELD
