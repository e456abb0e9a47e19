"""Control characters in names of files, arguments and the environment: none of them reaches a terminal."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from texts import COUNTDOWN

from rulespec.cli import output

Run = Callable[..., tuple[int, str, str]]
ODD = "\x1b]0;title\x07\x1b[31m\x9b2J\u202e\udce4"
"""Sets the title of a terminal, colours, erases, reverses; then a byte that is no UTF-8."""
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an odd name, in which a ruleset, a site and a damaged file lie."""
    made = tmp_path / ODD
    (made / "docs").mkdir(parents=True)
    (made / "game.yaml").write_text(COUNTDOWN)
    (made / f"{ODD}.yaml").write_text(COUNTDOWN)
    (made / "bad.yaml").write_text("rulespec: 1\nid: [\n")
    (made / "verdicts.json.gz").write_text("no store")
    (made / "docs" / "index.md").write_text("```rulespec\nruleset: none\n```\n")
    (made / "docs" / f"{ODD}.md").write_text("# Games\n[none](none.md)\n")
    (made / "mkdocs.yml").write_text("site_name: x\ntheme: rulespec\nplugins: [rulespec]\n")
    return made


COMMANDS = (
    ODD,
    f"check {ODD}",
    f"check --{ODD}",
    "check game.yaml bad.yaml none.yaml",
    f"check {ODD}.yaml",
    "check docs/index.md",
    "prove game.yaml",
    f"prove game.yaml {ODD}",
    f"prove game.yaml --set {ODD}=1",
    f"prove game.yaml --no-store --record {ODD}/none/play.json",
    f"play game.yaml --player random --seed {ODD} --record play.json",
    f"play game.yaml --player {ODD}",
    f"why game.yaml {ODD}",
    "replay game.yaml",
    f"survey game.yaml --database {ODD}.db --claim {ODD}",
    "recheck game.yaml",
    f"recheck {ODD}.sqlite",
    "coverage game.yaml --document none.txt",
    "book --within 1",
    f"book --within 1 --out {ODD}",
    "book --config none.yml",
)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize("absolute", [False, True])
def test_odd_names_reach_no_terminal(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch, absolute: bool
) -> None:
    """A warning about a cache, and faults of a site, showed the escape sequences in names of folders."""
    monkeypatch.chdir(folder.parent if absolute else folder)
    for command in COMMANDS:
        words = command.split(" ")
        if absolute:
            files = {path.name for path in folder.iterdir()} | {"none.yaml", "none.yml", f"{ODD}.sqlite"}
            words = [str(folder / word) if word in files else word for word in words]
        status, out, err = run(*words)
        found = CONTROLS.search(out + err)
        assert found is None, (command, (out + err)[max(found.start() - 200, 0) :][:300])
        assert status in (0, 1, 2, 3), command


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize("name", ["RULESPEC_CACHE", "RULESPEC_STATE", "XDG_CACHE_HOME", "HOME", "COLUMNS"])
def test_the_environment_reaches_no_terminal(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """An unusable cache folder was named in a warning as it stood in the environment."""
    (folder / "file").write_text("")
    for key in os.environ:
        if key.startswith(("RULESPEC", "XDG")):
            monkeypatch.delenv(key)
    monkeypatch.setenv(name, str(folder / "file" / "in"))
    monkeypatch.chdir(folder)
    command = ["prove", "--no-store"] if name == "RULESPEC_STATE" else ["check"]
    status, out, err = run(*command, "game.yaml")
    assert status == 0
    assert not CONTROLS.search(out + err)


def test_json_escapes_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    with output.without_controls():
        output.print_json({"path": ODD})
    text = capsys.readouterr().out
    assert not CONTROLS.search(text)
    assert json.loads(text) == {"path": ODD}


def test_streams_are_given_back(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout
    with output.without_controls():
        print(f"\x1b[31m{ODD}")
        output.print_styled("\x1b[31m", end="")
    assert sys.stdout is before
    assert [*CONTROLS.findall(capsys.readouterr().out)] == ["\x1b"]
