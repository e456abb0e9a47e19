"""Building the whole site, as `rulespec book` does."""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..budgets import watchdog
from ..core.diagnostics import Report, RulesetError, nearest
from ..core.meter import Exhausted
from ..core.storage.atomic_files import write_bytes
from ..core.storage.safe_reading import resolved
from ..core.verdicts.stamps import Stamps
from .pdf import PdfError, Printed, print_pdf
from .swapping import NotOurs, check_replaceable, replacing

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

    from .plugin import RulebookPlugin


NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class BookError(Exception):
    """The site was not built, and the old one is unchanged. The text lists everything that is wrong."""


def build(
    config: Path | str = "mkdocs.yml",
    out: Path | str | None = None,
    strict: bool = True,
    stamps: Stamps | None = None,
    printing: Printing | None = None,
    player: bool = True,
) -> Path:
    """Build the site of an mkdocs configuration; the folder it lies in.

    `out` is another folder than the configuration's. With `strict`, doubts of mkdocs (a link that leads
    nowhere) stop it too; a failing example, or a stale or refuted verdict, always does. `stamps` record
    which verdicts were checked (default: those of the user's state folder); the site marks all others as
    not checked. With `printing`, rulebooks are printed beside their pages. Without `player`, no game can be
    played on its page, whatever the configuration says. The site is built in a temporary folder, which
    replaces the old site when it is complete. Raises BookError.
    """
    from jinja2 import TemplateError
    from mkdocs.commands.build import build as run
    from mkdocs.exceptions import MkDocsException

    with _complaints() as said:
        try:
            options = {"site_dir": str(out)} if out is not None else {}
            loaded = _loaded(config, strict=strict, **options)
            ours = loaded.plugins.get("rulespec")
            if ours is not None:
                ours.stamps = stamps
                ours.config.player = ours.config.player and player
            target = Path(loaded.site_dir)
            with replacing(target) as aside:
                loaded["site_dir"] = str(aside)
                loaded.plugins.on_startup(command="build", dirty=False)
                run(loaded)
                if printing is not None and ours is not None:
                    _print(ours, aside, printing)
                loaded.plugins.on_shutdown()
            return target
        except (NotOurs, PdfError) as error:
            raise BookError(str(error)) from None
        except RecursionError as error:
            page = f"{ours.extension.page}: " if ours is not None else ""
            raise BookError(f"{page}this page is nested too deeply") from error
        except Exhausted as error:
            raise BookError(f"{error}: let binders of the diagram run over less") from error
        except (MkDocsException, RulesetError, TemplateError) as error:
            raise BookError("\n".join(dict.fromkeys(said or [str(error)]))) from error
        except OSError as error:  # after those of templates, some of which are of this kind
            if error.errno in NO_ROOM:  # the error names the file that was copied
                raise OSError(error.errno, os.strerror(error.errno), str(target)) from error
            raise


@dataclass(frozen=True)
class Printing:
    """Options of printing: the rulebooks of these games by id, or of all that are no variants."""

    games: tuple[str, ...] = ()
    paper: str = "a4"
    appendix: bool = False
    """True to add the exact text, with settings, claims and verdicts."""


def _print(plugin: RulebookPlugin, site: Path, how: Printing) -> None:
    """Write rulebooks as `NAME.pdf` into the folder of their pages. Raises BookError, PdfError."""
    from .contents import is_variant
    from .exact import SUFFIX

    known = {game.id: game for game in plugin.games}
    for name in how.games:
        if name not in known:
            advice = nearest(name, known)
            raise BookError(f"no rulebook of this site is called `{name}`{f'; {advice}' if advice else ''}")
    chosen = how.games or [name for name, game in known.items() if not is_variant(game, known)]
    for name in chosen:
        watchdog.step()
        appendix = plugin.contents[name + SUFFIX] if how.appendix else ""
        pdf = print_pdf(Printed(known[name].title, plugin.contents[name], appendix), how.paper)
        write_bytes(site / plugin.config.pages / f"{name}.pdf", pdf)


def rulesets(config: Path | str = "mkdocs.yml") -> list[Path]:
    """The ruleset files whose rulebooks a site has.

    Raises BookError if mkdocs cannot use the configuration, and RulesetError for faults with a place in it.
    """
    from .plugin import RulebookPlugin

    plugin = _loaded(config).plugins.get("rulespec")
    return plugin.files(resolved(Path(config)).parent) if isinstance(plugin, RulebookPlugin) else []


def check_out(config: Path | str = "mkdocs.yml", out: Path | str | None = None) -> None:
    """Raise BookError, before any work, if the folder of a site may not be replaced; `out` as in `build`."""
    target = Path(out if out is not None else _loaded(config).site_dir)
    try:
        check_replaceable(target)
    except NotOurs as error:
        raise BookError(str(error)) from None


def _loaded(config: Path | str, **options: Any) -> MkDocsConfig:
    """The configuration in a file; raises as `rulesets`."""
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    from .limits import check_configuration

    report = Report()
    check_configuration(Path(config), report)
    report.raise_errors()
    with _complaints() as said:
        try:
            return load_config(str(config), **options)
        except Exception as error:  # mkdocs and plugins raise errors of any kind for values of a wrong type
            kind = "" if isinstance(error, MkDocsException) else f"{type(error).__name__}: "
            raise BookError("\n".join([*dict.fromkeys(said), f"{config}: {kind}{error}"])) from error


@contextmanager
def _complaints() -> Iterator[list[str]]:
    """Collect the complaints of mkdocs without printing them."""
    said, log = _Collector(), logging.getLogger("mkdocs")
    log.addHandler(said)
    try:
        yield said.lines
    finally:
        log.removeHandler(said)


class _Collector(logging.Handler):
    """Keeps the messages of a log."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())
