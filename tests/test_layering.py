"""Who may import whom, read from the source of every file without running any of it.

A layer is a folder of `rulespec`, a folder or module of `solver`, or one of the few modules at the top. The
table below is the whole rule: what of ours a layer may import, and what of other people's. An import counts
wherever it stands, in a function or for the type checker only. What the command line imports when it
starts is followed further, through everything of ours, and must reach nothing of other people's.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOLVERS = frozenset({"z3", "pysat", "cvc5", "bitwuzla"})
ANY = frozenset({"*"})


@dataclass(frozen=True)
class Rule:
    """What a layer may import besides itself and the standard library; `ANY` never means a solver."""

    ours: frozenset[str]
    others: frozenset[str] = frozenset()


def _rule(ours: str, others: str = "") -> Rule:
    return Rule(frozenset(ours.split()), frozenset(others.split()))


RULES: Mapping[str, Rule] = {
    "budgets": _rule(""),
    "core": _rule(""),
    "machine": _rule("core", "wasmtime"),
    "kernels": _rule("machine"),
    "language": _rule("core", "lark yaml"),
    "code": _rule("budgets core kernels machine"),
    "play": _rule("budgets core language code kernels"),
    "noticing": _rule("core play"),
    "players": _rule("budgets core code play"),
    "executors": _rule("budgets core language play", "distributed"),
    "simulation": _rule("budgets core executors kernels code machine play players"),
    "sources": _rule("core language"),
    "face": _rule("core language play book simulation questions"),
    "questions": _rule("core language play solver.claims solver.surveys"),
    "book": _rule(
        "browser budgets code core language play simulation sources face",
        "jinja2 markdown mkdocs pygments yaml",
    ),
    "browser": _rule("budgets core code kernels machine play players book", "anywidget traitlets"),
    "solver": _rule(""),
    "solver.certificates": _rule(""),
    "solver.engines": _rule("budgets solver.certificates", "pysat z3"),
    "solver.formulas": _rule("budgets core play"),
    "solver.reductions": _rule("core solver.analyses solver.formulas"),
    "solver.explore": _rule("budgets core kernels code machine play"),
    "solver.certify": _rule(
        "budgets core code kernels solver.certificates solver.engines solver.formulas", "bitwuzla cvc5 z3"
    ),
    "solver.pairs": _rule("budgets code core play solver.explore solver.formulas"),
    "solver.analyses": _rule("core play solver.formulas"),
    "solver.search": _rule(
        "budgets core kernels code machine play simulation solver.analyses solver.explore solver.reductions"
    ),
    "solver.evidence": _rule(
        "budgets core kernels code play solver.analyses solver.certify solver.engines solver.explore "
        "solver.formulas "
        "solver.pairs solver.reductions"
    ),
    "solver.methods": _rule(
        "budgets core code play players simulation solver.analyses solver.evidence solver.explore "
        "solver.formulas solver.pairs solver.reductions solver.search"
    ),
    "solver.claims": _rule(
        "budgets core code executors play simulation solver.analyses solver.certify solver.engines "
        "solver.evidence solver.explore solver.formulas solver.methods solver.reductions"
    ),
    "solver.dead_rules": _rule(
        "budgets core code machine noticing play solver.claims solver.evidence solver.explore "
        "solver.methods solver.pairs"
    ),
    "solver.mutation_testing": _rule("budgets core language play solver.claims solver.evidence"),
    "solver.surveys": _rule(
        "budgets core executors language play simulation solver.claims solver.evidence solver.methods"
    ),
    "cli": _rule(
        "budgets core executors language code noticing play players simulation sources face book solver "
        "solver.certificates solver.certify solver.claims solver.dead_rules solver.engines solver.evidence "
        "solver.methods solver.mutation_testing solver.surveys",
        "*",
    ),
}
STARTING = frozenset({"face", "cli"})  # layers that must start fast
FIRST = frozenset({"rulespec.cli.running"})  # modules that every command loads
STRAIGHT = RULES.keys() - {"face", "play"}
"""Layers whose modules import one another in one direction only, imports for the type checker included."""


@dataclass(frozen=True)
class Import:
    """One imported module: its full name, the line, and whether it is loaded with its importer."""

    name: str
    line: int
    at_once: bool


def layer_of(module: str) -> str | None:
    """The layer that a module of ours belongs to; None if it has no place."""
    _, *rest = module.split(".")
    if rest[:1] == ["solver"]:
        room = ".".join(rest[:2])
        return room if room in RULES else None
    if not rest:
        return "face"
    if rest[0] == "__main__" or rest[0].startswith("cli"):
        return "cli"
    return rest[0] if rest[0] in RULES and rest[0] != "face" else None


def is_ours(module: str) -> bool:
    return module.split(".")[0] == "rulespec"


def is_other(module: str) -> bool:
    """Is the module neither ours nor the standard library's?"""
    return not is_ours(module) and module.split(".")[0] not in sys.stdlib_module_names


