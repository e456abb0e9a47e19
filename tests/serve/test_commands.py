"""A served command prints what it prints by itself, byte for byte, and sees every edit."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import shlex
import socket
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import misfits
from texts import COUNTDOWN, RULING

from rulespec.serve.protocol import VERSION, receive, send

COMMAND = [sys.executable, "-m", "rulespec"]
Result = tuple[int, bytes, bytes]


class Served:
    """The command line beside a server, in a folder with some files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "RULESPEC_STATE": str(folder / "state")}
        self.process = subprocess.Popen(
            [*COMMAND, "serve", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self.environment,
            text=True,
        )
        assert self.process.stdout is not None
        lines = [self.process.stdout.readline()]
        while lines[-1] not in ("}\n", ""):
            lines.append(self.process.stdout.readline())
        data = json.loads("".join(lines))
        schema = json.loads((files("rulespec.cli") / "schemas" / "serve.json").read_text("utf-8"))
        assert [*misfits(data, schema, schema)] == []
        assert data["server"]["process"] == self.process.pid

    def status(self) -> dict[str, int]:
        """How many commands the server has run, and what it keeps."""
        (path,) = (self.folder / "state" / "serve").glob("*.sock")
        with socket.socket(socket.AF_UNIX) as to:
            to.connect(str(path))
            send(to, {"rulespec": VERSION, "request": "status"})
            found = receive(to)["status"]
        return {"served": found["served"], "aside": found["aside"], **found["kept"]}

    def run(self, *argv: str, typed: bytes = b"", **more: str) -> Result:
        """The exit status and output of a command."""
        done = subprocess.run(
            [*COMMAND, *argv],
            input=typed,
            capture_output=True,
            cwd=self.folder,
            env={**self.environment, **more},
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def both(self, *argv: str, typed: bytes = b"", **more: str) -> Result:
        """What a command gives, which must be the same when it is served, and when it is not."""
        before = self.status()["served"]
        served = self.run(*argv, typed=typed, **more)
        assert self.status()["served"] == before + 1, "the server ran it"
        assert served == self.run(*argv, typed=typed, RULESPEC_SERVE="no", **more)
        return served


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "own.yaml").write_text(COUNTDOWN)
    (folder / "faulty.yaml").write_text(COUNTDOWN.replace("remove n from left", "remov n from left"))
    (folder / "reading.yaml").write_text(COUNTDOWN.replace("- id: bare\n", RULING))
    (folder / "page.md").write_text(
        "```rulespec\nruleset: own.yaml\nrefused: {play: take 3, by: enough}\n```\n"
    )
    (folder / "play.txt").write_text("take 2\nundo\nnonsense\ntake 1\nquit\n")
    server = Served(folder)
    server.run("play", "own.yaml", "--player", "random", "--seed", "4", "--record", "play.json")
    yield server
    server.process.terminate()
    server.process.communicate(timeout=120)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("list", 0),
        ("list --json", 0),
        ("check own.yaml", 0),
        ("check own.yaml faulty.yaml missing.yaml", 2),
        ("check faulty.yaml --json", 2),
        ("check own.yaml", 0),
        ("check own.yaml own.yaml reading.yaml faulty.yaml page.md", 2),
        ("check page.md", 1),
        ("check kuhn-poker --again", 0),
        ("check own.yaml --deep --each 1", 0),
        ("show own.yaml", 0),
        ("show own.yaml --rule take --formal", 0),
        ("show own.yaml --rule tak", 2),
        ("show tic-tac-toe --code", 0),
        ("show reading.yaml --reading opening=one --json", 0),
        ("play own.yaml --player random --seed 4", 0),
        ("play own.yaml --player random --seed 4 --json", 0),
        ("replay play.json --steps", 0),
        ("replay missing.json", 2),
        ("perft tic-tac-toe --depth 3", 0),
        ("perft own.yaml --depth 4 --json", 0),
        ("simulate own.yaml --games 200 --seed 1 --no-store --jobs 1", 0),
        ("simulate own.yaml --games 20 --seed 1 --no-store --json", 0),
        ("simulate own.yaml --games 20 --seed 1 --policy greedy --no-store", 0),
        ("why own.yaml 'take 9' --seed 1", 2),
        ("why 'take 1' --record play.json --ply 0", 0),
        ("diff own.yaml reading.yaml", 0),
        ("diff own.yaml own.yaml --prove", 0),
        ("coverage smith", 0),
        ("schema", 0),
        ("schema perft", 0),
        ("schema nothing", 2),
        ("check --help", 0),
        ("check --nonsense", 2),
        ("show own.yaml --players 7", 2),
    ],
)
def test_it_prints_the_same(commands: Served, line: str, status: int) -> None:
    assert commands.both(*shlex.split(line))[0] == status


