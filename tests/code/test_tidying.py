"""The folder of compiled code stays within bounds, and what was removed is made again."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from rulespec.code import tidying
from rulespec.code.tidying import DAY, mark, tidy


def module(folder: Path, name: str, age: float, size: int = 100) -> Path:
    """A module as it lies in the folder, used so many seconds ago."""
    source = folder / f"rulespec_code_{name}.py"
    made = folder / "__pycache__"
    made.mkdir(exist_ok=True)
    paths = [source, made / f"{source.stem}.cpython-311.pyc", made / f"{source.stem}.play-9.py311.nbi"]
    for path in paths:
        path.write_bytes(b"x" * (size // 3))
        os.utime(path, (time.time() - age,) * 2)
    return source


def left(folder: Path) -> set[str]:
    """The files of the folder that belong to modules, by the last letter of the module."""
    found = [*folder.glob("*.py"), *folder.glob("__pycache__/*")]
    return {path.name.partition(".")[0][-1] for path in found}


def test_what_was_not_used_for_long_goes(tmp_path: Path) -> None:
    module(tmp_path, "a", 40 * DAY)
    used = module(tmp_path, "b", 40 * DAY)
    module(tmp_path, "c", 20 * DAY)
    (tmp_path / "surveys").mkdir()
    other = tmp_path / "notes.py"
    other.write_text("# somebody else's")
    os.utime(other, (0, 0))
    before = used.stat().st_mtime
    mark(used)
    assert used.stat().st_mtime == before
    tidy(tmp_path)
    other.unlink()
    assert left(tmp_path) == {"b", "c"}


def test_the_least_recently_used_goes_where_there_is_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidying, "MOST_BYTES", 250)
    for name, age in (("a", 3 * DAY), ("b", 2 * DAY), ("c", DAY), ("d", 5.0), ("e", 5.0)):
        module(tmp_path, name, age)
    tidy(tmp_path)
    assert left(tmp_path) == {"d", "e"}
    monkeypatch.setattr(tidying, "MOST_BYTES", 50)
    tidy(tmp_path)
    assert left(tmp_path) == {"d", "e"}, "what was just used stays"


def test_a_folder_that_is_not_there_is_tidy(tmp_path: Path) -> None:
    tidy(tmp_path / "nowhere")


def test_code_that_somebody_has_just_removed_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba", reason="rulespec[fast] is not installed")
    from rulespec.code import compiling

    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path))
    text = compiling.HEAD + "answer = 42\n"
    name = compiling.module_name(text)

    def everything(folder: Path) -> None:
        for path in folder.glob("*.py"):
            path.unlink()

    monkeypatch.setattr(compiling, "tidy", everything)
    assert compiling._loaded(text)["answer"] == 42
    assert sys.modules.pop(name)
