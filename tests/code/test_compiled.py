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


def compiled_elsewhere(cache: Path) -> str:
    """Play compiled code in another process; the number of hits in the cache."""
    text = (
        "from rulespec.language import load; from rulespec.code import Runner, write;"
        "from rulespec.code.compiling import Compiled;"
        "r = Runner(write(load('tic-tac-toe')), Compiled); assert r.playouts(1, seed=1).games == 1;"
        "print(sum(r.names['playouts'].stats.cache_hits.values()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", text],
        capture_output=True, text=True, check=True, env={**os.environ, "RULESPEC_CACHE": str(cache)},
    )  # fmt: skip
    return done.stdout.strip()


def test_machine_code_is_cached_and_made_again_if_damaged(tmp_path: Path) -> None:
    assert [compiled_elsewhere(tmp_path) for _ in range(2)] == ["0", "1"]
    for number, path in enumerate(sorted(tmp_path.glob("rulespec_code_*.*.*"))):
        held = path.read_bytes()
        damaged = (b"", held[:-1], held[:40], bytes([held[0] ^ 1]) + held[1:], held[:-1] + b"x", held[32:])
        path.write_bytes(damaged[number % len(damaged)])
    assert [compiled_elsewhere(tmp_path) for _ in range(2)] == ["0", "1"]


def test_no_machine_code_is_read_from_a_shared_folder(tmp_path: Path) -> None:
    """Numba runs cached code as it is, so anybody who could write it could run any code."""
    tmp_path.chmod(0o777)
    assert [compiled_elsewhere(tmp_path) for _ in range(2)] == ["0", "0"]
    assert list(tmp_path.iterdir()) == []
