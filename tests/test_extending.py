"""The differences on the page about adding something fit the code, and what they add passes its tests."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "how-to" / "extend.md"
DIFFERENCE = re.compile(r"^(?P<indent> *)```diff\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)


def section(title: str) -> str:
    """The text of a section of the page."""
    return PAGE.read_text("utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]


def differences(text: str) -> list[tuple[str, str, str]]:
    """Each change of the differences in a text: a file, what stands there, and what is put in its place."""
    found = []
    for match in DIFFERENCE.finditer(text):
        head, *lines = dedent(match["text"]).splitlines()
        for hunk in "\n".join(lines).split("\n@@\n"):
            sides = [
                "\n".join(line[1:] for line in hunk.splitlines() if line[:1] != sign) for sign in ("+", "-")
            ]
            found.append((head.removeprefix("--- "), sides[0], sides[1]))
    return found


def apply(changes: list[tuple[str, str, str]], project: Path) -> None:
    """Change or add files of a project. Raises AssertionError where the old text does not stand once."""
    for name, old, new in changes:
        path = project / name
        if not old:
            assert not path.exists(), name
            path.write_text(new + "\n", "utf-8")
            continue
        text = path.read_text("utf-8")
        assert text.count(old) == 1, f"{name} has {text.count(old)} times: {old}"
        path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("rulespec", "solver", "tests", "docs"):
        ignored = shutil.ignore_patterns("node_modules")  # modules are compiled already
        shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=ignored)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy2(ROOT / name, folder)
    (folder / "rulesets").symlink_to(ROOT / "rulesets")
    return folder


def outcome(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a project."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


TESTS = (
    "tests/core/test_evaluate.py",
    "tests/code/test_code_operators.py",
    "tests/solver/formulas/test_operators.py",
    "tests/language/test_language_page.py",
)


def test_an_operator_is_added_by_what_the_page_says(project: Path) -> None:
    changes = differences(section("An operator"))
    assert len({name for name, _, _ in changes}) == 8
    apply(changes[:2], project)  # the node alone
    missing = outcome(project, *TESTS, "-k", "every_operator or has_a_handler or has_cases")
    assert missing.returncode == 1
    assert missing.stdout.count("Distance") >= 3, missing.stdout
    apply(changes[2:], project)
    done = outcome(project, *TESTS, "-k", "every_operator or has_a_handler or Distance or built")
    assert done.returncode == 0, done.stdout


def test_a_mark_is_added_by_what_the_page_says(project: Path) -> None:
    changes = differences(section("A mark"))
    assert len({name for name, _, _ in changes}) == 4
    tests = ("tests/book/test_marks.py", "tests/book/test_reference_of_marks.py")
    apply(changes[:1], project)  # the entry alone
    missing = outcome(project, *tests, "-k", "golden or page or table")
    assert missing.returncode == 1
    assert missing.stdout.count("gem") >= 2, missing.stdout
    apply(changes[1:], project)
    done = outcome(project, *tests)
    assert done.returncode == 0, done.stdout
    assert run(project, "check", "docs/reference/diagrams.md").returncode == 0


def test_a_command_is_added_by_what_the_page_says(project: Path) -> None:
    changes = differences(section("A command"))
    assert len({name for name, _, _ in changes}) == 6
    tests = ("tests/cli/test_reference.py", "tests/cli/test_json.py")
    apply(changes[:3], project)  # it runs
    missing = outcome(project, *tests, "-k", "page or schema or digest")
    assert missing.returncode == 1
    assert missing.stdout.count("digest") >= 2, missing.stdout
    apply(changes[3:], project)
    write = "from rulespec.cli.json_schema import write_schemas; write_schemas()"
    subprocess.run([sys.executable, "-c", write], cwd=project, check=True)
    done = outcome(project, *tests, "-k", "page or schema or digest")
    assert done.returncode == 0, done.stdout
    assert len(run(project, "digest", "nim").stdout.strip()) > 20


COUNTING = """\
rulespec: 1
id: counting
title: Counting
players: 2
rules:
- id: add
  prose: Add 1 or 2.
  formal: |
    state n: 0..9 = 0
  action: k in 1..2
  do: n := min(n + k, 9)
- id: done
  prose: It ends at nine.
  end: n = 9
claims:
- id: seven
  prose: Seven can be reached.
  possible: n = 7
- id: small
  prose: Two is less than three.
  invariant: 2 < 3
- id: low
  prose: The number stays low.
  invariant: n < 10
"""
ANSWERS = """\
from rulespec.budgets import Budget
from rulespec.core.verdicts import Evidence, Store
from rulespec.language import load
from rulespec.solver.certify import BadEvidence
from rulespec.solver.evidence.judge import Judge
from rulespec.solver.evidence.problem import Case
from rulespec.solver.methods.table import METHODS

game = load("counting.yaml")
found = METHODS["first actions"](Case(game, game.claims["seven"], Budget(60)))
print(found.outcome, found.numbers["plies"], end="; ")
judge = Judge(Store(), Budget(60), redo=lambda case, data: None)
print(judge.answer(game, game.claims["small"], [Evidence("constant", {})]).answer.outcome, end="; ")
try:
    judge.answer(game, game.claims["low"], [Evidence("constant", {})])
except BadEvidence as why:
    print(why)
"""


def test_a_kind_of_claim_a_method_and_evidence_are_added_by_what_the_page_says(project: Path) -> None:
    kind, method, evidence = map(
        differences, map(section, ("A kind of claim", "A method", "A kind of evidence"))
    )
    assert [len({name for name, _, _ in changes}) for changes in (kind, method, evidence)] == [6, 2, 8]
    tests = ("tests/core/test_verdicts.py", "tests/core/test_wording_of_verdicts.py")
    apply([kind[0], evidence[0]], project)  # the entries alone
    missing = outcome(project, *tests, "-k", "every_kind")
    assert missing.returncode == 1
    assert missing.stdout.count("possible") >= 2, missing.stdout
    assert "constant" in missing.stdout, missing.stdout
    apply([*kind[1:], *method, *evidence[1:]], project)
    done = outcome(project, *tests, "tests/soundness", "-k", "every_kind_of or planted")
    assert done.returncode == 0, done.stdout
    (project / "counting.yaml").write_text(COUNTING, "utf-8")
    command = [sys.executable, "-c", ANSWERS]
    told = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert told.stdout == "proved 7; proved; its condition reads the state, or does not hold\n", told.stderr


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of a project."""
    command = [sys.executable, "-m", "rulespec", *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
