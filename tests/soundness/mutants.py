"""Planted faults: a side condition of a method, translation or checker taken away, one at a time.

`python -m soundness.mutants` runs a campaign against a copy of the project for each, and prints which of them
it caught. Exit status 0 if every fault was caught, 2 if the campaign fails without any.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .planted import FAULTS, Fault

ROOT = Path(__file__).parent.parent.parent
CAUGHT, SURVIVED = "caught", "survived"
RUN = """
import itertools, sys
from soundness.campaign import run, without_compiling
without_compiling()
base, budget = sys.argv[1], int(sys.argv[2])
made = 0
for number in itertools.count():
    from collections import Counter
    decided = Counter()
    wrong = run([f"{base}-{number}"], 10**9, decided)
    made += decided.total()
    if wrong:
        print(f"after {made} decisions: {wrong[0].method}: {wrong[0].text.strip().splitlines()[-1][:200]}")
        sys.exit(1)
    if made >= budget:
        sys.exit(0)
"""


@dataclass(frozen=True)
class Outcome:
    """The result of a campaign: the disagreement that it met, if any."""

    caught: bool
    text: str


def plant(fault: Fault | None, folder: Path) -> None:
    """Copy the project into a folder and take the side condition away. ValueError where it is not found."""
    for name in ("rulespec", "solver", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    if fault is None:
        return
    path = folder / fault.file
    text = path.read_text("utf-8")
    if text.count(fault.before) != 1:
        raise ValueError(f"{fault.file} has {text.count(fault.before)} times: {fault.before}")
    path.write_text(text.replace(fault.before, fault.after), "utf-8")


def tried(fault: Fault | None, base: str, budget: int) -> Outcome:
    """Run a campaign of so many decisions against a copy of the project with a fault in it, or with none."""
    with tempfile.TemporaryDirectory(prefix="planted-") as name:
        folder = Path(name)
        plant(fault, folder)
        environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{folder / 'tests'}"}
        command = [sys.executable, "-c", RUN, base, str(budget)]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        last = (done.stdout.strip() or done.stderr.strip()).rpartition("\n")[2]
        return Outcome(done.returncode != 0, last)


def main() -> int:
    """Try the faults that the command line names, or all."""
    parser = argparse.ArgumentParser(prog="soundness.mutants", description=__doc__)
    parser.add_argument("--decisions", type=int, default=6_000, help="for each fault (default: %(default)s)")
    parser.add_argument("--seed", default="planted", help="what the games are drawn from")
    parser.add_argument("faults", nargs="*", type=int, help="numbers of faults, from 0 (default: all)")
    arguments = parser.parse_args()
    sound = tried(None, arguments.seed, arguments.decisions)
    if sound.caught:
        print(f"without any fault: {sound.text}")
        return 2
    chosen = arguments.faults or range(len(FAULTS))
    survived = 0
    for number in chosen:
        outcome = tried(FAULTS[number], arguments.seed, arguments.decisions)
        survived += not outcome.caught
        word = CAUGHT if outcome.caught else SURVIVED
        fault = FAULTS[number]
        print(f"{number} {word}: {fault.file}: {fault.condition} {outcome.text}", flush=True)
    print(f"{len(chosen) - survived} of {len(chosen)} caught")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
