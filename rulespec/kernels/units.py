"""Kernels, the kit and the text of a game as units that the machine translates."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from ..machine import form as f
from ..machine.subset import Translator
from ..machine.units import ANNOTATED, Ref, Shape, Unit
from .kit import NONE

KIT_WORDS = {
    "ZERO", "ONE", "FULL_WORD", "FIRST_FACTOR", "SECOND_FACTOR", "CHOICE_FACTOR", "FIVES", "THREES",
    "FIFTEENS", "ONES", "TOPS", "BYTE", "FIFTEEN",
}  # fmt: skip
"""The constants of the kit that are words; the others are numbers."""
CHANGERS = frozenset({"move", "keep"})
"""The functions of the kit that change the numbers of a state."""
CONVENTION = {
    "s": f.NUMBERS, "m": f.NUMBERS, "first": f.NUMBERS, "tally": f.NUMBERS, "b": f.WORDS, "c": f.WORDS,
    "words": f.WORDS,
}  # fmt: skip
"""The arrays among the parameters of a game's own functions; the others are numbers."""

TABLE = re.compile(r"^(\w+) = (table|masks)\(\[([-,\s0-9A-Fa-fxNO]*)\]\)$", re.MULTILINE)
"""A table of a text, all elements of which are written as numbers or `NONE`."""


def _tree(name: str) -> ast.Module:
    return ast.parse(Path(__file__).with_name(f"{name}.py").read_text("utf-8"))


def _functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _constant(value: Any, name: str, words: bool) -> f.Const | None:
    if isinstance(value, bool):
        return f.Const(f.TRUTH, int(value))
    if isinstance(value, int):
        return f.Const(f.WORD if words else f.NUMBER, value)
    return f.Const(f.REAL, value) if isinstance(value, float) else None


@cache
def kit_unit() -> Unit:
    """The kit."""
    from . import kit

    functions = _functions(_tree("kit"))
    for name in (
        "fast",
        "part",
        "steady",
        "rare",
        "once",
        "word",
        "table",
        "masks",
        "low",
        "count",
        "as_word",
        "as_number",
    ):
        del functions[name]
    names: dict[str, Any] = {
        name: f.Table(name, f.WORDS, held)
        for name, held in vars(kit).items()
        if name.isupper() and isinstance(held, tuple)
    }
    for name, value in vars(kit).items():
        made = _constant(value, name, name in KIT_WORDS)
        if made is not None and name.isupper():
            names[name] = made
    return Unit(functions, names, {})


def text_unit(text: str, given: Mapping[str, Any], state: Mapping[str, int]) -> Unit:
    """The text of a game, which may use given names and those of the kit; see `Unit` for `state`."""
    kit = kit_unit()
    names: dict[str, Any] = {**kit.names, **{name: Ref(kit, name) for name in kit.functions}, **given}
    tree = ast.parse(TABLE.sub(partial(_table, names), text))
    unit = Unit(_functions(tree), names, state, CHANGERS)
    for node in tree.body:
        if isinstance(node, ast.Assign):
            _assigned(unit, node, names)
    return unit


def _table(names: dict[str, Any], found: re.Match[str]) -> str:
    """Note a table of numbers, and leave as many empty lines: its syntax tree would take most of the time."""
    name, kind, listed = found.groups()
    if kind == "table":
        names[name] = f.Table(name, f.NUMBERS, json.loads(f"[{listed.replace('NONE', str(NONE))}]"))
    else:
        names[name] = f.Table(name, f.WORDS, [int(x, 0) for x in listed.split(",") if x.strip()])
    return "\n" * found[0].count("\n")


def _assigned(unit: Unit, node: ast.Assign, names: dict[str, Any]) -> None:
    """The constants, tables and other names that an assignment gives."""
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Tuple):
        assert isinstance(value, ast.Tuple)
        for one, part in zip(target.elts, value.elts, strict=True):
            _assigned(unit, ast.Assign([one], part), names)
        return
    assert isinstance(target, ast.Name)
    name = target.id
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        held = _evaluated(value.args[0], names)
        kind = {"table": f.NUMBERS, "masks": f.WORDS}.get(value.func.id)
        names[name] = f.Table(name, kind, held) if kind else f.Const(f.WORD, held)
    elif isinstance(value, ast.Name) and value.id in unit.functions:
        names[name] = Ref(unit, value.id)
    elif isinstance(value, ast.Name) and not isinstance(names.get(value.id), f.Const):
        names[name] = names[value.id]
    else:
        held = _evaluated(value, names)
        words = any(
            getattr(names.get(x.id), "type", None) is f.WORD
            for x in ast.walk(value)
            if isinstance(x, ast.Name)
        )
        names[name] = _constant(held, name, words)


def _evaluated(value: ast.expr, names: Mapping[str, Any]) -> Any:
    """A constant expression over constants."""
    try:
        return ast.literal_eval(value)
    except ValueError:
        known = {name: held.value for name, held in names.items() if isinstance(held, f.Const)}
        code = compile(ast.Expression(value), "<constants>", "eval")
        return eval(code, {"__builtins__": {}}, known)  # noqa: S307 - a text of ours


@cache
def _shapes() -> dict[str, Shape]:
    """The shapes of all names in `shapes`."""
    return _aliases(_tree("shapes"), dict(ANNOTATED))


def _aliases(tree: ast.Module, found: dict[str, Shape]) -> dict[str, Shape]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("tuple["):
            assert isinstance(node.targets[0], ast.Name)
            parts = ast.unparse(node.value).removeprefix("tuple[").removesuffix("]").split(", ")
            found[node.targets[0].id] = tuple(found[part] for part in parts)
    return found


def kernel_unit(kernel: str, game: Unit, done: dict[str, tuple[Unit, dict[str, Shape]]]) -> Unit:
    """A kernel beside the code of a game."""
    if kernel in done:
        return done[kernel][0]
    tree, module = _tree(kernel), import_module(f"{__package__}.{kernel}")
    names: dict[str, Any] = {}
    unit = Unit(_functions(tree), names, {})
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
                names[name] = Ref(source, name) if name in source.functions else source.names.get(name)
        elif isinstance(node, ast.Assign):
            targets = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else [node.targets[0]]
            words = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "word"
            for target in targets:
                assert isinstance(target, ast.Name)
                names[target.id] = _constant(getattr(module, target.id), target.id, words)
    return unit


def module_of(game: Unit, kernels: tuple[str, ...], entries: tuple[str, ...] = ()) -> f.Module:
    """A module with the functions of kernels that are marked `fast`, and entries of the game's own."""
    translator = Translator()
    named: list[str] = []
    for name in entries:
        shapes = tuple(CONVENTION.get(a.arg, f.NUMBER) for a in game.functions[name].args.args)
        named.append(translator.function(Ref(game, name), shapes)[0])
    done: dict[str, tuple[Unit, dict[str, Shape]]] = {}
    for kernel in kernels:
        unit = kernel_unit(kernel, game, done)
        aliases = done[kernel][1]
        for name, node in unit.functions.items():
            if ast.unparse(node.decorator_list[0]) == "fast":
                shaped = tuple(aliases[ast.unparse(a.annotation)] for a in node.args.args if a.annotation)
                named.append(translator.function(Ref(unit, name), shaped)[0])
    return translator.finished(named)
