"""`rulespec explain` knows the code of every message, and no other."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from rulespec.cli import main
from rulespec.cli.explaining import explanations

ROOT = Path(__file__).resolve().parents[1]
CODE = re.compile(r"[a-z]+(?:-[a-z]+)*\.[a-z]+(?:-[a-z]+)*")
CALLS = {"Diagnostic", "error", "fail", "fault", "problem", "_error", "_fail", "_problem", "_fault"}
EXPECTED = ROOT / "tests" / "language" / "bad"


def codes() -> set[str]:
    """The codes in the program, as far as they are written out, and those of the documents of the tests."""
    found: set[str] = set()
    for folder in (ROOT / "rulespec", ROOT / "solver"):
        for file in folder.rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call):
                    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                    first = node.args[0] if node.args and name in CALLS else None
                    if isinstance(first, ast.Constant) and CODE.fullmatch(str(first.value)):
                        found.add(str(first.value))
    for file in EXPECTED.glob("*.expected"):
        found |= set(re.findall(r"(?:error|warning)\[([^\]]+)\]", file.read_text("utf-8")))
    return found


def test_every_code_is_explained() -> None:
    assert not codes() - explanations().keys()


def test_the_command_explains(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "name.reserved"]) == 0
    assert capsys.readouterr().out.startswith("name.reserved: A word of the language")
    assert main(["explain", "name.reservd"]) == 2
    assert "did you mean name.reserved?" in capsys.readouterr().err
    assert main(["explain"]) == 0
    assert capsys.readouterr().out.split() == sorted(explanations())
