"""Builds by mkdocs itself write the site into a temporary folder, so that a failing one leaves the old site.

mkdocs empties the folder of the site before it reads the first page.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils import clean_directory

PREFIX = ".rulespec-aside-"


class Aside:
    """A folder that replaces the folder of the site until the build is done."""

    def __init__(self, config: MkDocsConfig) -> None:
        """Let a build write into a new folder beside that of the site, unless the latter is empty."""
        self._config = config
        self._site = Path(config.site_dir)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        if any(not path.name.startswith(".") for path in _entries(self._site)):
            self._folder = tempfile.TemporaryDirectory(prefix=PREFIX, dir=self._site.parent)
            config.site_dir = str(Path(self._folder.name) / "site")

    def finish(self) -> None:
        """Put the new site in place of the old one; like mkdocs, keep files whose names begin with a dot."""
        if self._folder is None:
            return
        clean_directory(str(self._site))
        for path in _entries(Path(self._config.site_dir)):
            target = self._site / path.name
            if target.is_dir() and not target.is_symlink():
                shutil.rmtree(target)
            path.replace(target)
        self.drop()

    def drop(self) -> None:
        """Remove the folder and restore that of the site in the configuration."""
        if self._folder is not None:
            self._config.site_dir = str(self._site)
            self._folder.cleanup()
            self._folder = None


def _entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []
