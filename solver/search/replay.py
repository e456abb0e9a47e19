"""From plays of generated code to moves of the interpreter, with their outcomes of chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.code import Node, Runner
from rulespec.core.game import Game
from rulespec.play.machine import Machine
from rulespec.play.position import Move, Position
from rulespec.play.replayed_chance import replayed_source


def moves_of(runner: Runner, rows: Sequence[int]) -> list[Move]:
    """The moves of actions in rows of the code, one row after the other."""
    width = runner.written.width
    plies = (list(map(int, rows[at : at + width])) for at in range(0, len(rows), width))
    return [Move(*next(runner.moves(Node((), (), 0, row, 1)))) for row in plies]


def outcomes(game: Game, start: Position, moves: Sequence[Move], sources: Sequence[int]) -> Iterator[str]:
    """The outcomes of chance in moves from a position, given the state of its source before each."""
    if not game.has_chance_in_play:
        return
    machine, position = Machine(game), start
    for move, source in zip(moves, sources, strict=True):
        ply = machine.play(position, move, replayed_source(source))
        yield from ply.outcomes
        position = ply.position
