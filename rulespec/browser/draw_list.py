"""A list of the outcomes of chance in a ply, because records of plays contain outcomes and not picks.

It is stored among the numbers: its size, then for each draw the number of its type (in the order of the code)
and the outcome, a list with its size before its elements.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..code import GameCode
from ..code.bindings import Val
from ..code.body import Body, Functions, S
from ..code.move_generation.action_rows import ActionRows
from ..core import nodes as n
from ..core.types import List, Type
from ..machine import form as f
from ..machine.builder import compare, load, plus
from .types import Types

ROOM = 4096
"""Maximum size of the list."""
ONE, SEVERAL = "log_one", "log_several"


class DrawList:
    """Writes code that lists the outcomes of chance."""

    name = "drawn"

    def __init__(self) -> None:
        self._types: list[Type] = []
        self._at: int | None = None

    def roots(self) -> Iterable[n.Expr]:
        """None: the draws are part of the rules."""
        return ()

    def drawn(self, body: Body, val: Val) -> None:
        """Write code that lists an outcome."""
        if self._at is None:
            self._at = body.program.room("s", 1 + ROOM)
            _write_log(body.functions, self._at)
        if val.type not in self._types:
            self._types.append(val.type)
        kind = self._types.index(val.type)
        body.do(SEVERAL if isinstance(val.type, List) else ONE, S, kind, *val.parts)
        body.begin_version()

    def write(self, functions: Functions, rows: ActionRows) -> None:
        """Nothing is left to write."""

    def data(self, written: GameCode, types: Types) -> dict[str, Any]:
        """The place of the list, its room, and its types; the place is -1 without chance."""
        at = -1 if self._at is None else self._at
        return {"at": at, "room": ROOM, "types": [types.number(t) for t in self._types]}


def _write_log(functions: Functions, at: int) -> None:
    """Write the functions that list an outcome. Without room, only the size of the list grows."""
    kind, value, first, size = (f.Local(f.NUMBER, name) for name in ("kind", "value", "first", "size"))
    body = Body(functions.program, functions)
    used = body.named("used", load(S, at))
    body.store(S, at, plus(used, 2))
    with body.when(compare("<=", plus(used, 2), ROOM)):
        body.store(S, plus(used, at + 1), kind)
        body.store(S, plus(used, at + 2), value)
    functions.add(ONE, [S, kind, value], body)
    body = Body(functions.program, functions)
    used = body.named("used", load(S, at))
    body.store(S, at, plus(used, size, 2))
    with body.when(compare("<=", plus(used, size, 2), ROOM)):
        body.store(S, plus(used, at + 1), kind)
        body.store(S, plus(used, at + 2), size)
        i = body.named("i", 0)
        with body.each(i, 0, size):
            body.store(S, plus(used, i, at + 3), load(S, plus(first, i)))
    functions.add(SEVERAL, [S, kind, first, size], body)
