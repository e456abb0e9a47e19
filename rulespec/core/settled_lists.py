"""Lists of numbers whose length does not depend on the state."""

from __future__ import annotations

from . import nodes as n
from .context import Context, Env
from .evaluate import elements, evaluate
from .traversal import reads_state
from .types import Int, integers


def has_settled_length(e: n.Expr) -> bool:
    """True if the length of a list of numbers is independent of the state; its values may depend on it."""
    if not reads_state(e):
        return True
    if isinstance(e, n.ListOf):
        return all(map(_is_settled_number, e.items))
    return isinstance(e, n.Collect) and not reads_state(e.source) and _is_settled_number(e.body)


def _is_settled_number(item: n.Expr) -> bool:
    """True if it does not depend on the state whether a number is none."""
    if isinstance(item.type, Int) or not reads_state(item):
        return True
    if not isinstance(item, n.If) or reads_state(item.cond):
        return False
    return _is_settled_number(item.then) and _is_settled_number(item.otherwise)


def items(e: n.Expr) -> list[n.Expr]:
    """The numbers of a list as expressions without free local variables, without none.

    Raises LookupError if the length depends on the state.
    """
    if not reads_state(e):
        return [n.Const(integers(value, value), value) for value in evaluate(e, {}, Context())]
    if isinstance(e, n.ListOf):
        return [number for item in e.items if (number := _number_of_item(item, {})) is not None]
    assert isinstance(e, n.Collect)
    numbers: list[n.Expr] = []
    for value in elements(e.source, {}, Context()):
        number = _number_of_item(e.body, {e.var: value})
        if number is not None:
            numbers.append(n.Let(number.type, e.var, n.Const(e.var.type, value), number))
    return numbers


def _number_of_item(item: n.Expr, env: Env) -> n.Expr | None:
    """The item as a number that is never none, or None if it always is. Raises LookupError otherwise."""
    if isinstance(item.type, Int):
        return item
    if not reads_state(item):
        value = evaluate(item, env, Context())
        return None if value is None else n.Const(integers(value, value), value)
    if not isinstance(item, n.If):
        raise LookupError("the state decides whether it is none")
    return _number_of_item(item.then if evaluate(item.cond, env, Context()) else item.otherwise, env)
