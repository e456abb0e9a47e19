"""certify: stored verdicts that rest on the word of an engine or of a search get a certificate."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING

from ..core.verdicts import beside
from ..language import locate, shipped
from .output import Progress, say, table
from .proving import Loader, about, budgets, stored
from .status import FAILED, HELD, UNDECIDED

if TYPE_CHECKING:
    from rulespec.solver.claims import Certified

WORDS = {True: "certified", None: "has one", False: "not certified"}
"""The result of certifying one verdict."""


def certify(arguments: argparse.Namespace) -> int:
    """Give certificates to stored verdicts that have none."""
    from rulespec.solver.claims import certify as certified

    names = arguments.names or [name for name in shipped() if beside(locate(name)).is_file()]
    paths = {name: stored(name) for name in names}
    progress, rows = Progress(), []
    for name, path in paths.items():
        limits = {**budgets(arguments), "again": arguments.again, "progress": progress}
        for done in certified(path, Loader(name), **limits):
            rows.append(_row(done))
            if done.done is not None and not arguments.json:
                progress.clear()
                print(table([tuple(rows[-1].values())]), flush=True)
    progress.clear()
    counts = Counter(row["result"] for row in rows)
    if arguments.json:
        say({"certificates": rows})
    else:
        told = ", ".join(f"{count} {word}" for word, count in counts.items())
        print(told or "no stored verdict rests on what an engine or a search showed")
    if WORDS[False] in counts:
        return FAILED
    return HELD if rows else UNDECIDED


def _row(done: Certified) -> dict[str, str]:
    """The result of certifying one verdict, as data."""
    return about(done.verdict, WORDS[done.done], done.text)
