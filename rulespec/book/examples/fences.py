"""Fenced examples: reading, running, and their results.

The body of a fence is a small YAML mapping:

    ruleset        a path beside the file, the id of a ruleset of the site, or a shipped name
    players, parameters, readings    settings other than the defaults
    given | position | seed   the position, one of the ruleset by name, or the start with this seed (0)
    legal          actions that must be legal at first
    only           actions that must be legal at first, and no others of their kind
    refused        {play, by}: actions that must be refused at first, by this rule or requirement
    play           actions, one after another
    then           must hold at the end
    winners        who must have won at the end, and nobody else
    show           diagram, steps, clauses, actions, scores, nothing
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...core.diagnostics import Diagnostic, Label, Report, RulesetError, Source, Span, nearest
from ...core.examples import Example
from ...core.meter import Meter
from ...core.numbers import whole_number
from ...core.storage.safe_reading import read_text, resolve_path
from ...language import read, shipped_rulesets
from ...language.documents.ruleset_files import written_id
from ...language.documents.ruleset_shape import EXAMPLE, WORD, WORDS
from ...language.documents.shapes import Shape, check, text_of, words
from ...language.documents.yaml import MOST_BYTES, Node, Scalar, Sequence, plain
from ...language.documents.yaml import Mapping as Body
from ...language.documents.yaml import read as read_yaml
from ...language.work_limit import MOST_WORK, new_meter, report_limits
from ...play.examples import begin, run_example
from ...play.face import Game, State, load
from ...play.refusal import Refusal
from ..configuration.site_configuration import BookError, rulesets
from .scan import NAME, Fence, markdown_files, scan_text

SHOWS = ("diagram", "steps", "clauses", "actions", "scores", "nothing")
"""The parts that a fence may show; a diagram by default, if there is one. `steps` is the play in steps,
`clauses` the rules that refuse, as in the ruleset."""

MOST_WORK_OF_PAGE = 10 * MOST_WORK
"""Maximum number of steps for the examples of one page, including the reading of rulesets for a `then`."""

SETTINGS = ("players", "parameters", "readings")
OURS = ("ruleset", "show", "prose", *SETTINGS)
"""Keys of the body that are read before the example runs."""

_NUMBERED = re.compile(r": play (\d+), `")
"""The form of the name of a failing action in a list."""

CONFIGURATION = "mkdocs.yml"
"""The file that marks the folder of a site."""

MOST_SHOWN = 60
"""Maximum length of a missing name in a message."""
Own = Mapping[str, Path]
"""The files of a site's rulesets, by id."""
NO_OWN: Own = {}
Settings = tuple[tuple[str, str], ...]
"""Parameters or readings as pairs of id and notation."""

SHAPE = Shape(
    {
        "ruleset": WORD,
        "show": WORDS,
        **{key: kind for key, kind in EXAMPLE.keys.items() if key not in ("id", "source", "note")},
    },
    ("ruleset",),
)


@dataclass(frozen=True)
class Run:
    """The results of an example. `states` are those of its play, the first before any action.

    `show` lists the requested parts; empty means a drawing if there is one. `winners` is None if the example
    does not name them. `under` are settings that its readers do not expect.
    """

    game: Game
    states: tuple[State, ...]
    legal: tuple[str, ...]
    only: tuple[str, ...]
    refused: tuple[tuple[str, tuple[Refusal, ...]], ...]
    then: str = ""
    winners: tuple[str, ...] | None = None
    prose: str = ""
    show: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    note: str = ""
    under: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExecutedFence:
    """A fence that was executed: its run, or its faults."""

    fence: Fence
    run: Run | None
    faults: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class CheckedFences:
    """The results of running the examples of some files."""

    files: tuple[str, ...]
    executed: tuple[ExecutedFence, ...]
    faults: tuple[Diagnostic, ...]
    """Every fault, including those of the fences, in reading order."""


def check_files(paths: Iterable[Path | str]) -> CheckedFences:
    """Find and run every fenced example of these files and folders.

    Every fence is executed, so `executed` tells how many examples there are. A fence may name the rulesets of
    the site that its file belongs to, if mkdocs can read the configuration.
    """
    files = markdown_files(map(Path, paths))
    report, executed = Report(), []
    for path in files:
        source, meter = Source(str(path), read_text(path, MOST_BYTES)), Meter(MOST_WORK_OF_PAGE)
        found = scan_text(source, report)
        own = of_site(_site_folder(resolve_path(path.parent))) if found else NO_OWN
        executed += [execute(fence, path.parent, meter, own) for fence in found]
    faults = [*report.diagnostics, *(fault for done in executed for fault in done.faults)]
    in_order = tuple(sorted(faults, key=Diagnostic.sort_key))
    return CheckedFences(tuple(map(str, files)), tuple(executed), in_order)


