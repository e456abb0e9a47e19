"""Exit statuses, usage errors, and arguments that many commands share."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.storage.atomic_files import check_target

if TYPE_CHECKING:
    from ..executors import Executor

HELD, FAILED, WRONG, UNDECIDED = 0, 1, 2, 3
INTERRUPTED, CLOSED, ENDED = 130, 141, 143
"""The statuses that a shell reports after Ctrl-C, after a closed output, and after a request to end."""
PASSED = {True: "passed", False: "FAILED", None: "not checked"}
"""The words for the result of a check."""


class Usage(ValueError):
    """Raised for an impossible request of the user; the message says what to do."""


def settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """The requested players, parameters and readings, as arguments of `load`."""
    return {
        "players": arguments.players,
        "parameters": _pairs(arguments.set, "--set", "NAME=VALUE"),
        "readings": _pairs(arguments.reading, "--reading", "RULING=READING"),
    }


def _pairs(texts: list[str], option: str, form: str) -> dict[str, str]:
    """The names and values of a repeated option `NAME=VALUE`. Raises Usage."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign or not name or not value:
            raise Usage(f"`{option} {text}` is not of the form {form}")
        if name in pairs:
            raise Usage(f"`{option}` gives `{name}` twice")
        pairs[name] = value
    return pairs


def executor(arguments: argparse.Namespace) -> Executor | None:
    """The executor of the work, if it is not this machine. Raises Usage for an invalid address."""
    if arguments.on is None:
        return None
    from ..executors.cluster import FORMS, Cluster, dask_address

    address = dask_address(arguments.on)
    if address is None:
        raise Usage(f"--on is {FORMS}, not `{arguments.on}`")
    if arguments.jobs is not None:
        raise Usage("--jobs is for this machine, --on for others: use only one")
    return Cluster(address)


def check_outputs(*files: str | None) -> None:
    """Raise OSError before any work starts if an output file cannot be written."""
    for path in (Path(file) for file in files if file):
        check_target(path)
        path.parent.stat()
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path.parent))


def seed_of(arguments: argparse.Namespace, matters: bool) -> str:
    """The requested seed, or a new one, which is printed if the results depend on it."""
    if arguments.seed is not None:
        return str(arguments.seed)
    import secrets  # takes long to load

    drawn = str(secrets.randbelow(10**9))
    if matters:
        print(f"seed {drawn}", file=sys.stderr)
    return drawn
