"""Workers answer requests one by one, and are killed if a request overruns."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from processes import ends

from rulespec.budgets import (
    Budget,
    ChildDied,
    ForkedCall,
    OutOfBudget,
    Worker,
    ask_for,
    can_fork,
    children,
    map_unordered,
    pool,
)
from rulespec.budgets.memory import STATM, memory_in_use

pytestmark = pytest.mark.skipif(not can_fork(), reason="this system does not fork")
FOREVER = 10**12


def served(request: str, tell: Callable[[str], None]) -> object:
    tell(f"asked {request}")
    if request == "one long call":
        return sum(range(FOREVER))
    if request == "much memory":
        return [bytes(2**20) for _ in range(10**6)]
    if request == "more than there can be":
        return bytes(2**50)
    if request == "its end":
        os.kill(os.getpid(), signal.SIGKILL)
    if request == "an error":
        raise LookupError("nothing there")
    if request == "no time left":
        raise OutOfBudget("the limit of 2 s")
    return request, os.getpid()


def test_one_process_answers_many_requests_and_sends_messages() -> None:
    heard: list[str] = []
    with Worker(served) as worker:
        first, second = worker.ask("a", Budget(20), heard.append), worker.ask("b", Budget(20), heard.append)
        with pytest.raises(LookupError, match="nothing there"):
            worker.ask("an error", Budget(20))
        third = worker.ask("c", Budget(20))
    assert heard == ["asked a", "asked b"]
    assert len({first[1], second[1], third[1]}) == 1  # type: ignore[index]


@pytest.mark.parametrize(
    ("request_", "error", "words"),
    [
        ("one long call", OutOfBudget, "the limit of 0.2 s"),
        ("its end", ChildDied, "SIGKILL"),
        pytest.param(
            "much memory", OutOfBudget, "the limit of 300 MB",
            marks=pytest.mark.skipif(not STATM.exists(), reason="the system does not tell"),
        ),
        pytest.param(
            "more than there can be", OutOfBudget, "the limit of 300 MB",
            marks=pytest.mark.skipif(not STATM.exists(), reason="the system does not tell"),
        ),
    ],
)  # fmt: skip
def test_after_an_overrun_a_new_process_answers(
    request_: str, error: type[Exception], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "GRACE", 0.1)
    monkeypatch.setattr(children, "memory_of", _memory_since_now())
    seconds = 0.2 if "long" in request_ else 60.0
    with Worker(served) as worker:
        heard: list[str] = []
        with pytest.raises(error, match=words):
            worker.ask(request_, Budget(seconds, memory=300), heard.append)
        assert heard == [f"asked {request_}"]
        assert worker.ask("a", Budget(20, memory=300))


def _memory_since_now() -> Callable[..., float]:
    """Measure memory beyond that of this process before the test, which other tests have enlarged."""
    there, measured = children.memory_of([os.getpid()], 0), children.memory_of
    return lambda processes, limit: measured(processes, 0) - there


def test_a_worker_ends_with_its_descendants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "GRACE", 0.1)
    told = tmp_path / "pids"

    def work(request: None, tell: object) -> None:
        def inner() -> None:
            (tmp_path / "part").write_text(f"{os.getppid()} {os.getpid()}", "ascii")
            (tmp_path / "part").replace(told)
            time.sleep(600)

        with ForkedCall(inner):
            time.sleep(600)

    with Worker[None, None](work) as worker, pytest.raises(OutOfBudget):
        worker.ask(None, Budget(2.0))
    for pid in told.read_text("ascii").split():
        assert ends(int(pid))


def test_a_worker_ends_with_the_process_that_asked(tmp_path: Path) -> None:
    told = tmp_path / "pid"

    def ask() -> None:
        def work(request: None, tell: object) -> None:
            (tmp_path / "part").write_text(str(os.getpid()), "ascii")
            (tmp_path / "part").replace(told)
            time.sleep(600)

        Worker[None, None](work).ask(None, Budget(600))

    asking = os.fork()
    if not asking:
        ask()
    while not told.exists():
        time.sleep(0.01)
    os.kill(asking, signal.SIGKILL)
    os.waitpid(asking, 0)
    assert ends(int(told.read_text("ascii")))


def test_parallel_requests_have_a_result_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "GRACE", 0.1)
    asked = ["a", "one long call", "b", "its end", "no time left", "c"]

    def budget() -> Budget:
        return Budget(3.0)

    found = dict(map_unordered(served, asked, 3, budget))
    assert set(found) == set(asked)
    assert isinstance(found["one long call"], OutOfBudget)
    assert isinstance(found["its end"], ChildDied)
    assert isinstance(found["no time left"], OutOfBudget)
    assert [found[one][0] for one in "abc"] == [*"abc"]  # type: ignore[index]


CHAINS = {"a": "b", "its end": "c", "c": "d", "e": "f"}


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_a_request_that_follows_another_is_served_by_its_process(jobs: int) -> None:
    """A process that dies takes no request with it but the one that it was at."""
    heard: list[str] = []
    found = dict(
        map_unordered(served, ["a", "its end", "e"], jobs, lambda: Budget(20), heard.append, CHAINS.get)
    )
    assert isinstance(found.pop("its end"), ChildDied)
    process: dict[str, int] = dict(found.values())  # type: ignore[arg-type]
    assert set(process) == {*"abcdef"}
    for first, second in ("ab", "cd", "ef"):
        assert process[first] == process[second]
    if jobs == 1:
        assert [words.removeprefix("asked ") for words in heard] == ["a", "b", "its end", "c", "d", "e", "f"]


def test_without_fork_a_request_that_follows_another_comes_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (children, pool):
        monkeypatch.setattr(module, "can_fork", lambda: False)
    answers = map_unordered(served, ["a", "e"], 2, lambda: Budget(20), following=CHAINS.get)
    assert [request for request, _ in answers] == ["a", "b", "e", "f"]


def test_a_worker_hears_of_the_limit_before_it_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exploring one deal up to the limit of memory took all with it that was decided of others."""
    monkeypatch.setattr(children, "HELD", 0.5)

    def filling(request: None, tell: object) -> int:
        held = []
        while True:
            try:
                ask_for(10 << 20)
            except OutOfBudget:
                return len(held)
            held.append(bytearray(b"x") * (10 << 20))

    with Worker(filling) as worker:
        limit = 2 * int(memory_in_use()) + 400
        assert 0 < worker.ask(None, Budget(60.0, memory=limit)) < 40


