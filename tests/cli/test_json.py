"""What every command prints with `--json` is what its published schema says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import misfits
from texts import COUNTDOWN, HEAPS, RULING

from rulespec.cli.commands import COMMANDS
from rulespec.cli.json_schema import FOLDER, schema_texts

Run = Callable[..., tuple[int, str, str]]
SMALL = "sacred-alignment-small"
GAME = "tic-tac-toe"


@pytest.fixture
def checked(run: Run) -> Callable[..., tuple[int, Any]]:
    """Runs a command with --json; its output must fit its schema, or that of errors if status is 2."""

    def ran(*argv: str) -> tuple[int, Any]:
        status, out, _ = run(*argv, "--json")
        data = json.loads(out)
        name = "error" if status == 2 and "error" in data else argv[0]
        _, text, _ = run("schema", name)
        schema = json.loads(text)
        assert [*misfits(data, schema, schema)] == []
        return status, data

    return ran


def record(run: Run, folder: Path) -> Path:
    """A random play of the small ziggurat, on file."""
    file = folder / "play.json"
    run("play", SMALL, "--player", "random", "--seed", "4", "--plies", "12", "--record", str(file))
    return file


def test_every_command_that_takes_json_has_a_schema(run: Run) -> None:
    _, out, _ = run("schema")
    assert set(out.split()) == {*COMMANDS, "error", "ruleset"} - {"schema", "new", "fmt", "explain"}


def test_the_schemas_are_those_of_the_declarations() -> None:
    """`make schemas` writes them anew after a change of `documents` or of a published dataclass."""
    held = {file.name: file.read_text("utf-8") for file in FOLDER.glob("*.json")}
    assert held == schema_texts()


def test_list(checked: Callable[..., tuple[int, Any]]) -> None:
    status, data = checked("list")
    assert status == 0
    rows = {row["name"]: row for row in data["rulesets"]}
    assert rows[SMALL]["extends"] == ["sacred-alignment"]


@pytest.mark.parametrize(
    "argv",
    [
        ("check", GAME),
        ("show", SMALL, "--rule", "place"),
        ("play", GAME, "--player", "random", "--seed", "1"),
        ("perft", GAME, "--depth", "2"),
        ("simulate", "smith", "--games", "5", "--seed", "1", "--no-store"),
        ("simulate", GAME, "--games", "3", "--seed", "1", "--plies", "6", "--no-store"),
        ("coverage", "smith"),
        ("coverage", GAME),
        ("hint", "eight-puzzle", "--position", "nearly-solved", "--seed", "1", "--timeout", "5"),
        ("solve", SMALL, "--seed", "1", "--timeout", "0.01"),
        ("prove", GAME, "ends", "--no-store"),
        ("mutate", SMALL, "--rule", "ascending", "--no-claims"),
        ("diff", "hex", "hex-small"),
        ("diff", "kuhn-poker", "kuhn-poker", "--prove"),
    ],
    ids=lambda argv: argv[0],
)
def test_a_command(checked: Callable[..., tuple[int, Any]], argv: tuple[str, ...]) -> None:
    status, _ = checked(*argv)
    assert status in (0, 3)


def test_replay_and_why_of_a_record(
    checked: Callable[..., tuple[int, Any]], run: Run, tmp_path: Path
) -> None:
    file = record(run, tmp_path)
    assert checked("replay", str(file))[0] == 0
    status, data = checked("why", "place 0-0 2.2.2/2.2.3", "--record", str(file), "--ply", "1")
    assert (status, data["legal"]) == (1, False)
    text = json.loads(file.read_text())
    text["plays"][1] = text["plays"][0]
    file.write_text(json.dumps(text))
    assert checked("replay", str(file))[0] == 1


def test_survey(checked: Callable[..., tuple[int, Any]], tmp_path: Path) -> None:
    file, answers = tmp_path / "heaps.yaml", str(tmp_path / "answers.sqlite")
    file.write_text(HEAPS)
    for claim in ("three", "fewest"):
        kept = ("--database", f"{answers}.{claim}", "--jobs", "1")
        status, data = checked("survey", str(file), "--claim", claim, "--deals", "4", *kept)
        assert (status, data["deals"], data["undecided"]) == (0, 4, [])
    checked("survey", str(file), "--deals", "3", "--database", answers, "--jobs", "1")
    status, data = checked("recheck", answers, "--sample", "2", "--jobs", "1")
    assert status == 0
    assert [check["result"] for check in data["checks"]] == ["passed"] * 2


def test_recheck(checked: Callable[..., tuple[int, Any]], own_game: Path) -> None:
    assert checked("prove", str(own_game))[0] == 0
    status, data = checked("recheck", str(own_game))
    assert status == 0
    assert {check["result"] for check in data["checks"]} == {"passed"}


def test_book(checked: Callable[..., tuple[int, Any]], own_game: Path, tmp_path: Path) -> None:
    config = tmp_path / "mkdocs.yml"
    config.write_text(f"site_name: x\ntheme: rulespec\nplugins: [{{rulespec: {{rulesets: [{own_game}]}}}}]\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Games\n")
    status, data = checked("book", "--config", str(config), "--out", str(tmp_path / "site"))
    assert status == 3
    assert [one["claim"] for one in data["unproved"]] == ["ends", "never-six"]
    assert (Path(data["site"]) / "index.html").is_file()


@pytest.mark.parametrize(
    "argv",
    [
        ("show", "sacred-alignmnt"),
        ("check", "missing.yaml"),
        ("perft", GAME, "--depth", "1", "--set", "a=1"),
        ("prove", GAME, "--timeout", "x"),
        ("prove", GAME, "--no-such-option"),
    ],
    ids=" ".join,
)
def test_wrong_input_is_json_too(checked: Callable[..., tuple[int, Any]], argv: tuple[str, ...]) -> None:
    assert checked(*argv)[0] == 2


def test_a_wrong_document_does_not_fit() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a", "b"],
              "additionalProperties": False}  # fmt: skip
    found = [*misfits({"a": True, "c": 1}, schema, schema)]
    assert found == [".b is missing", ".a: True is not integer", ".c is not foreseen"]


HASTY = """\
- id: hasty
  prose: There are never three after the first action.
  unreachable: left = 3 and last = 1
