"""The machine of a ruleset that is checked, made ready beside the check in a process that stays.

The code of random games under the usual setting is written and compiled by a child of its own, at the lowest
priority, and kept in the cache, where the next `simulate` finds it. What the child does is bounded, nobody
waits for it, and whatever happens to it changes nothing but time.
"""

from __future__ import annotations

import os
from contextlib import suppress

from ..budgets import ForkedCall, can_fork, hold_to
from ..core.game import Game
from ..play.face import Game as PlayedGame

SECONDS = 20
"""Those of the processor that the child may take."""
LONGEST = 60.0
"""Seconds of the clock after the end of the check in which it must come to its end."""
MEGABYTES = 1_000
"""Its memory."""
LEAST_PRIORITY = 19


class Readying:
    """Makes the machine ready of the first game that the process of a command checks."""

    def __init__(self) -> None:
        self.process = 0
        """The process that may begin this, without its children; 0 for none, as where no server runs."""
        self._call: ForkedCall[None] | None = None

    @property
    def begun(self) -> bool:
        """True once a game is made ready, or was."""
        return self._call is not None

    def begin(self, game: Game) -> None:
        """Begin with a game without faults, if it is the first."""
        if self.process != os.getpid() or self.begun or not can_fork():
            return
        from ..code.instance import can_run

        if can_run():
            with suppress(OSError):  # no more processes are allowed
                self._call = ForkedCall(lambda: _make_ready(game), alone=True, memory=MEGABYTES)

    def wait(self) -> None:
        """Wait for the end, or bring it about."""
        if self._call is not None:
            with self._call:
                self._call.wait(LONGEST)


def _make_ready(game: Game) -> None:
    """Write, compile and keep the code with which `simulate` plays; nothing of this is printed."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    import resource  # missing on Windows, where nothing is forked

    os.nice(LEAST_PRIORITY)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    hold_to(MEGABYTES)
    from ..simulation.playing import ByCode

    ByCode(PlayedGame(game), "", 1)


readying = Readying()
"""That of this process."""
