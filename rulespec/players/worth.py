"""The value of a position for each player in the rules' own terms: winners, scores, nearness of a win."""

from __future__ import annotations

from typing import NamedTuple, assert_never

from ..core import nodes as n
from ..core.context import Context, Env
from ..core.evaluate import elements, evaluate
from ..core.game import Game
from ..core.types import Int, Set, Value
from ..core.winners import Sharing
from ..play.position import Position
from .rules import Rules

DEEPEST = 12
"""Maximum number of operators and definitions through which a condition is followed to measure its
nearness."""

POINTS = 0.2
"""The share of a value that comes from scores, if the rules keep them; the rest is winning."""


class Worth(NamedTuple):
    """The value of a position for each player, in the order of the players."""

    wins: tuple[float, ...]
    """The share of a win, from 0 to 1."""
    points: tuple[float, ...]
    """The sum of the scores of the player's side; with several sides its lead over the best other. All
    scores together if all win together; all 0 without scores."""


def judge(rules: Rules, position: Position) -> Worth:
    """The value of a position.

    At the end, a sole win of a side is worth 1 to each of its players. The value of a shared win depends on
    the rules, see `Sharing`: a tie shares the win, a win of all together is a whole one, any other lies
    between. If none of several sides won, all share the win, unless they win together. Before the end, the
    leader by score counts as the winner; without scores a player's share grows as a win comes nearer.
    """
    sides, place = rules.sides, {p: i for i, side in enumerate(rules.sides) for p in side}
    together = rules.sharing is Sharing.TOGETHER
    scores = rules.machine.scores(position)
    totals = [sum(scores[p] for p in side) if scores else 0 for side in sides]
    of_sides = _worth_of_sides(rules, position, totals, together)
    wins, points = ([part[place[p]] for p in rules.players] for part in of_sides)
    return Worth(tuple(wins), tuple(points))


def _worth_of_sides(rules: Rules, position: Position, scores: list[int], together: bool) -> Worth:
    """The worth of a position to each side, given their scores."""
    sides, even = rules.sides, 1 / len(rules.sides)
    gains = rules.machine.game.outcome.gains and not together
    points = tuple(map(float, scores)) if gains else _points(scores, together)
    alone = len(sides) == 1 or together
    if position.is_over:
        winners = rules.winners(position)
        won = [any(p in winners for p in side) for side in sides]
        if any(won) or alone:
            share = _share(sum(won), rules.sharing) if any(won) else 0.0
            return Worth(tuple(share * wins for wins in won), points)
        return Worth((even,) * len(sides), points)
    if rules.machine.game.outcome.score is not None and not alone:
        leaders = [lead >= 0 for lead in _ahead(scores)]
        return Worth(tuple(lead / sum(leaders) for lead in leaders), points)
    of_player = Nearness(rules.machine.game)(rules.machine.situation(position))
    near = [max(of_player[p] for p in side) for side in sides]
    if alone:
        return Worth(tuple(0.5 * x for x in near), points)
    mean = sum(near) / len(sides)
    return Worth(tuple(min(max(even + x - mean, 0.0), 1.0) for x in near), points)


def _share(sides: int, shared: Sharing) -> float:
    """The value of a win for one of the sides that share it."""
    match shared:
        case Sharing.TIE:
            return 1 / sides
        case Sharing.TOGETHER:
            return 1.0
        case Sharing.WIN:
            return (1 + 1 / sides) / 2
    assert_never(shared)


def _points(scores: list[int], together: bool) -> tuple[float, ...]:
    """Each side's points: its lead over the best other side, or the sum if all win together."""
    if together:
        return (float(sum(scores)),) * len(scores)
    return _ahead(scores)


def _ahead(scores: list[int]) -> tuple[float, ...]:
    """The lead of each player over the best of the others; the score itself for a single player."""
    if len(scores) == 1:
        return (float(scores[0]),)
    return tuple(float(score - max(scores[:i] + scores[i + 1 :])) for i, score in enumerate(scores))