"""


def test_prove_tells_plays_and_what_hangs_on_a_reading(
    checked: Callable[..., tuple[int, Any]], tmp_path: Path
) -> None:
    text = COUNTDOWN.replace("- id: bare\n", RULING) + HASTY
    (tmp_path / "own.yaml").write_text(text)
    status, data = checked("prove", str(tmp_path / "own.yaml"), "hasty", "--all-readings", "--no-store")
    assert status == 1
    (play,) = data["plays"]
    assert [step["action"] for step in play["steps"]] == ["take 2"]
    assert play["reasons"] == ["left = 3 is true: 3 = 3", "last = 1 is true: 1 = 1"]
    (effect,) = data["rulings"]
    assert (effect["ruling"], effect["changes"]) == ("opening", True)
    assert effect["play"]["clauses"] == ["opening-law"]


def test_prove_tells_what_breaks_an_induction(
    checked: Callable[..., tuple[int, Any]], run: Run, tmp_path: Path
) -> None:
    claim = "claims:\n- id: four\n  prose: Four are left to the second.\n  invariant: left != 4 or last = 1\n"
    name = str(tmp_path / "own.yaml")
    Path(name).write_text(COUNTDOWN.replace("claims:\n", claim))
    _, data = checked("prove", name, "four", "--why", "--no-store")
    (broken,) = data["unkept"]
    assert (broken["position"]["left"], broken["step"]["action"]) == (5, "take 1")
    _, out, _ = run("prove", name, "four", "never-six", "--why", "--no-store", "--draw")
    assert "four: `take` may break it" in out
    assert "there left != 4 is false: 4 != 4" in out
    assert "never-six: every action preserves it, from any position" in out
