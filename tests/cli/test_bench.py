"""The small bench of an author: new, fmt, the schema for editors, watching, and folders."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import misfits

from rulespec.cli import main
from rulespec.cli.arguments import TEMPLATES
from rulespec.cli.checking import check_ruleset
from rulespec.core.diagnostics import Report, Source
from rulespec.language import locate, read, shipped_rulesets
from rulespec.language.documents.json_schema import ruleset_schema
from rulespec.language.documents.ruleset_files import source_of
from rulespec.language.formatting import format_ruleset

RULESETS = sorted(shipped_rulesets())
SMALL = ("tic-tac-toe", "kuhn-poker", "pig", "draughts-repetition", "hex-small", "leistiko-base")


@pytest.mark.parametrize("kind", TEMPLATES)
def test_a_new_ruleset_raises_no_doubt(kind: str, tmp_path: Path) -> None:
    assert main(["new", kind, str(tmp_path / "my-game.yaml")]) == 0
    result = check_ruleset(str(tmp_path / "my-game.yaml"))
    assert result.faults == ()
    assert read(tmp_path / "my-game.yaml").with_settings().id == "my-game"


def test_a_new_variant_and_its_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "my-nim.yaml"
    assert main(["new", "variant", str(file), "--of", "nim"]) == 0
    assert check_ruleset(str(file)).faults == ()
    assert file.read_text().startswith("# yaml-language-server: $schema=ruleset.schema.json\n")
    assert json.loads((tmp_path / "ruleset.schema.json").read_text()) == ruleset_schema()
    assert main(["new", "variant", str(file), "--of", "nim"]) == 2
    assert "already exists" in capsys.readouterr().err


@pytest.mark.parametrize("title", ["'Nim: again'", "'{a: b'", "'say \"x\" # y'"])
def test_a_title_is_a_text_in_a_new_variant(title: str, tmp_path: Path) -> None:
    """It was written as YAML into the summary, where it could be anything."""
    text = locate("nim").read_text("utf-8").replace("title: Nim", f"title: {title}")
    (tmp_path / "base.yaml").write_text(text, "utf-8")
    assert main(["new", "variant", str(tmp_path / "mine.yaml"), "--of", str(tmp_path / "base.yaml")]) == 0
    made: Any = yaml.safe_load((tmp_path / "mine.yaml").read_text("utf-8"))
    assert made["summary"] == f"{yaml.safe_load(title)}, with a change."


def test_every_shipped_ruleset_is_one_by_the_schema() -> None:
    schema = ruleset_schema()
    for name in RULESETS:
        data: Any = yaml.load(locate(name).read_text("utf-8"), yaml.BaseLoader)  # noqa: S506
        assert not [*misfits(data, schema, schema)], name


def test_the_schema_finds_a_misspelt_key() -> None:
    schema = ruleset_schema()
    data: Any = yaml.load(locate("nim").read_text("utf-8"), yaml.BaseLoader)  # noqa: S506
    data["rules"][0]["pros"] = "A misspelt key."
    assert [*misfits(data, schema, schema)]


@pytest.mark.parametrize("name", SMALL)
def test_the_layout_is_stable_and_means_the_same(name: str) -> None:
    source = source_of(locate(name), Report())
    assert source is not None
    text = format_ruleset(source)
    laid_out = Source(source.name, text)
    assert format_ruleset(laid_out) == text
    assert text.count("#") == source.text.count("#")
    assert (
        read(name, instead={source.name: laid_out}).with_settings().digest
        == read(name).with_settings().digest
    )


def test_the_layout_of_every_shipped_ruleset_is_stable() -> None:
    for name in RULESETS:
        source = source_of(locate(name), Report())
        assert source is not None
        text = format_ruleset(source)
        assert format_ruleset(Source(source.name, text)) == text, name


def test_the_layout_keeps_comments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "own.yaml"
    assert main(["new", "puzzle", str(file)]) == 0
    good = file.read_text()
    wide = good.replace("end: moves = 30", "end:   moves=30 # lost").replace("0..30 = 0", "0..30=0  # few")
    file.write_text(wide)
    assert main(["fmt", str(file), "--check"]) == 1
    assert main(["fmt", str(file)]) == 0
    text = file.read_text()
    assert "end:   moves = 30 # lost" in text
    assert "# few" in text
    assert main(["fmt", str(file), "--check"]) == 0
    assert "0 changed, 1 unchanged" in capsys.readouterr().out


def test_a_folder_is_laid_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "games").mkdir()
    for kind in ("dice", "board"):
        assert main(["new", kind, str(tmp_path / "games" / f"{kind}.yaml")]) == 0
    dice = tmp_path / "games" / "dice.yaml"
    dice.write_text(dice.read_text().replace(" := ", ":="))
    capsys.readouterr()
    assert main(["fmt", str(tmp_path / "games"), "--check"]) == 1
    out = capsys.readouterr().out
    assert "dice.yaml" in out and "1 changed, 1 unchanged" in out
    (tmp_path / "empty").mkdir()
    assert main(["fmt", str(tmp_path / "empty")]) == 2
    assert "no ruleset in the folder" in capsys.readouterr().err


def test_a_folder_says_what_was_not_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "dice", str(tmp_path / "one.yaml")]) == 0
    (tmp_path / "notes.txt").write_text("to do")
    (tmp_path / "other.yaml").write_text("a: 1\n")
    assert main(["check", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "1 ruleset, 0 examples, 0 faults" in told
    assert "ignored: 2 files (notes.txt, other.yaml)" in told


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs groups of processes")
def test_a_saved_file_is_checked_again(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    assert main(["new", "puzzle", str(file)]) == 0
    command = [sys.executable, "-m", "rulespec", "check", str(file), "--watch"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "1 ruleset, 0 examples, 0 faults\n"
            time.sleep(0.2)
            saved = tmp_path / "saved"  # in one step, so that no half of it is checked
            saved.write_text(file.read_text().replace("end: moves = 30", "end: move = 30"))
            saved.replace(file)
            lines = [process.stdout.readline() for _ in range(2)]
            assert "nothing is called `move`" in "".join(lines)
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["new", "board", "mine.yaml", "--of", "nim"], "`--of` is for variants"),
        (["recheck", "nim", "--sample", "3"], "--sample is for surveys"),
        (["show", "tic"], "did you mean tic-tac-toe?"),
    ],
)
def test_an_option_without_a_use_is_refused(
    command: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(command) == 2
    captured = capsys.readouterr()
    assert words in captured.out + captured.err
