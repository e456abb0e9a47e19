"""The configuration of a site, as mkdocs reads it, and the rulesets that it names."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.diagnostics import Report
from ...core.storage.safe_reading import resolve_path
from .limits import check_configuration

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


class BookError(Exception):
    """Raised if the site was not built; the old one is unchanged. The text lists everything that is wrong."""


def rulesets(config: Path | str = "mkdocs.yml") -> list[Path]:
    """The ruleset files whose rulebooks a site has.

    Raises BookError if mkdocs cannot use the configuration, and RulesetError for faults with a place in it.
    """
    plugin: Any = load_configuration(config).plugins.get("rulespec")
    files: list[Path] = plugin.files(resolve_path(Path(config)).parent) if plugin is not None else []
    return files


def load_configuration(config: Path | str, **options: Any) -> MkDocsConfig:
    """Load the configuration of a site from a file. Raises BookError or RulesetError."""
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    report = Report()
    check_configuration(Path(config), report)
    report.raise_errors()
    with mkdocs_complaints() as said:
        try:
            return load_config(str(config), **options)
        except Exception as error:  # mkdocs and plugins raise errors of any kind for values of a wrong type
            kind = "" if isinstance(error, MkDocsException) else f"{type(error).__name__}: "
            raise BookError("\n".join([*dict.fromkeys(said), f"{config}: {kind}{error}"])) from error


@contextmanager
def mkdocs_complaints() -> Iterator[list[str]]:
    """Collect the warnings of mkdocs in the block."""
    said, log = _Collector(), logging.getLogger("mkdocs")
    log.addHandler(said)
    try:
        yield said.lines
    finally:
        log.removeHandler(said)


class _Collector(logging.Handler):
    """A log handler that stores messages."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())
