"""The cache is read only from a folder that no other user can write to, and only undamaged."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from rulespec.core import cache
from rulespec.core.cache import (
    cache_folder,
    read_cached,
    read_cached_data,
    unsafe,
    write_cached,
    write_cached_data,
)

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


def test_cached_data_are_read_again(folder: Path) -> None:
    write_cached_data("a.json", "key", {"b": [1, None, "ü"]})
    assert read_cached_data("a.json", "key") == {"b": [1, None, "ü"]}
    assert read_cached_data("a.json", "another") is None
    assert read_cached_data("b.json", "key") is None


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_counts_as_missing(damage: str, folder: Path) -> None:
    write_cached_data("a.json", "key", list(range(100)))
    path = folder / "a.json"
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert read_cached(path) is None
    assert read_cached_data("a.json", "key") is None
    write_cached_data("a.json", "key", 1)
    assert read_cached_data("a.json", "key") == 1


@pytest.mark.parametrize("content", [b"[" * 100_000, b"\xff", b"[]", b"7", b"{}"])
def test_an_intact_file_without_data_counts_as_missing(content: bytes, folder: Path) -> None:
    write_cached(folder / "a.json", content)
    assert read_cached_data("a.json", "key") is None


def test_a_new_cache_folder_is_private(folder: Path) -> None:
    assert folder.stat().st_mode & 0o777 == 0o700
    assert unsafe(folder) == ""


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702, 0o1777])
def test_nothing_is_cached_in_a_folder_that_others_can_write(
    mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Another user who could write there could run code as this user."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(mode)
    monkeypatch.setenv("RULESPEC_CACHE", str(shared))
    cache._usable.cache_clear()
    assert cache_folder() is None
    assert cache_folder() is None
    write_cached_data("a.json", "key", 1)
    assert read_cached_data("a.json", "key") is None
    assert list(shared.iterdir()) == []
    assert capfd.readouterr().err.count("others may write to") == 1


def test_a_folder_that_others_can_replace_is_unsafe(tmp_path: Path) -> None:
    above = tmp_path / "above"
    (above / "kept").mkdir(parents=True)
    assert unsafe(above / "kept") == ""
    above.chmod(0o777)
    assert unsafe(above / "kept").startswith("others may write to")
    above.chmod(0o1777)
    assert unsafe(above / "kept") == "", "as in /tmp, only what is one's own can be moved there"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_folder_of_another_user_is_unsafe(tmp_path: Path) -> None:
    os.chown(tmp_path, 12345, -1)
    assert unsafe(tmp_path).endswith("belongs to somebody else")


def test_a_link_is_judged_by_the_folder_that_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o777)
    (tmp_path / "kept").symlink_to(tmp_path / "shared")
    assert unsafe(tmp_path / "kept")


def run(*argv: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process with only these environment variables and the path."""
    return subprocess.run(
        [sys.executable, "-m", "rulespec", *argv],
        capture_output=True, text=True, check=False, cwd=cwd, env={"PATH": os.environ["PATH"], **env},
    )  # fmt: skip


SIMULATE = ("simulate", "tic-tac-toe", "--games", "50", "--seed", "1", "--jobs", "1")


BOTH = f"""
import sys
from rulespec.cli import main
sys.exit(main(["check", "tic-tac-toe"]) or main([*{SIMULATE}]))
"""


def check_and_simulate(kept: Path) -> subprocess.CompletedProcess[str]:
    """Check a ruleset and play games of it, in one process with this cache folder."""
    return subprocess.run(
        [sys.executable, "-c", BOTH], capture_output=True, text=True, check=False, cwd=kept.parent,
        env={"PATH": os.environ["PATH"], "RULESPEC_CACHE": str(kept)},
    )  # fmt: skip


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A cache folder that commands have filled, and their output."""
    kept = tmp_path_factory.mktemp("cache") / "kept"
    done = check_and_simulate(kept)
    assert done.returncode == 0, done.stderr
    return kept, done.stdout


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_file_of_the_cache_may_be_damaged(
    damage: str, filled: tuple[Path, str], tmp_path: Path
) -> None:
    """A cut or changed file ended every command in a traceback until it was removed."""
    folder, before = filled
    copytree(folder, tmp_path / "kept")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {"", ".json", ".sqlite"}
    for path in files:
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    done = check_and_simulate(tmp_path / "kept")
    assert "Traceback" not in done.stderr
    assert (done.returncode, done.stdout) == (0, before), done.stderr


@pytest.mark.parametrize("env", [{"HOME": ""}, {"HOME": "/dev/null"}, {"HOME": "/proc/nothing"}])
def test_no_home_folder_is_needed(env: dict[str, str], tmp_path: Path) -> None:
    done = run(*SIMULATE, cwd=tmp_path, XDG_CACHE_HOME="relative", **env)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []
