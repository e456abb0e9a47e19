"""Layout and names shared by all generated functions: places, tables, constants.

Two arrays hold everything that changes: `s` of whole numbers and `b` of words (sets of up to 64 bits each).
The state comes first in both, then room for intermediate values (`slots`), then constants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..core import nodes as n
from ..core.columns import Columns, Name
from ..core.game import Game
from ..core.traversal import FreeVariables, nodes_within, reads_state
from ..core.types import List, Map, Optional, Scalar, Set, Truth, Type, Value, scalar_of
from ..machine import form as f
from ..machine.array_facts import summed_constants
from ..machine.builder import number
from .bindings import scalar_type
from .codes import NONE, Codes, TooLarge, called_definitions, types_in
from .identifiers import Kind, numbered_name

MOST_CELLS = 200_000
"""Maximum number of numbers for the state and intermediate values together."""
FEW_KEYS, MOST_CONSTANTS, MOST_INVERSE_WORDS = 4, 32, 4096
"""A map has an inverse, the set of keys of each value, if that saves more than it costs.

Each effect changes two words of it, whatever its size. Each lookup by a value saves a walk over the keys,
which is short for few keys. With more than `MOST_CONSTANTS` values most sets would never be read, unless the
rules ask for the keys of a value that they do not name.
"""
FEW_PLANES = 8
"""With at most this many values, the keys without a value are computed and not stored."""
MOST_LANES = 12
"""Conditions over types of more words are not evaluated for all values at once: the code would grow."""


MOST_TABLES = 1_000
_VALUES: dict[Hashable, Sequence[Value]] = {}
"""The values of at most `MOST_TABLES` static expressions; when it is full, it is begun anew."""


class Place(NamedTuple):
    """The beginning of a state variable, or of the words of a map: a named constant, and its value."""

    expr: f.Const
    at: int


class Program:
    """All parts of one game's code except the functions."""

    def __init__(self, game: Game, roots: Iterable[n.Expr | n.Effect] = ()) -> None:
        self.game = game
        choices = [choice for action in game.actions.values() for choice in action.choices]
        variables: list[n.Var | n.StateVar] = [*game.state.values(), *(choice.var for choice in choices)]
        variables += [game.outcome.player, *(choice.chain.step for choice in choices if choice.chain)]
        for root in roots:
            variables += _locals(root)
        outermost = [*game.roots, *roots]
        self.codes = Codes(types_in(outermost, variables))
        self.free = FreeVariables()
        self.static = Columns(self.free)
        self._reads: dict[n.Expr, bool] = {}
        self.columns: dict[Hashable, Sequence[Value]] = {}
        """The values of expressions for all values of a type, by the expressions themselves."""
        self.rows: dict[Hashable, Sequence[tuple[int, ...]]] = {}
        """The rows of tables; see `tables`."""
        self._numbers: Counter[Kind] = Counter()
        self.meanings: dict[str, str] = {}
        """The meanings of names in the code, in words of the ruleset."""
        self.constants: dict[str, int] = {}
        self.tables: dict[str, f.Table] = {}
        self.functions = {
            function: self.name(Kind.DEFINITION, function.name, _description(function))
            for function in called_definitions(outermost)
        }
        """The names of definitions' functions, written or not."""
        self._tables: dict[tuple[f.Type, tuple[int, ...]], f.Static] = {}
        self.slots: list[tuple[str, int, Type]] = []
        """Places of intermediate values, with their types."""
        self.cells: list[int] = []
        self.words: list[int] = []
        self.offsets: dict[n.StateVar, Place] = {}
        self.planes: dict[n.StateVar, Place] = {}
        self._compared = set(_compared_maps([*outermost, *(function.body for function in self.functions)]))
        """The maps whose values the rules compare with values that they do not name."""
        for var in game.state.values():
            self._place(var)
        self.state_cells, self.state_words = len(self.cells), len(self.words)

    # ---- names and constants

    def static_values(
        self,
        key: Hashable,
        e: n.Expr,
        axes: Sequence[Mapping[Name, Sequence[Value]]],
        fixed: Mapping[Any, Value],
    ) -> Sequence[Value]:
        """The values that `Columns.values` computes, computed once for each key.

        Games of one document share definitions, and so these values. The key must distinguish any difference
        in expression, axes and fixed values.
        """
        found = _VALUES.get(key)
        if found is None:
            found = self.static.values(e, axes, fixed)
            if len(_VALUES) >= MOST_TABLES:
                _VALUES.clear()
            _VALUES[key] = found
        return found

    def name(self, kind: Kind, of: str, meaning: str) -> str:
        """A new name for an item called `of` in the ruleset; `meaning` describes it to readers."""
        self._numbers[kind] += 1
        name = numbered_name(kind, self._numbers[kind], of)
        self.meanings[name] = meaning
        return name

    def constant(self, name: str, value: int) -> f.Const:
        """A named number."""
        self.constants[name] = value
        return number(value, name)

    def table(self, values: Sequence[int], wanted: str, meaning: str, kind: f.Type = f.NUMBERS) -> f.Static:
        """A table of whole numbers or words; equal tables are shared."""
        key = kind, tuple(values)
        if key not in self._tables:
            name = self.name(Kind.TABLE, wanted, meaning)
            self.tables[name] = f.Table(name, kind, key[1])
            self._tables[key] = f.Static(kind, name)
        return self._tables[key]

    # ---- where things lie

    def size(self, t: Type) -> int:
        """Size of a value of a type: in numbers, and for sets in words."""
        if isinstance(t, Map):
            return len(t.keys.values) * self.size(t.of)
        if isinstance(t, List):
            return 1 + t.cap
        return self.codes.words(t.of) if isinstance(t, Set) else 1

    def slot(self, t: Type, initial: Sequence[int] = ()) -> int:
        """Reserve space for a value of a type, and return its place."""
        array = "b" if in_words(t) else "s"
        at = self.room(array, self.size(t), initial)
        self.slots.append((array, at, t))
        return at

    def room(self, array: str, size: int, initial: Sequence[int] = ()) -> int:
        """Reserve consecutive numbers or words, and return the place of the first. Raises TooLarge."""
        held = self.words if array == "b" else self.cells
        at = len(held)
        if at + size > MOST_CELLS:
            raise TooLarge(f"the state takes more than {MOST_CELLS} numbers")
        held.extend(initial or [0] * size)
        return at

    def _place(self, var: n.StateVar) -> None:
        at = self.room("b" if in_words(var.type) else "s", self.size(var.type))
        size = self.size(var.type)
        kind = ("word" if in_words(var.type) else "number") + ("s" if size != 1 else "")
        name = self.name(Kind.VARIABLE, var.name, f"`{var.name}`: {var.type}, {size} {kind}")
        self.offsets[var] = Place(self.constant(name, at), at)

    def flat(self, t: Type, value: Value) -> list[int]:
        """A value as the numbers or words that represent it."""
        if isinstance(t, Map):
            if scalar_of(t.of) is not None:
                return self.codes.encode_all(t.of, value)
            return [v for item in value for v in self.flat(t.of, item)]
        if isinstance(t, Set):
            return list(self.codes.mask(t.of, value))
        if isinstance(t, List):
            codes = [self.codes.code(t.of, v) for v in value] if t.of else []
            return [len(codes), *codes, *[0] * (t.cap - len(codes))]
        return [self.codes.code(t, value)]

    def value(self, t: Type, held: Sequence[int], at: int = 0) -> Value:
        """The value stored as numbers or words from a place on."""
        if isinstance(t, Map):
            size = self.size(t.of)
            if scalar_of(t.of) is not None:
                return self.codes.decode_all(t.of, held[at : at + len(t.keys.values)])
            return tuple(self.value(t.of, held, at + i * size) for i in range(len(t.keys.values)))
        if isinstance(t, Set):
            return frozenset(self.codes.members(t.of, held[at : at + self.size(t)]))
        if isinstance(t, List):
            return tuple(self.codes.value(t.of, int(c)) for c in held[at + 1 : at + 1 + held[at]] if t.of)
        return self.codes.value(t, int(held[at]))

    # ---- words for each value of a map

    def has_inverse(self, var: n.StateVar) -> bool:
        """True if a map can have a bit set of keys for each of its values."""
        t = var.type
        if not isinstance(t, Map) or scalar_of(t.of) is None or len(t.keys.values) <= FEW_KEYS:
            return False
        each, values = self.lanes(t.keys), self.value_planes(var)
        if each is None or (values > MOST_CONSTANTS and var not in self._compared):
            return False
        return values * each <= MOST_INVERSE_WORDS

    def plane(self, var: n.StateVar) -> f.Const:
        """Place of the bit sets of a map, least value first; they are reserved in the state on first use."""
        if var not in self.planes:
            assert isinstance(var.type, Map)
            at = self.room("b", (size := self.plane_size(var)), [0] * size)
            meaning = f"for each value of `{var.name}` the {var.type.keys} that hold it"
            self.planes[var] = Place(self.constant(self.name(Kind.PLANES, var.name, meaning), at), at)
        return self.planes[var].expr

    def plane_size(self, var: n.StateVar) -> int:
        """Total number of words for the values of a map."""
        assert isinstance(var.type, Map)
        return (self.value_planes(var) + self.has_none_plane(var)) * self.codes.words(var.type.keys)

    def value_planes(self, var: n.StateVar) -> int:
        """Number of key sets stored for the values of a map; the set for none follows them."""
        codes = self.codes.codes(_scalar_of(var.type.of))  # type: ignore[attr-defined]
        return codes[-1] - codes[0] + 1

    def has_none_plane(self, var: n.StateVar) -> bool:
        """True if the keys without a value have a stored set, and are not computed from the others."""
        return isinstance(var.type.of, Optional) and self.value_planes(var) > FEW_PLANES  # type: ignore[attr-defined]

    def bits_of(self, asked: f.Load) -> int | None:
        """Number of bits in the bit set of keys for a map's value; None if it takes several words."""
        named = [
            var for var, place in self.planes.items() if place.expr.name in summed_constants(asked.index)
        ]
        if len(named) != 1 or asked.type is not f.WORD:
            return None
        keys = named[0].type.keys  # type: ignore[attr-defined]
        held = self.codes.mask(keys, keys.values)
        return held[0].bit_length() if len(held) == 1 else None

    def lanes(self, t: Scalar) -> int | None:
        """Number of words with one bit for each value of a type; None if there are too many."""
        try:
            found = self.codes.words(t)
        except TooLarge:
            return None
        return found if found <= MOST_LANES else None

    # ---- facts about expressions

    def reads_state(self, e: n.Expr) -> bool:
        """True if the value may differ between states with the same locals."""
        if e not in self._reads:
            self._reads[e] = reads_state(e)
        return self._reads[e]


