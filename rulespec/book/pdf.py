"""Chromium as a printer of pages."""

from __future__ import annotations

import os
import shutil

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
"""Arguments with which Chromium asks no other host for anything."""

NAMES = ("chromium", "chromium-browser", "google-chrome")


class NoChromium(Exception):
    """There is no Chromium on this machine."""


def chromium() -> str:
    """The path of Chromium: `RULESPEC_CHROMIUM`, else the first that is found. Raises NoChromium."""
    own = os.environ.get("RULESPEC_CHROMIUM")
    found = [path for path in map(shutil.which, [own] if own else NAMES) if path]
    if not found:
        raise NoChromium("there is no Chromium: `apt-get install chromium`, or name it in RULESPEC_CHROMIUM")
    return found[0]
