"""Kernels, the kit and the code of a game as units that the machine puts into one module."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..machine import form as f
from ..machine.array_facts import annotate_arrays
from ..machine.subset.translator import Translator
from ..machine.subset.units import ANNOTATED, FunctionRef, Shape, SubsetError, Unit, annotation_text

KIT_WORDS = {
    "ZERO", "ONE", "FULL_WORD", "FIRST_FACTOR", "SECOND_FACTOR", "CHOICE_FACTOR", "FIVES", "THREES",
    "FIFTEENS", "ONES", "TOPS", "BYTE", "FIFTEEN",
}  # fmt: skip
"""The constants of the kit that are words; the others are numbers."""


@cache
def _tree(name: str) -> ast.Module:
    return ast.parse(Path(__file__).with_name(f"{name}.py").read_text("utf-8"))


def _functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _constant(value: Any, words: bool) -> f.Const | None:
    if isinstance(value, bool):
        return f.Const(f.TRUTH, int(value))
    if isinstance(value, int):
        return f.Const(f.WORD if words else f.NUMBER, value)
    return f.Const(f.REAL, value) if isinstance(value, float) else None


@cache
def kit_unit() -> Unit:
    """The functions of the kit as a unit."""
    from . import kit

    functions = _functions(_tree("kit"))
    for name in "fast part apart word table masks low high count as_word as_number".split():
        del functions[name]
    return Unit(functions, {
        name: f.Table(name, f.WORDS, held) if isinstance(held, tuple) else _constant(held, name in KIT_WORDS)
        for name, held in vars(kit).items() if name.isupper() and isinstance(held, int | tuple)
    })  # fmt: skip


def game_unit(
    given: Mapping[str, int | f.Table | f.Function],
    least: Mapping[str, int] = MappingProxyType({}),
    spans: Mapping[str, tuple[str, f.Span]] = MappingProxyType({}),
) -> Unit:
    """The code of a game as a unit that may use the kit: functions, tables and constants by name.

    `least` and `spans` are facts about its arrays; see `machine.array_facts`.
    """
    kit = kit_unit()
    names: dict[str, Any] = {**kit.names, **{name: FunctionRef(kit, name) for name in kit.functions}}
    functions: dict[str, f.Function] = {}
    for name, held in given.items():
        if isinstance(held, f.Function):
            functions[name] = annotate_arrays(held, least, spans)
        else:
            names[name] = held if isinstance(held, f.Table) else _constant(held, False)
    return Unit(functions, names)


@cache
def _shapes() -> dict[str, Shape]:
    """The shapes declared in `shapes`, by name."""
    return _aliases(_tree("shapes"), dict(ANNOTATED))


def _aliases(tree: ast.Module, found: dict[str, Shape]) -> dict[str, Shape]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and annotation_text(node.value).startswith("tuple["):
            assert isinstance(node.targets[0], ast.Name)
            parts = annotation_text(node.value).removeprefix("tuple[").removesuffix("]").split(", ")
            found[node.targets[0].id] = tuple(found[part] for part in parts)
    return found


def kernel_unit(kernel: str, game: Unit, done: dict[str, tuple[Unit, dict[str, Shape]]]) -> Unit:
    """A kernel as a unit that uses the code of a game."""
    if kernel in done:
        return done[kernel][0]
    tree, module = _tree(kernel), import_module(f"{__package__}.{kernel}")
    names: dict[str, Any] = {}
    unit = Unit(_functions(tree), names)
    done[kernel] = unit, _aliases(tree, dict(_shapes()))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module != "shapes":
            if node.module == "game":
                source = game
            elif node.module == "kit":
                source = kit_unit()
            else:
                source = kernel_unit(str(node.module), game, done)
            for alias in node.names:
                name = alias.name
                names[name] = (
                    FunctionRef(source, name) if name in source.functions else source.names.get(name)
                )
        elif isinstance(node, ast.Assign):
            targets = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else [node.targets[0]]
            words = isinstance(node.value, ast.Call) and annotation_text(node.value.func) == "word"
            for target in targets:
                assert isinstance(target, ast.Name)
                names[target.id] = _constant(getattr(module, target.id), words)
    return unit


def module_of(game: Unit, kernels: tuple[str, ...], entries: tuple[str, ...] = ()) -> f.Module:
    """A module with the `fast` functions of kernels, and entries of the game's own.

    Raises SubsetError if a kernel function has the name of one of the game's.
    """
    kit = kit_unit()
    translator = Translator({**dict.fromkeys(kit.functions, kit), **dict.fromkeys(game.functions, game)})
    named = [translator.function(FunctionRef(game, name), ())[0] for name in entries]
    done: dict[str, tuple[Unit, dict[str, Shape]]] = {}
    for kernel in kernels:
        unit = kernel_unit(kernel, game, done)
        aliases = done[kernel][1]
        for name, node in unit.functions.items():
            assert isinstance(node, ast.FunctionDef)
            if annotation_text(node.decorator_list[0]) == "fast":
                shaped = tuple(aliases[annotation_text(a.annotation)] for a in node.args.args if a.annotation)
                named.append(translator.function(FunctionRef(unit, name), shaped)[0])
                if named[-1] != name:
                    raise SubsetError(f"`{name}` is a function of {kernel} and of the game's code")
    return translator.finish(named)
