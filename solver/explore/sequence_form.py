"""Games of imperfect information: the game tree, and the value of best play by linear programming.

An information set of a player is everything that this player has observed since the start, own actions
included. A strategy is given by the weight of each sequence of own actions (the sequence form; von Stengel
1996): each action's weight is its probability times the weight of the sequence before it. One linear program
gives both best strategies, and their optimality is checked separately.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.nodes import Expr
from rulespec.core.types import Value
from rulespec.core.winners import NOT_CONSTANT, TOGETHER, is_payoff
from rulespec.play.machine import Machine
from rulespec.play.observation import ObservedMove, Observer, SeatView
from rulespec.play.position import Move, Position

from .chance_outcomes import TooManyOutcomes, weighted_outcomes
from .linear_programming import maximise
from .states import NO_RESULT, without_draw_count

MOST_NODES = 200_000
"""Maximum number of positions in plays."""
MOST_PLIES = 1_000
"""Maximum number of plies in a play."""

ObservationHistory = tuple[tuple[ObservedMove | None, SeatView], ...]
"""The observations of a player: for the start and each ply the move (None) and the position after it."""

Plan = dict[int, Fraction]
"""The weight of each sequence of one player; the empty sequence has weight 1."""


class NoGameValue(ValueError):
    """Raised if the value of best play cannot be computed, or strategies do not prove it; the text says
    why."""


class TooLargeTree(NoGameValue):
    """Raised if there are too many plays."""


@dataclass(frozen=True)
class InformationSet:
    """An information set: the player's own sequence before it, and the sequences of its legal actions."""

    number: int
    before: int
    moves: tuple[Move, ...]
    sequences: range
    words: tuple[str, ...]
    """The present view of the player, and the actions so far as the player observed them."""


@dataclass
class PlayerSequences:
    """The information sets of a player in the order of discovery; sequence 0 is the empty one."""

    information_sets: dict[ObservationHistory, InformationSet] = field(default_factory=dict)
    sequences: int = 1


