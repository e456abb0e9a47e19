"""Static expressions as tables.

An expression that depends on a few small scalars and otherwise on the rules alone is worked out for
every combination of them when the code is written. The scalars are local names, variables of the
state, or parts that must be computed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from itertools import product
from math import prod
from typing import NamedTuple

from ..core import nodes as n
from ..core.types import List, Map, Optional, Record, Scalar, Set, Type, Value, scalar_of
from ..core.walk import inside, parts, rebuilt
from ..machine import form as f
from ..machine.building import choose, equal, load, number, plus, times
from .body import Body
from .program import Program
from .vals import NONE, Env, Known, Macro, Val, scalar_type

MOST_ENTRIES = 1 << 14
"""How many combinations one table may have."""
SPARSE = 4
"""A table may have so many times as many places as its scalar has values."""

_STRICT = (
    n.Add, n.Sub, n.Mul, n.Div, n.Mod, n.Make, n.Field, n.IsNone, n.Otherwise, n.Narrow,
    n.Equal, n.Less, n.AtMost, n.Not, n.Member, n.Call, n.Read, n.SetOf, n.Size,
)  # fmt: skip
"""Operators whose parts are all evaluated anyway."""
_CHEAP = (
    n.Const, n.Local, n.Get, n.Add, n.Sub, n.Equal, n.Less, n.AtMost, n.Not, n.And, n.Or, n.IsNone,
    n.Otherwise, n.Domain,
)  # fmt: skip
"""Operators that cost no more than looking up a table."""


@dataclass
class _Leaves:
    """The scalars that an expression depends on: names and variables of the state, and parts of it."""

    vals: dict[n.Var | n.StateVar, Val] = field(default_factory=dict)
    parts: dict[n.Expr, n.Var] = field(default_factory=dict)
    worth: bool = False

    @property
    def names(self) -> list[n.Var | n.StateVar]:
        """All of them, those that are computed last."""
        return [*sorted(self.vals, key=lambda name: isinstance(name, n.StateVar)), *self.parts.values()]


def tabulated(body: Body, e: n.Expr, env: Env) -> Val | None:
    """A look-up for an expression, or None where a table would be too large or gain nothing."""
    if isinstance(e.type, List | Map) or isinstance(e, n.Const | n.Local | n.Get | n.Domain):
        return None
    if isinstance(e, n.SetOf) and len(e.items) == 1 and body.codes.words(e.type.of) == 1:  # type: ignore[attr-defined]
        return None  # a bit
    leaves = _Leaves()
    if not _find(body, e, env, leaves) or not leaves.worth:
        return None
    domains = _domains(body, leaves.names, _width(body, e.type))
    return _lookup(body, e, env, leaves, domains) if domains else None


def _domains(body: Body, names: Sequence[n.Var | n.StateVar], each: int) -> list[Sequence[Value]] | None:
    """The values of names; None if there are too many combinations, each of which takes so many entries."""
    domains = [_spread(body, name.type) for name in names]
    return domains if each * prod(map(len, domains)) <= MOST_ENTRIES else None


def _spread(body: Body, t: Type) -> Sequence[Value]:
    """The values of a type with gaps in their codes filled by None, and None last where it may be none."""
    scalar = scalar_type(t)
    if len(scalar.values) > MOST_ENTRIES:
        return range(MOST_ENTRIES + 1)
    codes = body.codes.codes(scalar)
    values: list[Value] = list(scalar.values)
    if codes[-1] - codes[0] + 1 > len(codes):
        if codes[-1] - codes[0] + 1 > SPARSE * len(codes):
            return range(MOST_ENTRIES + 1)
        by_code = dict(zip(codes, values, strict=True))
        values = [by_code.get(code) for code in range(codes[0], codes[-1] + 1)]
    return [*values, None] if isinstance(t, Optional) else values


def _find(body: Body, e: n.Expr, env: Env, leaves: _Leaves) -> bool:
    """Note what an expression depends on; False if it cannot be tabulated."""
    if reads_scalars_only(body.program, e):
        found = _static(body, e, env, leaves)
        if found:
            leaves.worth = leaves.worth or any(not isinstance(node, _CHEAP) for node in inside(e))
            return True
        return _part(e, env, leaves)
    static = not isinstance(e, n.Call) or e.function.static
    if isinstance(e, _STRICT) and static:
        before = dict(leaves.vals), dict(leaves.parts), leaves.worth
        if all(isinstance(part, n.Expr) and _find(body, part, env, leaves) for part in parts(e)):
            leaves.worth = leaves.worth or not isinstance(e, _CHEAP)
            return True
        leaves.vals, leaves.parts, leaves.worth = before
    return _part(e, env, leaves)


def _static(body: Body, e: n.Expr, env: Env, leaves: _Leaves) -> bool:
    found: dict[n.Var, Val] = {}
    free = body.program.free(e)
    # In order of appearance, so that a game is always written alike.
    for var in dict.fromkeys(node.var for node in inside(e) if isinstance(node, n.Local)):
        if var not in free or isinstance(bound := env[var], Known):
            continue
        if not isinstance(bound, Val) or scalar_of(var.type) is None:
            return False
        found[var] = bound
    leaves.vals.update(found)
    for node in inside(e):
        if isinstance(node, n.Get):
            leaves.vals[node.var] = body.held(node.type, body.program.offsets[node.var].expr)
    return True


def reads_scalars_only(program: Program, e: n.Expr) -> bool:
    """True if the value depends on the state through variables that hold a scalar alone."""
    return not program.reads_state(e) or not any(
        isinstance(node, n.Can)
        or (isinstance(node, n.Get) and scalar_of(node.type) is None)
        or (isinstance(node, n.Call) and not node.function.static)
        for node in inside(e)
    )


def _part(e: n.Expr, env: Env, leaves: _Leaves) -> bool:
    """Take a part as a scalar that is computed."""
    if scalar_of(e.type) is None or not isinstance(e, n.Read | n.Item | n.Call | n.Field | n.Get | n.Local):
        return False
    if isinstance(e, n.Local) and isinstance(env[e.var], Macro):
        return False
    leaves.parts[e] = n.Var("part", e.type)
    return True


def _lookup(body: Body, e: n.Expr, env: Env, leaves: _Leaves, domains: list[Sequence[Value]]) -> Val:
    names = leaves.names
    vals = [leaves.vals[name] for name in names if name in leaves.vals]
    vals += [body.value(part, env) for part in leaves.parts]
    local = {part: n.Local(part.type, var) for part, var in leaves.parts.items()}
    whole = rebuilt(e, lambda node: local.get(node, node) if isinstance(node, n.Expr) else node)
    rows = _rows(body, whole, names, domains, env)
    depends = "for each " + ", ".join(f"{var.name}: {var.type}" for var in names)
    return _from_rows(body, e, rows, _place(body, domains, vals, names), depends)


def _place(
    body: Body, domains: Sequence[Sequence[Value]], vals: Sequence[Val], names: Sequence[n.Var | n.StateVar]
) -> f.Expr:
    """The number of the combination of values that names have."""
    place: f.Expr = number(0)
    for name, domain, val in zip(names, domains, vals, strict=True):
        first, held = body.codes.codes(scalar_type(name.type))[0], val.expr
        if isinstance(name.type, Optional):
            held = body.atom(held)
        at = plus(held, -first)
        if isinstance(name.type, Optional):
            at = choose(equal(held, NONE), len(domain) - 1, at)
        place = plus(times(place, len(domain)), at)
    return place


def _rows(
    body: Body,
    e: n.Expr,
    names: Sequence[n.Var | n.StateVar],
    domains: Sequence[Sequence[Value]],
    env: Env,
) -> Sequence[tuple[int, ...]]:
    """The codes of an expression for all combinations of values; of two that are alike, once."""
    fixed = {var: bound.value for var, bound in env.items() if isinstance(bound, Known)}
    marks: dict[object, Hashable] = {name: i for i, name in enumerate(names)}
    marks |= {var: (var.type, value) for var, value in fixed.items() if var in body.program.free(e)}
    types = tuple(name.type for name in names)
    key = shape(e, marks), types
    found = body.program.rows.get(key)
    if found is None:
        local, stored = dict(fixed), dict[n.StateVar, Value]()
        value, encoded = body.program.static.value, _encoder(body, e.type)
        gaps = [not isinstance(t, Optional) for t in types]
        found = []
        for values in product(*domains):
            if None in values and any(v is None and gap for v, gap in zip(values, gaps, strict=True)):
                found.append((0,) * _width(body, e.type))
                continue
            for name, v in zip(names, values, strict=True):
                if isinstance(name, n.Var):
                    local[name] = v
                else:
                    stored[name] = v
            found.append(encoded(value(e, local, stored)))
        body.program.rows[key] = found
    return found


class Line(NamedTuple):
    """A static expression along ascending values of one variable, for all values of its others."""

    rows: Sequence[Sequence[int]]
    """Its codes for the values of the one, of each combination of the others."""
    at: f.Expr
    """The number of the combination."""
    depends: str


def line_rows(body: Body, e: n.Expr, along: n.Var, values: Sequence[Value], env: Env) -> Line | None:
    """An expression along a variable; None where it depends on more than scalars, or would be too large."""
    free = body.program.free(e)
    names: list[n.Var | n.StateVar] = [
        var for var in dict.fromkeys(x.var for x in inside(e) if isinstance(x, n.Local))
        if var in free and var is not along and not isinstance(env[var], Known)
    ]  # fmt: skip
    bound = [x for var in names if isinstance(x := env[var], Val) and isinstance(var.type, Scalar)]  # type: ignore[index]
    size = len(values)
    domains = _domains(body, names, size) if len(bound) == len(names) else None
    if domains is None:
        return None
    rows = _rows(body, e, [*names, along], [*domains, values], env)
    found = [
        [f.NONE] * size if None in combination else [row[0] for row in rows[i * size : (i + 1) * size]]
        for i, combination in enumerate(product(*domains))
    ]
    depends = ", ".join(f"{var.name}: {var.type}" for var in names)
    return Line(found, _place(body, domains, bound, names), depends)


def shape(part: object, marks: dict[object, Hashable]) -> Hashable:
    """An expression but for the names of its variables, of which some have marks and others get numbers."""
    if isinstance(part, n.Expr):
        return type(part), *[shape(getattr(part, slot.name), marks) for slot in fields(part)]
    if isinstance(part, tuple):
        return tuple([shape(one, marks) for one in part])
    if isinstance(part, n.Var | n.StateVar):
        return marks.setdefault(part, len(marks)), part.type
    return type(part), part


def _width(body: Body, t: Type) -> int:
    return body.codes.words(t.of) if isinstance(t, Set) else 1


def _encoder(body: Body, t: Type) -> Callable[[Value], tuple[int, ...]]:
    """A function from values of a type to their codes or words."""
    if isinstance(t, Set):
        return partial(body.codes.mask, t.of)
    return lambda value: (body.codes.code(t, value),)


def _from_rows(body: Body, e: n.Expr, rows: Sequence[tuple[int, ...]], place: f.Expr, depends: str) -> Val:
    wanted = e.function.name if isinstance(e, n.Call) else _field_name(e)
    meaning = f"`{wanted}` {depends}" if wanted else depends
    if not isinstance(e.type, Set):
        table = body.program.table([row[0] for row in rows], wanted, meaning)
        return Val(e.type, (load(table, place),), any(row[0] == f.NONE for row in rows))
    count = body.codes.words(e.type.of)
    table = body.program.table([word for row in rows for word in row], wanted, meaning, f.WORDS)
    place = body.atom(place, "row") if count > 1 else place
    return Val(e.type, tuple(load(table, plus(times(place, count), i)) for i in range(count)))


def _field_name(e: n.Expr) -> str:
    if isinstance(e, n.Field):
        of = scalar_of(e.item.type)
        if isinstance(of, Record):
            return f"{of.family}.{of.fields[e.position][0]}"
    if isinstance(e, n.Make):
        return e.of.family
    return ""
