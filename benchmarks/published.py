"""`python -m benchmarks.published`: how soon a fresh installation publishes what is proved.

The commands of `make rulebook` and then `rulespec recheck` run with empty folders of cache and state. Every
few seconds the stamps are counted of the verdicts at default settings that the frozen table has as decided,
and of those that the pages of players name. The table has the shares after 1, 5 and 15 minutes, the minutes
until the site was there and until everything was checked, and the size of the evidence. The exit status is 1
if a share is below its bar.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rulespec.budgets import Stopwatch
from rulespec.core.verdicts import UNDECIDED, Store, StoreError, Verdict
from rulespec.core.verdicts.stamps import Stamps
from rulespec.language import home, load, shipped_rulesets

from .frozen.verdicts import TABLE, read_table
from .report import Table, machine

TITLE = "From a fresh clone to a published site"
WORDS = (
    "`rulespec book --prove`, `rulespec check`, `rulespec recheck` one after the other, with empty folders "
    "of cache and state: shares of the verdicts that this installation had checked by then. *Players' "
    "pages*: claims that the page of a game names, under the default readings. *Default settings*: the "
    "verdicts that the frozen table has as decided. *All*: all stored verdicts that are decided. Evidence is "
    "what lies beside the rulesets: verdicts, plays and certificates, compressed."
)
MARKS = (60.0, 300.0, 900.0)
"""Seconds after which shares are taken."""
BARS = {(60.0, "players' pages"): 1.0, (300.0, "default settings"): 0.9, (900.0, "default settings"): 0.97}
EVERY = 2.0
"""Seconds between two looks at the stamps."""


@dataclass
class Progress:
    """The stamps at the marks, and when the site and the last check were there."""

    shares: dict[float, dict[str, tuple[int, int]]] = field(default_factory=dict)
    """By mark and group: how many verdicts had a stamp, and how many there are."""
    site: float = 0.0
    whole: float = 0.0
    left: int = 0
    """The verdicts that no check decided."""


def groups() -> dict[str, list[Verdict]]:
    """The stored verdicts whose stamps are counted, by the name of their group."""
    frozen = {
        key
        for key, answer in read_table(TABLE).items()
        if key[2].startswith("players=") and answer.outcome != UNDECIDED
    }
    stored = [v for store in stores() for v in store if v.outcome != UNDECIDED]
    games = {game.id: game for game in map(load, shipped_rulesets())}
    page = [
        v
        for v in stored
        if (game := games.get(v.ruleset)) is not None
        and v.key[2] == f"players={game.players}"
        and v.claim in game.claims
        and not game.claims[v.claim].lemma
    ]
    return {
        "players' pages": page,
        "default settings": [v for v in stored if v.key in frozen],
        "all": stored,
    }


def stores() -> Iterator[Store]:
    """The stores of verdicts of the shipped rulesets."""
    for path in sorted(home().rglob("verdicts.json.gz")):
        with suppress(StoreError):
            yield Store.read(path)


def evidence_bytes() -> int:
    """The size of the evidence beside the shipped rulesets."""
    files = [*home().rglob("verdicts.json.gz"), *home().rglob("certificates/*.xz")]
    return sum(file.stat().st_size for file in files)


def measure(jobs: int | None, timeout: float) -> Progress:
    """Run the commands in fresh folders, within so many seconds in all, and count stamps meanwhile."""
    wanted, found = groups(), Progress()
    with tempfile.TemporaryDirectory() as folder:
        state, cache = Path(folder) / "state", Path(folder) / "cache"
        for made in (state, cache):
            made.mkdir(mode=0o700)
        os.environ |= {"RULESPEC_STATE": str(state), "RULESPEC_CACHE": str(cache)}
        parallel = ["--jobs", str(jobs)] if jobs else []
        commands = (
            ["book", "--prove", "--out", str(Path(folder) / "site"), *parallel],
            ["check"],
            ["recheck", "--each", "3600", *parallel],
        )
        watch, marks = Stopwatch(), [*MARKS]
        for command in commands:
            print(f"{watch.seconds:6.0f} s: rulespec {' '.join(command)}", flush=True)
            process = subprocess.Popen(
                [sys.executable, "-m", "rulespec", *command], stdout=subprocess.DEVNULL
            )
            while process.poll() is None and watch.seconds < timeout:
                time.sleep(EVERY)
                while marks and watch.seconds >= marks[0]:
                    found.shares[marks[0]] = shares(state, wanted)
                    print(f"{marks.pop(0):6.0f} s: {found.shares[max(found.shares)]}", flush=True)
            process.terminate()
            process.wait()
            if command[0] == "book":
                found.site = watch.seconds
        found.whole = watch.seconds
        for mark in marks:
            found.shares[mark] = shares(state, wanted)
        checked, every = shares(state, wanted)["all"]
        found.left = every - checked
    return found


def shares(state: Path, wanted: dict[str, list[Verdict]]) -> dict[str, tuple[int, int]]:
    """How many verdicts of each group have a stamp in a state folder, and how many there are."""
    stamps = Stamps(state)
    return {
        name: (sum(stamps.of(v) is not None for v in verdicts), len(verdicts))
        for name, verdicts in wanted.items()
    }


def table(found: Progress) -> Table:
    """The shares by group, and below them minutes and bytes."""
    result = Table(TITLE, WORDS, ("", *(f"after {mark / 60:g} min" for mark in MARKS)))
    for name in found.shares[MARKS[0]]:
        cells = (found.shares[mark][name] for mark in MARKS)
        result.rows.append([name, *(f"{done} of {of} ({done / max(of, 1):.0%})" for done, of in cells)])
    for name, text in (
        ("site", f"after {found.site / 60:.1f} min"),
        ("full recheck", f"{found.whole:.0f} s, {found.left} verdicts left"),
        ("evidence", f"{evidence_bytes() / 1e6:.1f} MB"),
    ):
        result.rows.append([name, text, *[""] * (len(MARKS) - 1)])
    return result


def missed(found: Progress) -> list[str]:
    """The bars that were missed, in words."""
    lines = []
    for (mark, name), bar in BARS.items():
        done, of = found.shares[mark][name]
        if done < bar * of:
            lines.append(f"after {mark / 60:g} min: {done} of {of} {name}, below {bar:.0%}")
    return lines


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the table and the bars that were missed."""
    parser = argparse.ArgumentParser(prog="benchmarks.published", description=__doc__)
    parser.add_argument("--jobs", type=int, metavar="N", help="checks at once (default: one for each core)")
    parser.add_argument(
        "--timeout", type=float, default=2 * 3600.0, metavar="SECONDS", help="for everything (default: 7200)"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table on this page")
    arguments = parser.parse_args(argv)
    head = machine()
    found = measure(arguments.jobs, arguments.timeout)
    shown = table(found)
    print(shown.text())
    lines = missed(found)
    print("\n".join(lines or ["every bar is met"]))
    if arguments.write:
        from .__main__ import write_tables

        write_tables(arguments.write, {shown.title: shown.markdown(head)})
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
