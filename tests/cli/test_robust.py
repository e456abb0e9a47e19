"""Closed streams, full disks, odd databases, killed processes: one line reports them, nothing is lost."""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from cli.conftest import Run
from texts import COUNTDOWN, HEAPS

import rulespec
from rulespec.budgets import OutOfBudget
from rulespec.cli import main
from rulespec.core.verdicts import Store
from rulespec.play.face import Game
from rulespec.play.perft import perft

COMMAND = (sys.executable, "-m", "rulespec")
SIMULATE = ("simulate", "tic-tac-toe", "--seed", "1", "--jobs", "1")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game" / "ruleset.yaml"
    path.parent.mkdir()
    path.write_text(COUNTDOWN)
    return path


def shell(line: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell in which `rulespec` is this program."""
    text = f'rulespec() {{ {" ".join(COMMAND)} "$@"; }}; {line}'
    done = subprocess.run(
        ["sh", "-c", text], capture_output=True, text=True, check=False, env={**os.environ, **env}
    )
    assert "Traceback" not in done.stderr + done.stdout
    return done


# ---- streams


@pytest.mark.parametrize(
    ("command", "closed"),
    [("check nim", ">&-"), ("check nim", "2>&-"), ("play nim", "<&-"), ("play nim", "<&- >&- 2>&-")],
)
def test_a_stream_may_be_closed(closed: str, command: str) -> None:
    done = shell(f"rulespec {command} {closed}")
    assert done.returncode == 0, done.stderr


def test_no_file_becomes_a_closed_stream(game: Path) -> None:
    """A file that is opened next gets the number of a closed stream, and output would go into it."""
    shell(f"rulespec prove {game} --again <&- >&- 2>&-")
    assert {v.claim for v in Store.read(game.parent / "verdicts.json.gz")} == {"ends", "never-six"}


@pytest.mark.parametrize("command", ["list", "simulate nim --games 5 --no-store --json --seed 1"])
def test_a_full_disk_behind_standard_output_is_reported(command: str) -> None:
    done = shell(f"rulespec {command} > /dev/full")
    assert done.returncode == 2
    assert done.stderr.count("rulespec: standard output: No space left on device") == 1


# ---- files that cannot be written


@pytest.mark.parametrize("file", [".", "no/such/folder/x.json", "link.json"])
@pytest.mark.parametrize(
    "command",
    [
        "play nim --player random --seed 1 --record FILE",
        "simulate nim --games 5 --seed 1 --plot FILE",
        "simulate nim --games 5 --seed 1 --record 1=FILE",
        "prove GAME --record FILE",
    ],
)
def test_an_unwritable_output_is_reported_before_any_work(
    file: str, command: str, game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (game.parent / "link.json").symlink_to("/dev/null")
    monkeypatch.chdir(game.parent)
    status, out, err = run(*command.replace("GAME", str(game)).replace("FILE", file).split())
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert not (game.parent / "verdicts.json.gz").exists()


@pytest.mark.parametrize("link", ["game.yaml", "ruleset.schema.json", "site"])
def test_nothing_new_is_written_through_a_link(link: str, tmp_path: Path, run: Run) -> None:
    """A link that leads nowhere counts as missing, so a file was made where it led; a folder got files."""
    (elsewhere := tmp_path / "elsewhere").mkdir()
    (tmp_path / link).symlink_to("elsewhere" if link == "site" else "elsewhere/made")
    command = ("book", "new", "site") if link == "site" else ("new", "puzzle", "game.yaml")
    status, out, err = run(*command[:-1], str(tmp_path / command[-1]))
    assert (status, out, [*elsewhere.iterdir()]) == (2, "", [])
    assert link in err and not (tmp_path / "game.yaml").is_file()


@pytest.mark.parametrize("file", [".", "/dev/null", "link.sqlite"])
def test_a_database_is_a_file(file: str, tmp_path: Path) -> None:
    """`--database .` ended in a traceback."""
    (tmp_path / "link.sqlite").symlink_to("elsewhere.sqlite")
    done = shell(f"cd {tmp_path}; rulespec {' '.join(SIMULATE)} --games 5 --database {file}")
    assert done.returncode == 2
    assert "a link or no file" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["link.sqlite"]


FULL = "ulimit -f"
"""A shell command that, with a number, limits the blocks of each file, to act like a full disk."""


def test_a_full_disk_is_reported_by_file_and_keeps_the_old_store(game: Path) -> None:
    """The message named `standard output`, and an empty file stayed behind."""
    assert shell(f"rulespec prove {game} ends").returncode == 0
    store = game.parent / "verdicts.json.gz"
    before = store.read_bytes()
    done = shell(f"{FULL} 0; rulespec prove {game} never-six", RULESPEC_CACHE=str(game.parent / "kept"))
    assert done.returncode == 2
    assert f"rulespec: {store}: File too large" in done.stderr
    assert store.read_bytes() == before
    assert {path.name for path in game.parent.iterdir()} <= {"ruleset.yaml", "verdicts.json.gz", "kept"}


def test_a_full_disk_leaves_the_old_record(tmp_path: Path) -> None:
    record = tmp_path / "play.json"
    play = "rulespec play nim --player random --seed 1 --record"
    assert shell(f"{play} {record}").returncode == 0
    before = record.read_bytes()
    done = shell(f"{FULL} 0; {play} {record} > /dev/null")
    assert done.returncode == 2
    assert f"rulespec: {record}: File too large" in done.stderr
    assert record.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["play.json"]


def test_a_full_disk_is_reported_for_a_database(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    done = shell(f"{FULL} 8; rulespec {' '.join(SIMULATE)} --games 200000 --database {file}")
    assert done.returncode == 2
    assert str(file) in done.stderr
    assert shell(f"rulespec {' '.join(SIMULATE)} --games 50 --database {file}").returncode == 0


def test_a_full_disk_is_reported_for_a_site(tmp_path: Path) -> None:
    """The message named a file of the theme, which was read."""
    assert shell(f"cd {tmp_path}; rulespec book new games").returncode == 0
    # Python would keep a part of a compiled module.
    done = shell(f"cd {tmp_path}/games; {FULL} 4; rulespec book --out ../public", PYTHONDONTWRITEBYTECODE="1")
    assert done.returncode == 2
    assert f"rulespec: {tmp_path / 'public'}: File too large" in done.stderr
    assert not (tmp_path / "public").exists()


# ---- files of others


def test_a_folder_of_rulesets_is_checked(game: Path) -> None:
    """`check` of one said `0 faults`, and had read nothing."""
    (game.parent / "fault.yaml").write_text(COUNTDOWN.replace("players: 2", "players: 99"))
    (game.parent / "notes.yaml").write_text("a: 1\n")
    done = shell(f"cd {game.parent.parent}; mkdir several; mv game several/one; rulespec check several")
    assert done.returncode == 2
    assert "several/one/fault.yaml:" in done.stdout
    assert "2 rulesets" in done.stdout


def test_a_folder_with_nothing_to_check_is_named(tmp_path: Path) -> None:
    done = shell(f"cd {tmp_path}; mkdir empty; rulespec check empty")
    assert (done.returncode, done.stdout) == (3, "0 faults\nthere is no ruleset and no page in `empty`\n")


def test_a_record_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    record = tmp_path / "play.json"
    assert shell(f"rulespec play nim --player random --seed 1 --record {record}").returncode == 0
    record.write_bytes(b"\xef\xbb\xbf" + record.read_bytes())
    assert shell(f"rulespec replay {record}").returncode == 0


@pytest.mark.parametrize("command", ["recheck", "prove"])
def test_a_store_that_is_a_link_is_not_followed(command: str, game: Path, tmp_path: Path, run: Run) -> None:
    assert run("prove", str(game), "ends")[0] == 0
    store, elsewhere = game.parent / "verdicts.json.gz", tmp_path / "elsewhere.json.gz"
    store.rename(elsewhere)
    store.symlink_to(elsewhere)
    before = elsewhere.read_bytes()
    status, out, err = run(command, str(game))
    assert (status, out) == (2, "")
    assert "verdicts.json.gz: a link, which is not followed" in err
    assert elsewhere.read_bytes() == before


# ---- databases of others

RUN = "CREATE TABLE run (name, value); INSERT INTO run VALUES "
ODD = {
    "numbers": f"{RUN} ('format', 7)",
    "no columns": "CREATE TABLE run (x)",
    "a view": "CREATE VIEW run AS SELECT 'format' AS name, 'x' AS value",
    "no settings": f"{RUN} ('format', '\"rulespec survey 2\"'), ('load', '[1]')",
    "odd settings": f"{RUN} ('format', '\"rulespec survey 2\"'), ('load', '{{\"ruleset\": [1]}}')",
    "deep": f"{RUN} ('format', '{'[' * 50_000}')",
    "digits": f"{RUN} ('format', '{'9' * 5_000}')",
}


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_database_is_refused(odd: str, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "odd.sqlite"
    with sqlite3.connect(file) as db:
        db.executescript(ODD[odd])
    for line in (("recheck", str(file)), (*SIMULATE, "--games", "5", "--database", str(file))):
        status, _, err = run(*line)
        assert status == 2
        assert str(file) in err


# ---- killed at any moment


def killed(*argv: str, waits: Iterator[float]) -> int:
    """Run a command and kill it after some time, again until it ends by itself; the number of kills."""
    times = 0
    for wait in waits:
        process = subprocess.Popen(
            [*COMMAND, *argv], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            process.wait(wait)
            return times
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            times += 1
    raise AssertionError("it never came to an end")


def growing(wait: float = 0.1) -> Iterator[float]:
    """Growing numbers of seconds: from before Python is up, on any machine, to enough for a busy one."""
    for _ in range(15):
        yield wait
        wait *= 3


@pytest.mark.parametrize("way", ["simulate", "survey"])
def test_a_killed_database_is_whole_and_goes_on(way: str, tmp_path: Path) -> None:
    file, ruleset = tmp_path / "kept.sqlite", tmp_path / "heaps.yaml"
    ruleset.write_text(HEAPS)
    commands: dict[str, tuple[str, ...]] = {
        "simulate": (*SIMULATE, "--games", "20000"),
        "survey": ("survey", str(ruleset), "--claim", "three", "--deals", "12", "--jobs", "1", "--json"),
    }
    command = (*commands[way], "--database", str(file))
    assert killed(*command, waits=growing()) > 0
    with sqlite3.connect(file) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    again = shell(f"rulespec {' '.join(command)}").stdout
    file.unlink()
    fresh = shell(f"rulespec {' '.join(command)}").stdout
    assert again == fresh or json.loads(again)["outcomes"] == json.loads(fresh)["outcomes"]
    assert {path.name for path in tmp_path.iterdir()} == {file.name, ruleset.name}


@pytest.mark.parametrize("way", ["prove", "certify"])
def test_a_killed_prover_loses_nothing_and_leaves_nothing_behind(way: str, game: Path) -> None:
    store = game.parent / "verdicts.json.gz"
    if way == "certify":
        assert shell(f"rulespec prove {game} --again").returncode == 0
    assert killed(way, str(game), waits=growing()) > 0
    assert {v.claim: v.outcome for v in Store.read(store)} == {"ends": "proved", "never-six": "proved"}
    assert not [path.name for path in game.parent.rglob("*") if path.name.endswith(".part")]
    assert shell(f"rulespec recheck {game}").returncode == 0


def test_a_killed_build_leaves_the_old_site_or_the_new(tmp_path: Path, game: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Home\n")
    config = tmp_path / "mkdocs.yml"
    config.write_text(f"site_name: Site\nplugins:\n- rulespec:\n    rulesets: [{game}]\n")
    assert shell(f"cd {tmp_path}; rulespec book").returncode == 3, "no claim has a verdict"
    before = {path.relative_to(tmp_path) for path in tmp_path.rglob("*")}
    process = subprocess.Popen(
        [*COMMAND, "book"], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        process.wait(1.2)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert shell(f"cd {tmp_path}; rulespec book").returncode == 3
    assert {path.relative_to(tmp_path) for path in tmp_path.rglob("*")} == before


# ---- twice at once


def test_two_simulations_of_one_database_agree(tmp_path: Path) -> None:
    command = [*COMMAND, *SIMULATE, "--games", "30000", "--json"]
    both = [
        subprocess.Popen([*command, "--database", str(tmp_path / "games.sqlite")], stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    found: list[Any] = [json.loads(process.communicate()[0]) for process in both]
    assert found[0] == found[1]
    assert [process.returncode for process in both] == [0, 0]


@pytest.mark.parametrize(
    "argv",
    [("show", "nim", "\x1b[2J"), ("why", "nim", "\x1b[2J", "--seed", "1"), ("check", "\x1b[2J.yaml")],
)
def test_echoed_arguments_have_no_control_characters(
    argv: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err


# ---- links in a circle, and what is no file


@pytest.mark.parametrize("variable", ["RULESPEC_CACHE", "RULESPEC_STATE", "XDG_STATE_HOME"])
def test_folders_that_are_links_in_a_circle_are_done_without(
    variable: str, game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Following such links ended in a traceback."""
    (game.parent / "circle").symlink_to("circle")
    if variable == "XDG_STATE_HOME":
        monkeypatch.delenv("RULESPEC_STATE")
    monkeypatch.setenv(variable, str(game.parent / "circle"))
    for command in ("prove", "recheck"):
        assert run(command, str(game))[0] == 0


@pytest.mark.parametrize("line", ["check circle", "coverage smith --document circle", "replay circle"])
def test_a_file_that_is_a_link_in_a_circle_is_told(
    line: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("circle").symlink_to("circle")
    status, out, err = run(*line.split())
    assert status == 2
    assert "circle" in err + out


def site(folder: Path, pages: str = "rulebooks") -> None:
    """The configuration and first page of a site."""
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text("# Home\n")
    plugin = f"rulespec: {{rulesets: [games], pages: {pages}}}"
    (folder / "mkdocs.yml").write_text(f"site_name: x\ntheme: rulespec\nplugins: [{{{plugin}}}]\n")
    (folder / "games").mkdir()


@contextmanager
def bounded() -> Iterator[None]:
    """Let what is waited for, or writes without end, fail instead: a minute, and 100 MB for each file."""

    def late(signal: int, frame: FrameType | None) -> None:
        raise TimeoutError

    before, sizes = signal.signal(signal.SIGALRM, late), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000_000, sizes[1]))
    signal.alarm(60)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_FSIZE, sizes)


