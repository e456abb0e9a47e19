"""Definitions that read no state: every argument is tried to check that the declared type fits."""

from __future__ import annotations

import itertools
from typing import cast

from ...core import nodes as n
from ...core.evaluate import call
from ...core.notation import write
from ...core.types import Optional, Scalar, Value, fits, scalar_of
from ..syntax.parser import Syntax
from .folding import constant
from .world import Frame, phrase, product_size, same_family

MOST_TRIED = 20_000
"""Maximum number of combinations of arguments that are tried."""


def check_all_arguments(frame: Frame, function: n.Function, body: n.Expr, tree: Syntax) -> n.Expr | None:
    """The body of a definition as its declared scalar type, if it has a value of it for every argument.

    An argument for which it has none is a fault. None if the types alone decide, or trying is impossible: the
    definition reads the state, or its arguments are too many or no single values.
    """
    result, params = function.result, [p.type for p in function.params]
    scalars = [t for t in params if isinstance(t, Scalar)]
    if not isinstance(result, Scalar) or not function.static or fits(body.type, result):
        return None
    if len(scalars) < len(params) or not same_family(body.type, result) or product_size(scalars) > MOST_TRIED:
        return None
    function.body = n.Narrow(Optional(result), body, result)
    for args in itertools.product(*(t.values for t in scalars)):
        if call(function, args, frame.world.context) is None:
            _misfit(frame, function, body, args, tree)
    # The second value is never reached; it settles the type.
    return n.Otherwise(result, function.body, constant(result.values[0], result))


def _misfit(frame: Frame, function: n.Function, body: n.Expr, args: tuple[Value, ...], tree: Syntax) -> None:
    """Report arguments for which a definition gives a value outside its type."""
    pairs = list(zip(function.params, args, strict=True))
    where = ", ".join(f"{p.name} = {write(p.type, v)}" for p, v in pairs)
    value = frame.value(body, dict(pairs))
    what = "none" if value is None else write(cast(Scalar, scalar_of(body.type)), value)
    asked = f"for {where} this is {what}" if where else f"this is {what}"
    words = f"`{function.name}` gives {phrase(function.result)}, and {asked}"
    help = "say what happens then with `otherwise`, or declare the type wide enough or with `?`"
    frame.fail("define.value", words, tree, help=help)
