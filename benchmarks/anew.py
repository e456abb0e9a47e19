"""`python -m benchmarks.anew`: decide every claim of every shipped ruleset anew, one process for each.

Each process has `--timeout` seconds and neither reads nor writes the store of verdicts. Its work is the
processor time of the process and its descendants. Each result is appended to a state file at once, so that an
interrupted run resumes; claims or rules that changed since are decided again. The exit status is 1 if a call
took more work than `BAR`, failed or hung; these calls are listed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rulespec.cli.loading import claims_of_any_deal
from rulespec.core.digest import of_claim
from rulespec.language import load, shipped_rulesets

from .calls import Journal, call
from .report import Table, machine

STATE = Path("build") / "claims-anew.jsonl"
TIMEOUT = 5.0
BAR = 10.0
"""The most seconds of work that a call may take."""
HUNG = 300
"""Seconds of the clock after which a call is killed; a call that ends by itself needs far fewer."""
TITLE = "Every claim anew"
OUTCOMES = ("proved", "refuted", "bounded", "estimated", "undecided")
COLUMNS = ("ruleset", "claims", *OUTCOMES, "s of work", "the most")


@dataclass(frozen=True)
class Decided:
    """The result of one call.

    `outcome` is that of the verdict, or `error` or `hung`; `work` and `clock` are in seconds, `memory` in
    megabytes (the peak); `text` is the statement of the verdict or the end of the output of a failed call.
    """

    ruleset: str
    claim: str
    digest: str
    """The digests of the rules and of the claim."""
    timeout: float
    outcome: str
    work: float
    clock: float
    memory: float
    text: str = ""


def claims(names: Sequence[str] = ()) -> Iterator[tuple[str, str, str]]:
    """The claims that do not depend on a deal: ruleset, claim, and the digests of both."""
    for name in names or shipped_rulesets():
        game = load(name)
        for claim in claims_of_any_deal(game):
            yield name, claim, f"{game.digest} {of_claim(game.claims[claim])}"


def decide(name: str, claim: str, digest: str, timeout: float = TIMEOUT) -> Decided:
    """Decide one claim anew in a process of its own."""
    command = [sys.executable, "-m", "rulespec", "prove", name, claim, "--no-store", "--json"]
    run = call([*command, "--timeout", str(timeout)], HUNG)
    outcome, text = "hung" if run.hung else "error", run.end
    if run.verdicts and not run.hung:
        outcome, text = run.verdicts[0]["outcome"], run.verdicts[0]["statement"]
    return Decided(name, claim, digest, timeout, outcome, run.work, run.clock, run.memory, text)


def read_state(journal: Journal, timeout: float) -> dict[tuple[str, str], Decided]:
    """The latest result of earlier runs with the same timeout, by ruleset and claim."""
    listed = (Decided(**row) for row in journal)
    return {(d.ruleset, d.claim): d for d in listed if d.timeout == timeout}


def table(done: Sequence[Decided], timeout: float) -> Table:
    """For each ruleset the number of claims by outcome, and the seconds of work."""
    words = (
        f"`rulespec prove RULESET CLAIM --no-store --timeout {timeout:g}` for every claim that does not "
        "depend on a deal, each in a process of its own: outcomes under the default readings, and seconds"
        " of work of the process and its children, in total and the most for one claim. Only compiled "
        "code is cached between calls."
    )
    outcome_table = Table(TITLE, words, COLUMNS)
    for name in dict.fromkeys(d.ruleset for d in done):
        ours = [d for d in done if d.ruleset == name]
        counts = Counter(d.outcome for d in ours)
        outcomes = [str(counts[word]) for word in OUTCOMES]
        work = [f"{sum(d.work for d in ours):.0f}", f"{max(d.work for d in ours):.1f}"]
        outcome_table.rows.append([name, str(len(ours)), *outcomes, *work])
    return outcome_table


def main(argv: list[str] | None = None) -> int:
    """Resume the benchmark and print the table; the exit status is 1 if a call failed or passed the bar."""
    parser = argparse.ArgumentParser(prog="benchmarks.anew", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="RULESET", help="which (default: all shipped)")
    parser.add_argument("--timeout", type=float, default=TIMEOUT, metavar="SECONDS")
    parser.add_argument("--state", type=Path, default=STATE, metavar="FILE", help=f"default: {STATE}")
    parser.add_argument("--afresh", action="store_true", help="forget what earlier runs have decided")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table on this page")
    arguments = parser.parse_args(argv)
    journal = Journal(arguments.state, afresh=arguments.afresh)
    before, done = read_state(journal, arguments.timeout), list[Decided]()
    for name, claim, digest in claims(arguments.names):
        result = before.get((name, claim))
        if result is None or result.digest != digest:
            result = decide(name, claim, digest, arguments.timeout)
            journal.append(asdict(result))
            print(f"{name}: {claim} {result.outcome}, {result.work:.1f} s of work", flush=True)
        done.append(result)
    shown = table(done, arguments.timeout)
    print(shown.text())
    over = [d for d in done if d.work > BAR or d.outcome in ("error", "hung")]
    for d in over:
        print(f"over the bar: {d.ruleset}: {d.claim}, {d.work:.1f} s of work, {d.outcome}: {d.text}")
    if arguments.write:
        from .__main__ import write_tables

        write_tables(arguments.write, {shown.title: shown.markdown(machine())})
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
