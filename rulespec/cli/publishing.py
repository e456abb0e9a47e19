"""book: the site, with every verdict decided or gone through first."""

from __future__ import annotations

import argparse
import sys

from ..core.verdicts import BOUNDED, PROVED, Store, Verdict, beside
from ..language import load, locate, shipped
from .proving import Loader, rechecked
from .status import FAILED, HELD, done, progress, say, table


def book(arguments: argparse.Namespace) -> int:
    """Build the rulebook; print a table of verdicts and where the site lies."""
    from ..book.site import BookError, build

    verdicts = _decided(arguments) if arguments.prove else _stored()
    done()
    failed = False
    if arguments.prove:
        names = [n for n in shipped() if beside(locate(n)).is_file() and load(n).claims]
        rows, passed = rechecked(names, arguments)
        done()
        failed = False in passed
        for row in rows:
            if row["result"] == "FAILED":
                print(f"recheck failed: {row['ruleset']} {row['claim']}: {row['text']}", file=sys.stderr)
    try:
        site = build(arguments.config, arguments.out)
    except BookError as error:
        print(error, file=sys.stderr)
        return FAILED
    if arguments.json:
        rows_out = [
            {"ruleset": v.ruleset, "claim": v.claim, "outcome": v.outcome, "statement": v.statement}
            for v in verdicts
        ]
        say({"verdicts": rows_out, "site": str(site)})
    else:
        if verdicts:
            print(table([("ruleset", "claim", "verdict", "seconds"), *map(_row, verdicts)]))
        print(f"The site lies in {site}; open {site / 'index.html'}")
    refuted = any(
        v.outcome not in (PROVED, BOUNDED) and not v.readings for v in verdicts if v.outcome == "refuted"
    )
    return FAILED if failed or refuted else HELD


def _row(v: Verdict) -> tuple[str, ...]:
    setting = ", ".join(f"{k} is {x}" for k, x in v.readings.items())
    return (v.ruleset, v.claim + (f" ({setting})" if setting else ""), v.outcome, f"{v.seconds:.1f}")


def _decided(arguments: argparse.Namespace) -> list[Verdict]:
    from solver.claims import prove

    found: list[Verdict] = []
    for name in shipped():
        claims = [c.id for c in load(name).claims.values() if c.options.get("from") != "deal"]
        if claims:
            found += prove(
                Loader(name),
                claims,
                timeout=arguments.timeout,
                memory=arguments.memory,
                engine=arguments.engine,
                progress=progress,
                store=beside(locate(name)),
                reuse=True,
            )
    return found


def _stored() -> list[Verdict]:
    found: list[Verdict] = []
    for name in shipped():
        path = beside(locate(name))
        game = load(name)
        if path.is_file():
            store = Store.read(path)
            found += [v for c in game.claims.values() if (v := store.current(game, c)) is not None]
    return found
