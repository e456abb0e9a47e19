"""By what generated code runs here: as plain Python, and compiled where Numba is installed."""

from __future__ import annotations

import importlib.util
from typing import Any

from rulespec.code.runner import Plain


def tools() -> list[Any]:
    """The tools of each kind."""
    if not importlib.util.find_spec("numba"):
        return [Plain]
    from rulespec.code.compiling import Compiled

    return [Plain, Compiled]
