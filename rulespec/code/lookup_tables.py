"""Lookup tables for static expressions.

An expression that depends on a few small scalars (locals or variables of the state) and otherwise only on the
rules is tabulated for every combination of them when the code is written.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import NamedTuple

from ..core import nodes as n
from ..core.traversal import nodes_within
from ..core.types import List, Map, Optional, Record, Scalar, Set, Type, Value, scalar_of
from ..machine import form as f
from ..machine.builder import choose, equal, load, number, plus, times
from .bindings import NONE, Env, Known, Val, scalar_type
from .body import Body
from .program import Program

MOST_ENTRIES = 1 << 14
"""Maximum number of combinations in one table."""
FEW_ENTRIES = 1 << 10
"""A larger table takes more memory near the processor than it saves steps."""
SPARSE = 4
"""Maximum ratio of places in a table to values of its scalar."""

_CHEAP = (
    n.Const, n.Local, n.Get, n.Add, n.Sub, n.Equal, n.Less, n.AtMost, n.Not, n.And, n.Or, n.IsNone,
    n.Otherwise, n.Domain,
)  # fmt: skip
"""Operators that cost no more than a table lookup."""


Names = Sequence[n.Var | n.StateVar]
"""The scalars that an expression depends on."""


def table_lookup(body: Body, e: n.Expr, env: Env) -> Val | None:
    """A table lookup for an expression; None if a table would be too large or gain nothing."""
    if isinstance(e.type, List | Map) or all(isinstance(node, _CHEAP) for node in nodes_within(e)):
        return None
    if isinstance(e, n.SetOf) and len(e.items) == 1 and body.codes.words(e.type.of) == 1:  # type: ignore[attr-defined]
        return None  # a bit
    vals = _scalar_names(body, e, env) if reads_scalars_only(body.program, e) else None
    names = [*vals] if vals else []
    domains = _domains(body, names, _width(body, e.type))
    if not vals or domains is None or (_sides_are_apart(body, e) and prod(map(len, domains)) > FEW_ENTRIES):
        return None
    rows = _table_rows(body, e, names, domains, env)
    depends = "for each " + ", ".join(f"{var.name}: {var.type}" for var in names)
    return _lookup_in(body, e, rows, _row_number(body, domains, vals), depends)


def _sides_are_apart(body: Body, e: n.Expr) -> bool:
    """True for a comparison whose sides have no name in common, so that tables of them are much smaller."""
    if not isinstance(e, n.Equal | n.Less | n.AtMost) or body.program.reads_state(e):
        return False
    a, b = body.program.free(e.a), body.program.free(e.b)
    return bool(a) and bool(b) and a.isdisjoint(b)


def _domains(body: Body, names: Names, each: int) -> list[Sequence[Value]] | None:
    """The values of names; None if there are too many combinations of `each` entries."""
    domains = [_values_without_gaps(body, name.type) for name in names]
    return domains if each * prod(map(len, domains)) <= MOST_ENTRIES else None


def _values_without_gaps(body: Body, t: Type) -> Sequence[Value]:
    """The values of a type in order of code; None fills gaps, and comes last if the type is optional."""
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


def _scalar_names(body: Body, e: n.Expr, env: Env) -> dict[n.Var | n.StateVar, Val] | None:
    """The locals and state variables in an expression, with values; None if one is not a scalar."""
    found: dict[n.Var | n.StateVar, Val] = {}
    free = body.program.free(e)
    # In order of appearance, so that a game is always written alike.
    for var in dict.fromkeys(node.var for node in nodes_within(e) if isinstance(node, n.Local)):
        if var not in free or isinstance(bound := env[var], Known):
            continue
        if not isinstance(bound, Val) or scalar_of(var.type) is None:
            return None
        found[var] = bound
    for node in nodes_within(e):
        if isinstance(node, n.Get):
            found[node.var] = body.held(node.type, body.program.offsets[node.var].expr)
    return found


def reads_scalars_only(program: Program, e: n.Expr) -> bool:
    """True if the value depends on the state through scalar variables only."""
    return not program.reads_state(e) or not any(
        isinstance(node, n.Can | n.After)
        or (isinstance(node, n.Get) and scalar_of(node.type) is None)
        or (isinstance(node, n.Call) and not node.function.static)
        for node in nodes_within(e)
    )


def _row_number(
    body: Body, domains: Sequence[Sequence[Value]], vals: Mapping[n.Var | n.StateVar, Val]
) -> f.Expr:
    """The number of the table row for the current values."""
    place: f.Expr = number(0)
    for (name, val), domain in zip(vals.items(), domains, strict=True):
        first, held = body.codes.codes(scalar_type(name.type))[0], val.expr
        if isinstance(name.type, Optional):
            held = body.atom(held)
        at = plus(held, -first)
        if isinstance(name.type, Optional):
            at = choose(equal(held, NONE), len(domain) - 1, at)
        place = plus(times(place, len(domain)), at)
    return place


def _table_rows(
    body: Body,
    e: n.Expr,
    names: Names,
    domains: Sequence[Sequence[Value]],
    env: Env,
) -> Sequence[tuple[int, ...]]:
    """The codes of an expression for all combinations of values; equal ones are computed once."""
    fixed = {var: bound.value for var, bound in env.items() if isinstance(bound, Known)}
    marks: dict[object, Hashable] = {name: i for i, name in enumerate(names)}
    marks |= {var: (var.type, value) for var, value in fixed.items() if var in body.program.free(e)}
    types = tuple(name.type for name in names)
    key = structural_key(e, marks), types
    found = body.program.rows.get(key)
    if found is None:
        gaps = [
            None in values and not isinstance(t, Optional) for t, values in zip(types, domains, strict=True)
        ]
        axes = [
            {name: [v for v in values if v is not None] if gap else values}
            for name, values, gap in zip(names, domains, gaps, strict=True)
        ]
        places = tuple(tuple(values) for axis in axes for values in axis.values())
        listed, encoded = body.program.static_values((key, places), e, axes, fixed), _encoder(body, e.type)
        codes = {value: encoded(value) for value in dict.fromkeys(listed)}
        found = [codes[value] for value in listed]
        if any(gaps):
            rows, nothing = iter(found), (0,) * _width(body, e.type)
            flags = [[v is None and gap for v in values] for values, gap in zip(domains, gaps, strict=True)]
            found = [nothing if gap else next(rows) for gap in map(any, product(*flags))]
        body.program.rows[key] = found
    return found


class RayTable(NamedTuple):
    """A static expression for the ascending values of one variable, and all values of the others."""

    rows: Sequence[Sequence[int]]
    """For each combination of the others, the codes for the values of the one."""
    at: f.Expr
    """The number of the present combination."""
    depends: str


def ray_rows(body: Body, e: n.Expr, along: n.Var, values: Sequence[Value], env: Env) -> RayTable | None:
    """An expression along a variable; None if it depends on more than scalars or the table would be too
    large."""
    vals = _scalar_names(body, e, {**env, along: Known(None)})
    if vals is None or not all(isinstance(var.type, Scalar) for var in vals):
        return None
    names, size = [*vals], len(values)
    domains = _domains(body, names, size)
    if domains is None:
        return None
    rows = _table_rows(body, e, [*names, along], [*domains, values], env)
    found = [
        [f.NONE] * size if None in combination else [row[0] for row in rows[i * size : (i + 1) * size]]
        for i, combination in enumerate(product(*domains))
    ]
    depends = ", ".join(f"{var.name}: {var.type}" for var in names)
    return RayTable(found, _row_number(body, domains, vals), depends)


def structural_key(part: object, marks: dict[object, Hashable]) -> Hashable:
    """A key of an expression without its variables' names: some become marks, the others numbers."""
    if isinstance(part, n.Expression):
        return type(part), *[structural_key(getattr(part, slot), marks) for slot in part.SLOTS]
    if isinstance(part, tuple):
        return tuple([structural_key(one, marks) for one in part])
    if isinstance(part, n.Var | n.StateVar):
        return marks.setdefault(part, len(marks)), part.type
    return type(part), part


def _width(body: Body, t: Type) -> int:
    return body.codes.words(t.of) if isinstance(t, Set) else 1


def _encoder(body: Body, t: Type) -> Callable[[Value], tuple[int, ...]]:
    """A function that encodes scalars of a type as codes, or its sets as words."""
    if isinstance(t, Set):
        return partial(body.codes.mask, t.of)
    return lambda value: (body.codes.code(t, value),)


def _lookup_in(body: Body, e: n.Expr, rows: Sequence[tuple[int, ...]], place: f.Expr, depends: str) -> Val:
    """The value in a table of rows at a place."""
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
