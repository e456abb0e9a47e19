"""`python -m benchmarks frozen`: compare the stored verdicts of the shipped rulesets with the frozen table.

Prints for each ruleset the number of verdicts that are the same, stronger, weaker, contradicting, missing or
new, then each one that is neither the same nor stronger. The exit status is 1 if there is one.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulespec.core.storage.atomic_files import write_bytes
from rulespec.core.verdicts import Store
from rulespec.language import home

from ..report import Table
from .answers import Answer, Change, compare

TABLE = Path(__file__).parent / "verdicts.jsonl.gz"
TITLE = "Stored verdicts beside the frozen table"
COLUMNS = ("ruleset", "frozen", *(change.value for change in Change), "of other rules")

Answers = Mapping[tuple[str, str, str], Answer]


@dataclass(frozen=True)
class Difference:
    """The frozen answer to a question and the stored one; one of them may be missing."""

    before: Answer | None
    now: Answer | None

    @property
    def change(self) -> Change:
        """The relation of the stored answer to the frozen one."""
        if self.before is None or self.now is None:
            return Change.NEW if self.before is None else Change.MISSING
        return compare(self.before, self.now)

    @property
    def of_other_rules(self) -> bool:
        """True if the rules or the claim have changed since, so that another question was answered."""
        return self.before is not None and self.now is not None and self.before.rules != self.now.rules

    @property
    def answer(self) -> Answer:
        """Either answer, for what both have in common."""
        answer = self.before or self.now
        assert answer is not None
        return answer

    @property
    def text(self) -> str:
        """The difference as a line."""
        before, now = (a.text if a else "none" for a in (self.before, self.now))
        note = "; the rules or the claim have changed" if self.of_other_rules else ""
        ruleset, claim, setting = self.answer.key
        return f"{self.change.value}: {ruleset} {claim} ({setting}): {before} -> {now}{note}"


def stored(folder: Path) -> dict[tuple[str, str, str], Answer]:
    """The answers in all stores below a folder. StoreError if one is damaged."""
    answers = [Answer.of(v) for path in sorted(folder.rglob("verdicts.json.gz")) for v in Store.read(path)]
    return {answer.key: answer for answer in sorted(answers, key=lambda a: a.key)}


def read_table(path: Path) -> dict[tuple[str, str, str], Answer]:
    """The answers of a frozen table."""
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    return {answer.key: answer for answer in (Answer.from_row(json.loads(line)) for line in lines)}


def write_table(path: Path, answers: Iterable[Answer]) -> None:
    """Freeze answers, one a line in the order of their questions. Equal answers give equal files."""
    rows = [a.to_row() for a in sorted(answers, key=lambda a: a.key)]
    lines = [json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")) for row in rows]
    write_bytes(path, gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0))


def differences(before: Answers, now: Answers) -> list[Difference]:
    """Every question of either table with both answers, in order."""
    return [Difference(before.get(key), now.get(key)) for key in sorted({*before, *now})]


def summary(compared: Sequence[Difference]) -> Table:
    """The number of differences of each class, by ruleset and in all."""
    words = "The answers of the stored verdicts beside those of the frozen table."
    table = Table(TITLE, words, COLUMNS)
    names = sorted({d.answer.ruleset for d in compared})
    groups = [(name, [d for d in compared if d.answer.ruleset == name]) for name in names]
    for name, ours in [*groups, ("all", list(compared))]:
        counts = Counter(d.change for d in ours)
        cells = [sum(d.before is not None for d in ours), *(counts[change] for change in Change)]
        table.rows.append([name, *map(str, [*cells, sum(d.of_other_rules for d in ours)])])
    return table


def main(argv: Sequence[str] | None = None) -> int:
    """Compare the stores with the table, or freeze them."""
    parser = argparse.ArgumentParser(prog="benchmarks frozen", description=__doc__)
    parser.add_argument("--table", type=Path, default=TABLE, metavar="FILE", help="default: the frozen one")
    parser.add_argument("--rulesets", type=Path, default=home(), metavar="FOLDER")
    parser.add_argument("--write", action="store_true", help="freeze the stores in a new table")
    parser.add_argument("--overwrite", action="store_true", help="with --write: replace a table")
    arguments = parser.parse_args(argv)
    now = stored(arguments.rulesets)
    if arguments.overwrite and not arguments.write:
        parser.error("--overwrite only goes with --write")
    if arguments.write:
        if arguments.table.exists() and not arguments.overwrite:
            parser.error(f"{arguments.table} exists; add --overwrite to lose what it says")
        write_table(arguments.table, now.values())
        print(f"{len(now)} answers frozen in {arguments.table}")
        return 0
    if not arguments.table.is_file():
        parser.error(f"there is no table {arguments.table}; --write makes one")
    compared = differences(read_table(arguments.table), now)
    print(summary(compared).text())
    lost = [d for d in compared if not d.change.loses_nothing]
    for difference in lost:
        print(difference.text)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
