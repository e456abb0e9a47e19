"""Repairs: single changes of the formal text with which failing examples would hold."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ..core.diagnostics import Label, RulesetError
from ..core.examples import Example
from ..core.game import Game as Core
from ..core.meter import Meter, StepLimitExceeded
from ..core.types import Enum
from ..language.loader import Ruleset
from ..language.mutations import AFTER, DROPPED, NEARBY, Break, mutated_ruleset, nearby
from .examples import Trial, try_example
from .face import Game

COMPARISONS = {"<", "<=", ">", ">=", "=", "!="}
BORDERS = ({"<", "<="}, {">", ">="})
"""Comparisons that differ for equal numbers only."""
STEPS = 60_000_000
"""Number of steps of work for one search, about three seconds; see `Meter`."""
MOST_CHARACTERS = 200_000
"""Maximum length of a ruleset, with all that it extends, for which changes are tried."""
FURTHER = 60
"""Number of changes that are tried once each failing example has one that mends it."""
MOST_SHOWN = 3
"""Maximum number of changes that are shown."""


def with_repairs(name: str | Path, ruleset: Ruleset, game: Game, trials: Sequence[Trial]) -> list[Trial]:
    """Trials of all examples of a ruleset, those that fail with the changes that would make them hold.

    Changes near the places of the failures are tried first, until `STEPS` of work are done. A change must
    let a failing example hold, and every example that holds now; shown are those that mend most examples.
    """
    failing = [at for at, trial in enumerate(trials) if trial.failures and not trial.example.inherited]
    if not failing or sum(len(source.text) for source in ruleset.sources.values()) > MOST_CHARACTERS:
        return [*trials]
    places = [label.span for at in failing for fault in trials[at].failures for label in fault.labels]
    mended, meter = dict[Break, Collection[int]](), Meter(STEPS)
    left, further = {*failing}, FURTHER
    for change in nearby(ruleset, places, _alike(game.core), _within(game.core)):
        try:
            found = _mended(name, change, trials, failing, meter)
        except StepLimitExceeded:
            break
        further -= not left
        left.difference_update(found)
        if found:
            mended[change] = found
        if not further or meter.left <= 0:
            break
    shown = [*trials]
    for at in failing:
        most = max((len(those) for those in mended.values() if at in those), default=0)
        best = (one for one, those in mended.items() if at in those and len(those) == most)
        on_lines = dict[tuple[str, int], Break]()
        for one in sorted(best, key=_unlikelihood):
            on_lines.setdefault((one.span.source.name, one.span.line), one)
        changes = [*on_lines.values()][:MOST_SHOWN]
        labels = [Label(one.span, f"{_words(one)} the example would hold") for one in changes]
        first, *others = trials[at].failures
        failures = replace(first, labels=(*first.labels, *labels)), *others
        shown[at] = replace(trials[at], failures=failures)
    return shown


def _unlikelihood(change: Break) -> int:
    """The rank of a kind of change; mistakes of the first ones are made most often."""
    was, becomes = change.was, change.becomes
    if becomes == DROPPED or change.where == "default" or _is_declared(change):
        return 5
    if was in COMPARISONS:
        return 0 if {was, becomes} in BORDERS else 3
    if becomes == "" or becomes.isdecimal():
        return 2
    is_name = was[0].isalpha() and was not in NEARBY and becomes not in was and "\n" not in was
    return 4 if is_name or was in ("+", "-") else 1


def _is_declared(change: Break) -> bool:
    """True if a change is in the declaration of a variable, such as that of its initial value."""
    return re.match(r"\s*(?:hidden )?state\b", change.span.source.line(change.span.line)) is not None


def _words(change: Break) -> str:
    """A change in words, as the beginning of a sentence."""
    if change.becomes in ("", DROPPED):
        return "without this"
    if "\n" in change.was:
        lines = (sorted(map(str.strip, text.split("\n"))) for text in (change.was, change.becomes))
        exchanged = next(lines) == next(lines)
        return "with these two the other way round" if exchanged else "with their keys exchanged"
    return f"with `{change.becomes}` here"


def _mended(
    name: str | Path, change: Break, trials: Sequence[Trial], failing: Sequence[int], meter: Meter
) -> Collection[int]:
    """The failing examples that hold after a change; none if an example fails that holds now."""
    try:
        ruleset = mutated_ruleset(name, change, meter)
        settled = partial(ruleset.with_settings, meter=meter)
        game = Game(settled(), str(name), settled, meter)
        examples = {(one.clause, one.id): one for rule in game.core.rules for one in rule.examples}
        mended = [at for at in failing if _holds(game, examples, trials[at])]
        others = (trial for trial in trials if trial.holds)
        return mended if mended and all(_holds(game, examples, one) for one in others) else ()
    except (RulesetError, RecursionError):
        return ()


def _holds(game: Game, examples: Mapping[tuple[str, str], Example], trial: Trial) -> bool:
    example = examples.get((trial.example.clause, trial.example.id))
    return example is not None and try_example(game, example).holds


def _alike(game: Core) -> Mapping[str, Sequence[str]]:
    """For each declared name the others of the same kind and type."""
    kinds: dict[object, list[str]] = defaultdict(list)
    for kind, name in _names(game):
        kinds[kind].append(name)
    return {one: [other for other in names if other != one] for names in kinds.values() for one in names}


def _within(game: Core) -> Sequence[str]:
    """The definitions that map a type to itself, and the operator that does so for players."""
    found = [f.name for f in game.functions.values() if [p.type for p in f.params] == [f.result]]
    return [*([AFTER] if game.players > 1 else []), *found]


def _names(game: Core) -> Iterator[tuple[object, str]]:
    """Yield the names that could stand for each other, each with a key that is equal for such names."""
    for variable in game.state.values():
        yield variable.type, variable.name
    for function in game.functions.values():
        yield (tuple(p.type for p in function.params), function.result), function.name
    for scalar in game.types.values():
        if isinstance(scalar, Enum):
            yield from ((scalar.members, member) for member in scalar.members)
