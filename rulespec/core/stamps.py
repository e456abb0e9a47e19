"""Stamps: which verdicts passed a check by this very program, kept in a folder of the user's own.

A stamp covers the verdict with all of its evidence, the digests of the rules and of the claim that are part
of it, and the program that checked it. It lies apart from the rulesets, so that whoever hands on a ruleset
with verdicts cannot hand on stamps with them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from contextlib import suppress
from functools import cache
from pathlib import Path

from .cache import unsafe
from .files import locked_folder, regular_files, write_text
from .reading import read_bytes
from .verdicts import Verdict

PACKAGES = ("rulespec", "solver")
MOST_BYTES = 20_000_000
MOST_PROGRAMS = 4
"""Stamps of so many programs are kept, of those whose stamps were written last."""
FILE = re.compile(r"checked-[0-9a-f]{64}\.json")
DIGEST = re.compile(r"[0-9a-f]{64}")
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def state_folder() -> Path | None:
    """The folder named by `RULESPEC_STATE`, else one among the user's own; it may not be there yet.

    None where nobody knows where the user is at home.
    """
    named, others = os.environ.get("RULESPEC_STATE"), os.environ.get("XDG_STATE_HOME", "")
    try:
        beside = Path(others) if Path(others).is_absolute() else Path.home() / ".local" / "state"
        return (Path(named) if named else beside / "rulespec").absolute()
    except RuntimeError:
        return None


@cache
def program_digest() -> str:
    """The digest of the source of the program, both of its packages, in hexadecimal."""
    top, found = Path(__file__).resolve().parent.parent.parent, hashlib.sha256()
    files = [file for name in PACKAGES for kind in ("py", "lark") for file in (top / name).rglob(f"*.{kind}")]
    for file in sorted(files):
        found.update(f"{file.relative_to(top)} ".encode())
        found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()


class Stamps:
    """The stamps of this program, as they were kept when this was made and with those added since."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else state_folder()
        self._stamps = self._read()
        self._dropped = set[str]()

    def of(self, verdict: Verdict) -> str | None:
        """How a verdict was checked, in words; None if it was not, or has changed since."""
        return self._stamps.get(digest(verdict))

    def add(self, verdict: Verdict, how: str) -> None:
        """Note that a verdict passed a check; see `save`."""
        self._stamps[digest(verdict)] = how
        self._dropped.discard(digest(verdict))

    def drop(self, verdict: Verdict) -> None:
        """Note that a verdict failed a check."""
        self._stamps.pop(digest(verdict), None)
        self._dropped.add(digest(verdict))

    def save(self) -> str:
        """Keep the stamps. Why they cannot be kept, in words; empty where they were."""
        if self.folder is None:
            return "nobody knows where the user is at home"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if doubt := unsafe(self.folder):
                return doubt
            with locked_folder(self.folder):
                kept = {key: how for key, how in self._read().items() if key not in self._dropped}
                self._stamps = {**kept, **self._stamps}
                write_text(_file(self.folder), json.dumps(self._stamps, indent=0, sort_keys=True))
                _file(self.folder).chmod(0o600)
                _forget_old_programs(self.folder)
        except OSError as error:
            return f"{self.folder} cannot be written ({error.strerror})"
        return ""

    def _read(self) -> dict[str, str]:
        """The stamps in the file; none where others could have written it, or it is damaged."""
        with suppress(OSError, ValueError, RecursionError):
            if self.folder is None or unsafe(self.folder) or not _is_private(_file(self.folder)):
                return {}
            kept = json.loads(read_bytes(_file(self.folder), MOST_BYTES))
            if isinstance(kept, dict) and all(map(DIGEST.fullmatch, kept)):
                return {key: how for key, how in kept.items() if isinstance(how, str)}
        return {}


def _file(folder: Path) -> Path:
    """The file of the stamps of this program."""
    return folder / f"checked-{program_digest()}.json"


def _forget_old_programs(folder: Path) -> None:
    files = regular_files(folder, FILE)
    for file in sorted(files, key=lambda file: -file.stat().st_mtime)[MOST_PROGRAMS:]:
        file.unlink(missing_ok=True)


def digest(verdict: Verdict) -> str:
    """The digest of a verdict with all of its evidence and of this program."""
    data = json.dumps(verdict.to_data(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{program_digest()} {data}".encode()).hexdigest()


def _is_private(path: Path) -> bool:
    """Whether a regular file belongs to the user and nobody else may write it."""
    found = path.lstat()
    if not stat.S_ISREG(found.st_mode):
        return False
    if not hasattr(os, "geteuid"):
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & WRITABLE_BY_OTHERS
