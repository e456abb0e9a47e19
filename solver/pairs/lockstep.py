"""Two games played by the interpreter in lockstep: the same actions, the same chance, until they differ.

Differences are described in words, in which *here* is the first game and *there* the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

from rulespec.core.notation import write
from rulespec.core.plain_data import to_data
from rulespec.core.types import Optional, Scalar, Type, Value
from rulespec.play.chance import Chance, ChanceError
from rulespec.play.face import Game as PlayedGame
from rulespec.play.face import State
from rulespec.play.machine import Ply
from rulespec.play.observation import Observer, sights
from rulespec.play.plays import Play, states
from rulespec.play.position import Move, Position
from rulespec.solver.explore import Limit
from rulespec.solver.explore.chance_outcomes import WeightedChance, weighted_outcomes
from rulespec.solver.explore.interpreter_states import canonical, digest_of_texts
from rulespec.solver.explore.states import without_draw_count

from .breadth_first import BreadthFirst, within_budget
from .correspondence import Correspondence, NoImage

MOST_LISTED = 3
"""Maximum number of rules named for a refused action."""

Pair = tuple[Position, Position]
Run = Callable[[Chance], Ply]


class Mismatch(NamedTuple):
    """A difference between two games: outcomes of chance and moves before it, and its description."""

    chance: tuple[str, ...]
    moves: tuple[Move, ...]
    text: str


class _Place(NamedTuple):
    """A pair of positions."""

    pair: Pair
    differs: str = ""
    """A difference before it: in the outcomes of chance."""


@dataclass(frozen=True)
class _Came:
    """The first path to a pair of positions."""

    before: _Place | None
    move: Move | None
    chance: tuple[str, ...]


class Lockstep(BreadthFirst[_Place, _Came]):
    """Two games in lockstep. They correspond by notation, so that the same chance can be given to both."""

    weighed_in = "pairs of positions"

    def __init__(self, correspondence: Correspondence) -> None:
        super().__init__()
        self.correspondence = correspondence
        self._inverse = Correspondence(correspondence.other, correspondence.mine)
        self._a, self._b = PlayedGame(correspondence.mine), PlayedGame(correspondence.other)
        self._observers = Observer(correspondence.mine), Observer(correspondence.other)
        games = correspondence.mine, correspondence.other
        self._keeps_secrets = any(action.secrets for game in games for action in game.actions.values())
        same = {end.id for end in correspondence.mine.ends} == {end.id for end in correspondence.other.ends}
        self._ends_have_names = same

    # ---- what differs where both stand

    def differs(self, pair: Pair) -> str:
        """The difference between two positions or their legal moves, in words; empty if there is none."""
        differs = self._standing(pair) or self._differing_result(pair)
        return differs or ("" if pair[0].is_over else self._legal(pair))

    def _standing(self, pair: Pair) -> str:
        """The difference between two positions, in words; empty if there is none."""
        a, b = pair
        if (a.fault is None) != (b.fault is None):
            return f"a value does not fit its place {_here(b.fault is None)}: {a.fault or b.fault}"
        if a.fault is not None:
            return ""
        if (a.ended is None) != (b.ended is None):
            return f"play is over {_here(b.ended is None)} only"
        if self._ends_have_names and a.ended != b.ended:
            return f"play ends by `{a.ended}` here and by `{b.ended}` there"
        values, there = self._values(self._a, a), self._values(self._b, b)
        for mine, other in self.correspondence.variables:
            try:
                shown = self.correspondence.value(mine.type, other.type, values[mine.name])
            except NoImage:
                shown = None
            if shown != there[other.name]:
                written = _unlike(mine.type, values[mine.name], other.type, there[other.name])
                return f"`{mine.name}` is {written[0]} here and {written[1]} there"
        return self._seen(pair)

    def _seen(self, pair: Pair) -> str:
        """The difference in the observations of a player in two equal positions; empty if there is none."""
        correspondence = self.correspondence
        mine, other = self._a.machine.situation(pair[0]), self._b.machine.situation(pair[1])
        for viewer, there in correspondence.players.items():
            for a, b in correspondence.sights or ():
                shown = dict(sights(b, other, there))
                for keys, value in sights(a, mine, viewer):
                    try:
                        image = correspondence.value(a.value.type, b.value.type, value), True
                    except NoImage:
                        image = None, False
                    if (shown.pop(correspondence.bound(a, b, keys), None), True) != image:
                        return f"player {viewer} sees something else of `{a.text}` here than there"
                if shown:
                    return f"player {viewer} sees more of `{a.text}` there than here"
        return ""

    def _observation_difference(self, pair: Pair, move: Move, image: Move) -> str:
        """The difference in the observed parts of a move in words; empty if there is none."""
        mine, other = self._a.machine.situation(pair[0]), self._b.machine.situation(pair[1])
        here, there = self._observers
        for viewer, echo in self.correspondence.players.items():
            if here.move(mine, move, viewer).parts != there.move(other, image, echo).parts:
                return f"player {viewer} observes more in one of them than in the other"
        return ""

    def _differing_result(self, pair: Pair) -> str:
        """The difference in winners or scores of two positions, in words; empty if there is none."""
        a, b = pair
        if a.ended is None:
            return ""
        players = self.correspondence.players
        mine = {players[p] for p in self._a.machine.winners(a)}
        other = set(self._b.machine.winners(b))
        if mine != other:
            return f"{_players(mine)} here and {_players(other)} there"
        scores, there = self._a.machine.scores(a), self._b.machine.scores(b)
        for player, score in scores.items() if there else ():
            if score != there[players[player]]:
                return f"player {player} scores {score} here and {there[players[player]]} there"
        return ""

    def _legal(self, pair: Pair) -> str:
        """The difference in the legal actions of two positions, in words; empty if there is none."""
        a, b = (State(game, p, Chance()) for game, p in zip((self._a, self._b), pair, strict=True))
        there = set(b.moves)
        images: set[Move] = set()
        for move in a.moves:
            try:
                image = self.correspondence.move(move)
            except NoImage:
                return f"`{a.notation(a.find(move))}` is legal here, and there is no such action there"
            if image not in there:
                return f"`{a.notation(a.find(move))}` is legal here, and refused there{_by(b, image)}"
            if self._keeps_secrets and (text := self._observation_difference(pair, move, image)):
                return f"of `{a.notation(a.find(move))}` {text}"
            images.add(image)
        alone = next((move for move in b.moves if move not in images), None)
        if alone is None:
            return ""
        text = b.notation(b.find(alone))
        try:
            mine = self._inverse.move(alone)
        except NoImage:
            return f"`{text}` is legal there, and there is no such action here"
        return f"`{text}` is legal there, and refused here{_by(a, mine)}"

    def _values(self, game: PlayedGame, position: Position) -> dict[str, Value]:
        return dict(zip(game.core.state, position.values, strict=True))

    # ---- one play

    def along_play(self, play: Play) -> Mismatch | None:
        """The first difference along a play. Raises BadPlay if the rules of the first game refuse it."""
        end = [*states(self.correspondence.mine, play)][-1]
        moves = [action.move for action in end.plays]
        return self._follow(None, end.chance, lambda position, at: next(islice(moves, at, None), None))

    def wander(self, seed: str, most: int) -> Mismatch | None:
        """The first difference along a random play of at most `most` plies."""
        rng = random.Random(seed)

        def some(position: Position, at: int) -> Move | None:
            return self._a.machine.draw(position, rng) if at < most else None

        return self._follow(seed, (), some)

    def _follow(
        self, seed: str | None, given: tuple[str, ...], choose: Callable[[Position, int], Move | None]
    ) -> Mismatch | None:
        """Play the moves that `choose` gives in both games, up to the first mismatch; None without one."""
        chance: tuple[str, ...] = ()
        moves: list[Move] = []
        mine: Run = self._a.machine.start
        other: Run = self._b.machine.start
        while True:
            source = WeightedChance(seed, given)
            ply = mine(source)
            chance += ply.outcomes
            echo = WeightedChance(None, chance)
            try:
                there = other(echo)
            except ChanceError as error:
                return Mismatch(chance, tuple(moves), f"chance is asked otherwise there: {error}")
            if len(there.outcomes) != len(ply.outcomes):
                return Mismatch(chance, tuple(moves), "chance is asked less often there")
            pair = ply.position, there.position
            text = _odds(ply.outcomes, source.share, echo.share) or self.differs(pair)
            if text:
                return Mismatch(chance, tuple(moves), text)
            move = None if pair[0].is_over else choose(pair[0], len(moves))
            if move is None:
                return None
            moves.append(move)
            mine, other = self._plies(pair, move)

    # ---- all plays

    def explore(self, limit: Limit, most: int, depth: int | None = None) -> Mismatch | None:
        """A difference after the fewest plies, over all plays; None if none was found.

        Continues where it stopped. Afterwards `closed` is True if everything was seen; otherwise `stopped`
        gives the reason.
        """
        while not self.closed and (depth is None or len(self.counts) <= depth):
            apart = self._layer(self._next(limit), self._wanted, limit, most)
            if apart is not None or self.stopped:
                return apart
        return None

    def _wanted(self, place: _Place, came: _Came) -> Mismatch | None:
        text = place.differs or self.differs(place.pair)
        return self._apart(came, text) if text else None

    def _next(self, limit: Limit) -> Iterator[tuple[_Place, _Came]]:
        """The pairs one ply further, or the first ones."""
        if not self._came:
            yield from self._both(None, None, (self._a.machine.start, self._b.machine.start), limit)
        for place in self._last:
            for move in self._a.machine.moves(place.pair[0]):
                yield from self._both(place, move, self._plies(place.pair, move), limit)

    def _plies(self, pair: Pair, move: Move) -> tuple[Run, Run]:
        """One ply in both games by the same move."""
        image = self.correspondence.move(move)
        a, b = self._a.machine, self._b.machine
        return (lambda chance: a.play(pair[0], move, chance)), (lambda chance: b.play(pair[1], image, chance))

    def _both(
        self, before: _Place | None, move: Move | None, runs: tuple[Run, Run], limit: Limit
    ) -> Iterator[tuple[_Place, _Came]]:
        """Yield the pairs of positions after a ply in both games, with the same chance outcomes."""
        mine, other = runs
        echoes = within_budget(weighted_outcomes(other), limit)
        there = {ply.outcomes: (ply, Fraction(share, odds)) for ply, odds, share in echoes}
        for ply, odds, share in weighted_outcomes(mine):
            at = without_draw_count(ply.position)
            echoed, chance = there.get(ply.outcomes, (ply, Fraction()))
            differs = _odds(ply.outcomes, Fraction(share, odds), chance)
            pair = at, without_draw_count(echoed.position)
            yield _Place(pair, differs), _Came(before, move, ply.outcomes)

    def _apart(self, last: _Came, text: str) -> Mismatch:
        """The mismatch at the end of a path of the exploration."""
        path = [last]
        while path[-1].before is not None:
            path.append(self._came[path[-1].before])
        path.reverse()
        moves = tuple(came.move for came in path if came.move is not None)
        return Mismatch(tuple(outcome for came in path for outcome in came.chance), moves, text)

    def digest(self) -> str:
        """An order-independent digest of the visited pairs, in hexadecimal."""
        pairs = ([(canonical(p.values), p.ended) for p in place.pair] for place in self._came)
        return digest_of_texts(map(repr, pairs))


def _odds(outcomes: Sequence[str], mine: Fraction, other: Fraction) -> str:
    """The difference in the probability of an outcome of chance, in words; empty if there is none."""
    if mine == other:
        return ""
    if not outcomes:
        return "chance has a part there and none here"
    return f"chance gives {', '.join(outcomes)} with {mine} here and {other} there"


def _here(there: bool) -> str:
    return "here" if there else "there"


def _players(winners: set[Value]) -> str:
    """The winners, as a clause."""
    listed = " and ".join(map(str, sorted(winners)))
    if not winners:
        return "nobody wins"
    return f"player {listed} wins" if len(winners) == 1 else f"players {listed} win"


def _by(state: State, move: Move) -> str:
    return "".join(f"; {refusal}" for refusal in state.why_not(move)[:MOST_LISTED])


def _unlike(mine: Type, value: Value, other: Type, there: Value) -> tuple[Any, Any]:
    """Two values in notation; of maps only the entries that differ."""
    written = [_outcomes_in_words(mine, value), _outcomes_in_words(other, there)]
    if isinstance(written[0], dict) and isinstance(written[1], dict):
        keys = [k for k in {**written[0], **written[1]} if written[0].get(k) != written[1].get(k)]
        written = [{k: part.get(k) for k in keys} for part in written]
    return written[0], written[1]


def _outcomes_in_words(t: Type, value: Value) -> Any:
    return write(t, value) if isinstance(t, Scalar | Optional) else to_data(t, value)
