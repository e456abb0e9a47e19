"""A command is ended by its parent, whatever it does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import ends

from rulespec.budgets.memory import STATM
from rulespec.budgets.supervisor import can_supervise

pytestmark = pytest.mark.skipif(not can_supervise(), reason="this system lacks what a supervisor needs")

LONG_CALL = "sum(range(10**15))"
"""One call in which no handler and no other thread of Python runs."""
LONGEST = 300
"""Seconds after which a test gives up."""


def supervised(
    work: str, seconds: float = 1e6, memory: int = 1 << 31, before: str = ""
) -> subprocess.Popen[str]:
    """Start a program that runs some work under a supervisor and prints its ending.

    All processes of the work hold its output, which ends with the last of them.
    """
    text = f"""if True:
        import os, signal, subprocess, sys, time
        from rulespec.budgets import Budget, supervisor
        supervisor.REPORT, supervisor.GRACE = 0.1, 0.5
        {before}
        ending = supervisor.supervise(Budget({seconds}, {memory}))
        if ending is None:
            {work}
            sys.exit(0)
        print(ending.status, ending.killed and ending.killed.name, *["told"] * ending.is_told, flush=True)
    """
    return subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)


def ending(program: subprocess.Popen[str]) -> str:
    """The last line of a program."""
    out, _ = program.communicate(timeout=LONGEST)
    return out.splitlines()[-1]


@pytest.mark.parametrize(
    ("work", "expected"),
    [
        ("sys.exit(5)", "5 None"),
        ("pass", "0 None"),
        ("sys.exit(143)", "143 None"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "-9 None"),
        ("os.kill(os.getpid(), signal.SIGXCPU)", f"-{signal.SIGXCPU} None"),
    ],
)
def test_an_ending_is_passed_on(work: str, expected: str) -> None:
    assert ending(supervised(work)) == expected


def test_a_limit_of_time_holds_in_one_long_call() -> None:
    assert (
        ending(supervised(f"signal.signal(supervisor.STOP, lambda *_: None); {LONG_CALL}", 0.5)) == "-9 TIME"
    )


def test_a_command_has_a_moment_to_report_at_its_limit_of_time() -> None:
    work = "signal.signal(supervisor.STOP, lambda *_: sys.exit(3)); time.sleep(600)"
    assert ending(supervised(work, 0.5)) == "3 None"


def test_what_a_command_has_said_is_not_said_again() -> None:
    """A command that was killed after its own word, on a busy machine, had it printed twice."""
    work = "signal.signal(supervisor.STOP, lambda *_: supervisor.note_told()); time.sleep(600)"
    assert ending(supervised(work, 0.5)) == "-9 TIME told"


@pytest.mark.skipif(not STATM.exists(), reason="the system does not tell")
def test_a_limit_of_memory_holds_over_all_processes() -> None:
    work = "held = bytearray(b'x') * (300 << 20); os.fork(); time.sleep(600)"
    assert ending(supervised(work, memory=150)) == "-9 MEMORY"
    work = "held = [os.fork() and bytearray(b'x') * (300 << 20) for _ in range(3)]; time.sleep(600)"
    assert ending(supervised(work, memory=400)) == "-9 MEMORY"
    assert ending(supervised("held = bytearray(b'x') * (100 << 20); time.sleep(1)", memory=600)) == "0 None"


@pytest.mark.parametrize(("number", "word"), [(signal.SIGTERM, "TERMINATION"), (signal.SIGINT, "INTERRUPT")])
def test_a_signal_ends_one_long_call(number: signal.Signals, word: str) -> None:
    program = supervised(
        "signal.signal(signal.SIGTERM, lambda *_: None); signal.signal(signal.SIGINT, lambda *_: None); "
        f"print('begun', flush=True); {LONG_CALL}"
    )
    assert program.stdout is not None and program.stdout.readline() == "begun\n"
    program.send_signal(number)
    assert ending(program) == f"-9 {word}"


def test_a_signal_is_passed_on() -> None:
    program = supervised(
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7)); print('begun', flush=True); time.sleep(600)"
    )
    assert program.stdout is not None and program.stdout.readline() == "begun\n"
    program.terminate()
    assert ending(program) == "7 None"


def test_an_interrupt_while_a_person_is_waited_for_is_an_answer() -> None:
    program = supervised(
        "signal.signal(signal.SIGINT, lambda *_: print('heard', flush=True)); "
        "waited = supervisor.person_waited_for(); waited.__enter__(); "
        "print('begun', flush=True); time.sleep(3)"
    )
    assert program.stdout is not None and program.stdout.readline() == "begun\n"
    program.send_signal(signal.SIGINT)
    assert program.stdout.readline() == "heard\n"
    assert ending(program) == "0 None"


def test_descendants_end_with_a_killed_command(tmp_path: Path) -> None:
    """Also those that lead groups of their own."""
    noted = tmp_path / "noted"
    work = (
        "signal.signal(supervisor.STOP, lambda *_: None); "
        "other = subprocess.Popen(['sleep', '600'], start_new_session=True); "
        f"open('{noted}', 'w').write(f'{{os.getpid()}} {{other.pid}}'); {LONG_CALL}"
    )
    assert ending(supervised(work, 3.0)) == "-9 TIME"
    assert all(ends(int(number)) for number in noted.read_text().split())


def test_a_command_ends_with_its_parent(tmp_path: Path) -> None:
    noted = tmp_path / "noted"
    program = supervised(
        f"open('{noted}.new', 'w').write(str(os.getpid())); os.rename('{noted}.new', '{noted}'); {LONG_CALL}"
    )
    until = time.monotonic() + LONGEST
    while not noted.exists() and time.monotonic() < until:
        time.sleep(0.01)
    program.kill()
    program.communicate()
    assert ends(int(noted.read_text()))
    assert program.pid != os.getpid()


def test_what_starts_while_a_command_is_killed_is_killed() -> None:
    """A process that a descendant started between the listing and the kill went on for ever."""
    before = """
        (asked, ask), (told, tell) = os.pipe(), os.pipe()
        listing = supervisor.descendants
        def late(process):
            supervisor.descendants = listing
            found = listing(process)
            os.write(ask, b".")
            os.read(told, 1)
            return found
        supervisor.descendants = late
    """
    work = (
        "signal.signal(supervisor.STOP, signal.SIG_IGN); os.read(asked, 1); "
        "os.fork() and os.write(tell, b'.'); time.sleep(600)"
    )
    assert ending(supervised(work, 0.5, before=before)) == "-9 TIME"


def test_an_orphan_is_counted_and_killed() -> None:
    """The command is no longer above it, but the supervisor is."""
    work = (
        "middle = os.fork() or (os.fork() and os._exit(0)) or os.getpid(); "
        "middle == os.getpid() or os.waitpid(middle, 0); "
        "held = middle == os.getpid() and bytearray(b'x') * (300 << 20); time.sleep(600)"
    )
    assert ending(supervised(work, memory=150)) == "-9 MEMORY"
