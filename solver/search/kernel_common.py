"""Functions that both kernels of search share, and declarations of those that they call.

`search_code` takes both kernels, and what stands below the line here, as text, and writes for each game what
stands above it: only type checkers and readers use these declarations.
"""

from __future__ import annotations

from typing import Any

from rulespec.code.kit import part

WIDTH = 0
"""The number of numbers that a row takes, which is a legal action in a buffer."""
CELLS = 0
"""The number of numbers of a state kept."""
WORDS = 0
"""The number of words kept."""


def play(s: Any, b: Any, c: Any, m: Any, k: int) -> int:
    """Play the row at k in m and list the legal actions that follow: how many; negative after a fault."""
    raise NotImplementedError


def far(s: Any, b: Any, limits: Any) -> int:
    """The distance of a state from the goal: 0 where it is reached."""
    raise NotImplementedError


def measure(s: Any, b: Any) -> int:
    """The measure of a state in the search for a best number: less is better. States at which the number
    does not count yet come after all others, the nearest to that first."""
    raise NotImplementedError


def alive(s: Any, b: Any, limits: Any) -> bool:
    """True if the goal may still be reached, as far as bounds tell that nothing can lower."""
    raise NotImplementedError


def exponential(x: float) -> float:
    """e to the power of x."""
    raise NotImplementedError


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
