"""list, check, show, schema: rulesets as texts."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..budgets import UNBOUNDED, Budget, can_fork, cores, map_unordered
from ..core.diagnostics import Diagnostic, Report, RulesetError, nearest
from ..core.game import Game, Other, Rule
from ..core.notation import in_words, write
from ..language import Outline, load, locate, outline, read, shipped
from ..language.loader import shown
from ..language.work import MOST_WORK, TOO_MUCH, bounded, new_meter
from ..play.observation import kept_secret
from .output import escaped, filled, say, table
from .passed import Passed
from .readying import readying
from .status import FAILED, HELD, UNDECIDED, WRONG, Usage, settings

if TYPE_CHECKING:
    from ..play.face import Game as Played

PAGES = (".md", ".markdown")

MANY = 4
"""From how many rulesets or pages on they are checked in processes of their own."""


def list(arguments: argparse.Namespace) -> int:
    """Name the shipped rulesets."""
    found = {name: outline(name) for name in shipped()}
    if arguments.json:
        rows = [
            {
                "name": name,
                "title": o.title,
                "summary": o.summary,
                "players": [*o.players],
                "extends": [*o.extends],
                "claims": o.claims,
                "faults": o.faults,
            }
            for name, o in found.items()
        ]
        say({"rulesets": rows})
    else:
        print(table([_listed(name, found[name], depth) for name, depth in _in_order(found)]))
    return HELD


def _in_order(found: Mapping[str, Outline]) -> Iterator[tuple[str, int]]:
    """Names with their depth: each ruleset before those that extend it, those without a base at depth 0."""

    def below(base: str, depth: int) -> Iterator[tuple[str, int]]:
        for name, o in found.items():
            nearest_base = next((e for e in reversed(o.extends) if e in found and e != name), "")
            if nearest_base == base:
                yield name, depth
                yield from below(name, depth + 1)

    yield from below("", 0)


def _listed(name: str, o: Outline, depth: int) -> tuple[str, ...]:
    players = "1 player" if o.players == (1,) else f"{_numbers(o.players)} players"
    claims = "1 claim" if o.claims == 1 else f"{o.claims} claims"
    words = f"faulty: see `rulespec check {name}`" if o.faults else o.title
    return ("  " * depth + name, players, claims, words)


def _numbers(numbers: Sequence[int]) -> str:
    """Ascending numbers in words: a range, or a choice."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]}-{numbers[-1]}"
    return " or ".join(map(str, numbers))


def check(arguments: argparse.Namespace) -> int:
    """Read rulesets or pages, run their examples, name every fault."""
    wanted = arguments.what or [*shipped()]
    done = [*_all_checked(wanted, arguments.again)]
    stopped = _deepen(wanted, done, arguments) if arguments.deep else None
    faults = tuple(fault for one in done for fault in one.faults)
    rulesets, pages, examples = (
        sum(getattr(one, k) for one in done) for k in ("rulesets", "pages", "examples")
    )
    unchanged = sum(one.unchanged for one in done)
    wrong = any(one.unreadable for one in done)
    errors = sum(f.severity == "error" for f in faults)
    if arguments.json:
        counts = {"rulesets": rulesets, "pages": pages, "examples": examples, "unchanged": unchanged}
        say({"checked": wanted, **counts, "diagnostics": [f.to_data() for f in faults]})
    else:
        for fault in faults:
            print(fault.render())
        counted = [_count(rulesets, "ruleset")] if rulesets else []
        counted += [_count(pages, "page")] if pages else []
        counted += [_count(examples, "example")] if counted else []
        counted += [_count(errors, "fault")]
        doubts = len(faults) - errors
        counted += [_count(doubts, "doubt")] if doubts else []
        counted += [f"{unchanged} unchanged since they passed"] if unchanged else []
        print(", ".join(counted))
    if stopped is not None:
        raise stopped
    nothing = not rulesets and not examples
    return WRONG if wrong else FAILED if errors else UNDECIDED if nothing else HELD


def _deepen(
    names: Sequence[str], done: MutableSequence[Checked], arguments: argparse.Namespace
) -> KeyboardInterrupt | None:
    """Add what in rulesets without a fault is idle; the interrupt after which no more was looked for."""
    from .deep import warnings
    from .output import Progress

    progress, call = Progress(), Budget(arguments.timeout or inf, arguments.memory)
    try:
        for i, (name, one) in enumerate(zip(names, done, strict=True)):
            if not one.pages and not one.unreadable and not any(f.severity == "error" for f in one.faults):
                done[i] = replace(one, unchanged=False)
                for warning in warnings(name, call, arguments.each, progress):
                    done[i] = replace(done[i], faults=(*done[i].faults, warning))
    except KeyboardInterrupt as interrupt:
        return interrupt
    finally:
        progress.clear()
    return None


