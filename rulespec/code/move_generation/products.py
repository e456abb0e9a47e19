"""All legal pairs of choices of a game's only action as a block: the second depends on the first by few
classes.

After the first row in the buffer come the words of the first choice, then for each class the number of second
choices and their words. The order is that of rows: first choices ascending, each with its second choices.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.types import Scalar
from ...machine import form as f
from ...machine.builder import (
    TRUE,
    as_type,
    choose,
    compare,
    count_bits,
    equal,
    intersection,
    load,
    minus,
    number,
    plus,
    times,
    word,
)  # fmt: skip
from ..body import Body, M
from ..program import Program

WIDTH = 3
"""Size of a row: the number of the action, which is 0, and two choices."""
MOST_CLASSES = 4


class ChoiceProduct:
    """The block of two choices of given types, with the class of each value of the first."""

    def __init__(self, program: Program, first: Scalar, second: Scalar, classes: Sequence[int]) -> None:
        codes = program.codes
        self.firsts, self.seconds = codes.words(first), codes.words(second)
        self.first, self.second = codes.base(first), codes.base(second)
        self.places = [self._place(k) for k in range(1 + max(classes))]
        places = [0] * (codes.codes(first)[-1] - self.first + 1)
        self.masks = []
        for k, place in enumerate(self.places):
            held = [value for value, mine in zip(first.values, classes, strict=True) if mine == k]
            self.masks.append([word(x) for x in codes.mask(first, held)])
            for value in held:
                places[codes.code(first, value) - self.first] = place
        self.table = program.table(
            places, "class", f"for each {first} where the {second} that go with it lie"
        )
        program.constant("BLOCK", self._place(len(self.places)))

    def _place(self, k: int) -> int:
        """The place of a class in the block: number of second choices, then their words."""
        return WIDTH + self.firsts + k * (1 + self.seconds)

    def enter(
        self, body: Body, n: f.Local, firsts: Sequence[f.Expr], seconds: Sequence[Sequence[f.Expr]]
    ) -> None:
        """Write code that stores a block in m, from a set for each class, and its number of actions in n."""
        held = [body.atom(e, "firsts") for e in firsts]
        for i, e in enumerate(held, WIDTH):
            body.store(M, i, as_type(e, f.NUMBER))
        ways = []
        for place, mask, words in zip(self.places, self.masks, seconds, strict=True):
            own = [body.atom(e, "seconds") for e in words]
            size = body.named("size", count_bits(*own))
            for i, e in enumerate((size, *own), place):
                body.store(M, i, as_type(e, f.NUMBER))
            ways.append(times(count_bits(*map(intersection, held, mask)), size))
        body.set(n, plus(*ways))

    def picking(self, body: Body, k: f.Local) -> None:
        """Write the body of a function that returns the place of the row of action k."""
        left = [body.named("left", as_type(load(M, WIDTH + i), f.WORD)) for i in range(self.firsts)]
        x, at, size = body.local("x"), body.local("at"), body.local("size")
        with body.repeat(TRUE):
            body.lowest(left, x, self.first)
            body.set(at, load(self.table, minus(x, self.first)))
            body.set(size, load(M, at))
            with body.when(compare("<", k, size)):
                body.leave()
            body.set(k, minus(k, size))
        found = plus(body.nth_bit([load(M, plus(at, 1 + i)) for i in range(self.seconds)], k), self.second)
        for i, e in enumerate((number(0), x, found)):
            body.store(M, i, e)
        body.give(0)

    def listing(self, body: Body, n: f.Expr, full: int) -> None:
        """Write the rest of the function that lists all rows, when the block is already in m."""
        with body.when(compare(">", times(n, WIDTH), f.Length(M))):
            body.give(full)
        firsts = [body.named("firsts", as_type(load(M, WIDTH + i), f.WORD)) for i in range(self.firsts)]
        seconds = [
            [body.named("seconds", as_type(load(M, place + 1 + i), f.WORD)) for i in range(self.seconds)]
            for place in self.places
        ]
        at = body.named("at", 0)
        with body.bits(firsts, "x", self.first) as x:
            place = body.named("place", load(self.table, minus(x, self.first)))
            words: list[f.Expr] = [*seconds[-1]]
            for other, own in zip(self.places[-2::-1], seconds[-2::-1], strict=True):
                words = [choose(equal(place, other), a, b) for a, b in zip(own, words, strict=True)]
            with body.bits(words, "y", self.second) as y:
                body.store(M, at, 0)
                body.store(M, plus(at, 1), x)
                body.store(M, plus(at, 2), y)
                body.add(at, WIDTH)
        body.give(n)
