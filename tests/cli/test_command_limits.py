"""Every command ends at its limits and at signals, whatever the rules make it do."""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rulespec.budgets.supervisor import can_supervise
from rulespec.cli.commands import COMMANDS, PLY, Bound

pytestmark = pytest.mark.skipif(not can_supervise(), reason="this system lacks what a supervisor needs")

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "cli.md"
LONGEST = 300
"""Seconds after which a test gives up."""
QUICK = (
    "import sys; from rulespec.budgets import children, supervisor; "
    "children.GRACE = children.MOST_GRACE = supervisor.REPORT = supervisor.GRACE = 0.3; "
    "from rulespec.cli import main; sys.exit(main())"
)
"""The command line with short moments for reports."""

HEAD = (
    "rulespec: 1\nid: hostile\ntitle: Hostile\nplayers: 2\nrules:\n- id: base\n  prose: Base.\n  formal: |\n"
)
END = "- id: fin\n  prose: End.\n  end: n >= 3\n"
GO = "- id: go\n  prose: Go.\n  action: x in 1..3\n  do: |\n    add 1 to n\n"
LONG_SETUP = (
    "- id: su\n  prose: S.\n  setup: |\n"
    "    for a in 1..9000, b in 1..9000, c in 1..900: n := (a * b + c) mod 3\n"
)
MANY_ACTIONS = GO.replace("x in 1..3", "x in 1..30000, y in 1..30000")
RULES = {
    "setup": HEAD + "    state n: 0..9 = 0\n" + LONG_SETUP + GO + END,
    "actions": HEAD + "    state n: 0..9 = 0\n" + MANY_ACTIONS + END,
}


@pytest.fixture
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "game.yaml"
    path.write_text(RULES[request.param])
    return path


def start(*words: str) -> subprocess.Popen[str]:
    """Start a command."""
    return subprocess.Popen(
        [sys.executable, "-c", QUICK, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("command", "game"),
    [
        ("perft GAME --depth 4", "setup"),
        ("perft GAME --depth 4", "actions"),
        ("simulate GAME --games 10 --no-store --jobs 2 --seed 1 --policy greedy", "actions"),
        ("diff GAME nim --prove", "setup"),
    ],
    indirect=["game"],
)
def test_a_limit_of_time_ends_a_command(command: str, game: Path) -> None:
    """`perft`, `simulate` and `diff` ran for minutes past it: no loop of theirs looked at the clock."""
    words = command.replace("GAME", str(game)).split()
    _, err = (process := start(*words, "--timeout", "1", "--memory", "2000")).communicate(timeout=LONGEST)
    assert (process.returncode, "the limit of 1 s" in err) == (3, True), err


@pytest.mark.parametrize("game", ["actions"], indirect=True)
def test_a_limit_of_memory_ends_a_command(game: Path) -> None:
    words = ("diff", str(game), "nim", "--prove", "--timeout", str(LONGEST), "--memory", "60")
    _, err = (process := start(*words)).communicate(timeout=LONGEST)
    assert (process.returncode, "stopped at the limit of 60 MB" in err) == (3, True), err


@pytest.mark.parametrize(
    ("number", "status", "word"), [(signal.SIGTERM, 143, "ended"), (signal.SIGINT, 130, "interrupted")]
)
@pytest.mark.parametrize("game", ["setup"], indirect=True)
def test_a_signal_ends_generated_code(number: signal.Signals, status: int, word: str, game: Path) -> None:
    """Such a `perft` ran on after SIGTERM, for no handler of Python runs within the code."""
    process = start("perft", str(game), "--depth", "4", "--json")
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(2.5)
    process.send_signal(number)
    out, err = process.communicate(timeout=LONGEST)
    assert (process.returncode, out, err.strip()) == (status, "", word)


def test_a_group_and_a_parent_may_send_the_same_signal(tmp_path: Path) -> None:
    """As timeout(1) does: the command takes the first as the request to end, and says so once."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rulespec", "play", "nim", "--record", str(tmp_path / "play.json")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    while "take" not in process.stdout.readline():
        pass
    for _ in range(3):
        os.killpg(process.pid, signal.SIGTERM)
    _, err = process.communicate(timeout=LONGEST)
    assert (process.returncode, err.strip()) == (143, "ended")
    assert (tmp_path / "play.json").exists(), "the record of the play until then is written"


def options(name: str) -> set[str]:
    """The options of a command."""
    parser = argparse.ArgumentParser()
    COMMANDS[name].add(parser)
    return {option for action in parser._actions for option in action.option_strings}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_with_a_limit_is_supervised(name: str) -> None:
    command = COMMANDS[name]
    assert command.supervised or not (command.step or options(name) & {"--timeout", "--memory", "--each"})


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_has_the_table_of_limits(name: str) -> None:
    command, there = COMMANDS[name], options(name)
    (row,) = re.findall(rf"(?m)^\|(?=[^|]*`{name}`)(.*) \|(.*)\|(.*)\|(.*)\|$", PAGE.read_text("utf-8"))
    _, timeout, memory, step = (cell.strip() for cell in row)
    limits = {Bound.COMMAND: "the command", Bound.PART: "deciding"}[command.timeout]
    assert timeout == (limits if "--timeout" in there else "")
    assert memory == ("yes" if "--memory" in there else "")
    assert step == {"": "", PLY: "limited"}.get(command.step, "a page")


def test_a_command_that_is_done_has_its_own_status() -> None:
    """The signal for its limit of time could come while a large game was freed, and made the status 142."""
    late = "lambda: os.getpid() == first or os.kill(os.getpid(), 14)"
    code = f"import atexit, os; first = os.getpid(); atexit.register({late}); "
    command = [sys.executable, "-c", code + QUICK, "perft", "nim", "--depth", "1"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LONGEST)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_interrupt_of_the_imports_has_no_traceback() -> None:
    find = "staticmethod(lambda name, *rest: name.endswith('.running') and signal.raise_signal(2) or None)"
    code = f"import signal; sys.meta_path.insert(0, type('Finder', (), {{'find_spec': {find}}})); "
    command = [sys.executable, "-c", f"import sys; {code}{QUICK}", "list"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LONGEST)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")
