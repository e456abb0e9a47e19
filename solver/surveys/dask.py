"""Deals answered by the workers of a Dask cluster (`rulespec[dask]`).

The scheduler gives the deals of a worker that goes away to others. Workers read the ruleset by its name or
path, so a file must lie at the same path for them; that it has the same rules is checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from typing import Any

from .questions import MOST_DEATHS, Deal, DealAnswer, Question, answer, lost

SCHEME = "dask://"
AHEAD = 2
"""Deals handed out for each thread of the cluster, so that none of them waits for this machine."""
PATIENCE = 30.0
"""Seconds to wait for the scheduler, and for the first worker."""


class NoCluster(ConnectionError):
    """There is no scheduler at an address, or it has no workers."""


class DaskExecutor:
    """Answers on the cluster of a scheduler at `dask://HOST:PORT`."""

    def __init__(self, address: str) -> None:
        self.address = "tcp://" + address.removeprefix(SCHEME)

    def answers(self, question: Question, deals: Iterable[Deal]) -> Iterator[DealAnswer]:
        """The answers in the order in which they are found. Raises NoCluster."""
        from distributed import Client, as_completed

        try:
            client = Client(self.address, timeout=PATIENCE, set_as_default=False)
        except (OSError, TimeoutError):
            raise NoCluster(f"no Dask scheduler answers at {self.address}") from None
        with client:
            try:
                client.wait_for_workers(1, timeout=PATIENCE)
            except TimeoutError:
                raise NoCluster(f"the Dask scheduler at {self.address} has no workers") from None
            waiting, done = iter(deals), as_completed(loop=client.loop)
            given, deaths = dict[str, Deal](), Counter[Deal]()

            def give(deal: Deal) -> None:
                future = client.submit(answer, question, deal, pure=False)
                given[future.key] = deal
                done.add(future)

            while True:
                room = AHEAD * max(1, sum(client.nthreads().values()))
                while len(given) < room and (fresh := next(waiting, None)) is not None:
                    give(fresh)
                if not given:
                    return
                future = next(done)
                deal = given.pop(future.key)
                result = _result(future)
                if result is None:
                    deaths[deal] += 1
                    if deaths[deal] < MOST_DEATHS:
                        give(deal)
                        continue
                    result = lost(question, deal)
                yield result


def _result(future: Any) -> DealAnswer | None:
    """The answer to a deal; None if it was lost with its worker. Raises the error of the answer.

    The scheduler itself gives a deal whose worker ends to others several times. A result that a worker had,
    and that was not fetched yet, may be cancelled when the worker ends.
    """
    from distributed import KilledWorker

    try:
        result: DealAnswer = future.result()
        return result
    except (KilledWorker, CancelledError):
        return None
