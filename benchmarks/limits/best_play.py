"""Best play of connect four beside a hand-written alpha-beta search."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass

from ..calls import call
from ..peers import one_core
from ..proofs import child
from ..report import Table, spread
from .library import ENTRIES, Unavailable, Yardsticks, yardsticks

BAR = 3
ROUNDS = 3
LONGEST = 600
"""Seconds of the clock after which a process is ended."""


@dataclass(frozen=True)
class Board:
    """A claim about connect four on a board: the value (1, 0 or -1) that it states is part of the claim."""

    ruleset: str
    claim: str
    width: int
    height: int

    @property
    def words(self) -> str:
        """The name of this board in the table."""
        return f"{self.ruleset}: {self.claim}, {self.width}x{self.height}"

    @property
    def parameters(self) -> Mapping[str, int]:
        """The parameters of the ruleset."""
        return {"width": self.width, "height": self.height}


BOARDS = (Board("connect-four-medium", "best-play", 6, 5),)
TINY = (Board("connect-four-small", "best-play", 4, 4),)

WORDS = (
    "Seconds of work until it is known what best play comes to: by an alpha-beta search in C++ that was "
    "written for connect four (`benchmarks/limits/connect_four.cpp`: columns from the middle, wins and "
    f"forced moves first, a table of 2^{ENTRIES} entries), by `rulespec prove` in a process of its own with "
    f"no stored verdict, and by the search alone in such a process; medians of {ROUNDS} rounds (least and "
    "greatest behind them) in which all take a turn, with machine code kept from a run before. Then the "
    "ratios of ours to the hand-written, and their bar."
)


def measure(boards: tuple[Board, ...] = BOARDS, rounds: int = ROUNDS) -> list[Table]:
    """Each board by all ways in turn; no table where nothing compiles the yardsticks."""
    try:
        hand_written = yardsticks()
    except Unavailable as why:
        print(f"no best play beside hand-written alpha-beta: {why}", file=sys.stderr)
        return []
    columns = ["claim", "hand-written s", "`prove` s", "search s", "`prove` ratio", "search ratio", "bar"]
    table = Table("Best play beside hand-written alpha-beta", WORDS, columns)
    with one_core(), tempfile.TemporaryDirectory() as state:
        for board in boards:
            _prove(board, state)  # which keeps the machine code
            found = [
                (_alpha_beta(hand_written, board), _prove(board, state), _search(board))
                for _ in range(rounds)
            ]
            table.rows.append([board.words, *_cells(found), str(BAR)])
    return [table]


def _cells(found: list[tuple[float, float, float]]) -> list[str]:
    seconds = [spread(way) for way in zip(*found, strict=True)]
    return [
        *seconds,
        spread(prove / theirs for theirs, prove, _ in found),
        spread(search / theirs for theirs, _, search in found),
    ]


def _alpha_beta(hand_written: Yardsticks, board: Board) -> float:
    """Seconds of work of the hand-written search; the value is to be the one that the claim states."""
    began = time.process_time()
    value, _ = hand_written.solve_connect_four(board.width, board.height)
    if value != 0:
        raise AssertionError(f"{board.words}: {value} by alpha-beta, but the claim says that it is drawn")
    return time.process_time() - began


def _prove(board: Board, state: str) -> float:
    """Seconds of work of `rulespec prove` and of all that it starts."""
    command = [sys.executable, "-m", "rulespec", "prove", board.ruleset, board.claim, "--no-store", "--json"]
    for name, value in board.parameters.items():
        command += ["--set", f"{name}={value}"]
    run = call(command, LONGEST, environment={**os.environ, "RULESPEC_STATE": state})
    if [verdict["outcome"] for verdict in run.verdicts] != ["proved"]:
        raise AssertionError(f"{board.words} is not proved: {run.end}")
    return run.work


def _search(board: Board) -> float:
    """Seconds of work of the search in a process of its own."""
    found = child("value", board.ruleset, board.claim, json.dumps(board.parameters))
    if found["value"] != [0, 0]:
        raise AssertionError(f"{board.words} is not drawn: {found['value']}")
    return float(found["work"])
