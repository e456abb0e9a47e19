"""Work that a ruleset makes endless or huge ends at the limits of the call, and every claim has a verdict.

Each ruleset passes, or passed, `check`, and once took minutes or gigabytes whatever the limits were. It is
proved by the command line in a process whose address space and work are bounded by the system as well, so
that a limit that does not hold fails the test and not the machine. Nothing here is timed by a clock.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulespec.budgets import can_fork
from rulespec.language import load
from rulespec.solver.claims import prove

TIMEOUT, MEMORY = 0.3, 500
"""The limits of `prove` in seconds and megabytes."""
WORK = 30
"""Seconds of work after which the system kills a process: a hundred times its limit."""
ROOM = 4_000
"""The address space of one process in megabytes; most of it is code and reservations."""
HELD = 800
"""The most megabytes of the largest process: the limit and the growth between two measurements."""


def ruleset(
    *, formal: str = "", action: str = "()", do: str = "nothing", claims: str, setup: str = ""
) -> str:
    lines = [
        "rulespec: 1",
        "id: hostile",
        "title: Hostile",
        "players: 2",
        "rules:",
        "- id: base",
        "  prose: There is a counter.",
        "  formal: |",
        "    state n: 0..9 = 0",
        *[f"    {line}" for line in formal.splitlines()],
        *(["  setup: |", f"    {setup}"] if setup else []),
        "- id: go",
        "  prose: It goes up.",
        f"  action: {action}",
        "  do: |",
        *[f"    {line}" for line in do.splitlines()],
        "    add 1 to n",
        "- id: over",
        "  prose: Three are enough.",
        "  end: n >= 3",
        "- id: points",
        "  prose: They count.",
        "  score: n",
        "claims:",
        *claims.splitlines(),
    ]
    return "\n".join(lines) + "\n"


PLAIN = """\
- id: low
  prose: It stays low.
  invariant: n < 9
- id: ends
  prose: It ends.
  terminates: 5
- id: top
  prose: So much.
  most: n
"""


def one(kind: str) -> str:
    return f"- id: much\n  prose: It is claimed.\n  {kind}\n"


HOSTILE = {
    "a count of 10^12 in an invariant": ruleset(
        claims=one(
            "invariant: "
            "count(x in 1..10000, y in 1..10000, z in 1..9000 where (x * y + z * z + n) mod 7 = 3) > 5"
        )
    ),
    "a count of 10^8 that is to be the most": ruleset(
        claims=one("most: count(x in 1..10000, y in 1..10000 where (x * y + n) mod 7 = 3)")
    ),
    "a number of 10^8 values, which a digest of the claim listed": ruleset(
        claims=one("invariant: count(x in 1..20000, y in 1..20000 where x * y mod 7 = n) != 3")
    ),
    "a million actions in each position": ruleset(
        action="x in 1..1000, y in 1..1000", do="if x + y = 3: nothing\nelse: nothing", claims=PLAIN
    ),
    "forty billion actions in each position": ruleset(action="x in 1..200000, y in 1..200000", claims=PLAIN),
    "a list of 200,000 that each action fills": ruleset(
        formal="state q: list of 1..200000 up to 200000 = []",
        action="x in 1..3",
        do="for y in 1..200000: add y to q\nif n > 0: nothing\nelse: nothing",
        claims=PLAIN,
    ),
    "a set of 200,000": ruleset(
        formal="state q: set of 1..200000 = {}",
        action="x in 1..200000 where x not in q",
        do="add x to q",
        claims=PLAIN,
    ),
    "a setup of 10^11 steps": ruleset(
        setup="for x in 1..10000, y in 1..10000, z in 1..900: n := (x * y + z) mod 9", claims=PLAIN
    ),
    "a state of 4 x 10^10 places": ruleset(
        formal="type B = 1..200000\nstate a: map B -> list of B up to 200000 = []", claims=PLAIN
    ),
}


@dataclass(frozen=True)
class Ran:
    """A command that has run: its status and output, its work in seconds, megabytes of its largest
    process."""

    status: int
    text: str
    work: float
    held: float


def bounded(*command: str) -> Ran:
    """Run a command in a process that measures its children."""
    code = (
        "import os, resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True, text=True)\n"
        "sys.stdout.write(done.stdout + done.stderr)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(f'\\n{done.returncode} {used.ru_utime + used.ru_stime} {used.ru_maxrss / 1024}')\n"
    )

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (WORK, WORK + 5))
        resource.setrlimit(resource.RLIMIT_AS, (ROOM * 2**20, ROOM * 2**20))

    done = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, preexec_fn=limits, check=True
    )
    *text, last = done.stdout.rstrip().splitlines()
    status, work, held = last.split()
    return Ran(int(status), "\n".join(text), float(work), float(held))


@pytest.mark.sampled(4)
@pytest.mark.skipif(not can_fork() or sys.platform != "linux", reason="the system does not tell what is held")
@pytest.mark.parametrize("name", HOSTILE)
def test_no_ruleset_passes_the_limits_of_a_call(name: str, tmp_path: Path) -> None:
    (tmp_path / "hostile.yaml").write_text(HOSTILE[name], "utf-8")
    command = [sys.executable, "-m", "rulespec", "prove", str(tmp_path / "hostile.yaml"), "--no-store"]
    ran = bounded(*command, "--timeout", str(TIMEOUT), "--memory", str(MEMORY))
    assert "Traceback" not in ran.text, ran.text
    assert ran.work < 2 * WORK, ran
    assert ran.held < HELD, ran
    if ran.status == 2:
        assert "error[size." in ran.text, "either `check` refuses it as too large"
        return
    asked = [
        line.removeprefix("- id: ")
        for line in HOSTILE[name].partition("claims:")[2].splitlines()
        if "- id" in line
    ]
    assert all(f"{claim}: " in ran.text for claim in asked), ran.text
    assert ran.status in (0, 3), ran.text


STUCK = """\
rulespec: 1
id: stuck
title: Stuck at once
players: 1
rules:
- id: cards
  prose: The cards are shuffled; none can be played.
  formal: |
    type Card = 1..12
    state pile: list of Card up to 12 = []
    state taken: 0..12 = 0
  setup: shuffle Card into pile
- id: take
  prose: Take a card.
  action: c in Card
  require:
    never:
      prose: No.
      that: taken > 0
  do: add 1 to taken
claims:
- id: all-taken
  prose: All can be taken.
  reachable: taken = 12
- id: most-taken
  prose: So many.
  most: taken
"""


def test_a_game_without_a_legal_first_ply_is_no_endless_hunt(tmp_path: Path) -> None:
    """A hunt dealt anew for ever, looking for a deal with a legal first ply."""
    (tmp_path / "stuck.yaml").write_text(STUCK, "utf-8")
    path = str(tmp_path / "stuck.yaml")
    found = {v.claim: v for v in prove(lambda **settings: load(path, **settings), timeout=600)}
    assert {name: v.outcome for name, v in found.items()} == {"all-taken": "refuted", "most-taken": "proved"}
