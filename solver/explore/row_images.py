"""Images of packed rows under symmetries, by tables: a few lookups for an image.

A row is cut into chunks of a few bits. Each field of a chunk goes, as a whole, to the field that its
place becomes, and the number in it becomes another where the symmetry moves the values of its type; a set
goes element by element. What a chunk contributes to the image is one table for each symmetry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from rulespec.code.codes import WORD
from rulespec.code.program import Program, in_words
from rulespec.core.symmetry import Leaves, Symmetry
from rulespec.core.types import List, Map, Scalar, Set, Type, scalar_of

from .packing import Field, RowLayout

CHUNK = 8
"""Fields of so many bits share a chunk."""
WIDEST = 12
"""A number that a symmetry changes takes so many bits at most."""


class NoRowImage(ValueError):
    """A state holds something that symmetries are not carried through; the text says what."""


class _Atom(NamedTuple):
    """Bits of a row that move as one: where they lie, and what each of their values adds to the image."""

    word: int
    shift: int
    bits: int
    becomes: Callable[[int], int]
    to: Field
    more: int
    """The offset in bits from the beginning of the target field."""


def image_tables(layout: RowLayout, elements: Sequence[Symmetry]) -> tuple[list[int], list[int]]:
    """What the kernel reads to make images of rows: the chunks, and the tables of each symmetry.

    Of the chunks: how many there are, how many words the tables of one symmetry take, and for each its word,
    shift, mask and the beginning of its table. Raises NoRowImage, also where a symmetry takes a value out of
    its type.
    """
    try:
        atoms = [list(_atoms(layout, element)) for element in elements]
    except Leaves as leaves:
        raise NoRowImage(str(leaves)) from None
    cuts = _cuts(atom for held in atoms for atom in held)
    heads, turned, size = list[int](), list[int](), 0
    for word, shift, bits in cuts:
        heads += [word, shift, (1 << bits) - 1, size]
        size += layout.width << bits
    for held in atoms:
        for word, shift, bits in cuts:
            inside = [a for a in held if a.word == word and shift <= a.shift < shift + bits]
            for x in range(1 << bits):
                turned += _contribution(inside, x, shift, layout.width)
    return [len(cuts), size, *heads], turned


def _cuts(atoms: Iterable[_Atom]) -> list[tuple[int, int, int]]:
    """The chunks of rows: word, shift and bits of each; no field that a symmetry changes is split."""
    spots: dict[tuple[int, int], int] = {}
    for atom in atoms:
        at = atom.word, atom.shift
        spots[at] = max(spots.get(at, 0), atom.bits)
    result: list[tuple[int, int, int]] = []
    for (word, shift), bits in sorted(spots.items()):
        if result and result[-1][0] == word:
            _, begin, size = result[-1]
            if shift < begin + size:
                continue  # bits of a field that another symmetry moves as a whole
            if shift + bits - begin <= CHUNK:
                result[-1] = word, begin, shift + bits - begin
                continue
        result.append((word, shift, bits))
    return result


def _contribution(inside: Sequence[_Atom], x: int, shift: int, width: int) -> list[int]:
    result = [0] * width
    for atom in inside:
        held = x >> (atom.shift - shift) & ((1 << atom.bits) - 1)
        result[atom.to.word] |= atom.becomes(held) << (atom.to.shift + atom.more)
    return result


def _same(x: int) -> int:
    return x


def _atoms(layout: RowLayout, element: Symmetry) -> Iterator[_Atom]:
    """The bits of a row with where a symmetry takes them."""
    program = layout.runner.program
    numbers, words = iter(layout.cells), iter(layout.words)
    for var in program.game.state.values():
        spots = list(_spots(program, var.type, element))
        fields = [next(words if in_words(var.type) else numbers) for _ in spots]
        for spot, field in zip(spots, fields, strict=True):
            if spot.bits is not None:
                for bit, to_word, to_bit in spot.bits:
                    yield _Atom(field.word, field.shift + bit, 1, _same, fields[to_word], to_bit)
            elif spot.codes:
                if field.bits > WIDEST:
                    raise NoRowImage(f"the values of `{var.name}` are too many")
                yield _Atom(
                    field.word, field.shift, field.bits, _moved(field, spot.codes), fields[spot.to], 0
                )
            else:
                yield from _whole(field, fields[spot.to])
    for field in numbers:  # which end was reached, and whether there was a fault
        yield from _whole(field, field)


def _whole(field: Field, to: Field) -> Iterator[_Atom]:
    for low in range(0, field.bits, CHUNK):
        yield _Atom(field.word, field.shift + low, min(CHUNK, field.bits - low), _same, to, low)


def _moved(field: Field, codes: Mapping[int, int]) -> Callable[[int], int]:
    def becomes(x: int) -> int:
        return x if x == field.span else codes.get(x + field.low, x + field.low) - field.low

    return becomes


class _Spot(NamedTuple):
    """One field of a variable: which of the variable's fields it becomes, and its codes where they change.

    Of words of a set `bits` says of each bit which word of the variable and which bit there it becomes.
    """

    to: int
    codes: Mapping[int, int] = MappingProxyType({})
    bits: tuple[tuple[int, int, int], ...] | None = None


def _spots(program: Program, t: Type, element: Symmetry, first: int = 0) -> Iterator[_Spot]:
    """The images of the fields of a value that begins at a field of its variable."""
    if isinstance(t, Map):
        size = _fields(program, t.of)
        for key in t.keys.values:
            to = first + size * t.keys.index[element.one(t.keys, key)]
            yield from _spots(program, t.of, element, to)
    elif isinstance(t, Set):
        yield from _words(program, t, element, first)
    elif isinstance(t, List):
        yield _Spot(first)
        codes = _codes(program, t.of, element) if t.of else {}
        if codes.get(0, 0) != 0:
            raise NoRowImage(f"a list of {t.of}")  # places past the end hold 0, too
        for i in range(t.cap):
            yield _Spot(first + 1 + i, codes)
    else:
        of = scalar_of(t)
        yield _Spot(first, _codes(program, of, element) if of is not None and len(of.values) else {})


def _fields(program: Program, t: Type) -> int:
    """The number of fields that a value of a type takes."""
    if isinstance(t, Map):
        return len(t.keys.values) * _fields(program, t.of)
    if isinstance(t, Set):
        return program.codes.words(t.of)
    return 1 + t.cap if isinstance(t, List) else 1


def _codes(program: Program, of: Scalar, element: Symmetry) -> dict[int, int]:
    """The images of the codes of a type; empty where they stay."""
    table = element.table(of)
    if table is None:
        return {}
    code = dict(zip(of.values, program.codes.codes(of), strict=True))
    return {code[value]: code[image] for value, image in table.items()}


def _words(program: Program, t: Set, element: Symmetry, first: int) -> Iterator[_Spot]:
    count = program.codes.words(t.of)
    bits: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
    if t.of is not None and len(t.of.values):
        base, moved = program.codes.base(t.of), _codes(program, t.of, element)
        for code in program.codes.codes(t.of):
            word, bit = divmod(code - base, WORD)
            to_word, to_bit = divmod(moved.get(code, code) - base, WORD)
            bits[word].append((bit, first + to_word, to_bit))
    for of_word in bits:
        yield _Spot(first, {}, tuple(of_word))
