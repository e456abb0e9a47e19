"""All outcomes of chance in a ply of generated code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulespec.code import Node
from rulespec.play.replayed_chance import Picks


def along(
    run: Callable[[Any], Node], given: Sequence[int], counts: list[int] | None = None
) -> tuple[Picks, Node]:
    """The result of a ply of the code with given picks of chance (0 after the last), and all picks by draw.

    The number of outcomes of each pick is appended to `counts`.
    """
    by_draw: dict[int, list[int]] = {}
    left = list(reversed(given))

    def answer(draw: int) -> Callable[[int], int]:
        def pick(count: int) -> int:
            by_draw.setdefault(draw, []).append(left.pop() if left else 0)
            if counts is not None:
                counts.append(count)
            return by_draw[draw][-1]

        return pick

    node = run(answer)
    return tuple(tuple(picks) for _, picks in sorted(by_draw.items())), node


def branches(run: Callable[[Any], Node]) -> Iterator[tuple[Picks, Node]]:
    """Every result of a ply of the code, with the picks of each draw that lead to it."""
    given: list[int] = []
    while True:
        counts: list[int] = []
        picks, node = along(run, given, counts)
        yield picks, node
        given = [pick for draw in picks for pick in draw]
        while given and given[-1] + 1 == counts[len(given) - 1]:
            given.pop()
        if not given:
            return
        given[-1] += 1
