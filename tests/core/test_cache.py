"""What is kept between runs is read only where nobody else can write, and only if it is whole."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulespec.core import cache
from rulespec.core.cache import cache_folder, keep, keep_data, kept, kept_data, unsafe

Damage = Callable[[bytes], bytes]
DAMAGES: dict[str, Damage] = {
    "empty": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "longer": lambda content: content + b"x",
    "a bit": lambda content: content[:-9] + bytes([content[-9] ^ 4]) + content[-8:],
    "its head": lambda content: b"x" + content[1:],
    "nested": lambda content: content[:32] + b"[" * 1_000_000,
    "no text": lambda content: b"\xff" * len(content),
    "a pickle": lambda content: pickle.dumps({"key": 1}),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "kept"))
    cache._usable.cache_clear()
    made = cache_folder()
    assert made is not None
    return made


def test_what_is_kept_comes_back(folder: Path) -> None:
    keep_data("a.json", "key", {"b": [1, None, "ü"]})
    assert kept_data("a.json", "key") == {"b": [1, None, "ü"]}
    assert kept_data("a.json", "another") is None
    assert kept_data("b.json", "key") is None


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_is_as_if_it_were_not_there(damage: str, folder: Path) -> None:
    keep_data("a.json", "key", list(range(100)))
    path = folder / "a.json"
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert kept(path) is None
    assert kept_data("a.json", "key") is None
    keep_data("a.json", "key", 1)
    assert kept_data("a.json", "key") == 1


@pytest.mark.parametrize("content", [b"[" * 100_000, b"\xff", b"[]", b"7", b"{}"])
def test_what_is_whole_may_still_be_nothing(content: bytes, folder: Path) -> None:
    keep(folder / "a.json", content)
    assert kept_data("a.json", "key") is None


def test_a_folder_of_ones_own_is_made_for_oneself_alone(folder: Path) -> None:
    assert folder.stat().st_mode & 0o777 == 0o700
    assert unsafe(folder) == ""


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702, 0o1777])
def test_nothing_is_kept_where_others_may_write(
    mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whoever could write there could run code in the user's name."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(mode)
    monkeypatch.setenv("RULESPEC_CACHE", str(shared))
    cache._usable.cache_clear()
    assert cache_folder() is None
    assert cache_folder() is None
    keep_data("a.json", "key", 1)
    assert kept_data("a.json", "key") is None
    assert list(shared.iterdir()) == []
    assert capfd.readouterr().err.count("others may write to") == 1


def test_nor_where_they_may_put_another_folder_in_its_place(tmp_path: Path) -> None:
    above = tmp_path / "above"
    (above / "kept").mkdir(parents=True)
    assert unsafe(above / "kept") == ""
    above.chmod(0o777)
    assert unsafe(above / "kept").startswith("others may write to")
    above.chmod(0o1777)
    assert unsafe(above / "kept") == "", "as in /tmp, only what is one's own can be moved there"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_nor_in_a_folder_of_somebody_else(tmp_path: Path) -> None:
    os.chown(tmp_path, 12345, -1)
    assert unsafe(tmp_path).endswith("belongs to somebody else")


def test_a_link_is_judged_by_the_folder_that_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o777)
    (tmp_path / "kept").symlink_to(tmp_path / "shared")
    assert unsafe(tmp_path / "kept")


def run(*argv: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, with nothing but these variables beside the path."""
    return subprocess.run(
        [sys.executable, "-m", "rulespec", *argv],
        capture_output=True, text=True, check=False, cwd=cwd, env={"PATH": os.environ["PATH"], **env},
    )  # fmt: skip


SIMULATE = ("simulate", "tic-tac-toe", "--games", "50", "--seed", "1", "--jobs", "1")


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_file_of_the_cache_may_be_damaged(damage: str, tmp_path: Path) -> None:
    """A cut or changed file ended every command in a traceback until somebody removed it."""
    commands, kept = [("check", "tic-tac-toe"), SIMULATE], {"RULESPEC_CACHE": str(tmp_path / "kept")}
    before = [run(*command, cwd=tmp_path, **kept).stdout for command in commands]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {".json", ".sqlite"}
    for path in files:
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    for command, expected in zip(commands, before, strict=True):
        done = run(*command, cwd=tmp_path, **kept)
        assert "Traceback" not in done.stderr
        assert (done.returncode, done.stdout) == (0, expected), done.stderr


@pytest.mark.parametrize("env", [{"HOME": ""}, {"HOME": "/dev/null"}, {"HOME": "/proc/nothing"}])
def test_nobody_needs_a_home(env: dict[str, str], tmp_path: Path) -> None:
    done = run(*SIMULATE, cwd=tmp_path, XDG_CACHE_HOME="relative", **env)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []
