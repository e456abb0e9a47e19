"""A Dask cluster on this machine: a scheduler and workers, each a process of its own that tests may kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_TLS = Path(__file__).resolve().parent / "executors" / "tls"
CERTIFIED = {
    "distributed.comm.tls.ca-file": str(_TLS / "cert.pem"),
    **{
        f"distributed.comm.tls.{who}.{what}": str(_TLS / f"{what}.pem")
        for who in ("scheduler", "worker", "client")
        for what in ("cert", "key")
    },
}
"""A configuration of Dask by which all three have a certificate, which is for tests only."""


class LocalCluster:
    """A scheduler, and workers with a thread each, in a folder in which they run."""

    def __init__(self, folder: Path, workers: int = 2, secured: bool = False, **environment: str) -> None:
        self.folder = folder
        if secured:
            environment |= {
                "DASK_" + name.replace(".", "__").replace("-", "_").upper(): file
                for name, file in CERTIFIED.items()
            }
        paths = filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])
        self._environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment}
        protocol = ("--protocol", "tls") if secured else ()
        self.scheduler = self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-show", *protocol
        )
        file = folder / "scheduler.json"
        while not (file.exists() and file.read_text()):
            assert self.scheduler.poll() is None, (folder / "dask_scheduler.log").read_text()
            time.sleep(0.05)
        self.address = json.loads(file.read_text())["address"]
        self.workers = [self.add() for _ in range(workers)]

    def add(self, *path: str) -> subprocess.Popen[bytes]:
        """One more worker, whose modules come first from the folders of a path."""
        options = ("--nthreads", "1", "--no-nanny", "--memory-limit", "0", "--local-directory", "local")
        return self._start("dask_worker", *options, path=path)

    def _start(self, module: str, *options: str, path: Sequence[str] = ()) -> subprocess.Popen[bytes]:
        file = str(self.folder / "scheduler.json")
        command = [
            sys.executable,
            "-m",
            f"distributed.cli.{module}",
            "--scheduler-file",
            file,
            "--no-dashboard",
        ]
        paths = os.pathsep.join([*path, self._environment["PYTHONPATH"]])
        environment = {**self._environment, "PYTHONPATH": paths}
        with (self.folder / f"{module}.log").open("ab") as log:
            return subprocess.Popen(
                [*command, *options], cwd=self.folder, env=environment, stdout=log, stderr=log
            )

    def kill(self, number: int) -> None:
        """Kill a worker in the midst of what it does."""
        self.workers[number].send_signal(signal.SIGKILL)
        self.workers[number].wait()

    def dismiss(self) -> None:
        """End all workers."""
        for process in self.workers:
            process.kill()
            process.wait()
        self.workers.clear()

    def close(self) -> None:
        """End all of it."""
        self.dismiss()
        self.scheduler.kill()
        self.scheduler.wait()