def test_lines_come_from_a_pipe(commands: Served) -> None:
    typed = (commands.folder / "play.txt").read_bytes()
    _, out, _ = commands.both("play", "own.yaml", "--seed", "1", typed=typed)
    assert b"nonsense" in out


@pytest.mark.parametrize("setting", [{"COLUMNS": "44"}, {"TERM": "dumb"}, {"PATH": ""}])
def test_variables_count(commands: Served, setting: dict[str, str]) -> None:
    commands.both("show", "own.yaml", **setting)


@pytest.mark.parametrize("colour", [{}, {"NO_COLOR": "1"}])
def test_a_terminal_shows_the_same(commands: Served, colour: dict[str, str]) -> None:
    def shown(**more: str) -> bytes:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 20, 57, 0, 0))
        command = [*COMMAND, "show", "own.yaml", "--formal"]
        environment = {**commands.environment, "TERM": "xterm", **colour, **more}
        done = subprocess.Popen(command, stdout=theirs, stderr=theirs, cwd=commands.folder, env=environment)
        os.close(theirs)
        seen = b""
        while True:
            try:
                part = os.read(ours, 1000)
            except OSError:  # as Linux says that nobody holds the terminal any more
                part = b""
            if not part:
                break
            seen += part
        os.close(ours)
        done.wait()
        return seen

    before = commands.status()["served"]
    served = shown()
    assert commands.status()["served"] == before + 1
    assert served == shown(RULESPEC_SERVE="no")
    assert max(map(len, served.decode().splitlines())) <= 57


def test_a_reader_that_goes_away(commands: Served) -> None:
    for more in ({}, {"RULESPEC_SERVE": "no"}):
        source, to = os.pipe()
        os.close(source)
        done = subprocess.run(
            [*COMMAND, "list"],
            stdout=to,
            stderr=subprocess.PIPE,
            env={**commands.environment, **more},
            check=False,
        )
        os.close(to)
        assert (done.returncode, done.stderr) == (141, b"")


def test_a_closed_stream_is_not_served(commands: Served) -> None:
    before = commands.status()["served"]
    line = f"exec {sys.executable} -m rulespec schema >&-"
    assert subprocess.run(["/bin/sh", "-c", line], env=commands.environment, check=False).returncode == 0
    assert commands.status()["served"] == before


def test_an_edit_is_seen(commands: Served) -> None:
    file = commands.folder / "edited.yaml"
    file.write_text(COUNTDOWN)
    assert b"0 faults" in commands.both("check", "edited.yaml")[1]
    file.write_text(COUNTDOWN.replace("n <= left", "n <= lefft"))
    assert b"lefft" in commands.both("check", "edited.yaml")[1]
    file.write_text(COUNTDOWN.replace("0..5 = 5", "0..5 = 1"))
    assert (
        b"won by 1           100.00%"
        in commands.both("simulate", "edited.yaml", "--games", "10", "--seed", "1", "--no-store")[1]
    )


EXAMPLE = """\
  examples:
  - id: too-many
    given: {left: 1}
    refused: {play: take 2, by: enough}
  - id: at-first
    legal: take 2
"""


def test_an_example_runs_again_where_a_base_changes(commands: Served) -> None:
    base, variant = commands.folder / "base.yaml", commands.folder / "variant.yaml"
    base.write_text(COUNTDOWN.replace("- id: take\n", "- id: take\n" + EXAMPLE))
    variant.write_text(
        "rulespec: 1\nid: longer\ntitle: Longer\nextends: base\n"
        "add:\n- after: take\n  rule:\n    id: again\n    prose: More.\n    note: More.\n"
        "    examples:\n    - {id: five, legal: take 1}\n"
    )
    assert commands.both("check", "variant.yaml")[0] == 0
    kept = commands.status()["examples"]
    assert commands.both("check", "variant.yaml")[0] == 0
    assert commands.status()["examples"] == kept, "none has passed anew"
    base.write_text(base.read_text().replace("that: n <= left", "that: n < left"))
    assert commands.both("check", "variant.yaml")[0] == 0
    assert commands.status()["examples"] > kept, "all have passed anew"
    base.write_text(base.read_text().replace("that: n < left", "that: n <= left + 1"))
    status, out, _ = commands.both("check", "variant.yaml")
    assert status == 1
    assert b"too-many" in out