def in_words(t: Type) -> bool:
    """True if values of a type are stored in words rather than numbers."""
    while isinstance(t, Map):
        t = t.of
    return isinstance(t, Set)


def is_truth(t: Type) -> bool:
    """True if values of a type are conditions."""
    return isinstance(t, Truth)


def _description(function: n.Function) -> str:
    clause = f" (clause `{function.clause}`)" if function.clause else ""
    return f"definition `{function.name}`{clause}"


def _scalar_of(t: Type) -> Scalar:
    found = scalar_of(t)
    assert found is not None
    return found


def _compared_maps(roots: Iterable[n.Expr | n.Effect]) -> Iterator[n.StateVar]:
    for root in roots:
        for node in nodes_within(root):
            for pair in ((node.a, node.b), (node.b, node.a)) if isinstance(node, n.Equal) else ():
                match pair:
                    case (n.Read(_, n.Get(_, var), n.Local()), other) if not isinstance(other, n.Const):
                        yield var


def _locals(root: n.Expr | n.Effect) -> list[n.Var | n.StateVar]:
    return [node.var for node in nodes_within(root) if isinstance(node, n.Local | n.Get)]


# ---- states as numbers and words


def encode_state(program: Program, values: Sequence[Value]) -> tuple[list[int], list[int]]:
    """The numbers and words of a state, from the values of its variables in the order of the game."""
    cells, words = list(program.cells), list(program.words)
    for var, value in zip(program.game.state.values(), values, strict=True):
        at = program.offsets[var][1]
        flat = program.flat(var.type, value)
        held = words if in_words(var.type) else cells
        held[at : at + len(flat)] = flat
        if var in program.planes:
            _fill_planes(program, words, var, flat)
    return cells, words


def _fill_planes(program: Program, words: list[int], var: n.StateVar, flat: Sequence[int]) -> None:
    """Set the bits of a map's planes, one plane for each value."""
    assert isinstance(var.type, Map)
    keys, codes = var.type.keys, program.codes.codes(scalar_type(var.type.of))
    first, each = codes[0], program.codes.words(keys)
    at = program.planes[var].at
    for code, value in zip(program.codes.codes(keys), flat, strict=True):
        if value != NONE or program.has_none_plane(var):
            bit = code - program.codes.base(keys)
            plane = program.value_planes(var) if value == NONE else value - first
            words[at + plane * each + bit // 64] |= 1 << bit % 64


def decode_state(program: Program, cells: Sequence[int], words: Sequence[int]) -> tuple[Value, ...]:
    """The values of a state's variables, in the order of the game."""
    return tuple(
        program.value(var.type, words if in_words(var.type) else cells, program.offsets[var][1])
        for var in program.game.state.values()
    )
