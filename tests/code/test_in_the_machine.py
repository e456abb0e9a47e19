"""Generated code in the machine plays as the interpreter does, and machine code is kept between runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from code_plays import agree

from rulespec.code import Instance
from rulespec.language import load, shipped

SLOW = bool(os.environ.get("RULESPEC_SLOW"))


@pytest.mark.parametrize("name", sorted(shipped()))
def test_a_ruleset_plays_alike_in_the_machine(name: str) -> None:
    agree(load(name), seeds=3 if SLOW else 1, most=40 if SLOW else 8, started=Instance)


def played_elsewhere(cache: Path) -> str:
    """Play in the machine in another process; how many modules it compiled."""
    text = (
        "import wasmtime; whole = wasmtime.Module; made = []\n"
        "class Counted(whole):\n"
        "    def __init__(self, *given): made.append(1); super().__init__(*given)\n"
        "wasmtime.Module = Counted\n"
        "from rulespec.language import load; from rulespec.code import Runner, write\n"
        "r = Runner(write(load('tic-tac-toe'))); assert r.playouts(1, seed=1).games == 1; print(len(made))"
    )
    done = subprocess.run(
        [sys.executable, "-c", text],
        capture_output=True, text=True, check=True, env={**os.environ, "RULESPEC_CACHE": str(cache)},
    )  # fmt: skip
    return done.stdout.strip()


def test_machine_code_is_cached_and_made_again_if_damaged(tmp_path: Path) -> None:
    assert [played_elsewhere(tmp_path) for _ in range(2)] == ["1", "0"]
    (path,) = tmp_path.glob("rulespec_machine_*")
    held = path.read_bytes()
    for damaged in (held[:-1], bytes([held[0] ^ 1]) + held[1:], held[:-1] + b"x"):
        path.write_bytes(damaged)
        assert played_elsewhere(tmp_path) == "1"


def test_no_machine_code_is_read_from_a_shared_folder(tmp_path: Path) -> None:
    """Machine code from the cache runs as it is, so anybody who could write it could run any code."""
    tmp_path.chmod(0o777)
    assert [played_elsewhere(tmp_path) for _ in range(2)] == ["1", "1"]
    assert list(tmp_path.iterdir()) == []
