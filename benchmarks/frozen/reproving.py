"""`python -m benchmarks reprove`: decide every stored verdict anew and compare with the frozen table.

The rulesets are copied without their stores to the folder of the run. There `rulespec prove` decides each
claim under the setting of its stored verdict, in a process of its own and in the order that `prove` uses,
so that claims that help are decided before; it reads and writes the store of the copy, which holds only
what this run has decided. Rulesets come in the order of the seconds that their verdicts took, the first
setting of each before all others. A verdict has `TIMES` the seconds that it took, or `TIMES_OPEN` if it
settles nothing, as that took all the time there was, but at least `LEAST` and at most `MOST` seconds;
`--longer` decides those anew that say less than the frozen ones, with longer limits. Each result is
appended to a journal at once, so that an interrupted run resumes; verdicts on rules or claims that have
changed since are decided again. The exit status is 1 if an answer contradicts a frozen one or a call
failed, else 3 if an answer says less or is missing.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from rulespec.core.verdicts import STRENGTH, Store, Verdict
from rulespec.language import home, locate, read, shipped_rulesets
from rulespec.solver.claims.prove import in_order

from ..calls import Journal, call
from ..report import Table, machine
from .answers import Answer, Change
from .trees import ROOT, present
from .verdicts import TABLE, Difference, differences, read_table, stored

FOLDER = ROOT / "build" / "proofs"
TIMES, TIMES_OPEN = 5.0, 2.0
LEAST, MOST = 60.0, 3600.0
"""Seconds."""
GRACE = 120.0
"""Seconds after its own timeout after which a call is ended from outside."""
TITLE = "Stored verdicts anew"
COUNTED = (Change.SAME, Change.STRONGER, Change.WEAKER, Change.CONTRADICTING, Change.MISSING)
COLUMNS = ("verdicts", *(change.value for change in COUNTED), "s of work", "the most", "s when stored")

Key = tuple[str, str, str]


@dataclass(frozen=True)
class Question:
    """The question that a stored verdict answers; all readings are named, so that no other is asked."""

    verdict: Verdict
    readings: Mapping[str, str]

    @property
    def key(self) -> Key:
        """Ruleset, claim and setting."""
        return self.verdict.key

    @property
    def digest(self) -> str:
        """The digests of the rules and of the claim."""
        return f"{self.verdict.game} {self.verdict.claim_digest}"

    def limit(self, longer: float = 1.0) -> float:
        """Seconds for the decision, `longer` times the usual ones."""
        times = TIMES if STRENGTH[self.verdict.outcome] == 2 else TIMES_OPEN
        return min(max(LEAST, times * self.verdict.seconds), MOST) * longer

    def arguments(self, path: Path, limit: float) -> list[str]:
        """The arguments of the command line for the ruleset at a path."""
        v = self.verdict
        options = [f"--set={name}={value}" for name, value in v.parameters.items()]
        options += [f"--reading={ruling}={reading}" for ruling, reading in self.readings.items()]
        how = ["--players", str(v.players), "--json", "--again", "--timeout", f"{limit:g}"]
        return ["prove", str(path), v.claim, *options, *how]


@dataclass(frozen=True)
class Decided:
    """A question with its answer: the outcome, or `failed`; seconds of work and of the clock; megabytes.

    `failure` is the end of the output of a call that gave no verdict, else empty; `revision` is the one that
    decided.
    """

    ruleset: str
    claim: str
    setting: str
    digest: str
    limit: float
    outcome: str
    work: float
    clock: float
    memory: float
    revision: str
    failure: str = ""

    @property
    def key(self) -> Key:
        """Ruleset, claim and setting."""
        return (self.ruleset, self.claim, self.setting)


@dataclass(frozen=True)
class Run:
    """A run in a folder, with the rulesets whose stores say what is asked."""

    folder: Path
    rulesets: Path
    revision: str

    @property
    def copies(self) -> Path:
        """The copies of the rulesets, with the stores of this run."""
        return self.folder / "rulesets"

    @cached_property
    def journal(self) -> Journal:
        """The journal of the run."""
        return Journal(self.folder / "decided.jsonl")

    @property
    def decided(self) -> dict[Key, Decided]:
        """The latest result of each question."""
        listed = (Decided(**row) for row in self.journal)
        return {d.key: d for d in listed}

    def prepare(self) -> None:
        """Copy the text of the rulesets, over that of an earlier run."""
        shutil.copytree(
            self.rulesets,
            self.copies,
            ignore=shutil.ignore_patterns("*.gz", "certificates"),
            dirs_exist_ok=True,
        )

    def answers(self) -> dict[Key, Answer]:
        """The answers that the run has given."""
        done = {d.key for d in self.decided.values() if not d.failure}
        return {key: answer for key, answer in stored(self.copies).items() if key in done}

    def decide(self, question: Question, limit: float) -> Decided:
        """Decide one question, with what this run has decided before."""
        path = self.copies / locate(question.verdict.ruleset).relative_to(home())
        kept = {name: str(self.folder / name) for name in ("cache", "state")}
        own = {"RULESPEC_CACHE": kept["cache"], "RULESPEC_STATE": kept["state"]}
        command = [sys.executable, "-m", "rulespec", *question.arguments(path, limit)]
        done = call(command, limit + GRACE, environment={**os.environ, **own})
        outcomes = [data["outcome"] for data in done.verdicts if Answer.of_data(data).key == question.key]
        failure = "" if outcomes else done.end or "no verdict"
        return Decided(
            *question.key,
            question.digest,
            limit,
            outcomes[0] if outcomes else "failed",
            round(done.work, 2),
            round(done.clock, 2),
            round(done.memory),
            self.revision,
            failure,
        )


def questions(
    rulesets: Path, names: Sequence[str] = (), claims: Sequence[str] = ()
) -> dict[str, list[Question]]:
    """The questions that stored verdicts answer, by ruleset; those that took least come first.

    Names select rulesets and claims; without any, all are given.
    The verdicts on a ruleset come in the order in which `prove` asks its claims, the usual setting first.
    StoreError for a damaged store.
    """
    listed: dict[str, list[Verdict]] = {}
    for path in sorted(rulesets.rglob("verdicts.json.gz")):
        for verdict in Store.read(path):
            if (not names or verdict.ruleset in names) and (not claims or verdict.claim in claims):
                listed.setdefault(verdict.ruleset, []).append(verdict)
    ordered = sorted(listed, key=lambda name: sum(v.seconds for v in listed[name]))
    return {name: _in_order(name, listed[name]) for name in ordered}


def _in_order(name: str, verdicts: Iterable[Verdict]) -> list[Question]:
    ruleset = read(name)
    settings: dict[tuple[object, ...], list[Verdict]] = {}
    for verdict in sorted(verdicts, key=lambda v: (len(v.parameters), v.key[2])):
        settings.setdefault((verdict.players, *verdict.parameters.items()), []).append(verdict)
    found: list[Question] = []
    for several in settings.values():
        game = ruleset.with_settings(several[0].players, several[0].parameters, {})
        rank = {claim.id: number for number, claim in enumerate(in_order(game, None))}
        usual = {ruling.id: ruling.readings[0].id for ruling in game.rulings.values()}
        asked = [v for v in several if v.claim in rank]
        asked.sort(key=lambda v: (rank[v.claim], len(v.readings), v.key[2]))
        found += [Question(v, {**usual, **v.readings}) for v in asked]
    return found


def waiting(
    run: Run, asked: Sequence[Question], frozen: Mapping[Key, Answer], longer: float
) -> list[tuple[Question, float]]:
    """The questions that are to be decided, in their order, with the limit of each.

    These are the ones without an answer yet, and with `longer` above 1 those whose answers say less than the
    frozen ones, if they had a shorter limit.
    """
    before, answers = run.decided, run.answers()
    left: list[tuple[Question, float]] = []
    for question in asked:
        done, answer, limit = before.get(question.key), answers.get(question.key), question.limit(longer)
        if done is None or done.digest != question.digest or done.failure or answer is None:
            again = True
        else:
            says_less = Difference(frozen.get(question.key), answer).change is Change.WEAKER
            again = says_less and done.limit < limit
        left += [(question, limit)] * again
    return left


def tables(run: Run, compared: Sequence[Difference], asked: Mapping[str, Sequence[Question]]) -> list[Table]:
    """The answers beside the frozen ones, with the seconds of work, by ruleset and by kind of claim."""
    decided = run.decided
    all_asked = {q.key: q for ours in asked.values() for q in ours}
    revisions = ", ".join(sorted({d.revision for key, d in decided.items() if key in all_asked}))
    words = (
        f"`python -m benchmarks reprove` at {revisions or 'no revision'}: each stored verdict decided anew, "
        "with no stored verdict to begin with, in a process of its own; its answer beside the frozen one. "
        "Work is the processor time of the process and its descendants, in all and the most for one verdict; "
        "the last column is the seconds that the stored verdicts took."
    )
    found = []
    parts: list[tuple[str, Callable[[Question], str]]] = [
        ("ruleset", lambda q: q.verdict.ruleset),
        ("kind", lambda q: q.verdict.kind),
    ]
    for by, part in parts:
        groups: dict[str, list[Question]] = {}
        for question in all_asked.values():
            groups.setdefault(part(question), []).append(question)
        table = Table(f"{TITLE}, by {by}", words, (by, *COLUMNS))
        for name, ours in [*sorted(groups.items()), ("all", [*all_asked.values()])]:
            keys = {q.key for q in ours}
            changes = [d.change for d in compared if d.answer.key in keys]
            work = [decided[key].work for key in keys if key in decided]
            numbers = [len(keys), *map(changes.count, COUNTED)]
            seconds = [sum(work), max(work, default=0.0), sum(q.verdict.seconds for q in ours)]
            table.rows.append([name, *map(str, numbers), *(f"{x:,.0f}" for x in seconds)])
        found.append(table)
    return found


def decide_all(run: Run, left: Mapping[str, Sequence[tuple[Question, float]]], jobs: int) -> None:
    """Decide questions, those under a setting one after the other, `jobs` settings in parallel.

    The first setting of each ruleset comes first, as its plays are tried under others.
    """
    total = sum(map(len, left.values()))
    settings = [by_setting(several) for several in left.values()]
    queue = [ours[0] for ours in settings if ours] + [one for ours in settings for one in ours[1:]]
    numbers = itertools.count(1)
    interrupted = threading.Event()

    def decide(several: Sequence[tuple[Question, float]]) -> None:
        for question, limit in several:
            result = run.decide(question, limit)
            if interrupted.is_set():
                return
            run.journal.append(asdict(result))
            name = f"{result.ruleset} {result.claim} ({result.setting})"
            shown = f"{result.work:.1f} s of work, {result.clock:.1f} s of {limit:.0f} s"
            print(f"{next(numbers)}/{total} {name}: {result.outcome}, {shown}", file=sys.stderr, flush=True)

    with ThreadPoolExecutor(jobs) as pool:
        pending = [pool.submit(decide, several) for several in queue]
        try:
            for done in as_completed(pending):
                done.result()
        except BaseException:
            interrupted.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def by_setting(questions: Sequence[tuple[Question, float]]) -> list[list[tuple[Question, float]]]:
    """The questions about a ruleset by their settings, each in their order."""
    found: dict[str, list[tuple[Question, float]]] = {}
    for question, limit in questions:
        found.setdefault(question.key[2], []).append((question, limit))
    return [*found.values()]


def report(run: Run, compared: Sequence[Difference], shown: Sequence[Table]) -> int:
    """Print the tables, then each answer that is lost or contradicts a frozen one; the exit status."""
    for table in shown:
        print(f"\n{table.text()}")
    by_change = {change: [d for d in compared if d.change is change] for change in Change}
    for change in (Change.STRONGER, Change.NEW, Change.WEAKER, Change.CONTRADICTING):
        for difference in by_change[change]:
            print(difference.text)
    failures = [d for d in run.decided.values() if d.failure]
    for failed in failures:
        print(f"failed: {' '.join(failed.key)}: {failed.failure}")
    if by_change[Change.MISSING]:
        print(
            f"{len(by_change[Change.MISSING])} frozen answers are missing: their questions were not decided"
        )
    if by_change[Change.CONTRADICTING] or failures:
        print(f"{len(by_change[Change.CONTRADICTING])} CONTRADICTIONS, {len(failures)} FAILURES")
        return 1
    return 3 if by_change[Change.WEAKER] or by_change[Change.MISSING] else 0


def main(argv: Sequence[str] | None = None) -> int:
    """Go on with the run, compare, print the tables."""
    parser = argparse.ArgumentParser(prog="benchmarks reprove", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="RULESET", help="which (default: all shipped)")
    parser.add_argument("--claim", action="append", default=[], metavar="CLAIM", help="only claims so named")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="settings in parallel (default: 1)")
    parser.add_argument("--longer", type=float, default=1.0, metavar="TIMES", help="limits for weaker ones")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="default: build/proofs")
    parser.add_argument("--table", type=Path, default=TABLE, metavar="FILE", help="default: the frozen one")
    parser.add_argument("--afresh", action="store_true", help="forget what earlier runs have decided")
    parser.add_argument("--compare", action="store_true", help="decide nothing, compare what was decided")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the tables on this page")
    arguments = parser.parse_args(argv)
    unknown = [name for name in arguments.names if name not in shipped_rulesets()]
    if unknown:
        parser.error(f"no shipped ruleset is called {unknown[0]}")
    if arguments.afresh:
        shutil.rmtree(arguments.folder, ignore_errors=True)
    run = Run(arguments.folder, home(), present().name)
    asked = questions(run.rulesets, arguments.names, arguments.claim)
    keys = {q.key for ours in asked.values() for q in ours}
    frozen = read_table(arguments.table)
    if arguments.names or arguments.claim:
        frozen = {key: answer for key, answer in frozen.items() if key in keys}
    head = machine()
    if not arguments.compare:
        run.prepare()
        left = {name: waiting(run, ours, frozen, arguments.longer) for name, ours in asked.items()}
        decide_all(run, left, max(1, arguments.jobs))
    compared = differences(frozen, {key: a for key, a in run.answers().items() if key in keys})
    shown = tables(run, compared, asked)
    if arguments.write:
        from ..__main__ import write_tables

        write_tables(arguments.write, {table.title: table.markdown(head) for table in shown})
    return report(run, compared, shown)