def execute(fence: Fence, folder: Path, meter: Meter | None = None, own: Own = NO_OWN) -> ExecutedFence:
    """Run one fence; a ruleset given by a path is relative to `folder`.

    `own` are the rulesets of the site by id. Steps are spent from `meter`, which fences of one page share; by
    default from a new one.
    """
    report, meter = Report(), meter or new_meter()
    body = read_yaml(fence.body, report)
    if body is None and not report.count:
        report.error("fence.empty", f"a fence `{NAME}` without a body", fence.span)
    if not isinstance(body, Body):
        if body is not None:
            report.error("fence.body", "the body of an example is keys with values", body.span)
        return ExecutedFence(fence, None, tuple(report.diagnostics))
    check(body, SHAPE, report, "example")
    _check_show(body, report)
    if report.count:
        return ExecutedFence(fence, None, tuple(report.diagnostics))
    try:
        with report_limits(report, meter), meter.part("this example", fence.span):
            game, example = _example(body, fence, folder, meter, own)
            with game.use_meter(meter):
                faults = tuple(_place_failure(fault, body) for fault in run_example(game, example))
    except RulesetError as error:
        return ExecutedFence(fence, None, _from_ruleset(error, body))
    return ExecutedFence(fence, None if faults else _run(game, example), faults)


def _check_show(body: Body, report: Report) -> None:
    for word in words(body.entries.get("show")):
        if word.value not in SHOWS:
            advice = report.nearest(word.value, SHOWS) or "one of " + ", ".join(SHOWS)
            report.error("fence.show", f"an example cannot show `{word.value}`", word.span, help=advice)
    if "given" in body.entries and "seed" in body.entries and "play" not in body.entries:
        message = "`given` is the whole position, so the seed does nothing"
        report.error("fence.seed", message, body.keys["seed"].span)


def _words(body: Body) -> tuple[str, ...]:
    return tuple(word.value for word in words(body.entries.get("show")))


def _example(body: Body, fence: Fence, folder: Path, meter: Meter, own: Own) -> tuple[Game, Example]:
    """The game that an example requires, with its settings, and the example without them."""
    name, players, parameters, readings = _read_settings(body, folder, own)
    entries = {key: node for key, node in body.entries.items() if key not in OURS}
    data = {key: plain(node) for key, node in entries.items()}
    if "then" in entries:
        settings = {key: body.entries[key] for key in SETTINGS if key in body.entries}
        node = Body(body.span, False, {**entries, **settings}, body.keys)
        ruleset = read(name, example=node, meter=meter)
        core = ruleset.with_settings(players, dict(parameters), dict(readings), meter)
        last = next(rule for rule in reversed(core.rules) if rule.examples)  # words of libraries follow
        game, data = Game(core, name), last.examples[-1].data
    else:
        game = default_game(name)
        if players is not None or parameters or readings:
            game = game.under(players, dict(parameters), dict(readings))
    prose = text_of(body.entries.get("prose"))
    return game, Example(f"line {fence.first}", "", prose, {"show": _words(body), **data}, fence.span)


def _read_settings(body: Body, folder: Path, own: Own) -> tuple[str, int | None, Settings, Settings]:
    data = plain(body)
    asked = data.get("players")
    players = None if asked is None else whole_number(asked)
    if asked is not None and players is None:
        place = Label(body.entries["players"].span)
        raise RulesetError([Diagnostic("fence.players", "the number of players is a number", (place,))])
    return (
        str(_ruleset(data["ruleset"], folder, own)),
        players,
        tuple(sorted(data.get("parameters", {}).items())),
        tuple(sorted(data.get("readings", {}).items())),
    )


