"""The command line as its user meets it: results, exit statuses, and no traceback for bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rulespec.cli import main

GAME = "sacred-alignment-small"


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = main(argv)
    out, err = capsys.readouterr()
    return status, out, err


def test_list_names_every_shipped_ruleset(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "list", "--json")
    assert status == 0
    assert {"sacred-alignment", GAME} <= {row["name"] for row in json.loads(out)}


def test_check_runs_the_examples_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "check", "--json")
    found = json.loads(out)
    assert (status, found["diagnostics"]) == (0, [])
    assert found["examples"] > 0


def test_check_names_a_failing_example(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"```rulespec\nruleset: {GAME}\nseed: 1\nlegal: place 0-0 2.2.2/2.2.3\n```\n")
    status, out, _ = run(capsys, "check", str(page))
    assert status == 1
    assert "page.md:" in out


def test_perft_prints_counts_by_depth(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "perft", GAME, "--depth", "1", "--seed", "0", "--json")
    assert status == 0
    assert json.loads(out) == {"counts": {"1": 240}}


def test_why_names_the_clause(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "why", GAME, "place 0-0 2.2.2/2.2.3", "--seed", "1")
    assert status == 1
    assert "illegal by `supported`" in out


def test_a_random_play_is_recorded_and_replayed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = tmp_path / "play.json"
    setting = ("--set", "most-cheats=0")
    status, out, _ = run(
        capsys, "play", GAME, *setting, "--random", "--seed", "4", "--record", str(record), "--json"
    )
    assert status == 0
    plies = len(json.loads(out)["plays"])
    status, out, _ = run(capsys, "replay", str(record), "--json")
    assert (status, json.loads(out)["plies"]) == (0, plies)


def test_a_record_with_an_illegal_action_fails(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = tmp_path / "play.json"
    run(capsys, "play", GAME, "--set", "most-cheats=0", "--random", "--seed", "4", "--record", str(record))
    data = json.loads(record.read_text())
    data["plays"][1] = data["plays"][0]
    record.write_text(json.dumps(data, indent=1))
    status, out, _ = run(capsys, "replay", str(record))
    assert status == 1
    assert data["plays"][0] in out


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("check", "sacred-alignmnt"), "did you mean sacred-alignment?"),
        (("show", GAME, "--set", "tiers=9"), "`tiers` is one of 1..4"),
        (("show", GAME, "--set", "tiers"), "is not of the form NAME=VALUE"),
        (("show", GAME, "--reading", "alignment=sideways"), "no reading `sideways`"),
        (("show", GAME, "--reading", "alinment=half"), "did you mean alignment?"),
        (("show", GAME, "--players", "3"), "3"),
        (("show", GAME, "--rule", "nothing"), "no rule `nothing`"),
        (("perft", GAME, "--depth", "0"), "from 1 to 64"),
        (("replay", "no-such-file.json"), "no-such-file.json"),
        (("why", GAME, "jump high", "--seed", "1"), "no such action"),
        (("prove", GAME, "nonsense"), "no claim `nonsense`"),
        (("frobnicate",), "invalid choice"),
    ],
)
def test_wrong_input_is_told_and_exits_2(
    capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], words: str
) -> None:
    status, out, err = run(capsys, *argv)
    assert status == 2
    assert words in out + err
    assert "Traceback" not in out + err


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from rulespec.cli import main; main(['--help']); "
        "print(sorted({'lark', 'yaml', 'z3', 'mkdocs'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.rstrip().endswith("[]")


def test_a_person_plays_through_standard_input() -> None:
    lines = "1\nwhy place 0-0 2.2.2/2.2.3\nundo\nactions zzz\nquit\n"
    done = subprocess.run(
        [sys.executable, "-m", "rulespec", "play", GAME, "--seed", "2"],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "illegal by" in done.stdout
    assert "not over yet" in done.stdout
