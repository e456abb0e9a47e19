"""Starts of plays, and kinds of actions; for the kernels that search."""

from __future__ import annotations

from .game import CELLS, WIDTH, WORDS
from .kit import part
from .shapes import Numbers, Play, Root


@part
def restart(now: Play, root: Root) -> None:
    """Put the start back, with its legal actions."""
    s, b, _, m = now
    cells, words, rows = root
    for i in range(CELLS):
        s[i] = cells[i]
    for i in range(WORDS):
        b[i] = words[i]
    for i in range(len(rows)):
        m[i] = rows[i]


@part
def kind_of(m: Numbers, k: int, kinds: int) -> int:
    """The kind, of so many (a power of two), of the action that lies at a place: a hash of its row."""
    h = 0
    for i in range(WIDTH):
        h = (h * 1000003 + m[k + i] + 7) & 0xFFFFFFFFFF
    return (h ^ (h >> 19)) & (kinds - 1)
