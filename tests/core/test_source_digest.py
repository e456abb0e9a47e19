"""A digest of source covers what some work can import, and nothing else."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rulespec.core.storage import source_digest as digests
from rulespec.core.storage.source_digest import TOP, import_closure, source_digest
from rulespec.core.verdicts.stamps import CHECKS

CHECK_OF_A_GAME = """
import sys
from pathlib import Path
from rulespec.core.verdicts import beside
from rulespec.language import locate, read
from rulespec.solver.claims.recheck import recheck
game = read(sys.argv[1])
checks = recheck(
    beside(locate(sys.argv[1])),
    lambda *, parameters=None, readings=None, players=None: game.with_settings(players, parameters, readings),
    timeout=100.0,
)
assert any(check.passed for check in checks)
print(*(name for name in sys.modules if name.split(".")[0] == "rulespec"))
"""


def imports_of(name: str) -> set[str]:
    """The modules of the program that a module names in any import statement, by the parser of Python."""
    path = TOP.joinpath(*name.split("."))
    is_package = (path / "__init__.py").is_file()  # a folder may be what is left of one
    file = path / "__init__.py" if is_package else path.with_suffix(".py")
    package = name.split(".") if is_package else name.split(".")[:-1]
    found = set[str]()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            up = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*up, *([node.module] if node.module else [])])
            found |= {base, *(f"{base}.{one.name}" for one in node.names)}
    files = (f"{one.replace('.', '/')}" for one in found)
    here = [one for one in files if (TOP / f"{one}.py").is_file() or (TOP / one / "__init__.py").is_file()]
    return {one.replace("/", ".") for one in here if one.split("/")[0] == "rulespec"}


def test_the_closure_follows_each_import_that_the_parser_of_python_finds() -> None:
    ours, _ = import_closure(*CHECKS)
    parents = {name for name in ours if TOP.joinpath(*name.split("."), "__init__.py").is_file()}
    for name in ours - parents:
        assert imports_of(name) <= ours, name


def test_the_closure_of_a_check_holds_each_module_that_a_check_loads() -> None:
    command = [sys.executable, "-c", CHECK_OF_A_GAME, "kuhn-poker"]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True, cwd=TOP).stdout.split()
    assert len(loaded) > 100
    assert {*loaded} <= import_closure(*CHECKS)[0]


def test_a_check_rests_on_no_page_and_no_command() -> None:
    ours, others = import_closure(*CHECKS)
    assert not [
        name for name in ours if name.startswith(("rulespec.book", "rulespec.cli", "rulespec.browser"))
    ]
    assert {"lark", "z3", "pysat", "wasmtime", "yaml"} <= others


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the source of the program, of which digests are taken."""
    shutil.copytree(TOP / "rulespec", tmp_path / "rulespec", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(digests, "TOP", tmp_path)
    return tmp_path


def fresh_digest() -> str:
    """The digest of the source of checks, read anew."""
    source_digest.cache_clear()
    digests._imports.cache_clear()
    try:
        return source_digest(*CHECKS)
    finally:
        source_digest.cache_clear()
        digests._imports.cache_clear()


def test_a_change_of_the_source_changes_the_digest_if_a_check_rests_on_it(program: Path) -> None:
    before = fresh_digest()
    for files, counts in {
        ("rulespec/book/drawing/style.py", "rulespec/cli/texts.py"): False,
        ("rulespec/solver/certificates/lrat.py",): True,
        ("rulespec/language/syntax/grammar.lark",): True,
    }.items():
        for file in files:
            with (program / file).open("a") as text:
                text.write("\n# changed\n")
        after = fresh_digest()
        assert (after != before) == counts, files
        before = after


def test_an_unknown_module_is_refused() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"solver\.oracle"):
        import_closure("rulespec.solver.oracle")
