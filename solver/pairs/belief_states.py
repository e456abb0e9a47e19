"""Belief states: the positions that look the same to a player, after every play.

Players remember their observations, so beliefs are followed ply by ply: they are split by the player's view
of the position after a ply, and by the player's observation of the move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from rulespec.core.game import Game
from rulespec.core.types import Value
from rulespec.play.chance import Chance
from rulespec.play.face import Game as PlayedGame
from rulespec.play.face import State
from rulespec.play.machine import Machine, Ply
from rulespec.play.observation import ObservedMove, Observer, SeatView
from rulespec.play.plays import BadPlay, Play, states
from rulespec.play.position import Move, Position
from rulespec.solver.explore import Limit
from rulespec.solver.explore.chance_outcomes import weighted_outcomes
from rulespec.solver.explore.interpreter_states import canonical, digest_of_texts
from rulespec.solver.explore.states import without_draw_count

from .breadth_first import BreadthFirst, within_budget


class History(NamedTuple):
    """A history: outcomes of chance, and moves."""

    chance: tuple[str, ...]
    moves: tuple[Move, ...]

    @classmethod
    def of(cls, game: Game, play: Play) -> History:
        """The history of a play. Raises BadPlay if the rules refuse it."""
        end = [*states(game, play)][-1]
        return cls(end.chance, tuple(action.move for action in end.plays))


class IndistinguishablePlays(NamedTuple):
    """Two plays that look the same to a player, and required knowledge that differs after them."""

    viewer: Value
    first: History
    second: History
    text: str


class KnowledgeCheck:
    """The observations of one player, and the facts about positions that the player must know."""

    def __init__(self, game: Game, viewer: Value) -> None:
        self.game, self.viewer = game, viewer
        self.machine = Machine(game)
        self._observer = Observer(game)
        self._mover = self.machine.variables.index(game.mover)
        self._played = PlayedGame(game)

    def view_of(self, position: Position) -> tuple[SeatView, bool]:
        """The player's view of a position, and True if a fault has ended the play."""
        ctx = self.machine.situation(position)
        return self._observer.position(ctx, self.viewer), position.fault is not None

    def observe_move(self, before: Position, move: Move) -> ObservedMove:
        """The player's observation of a move made in a position."""
        return self._observer.move(self.machine.situation(before), move, self.viewer)

    def unlike(self, first: Position, second: Position) -> str:
        """The required knowledge in which two look-alike positions differ; empty if there is none."""
        if first.is_over != second.is_over:
            return "the game is over in one of them only"
        if first.is_over:
            wins = [self.machine.winners(p) for p in (first, second)]
            return (
                "" if wins[0] == wins[1] else f"{_won(wins[0])} in the first, {_won(wins[1])} in the second"
            )
        movers = [p.values[self._mover] for p in (first, second)]
        if movers[0] != movers[1]:
            return f"player {movers[0]} is to move in the first, player {movers[1]} in the second"
        if movers[0] != self.viewer:
            return ""
        states = [State(self._played, p, Chance()) for p in (first, second)]
        legal = [state.moves for state in states]
        for number, word in ((0, "first"), (1, "second")):
            others = {*legal[1 - number]}
            alone = [m for m in legal[number] if m not in others]
            if alone:
                refused = states[1 - number].why_not(alone[0])
                why = "".join(f"; {refusal}" for refusal in refused[:1])
                return f"`{self._played.wording.full(alone[0])}` is legal in the {word} only{why}"
        return ""

    def objection(self, first: History, second: History) -> str:
        """The reason why two plays look different to the player; empty if they look alike."""
        if len(first.moves) != len(second.moves):
            return "one play is longer than the other"
        ways = [list(self._positions(course)) for course in (first, second)]
        for ply, (one, other) in enumerate(zip(*ways, strict=True)):
            if self.view_of(one) != self.view_of(other):
                return f"the player sees something else after {ply} plies"
            if ply:
                pairs = zip(ways, (first, second), strict=True)
                moves = [self.observe_move(way[ply - 1], course.moves[ply - 1]) for way, course in pairs]
                if moves[0] != moves[1]:
                    return f"the player observes another move in ply {ply}"
        return "" if self.unlike(ways[0][-1], ways[1][-1]) else "what must be known is the same after both"

    def alike(self, first: History, second: History) -> IndistinguishablePlays:
        """Two plays that look the same, with the required knowledge that differs after them."""
        ends = [list(self._positions(course))[-1] for course in (first, second)]
        return IndistinguishablePlays(self.viewer, first, second, self.unlike(*ends))

    def _positions(self, course: History) -> Iterator[Position]:
        """Yield the positions of a play."""
        chance = Chance(given=course.chance)
        position = self.machine.start(chance).position
        yield position
        for move in course.moves:
            position = self.machine.play(position, move, chance).position
            yield position


