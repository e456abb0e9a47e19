"""Proof trimming: from an engine's binary LRAT proof to text with only the steps that the end needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .unit_propagation import UnitPropagation, greatest_variable

Step = tuple[list[int], list[int]]
"""The literals of a clause that follows, and its hints."""


def trim(proof: bytes, clauses: Sequence[Sequence[int]], one_of: Sequence[int]) -> list[str] | None:
    """The steps of a binary LRAT proof on which its end rests, as lines, numbered after the clauses.

    The engine was given the clauses, but for the last if that is `one_of`, whose literals were then assumed
    one after the other. None if it takes more than propagation to see from the proof that all are false;
    ValueError if it shows nothing.
    """
    written = _written(proof)
    names = _given(written, len(clauses) - bool(one_of))
    made: dict[int, Step] = {}
    end = next((name for name in sorted(written) if not written[name][0]), None)
    if end is None and one_of:
        names.append(max([*names, *written]) + 1)  # of the clause that the engine never saw
        made = _lemmas(written, dict(zip(names, clauses, strict=True)), one_of)
        if not made:
            return None
        end = max(made)
    if end is None:
        raise ValueError("a proof without a contradiction")
    steps = _needed(written, made, end)
    numbers = {name: number for number, name in enumerate([*names, *sorted(steps)], 1)}
    if len(names) < len(clauses):
        numbers = {name: number + (number > len(names)) for name, number in numbers.items()}
    return [
        " ".join(map(str, (numbers[name], *steps[name][0], 0, *(numbers[x] for x in steps[name][1]), 0)))
        for name in sorted(steps)
    ]


def _lemmas(
    written: dict[int, tuple[bytes, bytes]], given: dict[int, Sequence[int]], one_of: Sequence[int]
) -> dict[int, Step]:
    """Steps for the negation of each literal and for the end, under names greater than any other.

    The greatest name of what is `given` is that of the clause `one_of`. Nothing if they do not follow.
    """
    last = max(given)
    known = UnitPropagation(greatest_variable(given.values()))
    for name in range(1, last):
        if name in given:
            known.add(name, given[name])
        elif name in written:
            known.add(name, [_literal(x) for x in _numbers(written[name][0])])
    made: dict[int, Step] = {}
    for name, literal in enumerate(one_of, last + 1):
        hints = known.against(literal)
        if hints is None:
            return {}
        made[name] = ([-literal], hints)
        known.add(name, [-literal])
    return {**made, last + len(one_of) + 1: ([], [*made, last])}


def _needed(written: dict[int, tuple[bytes, bytes]], made: dict[int, Step], end: int) -> dict[int, Step]:
    """The steps on which the end rests, by the engine's names."""
    steps: dict[int, Step] = {}
    waiting = [end]
    while waiting:
        name = waiting.pop()
        if name in steps:
            continue
        if name in made:
            steps[name] = made[name]
        elif name in written:
            literals, hints = written[name]
            steps[name] = ([_literal(x) for x in _numbers(literals)], [x // 2 for x in _numbers(hints)])
        else:
            continue
        waiting += steps[name][1]
    return steps


def _written(proof: bytes) -> dict[int, tuple[bytes, bytes]]:
    """Literals and hints of each clause that a proof adds, by the engine's name for it.

    A step is a letter, numbers and a zero byte, and again numbers and a zero byte where it adds. No number
    is zero, and none but zero has a zero byte.
    """
    steps: dict[int, tuple[bytes, bytes]] = {}
    parts = iter(proof.split(b"\0"))
    for part in parts:
        if part[:1] == b"a":
            at = next(i for i in range(1, len(part)) if part[i] < 128) + 1
            steps[next(_numbers(part[1:at])) // 2] = (part[at:], next(parts))
    return steps


def _given(written: dict[int, tuple[bytes, bytes]], many: int) -> list[int]:
    """The engine's names of the clauses that it was given, in their order.

    It names clauses in the order in which it gets or makes them, so theirs are the first that no step has.
    """
    result: list[int] = []
    name = 0
    while len(result) < many:
        name += 1
        if name not in written:
            result.append(name)
    return result


def _literal(number: int) -> int:
    """The literal that a number of a proof stands for."""
    return -(number // 2) if number % 2 else number // 2


def _numbers(data: bytes) -> Iterator[int]:
    """Numbers, seven bits a byte, the lowest first."""
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        if byte < 128:
            yield value
            value = shift = 0
        else:
            shift += 7
