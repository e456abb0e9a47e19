"""All legal ways of a game's one action, two choices at a few distances, as a single block of words.

Behind the first row in the buffer come a word of the first choice for each distance, then in the bytes of one
number the distances from its code to that of the second choice. All lies at known places, so the machine
keeps it in variables while games are played at random.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..machine import form as f
from ..machine.building import as_type, compare, counted, load, minus, number, plus, times, union, word
from .body import Body, M
from .pairs import MOST_DISTANCES

WIDTH = 3
"""A row has the number of the action, which is 0, and two choices."""
SIZE = WIDTH + MOST_DISTANCES + 1
"""How many numbers the row and the block take."""


def enter(body: Body, n: f.Local, words: Sequence[f.Expr], steps: f.Expr) -> None:
    """Write what puts the block into m, and the number of legal ways into n."""
    body.program.constant("BLOCK", SIZE)
    body.set(n, counted(*words))
    for i, e in enumerate((*words, steps)):
        body.store(M, WIDTH + i, as_type(e, f.NUMBER))


def _held() -> list[f.Expr]:
    """The words, then the distances as a word."""
    return [as_type(load(M, i), f.WORD) for i in range(WIDTH, SIZE)]


def picking(body: Body, k: f.Local, first: int) -> None:
    """Write the body of a function that gives the place of the row of action k; `first` is the code of the
    first bit.
    """
    *words, steps = _held()
    at, step = body.local("at"), body.local("step")
    body.results((at, step), "nth_of_three", *words, k, steps)
    for place, e in enumerate((0, plus(at, first), plus(at, first, step))):
        body.store(M, place, e)
    body.give(0)


def listing(body: Body, n: f.Expr, first: int, full: int) -> None:
    """Write the rest of the body of a function that has put the block into m, and lists all rows."""
    with body.when(compare(">", times(n, WIDTH), f.Length(M))):
        body.give(full)
    *words, steps = (body.named("held", e) for e in _held())
    at = body.named("at", 0)
    with body.bits([union(*words)], "x", first) as x:
        for i, held in enumerate(words):
            with body.when(body.has_bit([held], minus(x, first))):
                lifted = as_type(f.Binary(f.WORD, "<<", steps, word(8 * i)), f.NUMBER)
                distance = f.Binary(f.NUMBER, ">>", lifted, number(56))
                for place, e in enumerate((0, x, plus(x, distance))):
                    body.store(M, plus(at, place), e)
                body.add(at, WIDTH)
    body.give(n)
