"""Goals of searches."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.core import nodes as n
from rulespec.core.types import BOOL, Int, integers


@dataclass(frozen=True)
class Goal:
    """A condition on a state, optionally with a number that must be at most (or, with `most`, at least) a
    bound."""

    condition: n.Expr
    number: n.Expr | None = None
    most: bool = False

    def within(self, bound: int) -> n.Expr:
        """The condition that a state is at the goal."""
        if self.number is None or self.any_within(bound):
            return self.condition
        limit = n.Const(integers(bound, bound), bound)
        side = (limit, self.number) if self.most else (self.number, limit)
        return n.And(BOOL, (self.condition, n.AtMost(BOOL, *side)))

    def any_within(self, bound: int) -> bool:
        """True if every value that the number can have is within a bound."""
        t = self.number.type if self.number is not None else None
        return isinstance(t, Int) and (bound <= t.lo if self.most else bound >= t.hi)
