"""The symbolic meaning of each operator: one handler for each class of expressions, in one table.

A handler gets the evaluator, the node, the local environment (symbolic values), and the moment. Files:
`plain` (values, logic, order, numbers, records), `collections` (maps and sets), `lists`, `finite` (over the
elements of a set or list; sums that are only compared), `repetition` (walks, closures, definitions, `can`),
`after` (conditions after an action).
"""

from __future__ import annotations

from rulespec.core import nodes as n

from ..context import Handler
from . import after, collections, finite, lists, plain, repetition

HANDLERS: dict[type[n.Expr], Handler] = {
    **plain.HANDLERS,
    **collections.HANDLERS,
    **lists.HANDLERS,
    **finite.HANDLERS,
    **repetition.HANDLERS,
    **after.HANDLERS,
}
