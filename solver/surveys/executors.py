"""Executors of surveys: the interface, and processes of this machine."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from rulespec.budgets import Budget, Died, OutOfBudget, map_unordered

from .questions import MOST_DEATHS, Deal, DealAnswer, Question, answer, game_of, lost, unanswered


class Executor(Protocol):
    """Answers the deals of a survey, for example in a process pool."""

    def answers(self, question: Question, deals: Iterable[Deal]) -> Iterator[DealAnswer]:
        """The answers in the order in which they are found.

        Deals are taken as there is room for them. Whoever stops listening stops the work.
        """
        ...


class ProcessExecutor:
    """Answers on this machine, `jobs` deals at a time, each in a process of its own kind."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def answers(self, question: Question, deals: Iterable[Deal]) -> Iterator[DealAnswer]:
        """The answers in the order in which they are found; a process that dies is replaced."""
        game_of(question)  # read once, before processes are made
        fresh, again, deaths = iter(deals), deque[Deal](), Counter[Deal]()

        def waiting() -> Iterator[Deal]:
            while True:
                if again:
                    yield again.popleft()
                elif (deal := next(fresh, None)) is not None:
                    yield deal
                else:
                    return

        def ask(deal: Deal, send: Callable[[str], None]) -> DealAnswer:
            return answer(question, deal)

        def budget() -> Budget:
            return Budget(question.timeout, question.memory)

        while True:
            for deal, item in map_unordered(ask, waiting(), self.jobs, budget):
                if isinstance(item, OutOfBudget):
                    yield unanswered(question, deal, f"Nothing was decided within {item}.")
                elif not isinstance(item, Died):
                    yield item
                elif deaths[deal] + 1 < MOST_DEATHS:
                    deaths[deal] += 1
                    again.append(deal)
                else:
                    yield lost(question, deal)
            if not again:
                return
