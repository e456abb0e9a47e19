"""Running commands in the process of the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from texts import COUNTDOWN

from rulespec.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command line; gives its exit status, standard output and standard error."""

    def ran(*argv: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(argv)
        out, err = capsys.readouterr()
        return status, out, err

    return ran


@pytest.fixture
def own_game(tmp_path: Path) -> Path:
    """A ruleset of the user's own, in a folder of its own."""
    folder = tmp_path / "countdown"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(COUNTDOWN)
    return folder / "ruleset.yaml"
