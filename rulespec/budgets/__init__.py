"""Budgets of time and memory: one clock that every loop asks, and child processes that are held to theirs.

`Budget` is a limit of seconds and megabytes for some work; a part of one never outlives the whole. Loops ask
it as they go (`exhausted`, `check`), and ask for memory before they make room (`ask_for`). What no loop
can promise, a `Worker` does: a forked copy that is ended when it overruns. The standard library only; knows
no game.
"""

from .budget import UNBOUNDED, Allowance, Budget, Stopwatch
from .children import Aside, Died, Hear, Worker, can_fork, unheard
from .crew import at_once
from .memory import OutOfBudget, ask_for, held_to, hold_to, memory_in_use
from .processes import cores

__all__ = [
    "UNBOUNDED", "Allowance", "Aside", "Budget", "Died", "Hear", "OutOfBudget", "Stopwatch", "Worker",
    "ask_for", "at_once", "can_fork", "cores", "held_to", "hold_to", "memory_in_use", "unheard",
]  # fmt: skip
