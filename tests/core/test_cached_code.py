"""The folder of code stays within bounds, and what was removed is made again."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from rulespec.core.storage import code_cache
from rulespec.core.storage.code_cache import DAY, tidy, write_code


def module(folder: Path, letter: str, age: float, size: int = 100) -> Path:
    """The file of a module as it lies in the folder, used so many seconds ago."""
    path = folder / f"rulespec_code_{letter * 32}"
    path.write_bytes(b"x" * size)
    os.utime(path, (time.time() - age,) * 2)
    return path


def left(folder: Path) -> set[str]:
    """The modules of the folder, by letter."""
    return {path.name[-1] for path in folder.glob("rulespec_code_*")}


def test_what_was_not_used_for_long_goes(tmp_path: Path) -> None:
    module(tmp_path, "a", 40 * DAY)
    used = module(tmp_path, "b", 40 * DAY)
    module(tmp_path, "c", 20 * DAY)
    os.utime(used)
    tidy(tmp_path)
    assert left(tmp_path) == {"b", "c"}


def test_only_files_with_our_names_go(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    (tmp_path / "surveys").mkdir()
    names = ["notes.py", "rulespec_code_1.py", f"rulespec_code_{'d' * 32}.play", "victim"]
    for name in names:
        (tmp_path / name).write_text("somebody else's")
        os.utime(tmp_path / name, (0, 0))
    (tmp_path / f"rulespec_code_{'e' * 32}").symlink_to(victim)
    module(tmp_path, "a", 40 * DAY)
    tidy(tmp_path)
    assert len(list(tmp_path.iterdir())) == len(names) + 2


def test_the_least_recently_used_goes_where_there_is_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_cache, "MOST_BYTES", 250)
    for name, age in (("a", 3 * DAY), ("b", 2 * DAY), ("c", DAY), ("d", 5.0), ("e", 5.0)):
        module(tmp_path, name, age)
    tidy(tmp_path)
    assert left(tmp_path) == {"d", "e"}
    monkeypatch.setattr(code_cache, "MOST_BYTES", 50)
    tidy(tmp_path)
    assert left(tmp_path) == {"d", "e"}, "what was just used stays"


def test_a_process_tidies_a_folder_when_it_first_keeps_code_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("RULESPEC_CACHE", str(folder))
    for kept in ({"c"}, {"a", "c", "d"}):
        module(folder, "a", 40 * DAY)
        write_code(max(kept) * 64, b"code")
        assert left(folder) == kept, "a folder of thousands of files is not looked through for each of them"


def test_a_folder_that_is_not_there_is_tidy(tmp_path: Path) -> None:
    tidy(tmp_path / "nowhere")


def test_a_module_that_another_process_removes_meanwhile_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file was listed and gone when its age was asked, which made the run fail."""
    gone = module(tmp_path, "a", 40 * DAY)
    module(tmp_path, "b", 40 * DAY)
    listed = list(code_cache.regular_files(tmp_path, code_cache.OURS))
    gone.unlink()
    monkeypatch.setattr(code_cache, "regular_files", lambda folder, names: listed)
    tidy(tmp_path)
    assert left(tmp_path) == set()


def test_modules_that_change_while_a_process_runs_lend_no_name_to_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code of the old modules was kept under the digest of the new ones, and read by every later process."""
    made = tmp_path / "code" / "plies.py"
    made.parent.mkdir()
    made.write_text("before")
    monkeypatch.setattr(code_cache, "BEGUN", made.stat().st_mtime + 10)
    first = code_cache.modules_digest(tmp_path)
    assert first == code_cache.modules_digest(tmp_path)
    made.write_text("after")
    os.utime(made, (code_cache.BEGUN + 10,) * 2)
    here = code_cache.modules_digest(tmp_path)
    monkeypatch.setattr(code_cache, "BEGUN", code_cache.BEGUN + 20)
    assert len({first, here, code_cache.modules_digest(tmp_path)}) == 3
