"""generate: puzzles by criterion, with their answers and evidence."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..core.storage.atomic_files import write_text
from ..play.records.puzzles import Puzzles
from ..simulation.result_file import DatabaseError
from .loading import limits
from .output import print_json, table
from .simulating import Teller
from .status import HELD, UNDECIDED, Usage, check_outputs, settings

SHOWN = ("value", "length", "work")
"""The measures that are listed first."""


def generate(arguments: argparse.Namespace) -> int:
    """Make puzzles; the status is 3 if there are fewer than requested."""
    from rulespec.solver.claims import NoPuzzle
    from rulespec.solver.surveys import Want
    from rulespec.solver.surveys import generate as generated

    check_outputs(arguments.output)
    teller = Teller("puzzles")
    try:
        found = generated(
            arguments.name,
            arguments.number,
            [Want.parse(text) for text in arguments.want],
            arguments.goal,
            **limits(arguments),
            first=arguments.seed,
            most=arguments.most,
            jobs=arguments.jobs,
            progress=teller,
            **settings(arguments),
        )
    except (NoPuzzle, DatabaseError, ValueError) as error:
        raise Usage(str(error)) from None
    except KeyboardInterrupt:
        print("\nThe answers so far are stored; the same command goes on.", file=sys.stderr)
        raise
    finally:
        teller.clear()
    if arguments.output:
        write_text(Path(arguments.output), found.to_json())
    if arguments.json:
        measured = [{"seed": d.seed, "measures": {**d.measures}} for d in found.deals]
        print_json({"claim": found.claim, "deals": measured})
    else:
        print(summary_text(found, teller.last_words))
    return HELD if len(found.deals) == arguments.number else UNDECIDED


def summary_text(found: Puzzles, asked: str) -> str:
    """The puzzles with their measures, in columns; if there are none, how many deals were asked."""
    names = [*SHOWN, *dict.fromkeys(name for d in found.deals for name in d.measures if name not in SHOWN)]
    names = [name for name in names if any(name in d.measures for d in found.deals) and name != "solvable"]
    rows = [
        (str(number), f"seed {deal.seed}", *(str(deal.measures.get(name, "")) for name in names))
        for number, deal in enumerate(found.deals, 1)
    ]
    return table([("", "", *names), *rows]) if rows else f"no deal met the criteria: {asked}"
