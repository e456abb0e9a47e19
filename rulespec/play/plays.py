"""Plays as evidence: recorded by the interpreter, and accepted only after it has replayed them.

A play is kept without its setting (parameters, readings), which the verdict names; so one play can serve as
evidence under several readings and is stored once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..core.data_forms import DataForm, WrongForm
from ..core.game import Game
from .chance import ChanceError
from .errors import IllegalAction
from .face import Game as PlayedGame
from .face import State
from .position import Move


class BadPlay(ValueError):
    """Raised for a play that the rules refuse; the message says where."""


@dataclass(frozen=True)
class Play:
    """Chance outcomes and actions, both in notation."""

    chance: tuple[str, ...]
    plays: tuple[str, ...]
    end: State | None = field(default=None, repr=False, compare=False)
    """The final state, if the interpreter has played it; see `perform`."""

    def __reduce__(self) -> tuple[type[Play], tuple[tuple[str, ...], tuple[str, ...]]]:
        """Pickle without the final state, which the other process finds by playing."""
        return Play, (self.chance, self.plays)

    def to_data(self) -> dict[str, Any]:
        """Plain data for the store."""
        return {"chance": [*self.chance], "plays": [*self.plays]}

    @classmethod
    def from_data(cls, data: Any) -> Play:
        """A play from plain data; raises BadPlay for other data."""
        try:
            play: Play = DataForm().decode(cls, data)
            return play
        except WrongForm:
            raise BadPlay("not a play") from None


def states(game: Game, play: Play) -> Iterator[State]:
    """The states of a play from the first; raises BadPlay if the rules refuse an action."""
    try:
        state = PlayedGame(game).start(chance=play.chance)
    except ChanceError as error:
        raise BadPlay(f"setup: {error}") from None
    yield state
    for number, text in enumerate(play.plays, start=1):
        try:
            state = state.play(text)
        except (IllegalAction, ChanceError) as error:
            raise BadPlay(f"ply {number}, `{text}`: {error}") from None
        yield state
    if len(state.chance) < len(play.chance):
        raise BadPlay(f"{len(play.chance) - len(state.chance)} more outcomes of chance than draws")


def perform(game: Game, play: Play) -> State:
    """The final state of a play; raises BadPlay if the rules refuse it.

    The interpreter plays it, unless it has just recorded it.
    """
    if play.end is not None and play.end.game.core is game:
        return play.end
    return list(states(game, play))[-1]


def write_down(game: Game, chance: Sequence[str], moves: Sequence[Move]) -> tuple[Play, State]:
    """Play moves with given chance by the interpreter; returns the play in notation and its final state.

    Raises BadPlay if the interpreter refuses a move.
    """
    try:
        state = PlayedGame(game).start(chance=chance)
        texts = []
        for move in moves:
            texts.append(state.notation(state.find(move)))
            state = state.play(move)
    except (IllegalAction, ChanceError) as error:
        raise BadPlay(str(error)) from None
    return Play(state.chance, tuple(texts), state), state