def _ruleset(name: str, folder: Path, own: Own) -> Path | str:
    """The file that a page in `folder` names, else the site's ruleset with this id, else the shipped one.

    A file must be in the folder of the site, which holds `mkdocs.yml`; without one in the working folder if
    the page is in it, else in `folder`. A link that leads out of it is refused. Raises RulesetError if there
    is no such ruleset.
    """
    try:
        path = folder / name
        path = path / "ruleset.yaml" if path.is_dir() else path
        if path.is_file() and not Path(name).is_absolute():
            if resolve_path(path).is_relative_to(_site(resolve_path(folder))):
                return path
            raise _missing(f"`{name}` lies outside the folder of the site")
    except OSError:  # the name is too long for a file
        pass
    if name in own:
        return own[name]
    if name in shipped_rulesets():
        return name
    message = f"no ruleset is called `{textwrap.shorten(name, MOST_SHOWN)}`, and no file beside the page"
    raise _missing(message, nearest(name[:MOST_SHOWN], [*own, *shipped_rulesets()]))


def _site_folder(folder: Path) -> Path | None:
    """The nearest folder above that holds the configuration of a site."""
    return next((up for up in (folder, *folder.parents) if (up / CONFIGURATION).is_file()), None)


@lru_cache(maxsize=8)
def of_site(folder: Path | None) -> Own:
    """The rulesets by id in the configuration of a site in a folder; empty if it cannot be read."""
    if folder is None:
        return NO_OWN
    found: dict[str, Path] = {}
    with suppress(BookError, RulesetError, ImportError):  # without mkdocs there is no site
        for path in rulesets(folder / CONFIGURATION):
            found.setdefault(_id_of(path), path)
    return found


def _id_of(path: Path) -> str:
    """The id of a ruleset, even of a faulty one if possible, so that examples report its faults."""
    try:
        return default_game(str(path)).id
    except RulesetError:
        return written_id(path)


def _site(folder: Path) -> Path:
    above = _site_folder(folder)
    if above is not None:
        return above
    return Path.cwd() if folder.is_relative_to(Path.cwd()) else folder


def _missing(message: str, help: str = "") -> RulesetError:
    return RulesetError([Diagnostic("file.missing", message, (), help)])


@lru_cache(maxsize=64)
def default_game(name: str) -> Game:
    """A game with default settings, cached until `forget`. Raises RulesetError."""
    return load(name)


def _from_ruleset(error: RulesetError, body: Body) -> tuple[Diagnostic, ...]:
    """The faults of a ruleset; those without a place are put at its name in the example."""
    place = body.entries["ruleset"].span
    return tuple(d if d.span else replace(d, labels=(Label(place),)) for d in error.diagnostics)


def _place_failure(fault: Diagnostic, body: Body) -> Diagnostic:
    """A failure, moved to the line of the key or of the entry that it is about."""
    key = fault.code.partition(".")[2]
    node = body.entries.get(key)
    if node is None:
        return fault
    return replace(fault, labels=(Label(_entry(node, key, fault.message) or node.span),))


def _entry(node: Node, key: str, message: str) -> Span | None:
    if not isinstance(node, Sequence):
        return None
    numbered = _NUMBERED.search(message) if key == "play" else None
    number = whole_number(numbered[1]) if numbered else None
    if number is not None and 0 < number <= len(node.items):
        return node.items[number - 1].span
    for item in node.items:
        text = item.entries.get("play") if isinstance(item, Body) else item
        if isinstance(text, Scalar) and f"`{text.value}`" in message:
            return text.span
    return None


def _run(game: Game, example: Example) -> Run:
    then = " ".join(example.data.get("then text", "").split())
    return Run(
        game, then=then, prose=example.prose, show=example.data["show"], **replay_example(game, example.data)
    )


def replay_example(game: Game, data: Mapping[str, Any]) -> dict[str, Any]:
    """The results of a successful example: `states`, `legal`, `only` and `refused` actions, `winners`."""
    state = begin(game, data)
    states = [state]
    for text in _texts(data.get("play")):
        states.append(states[-1].play(text))
    refused = tuple((item["play"], state.why_not(item["play"])) for item in _many(data.get("refused")))
    legal, only = (tuple(_texts(data.get(key))) for key in ("legal", "only"))
    winners = tuple(_texts(data["winners"])) if "winners" in data else None
    return {"states": tuple(states), "legal": legal, "only": only, "refused": refused, "winners": winners}


def forget() -> None:
    """Clear the cache of rulesets, because their files may have changed."""
    default_game.cache_clear()
    of_site.cache_clear()


def _many(data: Any) -> list[Any]:
    return [] if data is None else data if isinstance(data, list) else [data]


def _texts(data: Any) -> list[str]:
    return [str(item) for item in _many(data)]
