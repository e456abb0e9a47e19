"""Parts done by the workers of a Dask cluster (`rulespec[dask]`).

Requests and answers are texts in JSON. Workers read a ruleset by its name or path, and refuse one with other
rules; a result counts only after this machine has judged it.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from ..budgets import ChildDied, OutOfBudget, Stopwatch, cores
from .helpers import Helpers, perform, read_result, write_request
from .tasks import MOST_LOSSES, NoCluster, OtherProgram, OtherRules, P, PartFailed, R, RejectedResult, Task

if TYPE_CHECKING:
    from distributed import Client, Security

SCHEMES = {"dask://": "tcp://", "dask+tls://": "tls://"}
"""The scheme of Dask for each scheme of ours."""
FORMS = "dask://HOST:PORT or dask+tls://HOST:PORT"
_ADDRESS = re.compile(r"(dask://|dask\+tls://)((?:\[[0-9a-fA-F:]+\]|[\w.-]+):[0-9]{1,5})", re.ASCII)
AHEAD = 2
"""Number of parts assigned to each thread of the cluster, so that none of them waits for this machine."""
LOOK = 5.0
"""Seconds between two counts of the cluster's threads."""
PATIENCE = 30.0
"""Seconds to wait for the scheduler, and for a worker."""
OTHERS = {"OtherRules": OtherRules, "OtherProgram": OtherProgram}


def dask_address(text: str) -> str | None:
    """The address for Dask of a text of one of the `FORMS`; None for any other text."""
    found = _ADDRESS.fullmatch(text)
    return None if found is None else SCHEMES[found[1]] + found[2]


class Cluster:
    """Performs parts on the cluster of a scheduler at an address for Dask.

    For an address with `tls://` the certificates are those of Dask's own configuration.
    """

    part_seconds = 2.0

    def __init__(self, address: str) -> None:
        self.address = address

    def at_once(self) -> int:
        """See `Executor`. Raises NoCluster."""
        with self._client() as client:
            return _threads(client, self.address)

    def results(
        self, task: Task[P, R], parts: Iterable[P]
    ) -> Iterator[tuple[P, R | OutOfBudget | ChildDied]]:
        """See `Executor`. Raises also NoCluster, OtherRules, OtherProgram, PartFailed."""
        with self._client() as client:
            work = _Work(client, self.address, task, parts)
            try:
                yield from work.results()
            finally:
                work.end()

    @contextmanager
    def _client(self) -> Iterator[Client]:
        from distributed import Client, Security

        security = Security()
        if self.address.startswith(SCHEMES["dask+tls://"]):
            _check_certificates(security)
        try:
            client = Client(self.address, timeout=PATIENCE, set_as_default=False, security=security)
        except (OSError, TimeoutError):
            raise NoCluster(f"no Dask scheduler answers at {self.address}") from None
        with client:
            with suppress(TimeoutError):  # whoever asks for its threads finds none
                client.wait_for_workers(1, timeout=PATIENCE)
            yield client


def _check_certificates(security: Security) -> None:
    """Raise NoCluster if Dask's configuration has no certificates, or they cannot be read."""
    try:
        found = security.get_connection_args("client")["ssl_context"]
    except OSError as error:
        raise NoCluster(f"the certificates of Dask's configuration cannot be used: {error}") from None
    if found is None:
        raise NoCluster("Dask's configuration names no certificates (`distributed.comm.tls`)")


def _away(address: str) -> NoCluster:
    return NoCluster(f"the Dask scheduler at {address} went away")


def _threads(client: Client, address: str) -> int:
    """The number of threads of all workers. Raises NoCluster if there is none."""
    try:
        threads = sum(map(int, client.nthreads().values()))
    except (OSError, TimeoutError, RuntimeError):
        raise _away(address) from None
    if not threads:
        raise NoCluster(f"the Dask scheduler at {address} has no workers")
    return threads


