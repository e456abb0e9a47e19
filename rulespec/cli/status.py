"""Exit statuses, usage errors, and what many commands ask of their arguments."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.storage.atomic_files import check_target

if TYPE_CHECKING:
    from ..executors import Executor

HELD, FAILED, WRONG, UNDECIDED = 0, 1, 2, 3
INTERRUPTED, CLOSED, ENDED = 130, 141, 143
"""As a shell reports a command that Ctrl-C, a reader that went away, or a request to end has ended."""


class Usage(ValueError):
    """Something the user asked for that cannot be; says what and what to do."""


def settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """The players, parameters and readings that were asked for, as `load` takes them."""
    return {
        "players": arguments.players,
        "parameters": _pairs(arguments.set, "--set", "NAME=VALUE"),
        "readings": _pairs(arguments.reading, "--reading", "RULING=READING"),
    }


def _pairs(texts: list[str], option: str, form: str) -> dict[str, str]:
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
    """Where the work is done, if not on this machine. Raises Usage for an address of another form."""
    if arguments.on is None:
        return None
    from ..executors.cluster import FORMS, Cluster, dask_address

    address = dask_address(arguments.on)
    if address is None:
        raise Usage(f"--on is {FORMS}, not `{arguments.on}`")
    if arguments.jobs is not None:
        raise Usage("--jobs is for this machine, --on for others: leave one away")
    return Cluster(address)


def check_outputs(*files: str | None) -> None:
    """Raise OSError before any work starts if an output file cannot be written."""
    for path in (Path(file) for file in files if file):
        check_target(path)
        path.parent.stat()


def seed_of(arguments: argparse.Namespace, matters: bool) -> str:
    """The seed asked for, or a fresh one, which is told where anything depends on it."""
    if arguments.seed is not None:
        return str(arguments.seed)
    import secrets  # takes long to load

    drawn = str(secrets.randbelow(10**9))
    if matters:
        print(f"seed {drawn}", file=sys.stderr)
    return drawn
