"""The faults that can end a play, in words: which place cannot hold a value that a rule would store."""

from __future__ import annotations

from collections.abc import Iterable

from ..code import GameCode
from ..code.body import Functions
from ..code.move_generation.action_rows import ActionRows
from ..core import nodes as n
from ..core.traversal import place_of
from .types import Types


class Faulting:
    """Writes nothing: the code has a number for each effect that can fault."""

    name = "faults"

    def __init__(self) -> None:
        self._faults: list[n.Effect] = []

    def roots(self) -> Iterable[n.Expr]:
        """None: the effects are part of the rules."""
        return ()

    def write(self, functions: Functions, rows: ActionRows) -> None:
        """Record where the faults are listed."""
        self._faults = functions.faults

    def data(self, written: GameCode, types: Types) -> list[str]:
        """The sentence of each fault, by its number minus one."""
        return [_text(effect) for effect in self._faults]


def _text(effect: n.Effect) -> str:
    """The sentence of a `play.position.Fault` without the value and the keys of its place."""
    place, held = "weight", "numbers from 0"
    if isinstance(effect, n.Assign):
        place, held = effect.target.name, str(place_of(effect))
    return f"`{place}` can only hold {held}"
