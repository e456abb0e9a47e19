"""Kernels are ordinary modules in a small typed subset, and are linked with a game name by name.

What they do in the machine they do in Python, too, where arrays check every index.
"""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
from python_instance import BOTH, PythonInstance, Start, code_of, starting

from rulespec import kernels, load
from rulespec.code import Instance, Runner, write
from rulespec.code.execution.kernel_names import kernel_constants
from rulespec.kernels.units import game_unit, module_of
from rulespec.machine import form as f
from rulespec.machine.subset.units import SubsetError
from rulespec.play.perft import ByCode, perft
from rulespec.simulation.batches import Batches
from rulespec.solver.explore import CodeStates
from rulespec.solver.explore.exploration_code import exploration_code
from rulespec.solver.explore.graph import Graph
from rulespec.solver.pairs.images import group_of

FOLDER = Path(kernels.__file__).parent
APART = {"__init__", "game", "kit", "shapes", "units"}
KERNELS = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in APART)
ALLOWED = (
    ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.For, ast.While, ast.If, ast.Expr,
    ast.Break, ast.Continue, ast.Pass, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare, ast.Call,
    ast.Constant, ast.Subscript, ast.Name, ast.Tuple, ast.expr_context, ast.operator, ast.unaryop, ast.boolop,
    ast.cmpop,
)  # fmt: skip
"""The nodes that the body of a kernel's function may have."""


def functions(kernel: str) -> list[ast.FunctionDef]:
    tree = ast.parse(inspect.cleandoc((FOLDER / f"{kernel}.py").read_text("utf-8")))
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_kernel_keeps_to_the_subset(kernel: str) -> None:
    for function in functions(kernel):
        marks = [ast.unparse(mark) for mark in function.decorator_list]
        assert marks in (["fast"], ["part"], ["apart"]), function.name
        for node in [inner for part in function.body for inner in ast.walk(part)]:
            assert isinstance(node, ALLOWED), f"{kernel}.{function.name}:{node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_types_of_a_kernel_are_in_its_signatures(kernel: str) -> None:
    for function in functions(kernel):
        assert function.returns is not None, function.name
        for arg in function.args.args:
            assert arg.annotation is not None, f"{function.name}: {arg.arg}"
            assert "Any" not in ast.unparse(arg.annotation)


def test_a_kernel_in_python_runs_the_lines_of_its_file() -> None:
    assert code_of("exploration").co_filename == str(FOLDER / "exploration.py")


@pytest.mark.parametrize(("started", "error"), [(Instance, SubsetError), (PythonInstance, ImportError)])
def test_a_name_that_a_game_does_not_have_is_an_error(started: Start, error: type[Exception]) -> None:
    written = write(load("nim").core)
    with pytest.raises(error, match="answer"):
        started(written).beside(kernel_constants(written), "samples")


@BOTH
def test_a_kernel_offers_its_fast_functions_and_uses_those_of_others(started: Start) -> None:
    names = started(write(load("nim").core)).beside({}, "graphs")
    assert {"transpose", "finish", "distances", "retrograde", "minimax"} <= names.keys()


def test_a_kernel_is_not_exported_under_another_name() -> None:
    """A game's function `begin` took the name of that of `exploration`."""
    code, begin = exploration_code(load("nim").core, {}), f.Function("begin", (), (), (), ())
    with pytest.raises(SubsetError, match="`begin` is a function of exploration and of the game's code"):
        module_of(
            game_unit({"begin": begin, **code.written.tables, **code.written.functions, **code.beside}),
            ("exploration",),
        )


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "kuhn-poker", "smith-small", "leistiko-small"])
def test_batches_are_the_same_in_the_machine_and_in_python(name: str) -> None:
    game, found = load(name), []
    for started in (Instance, PythonInstance):
        written = write(game.core)
        found.append(Batches(game, Runner(written, started(written)), "7").play(3, 20, 500).tobytes())
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "smith-tiny"])
def test_random_plays_are_the_same_in_the_machine_and_in_python(name: str) -> None:
    written = write(load(name).core)
    machine, python = (Runner(written, started(written)) for started in (Instance, PythonInstance))
    assert machine.playouts(50, seed=1) == python.playouts(50, seed=1)


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "smith-tiny"])
def test_counts_of_sequences_are_the_same_in_the_machine_and_in_python(name: str) -> None:
    found = []
    for started in (Instance, PythonInstance):
        with starting(started):
            found.append(perft(load(name), 3, seed=2, by=ByCode))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["tic-tac-toe", "hex"])
def test_symmetries_and_values_are_the_same_in_the_machine_and_in_python(name: str) -> None:
    game = load(name, parameters={"tic-tac-toe": {"width": 3, "height": 2}, "hex": {"side": 2}}[name]).core
    found = []
    for started in (Instance, PythonInstance):
        with starting(started):
            states = CodeStates(game, ways=True, symmetries=group_of(game))
        while states.deeper(lambda: "", 10_000):
            pass
        order, lengths = Graph(states).terminating()
        worth = Graph(states).values(None)
        found.append((states.counts, states.all_counts, states.digest(), [*order], [*lengths], [*worth]))
    assert found[0] == found[1]
