"""Constant evaluation of functions of words, for many inputs at once."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import form as f

FULL = (1 << 64) - 1
Words = Mapping[str, Sequence[int]]
"""The values of variables, one for each input."""
OPS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": lambda a, b: a << b % 64, ">>": lambda a, b: a >> b % 64,
}  # fmt: skip
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip
"""The comparison operators on whole numbers, which do not wrap around here."""
_UNARY: dict[str, Callable[[int], int]] = {
    "not": operator.invert, "count": int.bit_count,
    "low": lambda x: (x & -x).bit_length() - 1, "high": lambda x: x.bit_length() - 1,
}  # fmt: skip


class NotConstant(Exception):
    """Raised for an expression that is not constant, given some variables."""


def evaluate_body(body: f.Body, held: Words) -> Sequence[int]:
    """The word or truth value that a body returns for each input.

    Raises NotConstant if the body needs more than words, conditions and known variables.
    """
    known = dict(held)
    for node in body:
        match node:
            case f.Set(name, e):
                known[name] = evaluate_expression(e, known)
            case f.Return((e,)):
                return evaluate_expression(e, known)
            case _:
                raise NotConstant
    raise NotConstant


def evaluate_expression(e: f.Expr, held: Words) -> Sequence[int]:
    """The values of an expression of words and truth values for all inputs. Raises NotConstant."""
    match e:
        case f.Const(_, int(x)):
            return [x] * len(next(iter(held.values())))
        case f.Local(_, name):
            return held[name]
        case f.Unary(f.Type.WORD | f.Type.NUMBER, op, x) if x.type is f.WORD and op in _UNARY:
            return [x & FULL for x in map(_UNARY[op], evaluate_expression(x, held))]
        case f.Binary(f.Type.WORD, op, a, b) if op in OPS:
            pairs = zip(evaluate_expression(a, held), evaluate_expression(b, held), strict=False)
            return [OPS[op](x, y) & FULL for x, y in pairs]
        case f.Compare(op, a, b) if a.type is f.WORD:
            return [*map(COMPARE[op], evaluate_expression(a, held), evaluate_expression(b, held))]
        case f.Both(a, b):
            pairs = zip(evaluate_expression(a, held), evaluate_expression(b, held), strict=True)
            return [x and y for x, y in pairs]
        case f.Either(a, b):
            pairs = zip(evaluate_expression(a, held), evaluate_expression(b, held), strict=True)
            return [x or y for x, y in pairs]
        case f.Negate(a):
            return [not x for x in evaluate_expression(a, held)]
        case f.Choose(_, condition, a, b):
            parts = (evaluate_expression(x, held) for x in (condition, a, b))
            cases = zip(*parts, strict=True)
            return [x if holds else y for holds, x, y in cases]
        case f.Block(_, body):
            return evaluate_body(body, held)
    raise NotConstant
