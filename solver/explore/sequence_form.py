"""Games of imperfect information: the game tree, and the value of best play by linear programming.

An information set of a player is everything that this player has observed since the start, own
actions included. A strategy is given by the weight of each sequence of own actions (the
sequence form; von Stengel 1996): each action's weight is its probability times the weight of the sequence
before it. Both best strategies are one linear program, and their optimality is checked apart from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from rulespec.core.game import Game
from rulespec.core.types import Value
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine, Ply
from rulespec.play.observation import ObservedMove, Observer, Seen
from rulespec.play.position import Move, Position

from .chance_outcomes import weighted_outcomes
from .linear_programming import maximise
from .states import NO_RESULT, without_draw_count

MOST_NODES = 200_000
"""The limit of positions in plays."""
MOST_PLIES = 1_000
"""The most plies of a play that is followed."""

ObservationHistory = tuple[tuple[ObservedMove | None, Seen], ...]
"""The observations of a player: for the start and each ply the move (None) and the position after it."""

Plan = dict[int, Fraction]
"""The weight of each sequence of one player; that of no action is 1."""


class NoGameValue(ValueError):
    """The value of best play cannot be computed, or strategies do not show it; the text gives the reason."""


class TooLargeTree(NoGameValue):
    """There are too many plays."""


@dataclass
class InformationSet:
    """An information set: the player's own sequence before it, and those of its legal actions."""

    number: int
    before: int
    moves: tuple[Move, ...]
    sequences: tuple[int, ...]
    words: tuple[str, ...]
    """The present view of the player, and the actions so far as the player observed them."""


@dataclass
class PlayerSequences:
    """The information sets of a player in the order of discovery; sequence 0 is the empty one."""

    information_sets: dict[ObservationHistory, InformationSet] = field(default_factory=dict)
    sequences: int = 1

    def information(
        self, key: ObservationHistory, before: int, moves: tuple[Move, ...], words: tuple[str, ...]
    ) -> InformationSet:
        """The information set with a key; raises NoGameValue if it has other legal actions than before."""
        result = self.information_sets.get(key)
        if result is None:
            sequences = tuple(range(self.sequences, self.sequences + len(moves)))
            self.sequences += len(moves)
            result = self.information_sets[key] = InformationSet(
                len(self.information_sets), before, moves, sequences, words
            )
        elif result.moves != moves:
            raise NoGameValue("a player cannot tell the own legal actions")
        return result


