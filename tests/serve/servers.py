"""Servers and clients in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

TOY = Path(__file__).with_name("toy.py")
CLIENT = (
    "import sys; from rulespec.serve.client import served; "
    "sys.exit(99 if (s := served(sys.argv[1:])) is None else s)"
)
ALONE = 99
"""The exit status of the client of the toy where no server ran its command."""


@dataclass
class Toy:
    """A toy server, and the folders it uses."""

    folder: Path
    idle: float = 3600.0
    words: tuple[str, ...] = ()
    process: subprocess.Popen[str] = field(init=False)
    first: str = field(init=False)
    """Its first line: its process, or that another listens."""

    def __post_init__(self) -> None:
        (self.folder / "program").mkdir(exist_ok=True)
        command = [sys.executable, str(TOY), str(self.folder / "program"), str(self.idle), *self.words]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.environment()
        )
        assert self.process.stdout is not None
        self.first = self.process.stdout.readline()

    def environment(self, **more: str) -> dict[str, str]:
        """The variables of the server and its clients."""
        return {**os.environ, "RULESPEC_STATE": str(self.folder / "state"), **more}

    @property
    def socket(self) -> Path:
        """The socket that it listens at."""
        (found,) = (self.folder / "state" / "serve").glob("*.sock")
        return found

    def begin(self, *words: str, **more: str) -> subprocess.Popen[str]:
        """A client with a command."""
        return subprocess.Popen(
            [sys.executable, "-c", CLIENT, "check", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment(**more),
        )

    def run(self, *words: str, **more: str) -> tuple[int, str, str]:
        """The exit status and the output of a command."""
        client = self.begin(*words, **more)
        out, err = client.communicate("typed", timeout=120)
        return client.returncode, out, err

    def ended(self) -> str:
        """What it said at its end, after waiting for it."""
        assert self.process.stdout is not None
        out = self.process.stdout.read()
        self.process.wait(timeout=120)
        return out.strip()

    def kill(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait(timeout=120)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def toy(folder: Path, idle: float = 3600.0, *words: str) -> Iterator[Toy]:
    """A toy server that is killed at the end."""
    server = Toy(folder, idle, words)
    try:
        yield server
    finally:
        server.kill()
