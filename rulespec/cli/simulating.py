"""simulate: many games, and what they show."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from ..budgets import OutOfBudget, watchdog
from ..budgets.watchdog import TooSlow
from ..code import TooLarge
from ..core.intervals import Estimate, Measure, Share
from ..core.numbers import whole_number
from ..core.storage.atomic_files import write_text
from ..play.face import load
from ..simulation.policies import BadPolicy, policies_of_players
from ..simulation.result import Simulation
from ..simulation.result_file import DatabaseError
from ..simulation.run import play_again
from ..simulation.run import simulate as simulated
from .loading import with_question_limit
from .output import Progress, fill, print_json, slowly, table
from .status import FAILED, HELD, UNDECIDED, WRONG, Usage, check_outputs, executor, seed_of, settings


@watchdog.watch()
def simulate(arguments: argparse.Namespace) -> int:
    """Play many games and print their statistics; fails if one of them ends in a fault of the rules."""
    if arguments.database and arguments.no_store:
        raise Usage("--database says where games are kept, --no-store that they are not: leave one away")
    records = [_number_and_file(text, arguments.games) for text in arguments.record]
    check_outputs(arguments.plot, *(file for _, file in records))
    game = with_question_limit(load(arguments.name, **settings(arguments)))
    teller, notes = Teller("games"), list[str]()
    try:
        policies_of_players(game.players, arguments.policy)
        found = simulated(
            game,
            arguments.games,
            policy=arguments.policy,
            seed=seed_of(arguments, True),
            limit=arguments.plies,
            jobs=arguments.jobs,
            executor=executor(arguments),
            database=arguments.database or not arguments.no_store,
            timeout=arguments.timeout,
            memory=arguments.memory,
            progress=teller,
            note=notes.append,
        )
    except BadPolicy as error:
        raise Usage(f"--policy {error}") from None
    except DatabaseError as error:
        raise Usage(str(error)) from None
    except TooLarge as error:
        raise Usage(f"`{game.id}` cannot be simulated: {error}") from None
    except OutOfBudget as out:
        print(f"no game of `{game.id}` was played to its end within {out}", file=sys.stderr)
        return WRONG if isinstance(out, TooSlow) else UNDECIDED
    finally:
        teller.clear()
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


class Teller:
    """Shows the progress of a run; earlier results are excluded from the estimate of the remaining time."""

    def __init__(self, unit: str) -> None:
        """`unit` is the counted unit of work, such as games."""
        self._unit = unit
        self._progress = Progress()
        self._there: int | None = None

    def __call__(self, done: int, total: int, words: str) -> None:
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
    lines.append(table([("", "", "95% interval", ""), *_rows(found)]))
    if found.shortest is not None:
        words = f"game {found.shortest.game:,} is the shortest, game {found.longest.game:,} the longest"
        lines += ["", words + ", counted from 0"]
    lines += ["", *(fill(f"note: {note}") for note in found.notes)] if found.notes else []
    return "\n".join(lines)


def _rows(found: Simulation) -> Iterator[tuple[str, ...]]:
    yield mean_row("actions in a game", found.plies)
    yield ("", *_estimate(found.plies.spread), "standard deviation")
    for q, value in found.plies.quantiles.items():
        yield ("", f"{value.value:,.0f}", between(value, 0), f"{q:.0%} of games have at most this many")
    several = len(found.players) > 1
    for player, won in found.wins.items():
        yield _share(f"won by {player}" if several else "won", won)
    if several:
        yield _share("won by nobody", found.draws)
    if found.shared.count:
        yield _share("won by several", found.shared)
    for end, ended in found.ends.items():
        yield _share(f"ended by {end}", ended)
    for player, score in found.scores.items():
        yield mean_row(f"score of {player}" if several else "score", score)
    for action, use in found.actions.items():
        name, mean, spread, _ = mean_row(action, use.per_game)
        yield (name, mean, spread, f"in a game; taken in {percent(use.taken_in.value)} of games")


def mean_row(name: str, m: Measure) -> tuple[str, str, str, str]:
    """A row for a mean: its name, value, interval, and the range of values."""
    value, spread = _estimate(m.mean)
    return (name, value, spread, f"on average, {m.least:,} to {m.most:,}")


def _estimate(e: Estimate) -> tuple[str, str]:
    return f"{e.value:,.2f}", between(e, 2)


def between(e: Estimate, digits: int) -> str:
    """An interval in words."""
    if e.low is None or e.high is None:
        return "not known"
    return f"{e.low:,.{digits}f} to {e.high:,.{digits}f}"


def _share(name: str, s: Share) -> tuple[str, str, str, str]:
    return (
        name,
        percent(s.value),
        f"{percent(s.low)} to {percent(s.high)}",
        "1 game" if s.count == 1 else f"{s.count:,} games",
    )


def percent(share: float) -> str:
    """A share in words."""
    return f"{share:.2%}"
