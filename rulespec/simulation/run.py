"""A whole run: stored games are reused, missing ones are played on every core, and one process writes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Any

from ..budgets import Budget, ChildDied, Listener, OutOfBudget, Worker, cores, ignore
from ..core.meter import PerQuestion
from ..executors import Executor, PartFailed, Processes, Rules
from ..play.face import Game, State, load
from .database import Database, Stretch
from .playing import Batch, games_of
from .policies import policies_of_players
from .result import Simulation, summary
from .result_file import default_path
from .tally import Tally
from .task import GamesTask

LIMIT = 10_000
"""The default number of plies after which a game is abandoned."""
MOST_GAMES = 50_000
"""Maximum number of games in a batch, so that memory stays small."""
TRIAL = 0.1
"""Seconds of play after which the speed is known."""
ALONE = 1.0
"""Work of fewer seconds is not worth parallel processes."""

Progress = Callable[[int, int, str], None]
"""Called with the number of finished games, the total, and words for other work."""


def silent(done: int, games: int, words: str) -> None:
    """Ignore progress."""


Note = Callable[[str], None]
"""Called with the reason, as a clause, why slow games were played without the machine."""
NOTED = 5.0
"""Seconds of play after which that reason is reported."""


def play_again(game: Game, found: Simulation, number: int) -> State:
    """Replay one of the games of a simulation; returns its final state with its history.

    `game` is the game that was simulated. Raises ValueError if the number is none of its games.
    """
    if not 0 <= number < found.games or game.core.digest != found.digest:
        raise ValueError(f"there is no game {number}; they are numbered from 0 to {found.games - 1}")
    return games_of(game, found.policies, found.seed, found.limit).play(number)


@dataclass(frozen=True)
class SimulateOptions:
    """The options of `simulate`.

    Attributes:
        players, parameters, readings: the setting, if the game is given by its name or path.
        policy: `random` (the default), `greedy` or `search:PLAYS`, for one player `PLAYER=POLICY`; several as
            a list.
        seed: fixes the games, whatever `jobs`; drawn if None.
        limit: the plies after which a game is abandoned.
        jobs: the number of processes; by default one for each core.
        executor: replaces these processes for work longer than a second.
        database: the file that stores the games: True for one in the user's cache folder, False for none.
            Games that it holds are not played again.
        timeout: seconds for the call; None for no limit. The result covers the games played within it.
        memory: megabytes for this process and its children together.
    """

    players: int | None = None
    parameters: Mapping[str, Any] | None = None
    readings: Mapping[str, str] | None = None
    policy: str | Iterable[str] = ()
    seed: int | str | None = None
    limit: int = LIMIT
    jobs: int | None = None
    executor: Executor | None = None
    database: str | Path | bool = True
    timeout: float | None = None
    memory: int = 4_000

    def game(self, game: Game | str) -> Game:
        """The game under this setting. Raises ValueError if a loaded game would need another one."""
        if not isinstance(game, Game):
            return load(game, self.players, self.parameters, self.readings)
        if self.players is not None or self.parameters or self.readings:
            raise ValueError("a game that was loaded has its settings already")
        return game


def simulate(
    game: Game | str, games: int = 1_000, *, progress: Progress = silent, note: Note = ignore, **fields: Any
) -> Simulation:
    """Play the first `games` games of a seed, and return their statistics.

    Args:
        game: a loaded game, or the name or path of a ruleset.
        games: the number of games.
        progress: receives the number of finished games, the total, and words about other work.
        note: receives the reason if slow games were played without the machine.
        fields: those of `SimulateOptions`.

    Raises:
        RulesetError: the ruleset is faulty.
        BadPolicy: a policy or player is unknown.
        DatabaseError: the file holds something else.
        ValueError: a number is not above 0.
        OutOfBudget: not a single game was played.
        PartFailed: games were lost again and again.
        The errors of the executor.

    Example:
        >>> simulate("tic-tac-toe", 100, seed=1, database=False).games
        100
    """
    options = SimulateOptions(**fields)
    if min(games, options.limit, 1 if options.jobs is None else options.jobs) < 1:
        raise ValueError("games, limit and jobs are numbers above 0")
    game = options.game(game)
    named = [options.policy] if isinstance(options.policy, str) else options.policy
    policies = policies_of_players(game.players, named)
    seed = str(secrets.randbelow(10**9) if options.seed is None else options.seed)
    scored = game.players if game.core.outcome.score is not None else ()
    tally = Tally(len(scored), len(game.core.actions))
    budget = Budget(inf if options.timeout is None else options.timeout, options.memory)
    meter = game.machine.meter
    steps = meter.most if isinstance(meter, PerQuestion) else None
    rules = Rules.of(game.core, game.name)
    task = GamesTask(rules, policies, seed, options.limit, steps, options.memory, game)
    run = _Run(task, tally, games, options.executor or Processes(options.jobs or cores()), progress)
    if options.database is False:
        run.play([Stretch(0, games)], budget)
    else:
        subject = {
            "ruleset": game.id, "digest": game.core.digest, "policies": [*policies], "seed": seed,
            "limit": options.limit,
        }  # fmt: skip
        default = options.database is True
        path = (
            default_path("simulations", Database.format, subject) if default else Path(str(options.database))
        )
        with Database(path, subject, scored, [*game.core.actions]) as kept:
            batches, missing = kept.covering_batches(games)
            for outcomes in kept.outcomes(batches) if batches else ():
                tally.add(outcomes)
            run.database = kept
            run.play(missing, budget)
    if run.worked > NOTED and run.why:
        note(run.why)
    if run.stopped is not None and not tally.games:
        raise run.stopped
    found = summary(game, policies, seed, options.limit, tally)
    return found if run.stopped is None else replace(found, notes=(*found.notes, _left_out(games, run)))


def _left_out(games: int, run: _Run) -> str:
    """The note that not all games were played."""
    were = "was" if run.tally.games == 1 else "were"
    played = f"Only {run.tally.games:,} of {games:,} games {were} played within {run.stopped}"
    return f"{played}; games that take long may be among the others."


@dataclass
class _Run:
    task: GamesTask
    tally: Tally
    games: int
    executor: Executor
    progress: Progress
    database: Database | None = None
    spent: float = field(default=0.0, init=False)
    played: int = field(default=0, init=False)
    worked: float = field(default=0.0, init=False)
    """Seconds of play in all processes together."""
    why: str = field(default="", init=False)
    """The reason why the machine did not run the games, as a clause; empty if it did."""
    stopped: OutOfBudget | None = field(default=None, init=False)
    """The limit that ended the run; None if all games were played."""
    _send: Listener = field(default=ignore, init=False)

    def play(self, missing: Sequence[Stretch], budget: Budget) -> None:
        """Play the missing games in a worker within the budget."""
        self.progress(self.tally.games, self.games, "")
        if not missing:
            return
        self.task.prepare()
        try:
            with Worker[Sequence[Stretch], str](self._play) as worker:
                self.why = worker.ask(missing, budget, self._receive)
        except OutOfBudget as out:
            self.stopped = out
        except ChildDied as died:
            self.stopped = OutOfBudget(f"the memory that there is ({died})")

    def _receive(self, message: str | Batch) -> None:
        """Show a message of the worker, or store and count a batch of games."""
        if isinstance(message, str):
            self.progress(self.tally.games, self.games, message)
            return
        if self.database is not None:
            self.database.put(message)
        self.tally.add(message.outcomes)
        self.worked += message.seconds
        self.progress(self.tally.games, self.games, "")

    # ---- in the worker

    def _play(self, missing: Sequence[Stretch], send: Listener) -> str:
        """Play the missing games and send each batch; returns `why`. Raises PartFailed."""
        self._send = send
        waiting = _Waiting(missing)
        self._try_out(waiting)
        stretches = waiting.stretches(self._size)
        if self._seconds_left(waiting) < ALONE:
            for stretch in stretches:
                self._take(self.task.perform(stretch))
        else:
            for stretch, batch in self.executor.results(self.task, stretches):
                if isinstance(batch, ChildDied):
                    raise PartFailed(f"the games from {stretch.first} on were lost: {batch}")
                if isinstance(batch, OutOfBudget):
                    raise batch
                self._take(batch)
        return self.task.source.why

    def _try_out(self, waiting: _Waiting) -> None:
        """Play batches of growing size until one takes long enough to measure the speed."""
        size = 1
        while waiting.left and self.spent < TRIAL:
            self._take(self.task.perform(waiting.next(size)))
            size = min(size * 4, MOST_GAMES)

    def _seconds_left(self, waiting: _Waiting) -> float:
        """Estimated seconds for the rest in one process."""
        return waiting.left * self.spent / max(self.played, 1)

    def _size(self) -> int:
        """The number of games of the next batch."""
        return max(1, min(MOST_GAMES, int(self.executor.part_seconds * self.played / max(self.spent, 1e-9))))

    def _take(self, batch: Batch) -> None:
        self.spent += batch.seconds
        self.played += batch.games
        self._send(batch)


class _Waiting:
    """Stretches of games that have not been begun."""

    def __init__(self, missing: Sequence[Stretch]) -> None:
        self._missing = list(reversed(missing))
        self.left = sum(stretch.games for stretch in missing)

    def next(self, games: int) -> Stretch:
        """The next stretch of at most `games` games; there must be one."""
        stretch = self._missing.pop()
        taken = min(games, stretch.games)
        if taken < stretch.games:
            self._missing.append(Stretch(stretch.first + taken, stretch.games - taken))
        self.left -= taken
        return Stretch(stretch.first, taken)

    def stretches(self, size: Callable[[], int]) -> Iterator[Stretch]:
        """All remaining stretches, with the size current at each step."""
        while self.left:
            yield self.next(size())
