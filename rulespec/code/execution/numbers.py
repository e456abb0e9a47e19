"""The tables by which kernels number actions and write observations; see `kernels.numbering`."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from ...core.action_numbers import TooManyActions, choice_type, count_values, element_type, first_numbers
from ...core.observation_layout import ObservationLayout, binder_types
from ...core.types import List, Map, Scalar, Set, Truth, Type, scalar_of
from ...kernels import numbering as k
from ...machine import form as f
from ...machine.builder import Builder
from ..body import B, S
from ..codes import TooLarge
from ..program import Program
from ..writer import GameCode
from .kernel_names import kernel_table, scoring_names


def numbering_names(written: GameCode) -> dict[str, int | f.Table | f.Function]:
    """The tables and constants for kernels that number actions and write observations."""
    types = _Types(written.program)
    return {
        **scoring_names(written),
        **_action_tables(written, types),
        **_observation_tables(written, types),
        **types.tables(),
    }


class _Types:
    """The scalar types that are numbered, with their codes."""

    def __init__(self, program: Program) -> None:
        self._codes = program.codes
        self._numbers: dict[int, int] = {}
        self._types: list[Scalar] = []
        self._rows: list[tuple[int, int, int, int, int]] = []
        self._ranks: list[int] = []
        self._values: list[int] = []

    def number(self, t: Scalar) -> int:
        """The index of a type in the tables, to which it is added on first use."""
        if id(t) not in self._numbers:
            self._numbers[id(t)] = len(self._types)
            self._types.append(t)  # kept, so that no other has its id
            self._rows.append(self._row(t))
        return self._numbers[id(t)]

    def _row(self, t: Scalar) -> tuple[int, int, int, int, int]:
        """First code, number of values, places of the rank and value tables (-1 if dense), and base."""
        codes = self._codes.codes(t)
        first, last, size = codes[0], codes[-1], len(codes)
        if last - first == size - 1:
            return first, size, -1, -1, self._codes.base(t)
        at = len(self._ranks)
        ranks = dict(zip(codes, range(size), strict=True))
        self._ranks += [ranks.get(code, 0) for code in range(first, last + 1)]
        self._values += codes
        return first, size, at, len(self._values) - size, self._codes.base(t)

    def tables(self) -> dict[str, f.Table]:
        """The tables of the types."""
        names = "TYPE_BASE", "TYPE_SIZE", "TYPE_RANKS", "TYPE_CODES", "TYPE_BIT"
        columns = zip(*self._rows, strict=True) if self._rows else [()] * len(names)
        return {
            **_tables(names, columns),
            "RANKS": kernel_table("RANKS", self._ranks), "CODES": kernel_table("CODES", self._values),
        }  # fmt: skip


def _action_tables(written: GameCode, types: _Types) -> dict[str, int | f.Table | f.Function]:
    """The tables of action numbers; empty if actions have no numbers."""
    try:
        first = first_numbers(written.program.game)
    except TooManyActions:
        first = ()
    choices, begins = [], [0]
    for index, _ in enumerate(written.rows.actions):
        for choice, place in written.rows.places(index) if first else ():
            t = choice_type(choice)
            choices.append((place, types.number(element_type(t)), int(isinstance(t, List)), count_values(t)))
        begins.append(len(choices))
    names = "CHOICE_PLACE", "CHOICE_TYPE", "CHOICE_LISTS", "CHOICE_WAYS"
    return {
        "NUMBERED": bool(first),
        "FIRST_NUMBER": kernel_table("FIRST_NUMBER", first),
        "FIRST_CHOICE": kernel_table("FIRST_CHOICE", begins),
        **_tables(names, zip(*choices, strict=True) if choices else [()] * len(names)),
    }


PART_NAMES = (
    "PART_KIND", "PART_PLACE", "PART_REPEAT", "PART_STRIDE", "PART_TYPE", "PART_CAP", "PART_MARK",
)  # fmt: skip
_Part = tuple[int, int, int, int, int, int, int]
"""A part of an observation; its fields are in the order of `PART_NAMES`."""


def _observation_tables(written: GameCode, types: _Types) -> dict[str, int | f.Table | f.Function]:
    """The tables of the parts of an observation."""
    program, visible = written.program, written.visible
    layout = ObservationLayout(program.game)
    parts = [_part(program, types, var.type, program.offsets[var].at, -1) for var in layout.open]
    # The sights of a game that hides nothing are not in its code.
    for sight, (marks, at) in zip(layout.sights, visible.places if visible else (), strict=False):
        for i in range(prod(len(of.values) for of in binder_types(sight))):
            t = sight.value.type
            parts.append(_part(program, types, t, at + i * program.size(t), marks + i))
    known = visible is not None or not layout.sights
    made: dict[str, int | f.Table | f.Function] = {
        "PARTS": len(parts),
        "OBSERVED": layout.size if known else 0,
        "HIDES": visible is not None,
        **_tables(PART_NAMES, zip(*parts, strict=True) if parts else [()] * len(PART_NAMES)),
    }
    if visible is None:
        made["see"] = Builder().function("see", [S, B, f.Local(f.NUMBER, "viewer")])
    return made


def _part(program: Program, types: _Types, t: Type, at: int, mark: int) -> _Part:
    """A part of an observation: a value at a place, the elements of a map one after another.

    Raises TooLarge.
    """
    repeat = 1
    while isinstance(t, Map):
        repeat *= len(t.keys.values)
        t = t.of
    of = t.of if isinstance(t, Set | List) else scalar_of(t)
    if of is None:
        raise TooLarge(f"a {t} has no elements to observe")
    kind = k.SET if isinstance(t, Set) else k.LIST if isinstance(t, List) else k.SCALAR
    kind = k.TRUTH if isinstance(t, Truth) else kind
    cap = t.cap if isinstance(t, List) else 0
    return kind, at, repeat, program.size(t), types.number(of), cap, mark


def _tables(names: Iterable[str], columns: Iterable[Iterable[int]]) -> dict[str, f.Table]:
    """One named table for each column."""
    return {name: kernel_table(name, column) for name, column in zip(names, columns, strict=True)}
