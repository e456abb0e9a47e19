"""The wait after an edit of a ruleset: for its check, and for the first figures of a simulation."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from rulespec.language import shipped_rulesets

from .calls import Call, call
from .commands import environment
from .peers import one_core
from .report import Table, spread

RULESETS = ("stout", "leistiko", "smith", "sacred-alignment", "othello")
ROUNDS = 5
GAMES = 100
BAR = 1
"""Seconds that each command may take."""
LONGEST = 120
"""Seconds of the clock after which a command is ended."""

WORDS = (
    "Seconds from a command to its last word, after an edit of one condition of a rule, on one core: of "
    f"`rulespec check`, which runs the examples, and of `rulespec simulate --games {GAMES} --no-store`. "
    f"No run has seen its edit before. Medians of {ROUNDS} rounds (least and greatest behind them); work is "
    f"processor time, which other work on the machine disturbs less. Bar: {BAR} s for each."
)
COLUMNS = ("ruleset", "check s", "its work s", "simulate s", "its work s")


def measure(names: Sequence[str] = RULESETS, rounds: int = ROUNDS) -> list[Table]:
    """Each ruleset, edited again and again."""
    table = Table("An edited ruleset", WORDS, COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        kept = {"RULESPEC_CACHE": str(place / "cache"), "RULESPEC_STATE": str(place / "state")}
        variables = {**environment(str(place / "compiled")), **kept}
        with one_core():
            for name in names:
                table.rows.append([name, *_measured(name, place / f"{name}.yaml", variables, rounds)])
    return [table]


def _measured(name: str, file: Path, variables: Mapping[str, str], rounds: int) -> list[str]:
    """A cell for each column: clock and work of both commands after each edit."""
    before = shipped_rulesets()[name].read_text("utf-8")
    commands = (
        ("check", str(file)),
        ("simulate", str(file), "--games", str(GAMES), "--no-store", "--seed", "1", "--jobs", "1"),
    )
    cells = list[str]()
    for place, command in enumerate(commands):
        calls = list[Call]()
        for number in range(rounds + 1):
            file.write_text(edited(before, place * (rounds + 1) + number), "utf-8")
            calls.append(_call(command, variables))
        calls = calls[1:]  # the first fills the caches
        cells += [spread(one.clock for one in calls), spread(one.work for one in calls)]
    return cells


def _call(command: Sequence[str], variables: Mapping[str, str]) -> Call:
    done = call([sys.executable, "-m", "rulespec", *command], LONGEST, environment=variables)
    if done.status:
        raise RuntimeError(f"{' '.join(command)} failed: {done.end}")
    return done


CONDITION = re.compile(r"^( +that: )(?!\|)(.+)$", re.MULTILINE)
"""A condition on one line."""


def edited(text: str, number: int) -> str:
    """A ruleset with one more condition, which always holds: another text and other rules for each number."""
    rules = _rules(text)
    always = " and mover = mover" * number
    changed, found = CONDITION.subn(rf"\1(\2){always}", rules, count=1)
    if not found:
        raise AssertionError("no rule has a condition on one line")
    return text.removesuffix(rules) + changed


def _rules(text: str) -> str:
    """The rules of a ruleset and what follows them; empty in one that only changes another."""
    return text.partition("\nrules:\n")[2]