class _Reader(ast.NodeVisitor):
    """Collects the imports of one module, those by `import_module` with a literal name included."""

    def __init__(self, module: str, is_package: bool) -> None:
        self.package = module if is_package else module.rpartition(".")[0]
        self.found: list[Import] = []
        self.late = 0

    def _note(self, name: str, node: ast.AST) -> None:
        self.found.append(Import(name, getattr(node, "lineno", 0), not self.late))

    def _absolute(self, dots: int, name: str) -> str:
        if not dots:
            return name
        base = self.package.split(".")
        return ".".join([*base[: len(base) - dots + 1], *filter(None, [name])])

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._note(alias.name, node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        base = self._absolute(node.level, node.module or "")
        for alias in node.names:
            inner = f"{base}.{alias.name}"
            if base in {"rulespec", "rulespec.solver"} and (
                layer_of(inner) is None or alias.name.startswith("__")
            ):
                if alias.name != "__version__":
                    self._note(base, node)
            else:
                self._note(inner if is_ours(base) else base, node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        first = node.args[0] if node.args else None
        if called in {"import_module", "__import__"} and isinstance(first, ast.Constant):
            name = str(first.value)
            bare = name.lstrip(".")
            self._note(self._absolute(len(name) - len(bare), bare), node)
        self.generic_visit(node)

    def _visit_late(self, node: ast.AST) -> None:
        self.late += 1
        self.generic_visit(node)
        self.late -= 1

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._visit_late(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._visit_late(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_late(node)

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) not in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}:
            self.generic_visit(node)
            return
        self.late += 1
        for statement in node.body:
            self.visit(statement)
        self.late -= 1
        for statement in node.orelse:
            self.visit(statement)


@cache
def imports(path: str, text: str) -> list[Import]:
    """The imports of a file, given its path from the root of the project."""
    reader = _Reader(module_of(path), path.endswith("__init__.py"))
    reader.visit(ast.parse(text, path))
    return reader.found


def module_of(path: str) -> str:
    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return f"rulespec.{name}" if name.partition(".")[0] == "solver" else name


def breaches(files: Mapping[str, str]) -> list[str]:
    """Every import that breaks the rules: `file:line: sentence`."""
    return [*_forbidden(files), *_slow_to_start(files), *_circular(files)]


def _forbidden(files: Mapping[str, str]) -> Iterator[str]:
    for path, text in files.items():
        layer = layer_of(module_of(path))
        if layer is None:
            yield f"{path}:1: it belongs to no layer; give it one in RULES"
            continue
        rule = RULES[layer]
        for found in imports(path, text):
            top = found.name.split(".")[0]
            if is_ours(found.name):
                allowed = layer_of(found.name) in rule.ours | {layer}
            elif is_other(found.name):
                allowed = top in rule.others or (rule.others == ANY and top not in SOLVERS)
            else:
                allowed = True
            if not allowed:
                yield f"{path}:{found.line}: {layer} may not import {found.name}"


def _circular(files: Mapping[str, str]) -> Iterator[str]:
    modules = {module_of(path): path for path in files if layer_of(module_of(path)) in STRAIGHT}
    left: dict[str, set[str]] = {}
    for module, path in modules.items():
        names = {found.name for found in imports(path, files[path])}
        left[module] = ({name if name in modules else name.rpartition(".")[0] for name in names}) - {module}
    while True:  # what imports none of the others, or none of them imports, is in no circle
        imported = {name for names in left.values() for name in names}
        straight = {module for module, names in left.items() if names.isdisjoint(left)}
        straight |= left.keys() - imported
        if not straight:
            break
        left = {module: names for module, names in left.items() if module not in straight}
    for module in left:
        yield f"{modules[module]}:1: imports in a circle: {', '.join(sorted(left))}"


def _slow_to_start(files: Mapping[str, str]) -> Iterator[str]:
    modules = {module_of(path): path for path in files}
    for module, path in modules.items():
        # The modules inside rulespec.cli are loaded when their command is used, or from rulespec.cli itself.
        if module not in FIRST and (layer_of(module) not in STARTING or module.startswith("rulespec.cli.")):
            continue
        seen = {module}
        chains: list[tuple[str, ...]] = [(module,)]
        while chains:
            chain = chains.pop(0)
            for found in imports(modules[chain[-1]], files[modules[chain[-1]]]):
                if not found.at_once:
                    continue
                if is_other(found.name):
                    line = found.line if len(chain) == 1 else 1
                    yield f"{path}:{line}: {' > '.join([*chain, found.name])} is loaded at the start"
                parts = found.name.split(".")
                for name in (".".join(parts[:length]) for length in range(1, len(parts) + 1)):
                    if name in modules and name not in seen:
                        seen.add(name)
                        chains.append((*chain, name))


def project() -> dict[str, str]:
    """The text of every Python file of ours, by its path from the root."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for top in ("rulespec", "solver")
        for path in sorted((ROOT / top).rglob("*.py"))
    }


def test_every_import_keeps_to_the_rules() -> None:
    files = project()
    assert "rulespec/__init__.py" in files, "the project was not found"
    found = breaches(files)
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("path", "text", "breach"),
    [
        ("rulespec/core/a.py", "import lark", "core may not import lark"),
        ("rulespec/core/a.py", "from ..language import parse", "core may not import rulespec.language.parse"),
        ("rulespec/core/a.py", "from rulespec import play", "core may not import rulespec.play"),
        ("rulespec/core/a.py", "import rulespec", "core may not import rulespec"),
        ("rulespec/budgets/a.py", "from rulespec.core import types", "budgets may not import rulespec.core"),
        (
            "rulespec/core/__init__.py",
            "from ..play.face import load",
            "core may not import rulespec.play.face",
        ),
        ("rulespec/language/a.py", "from ..play import face", "language may not import rulespec.play.face"),
        ("rulespec/language/deep/a.py", "from ...play import face", "language may not import rulespec.play"),
        ("rulespec/language/a.py", "def f():\n    import z3", "language may not import z3"),
        ("rulespec/play/a.py", "import yaml", "play may not import yaml"),
        ("rulespec/play/a.py", "from z3 import Solver", "play may not import z3"),
        (
            "rulespec/play/a.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import z3",
            "import z3",
        ),
        (
            "rulespec/book/a.py",
            "from rulespec.solver.claims import judge",
            "book may not import rulespec.solver.claims.judge",
        ),
        (
            "rulespec/book/a.py",
            "import importlib\nimportlib.import_module('rulespec.solver')",
            "may not import rulespec.solver",
        ),
        ("rulespec/cli.py", "def f():\n    import z3", "cli may not import z3"),
        ("rulespec/cli.py", "import mkdocs", "rulespec.cli > mkdocs is loaded at the start"),
        (
            "rulespec/cli_more.py",
            "try:\n    import yaml\nexcept ImportError:\n    pass",
            "loaded at the start",
        ),
        (
            "rulespec/__init__.py",
            "from rulespec.solver import claims",
            "face may not import rulespec.solver.claims",
        ),
        ("rulespec/games/a.py", "", "it belongs to no layer"),
        ("solver/games/a.py", "", "it belongs to no layer"),
        ("solver/games.py", "", "it belongs to no layer"),
        (
            "solver/__init__.py",
            "from .claims import prove",
            "solver may not import rulespec.solver.claims.prove",
        ),
        (
            "solver/claims/a.py",
            "from rulespec.book import pages",
            "may not import rulespec.book.pages",
        ),
        ("solver/claims/a.py", "import numpy", "solver.claims may not import numpy"),
        ("rulespec/cli/running.py", "import yaml", "rulespec.cli.running > yaml is loaded at the start"),
        ("rulespec/code/a.py", "import numba", "code may not import numba"),
        ("rulespec/code/a.py", "import wasmtime", "code may not import wasmtime"),
        ("rulespec/kernels/a.py", "import wasmtime", "kernels may not import wasmtime"),
        ("rulespec/machine/a.py", "from ..kernels import kit", "machine may not import rulespec.kernels.kit"),
        ("rulespec/machine/a.py", "import numpy", "machine may not import numpy"),
        ("solver/claims/a.py", "import z3", "solver.claims may not import z3"),
        ("solver/formulas/a.py", "import pysat", "solver.formulas may not import pysat"),
        (
            "solver/formulas/a.py",
            "from ..engines import choose",
            "formulas may not import rulespec.solver.engines.choose",
        ),
        ("solver/formulas/a.py", "from rulespec import code", "formulas may not import rulespec.code"),
        (
            "solver/formulas/operators/a.py",
            "from ...explore import States",
            "formulas may not import rulespec.solver.explore.States",
        ),
        (
            "solver/engines/a.py",
            "from rulespec.core import nodes",
            "engines may not import rulespec.core.nodes",
        ),
        (
            "solver/explore/a.py",
            "from ..formulas import bmc",
            "explore may not import rulespec.solver.formulas.bmc",
        ),
        (
            "solver/explore/a.py",
            "from ..evidence import check",
            "explore may not import rulespec.solver.evidence.check",
        ),
        (
            "solver/search/a.py",
            "from ..claims import judge",
            "search may not import rulespec.solver.claims.judge",
        ),
        (
            "solver/pairs/a.py",
            "def f():\n    import rulespec.solver.claims",
            "pairs may not import rulespec.solver.claims",
        ),
        (
            "solver/certify/a.py",
            "from ..evidence import check",
            "certify may not import rulespec.solver.evidence.check",
        ),
        (
            "solver/evidence/a.py",
            "from ..claims import judge",
            "evidence may not import rulespec.solver.claims.judge",
        ),
        (
            "solver/evidence/a.py",
            "from ..search import Goal",
            "evidence may not import rulespec.solver.search.Goal",
        ),
        (
            "solver/evidence/a.py",
            "from ..methods import table",
            "evidence may not import rulespec.solver.methods.table",
        ),
        (
            "solver/analyses/a.py",
            "from ..evidence import judge",
            "may not import rulespec.solver.evidence.judge",
        ),
        (
            "solver/methods/a.py",
            "from ..claims import prove",
            "methods may not import rulespec.solver.claims.prove",
        ),
        (
            "solver/evidence/a.py",
            "from rulespec.language import load",
            "may not import rulespec.language.load",
        ),
        (
            "solver/claims/a.py",
            "from ..surveys import run",
            "claims may not import rulespec.solver.surveys.run",
        ),
        (
            "solver/claims/a.py",
            "from .. import mutation_testing",
            "may not import rulespec.solver.mutation_testing",
        ),
        ("solver/certificates/a.py", "import pysat", "certificates may not import pysat"),
        (
            "solver/certificates/a.py",
            "from rulespec.core import types",
            "certificates may not import rulespec",
        ),
        (
            "solver/certificates/a.py",
            "from ..claims import judge",
            "certificates may not import rulespec.solver.claims",
        ),
    ],
)
def test_the_checker_sees_a_breach(path: str, text: str, breach: str) -> None:
    found = breaches({path: text})
    assert any(breach in line for line in found), found


def test_the_checker_names_file_and_line() -> None:
    assert breaches({"rulespec/play/a.py": '"""Play."""\n\nimport z3\n'}) == [
        "rulespec/play/a.py:3: play may not import z3"
    ]


def test_the_checker_sees_modules_that_import_in_a_circle() -> None:
    files = {
        "solver/formulas/__init__.py": "",
        "solver/formulas/a.py": "from . import b",
        "solver/formulas/b.py": "from .c import C",
        "solver/formulas/c.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .a import A",
        "solver/formulas/d.py": "from .a import A",
    }
    found = breaches(files)
    circle = ", ".join(f"rulespec.solver.formulas.{name}" for name in "abc")
    circle = f"imports in a circle: {circle}"
    assert found == [f"solver/formulas/{name}.py:1: {circle}" for name in "abc"]
    assert breaches({**files, "solver/formulas/c.py": "from .e import E"}) == []


def test_the_checker_follows_what_the_command_line_loads() -> None:
    files = {
        "rulespec/cli.py": "from .play import face",
        "rulespec/play/__init__.py": "",
        "rulespec/play/face.py": "from ..language import load",
        "rulespec/language/__init__.py": "from .syntax.parser import load",
        "rulespec/language/syntax/parser.py": "import lark",
    }
    assert breaches(files) == [
        "rulespec/cli.py:1: rulespec.cli > rulespec.play.face > rulespec.language > "
        "rulespec.language.syntax.parser > lark is loaded at the start"
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("rulespec/core/a.py", "import ast\nfrom . import nodes\nfrom .types import Int"),
        ("rulespec/language/a.py", "import lark\nimport yaml\nfrom ..core import nodes"),
        ("rulespec/machine/a.py", "def f():\n    import wasmtime\n    from ..core.cache import cache_folder"),
        ("rulespec/play/a.py", "from rulespec import __version__\nfrom rulespec.language import load"),
        (
            "rulespec/book/a.py",
            "import markdown\nfrom mkdocs.plugins import BasePlugin\nfrom rulespec import load",
        ),
        ("rulespec/cli.py", "def f():\n    import mkdocs\n    from solver.claims import prove"),
        ("rulespec/cli.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import lark"),
        ("rulespec/__main__.py", "from rulespec.cli import main"),
        (
            "solver/engines/a.py",
            "import z3\nfrom pysat.solvers import Cadical195\nfrom .. import certificates",
        ),
        ("solver/pairs/a.py", "from ..formulas.aig import Gates\nfrom rulespec.play import face"),
        ("solver/claims/a.py", "from .. import evidence, methods\nfrom ..evidence.induction import check"),
        ("solver/evidence/a.py", "from ..certify import Refused\nfrom rulespec.play import machine"),
        ("solver/mutation_testing.py", "from .claims import prove"),
        ("solver/certificates/a.py", "import hashlib\nfrom .lrat import check"),
    ],
)
def test_the_checker_lets_pass_what_is_allowed(path: str, text: str) -> None:
    assert breaches({path: text}) == []


def answers(files: dict[str, str]) -> list[str]:
    """The places outside the judge's room that make an answer which says something."""
    return [
        f"{path}:{node.lineno}"
        for path, text in files.items()
        if path.startswith("solver/") and not path.startswith("solver/evidence/")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "Answer"
    ]


def test_only_the_judge_says_what_was_shown() -> None:
    assert answers(project()) == []
    assert answers({"solver/methods/a.py": "found = problem.Answer(PROVED)"}) == ["solver/methods/a.py:1"]


READERS = frozenset(
    {
        "solver/evidence/conservation.py: obligations",
        "solver/evidence/inequalities.py: shuffles",
    }
)
"""Where the judge believes what an analysis reads off the rules: it may become less, never more."""


def test_the_judge_believes_no_further_analysis() -> None:
    found = {
        f"{path}: {imported.name.split('.')[3]}"
        for path, text in project().items()
        if path.startswith("solver/evidence/")
        for imported in imports(path, text)
        if imported.name.startswith("rulespec.solver.analyses.")
    }
    assert found == READERS


def test_files_of_tests_have_names_of_their_own() -> None:
    """Two of one name could not be run by one process."""
    names = Counter(path.stem for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []


MOST_TO_BELIEVE = 3_822
"""The most lines of the judge's room. It may become smaller; it grows only with a new theorem, as with those
of choices at once (matrix games), of invariants that were found (`k_induction.hold_together`), of measures in
lexicographic order (`ranking.terminates`), of sums that effects conserve (`conservation.conserve`), of
rulings that are left open (`covering.under_each`) and of games that keep the sizes of sets
(`sizes.answer_by_sizes`)."""


def test_the_judge_is_small() -> None:
    files = [text for path, text in project().items() if path.startswith("solver/evidence/")]
    assert files
    assert sum(len(text.splitlines()) for text in files) <= MOST_TO_BELIEVE
