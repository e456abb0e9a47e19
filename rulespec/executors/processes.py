"""Parts done by forked processes of this machine, which share the loaded rules and the code."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator

from ..budgets import ChildDied, Listener, OutOfBudget, map_unordered
from .tasks import MOST_LOSSES, P, R, Task


class Processes:
    """Performs `jobs` parts in parallel, each in a process that is ended if it overruns."""

    part_seconds = 0.25

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def at_once(self) -> int:
        """See `Executor`."""
        return self.jobs

    def results(
        self, task: Task[P, R], parts: Iterable[P]
    ) -> Iterator[tuple[P, R | OutOfBudget | ChildDied]]:
        """See `Executor`; a process that dies is replaced, and its part started again."""
        task.prepare()
        fresh, again, losses = enumerate(parts), deque[tuple[int, P]](), Counter[int]()

        def waiting() -> Iterator[tuple[int, P]]:
            while True:
                if again:
                    yield again.popleft()
                elif (one := next(fresh, None)) is not None:
                    yield one
                else:
                    return

        def perform(numbered: tuple[int, P], send: Listener) -> R:
            return task.perform(numbered[1])

        while True:
            for numbered, result in map_unordered(perform, waiting(), self.jobs, task.budget):
                number, part = numbered
                if not isinstance(result, ChildDied):
                    yield part, result
                elif losses[number] + 1 < MOST_LOSSES:
                    losses[number] += 1
                    again.append(numbered)
                else:
                    yield part, ChildDied(f"{result} ({MOST_LOSSES} times)")
            if not again:
                return
