"""Rules of games as data: load them, play them, prove things about them, publish them.

    >>> import rulespec
    >>> game = rulespec.load("sacred-alignment")
    >>> state = game.start(seed=7)
    >>> state = state.play(state.actions()[0])

What is named here is imported when it is first used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers take it, without the time that importing `typing` takes
if TYPE_CHECKING:
    from typing import Any

    from .core.diagnostics import RulesetError
    from .core.verdicts import Verdict
    from .play.actions import Action
    from .play.batch import Batch, batch
    from .play.chance import ChanceError
    from .play.errors import IllegalAction, PositionError, UnknownAction
    from .play.face import Game, State, load
    from .play.records.files import Record, read_record, replay
    from .questions import NoEngine, NoPuzzle, diff, prove, solve, survey
    from .simulation.result import Simulation
    from .simulation.run import simulate

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Batch",
    "ChanceError",
    "Game",
    "IllegalAction",
    "NoEngine",
    "NoPuzzle",
    "PositionError",
    "Record",
    "RulesetError",
    "Simulation",
    "State",
    "UnknownAction",
    "Verdict",
    "batch",
    "diff",
    "load",
    "prove",
    "read_record",
    "replay",
    "simulate",
    "solve",
    "survey",
]

_HOMES = {
    "Action": "play.actions",
    "Batch": "play.batch",
    "ChanceError": "play.chance",
    "Game": "play.face",
    "IllegalAction": "play.errors",
    "NoEngine": "solver.claims",
    "NoPuzzle": "solver.claims",
    "PositionError": "play.errors",
    "Record": "play.records.files",
    "RulesetError": "core.diagnostics",
    "Simulation": "simulation.result",
    "State": "play.face",
    "UnknownAction": "play.errors",
    "Verdict": "core.verdicts",
    "batch": "play.batch",
    "diff": "questions",
    "load": "play.face",
    "prove": "questions",
    "read_record": "play.records.files",
    "replay": "play.records.files",
    "simulate": "simulation.run",
    "solve": "questions",
    "survey": "questions",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    setattr(import_module(f"{__name__}.play.views"), "drawer", _draw)  # noqa: B010
    return found


def _draw(game: Any, values: Any) -> str:
    from .book.drawing.diagram import draw

    return draw(game, values)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
