"""Functions of the subset, run in the machine."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from rulespec.kernels.kit import word
from rulespec.kernels.units import game_unit, kit_unit
from rulespec.machine import form as f
from rulespec.machine.builder import number
from rulespec.machine.memory import Array, Memory
from rulespec.machine.runtime import compile_module, engine, instantiate
from rulespec.machine.subset.translator import Translator
from rulespec.machine.subset.units import FunctionRef, Shape, Unit
from rulespec.machine.webassembly.encoder import encode

SHAPES: Mapping[str, Shape] = {
    "int": f.NUMBER, "Word": f.WORD, "bool": f.TRUTH, "float": f.REAL, "Numbers": f.NUMBERS,
    "Words": f.WORDS, "Small": f.SMALL, "Reals": f.REALS, "Pair": (f.NUMBERS, f.WORDS),
    "Nested": ((f.NUMBERS, f.WORDS), f.SMALL), "VastNumbers": f.VAST_NUMBERS, "VastWords": f.VAST_WORDS,
    "VastSmall": f.VAST_SMALL,
}  # fmt: skip
MAKERS: Mapping[str, Callable[[Any], Any]] = {
    "table": lambda values: f.Table("", f.NUMBERS, values),
    "masks": lambda values: f.Table("", f.WORDS, values),
    "word": lambda value: f.Const(f.WORD, word(value)),
}

WAYS = """
    def _ways(n: int, k: int) -> int:
        if k == 0:
            return 1
        if n < k:
            return 0
        return _ways(n - 1, k) + _ways(n - 1, k - 1)
"""
"""A search that follows from numbers alone: how many sets of k there are of n things."""


def unit_of(text: str, constants: Collection[str] = ()) -> Unit:
    """The functions, tables and constants of a text, which may use the kit; some keep their names."""
    tree = ast.parse(textwrap.dedent(text))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    names = dict(game_unit({}).names)
    for node in tree.body:
        if isinstance(node, ast.Assign):
            held = dict(MAKERS)
            exec(ast.unparse(node), held)  # noqa: S102 - the texts of these tests
            for name in held.keys() - MAKERS.keys() - {"__builtins__"}:
                value = held[name]
                if isinstance(value, f.Table):
                    value = replace(value, name=name)
                shown = name if name in constants else ""
                names[name] = number(value, shown) if isinstance(value, int) else value
    return Unit(functions, names)


def translated(text: str, shown: bool = False, constants: Collection[str] = ()) -> f.Module:
    """A text in the form; the functions without an underscore, or all that are `shown`, are entries."""
    unit = unit_of(text, constants)
    kit = kit_unit()
    translator = Translator(dict.fromkeys(kit.functions, kit))
    names = []
    for name, node in unit.functions.items():
        assert isinstance(node, ast.FunctionDef)
        if shown or not name.startswith("_"):
            shapes = tuple(SHAPES[ast.unparse(a.annotation)] for a in node.args.args if a.annotation)
            names.append(translator.function(FunctionRef(unit, name), shapes)[0])
    return translator.finish(names)


class Run:
    """A module in the machine, or a text: its functions by name, and arrays to call them with."""

    def __init__(self, source: str | f.Module) -> None:
        self.module = translated(source) if isinstance(source, str) else source
        self.memory = Memory(engine())
        self.entries = instantiate(self.memory, compile_module(encode(self.module, self.memory.static_end)))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return self.entries[name]

    def array(self, kind: f.Type, values: Any) -> Array:
        made = self.memory.room(kind, len(values))
        made[:] = values
        return made
