"""The marks a diagram can be drawn with, the attributes each one takes, and the check of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..core.diagnostics import Diagnostic, Report
from ..core.game import Game, Layer
from ..core.types import Enum, Int, List, Scalar, Set, Type, scalar_of

NUMBER = "a number"
SCALAR = "a single value"
MANY = "a set or a list"
ROW = "a list"

PLACE = {"across": NUMBER, "up": NUMBER}
END = {"to-across": NUMBER, "to-up": NUMBER}
FACE = {"tone": SCALAR, "label": SCALAR, "level": NUMBER}
GROUND = {**FACE, "corner": SCALAR, "shade": NUMBER}
PIECES = ("cards", "tiles", "discs", "pyramids", "dice")
"""Words for the pieces of a row."""
UNITS = frozenset({"halves", "quarters", "tenths"})
"""Words for the part of a square that places count."""


@dataclass(frozen=True)
class MarkKind:
    """The attributes that a mark needs, those that it may have, and the words that change its look."""

    needs: Mapping[str, str]
    takes: Mapping[str, str]
    looks: frozenset[str] = frozenset()

    @property
    def attributes(self) -> dict[str, str]:
        """Every attribute by name, with the kind of value it takes."""
        return {**self.needs, **self.takes}


def _kind(needs: Mapping[str, str], takes: Mapping[str, str], *looks: str) -> MarkKind:
    return MarkKind(needs, takes, frozenset(looks) | UNITS)


MARKS: Mapping[str, MarkKind] = {
    "square": _kind(PLACE, {**GROUND, **END, "size": NUMBER}, "outline", "pips"),
    "hexagon": _kind(PLACE, GROUND, "outline", "pips"),
    "pit": _kind(PLACE, {**END, "tone": SCALAR, "size": NUMBER}),
    "tile": _kind(PLACE, {**FACE, "corner": SCALAR, "joins": SCALAR}, "pips", "ghost"),
    "card": _kind(PLACE, FACE, "ghost"),
    "disc": _kind(PLACE, {**FACE, "size": NUMBER}, "outline", "ghost", "plain", "crown"),
    "pyramid": _kind(PLACE, {**FACE, "size": NUMBER}, "outline", "ghost", "plain"),
    "die": _kind({**PLACE, "label": SCALAR}, {"tone": SCALAR, "level": NUMBER}),
    "stack": _kind({**PLACE, "items": MANY}, {"tones": ROW}, "letters", "pyramids"),
    "wall": _kind(PLACE, {**END, "tone": SCALAR, "label": SCALAR}),
    "pips": _kind({**PLACE, "count": NUMBER}, {"tone": SCALAR, "level": NUMBER}),
    "label": _kind(
        PLACE, {"label": SCALAR, "tone": SCALAR, "size": NUMBER, "level": NUMBER}, "plain", "fine"
    ),
    "arrow": _kind({**PLACE, **END}, {"via-across": ROW, "via-up": ROW, "tone": SCALAR}),
    "line": _kind({**PLACE, **END}, {"tone": SCALAR}),
    "highlight": _kind(PLACE, {**END, "tone": SCALAR, "level": NUMBER}),
    "callout": _kind(PLACE, {}),
    "hand": _kind({"items": MANY}, {"tones": ROW}, *PIECES, "pips", "beside", "abreast"),
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
    """The faults of the layers of a diagram: unknown marks, attributes, words or kinds of values."""
    report = Report()
    for layer in game.diagram:
        _check(layer, game, report)
    return report.diagnostics


def _check(layer: Layer, game: Game, report: Report) -> None:
    place = next((game.spans[e] for e in layer.attributes.values() if e in game.spans), None)
    kind = MARKS.get(layer.mark)
    if kind is None:
        advice = report.nearest(layer.mark, MARKS)
        report.error("diagram.mark", f"no mark is called `{layer.mark}`", place, help=advice)
        return
    _check_attributes(layer, kind, game, report)
    for name in kind.needs.keys() - layer.attributes.keys():
        report.error("diagram.missing", f"the mark `{layer.mark}` needs `{name}`", place)
    if layer.mark in REACHING and len(END.keys() & layer.attributes.keys()) == 1:
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
    for name, expr in layer.attributes.items():
        wanted, span = kind.attributes.get(name), game.spans.get(expr)
        if wanted is None:
            advice = report.nearest(name, kind.attributes) or "it takes " + ", ".join(sorted(kind.attributes))
            message = f"the mark `{layer.mark}` takes no `{name}`"
            report.error("diagram.attribute", message, span, help=advice)
        elif not _is(expr.type, wanted):
            message = f"`{name}` of `{layer.mark}` is {wanted}, and this is {expr.type}"
            report.error("diagram.type", message, span)


def _is(t: Type, wanted: str) -> bool:
    if wanted == NUMBER:
        return isinstance(scalar_of(t), Int | Enum)
    if wanted == SCALAR:
        return isinstance(scalar_of(t), Scalar)
    if wanted == ROW:
        return isinstance(t, List)
    return isinstance(t, Set | List)
