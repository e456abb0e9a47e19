"""The numbers of simulations in words: of one game, and of two games side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..core.intervals import Estimate, Measure, Share
from ..play.position import STUCK
from .result import Simulation


@dataclass(frozen=True)
class Figure:
    """A number of a simulation with its interval.

    `aside` is a remark in words. A figure without a name belongs to the one before it. `title` is a name that
    needs no remark; by default the same.
    """

    name: str
    estimate: Estimate
    aside: str
    title: str = ""
    digits: int = 2
    is_share: bool = False

    @property
    def value(self) -> str:
        """The number in words."""
        return self._write(self.estimate.value)

    @property
    def interval(self) -> str:
        """The 95% interval in words."""
        low, high = self.estimate.low, self.estimate.high
        return "not known" if low is None or high is None else f"{self._write(low)} to {self._write(high)}"

    def _write(self, number: float) -> str:
        return percent(number) if self.is_share else f"{number:,.{self.digits}f}"


def figures(found: Simulation, complete: bool = False) -> Iterator[Figure]:
    """The numbers of a simulation, in the order in which they are shown.

    A `complete` list includes the games several winners players even if there are none.
    """
    plies, several = found.plies, len(found.players) > 1
    yield mean_figure("actions in a game", plies)
    yield Figure("", plies.spread, "standard deviation")
    for q, value in plies.quantiles.items():
        yield Figure("", value, f"{q:.0%} of games have at most this many", digits=0)
    for player, won in found.wins.items():
        yield _share_figure(f"won by {player}" if several else "won", won)
    if several:
        yield _share_figure("won by nobody", found.draws)
    if found.shared.count or (several and complete):
        yield _share_figure("several winners", found.shared)
    for end, ended in found.ends.items():
        yield _share_figure("nobody could act" if end == STUCK else f"ended by {end}", ended)
    for player, score in found.scores.items():
        yield mean_figure(f"score of {player}" if several else "score", score)
    for action, use in found.actions.items():
        words = f"in a game; taken in {percent(use.taken_in.value)} of games"
        yield Figure(action, use.per_game.mean, words, f"{action} per game")


def mean_figure(name: str, m: Measure) -> Figure:
    """The mean of a number, with the range of its values."""
    return Figure(name, m.mean, f"on average, {m.least:,} to {m.most:,}")


def _share_figure(name: str, s: Share) -> Figure:
    games = "1 game" if s.count == 1 else f"{s.count:,} games"
    return Figure(name, Estimate(s.value, s.low, s.high), games, is_share=True)


def percent(share: float) -> str:
    """A share in words."""
    return f"{share:.2%}"


@dataclass(frozen=True)
class Comparison:
    """One number in two simulations; None where a simulation does not have it."""

    name: str
    before: Figure | None
    after: Figure | None

    @property
    def direction(self) -> str:
        """`higher` or `lower` if the second number certainly is: the intervals do not overlap."""
        if self.before is None or self.after is None:
            return ""
        a, b = self.before.estimate, self.after.estimate
        if a.low is None or a.high is None or b.low is None or b.high is None:
            return ""
        return "higher" if b.low > a.high else "lower" if b.high < a.low else ""


def compare_figures(before: Simulation, after: Simulation) -> list[Comparison]:
    """The named numbers of two simulations side by side; those that only the second has come last."""
    named = [[f for f in figures(found, complete=True) if f.name] for found in (before, after)]
    mine, theirs = ({f.title or f.name: f for f in found} for found in named)
    return [Comparison(name, mine.get(name), theirs.get(name)) for name in dict.fromkeys((*mine, *theirs))]


def games_in_words(before: Simulation, after: Simulation) -> str:
    """The numbers of games that two simulations compare, and how they were played."""
    if before.games == after.games:
        return f"{before.games:,} games of each, {before.who}"
    return f"{before.games:,} and {after.games:,} games, {before.who}"
