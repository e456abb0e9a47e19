"""The wait after an edit of a ruleset: for the first figures of a simulation, and in a process that stays."""

from __future__ import annotations

import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rulespec.budgets import Stopwatch, cores
from rulespec.language import shipped
from rulespec.serve.protocol import VERSION, receive, send

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
LOOK = 0.01
"""Seconds between two questions to the server about the machine that it makes ready."""

SERVED_WORDS = (
    "with `rulespec serve` in another terminal of `check`, which reads the ruleset and runs its "
    "examples again, of the same until the machine is ready too, whose code the server has written, "
    "compiled and kept by then, and of `simulate` of one game after that."
)
WORDS = (
    "Seconds from a command to its last word, after an edit of one condition of a rule, on one core: of"
    f" `rulespec simulate --games {GAMES} --no-store` with no server, and {SERVED_WORDS} No run has seen"
    f" its edit before; the server has checked the ruleset as it was before. Medians of {ROUNDS} rounds "
    "(least and greatest behind them) in which all take a turn; work is the processor time of all "
    f"processes, which other work on the machine disturbs less. Bars: {BAR} s for the first figures, and"
    f" {SERVED_BAR} s until the machine is ready."
)
SERVED_COLUMNS = ("check s", "machine ready s", "first game s", "their work s")
COLUMNS = ("ruleset", "simulate s", "its work s", *SERVED_COLUMNS)
MORE_WORDS = (
    f"The same on all cores, where the machine is made ready while examples run, {SERVED_WORDS} Every "
    "shipped ruleset that extends no other and has a condition on one line, and the medians of all."
)


class Served(NamedTuple):
    """Seconds after an edit: of the check, until the machine is ready, of the first game, and of all work."""

    checked: float
    ready: float
    played: float
    work: float


def measure(names: Sequence[str] = RULESETS, rounds: int = ROUNDS, more: Sequence[str] = ()) -> list[Table]:
    """Each ruleset alone and served in turn on one core, and `more` served on all cores."""
    table = Table("An edited ruleset", WORDS, COLUMNS)
    further = Table(f"An edited ruleset on {cores()} cores", MORE_WORDS, ("ruleset", *SERVED_COLUMNS))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        kept = {"RULESPEC_CACHE": str(place / "cache"), "RULESPEC_STATE": str(place / "state")}
        variables = {**environment(str(place / "compiled")), **kept}
        with one_core(), serving(variables) as terminal:
            for name in names:
                alone, served = _measured(name, place / f"{name}.yaml", terminal, rounds)
                cells = [spread(run.clock for run in alone), spread(run.work for run in alone)]
                table.rows.append([name, *cells, *_cells(served)])
        with serving(variables) as terminal:
            medians: list[Served] = []
            for name in more:
                _, served = _measured(name, place / f"{name}.yaml", terminal, rounds, alone=False)
                medians += [Served(*map(statistics.median, zip(*served, strict=True)))] if served else []
                further.rows.append([name, *_cells(served)])
            further.rows.append(["median", *_cells(medians)])
    return [table, further] if more else [table]


def _cells(found: Sequence[Served]) -> list[str]:
    """A cell for each column of what was served; empty ones where no server can be."""
    return [spread(column) for column in zip(*found, strict=True)] or ["–"] * len(Served._fields)


def _measured(
    name: str, file: Path, terminal: Terminal, rounds: int, *, alone: bool = True
) -> tuple[list[Call], list[Served]]:
    """A ruleset, edited again and again: simulations without a server, and what is served after each edit."""
    before = shipped()[name].read_text("utf-8")
    file.write_text(before, "utf-8")
    terminal.run("check", str(file))
    terminal.run("simulate", str(file), *_games(1))
    if alone:
        terminal.alone("simulate", str(file), *_games(1))
    simulated, served = list[Call](), list[Served]()
    for number in range(rounds):
        if alone:
            file.write_text(edited(before, 2 * number + 1), "utf-8")
            simulated.append(terminal.alone("simulate", str(file), *_games(GAMES)))
        if terminal.server is not None:
            file.write_text(edited(before, 2 * number + 2), "utf-8")
            served.append(_served(file, terminal))
    return simulated, served


def _served(file: Path, terminal: Terminal) -> Served:
    before, began, watch = terminal.status["served"], terminal.server_work, Stopwatch()
    checked = terminal.run("check", str(file))
    while terminal.status["aside"]:
        time.sleep(LOOK)
    ready = watch.seconds
    played = terminal.run("simulate", str(file), *_games(1))
    if terminal.status["served"] != before + 2:
        raise RuntimeError(f"the server did not run the commands for {file.name}")
    while terminal.running:
        time.sleep(LOOK)
    work = terminal.server_work - began + checked.work + played.work
    return Served(checked.clock, ready, played.clock, work)


def _games(count: int) -> list[str]:
    return ["--games", str(count), "--no-store", "--seed", "1", "--jobs", "1"]


CONDITION = re.compile(r"^( +that: )(?!\|)(.+)$", re.MULTILINE)
"""A condition on one line."""


def editable() -> list[str]:
    """The shipped rulesets that `edited` can edit."""
    return [name for name, path in shipped().items() if CONDITION.search(_rules(path.read_text("utf-8")))]


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


@dataclass(frozen=True)
class Terminal:
    """Runs commands, with the environment of a server and, if it runs, its process and its socket."""

    environment: Mapping[str, str]
    server: int | None
    address: str

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
    def status(self) -> dict[str, Any]:
        """How the server does."""
        with socket.socket(socket.AF_UNIX) as to:
            to.connect(self.address)
            send(to, {"rulespec": VERSION, "request": "status"})
            found: dict[str, Any] = receive(to)["status"]
        return found

    @property
    def running(self) -> bool:
        """True if processes of the server's have not ended; False where the system does not say."""
        try:
            return bool(Path(f"/proc/{self.server}/task/{self.server}/children").read_text("ascii"))
        except OSError:
            return False

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
        lines = [process.stdout.readline()]
        while lines[-1] not in ("}\n", ""):
            lines.append(process.stdout.readline())
        if not lines[0]:
            print(f"no served commands: {process.stderr.read().strip()}", file=sys.stderr)
            yield Terminal(variables, None, "")
            return
        try:
            yield Terminal(variables, process.pid, json.loads("".join(lines))["address"])
        finally:
            subprocess.run([*command, "--stop"], env=variables, check=True, stdout=subprocess.DEVNULL)
