"""perft: how many sequences of actions there are, depth by depth.

The one test that catches any slip in a rule. Sequences are counted exactly, but a position that
several of them reach is visited once for each depth.
"""

from __future__ import annotations

from collections.abc import Callable

from .chance import Chance
from .face import Game
from .position import Position

Progress = Callable[[int, int, int], None]
"""Called now and then with the depth, the positions done at this depth and how many there are."""

PROGRESS_EVERY = 256


def perft(
    game: Game,
    depth: int,
    seed: int | str = 0,
    progress: Progress | None = None,
    *,
    start: Position | None = None,
) -> dict[int, int]:
    """The number of sequences of exactly 1, 2, … `depth` actions, from the start or a position.

    Chance is fixed by `seed`: draw n of a play is the same in every branch. A sequence that ends
    the game is counted at its own length only.
    """
    machine, chance = game.machine, Chance(str(seed))
    layer = {start or machine.start(chance).position: 1}
    counts: dict[int, int] = {}
    for ply in range(1, depth + 1):
        reached: dict[Position, int] = {}
        counts[ply] = 0
        for done, (position, ways) in enumerate(layer.items(), 1):
            for move in machine.moves(position):
                counts[ply] += ways
                if ply < depth:
                    after = machine.play(position, move, chance).position
                    reached[after] = reached.get(after, 0) + ways
            if progress is not None and (done % PROGRESS_EVERY == 0 or done == len(layer)):
                progress(ply, done, len(layer))
        layer = reached
    return counts
