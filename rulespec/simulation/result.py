"""The results of a simulation, each number with its 95% interval, as an object, as data and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.data_forms import attributes, publish
from ..core.intervals import Measure, Share, measure, share
from ..core.sides import sides
from ..play.face import Game
from . import charts
from .playing import FAULT, LIMIT
from .policies import describe_policies
from .tally import UNFINISHED, Tally

FEW = 30
"""With fewer games than this the intervals of means are rough."""


@dataclass(frozen=True)
class Use:
    """Use of an action: the share of the games in which it was taken, and its mean uses per game."""

    taken_in: Share
    per_game: Measure


@dataclass(frozen=True)
class Extreme:
    """A game that is the shortest or the longest: its number, from 0, and its length in plies."""

    game: int
    plies: int


@dataclass(frozen=True)
class Simulation:
    """The results of games. Shares are of all games; players, ends and actions are in the order of the
    rules."""

    PUBLISHED = attributes(
        "ruleset title digest players=player_names parameters readings policies=policy_of seed games limit "
        "stopped plies wins draws shared ends scores actions shortest longest notes"
    )

    ruleset: str
    title: str
    digest: str
    players: tuple[Any, ...]
    parameters: Mapping[str, int | str | bool | tuple[Any, ...]]
    readings: Mapping[str, str]
    policies: tuple[str, ...]
    """The policy of each player: `random`, `greedy`, or `search:` with its plays for an action."""
    seed: str
    games: int
    limit: int
    """Games are abandoned after this many plies."""
    plies: Measure
    """The number of actions of a game; an abandoned one counts with the limit."""
    wins: Mapping[Any, Share]
    """For each player the share of games won, alone or together with others."""
    draws: Share
    """Finished games that nobody won."""
    shared: Share
    """Games that several sides won."""
    ends: Mapping[str, Share]
    """By the id of the end; also `stuck`, `limit` and `fault` if they occurred."""
    scores: Mapping[Any, Measure]
    """The scores of each player, over the finished games; empty for a game without scores."""
    actions: Mapping[str, Use]
    shortest: Extreme | None
    longest: Extreme
    notes: tuple[str, ...]
    """Warnings about the numbers."""

    @property
    def stopped(self) -> int:
        """Games that were abandoned after `limit` plies."""
        return self.ends[LIMIT].count if LIMIT in self.ends else 0

    @property
    def player_names(self) -> tuple[str, ...]:
        return tuple(map(str, self.players))

    @property
    def policy_of(self) -> Mapping[str, str]:
        """The policy of each player."""
        return dict(zip(self.player_names, self.policies, strict=True))

    def to_data(self) -> dict[str, Any]:
        """Plain data, as `rulespec simulate --json` prints it."""
        data: dict[str, Any] = publish(self)
        return data

    @property
    def who(self) -> str:
        """The policies of the players, in words."""
        return describe_policies(self.players, self.policies)

    def __repr__(self) -> str:
        mean = self.plies.mean.value
        return f"<Simulation of {self.ruleset}: {self.games} games, {self.who}, {mean:.1f} actions each>"

    def plot(self) -> str:
        """A picture of the results, as SVG that follows the reader's light or dark mode."""
        return charts.picture(self.title, self.games, f"{self.who}, seed {self.seed}", self._panels())

    def _panels(self) -> Iterator[charts.Panel]:
        """Yield the charts of the results."""
        yield charts.histogram(f"Actions in a game: {self.plies.mean.value:.2f} on average", self.plies)
        several = len(self.players) > 1
        wins = {f"player {p}" if several else "won": won for p, won in self.wins.items()}
        yield charts.bars("Games won", wins | ({"nobody": self.draws} if several else {}))
        yield charts.bars("How games ended", self.ends)
        uses = {name: use.per_game.mean for name, use in self.actions.items()}
        most = max((mean.high or mean.value for mean in uses.values()), default=0.0)
        yield charts.bars("Actions of each kind in a game", uses, most, percent=False)
        if self.scores:
            yield charts.ranges("Scores: the middle half, nine tenths, and the mean", self.scores)

    def _repr_svg_(self) -> str:
        return self.plot()


def summary(game: Game, policies: Sequence[str], seed: str, limit: int, tally: Tally) -> Simulation:
    """The statistics of a tally of at least one game."""
    core, games = game.core, tally.games
    plies = measure(tally.lengths)
    assert plies is not None and tally.longest is not None
    ended, won = Counter[str](), Counter[tuple[str, ...]]()
    for (end, winners), count in tally.ended.items():
        ended[end] += count
        if end not in UNFINISHED:
            won[tuple(winners.split())] += count
    scores = {}
    for player, points in zip(game.players, tally.scores, strict=False):
        found = measure({score: count for score, count in points.items() if score is not None})
        if found is not None:
            scores[player] = found
    uses = {}
    for action, counts in zip(core.actions, tally.actions, strict=True):
        per_game = measure(counts)
        assert per_game is not None
        uses[action] = Use(share(games - counts[0], games), per_game)
    side_of = {str(player): side for side in sides(core) for player in side}
    ends = [*(end.id for end in core.ends), *sorted(ended.keys() - {end.id for end in core.ends})]
    return Simulation(
        core.id, core.title, core.digest, game.players, game.parameters, game.readings, tuple(policies),
        seed, games, limit, plies,
        wins={p: share(sum(won[w] for w in won if str(p) in w), games) for p in game.players},
        draws=share(won[()], games),
        shared=share(sum(won[w] for w in won if len({side_of.get(p, p) for p in w}) > 1), games),
        ends={end: share(ended[end], games) for end in ends},
        scores=scores,
        actions=uses,
        shortest=None if tally.shortest is None else Extreme(tally.shortest[1], tally.shortest[0]),
        longest=Extreme(tally.longest[1], tally.longest[0]),
        notes=tuple(_notes(games, ended, limit)),
    )  # fmt: skip


def _notes(games: int, ended: Counter[str], limit: int) -> list[str]:
    """Sentences about games that were given up or ended in a fault."""
    notes = []
    stopped, faults = ended[LIMIT], ended[FAULT]
    if stopped:
        notes.append(
            f"{stopped:,} of {games:,} games were given up after {limit:,} actions. They count with that "
            "length, so the mean is too small and the spread is not right; quantiles below the limit are. "
            "Nobody wins such a game, and it has no scores."
        )
    if faults:
        notes.append(
            f"{faults:,} games ended in a fault of the rules: a value was stored that does not fit its place."
        )
    if 1 < games < FEW:
        notes.append(f"With fewer than {FEW} games the intervals of means are rough.")
    if games == 1:
        notes.append("One game says nothing about the spread.")
    return notes
