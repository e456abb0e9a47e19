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


def copied(folder: Path) -> Path:
    """A copy of the project."""
    for name in ("rulespec", "solver", "tests", "docs"):
        ignored = shutil.ignore_patterns("node_modules")  # modules are compiled already
        shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=ignored)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy2(ROOT / name, folder)
    (folder / "rulesets").symlink_to(ROOT / "rulesets")
    return folder


def python(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a project."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
ADDED = {
    "An operator": (8, 2, ("Distance", 3)),
    "A mark": (4, 1, ("gem", 2)),
    "A command": (6, 3, ("digest", 2)),
    "A kind of claim": (6, 1, ("possible", 2)),
    "A method": (2, 0, None),
    "A kind of evidence": (8, 1, ("constant", 1)),
}
"""For each section: its files, its first changes, and a word that tests name so often without the others."""
NAMING = (
    "core/test_evaluate.py::test_every_operator_has_its_cases",
    "code/test_code_operators.py::test_every_operator_has_a_handler",
    "solver/formulas/test_operators.py::test_every_operator_has_a_meaning_and_a_strategy",
    "book/test_marks.py::test_every_mark_has_a_golden_drawing",
    "book/test_reference_of_marks.py::test_the_table_says_what_each_mark_takes",
    "cli/test_reference.py",
    "cli/test_json.py::test_every_command_that_takes_json_has_a_schema",
    "cli/test_json.py::test_the_schemas_are_those_of_the_declarations",
    "core/test_verdicts.py::test_every_kind_of_claim_has_its_answers_and_its_sentence",
    "core/test_verdicts.py::test_every_kind_of_evidence_has_its_sentence",
    "core/test_wording_of_verdicts.py::test_every_kind_is_among_them",
)
"""Tests that name what is missing."""
FURTHER = (
    "core/test_evaluate.py",
    "code/test_code_operators.py::test_an_operator_means_what_the_interpreter_says[Distance]",
    "solver/formulas/test_operators.py::test_an_operator_means_what_the_interpreter_says[Distance]",
    "language/test_language_page.py::test_the_page_names_every_built_in_function",
    "book/test_marks.py",
    "book/test_reference_of_marks.py",
    "core/test_verdicts.py::test_every_kind_of_claim_that_random_plays_can_refute_is_checked_by_them",
    "soundness/test_soundness.py::test_every_kind_of_claim_has_its_truth_and_its_methods",
    "soundness/test_soundness.py::test_each_planted_fault_has_its_place",
    "soundness/test_soundness.py::test_each_planted_fault_names_what_there_is",
)
"""Tests that pass with all that is added."""
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


@pytest.mark.parametrize("title", ADDED)
def test_what_a_difference_replaces_stands_once(title: str) -> None:
    for name, old, _ in differences(section(title)):
        where = ROOT / name
        assert not where.exists() if not old else where.read_text("utf-8").count(old) == 1, (name, old)


def test_what_the_page_adds_is_missed_until_it_is_whole(tmp_path: Path) -> None:
    project, changes = copied(tmp_path / "project"), {title: differences(section(title)) for title in ADDED}
    for title, (files, first, _) in ADDED.items():
        assert len({name for name, _, _ in changes[title]}) == files, title
        apply(changes[title][:first], project)
    missing = python(project, *PYTEST, *(f"tests/{name}" for name in NAMING))
    assert missing.returncode == 1, missing.stdout
    for _, _, named in ADDED.values():
        assert named is None or missing.stdout.count(named[0]) >= named[1], missing.stdout
    for title, (_, first, _) in ADDED.items():
        apply(changes[title][first:], project)
    python(project, "-c", "from rulespec.cli.json_schema import write_schemas; write_schemas()")
    done = python(project, *PYTEST, *(f"tests/{name}" for name in (*NAMING, *FURTHER)))
    assert done.returncode == 0, done.stdout
    assert python(project, "-m", "rulespec", "check", "docs/reference/diagrams.md").returncode == 0
    assert len(python(project, "-m", "rulespec", "digest", "nim").stdout.strip()) > 20
    (project / "counting.yaml").write_text(COUNTING, "utf-8")
    told = python(project, "-c", ANSWERS)
    assert told.stdout == "proved 7; proved; its condition reads the state, or does not hold\n", told.stderr
