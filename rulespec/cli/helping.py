"""A helper process of a cluster's worker, which performs parts of tasks: `python -m rulespec.cli.helping`."""

from __future__ import annotations

from typing import Any

from ..executors import Task
from ..executors.helpers import serve


def kind_of_task(kind: str) -> type[Task[Any, Any]]:
    """The class of tasks of a kind. Raises KeyError if there is none."""
    if kind == "games":
        from ..simulation.task import GamesTask

        return GamesTask
    if kind == "questions":
        from rulespec.solver.claims.spreading import QuestionTask

        return QuestionTask
    if kind == "all deals":
        from rulespec.solver.claims.deal_batches import DealBatchTask

        return DealBatchTask
    raise KeyError(kind)


if __name__ == "__main__":
    serve(kind_of_task)
