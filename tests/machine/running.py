"""Functions of the subset, run in the machine."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

from rulespec.kernels.units import text_unit
from rulespec.machine import form as f
from rulespec.machine.encode import encode
from rulespec.machine.memory import Array, Memory
from rulespec.machine.runtime import compiled, engine, instantiate
from rulespec.machine.subset import Translator
from rulespec.machine.units import Ref, Shape

SHAPES: Mapping[str, Shape] = {
    "int": f.NUMBER, "Word": f.WORD, "bool": f.TRUTH, "float": f.REAL, "Numbers": f.NUMBERS,
    "Words": f.WORDS, "Small": f.SMALL, "Reals": f.REALS, "Pair": (f.NUMBERS, f.WORDS),
    "Nested": ((f.NUMBERS, f.WORDS), f.SMALL),
}  # fmt: skip


class Run:
    """A text in the machine: its functions by name, and arrays to call them with."""

    def __init__(self, text: str, state: Mapping[str, int] | None = None) -> None:
        text = textwrap.dedent(text)
        unit, translator = text_unit(text, {}, state or {}), Translator()
        names = []
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                shapes = tuple(SHAPES[ast.unparse(a.annotation)] for a in node.args.args if a.annotation)
                names.append(translator.function(Ref(unit, node.name), shapes)[0])
        self.module = translator.finished(names)
        self.memory = Memory(engine())
        self.entries = instantiate(self.memory, compiled(encode(self.module, self.memory.static_end)))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return self.entries[name]

    def array(self, kind: f.Type, values: Any) -> Array:
        made = self.memory.room(kind, len(values))
        made[:] = values
        return made
