"""Earlier revisions of a ruleset, from the git repository in which its file lies.

Git runs with commands that only read what is there: they start no hook, filter or pager and fetch nothing.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ..core.game import Game
from ..language import load

SECONDS = 30
"""The time for one command of git."""
MOST_REVISIONS = 200
"""Maximum number of revisions that are looked at."""
MOST_FILES, MOST_BYTES = 5_000, 1_000_000
"""Maximum number of files of a revision, and the size of each; larger files are left out."""
READING = ("-c", "protocol.allow=never", "-c", "core.fsmonitor=false", "--no-optional-locks")


class NoRevision(ValueError):
    """Raised if there is no git, no repository or no such revision; the text says which."""


@dataclass(frozen=True)
class Revision:
    """A revision of a repository: its name, and the day of its commit as `YYYY-MM-DD`."""

    name: str
    day: str


def revisions(files: Iterable[Path]) -> list[Revision]:
    """The revisions that changed any of some files of one repository, newest first; the last of each day.

    Raises NoRevision.
    """
    names = [str(file.absolute()) for file in files]
    if not names:
        return []
    top = _top(Path(names[0]))
    inside = [name for name in names if Path(name).is_relative_to(top)]
    form = ("--format=%H %cs", "--no-commit-header")
    listed = _git(top, "rev-list", f"--max-count={MOST_REVISIONS}", *form, "HEAD", "--", *inside)
    last: dict[str, str] = {}
    for line in listed.decode().splitlines():
        name, day = line.split()
        last.setdefault(day, name)
    return [Revision(name, day) for day, name in sorted(last.items(), reverse=True)]


def game_at(file: Path, revision: str, players: int | None = None) -> Game:
    """The game of a ruleset file at a revision, with what it extended then.

    Raises NoRevision, and RulesetError if this program finds faults in the file of that time.
    """
    file = file.absolute()
    top = _top(file)
    commit = _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    wanted = file.relative_to(top)
    with TemporaryDirectory(prefix="rulespec-") as folder:
        for name, text in _texts(top, commit.decode().strip()):
            target = Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text)
        if not Path(folder, wanted).is_file():
            raise NoRevision(f"`{wanted}` is not in revision `{revision}`")
        return load(str(Path(folder, wanted)), players)


def _texts(top: Path, commit: str) -> Iterator[tuple[str, bytes]]:
    """The YAML files of a commit by name."""
    listed = []
    for line in _git(top, "ls-tree", "-r", "-l", "-z", "--full-tree", commit).decode().split("\0")[:-1]:
        about, _, name = line.partition("\t")
        mode, _, blob, size = about.split()
        if mode.startswith("100") and name.endswith(".yaml") and int(size) <= MOST_BYTES:
            listed.append((name, blob))
    if len(listed) > MOST_FILES:
        raise NoRevision(f"revision `{commit}` has more than {MOST_FILES:,} YAML files")
    answer = _git(top, "cat-file", "--batch", text="".join(f"{blob}\n" for _, blob in listed).encode())
    at = 0
    for name, _ in listed:
        end = answer.index(b"\n", at)
        length = int(answer[at:end].split()[2])
        yield name, answer[end + 1 : end + 1 + length]
        at = end + 2 + length


def _top(file: Path) -> Path:
    """The folder of the repository of a file. Raises NoRevision."""
    return Path(_git(file.parent, "rev-parse", "--show-toplevel").decode().rstrip("\n"))


def _git(folder: Path, *command: str, text: bytes = b"") -> bytes:
    """The output of a git command in a folder. Raises NoRevision."""
    asked: Sequence[str] = ("git", *READING, "-C", str(folder), *command)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            asked,
            input=text,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            env={**kept, "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoRevision(f"git cannot be asked: {error}") from None
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip().removeprefix("fatal: ")
        raise NoRevision(f"git: {why}" if why else "there is no such revision")
    return done.stdout
