"""Code and machine code are kept between runs, for just the game that they were made of."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulespec.code import GameCode, Runner, write
from rulespec.core import nodes as n
from rulespec.core.digest import exact
from rulespec.core.game import Game
from rulespec.core.storage import code_cache
from rulespec.core.types import BOOL
from rulespec.language import load
from rulespec.machine import runtime
from rulespec.solver.explore import CodeStates

PLAYED = """
import json, sys, wasmtime
from unittest import mock
from rulespec.language import load
from rulespec.code import Runner, write
from rulespec.code.writer import _Writer
with (
    mock.patch.object(wasmtime, "Module", wraps=wasmtime.Module) as compiled,
    mock.patch.object(_Writer, "write", autospec=True, side_effect=_Writer.write) as written,
):
    compiled.deserialize = wasmtime.Module.deserialize
    tally = Runner(write(load("tic-tac-toe"))).playouts(100, seed=1)
encoder = "rulespec.machine.webassembly.encoder"
translating = [name for name in ("rulespec.kernels.units", encoder) if name in sys.modules]
print(json.dumps([written.call_count, len(translating), compiled.call_count, tally.plies]))
"""


def played(cache: Path) -> list[int]:
    """Play in another process: how often it wrote, translated and compiled code, and the plies."""
    done = subprocess.run(
        [sys.executable, "-c", PLAYED],
        capture_output=True, text=True, check=True, env={**os.environ, "RULESPEC_CACHE": str(cache)},
    )  # fmt: skip
    found: list[int] = json.loads(done.stdout)
    return found


def test_a_second_process_neither_writes_nor_translates_nor_compiles(tmp_path: Path) -> None:
    first, second = played(tmp_path), played(tmp_path)
    assert first[:3] == [1, 2, 1]
    assert second[:3] == [0, 0, 0]
    assert first[3] == second[3]


def test_what_is_damaged_is_made_again(tmp_path: Path) -> None:
    before = played(tmp_path)
    for path in files(tmp_path):
        held = path.read_bytes()
        for damaged in (held[:-1], bytes([held[0] ^ 1]) + held[1:]):
            path.write_bytes(damaged)
            again = played(tmp_path)
            assert sorted(again[:3]) in ([0, 0, 1], [1, 1, 2])
            assert again[3] == before[3]
            assert path.read_bytes() == held
    assert len(files(tmp_path)) == 2


def test_no_code_is_read_from_a_shared_folder(tmp_path: Path) -> None:
    """Machine code from the cache runs as it is, so anybody who could write it could run any code."""
    tmp_path.chmod(0o777)
    assert [played(tmp_path)[:3] for _ in range(2)] == [[1, 2, 1]] * 2
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def files(folder: Path) -> list[Path]:
    """The files with code."""
    return list(folder.glob("rulespec_code_*"))


def same(one: GameCode, other: GameCode) -> bool:
    """True if the codes of a game are equal in all that follows from writing them."""
    parts = ("text", "meanings", "constants", "asked", "visible")
    held = ("cells", "words", "planes", "offsets", "state_cells", "state_words")
    return (
        all(getattr(one, part) == getattr(other, part) for part in parts)
        and all(getattr(one.program, part) == getattr(other.program, part) for part in held)
        and list(one.entries) == list(other.entries)
    )


@pytest.mark.parametrize("name", ["connect-four-small", "kuhn-poker", "smith-tiny", "stout-treehouse"])
def test_what_is_kept_is_all_that_was_written(name: str, folder: Path) -> None:
    game = load(name)
    asked = {"over": n.Get(BOOL, game.state["over"])}
    fresh, kept = write(game, asked), write(game, asked)
    assert len(files(folder)) == 1
    assert fresh.program is not kept.program
    assert same(fresh, kept)
    assert Runner(fresh).playouts(20, 3) == Runner(kept).playouts(20, 3)


RULES = """
rulespec: 1
id: race
title: Race
rules:
- id: pieces
  prose: Two pieces.
  formal: |
    type Piece = {colour: 1..2, size: 1..2}
    type Small = q in Piece where q.size = 1
    define gone(p: Piece) = place[p] = 3
    state place: map Piece -> 0..3 = 0
    state chosen: map Small -> 0..1 = 0
- id: pace
  prose: How far does a piece go?
  question: How far?
  readings:
    one: By one.
    two: By two.
  formal: |
    define speed = if pace is one then 1 else 2
- id: step
  prose: A piece goes on.
  action: p in Piece
  require:
    there:
      prose: It is not home.
      that: not gone(p)
  do: |
    place[p] := min(3, place[p] + speed)
    for t in Small: chosen[t] := 1
