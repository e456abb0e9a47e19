"""The table of marks (`marks.toml`) as functions that draw, and as data for pages."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from importlib.resources import files
from typing import Any

from . import formula, primitives
from .scene import Mark

BOX = "[x - width / 2, y - height / 2, width, height]"
"""The box of an entry that has width and height."""
PARAMETERS = ("mark", "x", "y", "dx", "dy", "group")
FIELDS = frozenset(field.name for field in fields(Mark)) - {"x", "y"}

Box = Sequence[float]
"""Left, top, width, height; empty for nothing."""


class Entry:
    """An entry of the table: its parts as functions of `PARAMETERS`, each compiled when it is first used."""

    def __init__(self, name: str, texts: Mapping[str, str], names: dict[str, Any]) -> None:
        self._name, self._texts, self._names = name, texts, names
        self._functions: dict[str, Callable[..., Any]] = {}

    @cached_property
    def steps(self) -> dict[str, ast.expr]:
        """Its formulas by name."""
        return {key: formula.parse(text) for key, text in self._texts.items()}

    def __contains__(self, part: str) -> bool:
        return part in self._texts

    def __getitem__(self, part: str) -> Callable[..., Any]:
        if part not in self._functions:
            self._functions[part] = self._compile(part)
        return self._functions[part]

    def _compile(self, part: str) -> Callable[..., Any]:
        """A function that computes a part and only the steps that the part needs."""
        before = formula.required_steps([part], self.steps)
        result = before.pop(part)
        read = set().union(formula.names(result), *map(formula.names, before.values())) - before.keys()
        attributes = {field: formula.parse(f"mark.{field}") for field in sorted(read & FIELDS)}
        function = f"{part}_of_{self._name.replace(' ', '_')}"
        return formula.define(function, ", ".join(PARAMETERS), {**attributes, **before}, result, self._names)


@dataclass(frozen=True)
class Table:
    """Sizes by name, functions by name with their parameters and formulas, and entries by name."""

    sizes: Mapping[str, Any]
    functions: Mapping[str, Callable[..., Any]]
    entries: Mapping[str, Entry]
    words: Mapping[str, Mapping[str, list[str]]]
    """For each mark the attributes that a layer needs or may have, and its looks."""
    trees: Mapping[str, tuple[list[str], ast.expr]]
    """The parameters and the formula of each function."""

    def to_data(self) -> dict[str, Any]:
        """The whole table as plain JSON: sizes, functions with parameters, entries, formulas as trees."""
        return {
            "sizes": self.sizes,
            "functions": {name: [given, formula.tree(body)] for name, (given, body) in self.trees.items()},
            "entries": {
                name: {key: formula.tree(step) for key, step in entry.steps.items()}
                for name, entry in self.entries.items()
            },
        }


def _read_table() -> Table:
    """Read the table of marks, and compile its sizes and functions."""
    source = tomllib.loads((files(__package__) / "marks.toml").read_text("utf-8"))
    names: dict[str, Any] = {"__builtins__": {}, "text_of": primitives.text_of, **primitives.CALLABLE}
    sizes: dict[str, Any] = {}
    for name, text in source["sizes"].items():
        sizes[name] = names[name] = eval(compile(text, f"<{name}>", "eval"), names)  # noqa: S307, the table is ours
    functions: dict[str, Callable[..., Any]] = {}
    trees: dict[str, tuple[list[str], ast.expr]] = {}
    for signature, text in source["functions"].items():
        name, _, parameters = signature.removesuffix(")").partition("(")
        body = formula.parse(text)
        names[name] = functions[name] = formula.define(name, parameters, {}, body, names)
        trees[name] = parameters.split(", "), body
    entries = {}
    for name, entry in {**source["marks"], **source["variants"]}.items():
        texts = {key: text for key, text in entry.items() if isinstance(text, str)}
        entries[name] = Entry(name, {"box": BOX, **texts} if "width" in entry else texts, names)
    needed, marks = ("needs", "takes", "looks"), source["marks"].items()
    words = {name: {key: entry[key] for key in needed} for name, entry in marks}
    return Table(sizes, functions, entries, words, trees)


TABLE = _read_table()
SIZES = TABLE.sizes
UNIT: int = SIZES["UNIT"]
"""The side of a square in pixels."""
LIFT: int = SIZES["LIFT"]
"""The height of one level, in pixels."""


def centre(mark: Mark) -> tuple[float, float]:
    """The centre of a mark in pixels, raised by its level."""
    return mark.x * UNIT, mark.y * UNIT - mark.level * LIFT


class Shapes:
    """A mark as the table draws it.

    Args:
        mark: the mark; `name` is that of the entry that draws it, by default of its kind.
        group: the marks that are drawn with it as one.
        place: pixels; by default the place of the mark.
    """

    def __init__(
        self, mark: Mark, group: Sequence[Mark] = (), name: str = "", place: tuple[float, float] | None = None
    ) -> None:
        to_x, to_y = mark.to or (mark.x, mark.y)
        dx, dy = (to_x - mark.x) * UNIT, (to_y - mark.y) * UNIT
        self._arguments = (mark, *(place or centre(mark)), dx, dy, group)
        self._entry = TABLE.entries[name or mark.kind]
        while other := self.part("instead"):
            self._entry = TABLE.entries[other]

    def part(self, part: str) -> Any:
        """A part of its entry; None if the entry has none."""
        return self._entry[part](*self._arguments) if part in self._entry else None

    def elements(self, part: str) -> str:
        """The text of some elements: `once` those of its group, `shapes` its own."""
        return flat(self.part(part))


def together(mark: Mark) -> Any:
    """A key, equal for marks of a kind that are drawn as one group; false for a mark drawn by itself."""
    return Shapes(mark).part("together") if "together" in TABLE.entries[mark.kind] else None


def flat(parts: Any) -> str:
    """The elements from a formula: a text, a list of texts, or nothing."""
    return parts if isinstance(parts, str) else "".join(map(flat, parts)) if parts else ""


def draw(name: str, *arguments: Any) -> str:
    """The elements from a function of the table."""
    return flat(TABLE.functions[name](*arguments))
