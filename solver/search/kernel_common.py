"""Functions that both kernels of search share, compiled with them: `restart`, and `kind_of`, the kind of an
action, by which learned weights and marks are indexed.
"""

from __future__ import annotations

from typing import Any

from rulespec.code.kit import part

from .kernel_calls import CELLS, WIDTH, WORDS

# ---- the text begins here


@part
def restart(now: Any, root: Any) -> None:
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
def kind_of(m: Any, k: int, kinds: int) -> int:
    """Which of so many kinds (a power of two) an action is of: a hash of its row."""
    h = 0
    for i in range(WIDTH):
        h = (h * 1000003 + m[k + i] + 7) & 0xFFFFFFFFFF
    return (h ^ (h >> 19)) & (kinds - 1)
