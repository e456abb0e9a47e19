"""A server whose commands do what tests ask for: `python toy.py FOLDER`, with the folder of its program.

It prints its process when it listens. Commands are written `check WORDS`.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulespec.serve.identity import address
from rulespec.serve.server import Server


class Numbers:
    """Remembers the numbers that commands have learned."""

    def __init__(self) -> None:
        self.known: list[int] = []
        self.fresh: list[int] = []
        self.can_be_used = True
        self.folder: Path | None = None
        """Where work that is done aside says that it has begun."""

    def usable(self) -> bool:
        return self.can_be_used

    def begin(self) -> None:
        self.fresh = []

    def news(self) -> Any:
        return self.fresh

    def learn(self, news: Any) -> None:
        self.known += news

    def aside(self) -> bool:
        return self.folder is not None

    def rest(self) -> None:
        if self.folder is not None:
            os.fork()
            print("never seen", flush=True)
            _wait(self.folder)

    def to_data(self) -> dict[str, int]:
        return {"numbers": len(self.known)}


MEMORY = Numbers()


def work(argv: Sequence[str]) -> int:
    """Do what the words after the first say."""
    _, what, *rest = argv
    if what == "exit":
        return int(rest[0])
    if what == "crash":
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "raise":
        raise RuntimeError("a defect")
    if what == "learn":
        MEMORY.fresh.append(int(rest[0]))
    if what == "knows":
        print(*MEMORY.known)
    if what == "where":
        print(Path.cwd(), os.environ.get("TOY"), oct(os.umask(0)), sys.stdin.read())
        print(sys.stdout.encoding, sys.stdout.line_buffering, sys.stderr.errors, file=sys.stderr)
    if what == "terminal":
        print(sys.stdout.isatty(), sys.stdin.isatty(), shutil.get_terminal_size((1, 1)).columns)
    if what == "aside":
        MEMORY.folder = Path(rest[0])
        print("done")
    if what == "wait":
        return _wait(Path(rest[0]))
    return 0


def _wait(folder: Path) -> int:
    """Say that it has begun, and wait for a file or an interrupt."""
    print("begun", flush=True)
    (folder / f"begun-{os.getpid()}").touch()
    try:
        for _ in range(6000):
            if (folder / "go").exists():
                return 7
            time.sleep(0.01)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return 1


def cannot_fork() -> int:
    """What `fork` does where the user has as many processes as are allowed."""
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def main() -> None:
    program, idle = sys.argv[1], float(sys.argv[2])
    MEMORY.can_be_used = sys.argv[3:] != ["unusable"]
    if sys.argv[3:] == ["alone"]:
        os.fork = cannot_fork
    server = Server(work, MEMORY, [program], idle)
    path = address()
    assert path is not None
    if not server.listen(Path(path)):
        print("another server listens", flush=True)
        return
    print(os.getpid(), flush=True)
    print(server.serve(), flush=True)


if __name__ == "__main__":
    main()
