"""A list of what chance gave in a ply, for records of plays tell the outcomes and not the picks.

It lies among the numbers: how many numbers it takes, then for each draw the number of its type (in the order
in which the code has them) and the outcome, a list with its size before its elements.
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
"""The numbers that the list may take."""
ONE, SEVERAL = "log_one", "log_several"


class DrawList:
    """Writes what lists the outcomes of chance, where the code draws them."""

    name = "drawn"

    def __init__(self) -> None:
        self._types: list[Type] = []
        self._at: int | None = None

    def roots(self) -> Iterable[n.Expr]:
        """None: what is drawn is the rules' own."""
        return ()

    def drawn(self, body: Body, val: Val) -> None:
        """Write what lists an outcome."""
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
        """Where the list begins, its room, and its types; the place is -1 where there is no chance."""
        at = -1 if self._at is None else self._at
        return {"at": at, "room": ROOM, "types": [types.number(t) for t in self._types]}


def _write_log(functions: Functions, at: int) -> None:
    """Write the functions that list an outcome. Where there is no room, only the size of the list grows."""
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
