"""The folder for what the program keeps about a user between runs."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder() -> Path | None:
    """The folder `RULESPEC_STATE`, else `rulespec` in the user's state folder; it may be missing.

    None if the user has no home folder.
    """
    own, shared = os.environ.get("RULESPEC_STATE"), os.environ.get("XDG_STATE_HOME", "")
    if own:
        return Path(own).absolute()
    if Path(shared).is_absolute():
        return Path(shared) / "rulespec"
    try:
        return (Path.home() / ".local" / "state" / "rulespec").absolute()
    except RuntimeError:
        return None
