"""One random game of many played again, as a play of the interpreter with everything it drew."""

from __future__ import annotations

import random
from collections.abc import Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..code import Runner, kit
from ..play.chance import Chance
from ..play.face import Game, State
from ..play.position import Move


class _Picks(random.Random):
    """Gives numbers that were drawn elsewhere, one after another."""

    def __init__(self, picks: Sequence[int]) -> None:
        super().__init__(0)
        self._left = iter(picks)

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """The next number."""
        return next(self._left)

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """As the generator of the standard library does it, from its last place down."""
        for i in reversed(range(1, len(x))):
            j = self.randrange(i + 1)
            x[i], x[j] = x[j], x[i]


@dataclass(frozen=True)
class _Drawn(Chance):
    """Chance as generated code drew it: for each draw the numbers it is made of."""

    picks: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def _random(self, number: int, what: str) -> random.Random:
        return _Picks(self.picks[number])


def play_again(game: Game, runner: Runner, base: int, number: int, most: int) -> State:
    """The game of a number, drawn as `batches` draws it, for at most so many plies."""
    source = [kit.mixed(base ^ kit.mixed(number)) | kit.ONE]
    picks: dict[int, list[int]] = {}

    def answer(draw: int) -> Any:
        taken = picks.setdefault(draw, [])

        def pick(n: int) -> int:
            taken.append(kit.choose(source, n))
            return taken[-1]

        return pick

    chance = _Drawn(picks=picks)
    node = runner.start(answer)
    first = game.machine.start(chance)
    state = State(game, first.position, chance, first.outcomes)
    while node.legal > 0 and len(state.plays) < most:
        index = kit.choose(source, node.legal)
        move = Move(*[*runner.moves(node)][index])
        node = runner.play(node, index, answer)
        state = state.play(move)
    return state
