"""The first random game by generated code from a cold start, for every setting of every shipped ruleset.

`python -m benchmarks.first_game RULESET` is the process of one ruleset: it reads the ruleset and forks a
process for each run, so that modules are loaded once, but for those of the machine, which each run loads when
it first asks for them. It prints results as JSON.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from rulespec.code import Runner, write
from rulespec.core.game import Game
from rulespec.language import Ruleset, outline, read, shipped_rulesets

from .peers import one_core
from .report import Table

MOST_PLIES = 100_000
BAR, MOSTLY, KEPT_BAR = 0.5, 0.2, 0.05
"""Seconds with an empty cache, for any setting and for most; and with a kept module."""

WORDS = (
    "Seconds of work from the loaded rules to the end of the first random game by generated code, in a "
    "process of its own: with an empty cache, so that the rules are written as code, translated and "
    "compiled; and with the machine code of the run before. Both include loading wasmtime and the "
    "machine. Every shipped ruleset is run under its default setting, under each other reading of one "
    "ruling, and for each other number of players, once each; the table has the median of these settings,"
    f" and the greatest with its setting. Bars: {BAR:g} s with an empty cache, under {MOSTLY:g} s for "
    f"most, and {KEPT_BAR:g} s with a cached module. A game is cut after {MOST_PLIES:,} plies."
)
COLUMNS = (
    "ruleset",
    "settings",
    "empty cache s",
    "greatest",
    f"under {MOSTLY:g} s",
    "slowest",
    "kept s",
    "greatest kept",
    "slowest kept",
)


@dataclass(frozen=True)
class Setting:
    """A number of players, or a reading of a ruling, other than the usual; neither for the usual setting."""

    players: int | None = None
    readings: Mapping[str, str] | None = None

    @property
    def words(self) -> str:
        """The name of the setting in the table."""
        if self.players is not None:
            return f"{self.players} players"
        return (
            ", ".join(f"{ruling}={reading}" for ruling, reading in (self.readings or {}).items()) or "usual"
        )


@dataclass(frozen=True)
class Start:
    """Seconds of work to the first game under a setting, with an empty cache and with a kept module."""

    setting: str
    empty: float
    kept: float


def measure(names: Sequence[str] = ()) -> list[Table]:
    """Each ruleset in a process of its own, and all together in the last row."""
    table, every = Table("The first game", WORDS, COLUMNS), list[Start]()
    with one_core():
        for name in names or shipped_rulesets():
            starts = _starts(name)
            table.rows.append([name, *_cells(starts)])
            every += [Start(f"{name}: {start.setting}", start.empty, start.kept) for start in starts]
    table.rows.append(["all", *_cells(every)])
    return [table]


def _cells(starts: Sequence[Start]) -> Iterator[str]:
    slowest = max(starts, key=lambda start: start.empty)
    slowest_kept = max(starts, key=lambda start: start.kept)
    yield str(len(starts))
    yield f"{median(start.empty for start in starts):.2f}"
    yield f"{slowest.empty:.2f}"
    yield str(sum(start.empty < MOSTLY for start in starts))
    yield slowest.setting
    yield f"{median(start.kept for start in starts):.3f}"
    yield f"{slowest_kept.kept:.3f}"
    yield slowest_kept.setting


def _starts(name: str) -> list[Start]:
    command = [sys.executable, "-m", "benchmarks.first_game", name]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return [Start(**one) for one in json.loads(done.stdout)]


# ---- the process of a ruleset


def settings(name: str, game: Game) -> Iterator[Setting]:
    """The usual setting of a ruleset, and those that differ in one reading or in the number of players."""
    yield Setting()
    for ruling in game.rulings.values():
        for reading in ruling.readings:
            if reading.modelled and reading.id != ruling.chosen:
                yield Setting(readings={ruling.id: reading.id})
    for players in outline(name).players:
        if players != game.players:
            yield Setting(players=players)


def starts(name: str) -> Iterator[Start]:
    """The first game of every setting, twice."""
    rules = read(name)
    for setting in settings(name, rules.with_settings()):
        with tempfile.TemporaryDirectory() as folder:

            def first(setting: Setting = setting, folder: str = folder) -> float:
                return first_game(rules, setting, folder)

            yield Start(setting.words, forked(first), forked(first))


def first_game(rules: Ruleset, setting: Setting, folder: str) -> float:
    """Seconds of work to play one random game with a cache folder; the work begins with loaded rules."""
    os.environ["RULESPEC_CACHE"] = folder
    game = rules.with_settings(setting.players, readings=setting.readings)
    before = work()
    Runner(write(game)).playouts(1, 1, MOST_PLIES)
    return work() - before


def forked(run: Callable[[], Any]) -> Any:
    """The result of a function in a forked process, as data of JSON. Raises ChildProcessError if it fails."""
    source, to = os.pipe()
    process = os.fork()
    if process == 0:
        status = 1
        try:
            os.write(to, json.dumps(run()).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(to)
    with os.fdopen(source, "rb") as pipe:
        content = pipe.read()
    _, status = os.waitpid(process, 0)
    if status:
        raise ChildProcessError(f"a forked process ended with status {os.waitstatus_to_exitcode(status)}")
    return json.loads(content)


def work() -> float:
    """Seconds of work of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    print(json.dumps([asdict(start) for start in starts(sys.argv[1])]))
