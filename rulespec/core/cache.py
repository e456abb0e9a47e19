"""Where what can be made again is kept between runs."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """The folder named by `RULESPEC_CACHE`, else the user's for such things; it may not be there yet."""
    named = os.environ.get("RULESPEC_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rulespec"
