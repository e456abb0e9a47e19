"""Deals solved by hints alone: each ply is the step of a brief hint, which tries the last one's rest.

python -m benchmarks.hints GAME [DEALS [SECONDS]]
"""

from __future__ import annotations

import sys
from time import monotonic

from rulespec.play.face import State, load
from rulespec.solver.claims import hint, puzzle

from .report import spread


def solve_by_hints(state: State, seconds: float) -> tuple[State, list[float], bool | None]:
    """Play the step of one hint after the other; returns the end, the seconds of each, and whether the goal
    was within reach at first."""
    claim, took, likely = puzzle(state.game.core), list[float](), tuple[str, ...]()
    possible: bool | None = None
    while not state.is_over:
        begun = monotonic()
        found = hint(state, claim, timeout=seconds, likely=likely, brief=True)
        took.append(monotonic() - begun)
        possible = found.possible if possible is None else possible
        if found.step is None:
            break
        likely, state = found.play[1:], state.play(found.step)
    return state, took, possible


def main(name: str, deals: int = 10, seconds: float = 60.0) -> None:
    """Print, until so many deals are solved, what each comes to and how long its hints took."""
    game, solved, seed, every = load(name), 0, 0, list[float]()
    while solved < deals:
        end, took, possible = solve_by_hints(game.start(seed=seed), seconds)
        solved += end.is_over
        every += took if end.is_over else []
        words = f"over by {end.ended_by}, scores {end.scores}" if end.is_over else f"possible: {possible}"
        print(f"seed {seed}: {len(took)} hints; first {took[0]:.1f} s, {spread(took)} s; {words}", flush=True)
        seed += 1
    print(f"{solved} of {seed} deals solved by {len(every)} hints, {spread(every)} s each")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]), *map(float, sys.argv[3:4]))
