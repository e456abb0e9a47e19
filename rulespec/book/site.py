"""Building the whole site, as `rulespec book` does."""

from __future__ import annotations

import logging
from collections.abc import Container
from pathlib import Path

from ..core.diagnostics import RulesetError
from ..core.reading import resolved
from ..core.stamps import Stamps
from .swapping import NotOurs, replacing


class BookError(Exception):
    """The site was not built, and the old one is unchanged. The text lists everything that is wrong."""


def build(
    config: Path | str = "mkdocs.yml",
    out: Path | str | None = None,
    strict: bool = True,
    current: Container[tuple[str, ...]] = (),
    stamps: Stamps | None = None,
) -> Path:
    """Build the site of an mkdocs configuration; the folder it lies in.

    `out` is another folder than the configuration's. With `strict`, doubts of mkdocs (a link that leads
    nowhere) stop it too; a failing example, or a stale or refuted verdict, always does. `current` are the
    subjects of verdicts that are not stale. `stamps` record which verdicts were checked (default: those of
    the user's state folder); the site marks all others as not checked. The site is built in a temporary
    folder, which replaces the old site when it is complete. Raises BookError.
    """
    from mkdocs.commands.build import build as run
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    said = _Collector()
    log = logging.getLogger("mkdocs")
    log.addHandler(said)
    try:
        options = {"site_dir": str(out)} if out is not None else {}
        loaded = load_config(str(config), strict=strict, **options)
        ours = loaded.plugins.get("rulespec")
        if ours is not None:
            ours.current, ours.stamps = current, stamps
        target = Path(loaded.site_dir)
        with replacing(target) as aside:
            loaded["site_dir"] = str(aside)
            loaded.plugins.on_startup(command="build", dirty=False)
            run(loaded)
            loaded.plugins.on_shutdown()
        return target
    except NotOurs as error:
        raise BookError(str(error)) from None
    except (MkDocsException, RulesetError) as error:
        raise BookError("\n".join(dict.fromkeys(said.lines or [str(error)]))) from error
    finally:
        log.removeHandler(said)


def rulesets(config: Path | str = "mkdocs.yml") -> list[Path]:
    """The ruleset files whose rulebooks a site has. Raises BookError if the configuration is none of ours."""
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    if Path(config).exists() and not Path(config).is_file():  # reading a pipe would wait for its writer
        raise BookError(f"{config} is no file")
    from .plugin import RulebookPlugin

    try:
        plugin = load_config(str(config)).plugins.get("rulespec")
    except MkDocsException as error:
        raise BookError(str(error)) from error
    return plugin.files(resolved(Path(config)).parent) if isinstance(plugin, RulebookPlugin) else []


class _Collector(logging.Handler):
    """Keeps what mkdocs complains of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())
