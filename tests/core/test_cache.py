"""The cache is read only from a folder that no other user can write to, and only undamaged."""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import copytree

import pytest

from rulespec.core.storage import cache
from rulespec.core.storage.cache import (
    cache_folder,
    read_cached,
    read_cached_data,
    write_cached,
    write_cached_data,
)
from rulespec.core.storage.private_folders import unsafe, warn

Damage = Callable[[bytes], bytes]
Opening = Callable[[Path], object]
DAMAGES: dict[str, Damage] = {
    "empty": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "longer": lambda content: content + b"x",
    "a bit": lambda content: content[:-9] + bytes([content[-9] ^ 4]) + content[-8:],
    "its head": lambda content: bytes([content[0] ^ 1]) + content[1:],
    "nested": lambda content: content[:32] + b"[" * 1_000_000,
    "a digest that anybody can make": lambda content: hashlib.sha256(content[32:]).digest() + content[32:],
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
    assert read_cached("a.json", "key") is None
    assert read_cached_data("a.json", "key") is None
    write_cached_data("a.json", "key", 1)
    assert read_cached_data("a.json", "key") == 1


@pytest.mark.parametrize("content", [b"[" * 100_000, b"\xff", b"", b"{"])
def test_an_intact_file_without_data_counts_as_missing(content: bytes, folder: Path) -> None:
    write_cached("a.json", "key", content)
    assert read_cached("a.json", "key") == content
    assert read_cached_data("a.json", "key") is None


def test_a_file_under_another_name_is_not_believed(folder: Path) -> None:
    """The digest covered the content only: a file could be exchanged for any other one of the folder."""
    for name in ("a", "b"):
        write_cached(name, f"made from {name}", name.encode())
    (folder / "a").write_bytes((folder / "b").read_bytes())
    assert read_cached("a", "made from a") is None
    assert read_cached("a", "made from b") is None
    assert read_cached("b", "made from b") == b"b"


def a_link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def a_second_name(path: Path) -> None:
    path.with_name("elsewhere").hardlink_to(path)


def given_away(path: Path) -> None:
    os.chown(path, 12345, -1)


OPEN: dict[str, Opening] = {
    **{f"{mode:o}": partial(Path.chmod, mode=mode) for mode in (0o666, 0o620, 0o604, 0o640)},
    "a link": a_link,
    "a second name": a_second_name,
    "another owner": given_away,
}


@pytest.mark.parametrize("how", OPEN)
def test_only_a_file_that_is_the_user_s_alone_is_believed(how: str, folder: Path) -> None:
    if how == "another owner" and os.geteuid() != 0:
        pytest.skip("only root gives files away")
    write_cached("a", "key", b"content")
    OPEN[how](folder / "a")
    assert read_cached("a", "key") is None
    write_cached("a", "key", b"anew")
    assert read_cached("a", "key") == b"anew"
    status = (folder / "a").lstat()
    assert (stat.S_ISREG(status.st_mode), status.st_mode & 0o777, status.st_uid) == (
        True,
        0o600,
        os.geteuid(),
    )


def test_files_are_private_whatever_the_mask(folder: Path) -> None:
    before = os.umask(0)
    try:
        write_cached("a", "key", b"content")
    finally:
        os.umask(before)
    assert (folder / "a").stat().st_mode & 0o777 == 0o600


def test_the_cache_of_another_installation_is_not_believed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_cached("a", "key", b"content")
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "another"))
    assert read_cached("a", "key") is None


@pytest.mark.parametrize("state", ["relative", "", "no folder"])
def test_without_a_key_nothing_is_kept(
    state: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_cached("a", "key", b"content")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "file" / "in") if state == "no folder" else state)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", "relative")
    monkeypatch.chdir(tmp_path)
    assert cache_folder() is None
    assert read_cached("a", "key") is None
    write_cached("b", "key", b"content")
    assert not (folder / "b").exists()


def test_a_relative_cache_folder_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It would be a folder of whoever made the folder that a command runs in."""
    (tmp_path / ".cache").mkdir(mode=0o700)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULESPEC_CACHE", ".cache")
    warn.cache_clear()
    assert cache_folder() is None
    assert "RULESPEC_CACHE must be an absolute path, not .cache" in capfd.readouterr().err


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
    warn.cache_clear()
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
    folders = {"RULESPEC_CACHE": str(kept), "RULESPEC_STATE": str(kept.parent / "state")}
    return subprocess.run(
        [sys.executable, "-c", BOTH], capture_output=True, text=True, check=False, cwd=kept.parent,
        env={"PATH": os.environ["PATH"], **folders},
    )  # fmt: skip


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A cache folder that commands have filled, and their output."""
    kept = tmp_path_factory.mktemp("cache") / "kept"
    done = check_and_simulate(kept)
    assert done.returncode == 0, done.stderr
    return kept, done.stdout


def test_every_file_of_the_cache_may_be_damaged(filled: tuple[Path, str], tmp_path: Path) -> None:
    """A cut or changed file ended every command in a traceback until it was removed."""
    folder, before = filled
    copytree(folder, tmp_path / "kept")
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert {path.suffix for path in files} >= {"", ".json", ".sqlite"}
    for number, path in enumerate(files):
        path.write_bytes(DAMAGES[("a bit", "nested")[number % 2]](path.read_bytes()))
    done = check_and_simulate(tmp_path / "kept")
    assert "Traceback" not in done.stderr
    assert (done.returncode, done.stdout) == (0, before), done.stderr


@pytest.mark.parametrize("env", [{"HOME": ""}, {"HOME": "/dev/null"}, {"HOME": "/proc/nothing"}])
def test_no_home_folder_is_needed(env: dict[str, str], tmp_path: Path) -> None:
    done = run(*SIMULATE, cwd=tmp_path, XDG_CACHE_HOME="relative", **env)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []
