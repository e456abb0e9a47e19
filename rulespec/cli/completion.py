"""Completion of what is typed, where the terminal has readline."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, takewhile


def steps(text: str, actions: Sequence[str], commands: Sequence[str]) -> list[str]:
    """Completions of a text by one more word: of actions (sorted) the next word, of commands all.

    After `why` and `actions`, actions are completed too.
    """
    first, space, rest = text.partition(" ")
    if space and first.removeprefix("/") in ("why", "actions"):
        return [f"{first} {found}" for found in steps(rest, actions, ())]
    grown = []
    for action in takewhile(lambda a: a.startswith(text), islice(actions, bisect_left(actions, text), None)):
        end = action.find(" ", len(text))
        grown.append(action if end < 0 else action[: end + 1])
    plain = [command for command in commands if command.startswith(text)] if text else []
    return sorted({*grown, *plain})


@contextmanager
def completing(actions: Callable[[], Sequence[str]], commands: Sequence[str]) -> Iterator[None]:
    """Complete with Tab while this lasts. Without a terminal or readline nothing happens."""
    try:
        import readline
    except ImportError:
        yield
        return
    if not sys.stdin.isatty():
        yield
        return
    found: list[str] = []

    def complete(text: str, number: int) -> str | None:
        if number == 0:
            found[:] = steps(text, actions(), commands)
        return found[number] if number < len(found) else None

    before, delimiters = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(complete)
    readline.set_completer_delims("")
    editline = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if editline else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(before)
        readline.set_completer_delims(delimiters)
