"""The loop of programs that learn: random plies, with a copy and a pickle of the state at each.

    python -m benchmarks.random_plies 10000 connect-four hex

Without names, every shipped ruleset.
"""

from __future__ import annotations

import copy
import pickle
import random
import sys
import time

import rulespec
from rulespec.language import shipped_rulesets


def loop(name: str, plies: int) -> float:
    """Make so many random plies of a ruleset, game after game; return the seconds for them."""
    game, rng = rulespec.load(name), random.Random(1)
    state, began = game.start(seed=0), time.perf_counter()
    for ply in range(plies):
        if state.is_over:
            state = game.start(seed=ply)
            continue
        again = pickle.loads(pickle.dumps(copy.deepcopy(state)))
        if again != state or again.game is not game:
            raise AssertionError(f"a state of {name} came out of its pickle as another one")
        state = again.play(rng.choice(again.moves))
    return time.perf_counter() - began


def main() -> None:
    """Print the time for each ruleset."""
    plies, names = int(sys.argv[1]), sys.argv[2:] or list(shipped_rulesets())
    for name in names:
        seconds = loop(name, plies)
        print(f"{name:28} {seconds:8.1f} s {1000 * seconds / plies:8.2f} ms a ply", flush=True)


if __name__ == "__main__":
    main()
