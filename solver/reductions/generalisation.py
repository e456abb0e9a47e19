"""Abstraction of numbers to what claims say of them.

The bounds of a number may follow from some claims alone, while computing it takes too many cases, such as a
sum over everything ever earned. So a variable with an arbitrary value replaces the number, in a goal and in
claims alike. More is possible then than in any position, so anything impossible is impossible in the game,
too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulespec.core import nodes as n
from rulespec.core.digest import of_expression
from rulespec.core.game import Game
from rulespec.core.traversal import Node, conjuncts, nodes_within, reads_state, rebuild
from rulespec.core.types import Int


@dataclass(frozen=True)
class LeftOpen:
    """A game with an additional variable for each number left open, by the digests of these."""

    game: Game
    numbers: dict[str, n.StateVar]

    def __call__(self, e: n.Expr) -> n.Expr:
        """A condition with the numbers replaced by the variables; unchanged if it has an `After`."""

        def change(node: Node) -> Node:
            found = self._variable(node)
            return node if found is None else n.Get(found.type, found)

        if any(isinstance(node, n.After) for node in nodes_within(e)):
            return e  # the numbers there are those after an action
        return rebuild(e, change)

    def _variable(self, node: Node) -> n.StateVar | None:
        if not isinstance(node, n.Expression) or not any(node.type == v.type for v in self.numbers.values()):
            return None
        return self.numbers.get(of_expression(node))


def left_open(game: Game, goal: n.Expr, claims: Sequence[n.Expr]) -> LeftOpen | None:
    """The game in which the numbers are left open that a goal compares with a constant and a claim mentions.

    None if there is no such number.
    """
    numbers: dict[str, n.StateVar] = {}
    for number in _compared(goal):
        digest, t = of_expression(number), number.type
        assert isinstance(t, Int)
        if any(e.type == t and of_expression(e) == digest for claim in claims for e in _expressions(claim)):
            numbers[digest] = n.StateVar(f"number {len(numbers) + 1}", t, n.Const(t, t.lo))
    if not numbers:
        return None
    return LeftOpen(replace(game, state={**game.state, **{v.name: v for v in numbers.values()}}), numbers)


def _compared(goal: n.Expr) -> Iterator[n.Expr]:
    """The numbers that a goal compares with a constant and that are costly to compute."""
    for part in conjuncts(goal):
        if isinstance(part, n.AtMost | n.Less):
            for number, other in ((part.a, part.b), (part.b, part.a)):
                plain = isinstance(number, n.Get) or not reads_state(number)
                if isinstance(other, n.Const) and isinstance(number.type, Int) and not plain:
                    yield number


def _expressions(e: n.Expr) -> Iterator[n.Expr]:
    return (node for node in nodes_within(e) if isinstance(node, n.Expression))
