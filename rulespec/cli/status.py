"""Exit statuses, usage errors, and how results and progress are printed."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from typing import Any

HELD, FAILED, WRONG, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130


class Usage(ValueError):
    """Something the user asked for that cannot be; says what and what to do."""


def say(data: Any) -> None:
    """Print a result as JSON."""
    print(json.dumps(data, indent=2, ensure_ascii=False))


def progress(message: str) -> None:
    """Show on a terminal what is going on; the line is written over by the next."""
    if sys.stderr.isatty():
        print(f"\r\033[K{message[:100]}", end="", file=sys.stderr, flush=True)


def done() -> None:
    """Take the last line of progress away."""
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


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
        name, sign, value = text.partition("=")
        if not sign or not name or not value:
            raise Usage(f"`{option} {text}` is not of the form {form}")
        pairs[name.strip()] = value.strip()
    return pairs


def seed_of(arguments: argparse.Namespace) -> str:
    """The seed asked for, or a fresh one, which is told."""
    if arguments.seed is not None:
        return str(arguments.seed)
    drawn = str(secrets.randbelow(10**9))
    print(f"seed {drawn}", file=sys.stderr)
    return drawn


def table(rows: list[tuple[str, ...]]) -> str:
    """Rows as columns of even width."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))] if rows else []
    return "\n".join(
        "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows
    )
