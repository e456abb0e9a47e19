"""Planted faults: a side condition of a method, translation or checker taken away, one at a time.

`python -m soundness.mutants` runs, for each, what is to notice it against a copy of the project: a campaign
of so many decisions, or the tests that the fault names. It goes on where it was stopped. Exit status 0 if
enough were caught, 1 if not, 2 if the campaign fails without any fault.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .direction import ANY
from .faulty_run import arguments
from .planted import FAULTS, Fault

ROOT = Path(__file__).parent.parent.parent
ENOUGH = 0.95
"""The share of faults that must be caught."""


@dataclass(frozen=True)
class Outcome:
    """The result for a fault: whether it was caught, after how many decisions (0: by tests), and by what."""

    caught: bool
    decisions: int
    text: str


def place_of(fault: Fault, root: Path = ROOT) -> Path:
    """The file in which the text of a fault stands. Raises ValueError where that is not one place."""
    where = root / fault.where
    files = [where] if where.is_file() else sorted(where.rglob("*.py"))
    found = [(path, path.read_text("utf-8").count(fault.before)) for path in files]
    places = [path for path, times in found for _ in range(times)]
    if len(places) != 1:
        raise ValueError(f"{fault.where} has {len(places)} times: {fault.before}")
    return places[0]


def plant(fault: Fault | None, folder: Path) -> None:
    """Copy the project into a folder and take the side condition away. ValueError where it is not found."""
    for name in ("rulespec", "solver", "tests"):
        shutil.copytree(ROOT / name, folder / name, symlinks=True)  # rulespec/solver is a link
    for name in ("pyproject.toml",):
        shutil.copy2(ROOT / name, folder / name)
    (folder / "rulesets").symlink_to(ROOT / "rulesets")
    if fault is None:
        return
    path = place_of(fault, folder)
    path.write_text(path.read_text("utf-8").replace(fault.before, fault.after), "utf-8")


def tried(fault: Fault | None, base: str, budget: int) -> Outcome:
    """Run what is to notice a fault, or a campaign without any, against a copy of the project."""
    with tempfile.TemporaryDirectory(prefix="planted-") as name:
        folder = Path(name)
        plant(fault, folder)
        if fault is not None and fault.tests:
            return _by_tests(fault.tests, folder)
        methods, direction = (fault.methods, fault.direction) if fault is not None else ((), None)
        command = ["-m", "soundness.faulty_run", *arguments(base, budget, methods, direction)]
        done = _ran(command, folder)
        last = done.stdout.strip("\n").rpartition("\n")[2]
        made, tab, text = last.partition("\t")
        if not tab:
            raise RuntimeError(f"the campaign did not run: {done.stderr[-2000:]}")
        return Outcome(done.returncode != 0, int(made), text)


def _by_tests(tests: Sequence[str], folder: Path) -> Outcome:
    done = _ran(["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests], folder)
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    collecting = done.returncode == 2 and "ERROR collecting" in done.stdout  # the tests play as they are read
    if (done.returncode == 1 or collecting) and failed:
        return Outcome(True, 0, failed[0].partition(" ")[2][:160])
    if done.returncode:
        raise RuntimeError(f"{' '.join(tests)} did not run: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return Outcome(False, 0, "")


def _ran(arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join((str(folder), str(folder / "tests")))
    whole = {"RULESPEC_SLOW": "1", "RULESPEC_SHARE_OF_EXAMPLES": "1"}  # all cases of the tests, all examples
    environment = {**os.environ, **whole, "PYTHONPATH": paths, "RULESPEC_CACHE": str(folder / "cache")}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def _key(fault: Fault | None, base: str) -> str:
    """All that the outcome for a fault depends on, but for the budget and the project itself."""
    if fault is None:
        return repr(base)
    if fault.tests:
        return repr((fault.where, fault.before, fault.after, fault.tests))
    favoured = {name: x for name, x in vars(fault.direction or ANY).items() if x != getattr(ANY, name)}
    way = favoured if fault.direction is not None else None
    return repr((fault.where, fault.before, fault.after, fault.methods, way, base))


class Kept:
    """The outcomes so far, in a file to go on from.

    A fault is tried again only if it survived: a campaign with a larger budget, or the tests that it names.
    """

    def __init__(self, file: Path, fresh: bool) -> None:
        self._file = file
        self._found: dict[str, dict[str, Any]] = {}
        if file.exists() and not fresh:
            self._found = json.loads(file.read_text("utf-8"))

    def outcome(self, fault: Fault | None, base: str, budget: int) -> Outcome:
        """The outcome for a fault, found out where it is not kept."""
        key = _key(fault, base)
        if (kept := self._found.get(key)) is not None:
            outcome = Outcome(**kept["outcome"])
            by_tests = fault is not None and bool(fault.tests)  # which may have been written since
            if outcome.caught or (kept["budget"] >= budget and not by_tests):
                return outcome
        outcome = tried(fault, base, budget)
        self._found[key] = {"budget": budget, "outcome": asdict(outcome)}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps(self._found, indent=1), "utf-8")
        return outcome


def described(number: int, fault: Fault, outcome: Outcome) -> str:
    """A line of the table."""
    head = f"{number:3} {fault.where}: {fault.condition}"
    if not outcome.caught:
        return f"{head}\n      SURVIVED: {outcome.text or fault.survives or 'not explained yet'}"
    after = "by a test" if fault.tests else f"after {outcome.decisions:,} decisions"
    return f"{head}\n      caught {after}: {outcome.text}"


def main() -> int:
    """Try the faults that the command line names, or all."""
    parser = argparse.ArgumentParser(prog="soundness.mutants", description=__doc__)
    parser.add_argument("--decisions", type=int, default=4_000, help="for each fault (default: %(default)s)")
    parser.add_argument("--seed", default="planted", help="what the games are drawn from")
    parser.add_argument(
        "--folder", type=Path, default=Path("build/soundness-mutants"), help="for the outcomes"
    )
    parser.add_argument("--fresh", action="store_true", help="begin anew, do not go on")
    parser.add_argument("faults", nargs="*", type=int, help="numbers of faults, from 0 (default: all)")
    asked = parser.parse_args()
    unknown = [number for number in asked.faults if not 0 <= number < len(FAULTS)]
    if unknown:
        parser.error(f"there is no fault {unknown[0]}: they are 0 to {len(FAULTS) - 1}")
    kept = Kept(asked.folder / "outcomes.json", asked.fresh)
    if not asked.faults:
        sound = kept.outcome(None, asked.seed, asked.decisions)
        if sound.caught:
            print(f"without any fault: {sound.text}")
            return 2
    chosen = asked.faults or range(len(FAULTS))
    caught = 0
    for number in chosen:
        outcome = kept.outcome(FAULTS[number], asked.seed, asked.decisions)
        caught += outcome.caught
        print(described(number, FAULTS[number], outcome), flush=True)
    print(f"{caught} of {len(chosen)} caught")
    return 0 if caught >= ENOUGH * len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
