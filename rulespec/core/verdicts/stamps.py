"""Stamps: records that this program checked a verdict, in a folder that only the user can write to.

A stamp covers the verdict with its evidence, the digests of rules and claim in it, and the source that a
check executes. Stamps are stored apart from rulesets, so that a ruleset from somebody else cannot bring its
own, and their file begins with a keyed digest: see `authentication`.
"""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import suppress
from pathlib import Path

from ..storage.atomic_files import locked_folder, regular_files, write_bytes
from ..storage.authentication import authenticate, verify
from ..storage.private_folders import state_folder, unsafe
from ..storage.safe_reading import read_private
from ..storage.source_digest import source_digest
from .verdict import Verdict

CHECKS = ("rulespec.solver.claims.recheck", "rulespec.language")
"""The modules that check a verdict: a stamp covers their source and all that they import."""
MOST_BYTES = 20_000_000
MOST_PROGRAMS = 4
"""Number of versions of the program whose stamps are kept, the most recent ones."""
FILE = re.compile(r"checked-[0-9a-f]{64}\.json")
DIGEST = re.compile(r"[0-9a-f]{64}")


class Stamps:
    """The stamps of this program: those in the file at creation, and those added since."""

    def __init__(self, folder: Path | None = None) -> None:
        if folder is None and (state := state_folder()) is not None:
            folder = state
        self.folder = folder
        self._stamps = self._read()
        self._dropped = set[str]()

    def of(self, verdict: Verdict) -> str | None:
        """The description of the check of a verdict; None if it was not checked or has changed since."""
        return self._stamps.get(digest(verdict))

    def add(self, verdict: Verdict, text: str) -> None:
        """Stamp a verdict that passed a check, which `text` describes; see `save`."""
        self._stamps[digest(verdict)] = text
        self._dropped.discard(digest(verdict))

    def drop(self, verdict: Verdict) -> None:
        """Remove the stamp of a verdict that failed a check; see `save`."""
        self._stamps.pop(digest(verdict), None)
        self._dropped.add(digest(verdict))

    def save(self) -> str:
        """Write the stamps to their file. Returns the reason why that failed, or an empty text."""
        if self.folder is None:
            return "nobody knows where the user is at home"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if reason := unsafe(self.folder):
                return reason
            with locked_folder(self.folder):
                kept = {key: text for key, text in self._read().items() if key not in self._dropped}
                self._stamps = {**kept, **self._stamps}
                file, body = _file(self.folder), json.dumps(self._stamps, indent=0, sort_keys=True).encode()
                write_bytes(file, authenticate(file.name, body).hex().encode() + b"\n" + body, private=True)
                _remove_old_stamps(self.folder)
        except OSError as error:
            return f"{self.folder} cannot be written ({error.strerror})"
        return ""

    def _read(self) -> dict[str, str]:
        """The stamps in the file; empty unless this installation wrote the file and nobody changed it."""
        with suppress(OSError, ValueError, RecursionError):
            if self.folder is None or unsafe(self.folder):
                return {}
            file = _file(self.folder)
            seal, _, body = read_private(file, MOST_BYTES).partition(b"\n")
            kept = json.loads(body) if verify(file.name, body, bytes.fromhex(seal.decode())) else None
            if isinstance(kept, dict) and all(map(DIGEST.fullmatch, kept)):
                return {key: text for key, text in kept.items() if isinstance(text, str)}
        return {}


def _file(folder: Path) -> Path:
    """The file of the stamps of this program."""
    return folder / f"checked-{source_digest(*CHECKS)}.json"


def _remove_old_stamps(folder: Path) -> None:
    """Remove the stamps of all but the latest versions of the program."""
    files = regular_files(folder, FILE)
    for file in sorted(files, key=lambda file: -file.stat().st_mtime)[MOST_PROGRAMS:]:
        file.unlink(missing_ok=True)


def digest(verdict: Verdict) -> str:
    """The digest of a verdict, its evidence and the program."""
    data = json.dumps(verdict.to_data(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{source_digest(*CHECKS)} {data}".encode()).hexdigest()
