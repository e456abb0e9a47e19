"""Untrusted files are read only if they are regular, up to a limit."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulespec.core.storage.safe_reading import read_bytes, read_text


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\r\ntwo\rthree\n")
    assert read_bytes(path, 15) == b"one\r\ntwo\rthree\n"
    assert read_text(path, 15) == "one\ntwo\nthree\n"


def test_a_larger_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"12345")
    with pytest.raises(OSError, match="larger than 4 bytes"):
        read_bytes(path, 4)


def test_a_pipe_a_device_and_a_folder_are_refused(tmp_path: Path) -> None:
    """Reading a pipe without a writer never ended, and a link to /dev/zero took all memory."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "endless").symlink_to("/dev/zero")
    for name in ("pipe", "endless", "."):
        with pytest.raises(OSError, match=r"regular file|directory"):
            read_bytes(tmp_path / name, 100)
