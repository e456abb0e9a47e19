"""book: the site, with every verdict decided or gone through first."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Container, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..book.claims import of_a_deal
from ..book.published import UNCHECKED, Published
from ..book.readings import WORDS
from ..budgets import watchdog
from ..core.current import Current
from ..core.diagnostics import RulesetError
from ..core.stamps import Stamps
from ..core.store_file import StoreFile
from ..core.verdicts import BOUNDED, ESTIMATED, PROVED, REFUTED, Store, StoreError, Verdict, beside
from ..language import load, locate
from .output import Progress, say, table
from .proving import Loader, budgets, claims_of_any_deal, limits_of_recheck, rechecked, row, teller
from .status import FAILED, HELD, UNDECIDED, Usage

EACH = 60.0
"""The default seconds for each check, and with --prove for all of them."""

BRIEFLY = 10.0
"""The default seconds for all checks without --prove."""

MOST_NAMED = 12
"""How many claims without a verdict are named before the rest is counted."""

FOUND_OUT = (PROVED, REFUTED, BOUNDED, ESTIMATED)


def book(arguments: argparse.Namespace) -> int:
    """Build the rulebook; print a table of verdicts and where the site lies. Or begin a project."""
    if arguments.new:
        return _begin(arguments)
    from ..book.site import BookError, Printing, build, check_out, rulesets

    printing = None
    if arguments.pdf is not None:
        printing = Printing(tuple(arguments.pdf), arguments.paper, arguments.appendix)
    try:
        names = [str(path) for path in rulesets(arguments.config)]
        check_out(arguments.config, arguments.out)
    except BookError as error:
        raise Usage(str(error)) from None
    checks: list[dict[str, str]] = []
    stamps = Stamps()
    if arguments.prove:
        checks = _decided_and_checked(names, arguments, stamps)
    else:
        checks = _checked(names, arguments, stamps)
    stored, unproved = _stored(names)
    published = [Published(Store(), stamps.of).redacted(v) for v in stored]
    wrong = [
        f"recheck failed: {check['ruleset']} {check['claim']}: {check['text']}"
        for check in checks
        if check["result"] == "FAILED"
    ]
    site: Path | None = None
    try:
        if not wrong:
            with watchdog.watched():
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
        data = [_data(v) for v in published]
        lies = str(site) if site is not None else None
        say({"verdicts": data, "unproved": unproved, "checks": checks, "site": lies})
    elif site is not None:
        _tell(published, unproved, checks, site)
        for pdf in sorted(site.rglob("*.pdf")) if printing is not None else ():
            print(f"On paper: {pdf}")
    return FAILED if wrong else _status(published, unproved)


def _begin(arguments: argparse.Namespace) -> int:
    """Write a project into a new folder, and say how to go on."""
    from ..book.project import ProjectError, begin

    if len(arguments.new) != 2 or arguments.new[0] != "new":
        raise Usage("`book` builds a site, and `book new DIR` begins one")
    try:
        written = begin(Path(arguments.new[1]))
    except ProjectError as error:
        raise Usage(str(error)) from None
    if arguments.json:
        say({"written": [str(path) for path in written]})
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


def _checked(names: Iterable[str], arguments: argparse.Namespace, stamps: Stamps) -> list[dict[str, str]]:
    """Recheck the stored verdicts without a stamp, for a short time; a row for each that is not stale.

    Rulesets and stores that cannot be read are skipped; building the site reports them.
    """
    stores, stamped = list[str](), set[tuple[str, ...]]()
    for name in names:
        with suppress(RulesetError, StoreError):
            verdicts = [*Store.read(beside(locate(name)))] if load(name).claims else []
            stores += [name] if verdicts else []
            stamped |= {v.subject for v in verdicts if stamps.of(v) is not None}
    progress = Progress("rechecking")
    limits = {**limits_of_recheck(arguments), **_limits(arguments, BRIEFLY)}
    found = rechecked(stores, limits, progress, stamps, stamped)
    progress.clear()
    return [row(check) for check in found if not check.stale]


def _limits(arguments: argparse.Namespace, within: float) -> dict[str, float]:
    """The limits of checks in seconds: `timeout` for all together (default: `within`), `each` for one."""
    return {"timeout": arguments.within or within, "each": arguments.each or EACH}


def _decided_and_checked(
    rulesets: Iterable[str], arguments: argparse.Namespace, stamps: Stamps
) -> list[dict[str, str]]:
    """Recheck the stored verdicts, decide the claims without a current one, and recheck those verdicts too.

    Returns a row for each check. Verdicts that pass are stamped.
    """
    names = [name for name in rulesets if load(name).claims]
    limits, progress = limits_of_recheck(arguments), Progress("rechecking")
    limits |= _limits(arguments, EACH)
    stored = rechecked([name for name in names if beside(locate(name)).is_file()], limits, progress, stamps)
    progress.clear()
    fitting = [check for check in stored if not check.stale]
    known = {check.verdict.subject for check in fitting}
    fresh: list[str] = []
    for number, name in enumerate(names, 1):
        verdicts = _decided(name, known, Progress(f"deciding {number}/{len(names)}"), arguments)
        decided = {v.subject for v in verdicts}
        fresh += [name] if decided - known else []
    checks = [*fitting, *rechecked(fresh, limits, progress, stamps, known)]
    progress.clear()
    return [*map(row, checks)]


def _decided(
    name: str, known: Container[tuple[str, ...]], progress: Progress, arguments: argparse.Namespace
) -> list[Verdict]:
    """The verdicts on a ruleset's claims, decided where they are not known; what is gone is forgotten."""
    from solver.claims import prove

    loader = Loader(name)
    verdicts = prove(
        loader,
        claims_of_any_deal(loader()),
        progress=progress,
        store=beside(locate(name)),
        reuse=True,
        retry=False,
        known=known,
        decided=teller(progress),
        **budgets(arguments),
    )
    progress.clear()
    Current(loader.sources).keep(v.subject for v in verdicts)
    _forget_what_is_gone(name, {v.key for v in verdicts}, known)
    return verdicts


