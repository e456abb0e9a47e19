"""Which actions count as alike where something is learned or kept of them; a text like that of `driver`."""

from __future__ import annotations

from typing import Any

from rulespec.code.kit import part

from .calls import WIDTH

# ---- the text begins here


@part
def kind_of(m: Any, k: int, kinds: int) -> int:
    """Which of so many kinds (a power of two) an action is of: a hash of its row."""
    h = 0
    for i in range(WIDTH):
        h = (h * 1000003 + m[k + i] + 7) & 0xFFFFFFFFFF
    return (h ^ (h >> 19)) & (kinds - 1)