def test_the_machine_of_a_checked_ruleset_is_made_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that `simulate` keeps is there before it begins; of a faulty ruleset nothing is kept."""
    cache = tmp_path / "cache"
    monkeypatch.setenv("RULESPEC_CACHE", str(cache))
    commands = Served(tmp_path)
    try:
        for name, text in (("own", COUNTDOWN), ("faulty", COUNTDOWN.replace("remove n", "remov n"))):
            (tmp_path / f"{name}.yaml").write_text(text)
        commands.run("check", "faulty.yaml")
        assert commands.status()["aside"] == 0
        assert commands.run("check", "own.yaml") == (0, b"1 ruleset, 0 examples, 0 faults\n", b"")
        while commands.status()["aside"]:
            time.sleep(0.01)
        code = {path.name for path in cache.glob("rulespec_code_*")}
        assert len(code) == 2
        commands.run("simulate", "own.yaml", "--games", "3", "--no-store")
        assert code == {path.name for path in cache.glob("rulespec_code_*")}
    finally:
        commands.process.terminate()
        commands.process.communicate(timeout=120)


def test_an_example_that_fails_is_told_every_time(commands: Served) -> None:
    file = commands.folder / "failing.yaml"
    file.write_text(COUNTDOWN.replace("- id: take\n", "- id: take\n" + EXAMPLE.replace("left: 1", "left: 2")))
    for _ in range(2):
        status, out, _ = commands.both("check", "failing.yaml")
        assert status == 1
        assert b"should be refused" in out


def test_a_strangers_huge_file_is_refused_alike(commands: Served) -> None:
    (commands.folder / "huge.yaml").write_text(COUNTDOWN + "#" * 2_000_000)
    (commands.folder / "deep.yaml").write_text("rulespec: 1\nid: " + "[" * 50_000)
    assert commands.both("check", "huge.yaml", "deep.yaml")[0] == 2
    assert commands.both("check", "own.yaml")[0] == 0


def test_it_is_turned_off_before_a_command(commands: Served) -> None:
    before = commands.status()["served"]
    assert commands.run("--no-serve", "schema")[0] == 0
    assert commands.status()["served"] == before


def test_a_server_tells_how_it_does_and_ends(tmp_path: Path) -> None:
    environment = {**os.environ, "RULESPEC_STATE": str(tmp_path)}

    def asked(word: str) -> tuple[int, str]:
        done = subprocess.run(
            [*COMMAND, "serve", word], capture_output=True, text=True, env=environment, check=False
        )
        return done.returncode, done.stdout

    assert asked("--status") == asked("--stop") == (3, "no server runs\n")
    server = subprocess.Popen(
        [*COMMAND, "serve"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    assert server.stdout is not None
    first = server.stdout.readline()
    assert first.startswith(f"process {server.pid} listens at {tmp_path}")
    assert asked("--status") == (0, first)
    second = subprocess.run([*COMMAND, "serve"], capture_output=True, text=True, env=environment, check=False)
    assert (second.returncode, second.stdout) == (0, first)
    assert asked("--stop") == (0, f"process {server.pid} has stopped listening\n")
    assert server.communicate(timeout=120)[1] == "ended: asked to end\n"
    assert server.returncode == 0
    assert asked("--status")[0] == 3


def test_a_served_command_loads_next_to_nothing() -> None:
    program = "import rulespec.cli, rulespec.serve.client, sys; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    ours = [name for name in done.stdout.split() if name.startswith("rulespec.")]
    assert ours == [
        "rulespec.cli", "rulespec.core", "rulespec.core.folders", "rulespec.serve", "rulespec.serve.client",
        "rulespec.serve.identity", "rulespec.serve.protocol",
    ]  # fmt: skip
    assert not {"argparse", "dataclasses", "hashlib", "subprocess", "lark"} & {*done.stdout.split()}
