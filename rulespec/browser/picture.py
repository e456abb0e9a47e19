"""Drawings in a page: the layers of a ruleset as functions that fill an array with the numbers of marks.

`picture` gives the marks of a position, `pictured` those of an action in it. For each mark the array has the
number of its layer and the codes of its values. A script turns these into marks (`js/picture.js`), equal to
those of `rulespec.book.drawing.layers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from ..book.drawing.layers import SCALES, has_own_tones, is_fixed, units
from ..book.drawing.marks import looks as words
from ..code import GameCode
from ..code.bindings import Env, Val
from ..code.body import B, Body, Functions, M, S
from ..code.identifiers import Kind
from ..code.loops import elements
from ..code.move_generation.action_rows import ActionRows
from ..core import nodes as n
from ..core.game import Game, Layer
from ..core.traversal import FreeVariables
from ..core.types import NONE, List, Map, Set, Type
from ..kernels.kit import FULL
from ..machine import form as f
from ..machine.builder import compare, count_bits, load, number, plus
from ..players.comparing import kind
from .bundle import NotForPages
from .know import Knowledge
from .looks import Looks
from .types import Types

R = f.Local(f.NUMBERS, "r")
"""The buffer that contains the row of the drawn action, like the buffer of legal actions."""
K = f.Local(f.NUMBER, "k")
"""The place in `r` where the row begins."""
N = f.Local(f.NUMBER, "n")
"""The current size of `m`."""

Field = tuple[str, Type]
"""A part of a mark: an attribute, a value in its text or its name, or the backs among its items."""


class Pictures:
    """The functions that draw a game, and further data of its marks.

    `knowledge`, which must be written before, gives the places of the numbers of pieces known to a viewer.
    """

    name = "pictures"

    def __init__(self, game: Game, knowledge: Knowledge) -> None:
        self.game, self.knowledge = game, knowledge
        self._fields: dict[Layer, list[Field]] = {}
        """For each written layer, the meanings of the numbers of a mark."""

    def roots(self) -> Iterator[n.Expr]:
        """The expressions of all layers."""
        for layer in self.game.diagram:
            yield from layer.expressions

    def write(self, functions: Functions, rows: ActionRows) -> None:
        """Write `picture(s, b, m)` and `pictured(s, b, m, r, k)`.

        Both write the numbers of marks to m and return their count, `FULL` if m is too small. The first draws
        the layers of the position, the second those of the action at k in r. Raises NotForPages if a layer
        shows something that no script can read.
        """
        names = [self._layer(functions, i, layer) for i, layer in enumerate(self.game.diagram)]
        called = list(zip(self.game.diagram, names, strict=True))
        body = _reader(functions)
        _one_by_one(body, [name for layer, name in called if not layer.action], ())
        functions.add("picture", [S, B, M], body, f.NUMBER, entry=True)
        body = _reader(functions)
        body.types |= {x.name: x.type for x in (R, K)}
        action = body.named("action", load(R, K))
        for index, taken in enumerate(rows.actions):
            drawn = [name for layer, name in called if layer.action == taken.id]
            if drawn:
                with body.when(compare("==", action, index)):
                    _one_by_one(body, drawn, _choices(body, rows, index))
        body.give(0)
        functions.add("pictured", [S, B, M, R, K], body, f.NUMBER, entry=True)

    def data(self, written: GameCode, types: Types) -> dict[str, Any]:
        """The data of the marks as plain JSON, once the functions have been written.

        `layers` has for each layer its `mark`, `looks`, units `across` and `up`; the `action` that it shows,
        and the pictures `in` which it is drawn, if not in all; if it shows what is `secret` of an action; the
        kinds of the value that names its marks (`binder`) and of the pieces in it (`items`); its `fields` in
        the order of the numbers, each with its name and type. `looks` are those of types (`Looks`).
        """
        looks = Looks(types)
        listed = [_layer_data(self.game, layer, looks, self._fields[layer]) for layer in self.game.diagram]
        return {"layers": listed, "looks": looks.listed}

    def _layer(self, functions: Functions, index: int, layer: Layer) -> str:
        """Write the function that appends the marks of a layer to m; returns its name."""
        program = functions.program
        name = program.name(Kind.LAYER, layer.mark, f"layer {index} of the drawing, a {layer.mark}")
        body = _reader(functions)
        body.types[N.name] = N.type
        env: dict[n.Var, Any] = {}
        for choice in self.game.actions[layer.action].choices if layer.action else ():
            t = choice.chain.type if choice.chain else choice.var.type
            env[choice.var] = Val(choice.var.type, body.names(t, choice.var))
        parameters = [x for val in env.values() for x in val.parts]
        mark = _Mark(body)
        with ExitStack() as loops:
            for var, source in layer.binders:
                env = {**env, var: loops.enter_context(elements(body, var, source, env))}
            if layer.where is not None:
                loops.enter_context(body.when(body.cond(layer.where, env)))
            self._fill(mark, index, layer, env)
            mark.end()
        body.give(N)
        functions.add(name, [S, B, M, N, *parameters], body, f.NUMBER)
        self._fields[layer] = mark.fields
        return name

    def _fill(self, mark: _Mark, index: int, layer: Layer, env: Env) -> None:
        """Write code that appends the attributes, text and key of one mark of a layer to the array `m`."""
        values = [(name, e, mark.body.value(e, env)) for name, e in layer.attributes.items()]
        values += [("text", e, mark.body.value(e, env)) for e in layer.text if not isinstance(e, str)]
        if len(layer.binders) == 1:
            var = layer.binders[0][0]
            values.append(("name", n.Local(var.type, var), env[var]))  # type: ignore[arg-type]
        items = layer.attributes.get("items")
        backs = self.knowledge.backs(mark.body, items, env) if items is not None else None
        mark.begin(index, [e.type for _, e, _ in values], more=1)
        for name, e, val in values:
            mark.put(name, e.type, val)
        if backs is not None:
            mark.put_number("backs", backs)


class _Mark:
    """Writes the numbers of one mark to m, and collects their description."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.fields: list[Field] = []
        self._offset = 0
        """The number of values written after n."""

    def begin(self, layer: int, types: Sequence[Type], more: int) -> None:
        """Write a test for room, and the number of the layer."""
        size = 1 + more + sum(map(_most, types))
        with self.body.when(compare(">", plus(N, size), f.Length(M))):
            self.body.give(FULL)
        self._put(number(layer))

    def end(self) -> None:
        """Count the numbers written so far."""
        if self._offset:
            self.body.add(N, self._offset)
            self._offset = 0

    def put_number(self, name: str, value: f.Expr) -> None:
        """Write a number with no further meaning."""
        self.fields.append((name, NONE))
        self._put(value)

    def put(self, name: str, t: Type, val: Val) -> None:
        """Write a value: its code, or the number of elements and the code of each. Raises NotForPages."""
        if isinstance(t, Map):
            raise NotForPages("a caption of its drawing shows a whole map")
        self.fields.append((name, t))
        if not isinstance(t, Set | List):
            self._put(val.expr)
            return
        if isinstance(t, List):
            first, size = self.body.atoms(val).parts
            self._put(size)
            self.end()
            with self.body.each(i := self.body.name("i"), 0, size):
                self.body.store(M, plus(N, i), load(S, plus(first, i)))
            self.body.add(N, size)
        else:
            words = self.body.atoms(val).parts
            self._put(count_bits(*words))
            self.end()
            if t.of is not None:
                with self.body.bits(words, "x", self.body.codes.base(t.of)) as x:
                    self.body.store(M, N, x)
                    self.body.add(N, 1)

    def _put(self, e: f.Expr) -> None:
        self.body.store(M, plus(N, self._offset), e)
        self._offset += 1


