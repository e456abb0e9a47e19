"""The numbers and words of states, and back."""

from __future__ import annotations

from collections.abc import Sequence

from ..core import nodes as n
from ..core.types import Map, Value
from .codes import NONE
from .program import Program, in_words
from .vals import scalar_type


def encode(program: Program, values: Sequence[Value]) -> tuple[list[int], list[int]]:
    """The numbers and words of a state, given by the values of its variables in the order of the game."""
    cells, words = list(program.cells), list(program.words)
    for var, value in zip(program.game.state.values(), values, strict=True):
        at = program.offsets[var][1]
        flat = program.flat(var.type, value)
        held = words if in_words(var.type) else cells
        held[at : at + len(flat)] = flat
        if var in program.planes:
            _fill(program, words, var, flat)
    return cells, words


def _fill(program: Program, words: list[int], var: n.StateVar, flat: Sequence[int]) -> None:
    assert isinstance(var.type, Map)
    keys, codes = var.type.keys, program.codes.codes(scalar_type(var.type.of))
    first, each = codes[0], program.codes.words(keys)
    at = program.planes[var].at
    for code, value in zip(program.codes.codes(keys), flat, strict=True):
        if value != NONE:
            bit = code - program.codes.base(keys)
            words[at + (value - first) * each + bit // 64] |= 1 << bit % 64


def decode(program: Program, cells: Sequence[int], words: Sequence[int]) -> tuple[Value, ...]:
    """The values of a state's variables, in the order of the game."""
    return tuple(
        program.value(var.type, words if in_words(var.type) else cells, program.offsets[var][1])
        for var in program.game.state.values()
    )
