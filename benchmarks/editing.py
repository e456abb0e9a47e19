"""The wait after an edit of a ruleset: for the first figures of a simulation, and in a process that stays."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rulespec.language import shipped

from .calls import Call, call
from .commands import environment
from .peers import one_core
from .report import Table, spread

RULESETS = ("stout", "leistiko", "smith", "sacred-alignment", "othello")
ROUNDS = 5
GAMES = 100
BAR, SERVED_BAR = 1, 0.3
"""Seconds until the first figures of a simulation, and for what a process that stays does after an edit."""
LONGEST = 120
"""Seconds of the clock after which a command is ended."""

WORDS = (
    "Seconds from a command to its last word, after an edit of one condition of a rule: of `rulespec "
    f"simulate --games {GAMES} --no-store` with no server, and with `rulespec serve` in another terminal of "
    "`check`, which reads the ruleset and runs its examples again, and of `simulate` of one game, for "
    "which its code is written, compiled and kept, and of both together. No run has seen its edit before; "
    f"the server has checked the ruleset as it was before. Medians of {ROUNDS} rounds (least and greatest "
    "behind them) in which all take a turn, on one core; work is the processor time of all processes, "
    f"which other work on the machine disturbs less. Bars: {BAR} s for the first figures, and {SERVED_BAR} "
    "s for both together in a process that stays."
)
COLUMNS = (
    "ruleset",
    "simulate s",
    "its work s",
    "check, served s",
    "first game, served s",
    "both s",
    "their work s",
)
NOTHING = "–"


def measure(names: tuple[str, ...] = RULESETS, rounds: int = ROUNDS) -> list[Table]:
    """Each ruleset, alone and served in turn."""
    table = Table("An edited ruleset", WORDS, COLUMNS)
    with one_core(), tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        kept = {"RULESPEC_CACHE": str(place / "cache"), "RULESPEC_STATE": str(place / "state")}
        with serving({**environment(str(place / "compiled")), **kept}) as terminal:
            for name in names:
                table.rows.append([name, *_row(name, place / f"{name}.yaml", terminal, rounds)])
    return [table]


def _row(name: str, file: Path, terminal: Terminal, rounds: int) -> list[str]:
    before = shipped()[name].read_text("utf-8")
    file.write_text(before, "utf-8")
    terminal.run("check", str(file))
    terminal.run("simulate", str(file), *_games(1))
    terminal.alone("simulate", str(file), *_games(1))
    alone, checked, played, work = list[Call](), list[Call](), list[Call](), list[float]()
    for number in range(rounds):
        file.write_text(edited(before, 2 * number + 1), "utf-8")
        alone.append(terminal.alone("simulate", str(file), *_games(GAMES)))
        file.write_text(edited(before, 2 * number + 2), "utf-8")
        served, began = terminal.served, terminal.server_work
        checked.append(terminal.run("check", str(file)))
        played.append(terminal.run("simulate", str(file), *_games(1)))
        work.append(terminal.server_work - began + checked[-1].work + played[-1].work)
        if terminal.serves and terminal.served != served + 2:
            raise RuntimeError(f"the server did not run the commands for {name}")
    cells = [spread(run.clock for run in alone), spread(run.work for run in alone)]
    if not terminal.serves:
        return [*cells, *[NOTHING] * (len(COLUMNS) - 1 - len(cells))]
    both = [check.clock + play.clock for check, play in zip(checked, played, strict=True)]
    times = [spread(run.clock for run in checked), spread(run.clock for run in played), spread(both)]
    return [*cells, *times, spread(work)]


def _games(count: int) -> list[str]:
    return ["--games", str(count), "--no-store", "--seed", "1", "--jobs", "1"]


def edited(text: str, number: int) -> str:
    """A ruleset with one more condition, which always holds: another text and other rules for each number."""
    head, begin, rules = text.partition("\nrules:\n")
    always = " and mover = mover" * number
    changed, found = re.subn(
        r"^( +that: )(?!\|)(.+)$", rf"\1(\2){always}", rules, count=1, flags=re.MULTILINE
    )
    if not found:
        raise AssertionError("no rule has a condition on one line")
    return head + begin + changed


@dataclass(frozen=True)
class Terminal:
    """Runs commands, with the environment of a server and the process that it is, if there is one."""

    environment: Mapping[str, str]
    server: int | None

    @property
    def serves(self) -> bool:
        """True if a server runs."""
        return self.server is not None

    def alone(self, *command: str) -> Call:
        """Run a command without a server."""
        return self._call(command, {**self.environment, "RULESPEC_SERVE": "no"})

    def run(self, *command: str) -> Call:
        """Run a command, by the server if there is one and it takes it."""
        return self._call(command, self.environment)

    def _call(self, command: tuple[str, ...], variables: Mapping[str, str]) -> Call:
        done = call([sys.executable, "-m", "rulespec", *command], LONGEST, environment=variables)
        if done.status:
            raise RuntimeError(f"{' '.join(command)} failed: {done.end}")
        return done

    @property
    def served(self) -> int:
        """The number of commands that the server has run; 0 without one."""
        if self.server is None:
            return 0
        asked = call(
            [sys.executable, "-m", "rulespec", "serve", "--status", "--json"],
            60,
            environment=self.environment,
        )
        return int(json.loads(asked.out)["server"]["served"])

    @property
    def server_work(self) -> float:
        """Seconds of work of the server and the commands that it ran; 0 where the system does not say."""
        try:
            status = Path(f"/proc/{self.server}/stat").read_text("utf-8")
        except OSError:
            return 0.0
        ticks = status.rpartition(")")[2].split()[11:15]  # user and system time, its own and its children's
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(variables: Mapping[str, str]) -> Iterator[Terminal]:
    """A terminal with a server that ends with the block; without one where a system cannot have any."""
    command = [sys.executable, "-m", "rulespec", "serve"]
    with subprocess.Popen(
        [*command, "--json"], env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        lines = process.stdout.readline()
        if not lines:
            print(f"no served commands: {process.stderr.read().strip()}", file=sys.stderr)
            yield Terminal(variables, None)
            return
        try:
            yield Terminal(variables, process.pid)
        finally:
            subprocess.run([*command, "--stop"], env=variables, check=True, stdout=subprocess.DEVNULL)
