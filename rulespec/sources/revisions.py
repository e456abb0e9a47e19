"""Earlier revisions of a ruleset, from the git repository in which its file lies.

Git runs with commands that only read what is there: they start no hook, filter or pager and fetch nothing.
"""

from __future__ import annotations

import os
import re
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
MOST_FILES, MOST_BYTES, MOST_IN_ALL = 5_000, 1_000_000, 50_000_000
"""Maximum number of files of a revision, the size of each (larger ones are left out), and of all together."""
_DAY = re.compile(r"\d{4,}-\d\d-\d\d")
READING = ("-c", "protocol.allow=never", "-c", "core.fsmonitor=false", "--no-optional-locks")


class NoRevision(ValueError):
    """Raised if there is no git, no repository or no such revision; the text says which."""


@dataclass(frozen=True)
class Revision:
    """A revision of a repository: its name, and the day of its commit as `YYYY-MM-DD`."""

    name: str
    day: str


def revisions(files: Iterable[Path]) -> list[Revision]:
    """The revisions that changed any of some files of a repository, newest first; the last of each day.

    Raises NoRevision.
    """
    placed = [_place(file) for file in files]
    if not placed:
        return []
    top = _top(placed[0])
    inside = [str(file) for file in placed if file.is_relative_to(top)]
    form = ("--format=%H %cs", "--no-commit-header")
    listed = _git(top, "rev-list", f"--max-count={MOST_REVISIONS}", *form, "HEAD", "--", *inside)
    last: dict[str, str] = {}
    for line in listed.decode().splitlines():
        name, _, day = line.partition(" ")
        if _DAY.fullmatch(day):  # git knows no day of a damaged date
            last.setdefault(day, name)
    return [Revision(name, day) for day, name in sorted(last.items(), reverse=True)]


def game_at(file: Path, revision: str, players: int | None = None) -> Game:
    """The game of a ruleset file at a revision, with the rulesets that it extended then.

    Raises NoRevision, and RulesetError if this program finds faults in the file of that time.
    """
    file = _place(file)
    top = _top(file)
    if not file.is_relative_to(top):
        raise NoRevision(f"`{file.name}` is not in the folder of its repository")
    commit = _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    wanted = file.relative_to(top)
    with TemporaryDirectory(prefix="rulespec-") as folder:
        try:
            for name, text in _texts(top, commit.decode().strip()):
                target = Path(folder, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text)
        except OSError as error:
            raise NoRevision(f"revision `{revision}` has files that cannot be written: {error}") from None
        if not Path(folder, wanted).is_file():
            raise NoRevision(f"`{wanted}` is not in revision `{revision}`")
        return load(str(Path(folder, wanted)), players)


def _texts(top: Path, commit: str) -> Iterator[tuple[str, bytes]]:
    """The YAML files of a commit by name. Raises NoRevision.

    A stranger's tree may have names such as `..`, which git does not check out: they are left out.
    """
    listed, whole = [], 0
    for line in _git(top, "ls-tree", "-r", "-l", "-z", "--full-tree", commit).split(b"\0")[:-1]:
        about, _, written = line.partition(b"\t")
        mode, _, blob, size = about.decode().split()
        name = os.fsdecode(written)
        is_file = mode.startswith("100") and name.endswith(".yaml") and size.isdecimal()
        if is_file and int(size) <= MOST_BYTES and _stays_inside(name):
            listed.append((name, blob))
            whole += int(size)
    if len(listed) > MOST_FILES or whole > MOST_IN_ALL:
        most = f"{MOST_FILES:,} YAML files or {MOST_IN_ALL:,} bytes of them"
        raise NoRevision(f"revision `{commit}` has more than {most}")
    answer = _git(top, "cat-file", "--batch", text="".join(f"{blob}\n" for _, blob in listed).encode())
    at = 0
    for name, _ in listed:
        end = answer.index(b"\n", at)
        _, *kind = answer[at:end].split()
        if len(kind) != 2:
            raise NoRevision(f"the repository lacks `{name}` of revision `{commit}`")
        length = int(kind[1])
        yield name, answer[end + 1 : end + 1 + length]
        at = end + 2 + length


def _stays_inside(name: str) -> bool:
    """True if the name of a file leads to no place outside of the folder that it is joined to."""
    return not {"", ".", ".."} & {*name.split("/")}


def _place(file: Path) -> Path:
    """A file by the true name of its folder, as git names it; the file itself may be a link."""
    return file.parent.resolve() / file.name


def _top(file: Path) -> Path:
    """The folder of the repository of a file. Raises NoRevision."""
    top = _git(file.parent, "rev-parse", "--show-toplevel")
    return Path(os.fsdecode(top.removesuffix(b"\n"))).resolve()


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
