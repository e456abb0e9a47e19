"""Files are written atomically and not through links; only temporary files of ours are removed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rulespec.core.storage import atomic_files
from rulespec.core.storage.atomic_files import (
    LinkError,
    make_folder,
    regular_files,
    remove_unfinished,
    write_bytes,
    write_text,
)

LEFT = f".rulespec-{'0' * 32}.part"


def held(folder: Path) -> list[str]:
    """The names in a folder."""
    return sorted(path.name for path in folder.iterdir())


def run(program: str, target: Path) -> str:
    """Run a Python program in a process of its own; its output."""
    command = [sys.executable, "-c", f"import sys; from pathlib import Path\n{program}", str(target)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A file that holds "old"."""
    path = tmp_path / "a.json"
    path.write_text("old")
    return path


def test_a_file_is_written_and_nothing_else_is_left(tmp_path: Path) -> None:
    write_text(tmp_path / "a.json", "höher")
    assert (tmp_path / "a.json").read_text("utf-8") == "höher"
    assert held(tmp_path) == ["a.json"]


def test_a_replaced_file_keeps_its_permissions(target: Path) -> None:
    target.chmod(0o640)
    write_text(target, "new")
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("new", 0o640)


def test_a_new_file_has_the_permissions_that_the_user_wants(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        write_text(tmp_path / "a.json", "")
    finally:
        os.umask(before)
    assert (tmp_path / "a.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("there", [True, False])
def test_nothing_is_written_through_a_link(tmp_path: Path, there: bool) -> None:
    victim, link = tmp_path / "victim", tmp_path / "verdicts.json.gz"
    if there:
        victim.write_text("mine")
    link.symlink_to(victim)
    with pytest.raises(LinkError, match=re.escape(str(link))):
        write_bytes(link, b"theirs")
    assert victim.read_text() == "mine" if there else not victim.exists()


def test_a_pipe_is_no_file_to_be_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(LinkError):
        write_bytes(pipe, b"")
    assert pipe.is_fifo()


def test_a_link_laid_where_the_new_file_would_be_leads_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger's folder held a link under the name of the temporary file of a store."""
    victim = tmp_path / "victim"
    victim.write_text("mine")
    tokens = iter([bytes(16), bytes([17] * 16)])
    monkeypatch.setattr(atomic_files.os, "urandom", lambda size: next(tokens))
    (tmp_path / LEFT).symlink_to(victim)
    with pytest.raises(FileExistsError):
        write_bytes(tmp_path / "verdicts.json.gz", b"theirs")
    assert victim.read_text() == "mine"
    assert (tmp_path / LEFT).is_symlink()


def test_a_linked_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "certificates").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LinkError, match="certificates"):
        make_folder(tmp_path / "certificates")


def test_a_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    assert make_folder(make_folder(tmp_path / "a" / "b")) == tmp_path / "a" / "b"


def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        write_bytes(tmp_path / "missing" / "a.json", b"")
    assert caught.value.filename == str(tmp_path / "missing" / "a.json")


def test_a_full_disk_keeps_the_old_file_and_is_reported_by_name(tmp_path: Path, target: Path) -> None:
    """`play --record` on a full disk once emptied the old record."""
    program = (
        "import resource; from rulespec.core.storage.atomic_files import write_bytes\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try: write_bytes(Path(sys.argv[1]), bytes(5000))\n"
        "except OSError as error: print(error.filename)"
    )
    assert run(program, target) == str(target)
    assert target.read_text() == "old"
    assert held(tmp_path) == ["a.json"]


def test_an_interrupt_leaves_the_old_file(
    tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(number: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(atomic_files.os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_text(target, "new")
    assert target.read_text() == "old"
    assert held(tmp_path) == ["a.json"]


def test_a_killed_process_leaves_the_old_file_and_the_next_one_tidies_up(
    tmp_path: Path, target: Path
) -> None:
    program = (
        "import os, signal; from rulespec.core.storage import atomic_files\n"
        "atomic_files.os.fsync = lambda number: os.kill(os.getpid(), signal.SIGKILL)\n"
        "atomic_files.write_text(Path(sys.argv[1]), 'new')"
    )
    run(program, target)
    assert target.read_text() == "old"
    assert len(held(tmp_path)) == 2
    write_text(target, "new")
    assert target.read_text() == "new"
    assert held(tmp_path) == ["a.json"]


def test_a_file_being_written_is_no_leftover(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sync = os.fsync

    def meanwhile(number: int) -> None:
        remove_unfinished(tmp_path)
        sync(number)

    monkeypatch.setattr(atomic_files.os, "fsync", meanwhile)
    write_text(tmp_path / "a.json", "new")
    assert (tmp_path / "a.json").read_text() == "new"


def test_many_write_one_file_at_once(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    texts = [str(i) * 10_000 for i in range(8)]
    threads = [threading.Thread(target=lambda t=t: [write_text(target, t) for _ in range(20)]) for t in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert target.read_text() in texts
    assert held(tmp_path) == ["a.txt"]


def test_only_temporary_files_of_this_program_are_removed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    others = ["download.part", ".rulespec-1.part", LEFT + "x"]
    for name in others:
        (tmp_path / name).write_text("")
    linked = f".rulespec-{'1' * 32}.part"
    (tmp_path / linked).symlink_to(victim)
    (tmp_path / LEFT).write_text("")
    remove_unfinished(tmp_path)
    assert set(held(tmp_path)) == {"victim", linked, *others}
    assert regular_files(tmp_path, atomic_files.UNFINISHED) == []
