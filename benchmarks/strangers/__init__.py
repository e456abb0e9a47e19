"""Rulesets of many kinds, written from the documentation alone: how many of their claims are decided.

`python -m benchmarks strangers` decides the claims of each ruleset from nothing within `--timeout` seconds
for the ruleset. Each result is appended to a state file at once, so that an interrupted run resumes; rulesets
that changed since are decided again. General methods have been made with open claims of these games in view.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ..calls import Journal, call
from ..report import Table, machine

FOLDER = Path(__file__).parent
STATE = Path("build") / "strangers.jsonl"
TITLE = "Claims of strangers' games"
DECIDED = ("proved", "refuted", "estimated")
TIMEOUT = 30.0
GRACE = 60.0
"""Seconds after its own timeout after which a call is killed."""


@dataclass(frozen=True)
class Result:
    """The outcome of a claim, its kind, the statement of the verdict and the seconds for its whole ruleset.

    `digest` is that of the ruleset's text, with the timeout.
    """

    ruleset: str
    digest: str
    claim: str
    kind: str
    outcome: str
    statement: str
    clock: float

    @property
    def is_decided(self) -> bool:
        """True if the claim is settled, not only within bounds."""
        return self.outcome in DECIDED


def digest(path: Path, timeout: float) -> str:
    """A digest of a question: the text of a ruleset, and the seconds that it has."""
    return hashlib.sha256(f"{timeout:g} {path.read_text('utf-8')}".encode()).hexdigest()[:12]


def decide(path: Path, timeout: float = TIMEOUT) -> list[Result]:
    """Decide all claims of a ruleset from nothing, in a process of its own."""
    command = [sys.executable, "-m", "rulespec", "prove", str(path), "--no-store", "--json"]
    run = call([*command, "--timeout", f"{timeout:g}"], timeout + GRACE)
    if not run.verdicts:
        raise RuntimeError(f"{path.stem}: {run.end}")
    question = digest(path, timeout)
    return [
        Result(path.stem, question, v["claim"], v["kind"], v["outcome"], v["statement"], round(run.clock, 1))
        for v in run.verdicts
    ]


def table(done: Sequence[Result], timeout: float) -> Table:
    """For each kind of claim how many there are, how many are decided, and the share."""
    games = len({result.ruleset for result in done})
    words = (
        f"`rulespec prove --no-store --timeout {timeout:g}` for each of {games} rulesets that were written "
        "from the documentation alone (`benchmarks/strangers`; since then general methods were made with "
        "some of their open claims in view): claims that are proved, refuted or estimated, and those that "
        "stay open or within bounds."
    )
    shown = Table(TITLE, words, ["kind", "claims", "decided", "open", "share"])
    of, decided = Counter(r.kind for r in done), Counter(r.kind for r in done if r.is_decided)
    for kind in sorted(of, key=lambda kind: (decided[kind] - of[kind], kind)):
        shown.rows.append(_row(kind, of[kind], decided[kind]))
    shown.rows.append(_row("in all", of.total(), decided.total()))
    return shown


def _row(kind: str, count: int, decided: int) -> list[str]:
    return [kind, str(count), str(decided), str(count - decided), f"{decided / max(1, count):.0%}"]


def report(done: Iterable[Result]) -> Iterable[str]:
    """A line for each claim that is not decided."""
    return (
        f"{r.ruleset}: {r.claim} ({r.kind}): {r.outcome}: {r.statement}" for r in done if not r.is_decided
    )


def main(argv: list[str] | None = None) -> int:
    """Resume the benchmark, list what stays open and print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks strangers", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="which (default: all)")
    parser.add_argument("--timeout", type=float, default=TIMEOUT, metavar="SECONDS")
    parser.add_argument("--state", type=Path, default=STATE, metavar="FILE", help=f"default: {STATE}")
    parser.add_argument("--afresh", action="store_true", help="forget what earlier runs have decided")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table on this page")
    arguments = parser.parse_args(argv)
    journal = Journal(arguments.state, afresh=arguments.afresh)
    known = [Result(**row) for row in journal]
    done = list[Result]()
    for path in arguments.files or sorted(FOLDER.glob("*.yaml")):
        question = digest(path, arguments.timeout)
        found = [r for r in known if (r.ruleset, r.digest) == (path.stem, question)]
        if not found:
            found = decide(path, arguments.timeout)
            for result in found:
                journal.append(asdict(result))
        done += found
    for line in report(done):
        print(line)
    shown = table(done, arguments.timeout)
    print(shown.text())
    if arguments.write:
        from ..__main__ import write_tables

        write_tables(arguments.write, {shown.title: shown.markdown(machine())})
    return 0
