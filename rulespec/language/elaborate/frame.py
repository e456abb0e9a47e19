"""One formal text being elaborated: its place in the file, its local names, what `original` means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NoReturn, TypeVar

from lark import Token, Tree

from ...core import nodes as n
from ...core.context import Context, Env
from ...core.diagnostics import Label, Span
from ...core.evaluate import evaluate
from ...core.traversal import parts
from ...core.types import BOOL, Int, List, Optional, Scalar, Type, Value, integers, with_values
from ..documents.yaml import Scalar as Text
from ..syntax.parser import span_of

if TYPE_CHECKING:
    from .world import World

Syntax = Tree[Token]
Node = TypeVar("Node", n.Expr, n.Effect)


class Faulty(Exception):
    """What was asked for cannot be elaborated; the report says why."""


@dataclass(frozen=True, eq=False)
class Frame:
    """Where a tree is elaborated: `names` are the local names, `clause` the rule the text belongs to."""

    world: World
    text: Text
    clause: str = ""
    names: dict[str, n.Expr] = field(default_factory=dict)
    original: Callable[[Frame, Type | None, list[Syntax] | None], n.Expr] | None = None
    original_effect: Callable[[Frame], n.Effect] | None = None
    procedures: tuple[str, ...] = ()

    def binding(self, **names: n.Expr) -> Frame:
        """This frame with more local names; a later name hides an earlier one."""
        return replace(self, names={**self.names, **names})

    def bound(self, var: n.Var) -> Frame:
        """This frame with a variable under its own name."""
        return replace(self, names={**self.names, var.name: n.Local(var.type, var)})

    def span(self, tree: Syntax | Token) -> Span:
        """Where a part of the text stands in the file."""
        return span_of(self.text, tree)

    def fail(self, code: str, message: str, tree: Syntax | Token, *more: Label, help: str = "") -> NoReturn:
        """Report a fault at a part of the text and give up on it."""
        self.world.report.error(code, message, self.span(tree), *more, help=help, clause=self.clause)
        raise Faulty

    def value(self, e: n.Expr, env: Env) -> Value:
        """The value of an expression that reads no state."""
        context = self.world.context
        context.spend_on(1, e)
        return evaluate(e, env, context)

    def put(self, node: Node, tree: Syntax | Token) -> Node:
        """Remember where and how a node was written."""
        self.world.spans.note(node, self.text, tree)
        if n.is_expression(node) and isinstance(tree, Tree):
            self.world.memory.trees.setdefault(node, tree)
        return node


def known(value: Value, t: Type, name: str = "") -> n.Const:
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
    """A whole number known beforehand."""
    return n.Const(integers(value, value), value)


TRUE, FALSE = n.Const(BOOL, True), n.Const(BOOL, False)

_NEVER_FOLDED = (n.Const, n.Domain, n.Local, n.Get, n.Can, n.Let, n.Call)


def folded(e: n.Expr) -> n.Expr:
    """The expression, or its value where every operand is known and nothing is bound."""
    return known(evaluate(e, {}, Context()), e.type) if foldable(e) else e


def foldable(e: n.Expr) -> bool:
    """True if every operand is known and nothing is bound; a call may take long, so it has its own way."""
    if isinstance(e, _NEVER_FOLDED) or hasattr(e, "var"):
        return False
    operands = [*parts(e)]
    return bool(operands) and all(isinstance(operand, n.Const) for operand in operands)


def nots(item: n.Expr) -> n.Expr:
    """Negation, simplified where the operand is known or negated itself."""
    if isinstance(item, n.Const):
        return FALSE if item.value else TRUE
    return item.item if isinstance(item, n.Not) else n.Not(BOOL, item)


def ands(*items: n.Expr) -> n.Expr:
    """Conjunction, flattened; what is known is left out."""
    kept: list[n.Expr] = []
    for item in items:
        if isinstance(item, n.Const):
            if not item.value:
                return FALSE
        else:
            kept += item.items if isinstance(item, n.And) else (item,)
    return TRUE if not kept else kept[0] if len(kept) == 1 else n.And(BOOL, tuple(kept))


def ors(*items: n.Expr) -> n.Expr:
    """Disjunction, flattened; what is known is left out."""
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
    """The type with nothing in it if one of the operands may be none."""
    return t.lifted if any(maybe_none(o.type) for o in operands) else t
