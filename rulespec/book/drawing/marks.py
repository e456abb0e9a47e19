"""The marks a diagram can be drawn with, the attributes each one takes, and the check of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...core.diagnostics import Diagnostic, Report
from ...core.game import Game, Layer
from ...core.types import Enum, Int, List, Scalar, Set, Type, scalar_of
from .table import TABLE

NUMBER = "a number"
SCALAR = "a single value"
MANY = "a set or a list"
ROW = "a list"

VALUES: Mapping[str, str] = {
    "across": NUMBER, "up": NUMBER, "to-across": NUMBER, "to-up": NUMBER, "via-across": ROW, "via-up": ROW,
    "level": NUMBER, "shade": NUMBER, "size": NUMBER, "count": NUMBER, "tone": SCALAR, "label": SCALAR,
    "corner": SCALAR, "joins": SCALAR, "items": MANY, "tones": ROW,
}  # fmt: skip
"""The kinds of values of attributes."""
END = ("to-across", "to-up")
PIECES = ("cards", "tiles", "discs", "pyramids", "dice")
"""Words for the pieces of a row."""
UNITS = frozenset({"halves", "quarters", "tenths"})
"""Words for the fraction of a square that a place counts."""


@dataclass(frozen=True)
class MarkKind:
    """The attributes that a mark needs, its optional ones, and the words that change its look."""

    needs: frozenset[str]
    takes: frozenset[str]
    looks: frozenset[str]

    @property
    def attributes(self) -> dict[str, str]:
        """Every attribute by name, with the kind of value it takes."""
        return {name: kind for name, kind in VALUES.items() if name in self.needs | self.takes}


MARKS: Mapping[str, MarkKind] = {
    name: MarkKind(frozenset(words["needs"]), frozenset(words["takes"]), UNITS.union(words["looks"]))
    for name, words in TABLE.words.items()
}
"""Every mark by name."""

REACHING = frozenset({"square", "wall", "pit", "highlight"})
"""Marks that may reach from one place to another, and then need both parts of the other."""

OPTIONS = frozenset({"look"})
"""Keys of a layer that are plain words rather than expressions."""


def looks(layer: Layer) -> frozenset[str]:
    """The words for the look of a layer."""
    return frozenset(layer.options.get("look", "").replace(",", " ").split())


def problems(game: Game) -> list[Diagnostic]:
    """The faults in the layers of a diagram: unknown marks, attributes or words; wrong kinds of values."""
    report = Report()
    for layer in game.diagram:
        _check(layer, game, report)
    return report.diagnostics


def _check(layer: Layer, game: Game, report: Report) -> None:
    """Report an unknown mark, and attributes that are unknown, missing or of another type."""
    place = next((game.spans[e] for e in layer.attributes.values() if e in game.spans), None)
    kind = MARKS.get(layer.mark)
    if kind is None:
        advice = report.nearest(layer.mark, MARKS)
        report.error("diagram.mark", f"no mark is called `{layer.mark}`", place, help=advice)
        return
    _check_attributes(layer, kind, game, report)
    for name in kind.needs - layer.attributes.keys():
        report.error("diagram.missing", f"the mark `{layer.mark}` needs `{name}`", place)
    if layer.mark in REACHING and len(layer.attributes.keys() & set(END)) == 1:
        message = f"a {layer.mark} from one place to another needs both `to-across` and `to-up`"
        report.error("diagram.missing", message, place)
    if layer.mark in ("label", "callout") and not (layer.text or "label" in layer.attributes):
        needed = "`label` or `text`" if layer.mark == "label" else "`text`"
        report.error("diagram.missing", f"the mark `{layer.mark}` needs {needed}", place)
    if len(looks(layer) & UNITS) > 1:
        message = f"places count one of {', '.join(sorted(UNITS))}, not several"
        report.error("diagram.look", message, place)
    for word in sorted(looks(layer) - kind.looks):
        advice = report.nearest(word, kind.looks)
        report.error("diagram.look", f"the mark `{layer.mark}` has no look `{word}`", place, help=advice)
    for name in sorted(layer.options.keys() - OPTIONS):
        report.error("diagram.option", f"a layer has no `{name}`", place, help=report.nearest(name, OPTIONS))


def _check_attributes(layer: Layer, kind: MarkKind, game: Game, report: Report) -> None:
    """Report attributes that a mark does not take or that have another type."""
    for name, expr in layer.attributes.items():
        wanted, span = kind.attributes.get(name), game.spans.get(expr)
        if wanted is None:
            advice = report.nearest(name, kind.attributes) or "it takes " + ", ".join(sorted(kind.attributes))
            message = f"the mark `{layer.mark}` takes no `{name}`"
            report.error("diagram.attribute", message, span, help=advice)
        elif not _is(expr.type, wanted):
            message = f"`{name}` of `{layer.mark}` is {wanted}, but this is {expr.type}"
            report.error("diagram.type", message, span)


def _is(t: Type, wanted: str) -> bool:
    """True if a type is of the kind that an attribute takes."""
    if wanted == NUMBER:
        return isinstance(scalar_of(t), Int | Enum)
    if wanted == SCALAR:
        return isinstance(scalar_of(t), Scalar)
    if wanted == ROW:
        return isinstance(t, List)
    return isinstance(t, Set | List)