class GameTree:
    """The game tree for one or two players: payoffs of pairs of sequences, weighted by chance.

    `payoff` is what player 1 wants the most of and player 2 the least, in a position where play is over;
    with `summed` it is added up over the positions that are acted from instead.
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
        self.sides = {player: PlayerSequences() for player in self.players}
        self.worth: dict[tuple[int, int], Fraction] = {}
        self.reach: dict[tuple[int, int], Fraction] = {}
        """By the sequences of player 1 and of player 2: what plays that end so are worth, and how likely
        chance makes them."""
        self.nodes = 0
        for ply, odds, share in weighted_outcomes(self.machine.start):
            seen = self._seen(ply.position)
            memory: dict[Value, ObservationHistory] = {
                player: ((None, seen[player]),) for player in self.players
            }
            weight = Fraction(share, odds)
            self._follow(without_draw_count(ply.position), memory, dict.fromkeys(self.players, 0), weight, 0)

    def _seen(self, position: Position) -> dict[Value, Seen]:
        ctx = self.machine.situation(position)
        return {player: self.observer.position(ctx, player) for player in self.players}

    def _follow(
        self,
        position: Position,
        memory: dict[Value, ObservationHistory],
        after: dict[Value, int],
        weight: Fraction,
        gained: int,
    ) -> None:
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
            key = (after[self.players[0]], after[self.players[1]] if len(self.players) > 1 else 0)
            self.worth[key] = self.worth.get(key, Fraction()) + weight * gained
            self.reach[key] = self.reach.get(key, Fraction()) + weight
            return
        if len(memory[self.players[0]]) > MOST_PLIES:
            raise TooLargeTree(f"some play is longer than {MOST_PLIES} plies")
        ctx = self.machine.situation(position)
        mover = ctx.state[self.game.mover]
        moves = tuple(self.machine.moves(position))
        here = self.sides[mover].information(memory[mover], after[mover], moves, self._words(memory[mover]))
        for move, sequence in zip(moves, here.sequences, strict=True):
            observed = {player: self.observer.move(ctx, move, player) for player in self.players}

            def act(chance: Chance, move: Move = move) -> Ply:
                return self.machine.play(position, move, chance)

            for ply, odds, share in weighted_outcomes(act):
                seen = self._seen(ply.position)
                self._follow(
                    without_draw_count(ply.position),
                    {player: (*memory[player], (observed[player], seen[player])) for player in self.players},
                    {**after, mover: sequence},
                    weight * Fraction(share, odds),
                    gained,
                )

    def _words(self, memory: ObservationHistory) -> tuple[str, ...]:
        """A player's information in words: private observations, and the actions so far."""
        sights = [
            f"{self.game.sights[number].text}: {value}"
            for number, _, value in memory[-1][1].sights
            if value not in (None, frozenset(), ())
        ]
        actions = [move.action or "something" for move, _ in memory if move is not None]
        return (*sights, *actions)

    # ---- best strategies

    def solve(self) -> tuple[Plan, Plan]:
        """A best plan of each player."""
        first, second = self._sides()
        # With nothing below 0 a player who leaves weight unused only loses by it, so all may be inequalities.
        shift: Fraction = max((-x / self.reach[key] for key, x in self.worth.items()), default=Fraction())
        shift = max(shift, Fraction())
        worth = {key: x + shift * self.reach[key] for key, x in self.worth.items()}
        columns = first.sequences + 1 + len(second.information_sets)
        rows: list[dict[int, Fraction]] = [{0: Fraction(1)}]
        limits = [Fraction(1)]
        for info in first.information_sets.values():
            rows.append({info.before: Fraction(-1)} | dict.fromkeys(info.sequences, Fraction(1)))
            limits.append(Fraction())
        begin = len(rows)
        root = first.sequences
        by_sequence = [{root: Fraction(1)}] + [{} for _ in range(second.sequences - 1)]
        for info in second.information_sets.values():
            by_sequence[info.before][root + 1 + info.number] = Fraction(-1)
            for sequence in info.sequences:
                by_sequence[sequence][root + 1 + info.number] = Fraction(1)
        for (i, j), x in worth.items():
            by_sequence[j][i] = by_sequence[j].get(i, Fraction()) - x
        rows += by_sequence
        limits += [Fraction()] * len(by_sequence)
        unknowns, duals = maximise({root: Fraction(1)}, rows, limits, columns, self.pause)
        mine = self._whole(first, dict(enumerate(unknowns[: first.sequences])))
        theirs = self._whole(second, dict(enumerate(duals[begin:])))
        return mine, theirs

    def _sides(self) -> tuple[PlayerSequences, PlayerSequences]:
        first, *others = (self.sides[player] for player in self.players)
        return first, others[0] if others else PlayerSequences()

    @staticmethod
    def _whole(side: PlayerSequences, weights: Plan) -> Plan:
        """A plan in which each weight is wholly shared out; what was left over goes to the first action."""
        plan = {0: Fraction(1)}
        for info in side.information_sets.values():
            total = sum((weights.get(s, Fraction()) for s in info.sequences), Fraction())
            for s in info.sequences:
                plan[s] = weights.get(s, Fraction())
            plan[info.sequences[0]] += plan[info.before] - total
        return plan

    def sound(self, side: int, plan: Plan) -> bool:
        """True if a plan is one: no weight below 0, each shared out among the actions that may follow."""
        own = self._sides()[side]
        return (
            plan.keys() == set(range(own.sequences))
            and plan[0] == 1
            and min(plan.values()) >= 0
            and all(
                sum(plan[s] for s in i.sequences) == plan[i.before] for i in own.information_sets.values()
            )
        )

    def best_reply(self, side: int, plan: Plan) -> Fraction:
        """The value when player 1 (`side` 0) or 2 (1) replies best to a plan of the other."""
        own, best = self._sides()[side], (max, min)[side]
        result = [Fraction()] * own.sequences
        for key, x in self.worth.items():
            result[key[side]] += x * plan[key[1 - side]]
        for info in reversed(own.information_sets.values()):
            result[info.before] += best(result[s] for s in info.sequences)
        return result[0]

    # ---- given strategies

    def value(self, plans: tuple[Plan, Plan]) -> Fraction:
        """The value that neither player can better against the other's plan. Raises NoGameValue."""
        if not (self.sound(0, plans[0]) and self.sound(1, plans[1])):
            raise NoGameValue("its strategies are none of this game")
        value = self.best_reply(1, plans[0])
        if value != self.best_reply(0, plans[1]):
            raise NoGameValue("its strategies do not come to that")
        return value

    def words(self, plans: tuple[Plan, Plan]) -> Iterator[str]:
        """For each choice of a player the probability of each action, by what the player knows."""
        for number, (player, plan) in enumerate(zip(self.players, plans, strict=False), 1):
            for info in self.sides[player].information_sets.values():
                if (before := plan[info.before]) and len(info.moves) > 1:
                    shares = ((m, plan[s] / before) for m, s in zip(info.moves, info.sequences, strict=True))
                    actions = ", ".join(f"{move.action} {share}" for move, share in shares if share)
                    yield f"player {number} ({', '.join(info.words)}): {actions}"
