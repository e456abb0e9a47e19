"""Generated code compiled by Numba plays as the interpreter does, and is kept between runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from code_plays import agree

from rulespec.code import Runner, write
from rulespec.code.compiling import Compiled
from rulespec.language import load, shipped

pytest.importorskip("numba", reason="rulespec[fast] is not installed")

SLOW = bool(os.environ.get("RULESPEC_SLOW"))
NAMES = sorted(shipped()) if SLOW else ["kuhn-poker", "smith-tiny", "tic-tac-toe"]


@pytest.mark.parametrize("name", NAMES)
def test_compiled_code_plays_alike(name: str) -> None:
    agree(load(name), seeds=3, most=40, tools=Compiled)


def test_random_plays_are_the_same_compiled_and_not() -> None:
    game = load("tic-tac-toe")
    plain, compiled = Runner(write(game)), Runner(write(game), Compiled)
    assert plain.playouts(200, seed=1) == compiled.playouts(200, seed=1)


def test_what_was_compiled_is_kept(tmp_path: Path) -> None:
    text = (
        "from rulespec.language import load; from rulespec.code import Runner, write;"
        "from rulespec.code.compiling import Compiled;"
        "r = Runner(write(load('tic-tac-toe')), Compiled); r.playouts(1, seed=1);"
        "print(sum(r.names['playouts'].stats.cache_hits.values()))"
    )
    hits = [
        subprocess.run(
            [sys.executable, "-c", text],
            capture_output=True, text=True, check=True, env={**os.environ, "RULESPEC_CACHE": str(tmp_path)},
        ).stdout.strip()
        for _ in range(2)
    ]  # fmt: skip
    assert hits == ["0", "1"]
    assert list(tmp_path.glob("rulespec_code_*.py"))
