"""One random game of many played again, as a play of the interpreter with everything it drew."""

from __future__ import annotations

from typing import Any

from ..code import Runner
from ..kernels import kit
from ..play.face import Game, State
from ..play.position import Move
from ..play.replayed_chance import ReplayedChance, in_order


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

    chance = ReplayedChance(lambda draw: in_order(picks.get(draw, ())))
    node = runner.start(answer)
    first = game.machine.start(chance)
    state = State(game, first.position, chance, first.outcomes)
    while node.legal > 0 and len(state.plays) < most:
        index = kit.choose(source, node.legal)
        move = Move(*[*runner.moves(node)][index])
        node = runner.play(node, index, answer)
        state = state.play(move)
    return state