def _forget_what_is_gone(
    name: str, asked: Container[tuple[str, str, str]], known: Container[tuple[str, ...]]
) -> None:
    """Drop the stored verdicts of a ruleset that are stale although everything that is `asked` was decided.

    They are about claims or settings that there are not any more, or about settings that somebody once
    asked for by hand.
    """
    file, ruleset = StoreFile(beside(locate(name))), load(name).id
    ours = [v for v in file.store if v.ruleset == ruleset and v.key not in asked]
    gone = [v for v in ours if v.subject not in known and not _is_current(name, v)]
    if gone:
        with file.locked() as store:
            store.drop(v for v in gone if store.has(v))
            file.write()


def _is_current(name: str, verdict: Verdict) -> bool:
    try:
        game = load(name, verdict.players, verdict.parameters, verdict.readings)
    except RulesetError:
        return False
    claim = game.claims.get(verdict.claim)
    return claim is not None and verdict.is_about(game, claim)


def _stored(names: Iterable[str]) -> tuple[list[Verdict], list[dict[str, str]]]:
    """The current verdicts of these rulesets as they are by default, and the claims that have none.

    Both are in the order of the claims. Claims about one deal never have a verdict and are left out; so is
    what cannot be read, which building the site reports.
    """
    found: list[Verdict] = []
    unproved: list[dict[str, str]] = []
    for name in names:
        try:
            game, store = load(name), Store.read(beside(locate(name)))
        except (RulesetError, StoreError):
            continue
        for claim in game.claims.values():
            verdict = store.current(game, claim)
            if verdict is not None:
                found.append(verdict)
            elif not of_a_deal(claim):
                unproved.append({"ruleset": game.id, "claim": claim.id})
    return found, unproved


def _status(verdicts: Iterable[Verdict], unproved: Iterable[dict[str, str]]) -> int:
    outcomes = {v.outcome for v in verdicts}
    if REFUTED in outcomes:
        return FAILED
    return HELD if outcomes <= {*FOUND_OUT} and not [*unproved] else UNDECIDED


def _data(v: Verdict) -> dict[str, Any]:
    return {
        "ruleset": v.ruleset,
        "claim": v.claim,
        "outcome": v.outcome,
        "statement": v.statement,
        "checked": v.outcome != UNCHECKED and bool(v.statement),
    }


def _tell(
    verdicts: list[Verdict], unproved: list[dict[str, str]], checks: list[dict[str, str]], site: Path
) -> None:
    if verdicts:
        head = ("ruleset", "claim", "verdict", "which says")
        shown = [v for v in verdicts if v.outcome != UNCHECKED]
        rows = [(v.ruleset, v.claim, WORDS[v.outcome], v.statement) for v in shown]
        print(table([head, *rows]) if rows else "no stored verdict was checked")
    if checks:
        passed = sum(check["result"] == "passed" for check in checks)
        left = len(checks) - passed - sum(check["result"] == "FAILED" for check in checks)
        told = (
            f"; {left} took long or are open, and were not checked: `rulespec recheck` does" if left else ""
        )
        print(f"{passed} of {len(checks)} stored verdicts passed a check{told}")
    if unproved:
        count = f"{len(unproved)} claim{'s have' if len(unproved) > 1 else ' has'} no verdict"
        named = [f"{one['ruleset']} {one['claim']}" for one in unproved[:MOST_NAMED]]
        more = f", and {len(unproved) - MOST_NAMED} more" if len(unproved) > MOST_NAMED else ""
        print(f"{count}; `rulespec book --prove` decides them: {', '.join(named)}{more}")
    print(f"The site lies in {site}; open {site / 'index.html'}")
