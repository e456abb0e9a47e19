"""Images of packed rows under symmetries, by tables: a few lookups for an image.

A row is cut into chunks of a few bits. Each field of a chunk moves, as a whole, to the field of the image of
its place, and its number is replaced if the symmetry moves the values of its type; a set moves element by
element. The contribution of a chunk to the image is one table for each symmetry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...core.symmetry import Leaves, Symmetry
from ...core.types import List, Map, Scalar, Set, Type, scalar_of
from ...kernels import kit
from ..codes import WORD
from ..program import Program
from .fields import RowField, RowFields, initial_value

CHUNK = 8
"""Maximum number of bits of the fields that share a chunk."""
WIDEST = 12
"""Maximum number of bits of a number that a symmetry changes."""


class NoRowImage(ValueError):
    """Raised for a state with a part to which symmetries cannot be applied; the message names it."""


class _Atom(NamedTuple):
    """Bits of a row that move as one: first bit, size, and the contribution of each of their values to the
    image."""

    at: int
    bits: int
    images: Sequence[int]


def image_tables(layout: RowFields, elements: Sequence[Symmetry]) -> tuple[list[int], list[int]]:
    """The data from which the kernel computes images of rows: the chunks, and the tables of each symmetry.

    First the number of chunks, the size in words of one symmetry's tables, the number of symmetries, and for
    each chunk its word, shift, mask and the beginning of its table. Raises NoRowImage, also if a symmetry
    takes a value out of its type.
    """
    try:
        atoms = [list(_atoms_of(layout, element)) for element in elements]
    except Leaves as leaves:
        raise NoRowImage(str(leaves)) from None
    cuts = _chunks(atom for held in atoms for atom in held)
    heads, turned, size = list[int](), list[int](), 0
    for at, bits in cuts:
        heads += [at // WORD, at % WORD, (1 << bits) - 1, size]
        size += layout.width << bits
    for held in atoms:
        for at, bits in cuts:
            inside = [a for a in held if at <= a.at < at + bits]
            for x in range(1 << bits):
                image = sum(a.images[x >> (a.at - at) & ((1 << a.bits) - 1)] for a in inside)
                turned += [image >> WORD * i & kit.FULL_WORD for i in range(layout.width)]
    return [len(cuts), size, len(elements), *heads], turned


def _chunks(atoms: Iterable[_Atom]) -> list[tuple[int, int]]:
    """The chunks of rows: first bit and size of each; no field that a symmetry changes is split."""
    spots: dict[int, int] = {}
    for atom in atoms:
        spots[atom.at] = max(spots.get(atom.at, 0), atom.bits)
    result: list[tuple[int, int]] = []
    for at, bits in sorted(spots.items()):
        if result and result[-1][0] // WORD == at // WORD:
            begin, size = result[-1]
            if at < begin + size:
                continue  # bits of a field that another symmetry moves as a whole
            if at + bits - begin <= CHUNK:
                result[-1] = begin, at + bits - begin
                continue
        result.append((at, bits))
    return result


def _atoms_of(layout: RowFields, element: Symmetry) -> Iterator[_Atom]:
    """The atoms of a row under a symmetry. Raises NoRowImage."""
    for var, (t, fields) in layout.held.items():
        if var not in layout.idle:
            yield from _move_value(layout.runner.program, t, element, fields, 0, 0)
        elif element.of(t, initial_value(var)) != initial_value(var):
            raise NoRowImage("a value that never changes")
    for field in (layout.ended, layout.fault):
        yield from _move_number(field, field, {})


def _move_value(
    program: Program, t: Type, element: Symmetry, fields: Sequence[RowField], at: int, to: int
) -> Iterator[_Atom]:
    """The atoms of a value whose fields move from `at` to `to`. Raises NoRowImage."""
    if isinstance(t, Map):
        size = program.size(t.of)
        for number, key in enumerate(t.keys.values):
            target = to + size * t.keys.index[element.one(t.keys, key)]
            yield from _move_value(program, t.of, element, fields, at + size * number, target)
    elif isinstance(t, Set):
        if t.of is None or not len(t.of.values):
            return
        base, moved = program.codes.base(t.of), _image_codes(program, t.of, element)
        for code in program.codes.codes(t.of):
            word, bit = divmod(code - base, WORD)
            to_word, to_bit = divmod(moved.get(code, code) - base, WORD)
            yield _Atom(
                _first_bit(fields[at + word]) + bit, 1, (0, 1 << _first_bit(fields[to + to_word]) + to_bit)
            )
    elif isinstance(t, List):
        codes = _image_codes(program, t.of, element) if t.of else {}
        if codes.get(0, 0) != 0:
            raise NoRowImage(f"a list of {t.of}")  # places past the end hold 0, too
        yield from _move_number(fields[at], fields[to], {})
        for i in range(1, 1 + t.cap):
            yield from _move_number(fields[at + i], fields[to + i], codes)
    else:
        of = scalar_of(t)
        codes = _image_codes(program, of, element) if of is not None and len(of.values) else {}
        yield from _move_number(fields[at], fields[to], codes)


def _move_number(field: RowField, to: RowField, codes: Mapping[int, int]) -> Iterator[_Atom]:
    """The atoms of a field that moves to another and whose codes change. Raises NoRowImage."""
    at, there = _first_bit(field), _first_bit(to)
    if not codes:
        for low in range(0, field.bits, CHUNK):
            bits = min(CHUNK, field.bits - low)
            yield _Atom(at + low, bits, [x << there + low for x in range(1 << bits)])
        return
    if field.bits > WIDEST:
        raise NoRowImage("a type with too many values")
    numbers = range(field.low, field.low + (1 << field.bits))
    becomes = [x if x == field.low + field.span else codes.get(x, x) for x in numbers]
    yield _Atom(at, field.bits, [x - field.low << there for x in becomes])


def _first_bit(field: RowField) -> int:
    return WORD * field.word + field.shift


def _image_codes(program: Program, of: Scalar, element: Symmetry) -> dict[int, int]:
    """The images of the codes of a type; empty if they do not change."""
    table = element.table(of)
    if table is None:
        return {}
    code = dict(zip(of.values, program.codes.codes(of), strict=True))
    return {code[value]: code[image] for value, image in table.items()}
