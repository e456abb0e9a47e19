"""Which way a game runs: as fast as pays, and always somehow."""

from __future__ import annotations

import math
import tracemalloc
from pathlib import Path

import pytest

from rulespec.code import Engine, TooLarge, engine, write
from rulespec.code.compiling import Compiled
from rulespec.language import load


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path))
    Compiled.forget(write(load("nim")))


def test_little_work_is_not_worth_compiling() -> None:
    made = Engine(load("nim"))
    assert made.runner(0.1) is made.runner(0.0) is not None
    assert (made.way, made.why) == ("plain", "" if engine.can_compile() else made.why)


def test_much_work_is() -> None:
    pytest.importorskip("numba", reason="rulespec[fast] is not installed")
    made = Engine(load("nim"))
    plain = made.runner(0.0)
    compiled = made.runner(60.0)
    assert made.way == "compiled"
    assert made.runner(0.0) is compiled, "it stays so"
    assert plain is not None and compiled is not None
    assert plain.playouts(20, seed=1) == compiled.playouts(20, seed=1)


def test_what_was_compiled_pays_at_once() -> None:
    pytest.importorskip("numba", reason="rulespec[fast] is not installed")
    written = write(load("nim"))
    assert not engine.pays(written, engine.TO_IMPORT + 0.01)
    made = Engine(load("nim")).runner(math.inf)
    assert made is not None
    made.playouts(1, seed=1)
    Compiled.forget(written)
    assert engine.pays(written, engine.TO_IMPORT + 0.01)


def test_without_numba_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "can_compile", lambda: False)
    made = Engine(load("nim"))
    assert made.runner() is not None
    assert made.way == "plain"
    assert made.why == "code is not compiled, because Numba is not installed (`rulespec[fast]`)"


def test_a_cache_that_cannot_be_written_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="rulespec[fast] is not installed")
    monkeypatch.setenv("RULESPEC_CACHE", "/dev/null/rulespec")
    made = Engine(load("nim"))
    assert made.runner() is not None
    assert (made.way, made.why) == ("compiled", ""), "only for as long as the process lasts"


def test_a_game_without_code_is_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulespec.code.program.MOST_CELLS", 3)
    made = Engine(load("nim"))
    assert made.runner() is None
    assert made.way == "interpreted"
    assert made.why == "the interpreter runs the game, because the state takes more than 3 numbers"


def test_no_room_is_made_for_a_state_that_is_too_large(tmp_path: Path) -> None:
    """Sixteen gigabytes of zeros were allocated before the size of the state was tested."""
    (tmp_path / "wide.yaml").write_text(
        "rulespec: 1\nid: wide\ntitle: Wide\nrules:\n- id: go\n  prose: Go on.\n  formal: |\n"
        "    type Place = 1..200000\n    state piles: map Place -> list of Place up to 9000 = []\n"
        "  action: ()\n  do: nothing\n",
        encoding="utf-8",
    )
    game = load(str(tmp_path / "wide.yaml"))
    tracemalloc.start()
    with pytest.raises(TooLarge, match="the state takes more than"):
        write(game)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 50 * 2**20
