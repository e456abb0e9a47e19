"""A whole run: what is there is taken, what is missing is played on every core, and one process writes."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import secrets
import signal
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing.connection import wait as watched
from pathlib import Path
from typing import Any

from ..code.compiling import folder
from ..play.face import Game, load
from .database import FORMAT, Database, Stretch
from .playing import Batch, Games, games_of
from .policies import seated
from .result import Simulation, summary
from .tally import Tally

LIMIT = 10_000
"""After so many plies a game is given up, if nothing else is said."""
SECONDS = 0.25
"""A batch takes about so long: what a kill costs at most, and how often there is news."""
MOST_GAMES = 50_000
"""A batch has at most so many games, so that memory stays small."""
ALONE = 1.0
"""Work of fewer seconds is not worth processes of its own."""

Progress = Callable[[int, int, str], None]
"""Told how many games there are, of how many, and in words what is done beside playing."""


def silent(done: int, games: int, words: str) -> None:
    """Progress that nobody watches."""


def default_path(asked: Mapping[str, object]) -> Path:
    """The file of a run in the user's cache folder, named after the game and a digest of what was asked."""
    text = json.dumps([FORMAT, asked], ensure_ascii=False, sort_keys=True)
    key = hashlib.sha256(text.encode()).hexdigest()[:16]
    return folder() / "simulations" / f"{asked['ruleset']}-{key}.sqlite"


def simulate(
    game: Game | str,
    games: int = 1_000,
    *,
    players: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    readings: Mapping[str, str] | None = None,
    policy: str | Iterable[str] = (),
    seed: int | str | None = None,
    limit: int = LIMIT,
    jobs: int | None = None,
    database: str | Path | bool = True,
    progress: Progress = silent,
) -> Simulation:
    """Play the first so many games that a seed gives, and say what became of them.

    `game` is one that was loaded, or the name or path of a ruleset, to be loaded with `players`, `parameters`
    and `readings`. `policy` is `random` (the default), `greedy` or `search:PLAYS`, for one player
    `PLAYER=POLICY`; several are given as a list. The same seed gives the same games whatever `jobs`, the
    number of processes (default: one for each core). Games are kept in a `database`: the file named, by
    default one in the user's cache folder, with False none; what it holds already is not played again.

    Raises RulesetError for a faulty ruleset, BadPolicy, DatabaseError for a file that holds something else,
    ValueError for numbers that are not above 0.
    """
    if min(games, limit, 1 if jobs is None else jobs) < 1:
        raise ValueError("games, limit and jobs are numbers above 0")
    if not isinstance(game, Game):
        game = load(game, players, parameters, readings)
    elif players is not None or parameters or readings:
        raise ValueError("a game that was loaded has its settings already")
    policies = seated(game.players, [policy] if isinstance(policy, str) else policy)
    seed = str(secrets.randbelow(10**9) if seed is None else seed)
    asked = {
        "ruleset": game.id,
        "digest": game.core.digest,
        "policies": [*policies],
        "seed": seed,
        "limit": limit,
    }
    path = default_path(asked) if database is True else Path(database) if database else None
    scored = game.players if game.core.outcome.score is not None else ()
    tally = Tally(len(scored), len(game.core.actions))
    run = _Run(games_of(game, policies, seed, limit), tally, games, jobs or _cores(), progress)
    if path is None:
        run.play([Stretch(0, games)])
    else:
        with Database(path, asked, scored, [*game.core.actions]) as kept:
            batches, missing = kept.held(games)
            for outcomes in kept.outcomes(batches) if batches else ():
                tally.add(outcomes)
            run.database = kept
            run.play(missing)
    return summary(game, policies, seed, limit, tally)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class _Run:
    source: Games
    tally: Tally
    games: int
    jobs: int
    progress: Progress
    database: Database | None = None
    spent: float = field(default=0.0, init=False)
    played: int = field(default=0, init=False)

    def play(self, missing: Sequence[Stretch]) -> None:
        """Play what is missing."""
        waiting = _Waiting(missing)
        self.progress(self.tally.games, self.games, "")
        self._try_out(waiting)
        jobs = self.jobs if "fork" in multiprocessing.get_all_start_methods() else 1
        self.progress(self.tally.games, self.games, "getting ready")
        if waiting.left and self.source.prepare(self._left(waiting) / jobs):
            self.spent, self.played = 0.0, 0
            self._try_out(waiting)
        if jobs == 1 or self._left(waiting) < ALONE:
            while waiting.left:
                self._take(self.source.batch(*waiting.next(self._size())))
        else:
            self._at_once(waiting, jobs)

    def _try_out(self, waiting: _Waiting) -> None:
        """Play batches that grow, until one takes long enough to say how fast it goes."""
        size = 1
        while waiting.left and self.spent < SECONDS:
            self._take(self.source.batch(*waiting.next(size)))
            size = min(size * 4, MOST_GAMES)

    def _left(self, waiting: _Waiting) -> float:
        """About how many seconds the rest takes in one process."""
        return waiting.left * self.spent / max(self.played, 1)

    def _size(self) -> int:
        """How many games a batch should have."""
        return max(1, min(MOST_GAMES, int(SECONDS * self.played / max(self.spent, 1e-9))))

    def _take(self, batch: Batch) -> None:
        if self.database is not None:
            self.database.put(batch)
        self.tally.add(batch.outcomes)
        self.spent += batch.seconds
        self.played += batch.games
        self.progress(self.tally.games, self.games, "")

    def _at_once(self, waiting: _Waiting, jobs: int) -> None:
        others = set(multiprocessing.active_children())
        forked = multiprocessing.get_context("fork")  # the rules, and what was compiled, are there already
        with ProcessPoolExecutor(jobs, forked, _begin, (self.source,)) as pool:
            running: set[Future[Batch]] = set()
            try:
                while waiting.left or running:
                    while waiting.left and len(running) < jobs + 1:
                        running.add(pool.submit(_batch, *waiting.next(self._size())))
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        self._take(future.result())
            except BaseException:  # an interrupt, most likely: nobody waits for games that take long
                pool.shutdown(wait=False, cancel_futures=True)
                for child in set(multiprocessing.active_children()) - others:
                    child.terminate()
                raise


class _Waiting:
    """Stretches of games that nobody has begun."""

    def __init__(self, missing: Sequence[Stretch]) -> None:
        self._missing = list(reversed(missing))
        self.left = sum(stretch.games for stretch in missing)

    def next(self, games: int) -> Stretch:
        """The next games, at most so many; there are some."""
        stretch = self._missing.pop()
        taken = min(games, stretch.games)
        if taken < stretch.games:
            self._missing.append(Stretch(stretch.first + taken, stretch.games - taken))
        self.left -= taken
        return Stretch(stretch.first, taken)


_sources: list[Games] = []
"""In a process of a pool: what it plays with."""


def _begin(source: Games) -> None:
    _sources.append(source)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is told once, by the first process
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    watched([parent.sentinel])
    os._exit(1)


def _batch(first: int, games: int) -> Batch:
    return _sources[0].batch(first, games)
