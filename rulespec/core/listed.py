"""Lists of numbers whose length does not depend on the state, such as a claim may ask of each ply."""

from __future__ import annotations

from . import nodes as n
from .context import Context, Env
from .evaluate import elements, evaluate
from .types import Int, integers
from .walk import reads_state


def has_settled_length(e: n.Expr) -> bool:
    """Whether an expression is a list of numbers of which the state decides the values only, not how many."""
    if not reads_state(e):
        return True
    if isinstance(e, n.ListOf):
        return all(map(_settled, e.items))
    return isinstance(e, n.Collect) and not reads_state(e.source) and _settled(e.body)


def _settled(item: n.Expr) -> bool:
    """Whether no state decides if a number is none."""
    if isinstance(item.type, Int) or not reads_state(item):
        return True
    choice = isinstance(item, n.If) and not reads_state(item.cond)
    return choice and _settled(item.then) and _settled(item.otherwise)  # type: ignore[attr-defined]


def items(e: n.Expr) -> list[n.Expr]:
    """The numbers of a list whose length is settled, each without free local names; nones left out.

    LookupError if the state decides the length.
    """
    if not reads_state(e):
        return [n.Const(integers(value, value), value) for value in evaluate(e, {}, Context())]
    if isinstance(e, n.ListOf):
        found = [_number(item, {}) for item in e.items]
    else:
        assert isinstance(e, n.Collect)
        of = e.var.type
        found = []
        for value in elements(e.source, {}, Context()):
            made = _number(e.body, {e.var: value})
            known = n.Const(of, value)
            found.append(None if made is None else n.Let(made.type, e.var, known, made))
    return [made for made in found if made is not None]


def _number(item: n.Expr, env: Env) -> n.Expr | None:
    """A number that is never none; None for one that always is."""
    if isinstance(item.type, Int):
        return item
    if not reads_state(item):
        value = evaluate(item, env, Context())
        return None if value is None else n.Const(integers(value, value), value)
    if not isinstance(item, n.If):
        raise LookupError("the state decides whether it is none")
    return _number(item.then if evaluate(item.cond, env, Context()) else item.otherwise, env)