- id: home
  prose: It is over when a piece is home.
  end: some p in Piece satisfies gone(p)
- id: winner
  prose: Nobody wins.
  winners: none
"""
EDITS = {
    "a rule": ("place[p] = 3\n", "place[p] >= 2\n"),
    "a limit": ("min(3, ", "min(2, "),
    "the name of a definition": ("gone", "home-again"),
    "the name of an action": ("id: step", "id: stride"),
    "the name within a loop": ("for t in Small: chosen[t]", "for u in Small: chosen[u]"),
    "the name of a variable": ("chosen", "picked"),
    "the family of a type": ("Small = q in Piece where q.size = 1", "Small = {colour: 1..2, size: 1..1}"),
}


def game_of(folder: Path, text: str = RULES, **given: object) -> Game:
    """The game of a text."""
    file = folder / "race.yaml"
    file.write_text(text)
    return load(file, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("edit", EDITS)
def test_code_of_other_rules_is_not_taken(edit: str, tmp_path: Path, folder: Path) -> None:
    before, after = EDITS[edit]
    assert before in RULES
    game, edited = game_of(tmp_path), game_of(tmp_path, RULES.replace(before, after))
    assert exact(game, {}) == exact(game_of(tmp_path), {}) != exact(edited, {})
    write(game)
    kept = write(edited)
    for path in files(folder):
        path.unlink()
    assert same(kept, write(edited))


def test_code_for_another_reading_or_other_questions_is_not_taken(tmp_path: Path, folder: Path) -> None:
    game, other = game_of(tmp_path), game_of(tmp_path, readings={"pace": "two"})
    over, yes = n.Get(BOOL, game.state["over"]), n.Const(BOOL, True)
    texts = [write(game).text, write(other).text]
    texts += [write(game, {name: e}).text for name, e in (("a", over), ("a", yes), ("b", yes))]
    assert len(set(texts)) == 5
    assert len(files(folder)) == 5


def test_types_with_the_same_values_may_have_other_codes(tmp_path: Path) -> None:
    """The games mean the same, but a record of the family of a larger one has the codes of that."""
    before, after = EDITS["the family of a type"]
    game, edited = game_of(tmp_path), game_of(tmp_path, RULES.replace(before, after))
    assert game.digest == edited.digest
    assert write(game).text != write(edited).text


@pytest.mark.parametrize("module", ["core/nodes.py", "code/plies.py", "play/machine.py", "further/new.py"])
def test_code_of_another_version_of_the_program_is_not_taken(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The digest covers all modules of the package: none that plays a part can be missing from a list."""
    monkeypatch.setattr(code_cache, "__file__", str(tmp_path / "core" / "storage" / "code_cache.py"))
    (tmp_path / module).parent.mkdir()
    digests = []
    for text in ("first", "second"):
        (tmp_path / module).write_text(text)
        os.utime(tmp_path / module, (0, 0))
        code_cache._program.cache_clear()
        digests.append(code_cache.digest_of("a game"))
    code_cache._program.cache_clear()
    assert len(set(digests)) == 2


def test_machine_code_of_another_compiler_is_not_taken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("tic-tac-toe")
    for compiler in ("one", "another"):
        monkeypatch.setattr(runtime, "_compiler", lambda compiler=compiler: compiler)
        assert Runner(write(game)).playouts(1, 1).games == 1
    assert len(files(folder)) == 3, "the code, and a module for each compiler"


def test_the_code_of_a_variant_is_not_taken_for_that_of_the_original(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files were believed by their names: the rules that ran were those of whoever had exchanged them."""
    before, after = EDITS["a limit"]
    sizes, kept = [], []
    for name, text in (("original", RULES), ("variant", RULES.replace(before, after))):
        monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / name))
        runtime._recent.clear()
        states = CodeStates(game_of(tmp_path, text))
        while states.deeper(lambda: "", 1_000):
            pass
        sizes.append(states.states)
        kept.append(sorted(files(tmp_path / name), key=lambda path: path.stat().st_size))
    assert len(set(sizes)) == 2
    assert [len(paths) for paths in kept] == [2, 2]
    for ours, theirs in zip(*kept, strict=True):
        ours.write_bytes(theirs.read_bytes())
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "original"))
    runtime._recent.clear()
    states = CodeStates(game_of(tmp_path))
    while states.deeper(lambda: "", 1_000):
        pass
    assert states.states == sizes[0]
    for ours, theirs in zip(*kept, strict=True):
        assert ours.read_bytes() != theirs.read_bytes(), "made anew"


def test_parts_of_a_digest_do_not_run_together() -> None:
    assert code_cache.digest_of("a", "b") != code_cache.digest_of("ab", "") != code_cache.digest_of("ab")
