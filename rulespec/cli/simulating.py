"""simulate: many games, and what they show."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..budgets import OutOfBudget, watchdog
from ..budgets.watchdog import TooSlow
from ..code import TooLarge
from ..core.game import Game as Core
from ..core.numbers import whole_number
from ..core.storage.atomic_files import write_text
from ..play.face import Game, load
from ..simulation.figures import compare_figures, figures, games_in_words
from ..simulation.policies import BadPolicy, policies_of_players
from ..simulation.result import Simulation
from ..simulation.result_file import DatabaseError
from ..simulation.run import play_again
from ..simulation.run import simulate as simulated
from .loading import with_question_limit
from .output import Progress, fill, print_json, slowly, table
from .status import FAILED, HELD, UNDECIDED, WRONG, Usage, check_outputs, executor, seed_of, settings

SHARE = 0.4
"""The share of the time of a comparison in which the games of each ruleset are played."""


@watchdog.watch()
def simulate(arguments: argparse.Namespace) -> int:
    """Play many games and print their statistics; the status is 1 if a game ends in a fault of the rules."""
    if arguments.database and arguments.no_store:
        raise Usage("--database stores the games, --no-store does not: use only one")
    records = [_number_and_file(text, arguments.games) for text in arguments.record]
    check_outputs(arguments.plot, *(file for _, file in records))
    game = with_question_limit(load(arguments.name, **settings(arguments)))
    notes = list[str]()
    found = _simulation(
        game,
        arguments,
        seed_of(arguments, True),
        limit=arguments.plies,
        jobs=arguments.jobs,
        executor=executor(arguments),
        database=arguments.database or not arguments.no_store,
        timeout=arguments.timeout,
        note=notes.append,
    )
    if isinstance(found, int):
        return found
    slowly(notes)
    for number, file in records:
        write_text(Path(file), play_again(game, found, number).record().to_json())
    if arguments.plot:
        write_text(Path(arguments.plot), found.plot())
    if arguments.json:
        print_json(found.to_data())
    else:
        print(summary_text(found))
    return FAILED if "fault" in found.ends else HELD


def simulate_both(arguments: argparse.Namespace, games: tuple[Core, Core], data: dict[str, Any]) -> int:
    """Play games of two rulesets and print their statistics side by side, or as JSON with `data`."""
    names, seed = (arguments.name, arguments.other or arguments.name), seed_of(arguments, True)
    found = list[Simulation]()
    for core, name in zip(games, names, strict=True):
        game = with_question_limit(Game(core, name))
        one = _simulation(game, arguments, seed, timeout=arguments.timeout * SHARE)
        if isinstance(one, int):
            return one
        found.append(one)
    before, after = found
    if arguments.json:
        print_json({**data, "simulations": [one.to_data() for one in found]})
    else:
        print(f"\n{_comparison_text(before, after)}")
    return FAILED if "fault" in {*before.ends, *after.ends} else HELD


def _comparison_text(before: Simulation, after: Simulation) -> str:
    """The numbers of two simulations side by side."""
    titles = before.title, after.title if after.title != before.title else "with these settings"
    rows: list[tuple[str, ...]] = [("", titles[0], "95% interval", titles[1], "95% interval", "")]
    for one in compare_figures(before, after):
        cells = [cell for f in (one.before, one.after) for cell in ((f.value, f.interval) if f else ("", ""))]
        rows.append((one.name, *cells, one.direction))
    notes = [f"note: {found.title}: {note}" for found in (before, after) for note in found.notes]
    return "\n".join(
        [fill(f"{games_in_words(before, after)}, seed {before.seed}"), "", table(rows), *map(fill, notes)]
    )


def _simulation(game: Game, arguments: argparse.Namespace, seed: str, **options: Any) -> Simulation | int:
    """The statistics of a game; an exit status if there are none. Raises Usage for an impossible request."""
    teller = Teller("games")
    try:
        policies_of_players(game.players, arguments.policy)
        return simulated(
            game,
            arguments.games,
            policy=arguments.policy,
            seed=seed,
            memory=arguments.memory,
            progress=teller,
            **options,
        )
    except BadPolicy as error:
        raise Usage(f"--policy: {error}") from None
    except DatabaseError as error:
        raise Usage(str(error)) from None
    except TooLarge as error:
        raise Usage(f"`{game.id}` cannot be simulated: {error}") from None
    except OutOfBudget as out:
        print(f"no game of `{game.id}` was played to its end within {out}", file=sys.stderr)
        return WRONG if isinstance(out, TooSlow) else UNDECIDED
    finally:
        teller.clear()


class Teller:
    """Shows the progress of a run; earlier results are excluded from the estimate of the remaining time."""

    def __init__(self, unit: str) -> None:
        """`unit` is the counted unit of work, such as games."""
        self._unit = unit
        self._progress = Progress()
        self._there: int | None = None
        self._last = 0, 0, ""

    @property
    def last_words(self) -> str:
        """The last words about the work."""
        return self._last[-1]

    def tell_stored(self) -> None:
        """Say how much of the work is stored, and how to go on."""
        self.clear()
        done, total, _ = self._last
        print(f"{done:,} of {total:,} {self._unit} are stored; the same command goes on.", file=sys.stderr)

    def __call__(self, done: int, total: int, words: str) -> None:
        self._last = done, total, words
        if self._there is None:
            self._there = done
        self._progress.total, self._progress.done = total - self._there, done - self._there
        self._progress(f"{words}{', ' if words else ''}{done:,} of {total:,} {self._unit}")

    def clear(self) -> None:
        """Erase the line."""
        self._progress.clear()


def _number_and_file(text: str, games: int) -> tuple[int, str]:
    """The value of --record: the number of a game, and a file."""
    number, sign, file = text.partition("=")
    game = whole_number(number)
    if not sign or not file or game is None or game >= games:
        raise Usage(f"`--record {text}` is not of the form NUMBER=FILE, with a number from 0 to {games - 1}")
    return game, file


def summary_text(found: Simulation) -> str:
    """The results of a simulation, in words and columns."""
    games = "1 game" if found.games == 1 else f"{found.games:,} games"
    lines = [fill(f"{found.title}: {games}, {found.who}, seed {found.seed}"), ""]
    rows = [(f.name, f.value, f.interval, f.aside) for f in figures(found)]
    lines.append(table([("", "", "95% interval", ""), *rows]))
    if found.shortest is not None:
        words = f"game {found.shortest.game:,} is the shortest, game {found.longest.game:,} the longest"
        lines += ["", words + ", counted from 0"]
    lines += ["", *(fill(f"note: {note}") for note in found.notes)] if found.notes else []
    return "\n".join(lines)
