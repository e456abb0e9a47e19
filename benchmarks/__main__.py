"""`python -m benchmarks`: measure, print the tables, write the page of the docs if that is asked for.

`python -m benchmarks frozen`, `python -m benchmarks claims` and `python -m benchmarks reprove` compare with
what was frozen, `python -m benchmarks procedures` leaves procedures of the solver out, `python -m benchmarks
strangers` decides the claims of games that others wrote, and `python -m benchmarks tokens` counts how long
rules are: see their `--help`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from rulespec.core.storage.atomic_files import write_text

from . import (
    api,
    best_play,
    certificates,
    commands,
    counting,
    editing,
    exploring,
    first_game,
    games,
    installing,
    interpreter,
    passes,
    procedures,
    proofs,
    puzzles,
    report,
    sizes,
    spreading,
    strangers,
    tokens,
)
from .frozen import claims as frozen_claims
from .frozen import reproving
from .frozen import verdicts as frozen_verdicts
from .limits import best_play as limit_of_best_play
from .limits import random_games as limit_of_random_games

PAGE = (
    "# Benchmarks\n\nWritten by `make bench`, or table by table by `python -m benchmarks WHAT --write "
    "FILE`. Each table was measured in one run, on the machine that is named above it.\n"
)


COMPARISONS: Mapping[str, Callable[[list[str]], int]] = {
    "frozen": frozen_verdicts.main,
    "claims": frozen_claims.main,
    "reprove": reproving.main,
    "procedures": procedures.main,
    "strangers": strangers.main,
    "tokens": tokens.main,
}
"""Commands with arguments of their own, by their first word."""


def measurements(tiny: bool) -> dict[str, Callable[[], Iterable[report.Table]]]:
    """What can be measured, by name; `tiny` is just enough to see that it runs."""
    return {
        "commands": lambda: [commands.measure(1 if tiny else 7)],
        "interpreter": lambda: [interpreter.measure(0.01 if tiny else 1.0)],
        "games": lambda: games.measure(0.01, ("tic-tac-toe",)) if tiny else games.measure(1.0),
        "api": lambda: api.measure(*((0.01, ("tic-tac-toe",)) if tiny else (1.0,))),
        "limits": lambda: limits(tiny),
        "sizes": lambda: sizes.measure(*((0.01, (0,)) if tiny else (0.3,))),
        "first-game": lambda: first_game.measure(*((("pig-small",),) if tiny else ())),
        "editing": lambda: editing.measure(("tic-tac-toe",), 1) if tiny else editing.measure(),
        "install": installing.measure,
        "counting": lambda: counting.measure(4, ("tic-tac-toe",)) if tiny else counting.measure(),
        "exploration": lambda: exploring.measure(0.01, ("tic-tac-toe",)) if tiny else exploring.measure(3.0),
        "best-play": lambda: best_play.measure(*((("kalah-small",),) if tiny else ())),
        "puzzles": lambda: [puzzles.measure(1, 5, puzzles.PUZZLES[1:2]) if tiny else puzzles.measure(24, 25)],
        "certificates": lambda: certificates.measure(*((certificates.CLAIMS[:1],) if tiny else ())),
        "parts": lambda: spreading.measure(tiny),
        "processes": lambda: spreading.measure_speed(tiny),
        "passes": lambda: (
            passes.measure(("tic-tac-toe",), (), {"inlining": passes.PASSES["inlining"]}, 1)
            if tiny
            else passes.measure()
        ),
        "proofs": lambda: proofs.measure(proofs.TINY if tiny else proofs.Limits()),
    }


def limits(tiny: bool) -> Iterator[report.Table]:
    """Random games and best play beside hand-written C++."""
    if tiny:
        yield from limit_of_random_games.measure(0.01, ("tic-tac-toe", "sacred-alignment"), 1)
        yield from limit_of_best_play.measure(limit_of_best_play.TINY, 1)
    else:
        yield from limit_of_random_games.measure(1.0)
        yield from limit_of_best_play.measure()


def main(argv: list[str] | None = None) -> int:
    """Measure what is named; 0 when everything ran. A comparison gives the exit status of its own."""
    given = sys.argv[1:] if argv is None else argv
    if given and given[0] in COMPARISONS:
        return COMPARISONS[given[0]](given[1:])
    known = measurements(tiny=False)
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("what", nargs="*", metavar="WHAT", help=f"of {', '.join(known)} (default: all)")
    parser.add_argument("--tiny", action="store_true", help="one short run of each, to see that it works")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables as a page")
    arguments = parser.parse_args(given)
    wrong = [name for name in arguments.what if name not in known]
    if wrong:
        parser.error(f"there is no measurement `{wrong[0]}`; there are {', '.join(known)}")
    head = report.machine()
    print(head, flush=True)
    measured: dict[str, str] = {}
    for name, measure in measurements(arguments.tiny).items():
        if arguments.what and name not in arguments.what:
            continue
        for table in measure():
            print(f"\n{table.text()}", flush=True)
            measured[table.title] = table.markdown(head)
            if arguments.write:
                write_tables(arguments.write, measured)
    return 0


def write_tables(path: Path, measured: Mapping[str, str]) -> None:
    """Put the tables on the page, each in place of the one of its title."""
    text = path.read_text("utf-8") if path.is_file() else ""
    kept = [part.rstrip() for part in text.split("\n## ")[1:]]
    sections = {part.partition("\n")[0]: f"## {part}" for part in kept}
    sections |= {title: section.rstrip() for title, section in measured.items()}
    write_text(path, "\n\n".join([PAGE.rstrip(), *sections.values()]) + "\n")


if __name__ == "__main__":
    sys.exit(main())
