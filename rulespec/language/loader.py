"""Where rulesets are found, and the one call that makes a game of one."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from collections.abc import Mapping as Given
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..core.diagnostics import Report, RulesetError, Source, Span, nearest
from ..core.game import Game
from ..core.meter import Meter
from ..core.reading import read_text, resolved
from . import variants, yaml
from .assemble import assemble
from .elaborate.memory import Memories
from .work import CHARACTER, bounded, new_meter
from .yaml import MOST_BYTES, Mapping, Node, Scalar, Sequence

_NAME = re.compile(r"[A-Za-z0-9_][\w-]*(/[A-Za-z0-9_][\w-]*)*(\.ya?ml)?")
"""What a ruleset may extend: a name, or a path that only leads down."""

LONGEST_NAME = 1_000
"""The most characters of a name or a path."""
LONGEST_EXTENDED = 200
"""The most characters of the name that a ruleset extends; every file system takes names of this length."""

NOTHING: Given[str, Source] = {}
_PACKAGE = Path(__file__).resolve().parent.parent


def home() -> Path:
    """The folder of the shipped rulesets: beside the package in a checkout, inside it when installed."""
    beside = _PACKAGE.parent / "rulesets"
    return beside if beside.is_dir() else _PACKAGE / "_rulesets"


@lru_cache(maxsize=1)
def shipped() -> dict[str, Path]:
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
    inside = path / "ruleset.yaml" if path.is_dir() else path
    if inside.is_file():
        return inside
    if path.suffix not in (".yaml", ".yml") and str(name) in shipped():
        return shipped()[str(name)]
    if path.is_dir():
        raise RulesetError(_missing(f"there is no `ruleset.yaml` in the folder `{name}`", ""))
    if path.exists():
        raise RulesetError(_missing(f"`{name}` is no regular file", ""))
    if path.suffix in (".yaml", ".yml"):
        raise RulesetError(_missing(f"there is no file `{name}`", ""))
    raise RulesetError(_missing(f"no ruleset is called `{name}`", nearest(str(name), shipped())))


def _missing(message: str, help: str) -> tuple[Any, ...]:
    report = Report()
    report.error(
        "file.missing",
        message,
        help=help or "give a shipped name (`rulespec list`) or the path of a YAML file",
    )
    return tuple(report.diagnostics)


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A ruleset as it stands in its files, what it extends included: a game for each of its settings."""

    document: variants.Document
    memories: Memories = field(default_factory=Memories)
    """What the games of other settings have alike."""
    sources: Given[str, Source] = field(default_factory=dict)
    """The texts that it was read from so far, by the name of the file."""

    def settled(
        self,
        players: int | None = None,
        parameters: Given[str, Any] | None = None,
        readings: Given[str, str] | None = None,
        meter: Meter | None = None,
    ) -> Game:
        """The game with these settings over the defaults.

        Parameters take values or their notation; readings name one reading for each ruling. Raises
        RulesetError with every fault of the formal text, or if the work passes the limit of `meter` (by
        default a new one).
        """
        meter = meter or new_meter()
        return assemble(self.document, Report(), self.memories, meter, players, parameters, readings)


def read(
    name: str | Path,
    example: Node | None = None,
    instead: Given[str, Source] = NOTHING,
    meter: Meter | None = None,
) -> Ruleset:
    """The ruleset of a shipped name or a path; raises RulesetError with every fault of its structure.

    An `example` from another file is read as if it stood under the last rule, as the last of its examples.
    A text `instead` of a file, by the file's name in messages, is taken where that file would be read.
    The work is spent from `meter`, by default a new one.
    """
    path = locate(name)
    report = Report()
    source = source_of(path, report)
    source = instead.get(source.name, source) if source else None
    find = finder(path)
    sources = {source.name: source} if source else {}

    def finding(meter: Meter) -> variants.Finder:
        def found(base: str, span: Span, report: Report) -> Source | None:
            source = find(base, span, report)
            if source is None:
                return None
            sources[source.name] = source = instead.get(source.name, source)
            return counted(source, meter)

        return found

    meter = meter or new_meter()
    with bounded(report, meter):
        document = variants.load(counted(source, meter), finding(meter), report, meter) if source else None
    report.raise_errors()
    assert document is not None and source is not None
    itself = source

    def sibling(name: Scalar | None, report: Report, meter: Meter) -> variants.Document | None:
        found = finding(meter)
        source = counted(itself, meter) if name is None else found(name.value, name.span, report)
        return variants.load(source, found, report, meter) if source else None

    document.sibling = sibling
    if example is not None:
        _append(document, example)
    return Ruleset(document, sources=sources)


