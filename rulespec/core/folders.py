"""The folder for what the program keeps about a user between runs."""

from __future__ import annotations

import os


def state_folder() -> str | None:
    """The folder `RULESPEC_STATE`, else `rulespec` in the user's state folder; it may be missing.

    None if the user has no home folder.
    """
    own, shared = os.environ.get("RULESPEC_STATE"), os.environ.get("XDG_STATE_HOME", "")
    if own:
        return os.path.join(os.getcwd(), own)
    if os.path.isabs(shared):
        return os.path.join(shared, "rulespec")
    home = os.path.expanduser("~")
    return None if home == "~" else os.path.join(os.getcwd(), home, ".local", "state", "rulespec")
