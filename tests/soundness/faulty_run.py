"""`python -m soundness.faulty_run`: a campaign in its own process, until something contradicts the truth.

Prints how many decisions were made, a tab, and the first contradiction or nothing. Exit status 1 if there is
one, or if a game takes so long that it is taken to hang; else 0.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import sys
from collections import Counter

from . import deciding
from .campaign import prepare, run
from .direction import Direction

GAME_SECONDS = 240
"""Processor time after which a game is taken to hang."""
EACH = 10
"""There is at most one game for so many of the decisions that may be made, for some methods decide seldom."""


def arguments(base: str, budget: int, methods: tuple[str, ...], direction: Direction | None) -> list[str]:
    """The arguments of the command: seed, most decisions, methods asked, direction of the games."""
    return [base, str(budget), json.dumps(methods), json.dumps(direction and vars(direction))]


def main(base: str, budget: int, methods: list[str], direction: Direction | None) -> int:
    """Run a campaign as the command line says."""
    prepare()
    deciding.ASKED = frozenset(methods)
    made = 0

    def hung(*_: object) -> None:
        print(f"{made}\tit hangs", flush=True)
        os._exit(1)

    signal.signal(signal.SIGVTALRM, hung)
    for number in itertools.count():
        decided: Counter[tuple[str, str]] = Counter()
        signal.setitimer(signal.ITIMER_VIRTUAL, GAME_SECONDS)
        try:
            wrong = run([f"{base}-{number}"], sys.maxsize, decided, direction)
        except Exception as error:
            text = f"the campaign breaks off at {base}-{number}: {type(error).__name__}: {error}"
            print(f"{made}\t{' '.join(text.split())[:200]}")
            return 0
        made += decided.total()
        if wrong:
            first = wrong[0]
            text = f"{first.method} ({first.seed}, {first.claim}): {' '.join(first.text.split())[-160:]}"
            print(f"{made}\t{text}")
            return 1
        if made >= budget or number >= budget // EACH:
            print(f"{made}\t")
            return 0
    raise AssertionError("there are always further games")


if __name__ == "__main__":
    given = json.loads(sys.argv[4])
    sys.exit(main(sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3]), given and Direction(**given)))
