"""All processes that a command has started end with it, even if it is killed."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest
from processes import ends, marked

from rulespec.budgets import Budget, ForkedCall, Worker, can_fork, children
from rulespec.language import home

ROOT = Path(__file__).parent.parent.parent
FOREVER = 10**12

linux = pytest.mark.skipif(
    not can_fork() or sys.platform != "linux",
    reason="the system does not show the environment of a process",
)


IMPORTED = {"subprocess", "ProcessPoolExecutor", "multiprocessing.process", "pty"}
CALLED = {"get_context", "Process", "Pool", "fork", "forkpty", "posix_spawn", "system"}


def forking(path: Path) -> set[str]:
    """The names in a module that start processes."""
    text, found = path.read_text("utf-8"), set()
    mentioned = any(word in text for word in IMPORTED | CALLED)
    for node in ast.walk(ast.parse(text)) if mentioned else ():
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= IMPORTED & ({alias.name for alias in node.names} | {getattr(node, "module", None) or ""})
        elif isinstance(node, ast.Attribute):
            found |= CALLED & {node.attr}
    return found


def test_processes_are_started_in_five_places() -> None:
    """Engines and `check` forked processes of their own, which outlived a killed prover.

    The helpers of a cluster's worker end with it: their own tests kill both. The Chromium that prints a
    rulebook ends when it has printed, and git when it has answered.
    """
    modules = [path for folder in ("rulespec", "solver") for path in (ROOT / folder).rglob("*.py")]
    found = {str(path.relative_to(ROOT)): what for path in modules if (what := forking(path))}
    assert found == {
        "rulespec/book/output/pdf.py": {"subprocess"},
        "rulespec/budgets/children.py": {"multiprocessing.process", "get_context", "Process"},
        "rulespec/budgets/supervisor.py": {"fork"},
        "rulespec/executors/helpers.py": {"subprocess"},
        "rulespec/sources/revisions.py": {"subprocess"},
    }


def asking(work: Callable[[], None]) -> int:
    """Fork a process that does some work; its id."""
    asked = os.fork()
    if not asked:
        try:
            work()
        finally:
            os._exit(0)
    return asked


def note(folder: Path) -> None:
    """Make a file in a folder with the id of this process as its name."""
    (folder / str(os.getpid())).touch()


@pytest.mark.skipif(not can_fork(), reason="this system does not fork")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_descendants_end_with_the_first_process(number: signal.Signals, tmp_path: Path) -> None:
    """During one long call, as of engines and machine code, no thread of a child can notice the end."""

    def inner() -> None:
        note(tmp_path)
        sum(range(FOREVER))

    def work(request: None, tell: object) -> None:
        note(tmp_path)
        with ForkedCall(inner, alone=True), ForkedCall(inner):
            sum(range(FOREVER))

    def ask() -> None:
        signal.signal(number, signal.SIG_DFL) if number != signal.SIGKILL else None
        Worker[None, None](work).ask(None, Budget(600))

    first = asking(ask)
    until = time.monotonic() + 60
    while len([*tmp_path.iterdir()]) < 3 and time.monotonic() < until:
        time.sleep(0.01)
    os.kill(first, number)
    os.waitpid(first, 0)
    noted = [int(path.name) for path in tmp_path.iterdir()]
    assert len(noted) == 3
    assert not [process for process in noted if not ends(process)]


@linux
def test_a_child_whose_parent_ended_before_it_does_not_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system signals the end of a parent only if it was requested before."""
    end_with_parent = children.end_with_parent

    def late(parent: int) -> None:
        there = os.getppid()
        note(tmp_path)
        while os.getppid() == there:
            time.sleep(0.01)
        end_with_parent(parent)

    def ask() -> None:
        ForkedCall((tmp_path / "begun").touch)
        time.sleep(600)

    monkeypatch.setattr(children, "end_with_parent", late)
    first = asking(ask)
    while not (noted := [*tmp_path.iterdir()]):
        time.sleep(0.01)
    os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)
    assert ends(int(noted[0].name))
    assert [*tmp_path.iterdir()] == noted


COMMANDS = {
    "check --again": 3,
    "prove sacred-alignment zero-cheat --again --no-store": 2,
    "simulate stout --players 2 --seed 1 --games 100000000 --jobs 2 --no-store": 4,
    "mutate nim --jobs 2": 3,
    "survey sacred-alignment --claim zero-cheat --deals 1000 --jobs 2 --database {}/survey.sqlite": 3,
    "book --prove --config {}/mkdocs.yml --within 600 --each 600": 2,
}
"""Commands that take long, and the least number of their processes."""


@linux
@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_outlives_a_killed_command(command: str, tmp_path: Path) -> None:
    """Child processes of `check` waited for ever for a parent that was killed."""
    mark = f"RULESPEC_STATE={tmp_path}"
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Games\n")
    copytree(home() / "sacred-alignment", tmp_path / "sacred-alignment")
    config = "site_name: x\ntheme: rulespec\nplugins: [{rulespec: {rulesets: [sacred-alignment]}}]\n"
    (tmp_path / "mkdocs.yml").write_text(config)
    first = subprocess.Popen(
        [sys.executable, "-m", "rulespec", *command.format(tmp_path).split()],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "RULESPEC_STATE": str(tmp_path)},
    )
    while len(marked(mark)) < COMMANDS[command] and first.poll() is None:
        time.sleep(0.01)
    there = marked(mark)
    first.kill()
    first.wait()
    assert len(there) >= COMMANDS[command]
    assert not [process for process in {*there, *marked(mark)} if not ends(process)]
