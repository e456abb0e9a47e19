"""A helper: a separate process beside a worker of a cluster that performs parts sent to it as lines of JSON.

A worker of a cluster has threads and an event loop, and may be forbidden to have children of its own kind, so
it cannot fork safely, and nothing there can be killed when it overruns. A helper is started afresh, caches
the rules that it has read, and performs each part in a forked process within its budget, as on this machine.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import IO, Any

from ..budgets import ChildDied, Listener, OutOfBudget, Worker, watchdog
from ..core.data_forms import WrongForm
from .plain import WIRE
from .tasks import OtherProgram, OtherRules, R, RejectedResult, Task, program

Find = Callable[[str], type[Task[Any, Any]]]
"""Gives the class of tasks of a kind. KeyError if there is none."""
COMMAND = (sys.executable, "-P", "-m", "rulespec.cli.helping")
CLOSED = 1
"""The exit status of a helper whose worker ended."""


class HelperEnded(Exception):
    """Raised if a helper ended before it answered."""


class Helper:
    """A helper, as controlled by the process that it helps."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def end(self) -> None:
        """Kill the helper; a waiting `ask` raises HelperEnded."""
        self._process.kill()

    def ask(self, request: str) -> str:
        """The answer to a request, each a line of JSON. Raises HelperEnded if there is none."""
        out, answers = self._process.stdin, self._process.stdout
        assert out is not None and answers is not None
        try:
            out.write(request.encode() + b"\n")
            out.flush()
            line = answers.readline()
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            self.end()
            raise HelperEnded(f"its process ended with status {self._process.wait()}")
        return line.decode()


class Helpers:
    """Helpers of one process, one for each simultaneous request of its threads."""

    def __init__(self) -> None:
        self._idle: list[Helper] = []
        self._all: list[Helper] = []
        self._lock = threading.Lock()

    def ask(self, request: str) -> str:
        """The answer of a helper to a request, both in JSON: see `write_request` and `_answer`."""
        with self._lock:
            if not self._idle:
                self._idle.append(Helper())
                self._all.append(self._idle[-1])
            helper = self._idle.pop()
        try:
            answer = helper.ask(request)
        except HelperEnded as ended:
            with self._lock:
                self._all.remove(helper)
            return json.dumps({"died": str(ended)})
        with self._lock:
            self._idle.append(helper)
        return answer

    def end(self) -> None:
        """Kill all helpers."""
        for helper in [*self._all]:
            helper.end()


_ours = Helpers()


def perform(request: str) -> bytes:
    """Let a helper of this process perform a part; called by the workers of a cluster."""
    return _ours.ask(request).encode()


def write_request(task: Task[Any, Any], part: Any, result: Any = None) -> str:
    """The request to perform a part or, with the data of a result, to judge that result."""
    request = {
        "program": program(),
        "kind": task.kind,
        "task": WIRE.encode(task),
        "seconds": (task.budget() if result is None else task.judging()).seconds_left,
        "part": WIRE.encode(part),
        "result": result,
    }
    return json.dumps(request)


def read_result(task: Task[Any, R], data: Any) -> R:
    """The result in data from another machine. Raises RejectedResult if it has another form."""
    try:
        result: R = WIRE.decode(task.result_type, data)
        return result
    except WrongForm as why:
        raise RejectedResult(f"it is no result of this work: {why}") from None


# ---- in the helper


def serve(find: Find) -> None:
    """Perform the parts requested by lines of the standard input, until it is closed."""
    lines, answers = _lines(), _answers()
    tasks: dict[str, tuple[Task[Any, Any], Worker[Any, Any]]] = {}
    while (line := lines()) is not None:
        answers.write(json.dumps(_answer(json.loads(line), find, tasks)).encode() + b"\n")
        answers.flush()


def _answers() -> IO[bytes]:
    """The standard output; other output to it goes to standard error from now on."""
    kept = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(kept, "wb")


def _lines() -> Callable[[], bytes | None]:
    """Reads the next line of the standard input, None at its end, at which the process exits at once."""
    waiting: list[bytes] = []
    there = threading.Semaphore(0)

    def read() -> None:
        text = b""
        while data := os.read(0, 1 << 16):
            *whole, text = (text + data).split(b"\n")
            waiting.extend(whole)
            for _ in whole:
                there.release()
        os._exit(CLOSED)  # forked processes end with their parent

    threading.Thread(target=read, daemon=True).start()

    def following() -> bytes | None:
        there.acquire()
        return waiting.pop(0)

    return following


def _answer(
    request: Mapping[str, Any], find: Find, tasks: dict[str, tuple[Task[Any, Any], Worker[Any, Any]]]
) -> dict[str, Any]:
    """Perform or judge one part; return its result, or the reason why there is none.

    A new task ends the workers of earlier ones.

    The reason is `over` a budget, `died`, `rejected`, `other` rules or program, or an `error`.
    """
    try:
        if request["program"] != program():
            words = f"another version of rulespec runs on {platform.node()} than where the work began"
            raise OtherProgram(words)
        key = json.dumps([request["kind"], request["task"]], sort_keys=True)
        if key not in tasks:
            for _, worker in tasks.values():
                worker.end()
            tasks.clear()
            task = WIRE.decode(find(request["kind"]), request["task"])
            task.prepare()
            tasks[key] = task, Worker(_serving(task))
        task, worker = tasks[key]
        with watchdog.watch() if task.by_steps else nullcontext():
            task.seconds = request["seconds"]
            asked = request["part"], request["result"], task.seconds
            return {"result": worker.ask(asked, task.budget())}
    except RejectedResult as why:
        return {"rejected": str(why)}
    except OutOfBudget as out:
        return {"over": str(out)}
    except ChildDied as died:
        return {"died": str(died)}
    except (OtherRules, OtherProgram) as other:
        return {"other": type(other).__name__, "text": str(other)}
    except Exception as error:
        return {"error": type(error).__name__, "text": str(error)}


def _serving(task: Task[Any, Any]) -> Callable[[Any, Listener], Any]:
    def serve(request: tuple[Any, Any, float], send: Listener) -> Any:
        data, result, task.seconds = request
        part = WIRE.decode(task.part_type, data)
        if result is None:
            return WIRE.encode(task.perform(part))
        return WIRE.encode(task.judge(part, read_result(task, result)))

    return serve
