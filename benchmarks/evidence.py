"""`python -m benchmarks.evidence`: renew the evidence of the shipped rulesets where it is stale or missing.

Five steps, each of which skips what is there, so an interrupted run goes on where it was:

1. stale verdicts are decided anew, and claims without a verdict decided, under the default readings;
2. stale verdicts under other settings are decided anew; those on what is gone are dropped;
3. what an engine or a search showed gets a certificate if its check takes long and there is room for it;
4. all verdicts without a stamp of this installation are checked, however long it takes;
5. those get a stamp of the release, with the seconds that their check took, and other such stamps go.

It ends with the hours that each step took, and lists what has no certificate for want of room.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from rulespec import __version__
from rulespec.budgets import Stopwatch, cores
from rulespec.cli.loading import Loader, claims_of_any_deal
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.core.verdicts import Store, Verdict, beside
from rulespec.core.verdicts.release_stamps import ReleaseStamps, in_words, verdict_digest
from rulespec.core.verdicts.stamps import Stamps
from rulespec.core.verdicts.store_file import StoreFile
from rulespec.language import home, load, locate, shipped_rulesets
from rulespec.solver.claims import (
    Check,
    ProveOptions,
    Recheck,
    RecheckOptions,
    VerdictReached,
    certify,
    check_and_stamp,
    decide_claims,
)
from rulespec.solver.claims.certify import FULL

from .calls import Journal
from .published import evidence_bytes

EACH = 600.0
"""Seconds for one claim under one setting."""
CERTIFIED_FROM = 2.0
"""From so many seconds on a verdict that rests on an engine or a search gets a certificate."""
PROOFS, SMALL_PROOFS, ROOM = 12_000_000, 150_000, 20_000_000
"""Maximum number of characters of the proofs in one certificate, before and after all evidence takes `ROOM`
bytes."""
DAY = 24 * 3600.0
MEMORY = 12_000
STATE = Path("build") / "evidence.jsonl"


def main(argv: Sequence[str] | None = None) -> int:
    """Renew the evidence; the exit status is 1 if a check failed."""
    parser = argparse.ArgumentParser(prog="benchmarks.evidence", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="RULESET", help="which (default: all shipped)")
    parser.add_argument("--jobs", type=int, default=cores(), metavar="N", help="checks at once")
    parser.add_argument("--each", type=float, default=EACH, metavar="SECONDS", help="for one claim")
    parser.add_argument(
        "--steps", default="12345", metavar="DIGITS", help="which of the steps above (default: all)"
    )
    arguments = parser.parse_args(argv)
    names = arguments.names or shipped_rulesets()
    journal, hours, failed = Journal(STATE), dict[str, float](), list[Check]()
    steps: tuple[tuple[str, Callable[[], list[Check]]], ...] = (
        ("1", lambda: decide_defaults(names, arguments.each)),
        ("2", lambda: renew_settings(names, arguments.each)),
        ("3", lambda: add_certificates(names, arguments.each)),
        ("4", lambda: check_all(names, arguments.jobs, journal)),
        ("5", lambda: stamp_release(names, journal)),
    )
    for step, work in steps:
        if step in arguments.steps:
            watch = Stopwatch()
            failed += work()
            hours[step] = watch.seconds
    print("; ".join(f"step {step}: {in_words(seconds)}" for step, seconds in hours.items()))
    for check in failed:
        print(f"FAILED: {check.verdict.ruleset} {check.verdict.claim} ({check.verdict.key[2]}): {check.text}")
    return 1 if failed else 0


def decide_defaults(names: Iterable[str], each: float) -> list[Check]:
    """Decide the claims of rulesets that have no current verdict under the default readings."""
    for name in names:
        loader = Loader(name)
        game, path = loader(), beside(locate(name))
        store = Store.read(path)
        wanted = [c for c in claims_of_any_deal(game) if store.current(game, game.claims[c]) is None]
        if wanted:
            print(f"{name}: deciding {', '.join(wanted)}", flush=True)
            tell_verdicts(loader, ProveOptions(claims=wanted, store=path, each=each, memory=MEMORY))
    return []


def renew_settings(names: Iterable[str], each: float) -> list[Check]:
    """Decide stale verdicts under other settings anew, and drop those on what is gone."""
    for name in names:
        loader = Loader(name)
        path = beside(locate(name))
        ruleset, gone = loader().id, list[Verdict]()
        for verdict in [v for v in Store.read(path) if v.ruleset == ruleset]:
            game = setting_of(loader, verdict)
            claim = game.claims.get(verdict.claim) if game is not None else None
            if game is None or claim is None:
                gone.append(verdict)
            elif not verdict.is_about(game, claim):
                options = ProveOptions(
                    claims=[verdict.claim],
                    parameters=verdict.parameters,
                    readings=verdict.readings,
                    players=verdict.players,
                    store=path,
                    each=each,
                    memory=MEMORY,
                )
                tell_verdicts(loader, options)
        if gone:
            file = StoreFile(path)
            with file.lock() as store:
                store.drop(v for v in gone if store.has(v))
                file.write()
            print(f"{name}: {len(gone)} verdicts on what is gone dropped", flush=True)
    return []


def setting_of(loader: Loader, verdict: Verdict) -> Game | None:
    """The game under the setting of a verdict; None if there is no such setting any more."""
    try:
        return loader(players=verdict.players, parameters=verdict.parameters, readings=verdict.readings)
    except RulesetError:
        return None


def add_certificates(names: Iterable[str], each: float) -> list[Check]:
    """Certify what engines and searches showed under default settings, and list what has no room.

    Other settings that ask the same questions share these certificates.
    """
    full = list[str]()
    for name in names:
        path = beside(locate(name))
        if not path.is_file():
            continue
        loader = Loader(name)
        players = loader().players
        # What most readers see comes first, for there may not be room for all.
        passes = ((partial(is_worth_it, players=players), False), (is_worth_it, False), (is_slow, True))
        for wanted, only_share in passes:
            proofs = PROOFS if evidence_bytes() < ROOM else SMALL_PROOFS
            for one in certify(
                path,
                loader,
                each=each,
                memory=MEMORY,
                wanted=wanted,
                only_share=only_share,
                proofs=proofs,
            ):
                if one.done is not None:
                    print(f"{name}: {one.verdict.claim} ({one.verdict.key[2]}): {one.text}", flush=True)
                if one.text == FULL:
                    full.append(f"{one.verdict.ruleset} {one.verdict.claim} ({one.verdict.key[2]})")
    if full:
        print(f"{FULL}; without a certificate: {', '.join(full)}")
    return []


def is_worth_it(verdict: Verdict, players: int | None = None) -> bool:
    """True if a verdict is about a default setting, with so many players if a number is given, and took long
    enough to have a certificate.
    """
    usual = not verdict.readings and not verdict.parameters and players in (None, verdict.players)
    return usual and is_slow(verdict)


def is_slow(verdict: Verdict) -> bool:
    """True if a verdict took long enough to have a certificate."""
    return verdict.seconds >= CERTIFIED_FROM


def check_all(names: Iterable[str], jobs: int, journal: Journal) -> list[Check]:
    """Check the verdicts without a stamp, whatever time that takes; those that failed."""
    stamps = Stamps()
    stores = [(beside(locate(n)), Loader(n)) for n in names if beside(locate(n)).is_file()]

    run = Recheck(stores, RecheckOptions(each=DAY, memory=MEMORY, jobs=jobs, vouched=stamps.of))
    with closing(check_and_stamp(run, stamps)) as events:
        for event in events:
            check = event.check
            if check.passed:
                journal.append({"verdict": verdict_digest(check.verdict), "seconds": check.seconds})
            what = f"{check.verdict.ruleset} {check.verdict.claim}"
            print(f"{event.number}/{event.total} {what}: {check.text}", flush=True)
    return [check for check in run.checks if check.passed is False]


def stamp_release(names: Iterable[str], journal: Journal) -> list[Check]:
    """Stamp for the release what passed a check, and drop the stamps of other verdicts."""
    took = {str(row["verdict"]): float(row["seconds"]) for row in journal}
    stamps, checked = ReleaseStamps(home()), Stamps()
    verdicts = {verdict_digest(v): v for v in every_verdict(names)}
    for digest, verdict in verdicts.items():
        if digest in took and checked.of(verdict) is not None:
            stamps.add(verdict, __version__, took[digest])
    stamps.keep_only({verdict_digest(v): v for v in every_verdict(shipped_rulesets())})
    stamps.save()
    return []


def every_verdict(names: Iterable[str]) -> Iterator[Verdict]:
    """The stored verdicts on rulesets."""
    for name in names:
        ruleset = load(name).id
        yield from (v for v in Store.read(beside(locate(name))) if v.ruleset == ruleset)


def tell_verdicts(loader: Loader, options: ProveOptions) -> None:
    """Decide claims, and print each verdict as it falls."""
    for event in decide_claims(loader, options):
        if isinstance(event, VerdictReached):
            v = event.verdict
            text = {"claim": v.claim, "outcome": v.outcome, "seconds": round(v.seconds, 1)}
            print(f"  {v.ruleset}: {json.dumps(text)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
