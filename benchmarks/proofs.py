"""One claim decided from a cold start, against its engine alone on the same clauses; engines side by side.

Everything runs in processes of its own. The first decides the claim as formulas do and keeps
the clauses of the last question it asked, written in every encoding; each further process gives one
file of clauses to one engine. Work is processor time, so that other work on the machine disturbs less.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from rulespec.solver.engines import installed_engines

from .commands import environment
from .report import Table, spread

BOTH_WAYS, ONE_WAY, EXCLUSIVE = ENCODINGS = ("both ways", "one way", "exclusive")
PAIRS = (
    ("cadical: models", BOTH_WAYS),
    ("cadical: models", ONE_WAY),
    ("cadical: models", EXCLUSIVE),
    ("cadical: refutation", BOTH_WAYS),
    ("cadical195", BOTH_WAYS),
    ("cadical153", BOTH_WAYS),
    ("kissat404", BOTH_WAYS),
    ("glucose4", BOTH_WAYS),
    ("z3", BOTH_WAYS),
    ("z3", ONE_WAY),
    ("z3: terms", BOTH_WAYS),
)
"""Engines with an encoding each. CaDiCaL is taken under both settings that race; Z3 gets DIMACS text,
or (`terms`) each clause as a term through its API; the others are python-sat's, as they come."""


@dataclass(frozen=True)
class Limits:
    """How much is measured: a ruleset and its claim, orders of the clauses, seconds of work for each."""

    game: str = "sacred-alignment"
    claim: str = "zero-cheat"
    orders: int = 3
    seconds: int = 20
    pairs: tuple[tuple[str, str], ...] = PAIRS


TINY = Limits("tic-tac-toe", "one-line", orders=1, seconds=20, pairs=PAIRS[1:2])
"""Just enough to see that it runs."""


def measure(limits: Limits) -> Iterator[Table]:
    """The claim from a cold start, then every engine on its encoding of the last question."""
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, environment(folder), clear=True),
    ):
        best, *others = installed_engines()
        child("nothing")  # which fills the folder of compiled modules
        cold = {best: [_cold(limits, best, Path(folder)) for _ in range(limits.orders)]}
        yield _claim_table(
            limits, cold | {engine: [_cold(limits, engine, Path(folder))] for engine in others}
        )
        yield _engine_table(limits, Path(folder) / best)


def _cold(limits: Limits, engine: str, folder: Path) -> dict[str, Any]:
    kept = folder / engine
    kept.mkdir(exist_ok=True)
    return child("claim", limits.game, limits.claim, engine, str(limits.seconds), str(kept))


def _claim_table(limits: Limits, cold: dict[str, list[dict[str, Any]]]) -> Table:
    words = (
        f"`{limits.claim}` of {limits.game} under its default readings, shuffle open, from a cold start, "
        f"in at most {3 * limits.seconds} s by the clock: loading, exploration, bounds on the length, "
        "unrolling, all questions to the engine, and the replay of the witness. Work is that of the "
        "process and its children; asking is its part for making clauses, passing them to the engine and "
        "solving. *The last question alone* gives the same clauses to the engine in a process of its own;"
        " the ratio compares all work with it. Memory is the peak of the process plus the peak of a "
        "child, with shared pages counted twice."
    )
    columns = ["engine", "outcome", "all work s", "asking s", "last question alone s", "ratio", "memory MB"]
    table = Table("A claim from a cold start", words, columns)
    for engine, runs in cold.items():
        alone = [run["alone"] for run in runs if run["alone"] is not None]
        ratios = [run["work"] / run["alone"] for run in runs if run["alone"]]
        table.rows.append(
            [
                engine,
                runs[0]["outcome"],
                spread(run["work"] for run in runs),
                spread(run["asking"] for run in runs),
                spread(alone) if alone else "late",
                spread(ratios, 1) if ratios else "",
                spread((run["memory"] for run in runs), 0),
            ]
        )
    return table


def _engine_table(limits: Limits, folder: Path) -> Table:
    words = (
        "Seconds of work for the last question above, with the time to add the clauses, in their original"
        f" order and in {limits.orders - 1} random orders; more than {limits.seconds} s counts as late. "
        "Encodings: *both ways* defines each gate in both directions (Tseitin), *one way* only in the "
        "directions in which it is used (Plaisted and Greenbaum), *exclusive* adds to *both ways* that "
        "nothing has two values after a ply, which follows from it."
    )
    table = Table(
        "Engines and encodings", words, ["engine", "encoding", "variables", "clauses", "work s", "late"]
    )
    sizes = json.loads((folder / "sizes.json").read_text("utf-8"))
    for engine, encoding in limits.pairs:
        request = ["alone", engine, str(folder / f"{encoding}.pickle")]
        runs = [child(*request, str(order), str(limits.seconds)) for order in range(limits.orders)]
        done = [run["work"] for run in runs if run["work"] is not None]
        variables, clauses = sizes[encoding]
        cells = [f"{variables:,}", f"{clauses:,}", spread(done) if done else "", str(len(runs) - len(done))]
        table.rows.append([engine, encoding, *cells])
    return table


def child(*arguments: str) -> dict[str, Any]:
    """What a process of `benchmarks.child` found out."""
    command = [sys.executable, "-m", "benchmarks.child", *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def write(clauses: list[tuple[int, ...]], path: Path) -> None:
    """Keep clauses for another process."""
    path.write_bytes(pickle.dumps(clauses))


def read(path: Path) -> list[tuple[int, ...]]:
    """The clauses that `write` kept."""
    found: list[tuple[int, ...]] = pickle.loads(path.read_bytes())
    return found
