"""One input in a process with limits, and what is wrong with how it went."""

from __future__ import annotations

import io
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from campaigns import Failure

from rulespec.cli import main
from rulespec.solver.certificates.__main__ import main as check_proof

from .inputs import CERTIFY, Input

SECONDS = 10
"""Of processor time that one input may take."""
MEGABYTES = 1000
"""The memory that one input may need beyond that of the process before it."""
STATUSES = {0, 1, 2, 3}
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
VICTIM = "a file of the user\n"


class Overrun(BaseException):
    """An input took longer than it may."""


def limit() -> None:
    """Bound the memory of this process for good."""
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + MEGABYTES * 2**20,) * 2)


@contextmanager
def _in_time(seconds: float) -> Iterator[None]:
    """Raises Overrun where the body takes longer, in seconds of processor time."""

    def over(*_: object) -> None:
        raise Overrun

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def _streams(stdin: str) -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Standard streams of our own, in UTF-8 like those of a terminal, and as wide as many are."""
    kept, environment = (sys.stdin, sys.stdout, sys.stderr), dict(os.environ)
    os.environ["COLUMNS"] = "80"
    data = io.BytesIO(stdin.encode("utf-8", "surrogatepass"))
    sys.stdin = io.TextIOWrapper(data, "utf-8", errors="surrogateescape")
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace") for _ in range(2))
    sys.stdout, sys.stderr = out, err
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept
        os.environ.clear()
        os.environ.update(environment)


def run(made: Input, seconds: float = SECONDS) -> Failure | None:
    """Run an input in a folder of its own; what went wrong, or None."""
    sandbox = Path(tempfile.mkdtemp(prefix="fuzz-"))
    folder, victims = sandbox / "case", sandbox / "victims"
    folder.mkdir()
    victims.mkdir()
    for victim in _victims(sandbox):
        victim.write_text(VICTIM)
    before = Path.cwd()
    os.chdir(folder)
    try:
        made.write(folder)
        return _ran(made, seconds) or _harm(sandbox)
    finally:
        os.chdir(before)
        shutil.rmtree(sandbox, ignore_errors=True)


def _victims(sandbox: Path) -> list[Path]:
    names = ("backup.xz", "download.part", "a.yaml")
    return [sandbox / "victim.txt", *(sandbox / "victims" / name for name in names)]


def _ran(made: Input, seconds: float) -> Failure | None:
    with _streams(made.stdin) as (out, err):
        try:
            with _in_time(seconds):
                status = check_proof(made.argv[1:]) if made.argv[0] == CERTIFY else main(made.argv)
        except Overrun:
            return Failure("hang", f"more than {seconds} s of work:\n{traceback.format_exc()[-3000:]}")
        except MemoryError:
            return Failure("memory", f"more than {MEGABYTES} MB:\n{traceback.format_exc()[-3000:]}")
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else 0
        except BaseException:
            return Failure("traceback", traceback.format_exc()[-3000:])
        texts = [_written(stream) for stream in (out, err)]
    if status not in STATUSES:
        return Failure("status", f"exit status {status}: {texts[1][-500:]}")
    if "Traceback (most recent" in texts[0] + texts[1]:
        return Failure("traceback", (texts[0] + texts[1])[-3000:])
    if status == 2 and not "".join(texts).strip():
        return Failure("silence", "exit status 2 without a word")
    found = CONTROLS.search(texts[0]) or CONTROLS.search(texts[1])
    if found:
        return Failure(
            "control",
            f"the output holds {found.group()!r}: {found.string[max(0, found.start() - 80) :][:200]!r}",
        )
    return None


def _written(stream: io.TextIOWrapper) -> str:
    if stream.closed:
        return ""
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode("utf-8", "replace")


def _harm(sandbox: Path) -> Failure | None:
    """The harm to files that do not belong to the input, in words."""
    for victim in _victims(sandbox):
        if not victim.exists() or victim.read_text() != VICTIM:
            return Failure("harm", f"{victim.name} was changed or deleted")
    strange = {path.name for path in sandbox.iterdir()} - {"case", "victims", "victim.txt"}
    strange |= {path.name for path in (sandbox / "victims").iterdir()} - {v.name for v in _victims(sandbox)}
    if strange or (sandbox / "case" / "CANARY").exists():
        return Failure("harm", f"written where nothing may be: {sorted(strange) or 'CANARY'}")
    return None
