"""Functions of words evaluated beforehand: what they give is a table."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from . import form as f

FULL = (1 << 64) - 1
Words = Mapping[str, int]
OPS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": lambda a, b: a << b % 64, ">>": lambda a, b: a >> b % 64,
}  # fmt: skip
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip
"""The results of operators for whole numbers; they do not wrap around here."""
_UNARY: dict[str, Callable[[int], int]] = {
    "not": operator.invert, "count": int.bit_count,
    "low": lambda x: (x & -x).bit_length() - 1, "high": lambda x: x.bit_length() - 1,
}  # fmt: skip


class Open(Exception):
    """Something that only the machine works out."""


def given(body: f.Body, held: Words) -> int:
    """The word, or truth value, that a body gives, of which some variables are known. Open where it takes
    more than words, conditions and variables.
    """
    known = dict(held)
    for node in body:
        match node:
            case f.Set(name, e):
                known[name] = value(e, known)
            case f.Return((e,)):
                return value(e, known)
            case _:
                raise Open
    raise Open


def value(e: f.Expr, held: Words) -> int:
    """The value of an expression of words and truth values. Open for others."""
    match e:
        case f.Const(_, int(x)):
            return x
        case f.Local(_, name):
            return held[name]
        case f.Unary(f.Type.WORD | f.Type.NUMBER, op, x) if x.type is f.WORD and op in _UNARY:
            return _UNARY[op](value(x, held)) & FULL
        case f.Binary(f.Type.WORD, op, a, b) if op in OPS:
            return OPS[op](value(a, held), value(b, held)) & FULL
        case f.Compare(op, a, b) if a.type is f.WORD:
            return COMPARE[op](value(a, held), value(b, held))
        case f.Both(a, b):
            return value(a, held) and value(b, held)
        case f.Either(a, b):
            return value(a, held) or value(b, held)
        case f.Negate(a):
            return not value(a, held)
        case f.Choose(_, condition, a, b):
            return value(a if value(condition, held) else b, held)
        case f.Block(_, body):
            return given(body, held)
    raise Open