class Scale:
    """Combines wins and points into one number from 0 to 1, scaling points to the range met so far."""

    def __init__(self, gains: bool = False) -> None:
        """With `gains`, points are payoffs, and nothing else counts."""
        self._weight = 1.0 if gains else POINTS
        self._low = float("inf")
        self._high = float("-inf")

    def note(self, worth: Worth) -> None:
        """Extend the range of points by a value that was met."""
        self._low = min(self._low, *worth.points)
        self._high = max(self._high, *worth.points)

    def value(self, wins: float, points: float) -> float:
        """Wins and points as one number."""
        if self._high <= self._low:
            return wins
        share = (points - self._low) / (self._high - self._low)
        return (1 - self._weight) * wins + self._weight * share


class Nearness:
    """Nearness of each player to winning: the degree to which the rules' condition is fulfilled.

    A conjunction has the mean of its parts, an alternative the maximum; an equation of numbers is nearer the
    smaller the difference. This reading of a goal is due to Fluxplayer (Schiffel and Thielscher, AAAI 2007).
    A game with one player is as near its end as the condition of its nearest end.
    """

    def __init__(self, game: Game) -> None:
        self._game = game

    def __call__(self, ctx: Context) -> dict[Value, float]:
        """A degree from 0 to 1 for each player; all 0 if the rules give no measure."""
        players, outcome = self._game.player.values, self._game.outcome
        if len(players) == 1:
            ends = [self._degree(end.condition, {}, ctx, 0) for end in self._game.ends]
            return {players[0]: max(ends, default=0.0)}
        winners = outcome.winners
        if isinstance(winners, n.Select) and isinstance(winners.type, Set):
            return {p: self._degree(winners.body, {winners.var: p}, ctx, 0) for p in players}
        return dict.fromkeys(players, 0.0)

    def _degree(self, e: n.Expr, env: Env, ctx: Context, depth: int) -> float:
        """The degree from 0 to 1 to which a condition is fulfilled."""
        if depth < DEEPEST:
            found = self._degree_by_form(e, env, ctx, depth + 1)
            if found is not None:
                return found
        return 1.0 if evaluate(e, env, ctx) else 0.0

    def _degree_by_form(self, e: n.Expr, env: Env, ctx: Context, depth: int) -> float | None:
        """The degree of a condition from those of its parts; None if it has none."""
        if isinstance(e, n.And | n.Or):
            degrees = [self._degree(item, env, ctx, depth) for item in e.items]
            return max(degrees) if isinstance(e, n.Or) else sum(degrees) / len(degrees)
        if isinstance(e, n.All | n.Any):
            each = [self._degree(e.body, {**env, e.var: v}, ctx, depth) for v in elements(e.source, env, ctx)]
            if not each:
                return float(isinstance(e, n.All))
            return max(each) if isinstance(e, n.Any) else sum(each) / len(each)
        if isinstance(e, n.Not) and isinstance(e.item, n.And | n.Or | n.All | n.Any | n.Call):
            return 1.0 - self._degree(e.item, env, ctx, depth)
        if isinstance(e, n.Let):
            return self._degree(e.body, {**env, e.var: evaluate(e.value, env, ctx)}, ctx, depth)
        if isinstance(e, n.Call) and not e.function.static and e.function.falling is None:
            args = [evaluate(arg, env, ctx) for arg in e.args]
            if None not in args:
                inner = dict(zip(e.function.params, args, strict=True))
                return self._degree(e.function.body, inner, ctx, depth)
        if isinstance(e, n.Equal | n.AtMost | n.Less):
            return self._degree_of_comparison(e, env, ctx)
        return None

    def _degree_of_comparison(self, e: n.Equal | n.AtMost | n.Less, env: Env, ctx: Context) -> float | None:
        """The degree of a comparison, by the distance of its numbers; None if there are none."""
        s, t = e.a.type, e.b.type
        a, b = evaluate(e.a, env, ctx), evaluate(e.b, env, ctx)
        if not isinstance(s, Int) or not isinstance(t, Int) or a is None or b is None:
            return None
        lacking = abs(a - b) if isinstance(e, n.Equal) else max(0, a - b + isinstance(e, n.Less))
        return 1.0 - float(min(1.0, lacking / max(max(s.hi, t.hi) - min(s.lo, t.lo), 1)))
