"""Values in the code of a game, held by expressions, and the meanings of local names while it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..core import nodes as n
from ..core.types import Scalar, Type, Value, scalar_of
from ..machine import form as f
from ..machine.builder import number

NONE = number(f.NONE, "NONE")
"""The number that represents no value."""


@dataclass(frozen=True)
class Val:
    """A value in the code of a game; see `body`. `none` says that a scalar may be none."""

    type: Type
    parts: tuple[f.Expr, ...]
    none: bool = False

    @property
    def expr(self) -> f.Expr:
        """The expression of a scalar."""
        (only,) = self.parts
        return only


@dataclass(frozen=True)
class Known:
    """A local name whose value is known when the code is written."""

    value: Value


@dataclass(frozen=True)
class Macro:
    """A local name that stands for an expression in an environment of its own."""

    body: n.Expr
    env: Env


@dataclass(frozen=True)
class EachValue:
    """A local name that takes all values of its type at once, one for each bit."""


Binding = Val | Known | Macro | EachValue
Env = Mapping[n.Var, Binding]
Conds = list[tuple[n.Var, n.Expr]]
"""Conditions on an element, each with the name it has there."""


def scalar_type(t: Type) -> Scalar:
    """The scalar type under an optional, or the type itself."""
    found = scalar_of(t)
    assert found is not None
    return found
