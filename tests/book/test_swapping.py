"""A folder that takes the place of another one: a killed process leaves nothing that stays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulespec.book.output.swapping import MARK, remove_unfinished, replacing


class Killed(BaseException):
    """The end of a process at some point."""


def build(target: Path) -> None:
    with replacing(target) as new:
        (new / "page").mkdir()
        (new / "page" / "index.html").write_text("new", "utf-8")
        (new / "a.html").write_text("new", "utf-8")


def test_what_a_build_that_is_killed_while_it_removes_the_old_site_leaves_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mark was removed before the rest, which then stayed for ever."""
    target = tmp_path / "site"
    build(target)

    def killed(folder: Path, ignore_errors: bool = False) -> None:
        for path in folder.glob("*"):
            if path.is_file():
                path.unlink()
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", killed)
        with pytest.raises(Killed):
            build(target)
    left = [path for path in tmp_path.iterdir() if path != target]
    assert left
    assert all((path / MARK).is_file() for path in left)
    build(target)
    assert [*tmp_path.iterdir()] == [target]
    assert (target / "page" / "index.html").read_text("utf-8") == "new"


def test_a_folder_that_was_not_marked_yet_is_removed_if_it_is_empty(tmp_path: Path) -> None:
    empty, mine = (tmp_path / f".rulespec-site-{digit * 32}" for digit in "01")
    empty.mkdir()
    mine.mkdir()
    (mine / "notes.txt").write_text("mine", "utf-8")
    remove_unfinished(tmp_path)
    assert [*tmp_path.iterdir()] == [mine]
