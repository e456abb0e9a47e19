"""The key of an installation: made once, private, and replaced where others could have read or written it."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from rulespec.core.storage import authentication
from rulespec.core.storage.authentication import authenticate, has_key, verify
from rulespec.core.storage.private_folders import warn


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


def in_another_process() -> None:
    """Let the key be read again, as a new process does."""
    authentication._key_of.cache_clear()


def test_a_digest_holds_for_its_name_and_content(state: Path) -> None:
    digest = authenticate("name", b"content")
    in_another_process()
    assert verify("name", b"content", digest)
    assert not verify("nam", b"econtent", digest)
    assert not verify("name", b"content!", digest)
    assert not verify("name", b"content", digest[:-1])
    assert not verify("name", b"content", b"")


def test_the_key_is_private_whatever_the_mask(state: Path) -> None:
    before = os.umask(0)
    try:
        assert has_key()
    finally:
        os.umask(before)
    status = (state / "key").lstat()
    assert (status.st_mode, status.st_size) == (stat.S_IFREG | 0o600, 32)
    assert state.stat().st_mode & 0o777 == 0o700


def linked(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def named_twice(path: Path) -> None:
    path.with_name("elsewhere").hardlink_to(path)


def cut(path: Path) -> None:
    path.write_bytes(b"short")


SPOILT: dict[str, Callable[[Path], object]] = {
    **{f"{mode:o}": partial(Path.chmod, mode=mode) for mode in (0o644, 0o640, 0o606, 0o620)},
    "a link": linked,
    "a second name": named_twice,
    "too short": cut,
    "missing": Path.unlink,
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_key_that_others_could_know_is_replaced(how: str, state: Path) -> None:
    digest = authenticate("name", b"content")
    SPOILT[how](state / "key")
    in_another_process()
    assert not verify("name", b"content", digest)
    assert has_key()
    assert (state / "key").lstat().st_mode == stat.S_IFREG | 0o600
    digest = authenticate("name", b"content")
    in_another_process()
    assert verify("name", b"content", digest)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_key_of_another_user_is_replaced(state: Path) -> None:
    digest = authenticate("name", b"content")
    os.chown(state / "key", 12345, -1)
    in_another_process()
    assert not verify("name", b"content", digest)
    assert (state / "key").stat().st_uid == 0


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_can_write_has_no_key(
    mode: int, state: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    state.mkdir()
    state.chmod(mode)
    warn.cache_clear()
    digest = authenticate("name", b"content")
    assert not has_key()
    assert verify("name", b"content", digest), "in this process"
    in_another_process()
    assert not verify("name", b"content", digest)
    assert list(state.iterdir()) == []
    assert "others may write to" in capfd.readouterr().err


def test_the_key_of_a_relative_folder_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whoever made the folder that a command runs in would know the key."""
    (tmp_path / "state").mkdir(mode=0o700)
    (tmp_path / "state" / "key").write_bytes(bytes(32))
    (tmp_path / "state" / "key").chmod(0o600)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULESPEC_STATE", "state")
    warn.cache_clear()
    assert not has_key()
    assert "RULESPEC_STATE must be an absolute path, not state" in capfd.readouterr().err
