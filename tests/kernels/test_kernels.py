"""Kernels are ordinary modules in a small typed subset, and are linked with a game name by name."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

from rulespec import kernels, load
from rulespec.code import Runner, write
from rulespec.code.runner import Plain
from rulespec.kernels.linking import source

FOLDER = Path(kernels.__file__).parent
APART = {"__init__", "game", "kit", "linking", "shapes"}
KERNELS = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in APART)
ALLOWED = (
    ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.For, ast.While, ast.If, ast.Expr,
    ast.Break, ast.Continue, ast.Pass, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare, ast.Call,
    ast.Constant, ast.Subscript, ast.Name, ast.Tuple, ast.expr_context, ast.operator, ast.unaryop, ast.boolop,
    ast.cmpop,
)  # fmt: skip
"""What the body of a kernel's function may consist of."""


def functions(kernel: str) -> list[ast.FunctionDef]:
    tree = ast.parse(inspect.cleandoc((FOLDER / f"{kernel}.py").read_text("utf-8")))
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_kernel_keeps_to_the_subset(kernel: str) -> None:
    for function in functions(kernel):
        assert [ast.unparse(mark) for mark in function.decorator_list] in (["fast"], ["part"]), function.name
        for node in [inner for part in function.body for inner in ast.walk(part)]:
            assert isinstance(node, ALLOWED), f"{kernel}.{function.name}:{node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_types_of_a_kernel_are_in_its_signatures(kernel: str) -> None:
    for function in functions(kernel):
        assert function.returns is not None, function.name
        for arg in function.args.args:
            assert arg.annotation is not None, f"{function.name}: {arg.arg}"
            assert "Any" not in ast.unparse(arg.annotation)


def test_a_linked_kernel_runs_the_lines_of_its_file() -> None:
    assert source("exploration").code.co_filename == str(FOLDER / "exploration.py")


def test_a_name_that_a_game_does_not_have_is_an_error() -> None:
    with pytest.raises(KeyError, match="asked"):
        Plain.beside(Runner(write(load("nim").core)).written, "SETTING_UP, WIDTH = 1, 1\n", "samples")


def test_kernels_that_are_linked_together_share_what_they_import() -> None:
    linked = Plain.linked({}, ["graphs", "graphs"])
    assert {"turned", "finish", "distances", "retrograde", "minimax"} <= linked.keys()
