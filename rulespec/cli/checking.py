"""check: rulesets and pages, their examples, and every fault of them."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, MutableSequence, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from ..budgets import UNBOUNDED, Budget, can_fork, cores, map_unordered
from ..core.diagnostics import Diagnostic, Label, Report, RulesetError
from ..core.game import Game, Other
from ..core.numbers import number_of
from ..core.storage.cache import read_cached_data, write_cached_data
from ..language import home, locate, outline, read, shipped_rulesets
from ..language.documents.ruleset_files import display_path
from ..language.work_limit import TOO_MUCH, new_meter, report_limits
from .output import print_json
from .status import FAILED, HELD, UNDECIDED, WRONG, Usage

if TYPE_CHECKING:
    from ..language.documents.variants import Document
    from ..noticing.parts import Part
    from ..play.examples import Trial
    from ..play.face import Game as Played

PAGES = (".md", ".markdown")

MORE_PLAYS = 5_000
"""Number of random plays by generated code, if those of the interpreter leave a doubt."""
LONGEST = 2.0
"""Maximum seconds for these plays, including the generation of code."""
MOST_WRITTEN = 1_000_000
"""Maximum steps of reading a ruleset whose code is generated for these plays; longer ones would take too
long."""
MANY = 4
"""Minimum number of rulesets or pages that are checked in parallel processes."""


def check(arguments: argparse.Namespace) -> int:
    """Read rulesets or pages, run their examples and report every fault; with `--watch`, at each change."""
    if not arguments.watch:
        return _check_once(arguments)
    if not arguments.what:
        raise Usage("`--watch` takes the files or folders to look at")
    while True:
        before = _stamps(arguments.what)
        _check_once(arguments)
        sys.stdout.flush()
        while _stamps(arguments.what) == before:
            time.sleep(POLL)
        print()


POLL = 0.1
"""Seconds between two looks at watched files."""


def _stamps(names: Sequence[str]) -> dict[Path, tuple[int, int]]:
    """The time and size of rulesets and pages in watched folders, and of the files beside watched ones."""
    found = {}
    for name in names:
        path = Path(name)
        folders = [path] if path.is_dir() else [path.parent, path.parent.parent / "variants"]
        for folder in folders:
            inside = folder.rglob("*") if path.is_dir() else folder.glob("*")
            for file in (file for file in inside if file.suffix in (".yaml", *PAGES)):
                with suppress(OSError):
                    status = file.stat()
                    found[file] = status.st_mtime_ns, status.st_size
    return found


def _check_once(arguments: argparse.Namespace) -> int:
    """Check everything requested, print the result, and return the exit status."""
    from ..book.configuration.ruleset_files import is_ruleset

    wanted = [*_expand(arguments.what)] if arguments.what else [*shipped_rulesets()]
    ignored = [file for name in arguments.what for file in _ignored_files(Path(name))]
    done = [*_all_checked(wanted, arguments.again, repairs=not arguments.watch)]
    stopped = _deepen(wanted, done, arguments) if arguments.deep else None
    faults = tuple(fault for one in done for fault in one.faults)
    rulesets, pages, examples = (
        sum(getattr(one, k) for one in done) for k in ("rulesets", "pages", "examples")
    )
    unchanged = sum(one.unchanged for one in done)
    unfit, dropped = [u for one in done for u in one.unfit], sum(one.dropped for one in done)
    unreached = sum(len(one.unreached) for one in done)
    wrong = any(one.unreadable for one in done)
    errors = sum(f.severity == "error" for f in faults)
    if arguments.json:
        counts = {"rulesets": rulesets, "pages": pages, "examples": examples, "unchanged": unchanged}
        settings = [setting for one in done for setting in one.unreached]
        left = {"unfit": unfit, "dropped": dropped, "unreached": settings, "ignored": ignored}
        print_json({"checked": wanted, **counts, **left, "diagnostics": [f.to_data() for f in faults]})
    else:
        for fault in faults:
            print(fault.render())
        counted = [number_of(rulesets, "ruleset")] if rulesets else []
        counted += [number_of(pages, "page")] if pages else []
        counted += [number_of(examples, "example")] if counted else []
        counted += [number_of(errors, "fault")]
        doubts = len(faults) - errors
        counted += [number_of(doubts, "doubt")] if doubts else []
        counted += [f"{unchanged} unchanged since they passed"] if unchanged else []
        named = [setting for one in done for setting in one.unreached]
        where = f": {', '.join(named)}" if unreached <= MOST_NAMED else ""
        counted += (
            [f"{number_of(unreached, 'setting')} not played for lack of time{where}"] if unreached else []
        )
        counted += (
            [f"{number_of(len(unfit), 'inherited example')} about other settings not run"] if unfit else []
        )
        counted += [f"{number_of(dropped, 'inherited example')} dropped"] if dropped else []
        print(", ".join(counted))
        for empty in (one for one in arguments.what if not [*_expand([one])]):
            print(f"there is no ruleset and no page in `{empty}`")
        if ignored:
            shown = ", ".join(ignored[:MOST_NAMED]) + (", …" if len(ignored) > MOST_NAMED else "")
            print(f"ignored: {number_of(len(ignored), 'file')} ({shown})")
        if not arguments.what and (here := [*filter(is_ruleset, Path().glob("*.yaml"))]):
            count = number_of(len(here), "ruleset")
            print(f"these are the shipped rulesets; `rulespec check .` checks the {count} here")
    if stopped is not None:
        raise stopped
    nothing = not rulesets and not examples
    return WRONG if wrong else FAILED if errors else UNDECIDED if nothing else HELD


DECIDED = frozenset(
    f"notice.{kind}" for kind in "action end reaction requirement law branch case mover winner".split()
)
"""The codes of doubts that `--deep` decides."""


def _deepen(
    names: Sequence[str], done: MutableSequence[CheckResult], arguments: argparse.Namespace
) -> KeyboardInterrupt | None:
    """Add the idle parts of faultless rulesets; returns the interrupt that ended the search, if any."""
    from .deep import warnings
    from .output import Progress

    progress, call = Progress(), Budget(arguments.timeout or inf, arguments.memory)
    try:
        for i, (name, one) in enumerate(zip(names, done, strict=True)):
            if not one.pages and not one.unreadable and not any(f.severity == "error" for f in one.faults):
                done[i] = replace(one, unchanged=False)
                # Parts that no random play showed are decided here, or told with the depth of the search.
                kept = tuple(fault for fault in one.faults if fault.code not in DECIDED)
                done[i] = replace(done[i], faults=kept)
                for warning in warnings(name, call, arguments.each, progress):
                    done[i] = replace(done[i], faults=(*done[i].faults, warning))
    except KeyboardInterrupt as interrupt:
        return interrupt
    finally:
        progress.clear()
    return None


MOST_NAMED = 5
"""Maximum number of ignored files that are named."""


def _ignored_files(folder: Path) -> Iterator[str]:
    """The files in a folder of several rulesets that `check` leaves out."""
    from ..book.configuration.ruleset_files import ruleset_files

    if not holds_several(folder):
        return
    known = {Path(file) for file in ruleset_files([folder])}
    for file in sorted(folder.rglob("*")):
        hidden = any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)
        beside = file.name.startswith(("verdicts.", "ruleset.schema."))
        if file.is_file() and not hidden and not beside and file not in known and file.suffix not in PAGES:
            yield str(file.relative_to(folder))


def _is_page(what: str) -> bool:
    path = Path(what)
    return path.suffix in PAGES or holds_several(path)


def holds_several(path: Path) -> bool:
    """True for a folder that does not belong to one ruleset."""
    return path.is_dir() and not (path / "ruleset.yaml").is_file()


def _expand(names: Iterable[str]) -> Iterator[str]:
    """The names, with each folder of several rulesets replaced by them, and by itself if it has pages."""
    from ..book.configuration.ruleset_files import ruleset_files
    from ..book.examples.scan import markdown_files

    for name in names:
        path = Path(name)
        if not holds_several(path):
            yield name
            continue
        yield from map(str, ruleset_files([path]))
        if markdown_files([path]):
            yield name


@dataclass(frozen=True)
class CheckResult:
    """The result of checking one ruleset, one page or one folder of pages."""

    faults: tuple[Diagnostic, ...]
    rulesets: int = 0
    pages: int = 0
    examples: int = 0
    unfit: tuple[Mapping[str, str], ...] = ()
    """The inherited examples about settings that the ruleset lacks, each with its failure."""
    dropped: int = 0
    """The number of inherited examples that fail and are dropped by the ruleset."""
    unreadable: bool = False
    """True if it could not be read at all, or exceeded the limit of work."""
    unreached: tuple[str, ...] = ()
    """The settings that no random play covered, in words."""
    unchanged: bool = False
    """True if it passed before and none of its inputs has changed."""


def _all_checked(names: Sequence[str], again: bool, repairs: bool) -> Iterator[CheckResult]:
    """The result for each name, in order; cached for shipped rulesets that passed unchanged."""
    passed = PassedChecks()
    known = {} if again or not shipped_rulesets().keys() & {*names} else passed.examples
    afresh = [name for name in names if name not in known]
    done = dict(zip(afresh, _checked_at_once(afresh, repairs), strict=True))
    clean = {
        name: one.examples for name, one in done.items() if name in shipped_rulesets() and not one.faults
    }
    if clean:
        passed.keep(clean)
    for name in names:
        yield done[name] if name in done else CheckResult((), 1, 0, known[name], unchanged=True)


def _checked_at_once(names: Sequence[str], repairs: bool) -> Iterator[CheckResult]:
    """The result for each name, computed on all cores if processes can be forked."""
    if len(names) < MANY or not can_fork():
        yield from (_check(name, repairs) for name in names)
        return
    # The longest come first, so that none is left running alone at the end.
    waiting = sorted({*names}, key=_length, reverse=True)
    found = {
        name: _result_of_death(name, one) if isinstance(one, Exception) else one
        for name, one in map_unordered(
            lambda name, _: _check(name, repairs), waiting, cores(), lambda: UNBOUNDED
        )
    }
    yield from (found[name] for name in names)


def _faults_of_book(game: Played) -> Iterator[Diagnostic]:
    """The faults and doubts of the book section, and its failing figures and plays."""
    from ..book.content.chapters import failures

    try:
        book = game.core.book
    except RulesetError as error:
        yield from error.diagnostics
        return
    if book is not None:
        yield from (*book.doubts, *failures(game, book))


def _result_of_death(name: str, why: Exception) -> CheckResult:
    fault = Diagnostic("check.died", f"`{name}` was not checked to its end: {why}")
    return CheckResult((fault,), unreadable=True)


def _length(name: str) -> int:
    """The length of a ruleset, examples and bases included; 0 for a missing file."""
    try:
        path = locate(name)
    except RulesetError:
        return 0
    return sum(file.stat().st_size for file in {path, path.parent.parent / "ruleset.yaml"} if file.is_file())


def _check(name: str, repairs: bool) -> CheckResult:
    return _checked_pages(name) if _is_page(name) else check_ruleset(name, repairs)


def check_ruleset(name: str, repairs: bool = True) -> CheckResult:
    """Check a ruleset, a shipped name or the path of a file, and run its examples.

    With `repairs`, changes are sought with which failing examples would hold.
    """
    from ..book.drawing.diagram import problems
    from ..language.written_doubts import written_doubts
    from ..noticing import Notices, notice
    from ..play.examples import try_example
    from ..play.face import Game as PlayedGame
    from ..play.repairs import with_repairs
    from ..sources.quick_check import misfits

    meter, report, seen = new_meter(), Report(), set[object]()
    try:
        ruleset = read(name, meter=meter)
        settled = partial(ruleset.with_settings, meter=meter)
        game = PlayedGame(settled(), name, settled, meter, seen)
    except RulesetError as error:
        there = any(fault.labels for fault in error.diagnostics)
        return CheckResult(error.diagnostics, rulesets=int(there), unreadable=True)
    spent = meter.most - meter.left
    listed = [example for rule in game.core.rules for example in rule.examples]
    trials: list[Trial] = []
    try:
        with report_limits(report, meter):
            for fault in (*problems(game.core), *misfits(game.core, ruleset.document, locate(name), meter)):
                report.add(fault)
            for fault in (*_faults_of_others(game.core, display_path(locate(name))), *_faults_of_book(game)):
                report.add(fault)
            for example in listed:
                with meter.part(f"the example `{example.id}`", example.span):
                    trials.append(try_example(game, example))
                meter.spend(0)
            if repairs:
                trials = with_repairs(name, ruleset, game, trials)
            for fault in (*_failures(trials), *_idle_drops(ruleset.document, trials)):
                report.add(fault)
        faults = tuple(report.diagnostics)
    except RulesetError as error:
        faults = error.diagnostics
    beyond = any(fault.code == TOO_MUCH for fault in faults)
    noticed, written = Notices(), list[Diagnostic]()
    if not beyond:
        written = written_doubts(ruleset)
        own = ruleset.document.root.entries["id"].span.source
        if any(trial.failures for trial in trials):  # a mistake elsewhere may keep plays from a refusal
            refused = [event for event in seen if isinstance(event, tuple) and event[0] == "refused"]
            seen.update(("refusal", name) for _, name in refused)
        noticed = notice(
            game.core,
            ruleset.with_settings,
            outline(name).players,
            own,
            frozenset(seen),
            refine=_refine if spent < MOST_WRITTEN else None,
        )
    unfit = tuple(
        {"clause": trial.example.clause, "example": trial.example.id, "why": trial.unfit}
        for trial in trials
        if trial.unfit
    )
    dropped = sum(trial.dropped for trial in trials)
    ran = len(listed) - len(unfit) - dropped
    return CheckResult(
        (*dict.fromkeys((*faults, *written, *noticed.doubts)),),
        1,
        0,
        ran,
        unfit=unfit,
        dropped=dropped,
        unreadable=beyond,
        unreached=tuple(noticed.unreached),
    )


def _refine(game: Game, parts: list[Part]) -> tuple[list[Part], int]:
    """The parts that further random plays, by generated code, do not show, and the number of those plays."""
    from rulespec.solver.dead_rules.random_playouts import parts_without_effect

    return parts_without_effect(game, parts, Budget(LONGEST), MORE_PLAYS)


def _failures(trials: Sequence[Trial]) -> Iterator[Diagnostic]:
    """The failures of examples; for an inherited one with the line with which the variant would drop it."""
    failing = [trial.example for trial in trials if trial.failures and trial.example.inherited]
    clauses: list[str] = []
    waiting = failing
    while waiting:
        needed = Counter(clause for example in waiting for clause in example.needs)
        clauses.append(min(needed, key=lambda clause: (-needed[clause], clause)))
        waiting = [example for example in waiting if clauses[-1] not in example.needs]
    what = "this inherited example" if len(failing) == 1 else f"these {len(failing)} inherited examples"
    line = f"if the variant intends this, drop {what} by one line: `drops: [{', '.join(clauses)}]`"
    for trial in trials:
        for fault in trial.failures:
            yield replace(fault, help=fault.help or line) if trial.example.inherited else fault


def _idle_drops(document: Document, trials: Sequence[Trial]) -> Iterator[Diagnostic]:
    """Doubts about clauses in this ruleset's `drops` of which no example fails."""
    effective = {clause for trial in trials if trial.dropped for clause in trial.example.drops}
    own = document.root.entries["id"].span.source
    for word in (drop.word for drop in document.drops):
        if word.value not in effective and word.span.source == own:
            message = f"no inherited example that needs `{word.value}` fails, so there is none to drop"
            yield Diagnostic("variant.drops", message, (Label(word.span),), severity="warning")


