"""`python -m benchmarks claims`: decide the claims of `claims.yaml` from nothing and measure the work.

Each claim is decided by `rulespec prove --no-store` in a fresh process; its work is the processor time of the
process and its descendants. No stored verdict is read. Compiled code is kept in a cache of this revision: a
run that adds to it only warms it and is made again, so that compiling is not measured. With `--against`,
rounds at a revision in a worktree of its own alternate with those of the present tree, which must not change
meanwhile. Each result is
appended to a state file at once, so that an interrupted run resumes. The exit status is 1 if a call failed or
the later answers lose something.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from ..calls import Journal, call
from ..report import Table, machine
from .answers import Answer, Change, compare
from .trees import BUILD, Tree, present, revision

LISTED = Path(__file__).parent / "claims.yaml"
STATE = BUILD / "runs.jsonl"
TITLE = "Frozen claims"
MOST_WARMING = 3
"""Runs of a claim that may go into warming the cache before one is measured all the same."""
MOST_SHOWN = 80
"""Characters of an answer in a table; a fraction may have hundreds of digits."""
GRACE = 120
"""Seconds after its own timeout after which a call is killed."""


@dataclass(frozen=True)
class Question:
    """A claim of a ruleset, a shipped one or a file of this folder, with further options of `prove`."""

    ruleset: str
    claim: str
    timeout: float
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The question as it is written on the command line."""
        return " ".join([self.ruleset, self.claim, *self.options])

    @cached_property
    def arguments(self) -> list[str]:
        """The arguments of the command line."""
        file = LISTED.parent / f"{self.ruleset}.yaml"
        ruleset = str(file) if file.is_file() else self.ruleset
        how = ["--no-store", "--json", "--timeout", f"{self.timeout:g}"]
        return ["prove", ruleset, self.claim, *self.options, *how]

    @property
    def digest(self) -> str:
        """A digest of the question, with the text of its ruleset if that is a file of this folder."""
        file = LISTED.parent / f"{self.ruleset}.yaml"
        text = file.read_text("utf-8") if file.is_file() else ""
        return hashlib.sha256(f"{self.name} {self.timeout:g} {text}".encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Run:
    """One measured call: seconds of work and of the clock, and a row for each answer (see `Answer.to_row`).

    `failure` is the end of the output of a call that gave no verdict, else empty.
    """

    tree: str
    question: str
    round: int
    work: float
    clock: float
    answers: Sequence[Mapping[str, Any]] = ()
    failure: str = ""

    @property
    def key(self) -> tuple[str, str, int]:
        """The tree, the question and the round, by which a result is found again."""
        return (self.tree, self.question, self.round)

    @property
    def by_setting(self) -> dict[tuple[str, str, str], Answer]:
        """The answers by their questions."""
        answers = map(Answer.from_row, self.answers)
        return {answer.key: answer for answer in answers}


def questions(path: Path = LISTED) -> list[Question]:
    """The frozen questions, in their order."""
    listed = yaml.safe_load(path.read_text("utf-8"))
    return [
        Question(row["ruleset"], row["claim"], float(row["timeout"]), tuple(row.get("options", "").split()))
        for row in listed
    ]


def measured(tree: Tree, question: Question, number: int) -> Run:
    """Decide a question until that adds nothing to the cache of the tree; the last run."""
    for _ in range(MOST_WARMING):
        before = _files(tree.cache)
        run = _decide(tree, question, number)
        if run.failure or _files(tree.cache) == before:
            break
    return run


def _files(folder: Path) -> set[tuple[str, int]]:
    return {(str(file), file.stat().st_size) for file in folder.rglob("*") if file.is_file()}


def _decide(tree: Tree, question: Question, number: int) -> Run:
    """Decide a question once in a process of its own."""
    command = [str(tree.python), "-m", "rulespec", *question.arguments]
    done = call(command, question.timeout + GRACE, folder=tree.root, environment=tree.environment())
    rows = [Answer.of_data(data).to_row() for data in done.verdicts]
    failure = "" if rows else done.end or "no verdict"
    return Run(tree.digest, question.digest, number, round(done.work, 2), round(done.clock, 2), rows, failure)


def read_state(journal: Journal) -> dict[tuple[str, str, int], Run]:
    """The results of earlier runs, by tree, question and round."""
    runs = (Run(**row) for row in journal)
    return {run.key: run for run in runs}


def measure(trees: Sequence[Tree], asked: Sequence[Question], rounds: int, journal: Journal) -> Iterator[Run]:
    """Every question at every tree in every round; what an earlier run has measured is not measured again.

    The trees take turns at each question, and who begins alternates with the rounds.
    """
    before = read_state(journal)
    for number in range(1, rounds + 1):
        for question in asked:
            for tree in trees if number % 2 else trees[::-1]:
                run = before.get((tree.digest, question.digest, number))
                if run is None:
                    run = measured(tree, question, number)
                    tree.verify()
                    journal.append(asdict(run))
                    shown = run.failure or outcomes(run)
                    print(
                        f"round {number}, {tree.name}: {question.name}: {run.work:.1f} s of work, "
                        f"{run.clock:.1f} s, {shown}",
                        file=sys.stderr,
                        flush=True,
                    )
                yield run


def outcomes(run: Run) -> str:
    """The outcomes of a run with their values, those of several settings one after the other."""
    if run.failure:
        return "failed"
    texts = dict.fromkeys(answer.text for answer in run.by_setting.values())
    return "; ".join(texts)


def relation(before: Sequence[Run], now: Sequence[Run]) -> Change:
    """The worst relation of the answers of any round to those of the same round before."""
    changes = {Change.SAME}
    for old, new in zip(before, now, strict=True):
        then, later = old.by_setting, new.by_setting
        for key in {*then, *later}:
            if key not in then or key not in later:
                changes.add(Change.NEW if key not in then else Change.MISSING)
            else:
                changes.add(compare(then[key], later[key]))
    return max(changes, key=RANKS.index)


RANKS = (Change.SAME, Change.STRONGER, Change.NEW, Change.WEAKER, Change.MISSING, Change.CONTRADICTING)
"""Relations from the best to the worst."""


def one_table(tree: Tree, asked: Sequence[Question], runs: Mapping[str, Sequence[Run]]) -> Table:
    """The medians at one revision."""
    words = (
        f"`python -m benchmarks claims` at {tree.name}, {_rounds(runs)}: each claim of "
        "`benchmarks/frozen/claims.yaml` decided from nothing by `rulespec prove --no-store` in a process of "
        "its own. Work is the processor time of the process and its descendants, compiling left out. Several "
        "answers are those under several readings."
    )
    table = Table(TITLE, words, ["claim", "answer", "work s", "clock s"])
    total = [0.0, 0.0]
    for question in asked:
        ours = runs[question.digest]
        work, clock = (_median(getattr(run, name) for run in ours) for name in ("work", "clock"))
        total = [total[0] + work, total[1] + clock]
        text = outcomes(ours[-1])
        shown = text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"
        table.rows.append([question.name, shown, f"{work:.2f}", f"{clock:.2f}"])
    table.rows.append(["all", "", f"{total[0]:.0f}", f"{total[1]:.0f}"])
    return table


def two_table(
    trees: Sequence[Tree], asked: Sequence[Question], runs: Sequence[Mapping[str, Sequence[Run]]]
) -> Table:
    """The medians at the present tree and at an earlier revision, and how the answers relate."""
    now, then = trees
    words = (
        f"Seconds of work at {then.name} and at {now.name}, medians of {_rounds(runs[0])} that take turns, "
        "their ratio, and the relation of the later answers to the earlier ones."
    )
    table = Table(f"{TITLE} at two revisions", words, ["claim", "before s", "now s", "ratio", "answers"])
    totals, slower = [0.0, 0.0], 0
    for question in asked:
        new, old = (side[question.digest] for side in runs)
        before, after = _median(run.work for run in old), _median(run.work for run in new)
        totals, slower = [totals[0] + before, totals[1] + after], slower + (after > before)
        ratio = f"{after / before:.2f}" if before else ""
        table.rows.append([question.name, f"{before:.2f}", f"{after:.2f}", ratio, relation(old, new).value])
    ratio = f"{totals[1] / totals[0]:.2f}" if totals[0] else ""
    table.rows.append(["all", *(f"{x:.0f}" for x in totals), ratio, f"{slower} of {len(asked)} slower"])
    return table


def _median(values: Iterable[float]) -> float:
    return statistics.median(values)


def _rounds(runs: Mapping[str, Sequence[Run]]) -> str:
    number = max((len(several) for several in runs.values()), default=0)
    return "one round" if number == 1 else f"{number} rounds"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print a table, and say whether anything failed or was lost."""
    parser = argparse.ArgumentParser(prog="benchmarks claims", description=__doc__)
    parser.add_argument("--at", metavar="REV", help="measure this revision instead of the present tree")
    parser.add_argument("--against", metavar="REV", help="also measure this earlier revision, in turns")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="of a ruleset or a claim")
    parser.add_argument("--rounds", type=int, metavar="N", help="default: 1, with --against 3")
    parser.add_argument("--state", type=Path, default=STATE, metavar="FILE", help="default: under build/")
    parser.add_argument("--afresh", action="store_true", help="forget what earlier runs have measured")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table on this page")
    arguments = parser.parse_args(argv)
    names = set(arguments.only)
    asked = [q for q in questions() if not names or names & {q.ruleset, q.claim, q.name}]
    if not asked:
        parser.error(f"no claim of {LISTED.name} is called {' or '.join(sorted(names))}")
    rounds = arguments.rounds or (3 if arguments.against else 1)
    journal = Journal(arguments.state, afresh=arguments.afresh)
    head = machine()
    print(head, flush=True)
    trees = [revision(arguments.at) if arguments.at else present()]
    if arguments.against:
        trees.append(revision(arguments.against))
    if len({tree.digest for tree in trees}) < len(trees):
        parser.error(f"{arguments.against} and {trees[0].name} have the same code and rulesets")
    for tree in trees:
        tree.prepare()
    runs: list[dict[str, list[Run]]] = [{} for _ in trees]
    for run in measure(trees, asked, rounds, journal):
        side = next(i for i, tree in enumerate(trees) if tree.digest == run.tree)
        runs[side].setdefault(run.question, []).append(run)
    table = two_table(trees, asked, runs) if arguments.against else one_table(trees[0], asked, runs[0])
    print(f"\n{table.text()}")
    wrong = False
    for question in asked:
        failures = [run.failure for side in runs for run in side[question.digest] if run.failure]
        wrong |= bool(failures)
        for failure in dict.fromkeys(failures):
            print(f"failed: {question.name}: {failure}")
        if arguments.against:
            change = relation(runs[1][question.digest], runs[0][question.digest])
            wrong |= not change.loses_nothing
            if change is not Change.SAME:
                texts = [outcomes(side[question.digest][-1]) for side in reversed(runs)]
                print(f"{change.value}: {question.name}: {texts[0]} -> {texts[1]}")
    if arguments.write:
        from ..__main__ import write_tables

        write_tables(arguments.write, {table.title: table.markdown(head)})
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