def test_a_request_that_had_no_room_beside_others_is_answered_after_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A batch of deals had overrun the memory because others ran, and all that was decided was lost."""
    monkeypatch.setattr(pool, "memory_of", _memory_since_now())

    def held(megabytes: int, tell: object) -> int:
        there = bytes(1) * (megabytes << 20)
        time.sleep(1.0)
        return len(there) >> 20

    found = dict(map_unordered(held, [200, 201, 202, 900], 4, lambda: Budget(60.0, memory=500)))
    assert {asked: found[asked] for asked in (200, 201, 202)} == {200: 200, 201: 201, 202: 202}
    assert isinstance(found[900], OutOfBudget)


def test_requests_run_in_parallel_again_after_one_that_had_no_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One request that was too large beside another left a single process for the hundreds after it."""
    monkeypatch.setattr(pool, "memory_of", _memory_since_now())
    both = multiprocessing.get_context("fork").Barrier(2, timeout=60.0)

    def held(asked: str, tell: object) -> bool:
        there = bytes(1) * (300 << 20) if asked.startswith("large") else b""
        if there:
            time.sleep(1.0)
        else:
            both.wait()
        return True

    asked = ["large", "large, too", "meets", "another"]
    assert dict(map_unordered(held, asked, 2, lambda: Budget(120.0, memory=500))) == dict.fromkeys(
        asked, True
    )


def test_requests_run_beside_one_that_had_no_room_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that took most of the memory for half an hour left the other cores without work as long."""
    monkeypatch.setattr(pool, "memory_of", _memory_since_now())
    forking = multiprocessing.get_context("fork")
    beside, served_alone = forking.Barrier(2, timeout=60.0), forking.Event()

    def held(asked: str, tell: object) -> bool:
        there = bytes(1) * (300 << 20) if asked.startswith("large") else b""
        if there and not served_alone.is_set():
            time.sleep(1.0)
            served_alone.set()
        else:
            beside.wait()
        return True

    asked = ["large", "large, too", "small"]
    found = dict(map_unordered(held, asked, 2, lambda: Budget(120.0, memory=500)))
    assert found == dict.fromkeys(asked, True)


def test_a_worker_that_holds_much_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "memory_of", _memory_since_now())
    held = []

    def hold(megabytes: int, tell: object) -> int:
        held.append(bytes(1) * (megabytes << 20))
        return os.getpid()

    asked = {1: 2, 2: 300, 300: 3}
    found = dict(map_unordered(hold, [1], 1, lambda: Budget(60.0, memory=500), following=asked.get))
    assert found[1] == found[2] == found[300] != found[3]


def test_without_fork_requests_are_answered_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "can_fork", lambda: False)
    with Worker(served) as worker:
        assert worker.ask("a", Budget(20)) == ("a", os.getpid())


def test_an_interrupt_waits_for_the_rest_of_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    receive = Connection.recv

    def interrupted(pipe: Connection) -> object:
        os.kill(os.getpid(), signal.SIGINT)
        return receive(pipe)

    with Worker(served) as worker, pytest.raises(KeyboardInterrupt):
        worker.begin("a", Budget(20))
        monkeypatch.setattr(Connection, "recv", interrupted)
        while worker.outcome(heard.append) is None:
            continue
    assert heard == ["asked a"]
