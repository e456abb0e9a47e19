"""Search for values of variables that satisfy a condition; each conjunct is tested as early as possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from ...core import nodes as n
from ...core.context import Context, Env
from ...core.evaluate import evaluate
from ...core.traversal import FreeVariables, conjuncts
from ...core.types import Scalar, Value
from ..work_limit import VALUE


def satisfying(places: Sequence[n.Var], holds: n.Expr, ctx: Context) -> list[tuple[Value, ...]]:
    """The combinations of values of `places` for which `holds` is true, in order.

    The condition is split into its conjuncts. Each is tested once the last variable that it reads has a
    value; if it says that this variable is in a set, the values of the set are tried.
    """
    free, order = FreeVariables(), {var: k for k, var in enumerate(places)}
    tests: list[list[n.Expr]] = [[] for _ in places]
    sources: list[n.Expr | None] = [None] * len(places)
    for part in conjuncts(holds):
        k = max((order[var] for var in free(part) if var in order), default=0)
        if sources[k] is None and isinstance(part, n.Member) and _gives(part, places[k], free):
            sources[k] = part.of
        else:
            tests[k].append(part)
    found: list[tuple[Value, ...]] = []

    def choose(k: int, env: Env) -> None:
        if k == len(places):
            ctx.spend(VALUE * len(places))
            found.append(tuple(env[var] for var in places))
            return
        var, source = places[k], sources[k]
        listed = cast(Scalar, var.type).values
        ctx.spend_on(len(listed), *tests[k])
        values: Iterator[Value] = iter(listed)
        if source is not None:
            members = evaluate(source, env, ctx)
            values = filter(members.__contains__, values)
        for chosen in values:
            env[var] = chosen
            if all(evaluate(test, env, ctx) for test in tests[k]):
                choose(k + 1, env)

    choose(0, {})
    return found


def _gives(part: n.Member, var: n.Var, free: FreeVariables) -> bool:
    """True if membership in a set gives the values of a variable, once earlier ones have values."""
    item, of = part.item, part.of
    return (
        isinstance(item, n.Local) and item.var is var and not isinstance(of, n.Domain) and var not in free(of)
    )
