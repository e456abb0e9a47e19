"""If-conversion: tests for conditions that can be evaluated without a branch."""

from __future__ import annotations

from collections.abc import Sequence

from .. import form as f
from ..traversal import nodes_of

MOST = 10
"""Maximum number of nodes that are evaluated although they may not be needed."""
NEVER = ("//", "%", "min", "max")


def is_cheap(*nodes: f.Expr, beside: Sequence[f.Expr] = ()) -> bool:
    """True if expressions take few instructions, cannot fail and read no memory.

    The expressions `beside` are evaluated anyway, so loads that also occur in them cost nothing.
    """
    left = MOST
    for node in nodes:
        left = _budget_after(node, left, beside)
    return left >= 0


def _budget_after(node: f.Expr, left: int, beside: Sequence[f.Expr]) -> int:
    """The rest of a budget of nodes after an expression; negative if that is too large or not cheap."""
    if left <= 0:
        return -1
    match node:
        case f.Const() | f.Local():
            return left - 1
        case f.Load() if node in beside:
            return left - 1
        case f.Binary(_, op, a, b):
            return _budget_after(b, _budget_after(a, left - 1, beside), beside) if op not in NEVER else -1
        case f.Compare(_, a, b) | f.Both(a, b) | f.Either(a, b):
            return _budget_after(b, _budget_after(a, left - 1, beside), beside)
        case f.Unary(_, _, value) | f.Negate(value) | f.Convert(_, value):
            return _budget_after(value, left - 1, beside)
    return -1


def as_range(node: f.Both) -> tuple[f.Local, int, int] | None:
    """The variable and bounds of a condition `a <= x <= b` with constant bounds; None for other
    conditions."""
    match node.left, node.right:
        case (
            f.Compare("<=", f.Const(f.Type.NUMBER, int(low)), f.Local() as x),
            f.Compare("<=", f.Local() as again, f.Const(f.Type.NUMBER, int(high))),
        ) if x == again and x.type is f.NUMBER and 0 <= high - low < 1 << 63:
            return x, low, high
    return None


def is_unpredictable(condition: f.Expr, chosen: f.Type) -> bool:
    """True if a condition is hard to predict, and evaluating it has no dependent work.

    Such a condition compares numbers for equality, or words if it chooses a word. Other conditions that
    choose a number are usually predicted well, such as whether a place exists or is on the board.
    """
    if not isinstance(condition, f.Compare) or condition.op not in ("==", "!="):
        return False
    simple = not any(isinstance(x, f.Block | f.Call) for x in nodes_of(condition))
    return simple and condition.left.type in (f.NUMBER, chosen)
