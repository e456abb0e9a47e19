"""mutate: the rules changed one clause at a time, and the changes that nothing detects."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING, Any

from ..budgets import Stopwatch, cores
from ..core.diagnostics import nearest
from ..core.verdicts import StoreError
from ..language import load
from .output import Progress, print_json, table
from .status import FAILED, HELD, UNDECIDED, Usage

if TYPE_CHECKING:
    from rulespec.solver.mutation_testing import BreakResult

MOST_SHOWN = 60
"""Maximum length of a change in the output."""


def mutate(arguments: argparse.Namespace) -> int:
    """Change the rules and report changes that nothing detects, for which the status is 1."""
    from rulespec.solver.mutation_testing import mutate as mutated

    progress, watch = Progress("breaks"), Stopwatch()
    tried: list[BreakResult] = []

    def told(found: BreakResult, number: int, total: int) -> None:
        tried.append(found)
        progress.total, progress.done = total, number
        progress(found.change.clause)

    try:
        found = mutated(
            arguments.name,
            arguments.rule,
            timeout=arguments.timeout,
            each=arguments.each,
            memory=arguments.memory,
            claims=not arguments.no_claims,
            jobs=arguments.jobs or cores(),
            told=told,
        )
    except KeyError as error:
        (clause,) = error.args
        advice = nearest(clause, (rule.id for rule in load(arguments.name).rules))
        raise Usage(f"there is no rule `{clause}`" + (f"; {advice}" if advice else "")) from None
    except StoreError as error:
        raise Usage(str(error)) from None
    except KeyboardInterrupt:
        progress.clear()
        _say(tried, arguments)
        raise
    finally:
        progress.clear()
    _say(found, arguments)
    if not arguments.json and arguments.timeout is not None and watch.seconds >= arguments.timeout:
        print(f"it stopped after {arguments.timeout:g} s: there may be more breaks")
    if not found:
        return UNDECIDED
    return FAILED if any(one.noticed == "unnoticed" for one in found) else HELD


def _say(found: list[BreakResult], arguments: argparse.Namespace) -> None:
    if arguments.json:
        print_json({"breaks": [*map(_data, found)]})
    else:
        _tell(found, arguments.all)


def _data(found: BreakResult) -> dict[str, Any]:
    """The result of a change of the rules as JSON data."""
    span = found.change.span
    return {
        "clause": found.change.clause,
        "where": found.change.where,
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "was": found.change.was,
        "becomes": found.change.becomes,
        "noticed": found.noticed,
        "by": found.by,
        "alike": found.alike,
    }


def _tell(found: list[BreakResult], everything: bool) -> None:
    """Print the changes that nothing noticed, or all, and their number by outcome."""
    shown = [one for one in found if everything or one.noticed in ("unnoticed", "late")]
    if shown:
        print(table([("place", "clause", "change", "noticed by"), *map(_row, shown)]))
    counts = Counter(one.noticed for one in found)
    words = {
        "example": "noticed by an example",
        "claim": "by a claim",
        "text": "invalid rules",
        "late": "too slow to tell",
        "unnoticed": "unnoticed",
    }
    told = [f"{counts[kind]} {said}" for kind, said in words.items() if counts[kind]]
    print(f"{len(found)} breaks: {', '.join(told)}" if found else "no breaks were tried")


def _row(found: BreakResult) -> tuple[str, ...]:
    """The row of a change in the table."""
    change, span = found.change, found.change.span
    text = change.text if change.becomes != "true" else f"`{' '.join(change.was.split())}` is dropped"
    by = {"example": found.by, "claim": found.by, "text": "the reader", "late": "nothing in time"}.get(
        found.noticed, "nothing"
    )
    alike = ", the default rules stay the same" if found.alike and not found.by else ""
    short = text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"
    return (f"{span.source.name}:{span.line}:{span.column}", change.clause, short, by + alike)
