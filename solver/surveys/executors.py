"""Where the deals of a survey are answered: in processes of this machine, or where an executor has them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Protocol

from rulespec.simulation.processes import Died, at_once, can_fork

from .asking import Answered, Deal, Question, answer, game_of, lost

MOST_DEATHS = 3
"""A deal whose process ended so often before it was done is given up as undecided."""


class Executor(Protocol):
    """Somebody who answers deals."""

    def answers(self, question: Question, deals: Iterable[Deal]) -> Iterator[Answered]:
        """The answers in the order in which they are found.

        Deals are taken as there is room for them. Whoever stops listening stops the work.
        """
        ...


class Here:
    """Answers on this machine, `jobs` deals at a time, each in a process of its own kind."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def answers(self, question: Question, deals: Iterable[Deal]) -> Iterator[Answered]:
        """The answers in the order in which they are found; a process that dies is replaced."""
        ask = partial(answer, question)
        if not can_fork():
            yield from map(ask, deals)
            return
        # One job has a process of its own, too: an interrupt is to end the survey, not one answer early.
        game_of(question)  # read once, before processes are made
        fresh, again, deaths = iter(deals), deque[Deal](), Counter[Deal]()

        def waiting() -> Iterator[Deal]:
            while again:
                yield again.popleft()
            yield from fresh

        while True:
            try:
                for _, found in at_once(ask, waiting(), self.jobs):
                    yield found
                return
            except Died as died:
                for deal in died.tasks:
                    deaths[deal] += 1
                    if deaths[deal] < MOST_DEATHS:
                        again.append(deal)
                    else:
                        yield lost(question, deal, MOST_DEATHS)