class GameTree:
    """The game tree for one or two players: payoffs of pairs of sequences, weighted by chance.

    Player 1 maximises the `payoff` of the final position and player 2 minimises it; with `summed` it is added
    up over the positions that are acted from instead.
    """

    def __init__(
        self,
        game: Game,
        payoff: Callable[[Position], int],
        summed: bool = False,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        self.game, self.payoff, self.summed, self.pause = game, payoff, summed, pause
        self.machine, self.observer = Machine(game), Observer(game)
        self.players: tuple[Value, ...] = tuple(game.player.values)
        self.sides = PlayerSequences(), PlayerSequences()
        self.worth: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
        self.reach: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
        """By the sequences of player 1 and of player 2, the payoff of plays that end with them, and their
        chance probability."""
        self.nodes = 0
        for ply, odds, share in weighted_outcomes(self.machine.start):
            memories = [((None, seen),) for seen in self._seen(ply.position)]
            self._follow(ply.position, memories, (0, 0), Fraction(share, odds), 0)

    def _seen(self, position: Position) -> list[SeatView]:
        ctx = self.machine.situation(position)
        return [self.observer.position(ctx, player) for player in self.players]

    def _follow(
        self,
        position: Position,
        memories: Sequence[ObservationHistory],
        after: tuple[int, int],
        weight: Fraction,
        gained: int,
    ) -> None:
        """Add the part of the tree from a position on. Raises NoGameValue, or TooLargeTree."""
        position = without_draw_count(position)
        self.nodes += 1
        if position.fault:
            raise NoGameValue(NO_RESULT)
        if self.nodes > MOST_NODES:
            raise TooLargeTree(f"there are more than {MOST_NODES} positions in plays")
        if self.nodes % 256 == 0:
            self.pause()
        if position.is_over != self.summed:
            gained += self.payoff(position)
        if position.is_over:
            self.worth[after] += weight * gained
            self.reach[after] += weight
            return
        if len(memories[0]) > MOST_PLIES:
            raise TooLargeTree(f"some play is longer than {MOST_PLIES} plies")
        ctx = self.machine.situation(position)
        side = self.players.index(ctx.state[self.game.mover])
        moves = tuple(self.machine.moves(position))
        here = self._information(self.sides[side], memories[side], after[side], moves)
        for move, sequence in zip(moves, here.sequences, strict=True):
            own = (after[0], sequence) if side else (sequence, after[1])
            observed = [self.observer.move(ctx, move, player) for player in self.players]
            for ply, odds, share in weighted_outcomes(partial(self.machine.play, position, move)):
                news = zip(memories, observed, self._seen(ply.position), strict=True)
                longer = [(*memory, (moved, seen)) for memory, moved, seen in news]
                self._follow(ply.position, longer, own, weight * Fraction(share, odds), gained)

    def _information(
        self, side: PlayerSequences, memory: ObservationHistory, before: int, moves: tuple[Move, ...]
    ) -> InformationSet:
        """The information set of observations; raises NoGameValue if its legal actions vary."""
        result = side.information_sets.get(memory)
        if result is None:
            sequences = range(side.sequences, side.sequences + len(moves))
            number, words = len(side.information_sets), self._words(memory)
            result = side.information_sets[memory] = InformationSet(number, before, moves, sequences, words)
            side.sequences += len(moves)
        elif result.moves != moves:
            raise NoGameValue("a player cannot tell the own legal actions")
        return result

    def _words(self, memory: ObservationHistory) -> tuple[str, ...]:
        """A player's information in words: observations that others lack, and the actions so far."""
        seen = ((self.game.sights[number].text, value) for number, _, value in memory[-1][1].sights)
        sights = [f"{text}: {value}" for text, value in seen if value not in (None, frozenset(), ())]
        actions = [move.action or "something" for move, _ in memory if move is not None]
        return (*sights, *actions)

    # ---- best strategies

    def solve(self) -> tuple[Plan, Plan]:
        """Return a best plan of each player."""
        first, second = self.sides
        # With nothing below 0 a player who leaves weight unused only loses by it, so all may be inequalities.
        shift = max((-x / self.reach[key] for key, x in self.worth.items()), default=Fraction())
        shift = max(shift, Fraction())
        root = first.sequences
        rows: list[dict[int, Fraction]] = [{0: Fraction(1)}]
        listed = first.information_sets.values()
        rows += ({info.before: Fraction(-1)} | dict.fromkeys(info.sequences, Fraction(1)) for info in listed)
        begin = len(rows)
        rows += [{root: Fraction(1)}, *({} for _ in range(second.sequences - 1))]
        for info in second.information_sets.values():
            for sequence, sign in ((info.before, -1), *((sequence, 1) for sequence in info.sequences)):
                rows[begin + sequence][root + 1 + info.number] = Fraction(sign)
        for (i, j), x in self.worth.items():
            rows[begin + j][i] = -x - shift * self.reach[i, j]
        limits = [Fraction(1), *[Fraction()] * (len(rows) - 1)]
        columns = root + 1 + len(second.information_sets)
        unknowns, duals = maximise({root: Fraction(1)}, rows, limits, columns, self.pause)
        return self._whole(first, unknowns[:root]), self._whole(second, duals[begin:])

    @staticmethod
    def _whole(side: PlayerSequences, weights: Sequence[Fraction]) -> Plan:
        """A plan in which each weight is distributed completely; what is missing goes to the first action."""
        plan = dict(enumerate(weights)) | {0: Fraction(1)}
        for info in side.information_sets.values():
            plan[info.sequences[0]] += plan[info.before] - sum(plan[s] for s in info.sequences)
        return plan

    def sound(self, side: int, plan: Plan) -> bool:
        """True if a plan is valid: no weight is negative, and each is distributed over the next actions."""
        own = self.sides[side]
        return (
            plan.keys() == set(range(own.sequences))
            and plan[0] == 1
            and min(plan.values()) >= 0
            and all(
                sum(plan[s] for s in i.sequences) == plan[i.before] for i in own.information_sets.values()
            )
        )

    def best_reply(self, side: int, plan: Plan) -> Fraction:
        """The value for player 1 when the player of a side (0 or 1) replies best to the other's plan."""
        own, best = self.sides[side], (max, min)[side]
        result = [Fraction()] * own.sequences
        for key, x in self.worth.items():
            result[key[side]] += x * plan[key[1 - side]]
        for info in reversed(own.information_sets.values()):
            result[info.before] += best(result[s] for s in info.sequences)
        return result[0]

    # ---- given strategies

    def value(self, plans: tuple[Plan, Plan]) -> Fraction:
        """The value of two plans that no player can improve on alone. Raises NoGameValue."""
        if not (self.sound(0, plans[0]) and self.sound(1, plans[1])):
            raise NoGameValue("its strategies are none of this game")
        value = self.best_reply(1, plans[0])
        if value != self.best_reply(0, plans[1]):
            raise NoGameValue("its strategies do not come to that")
        return value

    def words(self, plans: tuple[Plan, Plan]) -> Iterator[str]:
        """For each choice of a player, the probability of each action, given what the player knows."""
        for number, (side, plan) in enumerate(zip(self.sides, plans, strict=True), 1):
            for info in side.information_sets.values():
                if (before := plan[info.before]) and len(info.moves) > 1:
                    shares = ((m, plan[s] / before) for m, s in zip(info.moves, info.sequences, strict=True))
                    actions = ", ".join(f"{move.action} {share}" for move, share in shares if share)
                    yield f"player {number} ({', '.join(info.words)}): {actions}"


def tree_worth(game: Game, asked: Expr, sign: int, summed: bool, pause: Callable[[], None]) -> GameTree:
    """The tree of all plays, worth a number with a sign to player 1. Raises NoGameValue.

    Where several players win together at one end and nobody at another, no play is best for both.
    """
    machine, numbers, sums = Machine(game), set[int](), set[int]()

    def payoff(position: Position) -> int:
        if position.is_over:
            numbers.add(len(machine.winners(position)))
            sums.add(sum(machine.scores(position).values()))
        return sign * (evaluate(asked, {}, machine.situation(position)) or 0)

    try:
        tree = GameTree(game, payoff, summed, pause)
    except TooManyOutcomes as trouble:
        raise NoGameValue(str(trouble)) from None
    if game.players > 1 and 0 in numbers and max(numbers) > 1:
        raise NoGameValue(TOGETHER)
    if is_payoff(game, asked) and len(sums) > 1:
        raise NoGameValue(NOT_CONSTANT)
    return tree
