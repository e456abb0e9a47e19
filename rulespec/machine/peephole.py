"""Words joined bit by bit: constants are worked out at once, steps along a line of bits taken together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from types import MappingProxyType

from . import form as f

NO_TABLES: Mapping[str, f.Table] = MappingProxyType({})

FULL = (1 << 64) - 1
"""The word of which all bits are set."""
LEAST_STEPS = 4
"""So many words at equal distances are joined by doubling; fewer take as many operations one by one."""


def combine(op: str, words: Iterable[f.Expr]) -> f.Expr:
    """The words joined by `&` or `|`, a constant last. Of an intersection the masks of the parts are one."""
    neutral, decisive = (FULL, 0) if op == "&" else (0, FULL)
    constant, listed = neutral, []
    for e in _with_masks_apart(words) if op == "&" else words:
        if isinstance(e, f.Const):
            constant = constant & int(e.value) if op == "&" else constant | int(e.value)
        else:
            listed.append(e)
    if constant == decisive or not listed:
        return f.Const(f.WORD, constant)
    made, *others = _combine_rays(listed) if op == "&" else listed
    for e in others:
        made = f.Binary(f.WORD, op, made, e)
    if constant == neutral or (op == "&" and not possible_bits(made) & ~constant):
        return made
    return f.Binary(f.WORD, op, made, f.Const(f.WORD, constant))


def _with_masks_apart(words: Iterable[f.Expr]) -> Iterator[f.Expr]:
    """The words of an intersection, a mask of one apart from it."""
    for e in words:
        if isinstance(e, f.Binary) and e.op == "&" and isinstance(e.right, f.Const):
            yield from (e.left, e.right)
        else:
            yield e


def possible_bits(e: f.Expr, tables: Mapping[str, f.Table] = NO_TABLES) -> int:
    """The bits that a word may have, as far as its own form and tables say."""
    match e:
        case f.Const(f.Type.WORD, value):
            return int(value)
        case f.Binary(_, "&", a, b):
            return possible_bits(a, tables) & possible_bits(b, tables)
        case f.Binary(_, "|", a, b):
            return possible_bits(a, tables) | possible_bits(b, tables)
        case f.Binary(_, ">>", a, f.Const(_, distance)):
            return possible_bits(a, tables) >> int(distance)
        case f.Binary(_, "<<", a, f.Const(_, distance)):
            return possible_bits(a, tables) << int(distance) & FULL
        case f.Load(f.Type.WORD, f.Static(_, name)) if name in tables:
            return reduce(or_, map(int, tables[name].values), 0)
    return FULL


def _combine_rays(words: Sequence[f.Expr]) -> list[f.Expr]:
    """The words of an intersection; one word moved by 0, d, 2d, 3d bits and so on is a line."""
    moved: defaultdict[f.Expr, dict[int, f.Expr]] = defaultdict(dict)
    for e in words:
        match e:
            case f.Binary(f.Type.WORD, ">>", of, f.Const(_, distance)):
                moved[of][int(distance)] = e
            case _:
                moved[e][0] = e
    made: list[f.Expr] = []
    for by in moved.values():
        distances = sorted(by)
        step = distances[-1] - distances[-2] if len(by) >= LEAST_STEPS else 0
        in_line = step and distances == [*range(distances[0], distances[-1] + 1, step)]
        made += [_ray(by[distances[0]], step, len(by))] if in_line else by.values()
    return made


def _ray(e: f.Expr, step: int, size: int) -> f.Expr:
    """The intersection of a word with itself moved down by 1 to size - 1 steps: each half gives the whole."""
    if size == 1:
        return e
    half = _ray(e, step, size - size // 2)
    return f.Binary(f.WORD, "&", half, f.Binary(f.WORD, ">>", half, f.Const(f.NUMBER, step * (size // 2))))