def _count(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")


def _is_page(what: str) -> bool:
    path = Path(what)
    return path.suffix in PAGES or (path.is_dir() and not (path / "ruleset.yaml").is_file())


@dataclass(frozen=True)
class Checked:
    """The result of checking one ruleset, one page or one folder of pages."""

    faults: tuple[Diagnostic, ...]
    rulesets: int = 0
    pages: int = 0
    examples: int = 0
    unreadable: bool = False
    """True if it could not be read at all, or exceeded the limit of work."""
    unchanged: bool = False
    """True if it passed before and nothing has changed that it rests on."""


def _all_checked(names: Sequence[str], again: bool) -> Iterator[Checked]:
    """The result of each, in order; of shipped rulesets that passed as they are, the kept one."""
    passed = Passed()
    known = {} if again or not shipped().keys() & {*names} else passed.examples
    afresh = [name for name in names if name not in known]
    done = dict(zip(afresh, _checked_at_once(afresh), strict=True))
    clean = {name: one.examples for name, one in done.items() if name in shipped() and not one.faults}
    if clean:
        passed.keep(clean)
    for name in names:
        yield done[name] if name in done else Checked((), 1, 0, known[name], unchanged=True)


def _checked_at_once(names: Sequence[str]) -> Iterator[Checked]:
    """The result of each: many at a time, on every core, where processes can be forked."""
    if len(names) < MANY or not can_fork():
        yield from map(_checked, names)
        return
    # The longest come first, so that none is left running alone at the end.
    waiting = sorted({*names}, key=_length, reverse=True)
    found = {
        name: _died(name, one) if isinstance(one, Exception) else one
        for name, one in map_unordered(lambda name, _: _checked(name), waiting, cores(), lambda: UNBOUNDED)
    }
    yield from (found[name] for name in names)


def _faults_of_book(game: Played) -> Iterator[Diagnostic]:
    """The faults and doubts of the book section, and the figures and plays in it that fail."""
    from ..book.chapters import failures

    try:
        book = game.core.book
    except RulesetError as error:
        yield from error.diagnostics
        return
    if book is not None:
        yield from (*book.doubts, *failures(game, book))


def _died(name: str, why: Exception) -> Checked:
    fault = Diagnostic("check.died", f"`{name}` was not checked to its end: {why}")
    return Checked((fault,), unreadable=True)


def _length(name: str) -> int:
    """How long a ruleset is, examples included, with what it extends; 0 for what is not there."""
    try:
        path = locate(name)
    except RulesetError:
        return 0
    return sum(file.stat().st_size for file in {path, path.parent.parent / "ruleset.yaml"} if file.is_file())


def _checked(name: str) -> Checked:
    return _checked_pages(name) if _is_page(name) else _checked_ruleset(name)


def _checked_ruleset(name: str) -> Checked:
    """Check a ruleset; in a process that stays, without the examples that passed as they are."""
    from ..play.passed import passed

    if passed.active:
        checked, most = _checked_examples(name, skip=True)
        if most <= MOST_WORK and not any(fault.code == TOO_MUCH for fault in checked.faults):
            return checked
    return _checked_examples(name, skip=False)[0]


def _checked_examples(name: str, *, skip: bool) -> tuple[Checked, int]:
    """Check a ruleset, and bound the steps that this takes if nothing is skipped.

    What only repeats an example of a ruleset that this one extends is tried there.
    """
    from ..book.diagram import problems
    from ..language.fingerprints import of_examples
    from ..play.examples import run_example
    from ..play.face import Game as PlayedGame
    from ..play.passed import Skipped, passed
    from ..sources.fitting import misfits

    meter, report = new_meter(), Report()
    try:
        ruleset = read(name, meter=meter)
        digests = of_examples(ruleset.document) if passed.active else {}
        settled = partial(ruleset.settled, meter=meter)
        game = PlayedGame(settled(), name, settled, meter)
        readying.begin(game.core)
    except RulesetError as error:
        there = any(fault.labels for fault in error.diagnostics)
        return Checked(error.diagnostics, rulesets=int(there), unreadable=True), 0
    ran = [example for rule in game.core.rules for example in rule.examples if not example.repeated]
    held: MutableSequence[str] = []
    skipped = Skipped()
    try:
        with bounded(report, meter):
            for fault in (*problems(game.core), *misfits(ruleset.document, locate(name), meter)):
                report.add(fault)
            for fault in (*_faults_of_others(game.core, shown(locate(name))), *_faults_of_book(game)):
                report.add(fault)
            for example in ran:
                digest = digests.get((example.clause, example.id))
                earlier = passed.check(digest) if skip else None
                if earlier is not None:
                    skipped.add(earlier)
                    continue
                with meter.part(f"the example `{example.id}`", example.span):
                    failures = run_example(game, example)
                    for fault in failures:
                        report.add(fault)
                meter.spend(0)
                held += [] if failures or digest is None else [digest]
        faults = tuple(report.diagnostics)
    except RulesetError as error:
        faults = error.diagnostics
    beyond = any(fault.code == TOO_MUCH for fault in faults)
    steps = MOST_WORK - meter.left
    passed.add(held, steps)
    return Checked(faults, rulesets=1, examples=len(ran), unreadable=beyond), steps + skipped.steps


def _faults_of_others(game: Game, file: str) -> Iterator[Diagnostic]:
    """The faults of the games that claims compare with, at the places of the claims in this file."""
    for claim in game.claims.values():
        other = claim.options.get("other")
        if isinstance(other, Other) and claim.span is not None and claim.span.source.name == file:
            try:
                _ = other.game
            except RulesetError as error:
                yield from error.diagnostics


def _checked_pages(name: str) -> Checked:
    from ..book.fences import check_files
    from ..play.examples import FAILURE

    try:
        checked = check_files([name])
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        fault = Diagnostic("file.missing", f"`{name}` cannot be read: {why}")
        return Checked((fault,), unreadable=True)
    unreadable = any(not fault.code.startswith(FAILURE) for fault in checked.faults)
    return Checked(checked.faults, 0, len(checked.files), len(checked.executed), unreadable)


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
    if arguments.json:
        say(_data(game, rules))
        return HELD
    if not arguments.rule:
        _show_head(game)
    for rule in rules:
        _show_rule(game, rule, arguments.formal)
    if not arguments.rule and game.claims:
        print("Claims")
        for claim in game.claims.values():
            print(filled(f"{claim.id} ({claim.kind.replace('_', '-')}): {claim.prose}", "  "))
    return HELD


def _show_code(game: Game, as_json: bool) -> int:
    from ..code import TooLarge, write

    try:
        written = write(game)
    except TooLarge as error:
        raise Usage(f"`{game.id}` has no code: {error}") from None
    if as_json:
        say({**_data(game, ()), "code": written.text, "names": dict(written.meanings)})
    else:
        for line in written.listing.split("\n"):
            print(escaped(line))
    return HELD


def _data(game: Game, rules: tuple[Rule, ...]) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "extends": [*game.extends],
        "digest": game.digest,
        "players": game.players,
        "parameters": {p.id: write(p.type, p.value) for p in game.parameters.values()},
        "readings": {r.id: r.chosen for r in game.rulings.values()},
        "rules": [_rule_data(rule) for rule in rules],
        "claims": {c.id: c.prose for c in game.claims.values()},
    }


