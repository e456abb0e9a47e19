"""Constants and simplification: expressions with known values are evaluated during elaboration."""

from __future__ import annotations

from ...core import nodes as n
from ...core.context import Context
from ...core.evaluate import evaluate
from ...core.traversal import parts
from ...core.types import BOOL, Int, List, Optional, Scalar, Type, Value, integers, with_values


def constant(value: Value, t: Type, name: str = "") -> n.Const:
    """A constant whose type is as narrow as its value."""
    if isinstance(t, Optional) and value is not None and t.of is not None:
        t = t.of
    if isinstance(t, Int):
        narrow: Type = Int("number", range(value, value + 1), "", t.letters, t.letter_base)
    elif isinstance(t, Scalar) and t.family != "truth":
        narrow = with_values(t, (value,), t.name)
    elif isinstance(t, List) and t.of is not None and value:
        narrow = List(with_values(t.of, sorted(set(value))), len(value))
    else:
        narrow = t
    return n.Const(narrow, value, name)


def number(value: int) -> n.Const:
    """A constant number."""
    return n.Const(integers(value, value), value)


TRUE, FALSE = n.Const(BOOL, True), n.Const(BOOL, False)

_NEVER_FOLDED = (n.Const, n.Domain, n.Local, n.Get, n.Can, n.Let, n.Call)


def fold(e: n.Expr) -> n.Expr:
    """The expression, or its value if every operand is constant and nothing is bound."""
    return constant(evaluate(e, {}, Context()), e.type) if foldable(e) else e


def foldable(e: n.Expr) -> bool:
    """True if all operands are constants and nothing is bound. Calls, which may take long, are left out."""
    if isinstance(e, _NEVER_FOLDED) or hasattr(e, "var"):
        return False
    operands = [*parts(e)]
    return bool(operands) and all(isinstance(operand, n.Const) for operand in operands)


def negation(item: n.Expr) -> n.Expr:
    """Negation, simplified if the operand is constant or a negation."""
    if isinstance(item, n.Const):
        return FALSE if item.value else TRUE
    return item.item if isinstance(item, n.Not) else n.Not(BOOL, item)


def conjunction(*items: n.Expr) -> n.Expr:
    """The conjunction of conditions, flattened and without constants."""
    kept: list[n.Expr] = []
    for item in items:
        if isinstance(item, n.Const):
            if not item.value:
                return FALSE
        else:
            kept += item.items if isinstance(item, n.And) else (item,)
    return TRUE if not kept else kept[0] if len(kept) == 1 else n.And(BOOL, tuple(kept))


def disjunction(*items: n.Expr) -> n.Expr:
    """The disjunction of conditions, flattened and without constants."""
    kept: list[n.Expr] = []
    for item in items:
        if isinstance(item, n.Const):
            if item.value:
                return TRUE
        else:
            kept += item.items if isinstance(item, n.Or) else (item,)
    return FALSE if not kept else kept[0] if len(kept) == 1 else n.Or(BOOL, tuple(kept))


def maybe_none(t: Type) -> bool:
    """True if a value of this type may be none."""
    return isinstance(t, Optional)


def lifted_if(t: Type, *operands: n.Expr) -> Type:
    """The type with none added if one of the operands may be none."""
    return t.with_none if any(maybe_none(o.type) for o in operands) else t
