"""Budgets of time and memory, and child processes in which they are enforced.

A `Budget` limits the seconds and megabytes of some work; a part of a budget ends with the whole at the
latest. Loops test it (`exceeded_limit`, `check`), and `ask_for` refuses a large allocation beforehand. If no
loop can guarantee the limit, a `Worker` does: a forked process that is killed when it overruns. This package
uses the standard library only and imports nothing about games.
"""

from .budget import UNBOUNDED, Allowance, Budget, Stopwatch
from .children import ChildDied, ForkedCall, Listener, Worker, can_fork, ignore
from .memory import OutOfBudget, ask_for, held_to, hold_to, memory_in_use
from .pool import map_unordered
from .processes import cores

__all__ = [
    "UNBOUNDED", "Allowance", "Budget", "ChildDied", "ForkedCall", "Listener", "OutOfBudget", "Stopwatch",
    "Worker", "ask_for", "can_fork", "cores", "held_to", "hold_to", "ignore", "map_unordered",
    "memory_in_use",
]  # fmt: skip