Belief = frozenset[Position]
_Step = tuple[Position | None, Move | None, Ply]


@dataclass(frozen=True)
class _Came:
    """The first path to a belief: its predecessor, and for each of its positions a predecessor and a ply."""

    before: Belief | None
    ways: dict[Position, tuple[Position | None, Move | None, tuple[str, ...]]]


class Beliefs(BreadthFirst[Belief, _Came]):
    """The belief states of one player, found breadth-first."""

    weighed_in = "positions"

    def __init__(self, watching: KnowledgeCheck) -> None:
        super().__init__()
        self.watching = watching

    def weigh(self, place: Belief) -> int:
        """The positions in a belief."""
        return len(place)

    def deeper(self, limit: Limit, most: int) -> IndistinguishablePlays | None:
        """Explore one more ply: two plays after which the player lacks required knowledge, if any.

        `stopped` is the reason if nothing was added; the next call tries again. `closed`: there is no more.
        """
        return self._layer(
            self._next(limit), lambda belief, came: self._check(belief, came, limit), limit, most
        )

    def _check(self, belief: Belief, came: _Came, limit: Limit) -> IndistinguishablePlays | None:
        """Two plays that end in one belief and differ in what must be known; None if there are none."""
        first, *others = sorted(belief, key=lambda p: repr((canonical(p.values), p.ended)))
        for other in within_budget(others, limit):
            text = self.watching.unlike(first, other)
            if text:
                one, two = (self._course(came, p) for p in (first, other))
                return IndistinguishablePlays(self.watching.viewer, one, two, text)
        return None

    def _next(self, limit: Limit) -> Iterator[tuple[Belief, _Came]]:
        """Yield the beliefs one ply later, or those at the start."""
        machine = self.watching.machine
        if not self._came:
            starts = ((None, None, ply) for ply, _, _ in weighted_outcomes(machine.start))
            yield from self._split(None, within_budget(starts, limit))
        for belief in self._last:
            moves = ((position, move) for position in belief for move in machine.moves(position))
            plies = ((position, move, ply) for position, move in moves for ply in self._plies(position, move))
            yield from self._split(belief, within_budget(plies, limit))

    def _plies(self, position: Position, move: Move) -> Iterator[Ply]:
        def act(chance: Chance) -> Ply:
            return self.watching.machine.play(position, move, chance)

        return (ply for ply, _, _ in weighted_outcomes(act))

    def _split(self, before: Belief | None, plies: Iterable[_Step]) -> Iterator[tuple[Belief, _Came]]:
        """The beliefs after some plies, split by observation."""
        result: dict[Any, dict[Position, tuple[Position | None, Move | None, tuple[str, ...]]]] = {}
        for position, move, ply in plies:
            after = without_draw_count(ply.position)
            observed = self.watching.observe_move(position, move) if position is not None and move else None
            group = result.setdefault((observed, self.watching.view_of(after)), {})
            group.setdefault(after, (position, move, ply.outcomes))
        for ways in result.values():
            yield frozenset(ways), _Came(before, ways)

    def _course(self, came: _Came, position: Position) -> History:
        """The play that led to a position of a belief."""
        chance: list[tuple[str, ...]] = []
        moves: list[Move] = []
        at: Position | None = position
        while at is not None:
            at, move, outcomes = came.ways[at]
            chance.append(outcomes)
            if move is not None and came.before is not None:
                moves.append(move)
                came = self._came[came.before]
        return History(tuple(text for part in reversed(chance) for text in part), tuple(reversed(moves)))

    def digest(self, depth: int) -> str:
        """An order-independent digest of the beliefs up to a number of plies, in hexadecimal."""
        beliefs = islice(self._came, sum(self.counts[: depth + 1]))
        texts = (sorted(repr((canonical(p.values), p.ended)) for p in belief) for belief in beliefs)
        return digest_of_texts(map(repr, texts))


def _won(winners: tuple[Value, ...]) -> str:
    """The winners, as the end of a sentence."""
    listed = " and ".join(map(str, winners))
    if len(winners) < 2:
        return f"player {listed} has won" if winners else "nobody has won"
    return f"players {listed} have won"


def told_apart(game: Game, plays: Sequence[Play], viewer: Value) -> str:
    """The reason why two plays do not show that required knowledge is missing; empty if they do."""
    if len(plays) != 2 or viewer not in game.player:
        return "there must be two plays, and the player to whom they look the same"
    try:
        first, second = (History.of(game, play) for play in plays)
    except BadPlay as refused:
        return str(refused)
    return KnowledgeCheck(game, viewer).objection(first, second)
