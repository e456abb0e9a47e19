"""Batches of games: by generated code if everybody plays at random, else at tables.

Game number n of a run depends on the seed and n alone, so batches may be played in any order, anywhere.
"""

from __future__ import annotations

import struct
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Protocol

from ..code import Runner, TooLarge, write
from ..kernels import kit
from ..play.face import Game, State
from ..play.position import STUCK, Move
from ..play.replayed_chance import ReplayedChance, in_order
from ..players.table import Hall, Table
from .batches import FAULTED, STOPPED, Batches
from .policies import RANDOM, players_for

LIMIT, FAULT = "limit", "fault"
"""The ends of a game that reached the limit of plies, and of one that stored a value out of range."""


@dataclass(frozen=True)
class Outcomes:
    """The results of games, as columns. Equal games of a batch share a row."""

    games: Sequence[int]
    """The number of equal games."""
    example: Sequence[int]
    """The number of the first of them."""
    plies: Sequence[int]
    ended: Sequence[str]
    """The id of an end, `stuck`, `limit` or `fault`."""
    winners: Sequence[str]
    """The players who won, separated by blanks; empty for a draw and an unfinished game."""
    scores: Sequence[Sequence[int | None]]
    """For each player, in a game with scores: the score if the game was finished."""
    actions: Sequence[Sequence[int]]
    """For each action the number of its uses."""

    @classmethod
    def of_rows(cls, rows: Iterable[Sequence[Any]], scores: int, actions: int) -> Outcomes:
        """Outcomes from rows with the columns in this order, including `scores` and `actions` columns."""
        none: list[tuple[Any, ...]] = [()] * (len(PLAIN) + scores + actions)
        games, example, plies, ended, winners, *others = [*zip(*rows, strict=True)] or none
        return cls(games, example, plies, ended, winners, others[:scores], others[scores:])

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows, with the columns in this order."""
        plain = (self.games, self.example, self.plies, self.ended, self.winners)
        return zip(*plain, *self.scores, *self.actions, strict=True)


PLAIN = ("games", "example", "plies", "ended", "winners")
"""The columns that occur once."""


@dataclass(frozen=True)
class Batch:
    """Consecutive games from a number on, their results, and the seconds they took."""

    first: int
    games: int
    seconds: float
    outcomes: Outcomes


class Games(Protocol):
    """The games of one run, to be played in batches."""

    @property
    def why(self) -> str:
        """The reason why the machine does not run them, as a clause; empty if it does."""
        ...

    def batch(self, first: int, games: int) -> Batch:
        """Play the games from a number on."""
        ...

    def play(self, number: int) -> State:
        """Replay the game of a number; returns its final state."""
        ...


class ByCode:
    """Random games, played by generated code."""

    def __init__(self, game: Game, seed: str, most: int) -> None:
        """Write the code. Raises TooLarge if the game has none, or there is no machine."""
        self.game, self.seed, self.most = game, seed, most
        self._runner = Runner(write(game.core))
        self._batches = Batches(game, self._runner, seed)
        self.why = ""

    def play(self, number: int) -> State:
        """Replay the game of a number; returns its final state."""
        return play_again(self.game, self._runner, self._batches.base, number, self.most)

    def batch(self, first: int, games: int) -> Batch:
        """Play `games` games, numbered from `first`."""
        began = time.perf_counter()
        rows = self._batches.play(first, games, self.most)
        outcomes = self._outcomes(rows, first)
        return Batch(first, games, time.perf_counter() - began, outcomes)

    def _outcomes(self, rows: Any, first: int) -> Outcomes:
        """The outcomes of games in rows, equal ones counted together."""
        row = self._batches.row
        form = struct.Struct(f"={row.width}q")
        each = _texts(rows, form.size)
        alike = Counter(each)
        last = first + len(each) - 1
        numbers = dict(zip(reversed(each), range(last, first - 1, -1), strict=True))
        plies, ended, won, *others = zip(*form.iter_unpack(b"".join(alike)), strict=True)
        scores = others[row.actions :]
        if STOPPED in ended or FAULTED in ended:
            judged = [end not in (STOPPED, FAULTED) for end in ended]
            pairs = (zip(column, judged, strict=True) for column in scores)
            scores = [tuple(x if yes else None for x, yes in pair) for pair in pairs]
        return Outcomes(
            [*alike.values()], [numbers[one] for one in alike], plies,
            [self._ends[end] for end in ended], [*map(self._winners, won)], scores, others[: row.actions],
        )  # fmt: skip

    @cached_property
    def _ends(self) -> dict[int, str]:
        ends = {STOPPED: LIMIT, FAULTED: FAULT}
        return ends | dict(enumerate([*(end.id for end in self.game.core.ends), STUCK], 1))

    @cached_property
    def _winners(self) -> Callable[[int], str]:
        numbered = [*zip(self.game.core.player.values, self.game.players, strict=True)]
        return cache(lambda bits: " ".join(str(name) for number, name in numbered if bits >> number & 1))


def play_again(game: Game, runner: Runner, base: int, number: int, most: int) -> State:
    """Replay the game of a number with the interpreter, with chance as in `batches`, for at most `most`
    plies."""
    source = [kit.mix(base ^ kit.mix(number)) | kit.ONE]
    picks: dict[int, list[int]] = {}

    def answer(draw: int) -> Any:
        taken = picks.setdefault(draw, [])

        def pick(n: int) -> int:
            taken.append(kit.choose(source, n))
            return taken[-1]

        return pick

    chance = ReplayedChance(lambda draw: in_order(picks.get(draw, ())))
    node = runner.start(answer)
    first = game.machine.start(chance)
    state = State(game, first.position, chance, first.outcomes)
    while node.legal > 0 and len(state.plays) < most:
        index = kit.choose(source, node.legal)
        move = Move(*[*runner.moves(node)][index])
        node = runner.play(node, index, answer)
        state = state.play(move)
    return state


def _texts(rows: Any, size: int) -> list[bytes]:
    """Each row as bytes of equal size."""
    data = rows.tobytes()
    return [data[i : i + size] for i in range(0, len(data), size)]


@dataclass
class AtTables:
    """Plays games by players with the knowledge of their seats."""

    game: Game
    seed: str
    most: int
    policies: Sequence[str]
    without: str = ""
    """The reason why they are not played by code, as a clause; empty if they do not need a reason."""

    @cached_property
    def _hall(self) -> Hall:
        return Hall(self.game)

    @property
    def why(self) -> str:
        """See `Games`."""
        return self.without or self._hall.why

    def batch(self, first: int, games: int) -> Batch:
        """Play `games` games, numbered from `first`."""
        began = time.perf_counter()
        alike: dict[tuple[Any, ...], list[int]] = {}
        for number in range(first, first + games):
            alike.setdefault(self._became(self.play(number)), []).append(number)
        rows = ((len(numbers), numbers[0], *row) for row, numbers in alike.items())
        core = self.game.core
        scores = len(self.game.players) if core.outcome.score is not None else 0
        outcomes = Outcomes.of_rows(rows, scores, len(core.actions))
        return Batch(first, games, time.perf_counter() - began, outcomes)

    def play(self, number: int) -> State:
        """Play the game with a number; returns its final state."""
        seed = f"{self.seed}/{number}"
        players = players_for(self.game.players, self.policies, seed)
        table = Table([self.game.start(seed=seed)], self._hall)
        while not table.state.is_over and len(table.states) <= self.most:
            table.play(players[table.state.to_move].choose(table.view()))
        return table.state

    def _became(self, end: State) -> tuple[Any, ...]:
        """The result of a game as values for the columns after `example`."""
        core, seats = self.game.core, self.game.players
        taken = Counter(action.id for action in end.plays)
        ended = end.ended_by or LIMIT
        judged = ended not in (LIMIT, FAULT)
        winners = " ".join(map(str, end.winners)) if judged else ""
        scores = [end.scores[seat] if judged else None for seat in seats if core.outcome.score is not None]
        return (len(end.plays), ended, winners, *scores, *(taken[action] for action in core.actions))


def games_of(game: Game, policies: Sequence[str], seed: str, most: int) -> Games:
    """The games of a simulation: by code if all players play at random and the game has code."""
    without = ""
    if set(policies) == {RANDOM}:
        try:
            return ByCode(game, seed, most)
        except TooLarge as error:
            without = str(error)
    return AtTables(game, seed, most, policies, without)