def _faults_of_others(game: Game, file: str) -> Iterator[Diagnostic]:
    """The faults of games named in comparing claims, placed at the claims in this file."""
    for claim in game.claims.values():
        other = claim.options.get("other")
        if isinstance(other, Other) and claim.span is not None and claim.span.source.name == file:
            try:
                _ = other.game
            except RulesetError as error:
                yield from error.diagnostics


def _checked_pages(name: str) -> CheckResult:
    """The result of checking the examples in a page."""
    from ..book.examples.fences import check_files
    from ..play.examples import FAILURE

    try:
        checked = check_files([name])
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        fault = Diagnostic("file.missing", f"`{name}` cannot be read: {why}")
        return CheckResult((fault,), unreadable=True)
    unreadable = any(not fault.code.startswith(FAILURE) for fault in checked.faults)
    pages, examples = len(checked.files), len(checked.executed)
    return CheckResult(checked.faults, pages=pages, examples=examples, unreadable=unreadable)


PACKAGE = Path(__file__).resolve().parent.parent
PASSED = "passed.json"
"""The file of the cache folder."""


def _digest_of_inputs() -> str:
    """Return a digest of all inputs of a check: the rulesets and the program."""
    digest = hashlib.sha256(sys.version.encode())
    for name in _files(home(), (".yaml",)):
        digest.update(f"{name} ".encode())
        digest.update(hashlib.sha256((home() / name).read_bytes()).digest())
    for name in _files(PACKAGE, (".py", ".lark", ".json.gz")):
        status = (PACKAGE / name).stat()
        digest.update(f"{name} {status.st_size} {status.st_mtime_ns} ".encode())
    return digest.hexdigest()


def _files(folder: Path, endings: tuple[str, ...]) -> list[str]:
    """The files in a folder and below whose names have one of these endings, by relative path, in order."""
    found = (
        f"{path}/{name}" for path, _, names in os.walk(folder) for name in names if name.endswith(endings)
    )
    return sorted(os.path.relpath(name, folder) for name in found)


class PassedChecks:
    """The cache of shipped rulesets that passed their check without errors and warnings.

    It is valid while no ruleset, no file of the program and no version of Python has changed.
    """

    @cached_property
    def _key(self) -> str:
        return _digest_of_inputs()

    @cached_property
    def examples(self) -> Mapping[str, int]:
        """The number of examples of each ruleset that passed."""
        data = read_cached_data(PASSED, self._key)
        valid = isinstance(data, dict) and all(type(number) is int for number in data.values())
        return data if valid else {}

    def keep(self, examples: Mapping[str, int]) -> None:
        """Add rulesets that passed; without effect if there is no cache folder."""
        write_cached_data(PASSED, self._key, {**self.examples, **examples})