@dataclass
class _Work:
    """The parts of one task in progress."""

    client: Client
    address: str
    task: Task[Any, Any]
    parts: Iterable[Any]
    helpers: Helpers = field(default_factory=Helpers)
    """They judge results."""

    def __post_init__(self) -> None:
        self._fresh = enumerate(self.parts)
        self._again = deque[tuple[int, Any]]()
        self._losses = Counter[int]()
        self._given: dict[int, Any] = {}
        self._events: SimpleQueue[tuple[int, object, bool]] = SimpleQueue()
        """Answers received: the number of the part, the text, and whether it was judged."""
        self._judging = ThreadPoolExecutor(cores())
        self._count()

    def _count(self) -> None:
        """Count the threads of the cluster, which may change at any time."""
        self._threads, self._counted = _threads(self.client, self.address), Stopwatch()

    def results(self) -> Iterator[tuple[Any, Any]]:
        """See `Executor`."""
        while True:
            self._give()
            if not self._given:
                return
            answer = self._answer()
            if answer is not None:
                number, part = answer[0], self._given.pop(answer[0])
                outcome = self._outcome(number, part, answer[1])
                if outcome is not None:
                    yield part, outcome

    def end(self) -> None:
        """Abandon unfinished parts."""
        self._judging.shutdown(wait=False, cancel_futures=True)
        self.helpers.end()

    def _give(self) -> None:
        """Assign parts while there is room."""
        if self._counted.seconds > LOOK:
            self._count()
        room = AHEAD * (self._threads + cores()) - len(self._given)
        while room > 0:
            numbered = self._again.popleft() if self._again else next(self._fresh, None)
            if numbered is None:
                return
            number, part = numbered
            self._given[number] = part
            self._send(number, write_request(self.task, part))
            room -= 1

    def _send(self, number: int, request: str) -> None:
        """Send a request to a worker; its answer arrives as an event."""
        future = self.client.submit(perform, request, pure=False)
        fetching = self.client.gather([future], asynchronous=True)  # waits for the worker, too
        fetched = asyncio.run_coroutine_threadsafe(fetching, self.client.loop.asyncio_loop)
        fetched.add_done_callback(lambda fetched: self._events.put((number, _fetch(fetched), False)))

    def _answer(self) -> tuple[int, dict[str, Any]] | None:
        """The next answer; None if there is none yet, or it must be judged first."""
        try:
            number, text, judged = self._events.get(timeout=PATIENCE)
        except Empty:
            self._count()
            return None
        if text is None and self.client.status != "running":
            raise _away(self.address)
        answer = _parse_answer(text)
        if judged or "result" not in answer or not self.task.judged_apart:
            return number, {**answer, "judged": judged}
        self._judge(number, answer["result"])
        return None

    def _judge(self, number: int, result: Any) -> None:
        judged = self._judging.submit(self.helpers.ask, write_request(self.task, self._given[number], result))
        judged.add_done_callback(lambda judged: self._events.put((number, _fetch(judged), True)))

    def _outcome(self, number: int, part: Any, answer: dict[str, Any]) -> Any:
        """The result in an answer, or its replacement; None if the part is started again.

        Raises PartFailed.
        """
        if "over" in answer:
            return OutOfBudget(str(answer["over"]))
        if "other" in answer:
            raise OTHERS.get(str(answer["other"]), OtherRules)(str(answer.get("text")))
        if "error" in answer:
            raise PartFailed(f"{answer['error']}: {answer.get('text')}")
        why = str(answer.get("died", "")) or str(answer.get("rejected", ""))
        if "result" in answer:
            try:
                result = read_result(self.task, answer["result"])
                return (
                    result if answer["judged"] and self.task.judged_apart else self.task.judge(part, result)
                )
            except RejectedResult as rejected:
                why = str(rejected)
        self._losses[number] += 1
        if self._losses[number] >= MOST_LOSSES:
            return ChildDied(f"{why} ({MOST_LOSSES} times)")
        self._again.append((number, part))
        return None


def _fetch(done: Future[Any]) -> object:
    """Fetch the answer of a helper or a worker; None if that was lost.

    The scheduler itself reassigns a part several times if its workers end, before it reports the loss.
    """
    if done.cancelled() or done.exception() is not None:
        return None
    answer = done.result()
    return answer[0] if isinstance(answer, list) else answer


def _parse_answer(text: object) -> dict[str, Any]:
    """The answer in a text; one of another form counts as lost."""
    if text is None:
        return {"died": "its worker ended"}
    try:
        answer = json.loads(text) if isinstance(text, bytes | str) else None
    except (ValueError, RecursionError):
        answer = None
    return answer if isinstance(answer, dict) else {"rejected": "an answer of another form"}
