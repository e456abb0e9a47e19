"""Which readings change nothing: two games of one ruleset side by side, ply by ply.

As long as nothing has differed, a position of one game is one of the other, to which the same plays lead. So
where every position has been compared, the two are the same game.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.play.chance import Chance, ChanceError
from rulespec.play.data import show
from rulespec.play.errors import IllegalAction, PositionError
from rulespec.play.face import Game as Played
from rulespec.play.machine import Ply
from rulespec.play.observation import Observer
from rulespec.play.position import Move, Position
from rulespec.play.views import seen_by
from solver.claims.case import Progress, silent
from solver.claims.settings import Loader
from solver.explore.chance_outcomes import TooManyOutcomes, weighted_outcomes
from solver.explore.interpreter_states import without_draw_count

from .deciding import ELSEWHERE, Finding
from .parts import Part
from .settings import Setting, elsewhere, readings, together

READING = "reading"
RANDOM = 0.4
"""The share of the time for a reading that is spent on random plays."""
MOST_POSITIONS = 50_000
"""So many positions are compared at most, where all of them are."""


Both = tuple[Move, Move]
"""A move, as each of two games has it."""


class Differs(Exception):
    """The two games are not the same; says in what."""


def redundant_readings(
    game: Game,
    loader: Loader,
    *,
    players: Sequence[int] = (),
    timeout: float = 10.0,
    memory: int = 4_000,
    progress: Progress = silent,
) -> Iterator[Finding]:
    """The readings of rulings that change nothing, here, with other numbers of `players` and under other
    readings, as far as can be told in `timeout` seconds for each.
    """
    for ruling, reading in readings(game):
        name, change = f"{ruling} is {reading}", Setting(readings={ruling: reading})
        progress(name)
        rule = next((rule for rule in game.rules if rule.id == ruling), None)
        part = Part(READING, name, ruling, rule.span if rule else None)
        same = _same(game, change.of(game, loader), ruling, Budget(timeout, memory))
        for setting in (*elsewhere(game, players), *together(game, players)) if same is not None else ():
            if ruling not in setting.readings:
                progress(f"{name}, where {setting}")
                here = setting.of(game, loader)
                other = change.of(here, loader) if here is not None else None
                if other is None or here is None or other.digest == here.digest:
                    continue
                if _same(here, other, ruling, Budget(ELSEWHERE, memory)) is None:
                    break
        else:
            if same is not None:
                yield Finding(part, *same)


def _same(game: Game, other: Game | None, ruling: str, budget: Budget) -> tuple[bool, str] | None:
    """Whether two games were shown to be the same, or only not told apart, in words; None if they differ."""
    if other is None:
        return None
    if game.digest == other.digest:
        return True, "With it all rules mean the same."
    try:
        pair = ReadingPair(game, other)
        pair.at_random(budget.part(RANDOM))
        pair.at_examples(ruling)
        compared = pair.everywhere(budget)
    except Differs:
        return None
    if compared is not None:
        return True, f"In all {compared} positions that can be reached everything is as without it."
    return False, f"It made no difference in {pair.compared} positions of plays and of examples."


class ReadingPair:
    """Two games that are compared. Whatever looks at them raises Differs where they are not the same."""

    def __init__(self, first: Game, second: Game) -> None:
        self.games = Played(first), Played(second)
        self.compared = 0
        self._observers = Observer(first), Observer(second)
        self._keeps_secrets = any(act.secrets for game in (first, second) for act in game.actions.values())
        if [*first.state] != [*second.state] or [*first.actions] != [*second.actions]:
            raise Differs("what there is")

    def at_random(self, budget: Budget) -> None:
        """Compare the positions of random plays."""
        number = 0
        while not budget.exhausted:
            chance, rng = Chance(f"deep {number}"), random.Random(number)
            drawn: tuple[str, ...] = ()
            both, drawn = self._after(None, None, chance, drawn)
            while not both[0].is_over and not budget.exhausted:
                both, drawn = self._after(both, rng.choice(self._legal(*both)), chance, drawn)
            number += 1

    def at_examples(self, ruling: str) -> None:
        """Compare the positions of the examples that stand under a ruling."""
        for rule in self.games[0].core.rules:
            for example in rule.examples if rule.id == ruling else ():
                try:
                    states = [game.position(example.data.get("given") or {}, seed=0) for game in self.games]
                except PositionError:
                    continue
                self._compare(states[0].position, states[1].position)
                self._legal(states[0].position, states[1].position)
                for text in _listed(example.data.get("play")):
                    try:
                        states = [state.play(text) for state in states]
                    except IllegalAction:
                        break
                    self._compare(states[0].position, states[1].position)
                    self._legal(states[0].position, states[1].position)

    def everywhere(self, budget: Budget) -> int | None:
        """Compare every position that can be reached; how many there are. None where there are too many."""
        known: dict[Position, Position] = {}
        waiting: list[Position] = []

        def see(pairs: Iterator[tuple[Position, Position]]) -> None:
            for first, second in pairs:
                if first not in known:
                    known[first] = second
                    waiting.append(first)

        try:
            see(self._outcomes(None, None))
            while waiting:
                first = waiting.pop()
                if budget.exhausted or len(known) > MOST_POSITIONS:
                    return None
                for moves in () if first.is_over else self._legal(first, known[first]):
                    see(self._outcomes((first, known[first]), moves))
        except TooManyOutcomes:
            return None
        return len(known)

    # ---- one position

    def _compare(self, first: Position, second: Position) -> None:
        """Everything that the rules say of two positions but what is legal in them."""
        a, b = self.games
        self.compared += 1
        if (first.ended, first.fault is None) != (second.ended, second.fault is None):
            raise Differs("whether the play is over")
        if first.values != second.values and self._written(0, first) != self._written(1, second):
            raise Differs("the position")
        if a.machine.winners(first) != b.machine.winners(second):
            raise Differs("who has won")
        if a.machine.scores(first) != b.machine.scores(second):
            raise Differs("the scores")
        situations = a.machine.situation(first), b.machine.situation(second)
        for player in a.core.player.values:
            if seen_by(a.core, situations[0], player) != seen_by(b.core, situations[1], player):
                raise Differs("what a player sees")

    def _written(self, which: int, position: Position) -> list[str]:
        variables = self.games[which].core.state.values()
        return [show(v.type, x) for v, x in zip(variables, position.values, strict=True)]

    def _legal(self, first: Position, second: Position) -> list[Both]:
        """What is legal in both, as each of them has it; Differs if that is not the same."""
        a, b = self.games
        moves, theirs = a.lists.of(first), b.lists.of(second)
        if moves == theirs:
            pairs = [*zip(moves, theirs, strict=True)]
        else:
            texts, others = {a.wording.full(m): m for m in moves}, {b.wording.full(m): m for m in theirs}
            if texts.keys() != others.keys():
                raise Differs("what is legal")
            pairs = [(move, others[text]) for text, move in texts.items()]
        if self._keeps_secrets:
            self._observed(first, second, pairs)
        return pairs

    def _observed(self, first: Position, second: Position, pairs: list[Both]) -> None:
        """Compare the observations of moves by each player. Raises Differs."""
        a, b = (game.machine.situation(p) for game, p in zip(self.games, (first, second), strict=True))
        here, there = self._observers
        for move, echo in pairs:
            for player in self.games[0].core.player.values:
                if here.move(a, move, player).parts != there.move(b, echo, player).parts:
                    raise Differs("what a player observes")

    def _act(self, which: int, position: Position | None, move: Move | None, chance: Chance) -> Ply:
        machine = self.games[which].machine
        return (
            machine.start(chance)
            if position is None or move is None
            else machine.play(position, move, chance)
        )

    def _after(
        self,
        before: tuple[Position, Position] | None,
        moves: Both | None,
        chance: Chance,
        drawn: tuple[str, ...],
    ) -> tuple[tuple[Position, Position], tuple[str, ...]]:
        """Both positions after a move (or the setup), and all that chance has given by then."""
        (x, y), (mine, theirs) = before or (None, None), moves or (None, None)
        first = self._act(0, x, mine, chance)
        drawn = (*drawn, *first.outcomes)
        try:
            second = self._act(1, y, theirs, Chance(None, drawn))
        except ChanceError:
            raise Differs("what chance gives") from None
        if second.outcomes != first.outcomes:
            raise Differs("what chance gives")
        self._compare(first.position, second.position)
        return (first.position, second.position), drawn

    def _outcomes(
        self, before: tuple[Position, Position] | None, moves: Both | None
    ) -> Iterator[tuple[Position, Position]]:
        """Both positions after a move (or the setup) for everything that chance may give."""
        (x, y), (mine, theirs) = before or (None, None), moves or (None, None)
        first = weighted_outcomes(partial(self._act, 0, x, mine), (), 1, 1)
        second = weighted_outcomes(partial(self._act, 1, y, theirs), (), 1, 1)
        for one, other in zip_longest(first, second):
            if one is None or other is None or one[1:] != other[1:] or one[0].outcomes != other[0].outcomes:
                raise Differs("what chance gives")
            self._compare(one[0].position, other[0].position)
            yield without_draw_count(one[0].position), without_draw_count(other[0].position)


def _listed(data: Any) -> list[str]:
    return [str(item) for item in (data if isinstance(data, list | tuple) else [data] if data else [])]
