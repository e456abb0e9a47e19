"""Which kinds of work the time goes to: clocks around a few functions of the interpreter.

A clock that starts stops the one around it, so every moment is counted once. The clocks themselves
cost time, so shares come from runs of their own and speeds from runs without clocks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

from rulespec.core import evaluate as meaning
from rulespec.core import nodes as n
from rulespec.play import legal
from rulespec.play.machine import Machine

WALK = "walk"
KINDS = ("definitions", "static", "candidates", "copying", WALK)
"""Kinds of work, as the columns of the table name them."""


class Clocks:
    """Seconds of each kind of work."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(KINDS, 0.0)
        self._running = [WALK]
        self._since = time.perf_counter()

    def turn(self) -> None:
        """Count the time since the last turn for the kind that is running."""
        now = time.perf_counter()
        self.seconds[self._running[-1]] += now - self._since
        self._since = now

    def around(self, function: Callable[..., Any], kind: Callable[..., str]) -> Callable[..., Any]:
        """The function with a clock of the kind that its arguments mean."""

        def clocked(*args: Any) -> Any:
            self.turn()
            self._running.append(kind(*args))
            try:
                return function(*args)
            finally:
                self.turn()
                self._running.pop()

        return clocked


@contextmanager
def clocks() -> Iterator[Clocks]:
    """Clocks that run as long as the block; the time outside of every clocked function is `walk`."""
    kept = Clocks()

    def defined(function: n.Function, *_: Any) -> str:
        return "static" if function.static else "definitions"

    with ExitStack() as stack:
        for owner, name, kind in (
            (legal, "candidates", lambda *_: "candidates"),
            (meaning, "call", defined),
            (Machine, "situation", lambda *_: "copying"),
        ):
            clocked = kept.around(getattr(owner, name), kind)
            stack.enter_context(mock.patch.object(owner, name, clocked))
        yield kept
        kept.turn()
