"""survey: one question asked of many deals, and the check of stored answers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.game import Game
from ..core.verdicts import PROVED, REFUTED
from ..language import load
from ..simulation.figures import mean_figure, percent
from ..simulation.result_file import DatabaseError
from .loading import limits
from .output import Progress, fill, print_json, table
from .playing import recorded_deal
from .simulating import Teller
from .status import HELD, PASSED, UNDECIDED, Usage, executor, settings

if TYPE_CHECKING:
    from rulespec.solver.claims.answers import Deal
    from rulespec.solver.surveys import Survey

DEALS = 100
"""The default number of deals."""


def survey(arguments: argparse.Namespace) -> int:
    """Ask one question about many deals; the status is 3 if any answer is undecided or left out."""
    from rulespec.solver.claims import NoPuzzle
    from rulespec.solver.surveys import survey as surveyed

    asked = settings(arguments)
    core = load(arguments.name, **asked)
    work = executor(arguments)
    teller = Teller("deals")
    try:
        found = surveyed(
            arguments.name,
            _deals(arguments, core),
            arguments.claim,
            **limits(arguments),
            jobs=arguments.jobs,
            executor=work,
            database=arguments.database,
            progress=teller,
            **asked,
        )
    except (NoPuzzle, DatabaseError) as error:
        raise Usage(str(error)) from None
    except KeyboardInterrupt:
        teller.tell_stored()
        raise
    finally:
        teller.clear()
    if arguments.json:
        print_json(found.to_data())
    else:
        print(summary_text(found))
    return UNDECIDED if found.undecided_deals or found.left else HELD


def _deals(arguments: argparse.Namespace, core: Game) -> list[Deal]:
    """The deals of the survey, from records or seeds."""
    from rulespec.solver.claims.answers import Deal
    from rulespec.solver.surveys.run import seeds

    if not arguments.deal:
        return seeds(arguments.deals or DEALS, arguments.first or 0)
    if arguments.deals is not None or arguments.first is not None:
        raise Usage("--deal gives single deals: leave out --deals and --from")
    return [Deal.of_play(core, recorded_deal(file, core)) for file in arguments.deal]


def summary_text(found: Survey) -> str:
    """The results of a survey, in words and columns."""
    deals = "1 deal" if len(found.rows) == 1 else f"{len(found.rows):,} deals"
    lines = [fill(f"{found.title}, {found.claim}: {found.prose}")]
    changed = [f"{name}={value}" for name, value in found.parameters.items()]
    changed += [f"{name} is {reading}" for name, reading in found.readings.items()]
    lines += [fill(", ".join(changed)), ""] if changed else [""]
    if found.rows:
        lines += [table([(deals, "", "95% interval", ""), *_rows(found)]), ""]
    lines += [*(fill(f"note: {note}") for note in found.notes), f"stored in {found.database}"]
    return "\n".join(lines)


def _rows(found: Survey) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the results, with intervals of the shares."""
    of = len(found.rows)
    for outcome, count in found.outcomes.items():
        spread = ""
        if outcome == PROVED:
            spread = f"{percent(found.holds.low)} to {percent(found.holds.high)}"
        elif outcome == REFUTED:
            spread = f"{percent(1 - found.holds.high)} to {percent(1 - found.holds.low)}"
        yield (outcome, percent(count / of), spread, f"{count:,} deals")
    if found.values is not None:
        mean = mean_figure("value", found.values)
        yield (mean.name, mean.value, mean.interval, mean.aside)
        for value, count in found.values.histogram.items():
            yield (f"value {value}", percent(count / of), "", f"{count:,} deals")
    seconds = sorted(row.seconds for row in found.rows)
    yield ("seconds", f"{sum(seconds) / of:.2f}", "", f"on average, at most {seconds[-1]:.1f}")


def checked_answers(
    path: Path, sample: int | None, options: Mapping[str, Any], progress: Progress
) -> list[dict[str, str]]:
    """The results of checking the answers of a survey, as rows of `recheck`."""
    from rulespec.solver.surveys import recheck

    def tell(done: int, deals: int, words: str) -> None:
        progress.total, progress.done = deals, done
        progress(f"deal {words}")

    try:
        found = recheck(path, sample, progress=tell, **options)
    except DatabaseError as error:
        raise Usage(str(error)) from None
    return [
        {
            "ruleset": one.ruleset,
            "claim": one.claim,
            "setting": f"deal {one.deal}",
            "result": PASSED[one.passed],
            "text": one.text,
        }
        for one in found
    ]
