"""What every operator is made of: names, variables of the state, definitions, the two kinds of nodes."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..types import Type, Value


@dataclass(frozen=True, eq=False, slots=True)
class Var:
    """A local name: a parameter, a binder, a let. Identity matters, not the name."""

    name: str
    type: Type


@dataclass(frozen=True, eq=False, slots=True)
class StateVar:
    """A variable of the state. `initial` has no free locals; hidden ones are seen only through sights."""

    name: str
    type: Type
    initial: Expr
    hidden: bool = False


@dataclass(eq=False, slots=True)
class Function:
    """A definition. `falling` is the position of the parameter that bounds its recursion.

    `static` says that it reads no state, so that it is a table of its arguments. `result` is the
    type a strict call gives when no argument is missing. The body is set once, after its calls
    to itself exist.
    """

    name: str
    params: tuple[Var, ...]
    result: Type
    falling: int | None = None
    static: bool = False
    clause: str = ""
    body: Expr = field(init=False)
    table: dict[tuple[Value, ...], Value] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, slots=True)
class Expr:
    """Base of all expressions."""

    type: Type


@dataclass(frozen=True, eq=False, slots=True)
class Effect:
    """Base of all effects."""
