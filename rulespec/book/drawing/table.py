"""The table of marks (`marks.toml`) as functions that draw, and as data for pages."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Any

from . import formula, primitives
from .scene import Mark

PARTS = ("instead", "together", "once", "shapes", "box", "sign", "spot")
"""The parts of an entry that a reader uses; its other names are steps of their formulas."""
BOX = "[x - width / 2, y - height / 2, width, height]"
"""The box of an entry that has width and height."""
PARAMETERS = ("mark", "x", "y", "dx", "dy", "group")
FIELDS = frozenset(field.name for field in fields(Mark)) - {"x", "y"}

Box = Sequence[float]
"""Left, top, width, height; empty for nothing."""


@dataclass(frozen=True)
class Table:
    """Sizes by name, functions by name, and for each entry its parts as functions of `PARAMETERS`."""

    sizes: Mapping[str, Any]
    functions: Mapping[str, Callable[..., Any]]
    entries: Mapping[str, Mapping[str, Callable[..., Any]]]
    words: Mapping[str, Mapping[str, list[str]]]
    """For each mark the attributes that a layer needs or may have, and its looks."""
    data: Mapping[str, Any]
    """All of it as plain JSON: sizes, functions with their parameters, entries, formulas as trees."""


def _read_table() -> Table:
    source = tomllib.loads((files(__package__) / "marks.toml").read_text("utf-8"))
    names: dict[str, Any] = {"__builtins__": {}, "text_of": primitives.text_of, **primitives.CALLABLE}
    sizes: dict[str, Any] = {}
    for name, text in source["sizes"].items():
        sizes[name] = names[name] = eval(compile(text, f"<{name}>", "eval"), names)  # noqa: S307, the table is ours
    functions: dict[str, Callable[..., Any]] = {}
    trees: dict[str, Any] = {}
    for signature, text in source["functions"].items():
        name, _, parameters = signature.removesuffix(")").partition("(")
        body = formula.parse(text)
        names[name] = functions[name] = formula.define(name, parameters, {}, body, names)
        trees[name] = [parameters.split(", "), formula.tree(body)]
    written = {**source["marks"], **source["variants"]}
    entries = {name: {"box": BOX, **entry} if "width" in entry else entry for name, entry in written.items()}
    parsed = {
        name: {key: formula.parse(text) for key, text in entry.items() if isinstance(text, str)}
        for name, entry in entries.items()
    }
    words = {
        name: {key: entry[key] for key in ("needs", "takes", "looks")}
        for name, entry in source["marks"].items()
    }
    return Table(
        sizes, functions, {name: _entry(name, entry, names) for name, entry in parsed.items()}, words,
        {
            "sizes": sizes, "functions": trees,
            "entries": {n: {key: formula.tree(e) for key, e in entry.items()} for n, entry in parsed.items()},
        },
    )  # fmt: skip


def _entry(name: str, steps: Mapping[str, Any], names: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    """The parts of an entry; each computes only the steps that it needs."""
    parts = {}
    for part in PARTS:
        if part not in steps:
            continue
        before = formula.required_steps([part], steps)
        result = before.pop(part)
        read = set().union(formula.names(result), *map(formula.names, before.values())) - before.keys()
        attributes = {field: formula.parse(f"mark.{field}") for field in sorted(read & FIELDS)}
        function = f"{part}_of_{name.replace(' ', '_')}"
        parts[part] = formula.define(function, ", ".join(PARAMETERS), {**attributes, **before}, result, names)
    return parts


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