ODD_FILES = {
    "mkfifo docs/a.md": "docs/a.md",
    "ln -s /dev/zero docs/a.md": "docs/a.md",
    r"printf '\377\376' > docs/a.md": "docs/a.md",
    "mkfifo docs/a.txt": "docs/a.txt",
    "ln -s /dev/zero docs/a.txt": "docs/a.txt",
    "ln -s a.txt docs/a.txt": "docs/a.txt",
    "mkfifo games/a.yaml": "",
}
"""Commands that put an odd file into a site, and the name of the file where the site is not built then."""


@pytest.mark.parametrize("odd", ODD_FILES)
def test_a_site_is_made_of_files(odd: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe among pages was waited for, and a device filled the memory, or the disk."""
    site(tmp_path)
    monkeypatch.chdir(tmp_path)
    subprocess.run(["sh", "-c", odd], check=True)
    with bounded():
        status, _, err = run("book")
    told = ODD_FILES[odd]
    assert status in ((1, 2) if told else (0, 3)), err
    assert told in err
    assert (tmp_path / "site").exists() is not bool(told)


def test_a_configuration_that_is_a_pipe_is_not_waited_for(tmp_path: Path, run: Run) -> None:
    os.mkfifo(tmp_path / "mkdocs.yml")
    with bounded():
        status, _, err = run("book", "--config", str(tmp_path / "mkdocs.yml"))
    assert (status, "it is not a regular file" in err) == (2, True)


@pytest.mark.parametrize("pages", ["../out", "/tmp/out", "a/../../out", "'.'", "''"])
def test_no_page_goes_out_of_the_site(
    pages: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rulebook pages were written into any folder that the configuration named."""
    site(tmp_path, pages)
    monkeypatch.chdir(tmp_path)
    status, _, err = run("book")
    assert status in (1, 2)
    assert "is no folder of the site" in err


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
SCHEMES = {
    "a view of what was asked": f"DROP TABLE run; CREATE VIEW run AS {ENDLESS} SELECT x AS name FROM c",
    "a view of games": f"DROP TABLE batches; CREATE VIEW batches AS {ENDLESS} SELECT x AS first FROM c",
    "a trigger": "CREATE TRIGGER t BEFORE INSERT ON batches BEGIN DELETE FROM batches; END",
    "another table": "CREATE TABLE other (x INTEGER)",
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_database_holds_no_program(scheme: str, tmp_path: Path, run: Run) -> None:
    """A view that never ends was waited for, and triggers were run."""
    file = tmp_path / "games.sqlite"
    line = f"{' '.join(SIMULATE)} --games 5 --database {file}"
    assert run(*line.split())[0] == 0
    with sqlite3.connect(file) as db:
        db.executescript(SCHEMES[scheme])
    with bounded():
        status, out, err = run(*line.replace("--games 5", "--games 9").split())
    assert status == 2, out
    assert str(file) in err


@pytest.mark.parametrize(
    ("asked", "words"),
    [(("prove",), "use --no-store"), (("play", "--record", "{folder}/record.json"), "Permission denied")],
)
def test_a_folder_that_cannot_be_written_is_told_before_the_work(
    run: Run, own_game: Path, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...], words: str
) -> None:
    """It was told after it, and what had been decided or played was lost."""
    folder, access = own_game.parent, os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != folder and access(path, mode))
    name, *options = (text.format(folder=folder) for text in asked)
    status, _, err = run(name, str(own_game), *options)
    assert (status, words in err) == (2, True), err


@pytest.mark.parametrize("option", [(), ("--json",)])
def test_depths_that_were_counted_before_a_limit_are_told(
    run: Run, own_game: Path, monkeypatch: pytest.MonkeyPatch, option: tuple[str, ...]
) -> None:
    """They were lost."""

    def limited(game: Game, depth: int, *rest: Any, **options: Any) -> dict[int, int]:
        if depth > 2:
            raise OutOfBudget("the limit of 1 s")
        return perft(game, depth, *rest, **options)

    monkeypatch.setattr("rulespec.play.perft.perft", limited)
    status, out, err = run("perft", str(own_game), "--depth", "9", *option)
    assert (status, "not all depths were counted" in err) == (3, True)
    told = json.loads(out)["counts"].values() if option else out.split()[1::2]
    assert [int(count) for count in told] == [*perft(rulespec.load(str(own_game)), 2).values()]
