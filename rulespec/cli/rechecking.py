"""recheck and certify: check stored verdicts again, or give them certificates."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from ..budgets import cores
from ..core.diagnostics import RulesetError
from ..core.game import Game
from ..core.verdicts import Verdict, beside
from ..core.verdicts.current_verdicts import Current, Subject
from ..core.verdicts.release_stamps import ReleaseStamps
from ..core.verdicts.stamps import Stamps
from ..language import home, locate, shipped_rulesets
from .loading import Loader, limits, setting_of, store_path
from .output import Progress, in_colour, print_json, print_styled, table
from .status import FAILED, HELD, PASSED, UNDECIDED, Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulespec.solver.claims import Check

CERTIFIED = {True: "certified", None: "has one", False: "not certified"}
"""The words for the result of a certification."""
DATABASES = (".sqlite", ".db")
"""The suffixes of databases of surveys."""


def recheck(arguments: argparse.Namespace) -> int:
    """Check stored evidence again; the status is 0 if all passes, 1 if a check fails, else 3."""
    names = arguments.names or _with_verdicts()
    options, progress = limits_of_recheck(arguments), Progress()
    surveys = [name for name in names if Path(name).suffix in DATABASES]
    again = arguments.again or arguments.engine or arguments.second or arguments.export
    if surveys and (arguments.second or arguments.export):
        raise Usage("--with and --export are for stored verdicts, not for surveys")
    if arguments.sample and not surveys:
        raise Usage("--sample is for surveys; stored verdicts are all checked, unless they have a stamp")
    export = Path(arguments.export) if arguments.export else None
    more = {**options, "second": arguments.second, "export": export}
    stores = [Loader(name) for name in names if name not in surveys]
    rows = [check_data(check) for check in checked_again(stores, more, progress, Stamps(), bool(again))]
    shown = [row for row in rows if arguments.names or row["result"] != PASSED[True]]
    for name in surveys:
        from .surveying import checked_answers

        answers = checked_answers(Path(name), arguments.sample, options, progress)
        rows += answers
        shown += [row for row in answers if row["result"] != PASSED[True]]
    progress.clear()
    if arguments.json:
        print_json({"checks": rows})
    elif not rows:
        print("no verdicts are stored: `rulespec prove GAME` stores them")
    else:
        if shown:
            print(table([("ruleset", "claim", "result", "what was done"), *map(_columns, shown)]))
        counts = Counter(row["result"] for row in rows)
        print_styled(", ".join(f"{count} {in_colour(result)}" for result, count in counts.items()))
    results = {row["result"] for row in rows}
    if PASSED[False] in results:
        return FAILED
    return HELD if results == {PASSED[True]} else UNDECIDED


def certify(arguments: argparse.Namespace) -> int:
    """Give certificates to stored verdicts without one; the status is 1 if one fails, 3 if none is wanted."""
    from rulespec.solver.claims import certify as certificates

    paths = {name: store_path(name) for name in arguments.names or _with_verdicts()}
    progress, rows = Progress(), list[dict[str, str]]()
    for name, path in paths.items():
        options = {**limits(arguments), "again": arguments.again}
        for one in certificates(path, Loader(name), progress=progress, **options):
            rows.append(result_data(one.verdict, CERTIFIED[one.done], one.text))
            if one.done is not None and not arguments.json:
                progress.clear()
                print(table([tuple(rows[-1].values())]), flush=True)
    progress.clear()
    counts = Counter(row["result"] for row in rows)
    if arguments.json:
        print_json({"certificates": rows})
    else:
        words = ", ".join(f"{count} {word}" for word, count in counts.items())
        print(words or "no stored verdict rests on an engine or a search")
    if CERTIFIED[False] in counts:
        return FAILED
    return HELD if rows else UNDECIDED


def _with_verdicts() -> list[str]:
    """The shipped rulesets that have stored verdicts."""
    return [name for name in shipped_rulesets() if beside(locate(name)).is_file()]


def limits_of_recheck(arguments: argparse.Namespace) -> dict[str, Any]:
    """The limits for checking verdicts again."""
    return {**limits(arguments), "jobs": arguments.jobs or cores()}


def _columns(row: Mapping[str, str]) -> tuple[str, ...]:
    where = f" ({row['setting']})" if row["setting"] else ""
    return (row["ruleset"], row["claim"], row["result"], row["text"] + where)


def checked_again(
    loaders: Iterable[Loader],
    options: Mapping[str, Any],
    progress: Progress,
    stamps: Stamps,
    again: bool = False,
) -> list[Check]:
    """Check the stored verdicts of rulesets without a stamp, or all if `again`, and stamp those that pass.

    Checked verdicts are about the present rules, so pages need not compare digests. The result includes
    stamped verdicts on the present rules, with the text of their stamps. Raises Usage if a ruleset has no
    verdicts.
    """
    from rulespec.solver.claims import Recheck, RecheckOptions, check_and_stamp

    stores = [(store_path(loader.name), loader) for loader in loaders]
    rules = {loader().id: _PresentRules(loader) for _, loader in stores}

    def vouched(verdict: Verdict) -> str | None:
        text = stamps.of(verdict)
        is_present = text is not None and verdict.ruleset in rules and rules[verdict.ruleset].holds(verdict)
        return text if is_present else None

    more: dict[str, Any] = {} if again else {"vouched": vouched}
    run = Recheck(stores, RecheckOptions(measured=ReleaseStamps(home()).seconds, **more, **options), progress)
    passed: dict[str, list[Subject]] = {}
    with closing(check_and_stamp(run, stamps)) as events:
        for event in events:
            progress.total, progress.done = event.total, event.number
            if event.check.passed:
                passed.setdefault(event.check.verdict.ruleset, []).append(event.check.verdict.subject)
    for name, known in rules.items():
        known.keep(passed.get(name, ()))
    if failure := stamps.save():
        print(f"rulespec: no stamps are kept: {failure}", file=sys.stderr)
    return run.checks


class _PresentRules:
    """The rules of a ruleset as they are now, with the verdicts that are known to be about them."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._games: dict[str, Game | None] = {}
        self._current = Current(loader.sources)
        self._found: list[Subject] = []

    def holds(self, verdict: Verdict) -> bool:
        """True if a verdict is about these rules, and about its claim as it is there."""
        if verdict.subject not in self._current:
            game = self._game(verdict)
            claim = game.claims.get(verdict.claim) if game is not None else None
            if game is None or claim is None or not verdict.is_about(game, claim):
                return False
            self._found.append(verdict.subject)
        return True

    def _game(self, verdict: Verdict) -> Game | None:
        """The game under the setting of a verdict; None if there is no such setting any more."""
        setting = verdict.key[2]
        if setting not in self._games:
            try:
                self._games[setting] = self._loader(
                    parameters=verdict.parameters, readings=verdict.readings, players=verdict.players
                )
            except RulesetError:
                self._games[setting] = None
        return self._games[setting]

    def keep(self, subjects: Iterable[Subject]) -> None:
        """Note verdicts that are about these rules, with those that were found to be."""
        self._current.keep((*self._found, *subjects))


def check_data(check: Check) -> dict[str, str]:
    """A check as data."""
    return result_data(check.verdict, PASSED[check.passed], check.text)


def result_data(verdict: Verdict, result: str, text: str) -> dict[str, str]:
    """The result of checking or certifying a stored verdict, as data."""
    return {
        "ruleset": verdict.ruleset,
        "claim": verdict.claim,
        "setting": setting_of(verdict),
        "result": result,
        "text": text,
    }
