"""Building the whole site, as `rulespec book` does."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..budgets import watchdog
from ..core.diagnostics import RulesetError, nearest
from ..core.meter import StepLimitExceeded
from ..core.storage.atomic_files import write_bytes
from ..core.verdicts.stamps import Stamps
from .configuration.site_configuration import BookError, load_configuration, mkdocs_complaints
from .output.pdf import PdfError, PrintedRulebook, print_pdf
from .output.swapping import NotOurs, check_replaceable, replacing

if TYPE_CHECKING:
    from .plugin import RulebookPlugin


NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def build(
    config: Path | str = "mkdocs.yml",
    out: Path | str | None = None,
    strict: bool = True,
    stamps: Stamps | None = None,
    printing: Printing | None = None,
    player: bool = True,
) -> Path:
    """Build the site of an mkdocs configuration; returns its folder.

    `out` replaces the folder in the configuration. With `strict`, warnings of mkdocs (a broken link) stop it
    too; a failing example, or a stale or refuted verdict, always does. `stamps` record which verdicts were
    checked (default: those of the user's state folder); the site marks all others as not checked. With
    `printing`, rulebooks are printed beside their pages. Without `player`, no game can be played on its page,
    whatever the configuration says. The site is built in a temporary folder, which replaces the old site when
    it is complete. Raises BookError.
    """
    from jinja2 import TemplateError
    from mkdocs.commands.build import build as run
    from mkdocs.exceptions import MkDocsException

    with mkdocs_complaints() as said:
        try:
            options = {"site_dir": str(out)} if out is not None else {}
            loaded = load_configuration(config, strict=strict, **options)
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
        except StepLimitExceeded as error:
            raise BookError(f"{error}: let binders of the diagram run over less") from error
        except (MkDocsException, RulesetError, TemplateError) as error:
            raise BookError("\n".join(dict.fromkeys(said or [str(error)]))) from error
        except OSError as error:  # after those of templates, some of which are of this kind
            if error.errno in NO_ROOM:  # the error names the file that was copied
                raise OSError(error.errno, os.strerror(error.errno), str(target)) from error
            raise


@dataclass(frozen=True)
class Printing:
    """Options of printing: the rulebooks of these games by id, or of all that are not variants."""

    games: tuple[str, ...] = ()
    paper: str = "a4"
    appendix: bool = False
    """True to add the exact text, with settings, claims and verdicts."""


def _print(plugin: RulebookPlugin, site: Path, how: Printing) -> None:
    """Write rulebooks as `NAME.pdf` into the folder of their pages. Raises BookError, PdfError."""
    from .content.contents import is_variant
    from .content.exact import SUFFIX

    known = {game.id: game for game in plugin.games}
    for name in how.games:
        if name not in known:
            advice = nearest(name, known)
            raise BookError(f"no rulebook of this site is called `{name}`{f'; {advice}' if advice else ''}")
    chosen = how.games or [name for name, game in known.items() if not is_variant(game, known)]
    for name in chosen:
        watchdog.step()
        appendix = plugin.contents[name + SUFFIX] if how.appendix else ""
        pdf = print_pdf(PrintedRulebook(known[name].title, plugin.contents[name], appendix), how.paper)
        write_bytes(site / plugin.config.pages / f"{name}.pdf", pdf)


def check_out(config: Path | str = "mkdocs.yml", out: Path | str | None = None) -> None:
    """Raise BookError, before any work, if the folder of a site must not be replaced; `out` as in `build`."""
    target = Path(out if out is not None else load_configuration(config).site_dir)
    try:
        check_replaceable(target)
    except NotOurs as error:
        raise BookError(str(error)) from None
