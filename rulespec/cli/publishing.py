"""book: build the site, after deciding or checking every verdict."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..book.content.published_verdicts import RELEASED, PublishedVerdicts, mark_of
from ..book.content.readings import WORDS
from ..budgets import Stopwatch, watchdog
from ..core.diagnostics import RulesetError
from ..core.numbers import number_of
from ..core.verdicts import BOUNDED, ESTIMATED, PROVED, REFUTED, UNCHECKED, Store, StoreError, Verdict, beside
from ..core.verdicts import UNDECIDED as UNDECIDED_OUTCOME
from ..core.verdicts.current_verdicts import Current
from ..core.verdicts.release_stamps import ReleaseStamps
from ..core.verdicts.stamps import Stamps
from ..core.verdicts.store_file import StoreFile
from ..core.verdicts.wording import sentence
from ..language import home, locate
from .loading import Loader, claims_of_any_deal, limits
from .output import Progress, print_json, table
from .rechecking import check_data, checked_again, limits_of_recheck
from .status import FAILED, HELD, UNDECIDED, Usage

if TYPE_CHECKING:
    from rulespec.solver.claims import Check

    from ..core.game import Claim

EACH = 60.0
"""The default seconds for each check."""

WITH_PROVE, WITHOUT_PROVE = 300.0, 10.0
"""The default seconds for all checks with and without --prove."""

MOST_LISTED = 12
"""Maximum number of verdicts that the summary lists with their sentences."""

MOST_NAMED = 8
"""Maximum number of claims of one kind that are named; the rest is counted."""

FOUND_OUT = (PROVED, REFUTED, BOUNDED, ESTIMATED)

MARKS = {
    PROVED: "proved",
    REFUTED: "refuted",
    BOUNDED: "shown in part",
    ESTIMATED: "estimated from samples",
    UNDECIDED_OUTCOME: "open",
    RELEASED: "shown by the release, not checked here",
    UNCHECKED: "not checked here",
}
"""The marks of verdicts in the order of the summary, in its words."""
NAMED = (REFUTED, UNDECIDED_OUTCOME, UNCHECKED)
"""The marks whose claims the summary names."""


def book(arguments: argparse.Namespace) -> int:
    """Build the rulebook and print a table of verdicts and the folder of the site, or begin a project."""
    if arguments.new:
        return _begin(arguments)
    from ..book.configuration.site_configuration import BookError, rulesets
    from ..book.site import Printing, build, check_out

    printing = None
    if arguments.pdf is not None:
        printing = Printing(tuple(arguments.pdf), arguments.paper, arguments.appendix)
    try:
        names = [str(path) for path in rulesets(arguments.config)]
        check_out(arguments.config, arguments.out)
    except BookError as error:
        raise Usage(str(error)) from None
    stamps, watch, decided = Stamps(), Stopwatch(), list[Verdict]()
    loaders = [Loader(name) for name in names]
    readable = _are_readable(loaders)  # if not, no site is built, and the build reports every fault at once
    checks = _check(loaders, arguments, stamps) if readable else []
    if readable and arguments.prove and (decided := _decide(loaders, arguments, watch)):
        checks = _check(loaders, arguments, stamps)
    stored, claims, unproved = _current_verdicts(loaders)
    shelf = PublishedVerdicts(checked=stamps.of, released=ReleaseStamps(home()).of)
    published = [shelf.redact(v) for v in stored]
    failed = (check for check in checks if check.passed is False and not check.stale)
    wrong = [f"recheck failed: {x.verdict.ruleset} {x.verdict.claim}: {x.text}" for x in failed]
    site: Path | None = None
    try:
        if not wrong:
            with watchdog.watch():
                site = build(
                    arguments.config,
                    arguments.out,
                    stamps=stamps,
                    printing=printing,
                    player=not arguments.no_player,
                )
    except BookError as error:
        wrong = [str(error)]
    for line in wrong:
        print(line, file=sys.stderr)
    if arguments.json:
        data = [_data(v, claims[v.ruleset, v.claim]) for v in published]
        lies = str(site) if site is not None else None
        rows = [check_data(check) for check in checks if not check.stale]
        print_json({"verdicts": data, "unproved": unproved, "checks": rows, "site": lies})
    elif site is not None:
        checked = [v for v in published if v.outcome != UNCHECKED]
        if 0 < len(checked) <= MOST_LISTED:
            said = ((v, claims[v.ruleset, v.claim]) for v in checked)
            told = [(v.ruleset, v.claim, WORDS[mark_of(v)], sentence(v, claim)) for v, claim in said]
            print(table([("ruleset", "claim", "verdict", "statement"), *told]))
        print("\n".join([*summary_lines(len(names), published, unproved, checks), *_news(decided, checks)]))
        print(f"The site is in {site}; open {site / 'index.html'}")
        for pdf in sorted(site.rglob("*.pdf")) if printing is not None else ():
            print(f"On paper: {pdf}")
    return FAILED if wrong else _status(published, unproved)


def _begin(arguments: argparse.Namespace) -> int:
    """Write a project into a new folder, and say how to continue."""
    from ..book.configuration.project import ProjectError, begin

    if len(arguments.new) != 2 or arguments.new[0] != "new":
        raise Usage("`book` builds a site, and `book new DIR` begins one")
    try:
        written = begin(Path(arguments.new[1]))
    except ProjectError as error:
        raise Usage(str(error)) from None
    if arguments.json:
        print_json({"written": [str(path) for path in written]})
    else:
        game = next(path for path in written if path.name == "ruleset.yaml")
        print("\n".join(f"wrote {path}" for path in written))
        here = Path(arguments.new[1]).resolve() == Path.cwd()
        print("Next:" if here else f"Next: cd {shlex.quote(arguments.new[1])}, then")
        inside = game.relative_to(arguments.new[1])
        for command, about in (
            (f"play {inside}", "play the game"),
            ("book --prove", "build the site"),
            ("book --pdf", "print it, too"),
        ):
            print(f"  rulespec {command:32} # {about}")
    return HELD


def _are_readable(loaders: Iterable[Loader]) -> bool:
    """True if no ruleset has a fault."""
    try:
        for loader in loaders:
            loader()
    except RulesetError:
        return False
    return True


def _check(loaders: Iterable[Loader], arguments: argparse.Namespace, stamps: Stamps) -> list[Check]:
    """Check those stored verdicts of rulesets that have no stamp, within the time limit for checks.

    Stores that cannot be read are skipped; building the site reports them.
    """
    stores = list[Loader]()
    for loader in loaders:
        with suppress(StoreError):
            stores += [loader] if loader().claims and len(Store.read(beside(locate(loader.name)))) else []
    usual = WITH_PROVE if arguments.prove else WITHOUT_PROVE
    options = {
        **limits_of_recheck(arguments),
        "timeout": arguments.within or usual,
        "each": arguments.each or EACH,
    }
    progress = Progress("checking")
    checks = checked_again(stores, options, progress, stamps)
    progress.clear()
    return checks


def _decide(loaders: Iterable[Loader], arguments: argparse.Namespace, watch: Stopwatch) -> list[Verdict]:
    """Decide the claims of rulesets that have no current verdict, and drop obsolete verdicts.

    Once `watch` exceeds the time for checks, no further claim is begun.
    """
    wanted = [loader for loader in loaders if loader().claims]
    decided: list[Verdict] = []
    for number, loader in enumerate(wanted, 1):
        decided += _decide_claims(loader, Progress(f"deciding {number}/{len(wanted)}"), arguments, watch)
    return decided


def _decide_claims(
    loader: Loader, progress: Progress, arguments: argparse.Namespace, watch: Stopwatch
) -> list[Verdict]:
    """Decide the claims of a ruleset that have no current verdict."""
    from rulespec.solver.claims import prove

    path = beside(locate(loader.name))
    game, store = loader(), Store.read(path)
    decided: list[Verdict] = []
    for claim in claims_of_any_deal(game):
        if store.current(game, game.claims[claim]) is None:
            if watch.seconds > (arguments.within or WITH_PROVE):
                break
            options = {"store": path, "retry": False, **limits(arguments)}
            decided += prove(loader, [claim], progress=progress, **options)
    progress.clear()
    if decided:  # otherwise nothing was made obsolete, and to look at all settings takes a minute
        _forget_what_is_gone(loader)
    return decided


def _forget_what_is_gone(loader: Loader) -> None:
    """Drop the stale verdicts of a ruleset: on claims or settings that no longer exist, or on settings
    once requested by hand."""
    file, ruleset = StoreFile(beside(locate(loader.name))), loader().id
    current = Current(loader.sources)
    ours = [v for v in file.store if v.ruleset == ruleset]
    gone = [v for v in ours if v.subject not in current and not _is_current(loader, v)]
    current.keep(v.subject for v in ours if v not in gone)
    if gone:
        with file.lock() as store:
            store.drop(v for v in gone if store.has(v))
            file.write()


def _is_current(loader: Loader, verdict: Verdict) -> bool:
    try:
        game = loader(players=verdict.players, parameters=verdict.parameters, readings=verdict.readings)
    except RulesetError:
        return False
    claim = game.claims.get(verdict.claim)
    return claim is not None and verdict.is_about(game, claim)


Claims = dict[tuple[str, str], "Claim"]
"""Claims by ruleset and id."""


def _current_verdicts(loaders: Iterable[Loader]) -> tuple[list[Verdict], Claims, list[dict[str, str]]]:
    """The current default verdicts of rulesets, their claims, and the claims without a verdict.

    All are in the order of the claims. Claims about one deal never have a verdict and are left out, like
    unreadable rulesets, which building the site reports.
    """
    found: list[Verdict] = []
    claims: Claims = {}
    unproved: list[dict[str, str]] = []
    for loader in loaders:
        try:
            game, store = loader(), Store.read(beside(locate(loader.name)))
        except (RulesetError, StoreError):
            continue
        for claim in game.claims.values():
            verdict = store.current(game, claim)
            if verdict is not None:
                found.append(verdict)
                claims[verdict.ruleset, claim.id] = claim
            elif not claim.is_of_one_deal:
                unproved.append({"ruleset": game.id, "claim": claim.id})
    return found, claims, unproved


def _status(verdicts: Iterable[Verdict], unproved: Iterable[dict[str, str]]) -> int:
    outcomes = {mark_of(v) for v in verdicts}
    if REFUTED in outcomes:
        return FAILED
    return HELD if outcomes <= {*FOUND_OUT} and not [*unproved] else UNDECIDED


def _data(v: Verdict, claim: Claim) -> dict[str, Any]:
    """A verdict in the book as JSON data; without a statement if it was not checked."""
    shown = v.outcome != UNCHECKED
    return {
        "ruleset": v.ruleset,
        "claim": v.claim,
        "outcome": v.outcome,
        "statement": sentence(v, claim) if shown else "",
        "checked": shown and mark_of(v) != RELEASED,
    }


def summary_lines(
    games: int, published: Sequence[Verdict], unproved: Sequence[dict[str, str]], checks: Sequence[Check]
) -> list[str]:
    """Return a few lines about the verdicts of a site: numbers of proved, open and unchecked ones.

    Args:
        games: the number of rulesets.
        published: the verdicts at default settings, as pages show them.
        unproved: the claims that have none.
        checks: the checks of all stored verdicts.
    """
    by_mark = {mark: [v for v in published if mark_of(v) == mark] for mark in MARKS}
    claims = len(published) + len(unproved)
    lines = [f"{number_of(games, 'game')} with {number_of(claims, 'claim')} under the rules as written:"]
    for mark, words in MARKS.items():
        if found := by_mark[mark]:
            named = ": " + _name_some(f"{v.ruleset} {v.claim}" for v in found) if mark in NAMED else ""
            lines.append(f"  {len(found):5,} {words}{named}")
    if unproved:
        named = _name_some(f"{one['ruleset']} {one['claim']}" for one in unproved)
        words = "without a verdict, which `rulespec book --prove` decides"
        lines.append(f"  {len(unproved):5,} {words}: {named}")
    changed = [check for check in checks if check.verdict.readings or check.verdict.parameters]
    if changed:
        passed = sum(check.passed is True for check in changed)
        lines.append(f"  {passed:5,} of {len(changed):,} verdicts on other settings checked")
    left = sum(check.passed is None and check.verdict.outcome != UNDECIDED_OUTCOME for check in checks)
    if left:
        lines.append(f"{number_of(left, 'verdict')} not checked yet; `rulespec recheck` continues from here.")
    return lines


def _news(decided: Sequence[Verdict], checks: Sequence[Check]) -> list[str]:
    """Lines about the changes made by this run."""
    lines = list[str]()
    if decided:
        named = _name_some(f"{v.ruleset} {v.claim} ({v.outcome})" for v in decided)
        lines.append(f"Decided now: {named}.")
    if stale := sum(check.stale for check in checks):
        verb = "is" if stale == 1 else "are"
        words = f"{verb} about rules or claims that have changed since."
        lines.append(f"{number_of(stale, 'stored verdict')} {words}")
    return lines


def _name_some(names: Iterable[str]) -> str:
    """Some of the names, and the number of the others."""
    listed = [*names]
    more = f" and {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    return ", ".join(listed[:MOST_NAMED]) + more
