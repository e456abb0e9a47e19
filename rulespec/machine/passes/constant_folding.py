"""Constant folding, tables replaced by formulas, and short loops unrolled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from .. import form as f
from ..constant_evaluation import COMPARE, OPS
from ..rewriting import Rewriter
from ..traversal import PARTS, NodeIndex

MOST_NODES = 700
"""A loop with known turns is unrolled if that gives at most this many nodes."""
BITS = (1 << 64) - 1
SIGN = 1 << 63


def fold_constants(module: f.Module) -> f.Module:
    """The module with constants folded."""
    folding = _Folder(module)
    functions = {name: replace(x, body=folding.body(x.body)) for name, x in module.functions.items()}
    return replace(module, functions=functions)


class _Folder(Rewriter):
    def __init__(self, module: f.Module) -> None:
        self.module = module
        self.formulas: dict[str, tuple[str, int, int] | None] = {}

    def statement(self, node: f.Statement) -> f.Body:
        if isinstance(node, f.For):
            node = replace(node, first=self.expr(node.first), last=self.expr(node.last))
            turns = _unroll(node)
            if turns is not None:
                return self.body(turns)
            return (replace(node, body=self.body(node.body)),)
        made = self.parts(node)
        if isinstance(made, f.If) and isinstance(made.condition, f.Const):
            return made.then if made.condition.value else made.other
        return (made,)

    def expr(self, node: f.Expr) -> f.Expr:
        if type(node) not in PARTS:
            return node
        made: f.Expr = self.parts(node)
        fold = _FOLDS.get(type(made))
        return made if fold is None else fold(self, made)

    def load(self, node: f.Load) -> f.Expr:
        array = node.array
        if isinstance(array, f.Static) and array.name in self.module.tables:
            return self.element(node, node.type, array.name, node.index)
        return node

    def length(self, node: f.Length) -> f.Expr:
        if not isinstance(node.array, f.Static):
            return node
        name, tables, rooms = node.array.name, self.module.tables, self.module.rooms
        return f.Const(f.NUMBER, len(tables[name].values) if name in tables else rooms[name].size)

    def binary(self, node: f.Binary) -> f.Expr:
        return node if node.type is f.REAL else _fold_binary(node, node.type, node.op, node.left, node.right)

    def compare(self, node: f.Compare) -> f.Expr:
        """A comparison with a constant, simplified."""
        if not isinstance(node.right, f.Const):
            return node
        match node:
            case f.Compare(op, f.Const(_, a), f.Const(_, b)):
                return f.Const(f.TRUTH, int(COMPARE[op](a, b)))
            case f.Compare(op, f.Block(_, (*before, f.Return((value,)))), f.Const() as x) if not _may_return(
                before
            ):
                return f.Block(f.TRUTH, (*before, f.Return((self.expr(f.Compare(op, value, x)),))))
            case f.Compare(
                "==" | "!=" as op, f.Choose(_, condition, then, f.Const(_, b)), f.Const(_, value)
            ) if b == value and _cannot_equal(then, b):
                return condition if op == "!=" else self.expr(f.Negate(condition))
        return node

    def block(self, node: f.Block) -> f.Expr:
        match node.body:
            case (f.Return((value,)),):
                return value
        return node

    def negate(self, node: f.Negate) -> f.Expr:
        match node.value:
            case f.Negate(value):
                return value
            case f.Const(_, known):
                return f.Const(f.TRUTH, 1 - int(known))
        return node

    def fold_connective(self, node: f.Both | f.Either) -> f.Expr:
        if not isinstance(node.left, f.Const):
            return node
        decided = bool(node.left.value) is isinstance(node, f.Either)
        return f.Const(f.TRUTH, int(node.left.value)) if decided else node.right

    def choose(self, node: f.Choose) -> f.Expr:
        if not isinstance(node.condition, f.Const):
            return node
        return node.then if node.condition.value else node.other

    def convert(self, node: f.Convert) -> f.Expr:
        """A conversion, simplified."""
        match node:
            case f.Convert(
                f.Type.NUMBER as t,
                f.Compare("!=", f.Binary(f.Type.WORD, "&", x, f.Const(_, int(bit))), f.Const(_, 0)),
            ) if bit.bit_count() == 1:
                down = f.Binary(f.WORD, ">>", x, f.Const(f.NUMBER, bit.bit_length() - 1)) if bit > 1 else x
                return f.Convert(t, f.Binary(f.WORD, "&", down, f.Const(f.WORD, 1)))
            case f.Convert(t, f.Const() as x) if t in (f.NUMBER, f.WORD) and x.type is not f.REAL:
                return _wrap(t, int(x.value))
        return node

    def element(self, node: f.Expr, t: f.Type, name: str, index: f.Expr) -> f.Expr:
        """An element of a table, replaced by a constant or a formula if possible."""
        values = self.module.tables[name].values
        if isinstance(index, f.Const):
            return f.Const(t, values[int(index.value)]) if 0 <= index.value < len(values) else node
        if name not in self.formulas:
            self.formulas[name] = table_formula(t, values)
        found = self.formulas[name]
        if found is None:
            return node
        kind, a, b = found
        if kind == "<<":
            return f.Binary(f.WORD, "<<", f.Const(f.WORD, a), f.Convert(f.WORD, index))
        scaled = index if b == 1 else f.Binary(t, "*", index, f.Const(t, b))
        if b == -1:
            return self.expr(f.Binary(t, "-", f.Const(t, a), index))
        return self.expr(f.Binary(t, "+", scaled, f.Const(t, a)))


_FOLDS: dict[type, Callable[[_Folder, Any], f.Expr]] = {
    f.Load: _Folder.load, f.Length: _Folder.length, f.Binary: _Folder.binary,
    f.Compare: _Folder.compare, f.Block: _Folder.block, f.Negate: _Folder.negate,
    f.Both: _Folder.fold_connective, f.Either: _Folder.fold_connective, f.Choose: _Folder.choose,
    f.Convert: _Folder.convert,
}  # fmt: skip


def table_formula(t: f.Type, values: Sequence[int | float]) -> tuple[str, int, int] | None:
    """The formula for all elements of a table: `a << i`, or `a + b * i`; None if neither fits."""
    if t not in (f.NUMBER, f.WORD) or not values:
        return None
    a = int(values[0])
    if t is f.WORD and len(values) <= 64 and a and all(x == a << i & BITS for i, x in enumerate(values)):
        return "<<", a, 0
    b = int(values[1]) - a if len(values) > 1 else 0
    if t is f.NUMBER and abs(b) < 1 << 31 and all(x == a + b * i for i, x in enumerate(values)):
        return "+", a, b
    return None


def _may_return(body: Sequence[f.Statement]) -> bool:
    """True if a `Return` in a body may leave the block around it."""
    return bool(_own_jumps(body, f.Return))


def _cannot_equal(node: f.Expr, value: float) -> bool:
    """True if an expression, judged by its form, can never have a value."""
    match node:
        case f.Unary(_, "low" | "high" | "count", _):
            return not 0 <= value <= 64
        case f.Binary(_, "+", x, f.Const(_, more)) if isinstance(more, int):
            return _cannot_equal(x, value - more)
    return False


def _wrap(t: f.Type, value: int) -> f.Const:
    """A whole number after wrapping around."""
    value &= BITS
    return f.Const(t, value - 2 * SIGN if t is f.NUMBER and value >= SIGN else value)


def _fold_binary(node: f.Expr, t: f.Type, op: str, left: f.Expr, right: f.Expr) -> f.Expr:
    """A binary operation, simplified if an operand is constant or both are related."""
    a = int(left.value) if isinstance(left, f.Const) else None
    b = int(right.value) if isinstance(right, f.Const) else None
    if a is not None and b is not None and op in OPS:
        return _wrap(t, OPS[op](a, b))
    if op in ("+", "|", "^") and a == 0:
        return right
    if op in ("+", "-", "|", "^", "<<", ">>") and b == 0:
        return left
    match op, left, right:
        case "-", f.Const(), f.Binary(_, "-", x, f.Const(_, less)):
            return f.Binary(t, "-", _wrap(t, int(left.value) + int(less)), x)
    if op == "*" and (a == 1 or b == 1):
        return right if a == 1 else left
    if op == "&" and t is f.WORD and BITS in (a, b):
        return right if a == BITS else left
    return node


def _unroll(node: f.For) -> f.Body | None:
    """The rounds of a loop as a sequence if they are few and known, else None."""
    if not isinstance(node.first, f.Const) or not isinstance(node.last, f.Const):
        return None
    turns = range(int(node.first.value), int(node.last.value), node.step)
    inside = NodeIndex(node.body)
    if len(turns) * (1 + len(inside.nodes)) > MOST_NODES or node.name in inside.names:
        return None
    jumps, leaves = _own_jumps(node.body, f.Break | f.Continue), _own_jumps(node.body, f.Return)
    if any(isinstance(x, f.Break) for x in jumps) or (jumps and leaves):
        return None
    made: list[f.Statement] = []
    for value in turns:
        at = f.Const(f.NUMBER, value)
        body = _Iteration(node.name, at).body(node.body)
        made.append(f.Set(node.name, at))
        if jumps:
            made.append(f.Run(body))
        else:
            made += body
    return tuple(made)


class _Iteration(Rewriter):
    """One turn of a loop, with its variable known; `Continue` leaves the turn."""

    def __init__(self, name: str, at: f.Const) -> None:
        self.name, self.at, self.loops = name, at, 0

    def expr(self, node: f.Expr) -> f.Expr:
        return self.at if isinstance(node, f.Local) and node.name == self.name else self.parts(node)

    def statement(self, node: f.Statement) -> f.Body:
        if isinstance(node, f.Continue) and not self.loops:
            return (f.Return(()),)
        looping = isinstance(node, f.While | f.For)
        self.loops += looping
        made = super().statement(node)
        self.loops -= looping
        return made


def _own_jumps(body: Sequence[f.Statement], kinds: Any) -> list[Any]:
    """The statements of some kinds that refer to the loop or block around a body, not to an inner one."""
    found: list[Any] = []
    for node in body:
        if isinstance(node, kinds):
            found.append(node)
        elif isinstance(node, f.If):
            found += _own_jumps(node.then, kinds) + _own_jumps(node.other, kinds)
        elif isinstance(node, f.While | f.For) and f.Return in getattr(kinds, "__args__", (kinds,)):
            found += _own_jumps(node.body, kinds)
    return found
