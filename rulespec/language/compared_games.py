"""The game that a claim compares with its own: another ruleset, or the same one with something changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ..core.diagnostics import Report
from ..core.game import Game, Other
from ..core.meter import Meter
from .documents.shapes import text_of, words
from .documents.variants import Document, apply
from .documents.yaml import Mapping, Node, Scalar, Sequence
from .elaborate.memoisation import Memories
from .elaborate.world import World
from .settings import Settings, known_reading

Assembler = Callable[[Document, Report, Memories, Meter, Settings], Game]
"""Builds the game of a document; it is `assemble.assemble`, which builds claims and so is imported later."""


def other(
    world: World, document: Document, held: Node, given: Settings, assemble: Assembler
) -> tuple[Other, str]:
    """The game that a claim names or describes, with its description as formal text.

    It has the settings of this game, if it knows them and the claim does not override them. The ruleset and
    the readings are checked at once; the rest when the game is built.
    """
    changes = held if isinstance(held, Mapping) else Mapping(held.span, False)
    to = held if isinstance(held, Scalar) else changes.entries.get("to")
    name = to if isinstance(to, Scalar) else None
    if name is not None:
        document.sibling(name, world.report, world.meter)
    else:
        for ruling, reading in _entries(changes, "choose"):
            known_reading(world, ruling, text_of(reading), reading.span, reading.span)
    said = [*_formal_changes(changes)]
    settled = Settings(world.players, given.parameters, given.readings)
    whole = f"`{name.value}`" if name is not None else "this game"
    changed = [*_change_phrases(changes)]
    called = f"{whole} where {' and '.join(changed)}" if changed else whole
    lines = said if name is None else [f"to {name.value}", *said]
    make = partial(_make_game, assemble, document, name, changes, settled, world.meter)
    return Other(called, make), "\n".join(lines)


def _make_game(
    assemble: Assembler,
    document: Document,
    name: Scalar | None,
    changes: Mapping,
    given: Settings,
    meter: Meter,
) -> Game:
    """The game that a claim compares with this one, under changed settings. Raises RulesetError."""
    report = Report()
    made = document.sibling(name, report, meter)
    report.raise_errors()
    assert made is not None
    own = text_of(made.root.entries.get("id"))
    made = apply(made, changes, own, report, meter)
    made.root.entries.pop("claims", None)
    report.raise_errors()
    parameters, readings = _applicable_settings(made, given)
    return assemble(made, report, Memories(), meter, Settings(given.players, parameters, readings))


def _applicable_settings(document: Document, given: Settings) -> tuple[dict[str, Any], dict[str, str]]:
    """The given parameters and readings that a document declares and does not set itself."""
    declared = document.root.entries.get("parameters")
    names = declared.entries.keys() if isinstance(declared, Mapping) else set()
    rulings = {text_of(r.entries.get("id")) for r in document.section("rules") if "readings" in r.entries}
    parameters = {k: v for k, v in given.parameters.items() if k in names and k not in document.settings}
    readings = {k: v for k, v in given.readings.items() if k in rulings and k not in document.choices}
    return parameters, readings


def _formal_changes(changes: Mapping) -> list[str]:
    """The changes as formal text, each on its own line."""
    lines = [f"{name} = {_value_text(value)}" for name, value in _entries(changes, "set")]
    lines += [f"{ruling} is {_value_text(reading)}" for ruling, reading in _entries(changes, "choose")]
    lines += [f"{path} := {_value_text(value)}" for path, value in _entries(changes, "replace")]
    return lines + [f"without {path.value}" for path in words(changes.entries.get("remove"))]


def _change_phrases(changes: Mapping) -> Iterator[str]:
    """Short phrases for the changes."""
    yield from (f"`{name}` is {_value_text(value)}" for name, value in _entries(changes, "set"))
    yield from (
        f"`{ruling}` is read as `{_value_text(value)}`" for ruling, value in _entries(changes, "choose")
    )
    yield from (f"`{path}` is worded otherwise" for path, _ in _entries(changes, "replace"))
    yield from (f"`{path.value}` is left out" for path in words(changes.entries.get("remove")))


def _value_text(node: Node) -> str:
    """A value as written, or a word for its kind."""
    if isinstance(node, Scalar):
        return " ".join(node.value.split())
    return ", ".join(map(_value_text, node.items)) if isinstance(node, Sequence) else "another rule"


def _entries(changes: Mapping, key: str) -> list[tuple[str, Node]]:
    held = changes.entries.get(key)
    return [*held.entries.items()] if isinstance(held, Mapping) else []