def load(
    name: str | Path,
    players: int | None = None,
    parameters: Given[str, Any] | None = None,
    readings: Given[str, str] | None = None,
) -> Game:
    """The game of a shipped name or a path, with these settings over its defaults: see `Ruleset.settled`.

    Raises RulesetError with every fault of the text.
    """
    return read(name).settled(players, parameters, readings)


def counted(source: Source, meter: Meter) -> Source:
    """The source, after spending the steps of reading it."""
    with meter.part(f"reading `{source.name}`", Span(source, 1, 1, 1, 1)):
        meter.spend(CHARACTER * len(source.text))
    return source


def _append(document: variants.Document, example: Node) -> None:
    last = document.section("rules")[-1]
    there = last.entries.get("examples")
    kept = there.items if isinstance(there, Sequence) else []
    last.entries["examples"] = Sequence(example.span, False, [*kept, example])


def source_of(path: Path, report: Report) -> Source | None:
    """The text of a file; None, with the fault reported, if it cannot be read."""
    try:
        return Source(shown(path), read_text(path, MOST_BYTES))
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        source = Source(shown(path), error.object.decode("utf-8", "replace"))
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        place = Span(source, line, column, line, column + 1)
        report.error("file.encoding", "this is not UTF-8 text", place, help="save the file as UTF-8")
    except OSError as error:
        code = "yaml.size" if error.errno == errno.EFBIG else "file.missing"
        report.error(code, f"`{shown(path)}` cannot be read: {error.strerror}")
    return None


def shown(path: Path) -> str:
    """A path as messages show it: below the working folder or the shipped rulesets where it is there."""
    full = resolved(path)
    for root in (Path.cwd(), home().parent):
        if full.is_relative_to(root):
            return str(full.relative_to(root))
    return str(path)


def finder(path: Path) -> variants.Finder:
    """A function that resolves the names of other rulesets, relative to the file that names them.

    A file in the folder of the ruleset, or of a neighbour, takes precedence over a shipped name. Files
    outside these folders are refused, also through a link.
    """
    files = {shown(path): path}

    def find(name: str, span: Span, report: Report) -> Source | None:
        if len(name) > LONGEST_EXTENDED or not _NAME.fullmatch(name):
            message = "rulesets are named as shipped, or as a file beside this one or in a folder below it"
            report.error("variant.extends", message, span)
            return None
        asking = files.get(span.source.name, path)
        for candidate, folder in _near(asking, name):
            if candidate.is_file() and not _same(candidate, asking):
                if not _inside(candidate, folder):
                    message = f"`{shown(candidate.absolute())}` is a link that leads out of its folder"
                    report.error("variant.extends", message, span, help="put the file itself there")
                    return None
                files[shown(candidate)] = candidate
                return source_of(candidate, report)
        if name in shipped():
            files[shown(shipped()[name])] = shipped()[name]
            return source_of(shipped()[name], report)
        help = report.nearest(name, shipped())
        report.error("variant.extends", f"no ruleset is called `{name}`", span, help=help)
        return None

    return find


def _near(path: Path, name: str) -> Iterator[tuple[Path, Path]]:
    """The files that a name may denote, in order of precedence, each with the folder that it must be in."""
    folder = path.absolute().parent
    game = folder.parent if folder.name == "variants" else folder
    yield folder / f"{name}.yaml", game
    yield folder / name, game
    yield game / "variants" / f"{name}.yaml", game
    base = game / "ruleset.yaml"
    if not _same(base, path) and (name == game.name or _id_of(base) == name):
        yield base, game
    if "/" not in name:
        yield game.parent / name / "ruleset.yaml", game.parent


def _inside(path: Path, folder: Path) -> bool:
    """True if a file is in a folder or below it after links are resolved."""
    return resolved(path).is_relative_to(resolved(folder))


def _same(path: Path, other: Path) -> bool:
    return resolved(path) == resolved(other)


def _id_of(path: Path) -> str:
    """The id of the ruleset in a file; empty if there is none."""
    source = source_of(path, Report()) if path.is_file() else None
    root = yaml.read(source, Report()) if source else None
    held = root.entries.get("id") if isinstance(root, Mapping) else None
    return held.value if isinstance(held, Scalar) else ""