def _layer_data(game: Game, layer: Layer, looks: Looks, fields: Sequence[Field]) -> dict[str, Any]:
    """A layer of the diagram as data for pages."""
    across, up = units(game, layer)
    items = layer.attributes.get("items")
    own_tones = has_own_tones(layer)
    return {
        "mark": layer.mark, "looks": sorted(words(layer).difference(SCALES)), "across": across, "up": up,
        "fixed": is_fixed(layer), "action": layer.action, "in": [*layer.pictures], "tones": own_tones,
        "secret": is_secret(game, layer),
        "binder": kind(layer.binders[0][0].type) if len(layer.binders) == 1 else "",
        "items": _kind_of_elements(items),
        "text": [part if isinstance(part, str) else None for part in layer.text],
        "fields": [_field_data(name, t, looks, own_tones) for name, t in fields],
    }  # fmt: skip


def _kind_of_elements(items: n.Expr | None) -> str:
    of = items.type.of if items is not None and isinstance(items.type, Set | List) else None
    return "" if of is None else kind(of)


def is_secret(game: Game, layer: Layer) -> bool:
    """True if a layer shows a part of an action that is secret from some players."""
    kept = {secret.choice for secret in game.actions[layer.action].secrets} if layer.action else set()
    free = FreeVariables()
    return None in kept or any(kept & free(e) for e in layer.expressions)


def _field_data(name: str, t: Type, looks: Looks, own_tones: bool) -> list[str | int]:
    wanted = LOOKS.get(name, ())
    return [name, looks.number(t, *wanted, *(("tones",) if name == "items" and own_tones else ()))]


LOOKS = {
    "tone": ("tones",), "tones": ("tones",), "label": ("cards",), "count": ("cards",), "items": ("cards",),
}  # fmt: skip
"""The looks of the values of attributes that a mark needs besides their notations."""


def _most(t: Type) -> int:
    """Return the maximum size of a value of a type."""
    if isinstance(t, List):
        return 1 + t.cap
    if isinstance(t, Set):
        return 1 + (len(t.of.values) if t.of is not None else 0)
    return 1


def _reader(functions: Functions) -> Body:
    """A function that leaves the state unchanged."""
    return Body(functions.program, functions, steady=True)


def _one_by_one(body: Body, names: Sequence[str], choices: Sequence[f.Expr]) -> None:
    """Write calls of the functions of layers, and return the resulting size of m."""
    count = body.named("n", 0)
    for name in names:
        body.set(count, body.call(f.NUMBER, name, S, B, M, count, *choices))
        with body.when(compare("<", count, 0)):
            body.give(count)
    body.give(count)


def _choices(body: Body, rows: ActionRows, index: int) -> list[f.Expr]:
    """The choices of the action at k in r as arguments; a list is copied first."""
    found: list[f.Expr] = []
    for choice, place in rows.places(index):
        held: f.Expr = load(R, plus(K, place))
        if choice.chain:
            at, held = body.slot(choice.chain.type), body.named("size", held)
            with body.each(i := body.name("i"), 0, held):
                body.store(S, plus(at, i), load(R, plus(K, i, place + 1)))
            found.append(number(at))
        found.append(held)
    return found
