"""The files of rulesets: shipped ones by name, others by path, and those that a ruleset extends."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...core.diagnostics import Report, RulesetError, Source, Span, nearest
from ...core.storage.safe_reading import read_text, resolve_path
from .yaml import MOST_BYTES

_ID = re.compile(r"^id:[ \t]*[\"']?([\w-]+)", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z0-9_][\w-]*(/[A-Za-z0-9_][\w-]*)*(\.ya?ml)?")
"""The form of a name under `extends`: a name, or a path that only leads down."""

LONGEST_NAME = 1_000
"""Maximum length of a name or a path."""
LONGEST_EXTENDED = 200
"""Maximum length of the name of an extended ruleset; every file system accepts this length."""

Finder = Callable[[str, Span, Report], Source | None]
"""Finds the file of a ruleset by the name used in another file."""

_PACKAGE = Path(__file__).resolve().parents[2]


def home() -> Path:
    """The folder of the shipped rulesets: beside the package in a checkout, inside it when installed."""
    beside = _PACKAGE.parent / "rulesets"
    return beside if beside.is_dir() else _PACKAGE / "_rulesets"


@lru_cache(maxsize=1)
def shipped_rulesets() -> dict[str, Path]:
    """The shipped rulesets and variants by name, in order of name.

    A folder `NAME` holds `ruleset.yaml`, and its variants as `variants/NAME.yaml`.
    """
    found: dict[str, Path] = {}
    for path in sorted(home().rglob("ruleset.yaml")):
        found[path.parent.name] = path
        found |= {variant.stem: variant for variant in sorted((path.parent / "variants").glob("*.yaml"))}
    return dict(sorted(found.items()))


def locate(name: str | Path) -> Path:
    """The file of a shipped name or a path; raises RulesetError if there is none."""
    path = Path(name)
    if len(str(name)) > LONGEST_NAME:
        raise RulesetError(_missing("no ruleset has so long a name", ""))
    try:
        inside = path / "ruleset.yaml" if path.is_dir() else path
        if inside.is_file():
            return inside
    except OSError as error:
        raise RulesetError(_missing(f"`{name}` cannot be read: {error.strerror}", "")) from None
    if path.suffix not in (".yaml", ".yml") and str(name) in shipped_rulesets():
        return shipped_rulesets()[str(name)]
    if path.is_dir():
        raise RulesetError(_missing(f"there is no `ruleset.yaml` in the folder `{name}`", ""))
    if path.exists():
        raise RulesetError(_missing(f"`{name}` is not a regular file", ""))
    if path.suffix in (".yaml", ".yml"):
        raise RulesetError(_missing(f"there is no file `{name}`", ""))
    raise RulesetError(_missing(f"no ruleset is called `{name}`", nearest(str(name), shipped_rulesets())))


def _missing(message: str, help: str) -> tuple[Any, ...]:
    report = Report()
    help = help or "give a shipped name (`rulespec list`) or the path of a YAML file"
    report.error("file.missing", message, help=help)
    return tuple(report.diagnostics)


def written_id(path: Path) -> str:
    """The id stated in a ruleset file, even if the rest is faulty; empty if none is found."""
    try:
        found = _ID.search(read_text(path, MOST_BYTES, "replace"))
    except OSError:
        return ""
    return found[1] if found else ""


def source_of(path: Path, report: Report) -> Source | None:
    """The text of a file; None, with the fault reported, if it cannot be read."""
    try:
        return Source(display_path(path), read_text(path, MOST_BYTES))
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        source = Source(display_path(path), error.object.decode("utf-8", "replace"))
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        place = Span(source, line, column, line, column + 1)
        report.error("file.encoding", "this is not UTF-8 text", place, help="save the file as UTF-8")
    except OSError as error:
        code = "yaml.size" if error.errno == errno.EFBIG else "file.missing"
        report.error(code, f"`{display_path(path)}` cannot be read: {error.strerror}")
    return None


def display_path(path: Path) -> str:
    """A path for messages: relative to the working folder or the shipped rulesets if it is there."""
    full = resolve_path(path)
    for root in (Path.cwd(), home().parent):
        if full.is_relative_to(root):
            return str(full.relative_to(root))
    return str(path)


def finder(path: Path) -> Finder:
    """A function that finds the rulesets named in a file, relative to that file.

    A file in the folder of the ruleset, or of a neighbour, takes precedence over a shipped name. Files
    outside these folders are refused, also through a link.
    """
    files = {display_path(path): path}

    def find(name: str, span: Span, report: Report) -> Source | None:
        if len(name) > LONGEST_EXTENDED or not _NAME.fullmatch(name):
            message = "rulesets are named as shipped, or as a file beside this one or in a folder below it"
            report.error("variant.extends", message, span)
            return None
        asking = files.get(span.source.name, path)
        for candidate, folder in _candidates(asking, name):
            if candidate.is_file() and not _is_same_file(candidate, asking):
                if not _is_inside(candidate, folder):
                    message = f"`{display_path(candidate.absolute())}` is a link that leads out of its folder"
                    report.error("variant.extends", message, span, help="put the file itself there")
                    return None
                files[display_path(candidate)] = candidate
                return source_of(candidate, report)
        if name in shipped_rulesets():
            files[display_path(shipped_rulesets()[name])] = shipped_rulesets()[name]
            return source_of(shipped_rulesets()[name], report)
        help = report.nearest(name, shipped_rulesets())
        report.error("variant.extends", f"no ruleset is called `{name}`", span, help=help)
        return None

    return find


def _candidates(path: Path, name: str) -> Iterator[tuple[Path, Path]]:
    """The files that a name may denote, in order of precedence, each with the folder that must contain it."""
    folder = path.absolute().parent
    game = folder.parent if folder.name == "variants" else folder
    yield folder / f"{name}.yaml", game
    yield folder / name, game
    yield game / "variants" / f"{name}.yaml", game
    base = game / "ruleset.yaml"
    if not _is_same_file(base, path) and (name == game.name or written_id(base) == name):
        yield base, game
    if "/" not in name:
        yield game.parent / name / "ruleset.yaml", game.parent


def _is_inside(path: Path, folder: Path) -> bool:
    """True if a file is in a folder or below it after links are resolved."""
    return resolve_path(path).is_relative_to(resolve_path(folder))


def _is_same_file(path: Path, other: Path) -> bool:
    return resolve_path(path) == resolve_path(other)
