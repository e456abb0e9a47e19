"""Two words of rows of tables that are united at once, in a register of 128 bits."""

from __future__ import annotations

from collections.abc import Container

from .. import form as f

LEAST_ROWS = 3
"""For fewer rows it takes more to part the words again."""


def rows_to_pair(one: f.Statement, other: f.Statement | None, tables: Container[str]) -> list[f.Load] | None:
    """The words of rows of tables that one statement unites, if the other one unites those next to them.

    Only of tables: words of other arrays may have been stored just before, and the processor waits with one
    load of two words until both stores are done.
    """
    if type(one) is not f.Set or type(other) is not f.Set:
        return None
    rows, following = _union_loads(one.value), _union_loads(other.value)
    if rows is None or following is None or len(rows) != len(following) or len(rows) < LEAST_ROWS:
        return None
    for load, beside in zip(rows, following, strict=True):
        place, at = _base_and_offset(load.index), load.array
        if place is None or place[0] == one.name or not (isinstance(at, f.Static) and at.name in tables):
            return None
        if beside.array != at or _base_and_offset(beside.index) != (place[0], place[1] + 1):
            return None
    return rows


def _union_loads(e: f.Expr) -> list[f.Load] | None:
    """The words that an expression unites; None for other expressions."""
    if type(e) is f.Load and e.array.type is f.WORDS:
        return [e]
    if type(e) is not f.Binary or e.op != "|":
        return None
    left, right = _union_loads(e.left), _union_loads(e.right)
    return None if left is None or right is None else left + right


def _base_and_offset(index: f.Expr) -> tuple[str, int] | None:
    """An index as a variable and what is added to it; None for others."""
    match index:
        case f.Local(_, name):
            return name, 0
        case f.Binary(_, "+", f.Local(_, name), f.Const(_, int(more))):
            return name, more
    return None