def _rule_data(rule: Rule) -> dict[str, Any]:
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
    print(game.title.upper())
    if game.summary:
        print(filled(game.summary, "", ""))
    if game.extends:
        print(filled(f"a variant of {', '.join(reversed(game.extends))}", "  "))
    print(f"  players = {game.players}")
    for parameter in game.parameters.values():
        value = write(parameter.type, parameter.value)
        print(filled(f"{parameter.id} = {value} (of {in_words(parameter.type)}): {parameter.prose}", "  "))
    for condition in game.conditions:
        print(filled(condition, "  "))
    print()


def _show_rule(game: Game, rule: Rule, formal: bool) -> None:
    title = rule.heading or rule.id.replace("-", " ").capitalize()
    source = f"  [{', '.join(rule.source)}]" if rule.source else ""
    print(filled(f"{title} ({rule.id}){source}"))
    print(filled(rule.prose, "  ", "  "))
    for name, prose in rule.requirements:
        print(filled(f"{name}: {prose}", "    "))
    for choice, to in kept_secret(game, game.actions[rule.id]) if rule.id in game.actions else ():
        more = f"; it is shown to {to}" if to else ""
        print(filled(f"the other players do not learn {choice or 'which action this is'}{more}", "    "))
    if rule.binds:
        print(filled(f"binds {', '.join(rule.binds)}", "    "))
    ruling = game.rulings.get(rule.id)
    if ruling is not None:
        if ruling.question:
            print(filled(ruling.question, "  ", "  "))
        for reading in ruling.readings:
            mark = "*" if reading.id == ruling.chosen else " "
            print(filled(f"{mark} {reading.id}: {reading.prose}", "  ", "      "))
    if rule.note:
        print(filled(f"note: {rule.note}", "  "))
    if formal:
        for what, text in rule.formal:
            print(textwrap.indent(f"{what}: {text}" if "\n" not in text else f"{what}:\n{text}", "    | "))
    print()


def schema(arguments: argparse.Namespace) -> int:
    """Print the schema of a command's JSON, or name all there are."""
    folder = files(__package__) / "schemas"
    known = sorted(
        entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json")
    )
    if arguments.of is None:
        print("\n".join(known))
    elif arguments.of not in known:
        advice = nearest(arguments.of, known) or "there are " + ", ".join(known)
        raise Usage(f"there is no schema `{arguments.of}`; {advice}")
    else:
        print((folder / f"{arguments.of}.json").read_text(encoding="utf-8"), end="")
    return HELD
