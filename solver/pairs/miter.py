"""The miter of two games: both ply by ply in one set of gates, and the obligation that they agree.

It starts from any state; starts of play are compared as well. Equal parts of both games become the same
gates, so only their differences are left to an engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import cast

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.types import Scalar, Truth, Value
from rulespec.solver.formulas.aig import FALSE, TRUE, Gates, Watch
from rulespec.solver.formulas.case_splitting import MOST_CASES
from rulespec.solver.formulas.context import Env
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.formulas.effects import FAULT, STUCK, State
from rulespec.solver.formulas.layout import constrain_to_type, free_state
from rulespec.solver.formulas.unrolling.transition_relation import TransitionBuilder, declared_state
from rulespec.solver.formulas.values import Symbol, same, same_union

from .correspondence import Correspondence
from .mirrored_values import MirroredEffects, differ, image
from .symbolic_observations import UNSEEN, observing, symbolic_observation
from .winners import score, would_win


@dataclass(frozen=True)
class Difference:
    """A possible difference of two games, and the literal that it holds.

    `kind` is `legal` (an action that is legal in one only), `observed` (part of an action that a player
    observes in one only), `chance`, `state` (a variable after the ply), `fault`, `end`, `winner`, `score` or
    `sight`; `what` names the action, the variable or the player.
    """

    kind: str
    what: str
    literal: int


@dataclass
class PairedPly:
    """A ply of both games: possible differences, and the literals of the ways to act.

    `legal` are the literals that such a way is taken and legal in both games, `results` the states before
    `follow` of each game, by the literal of the way.
    """

    differences: list[Difference] = field(default_factory=list)
    ways: list[int] = field(default_factory=list)
    legal: list[int] = field(default_factory=list)
    results: tuple[list[tuple[int, State]], list[tuple[int, State]]] = field(default_factory=lambda: ([], []))


class Miter:
    """Two games in one set of gates, each with a state: `mine` and `other`."""

    def __init__(self, correspondence: Correspondence, watch: Watch | None = None) -> None:
        self.correspondence, self.gates = correspondence, Gates(watch=watch)
        self.gates.orderly = True
        self._a, self._b = (self._builder(game) for game in (correspondence.mine, correspondence.other))
        self._b.run = self._mirrored = MirroredEffects(self._b.evaluate, None, self._b.legality.can)
        self._mirrored.follow(correspondence, ())
        self.mine: State = {}
        self.other: State = {}

    def _builder(self, game: Game) -> TransitionBuilder:
        actions = list(game.actions.values())
        return TransitionBuilder(self.gates, Dependencies(game), None, {}, actions, actions)

    # ---- where they begin

    def begin_anywhere(self, granted: Sequence[n.Expr] = ()) -> None:
        """Set both states to one free state in which the game is not over and conditions are granted."""
        a, b, gates = self.correspondence.mine, self.correspondence.other, self.gates
        self.mine = self._free(a, list(a.state.values()))
        theirs = {there for _, there in self.correspondence.variables}
        lost: list[int] = []
        self.other = self._free(b, [var for var in b.state.values() if var not in theirs]) | {
            there: image(self.gates, self.correspondence, here.type, there.type, self.mine[here], lost)
            for here, there in self.correspondence.variables
        }
        for literal in (*lost, self.mine[a.state["over"]], self.other[b.state["over"]]):
            gates.require((-literal,))
        self.grant(granted)

    def grant(self, conditions: Sequence[n.Expr], legal: int = TRUE) -> None:
        """Grant conditions in the present state of the first game, unless a fault or no legal ply led there.

        After a ply that is legal in one game only, the gates of the first hold no state of play.
        """
        for condition in conditions:
            held = self._a.evaluate(condition, {}, self._a.moment(self.mine))
            self.gates.require((-legal, self.mine[FAULT], held))

    def _free(self, game: Game, variables: list[n.StateVar]) -> State:
        """A state with any values that the types allow, in which play goes on."""
        over = game.state["over"]
        state = free_state(self.gates, [var for var in variables if var is not over], {}, {})
        for var, symbol in state.items():
            constrain_to_type(self.gates, var.type, symbol)
        return {**state, over: FALSE, FAULT: FALSE, STUCK: FALSE}

    def begin_play(self) -> list[Difference]:
        """Set both states to the start of play, with the same chance; return the possible differences."""
        begun = []
        for builder in (self._a, self._b):
            self._mirrored.follow(self.correspondence, self._a.run.drawn)
            begun.append(builder.start(declared_state(builder.game)))
        self.mine, self.other = begun
        differences = [Difference("chance", "", lit) for lit in self._mirrored.rest()]
        return [*differences, *self._state_differences(FALSE)]

    # ---- one ply

    def ply(self) -> PairedPly:
        """One ply of both games by the same action, which advances both. Requires that play is not over."""
        a, gates = self.correspondence.mine, self.gates
        for literal in (self.mine[a.state["over"]], self.mine[FAULT], self.mine[STUCK]):
            gates.require((-literal,))
        self._a.run.drawn, self._mirrored.drawn = [], []
        ply, there = PairedPly(), dict(self.correspondence.actions)
        for action in a.actions.values():
            self._add_action(action, there.get(action), ply)
        for action in self.correspondence.other.actions.values():
            self._add_other_actions(action, ply)
        gates.one_of(ply.ways)
        ply.differences += self._follow(*ply.results)
        ply.differences = [d for d in ply.differences if d.literal != FALSE]
        return ply

    def stuck_differences(self) -> list[Difference]:
        """Differences in the result if nobody can act in a state that is not over."""
        stuck = -self.gates.any((self._a.legality.anything(self._a.moment(self.mine)), self.mine[FAULT]))
        if self.correspondence.mine.turn.stuck == "pass" or stuck == FALSE:
            return []
        over = (self.correspondence.mine.state["over"], self.correspondence.other.state["over"])
        here = self.gates.both(stuck, -self.mine[over[0]])
        closed = ({**self.mine, over[0]: TRUE}, {**self.other, over[1]: TRUE})
        return [*self._result_differences(here), *self._observation_differences(here, *closed)]

    def _add_action(self, action: Action, there: Action | None, ply: PairedPly) -> None:
        """Add all choices of an action in the first game, and in the other if that has the action."""
        gates, at, across = self.gates, self._a.moment(self.mine), self._b.moment(self.other)
        split = self._split(action, there)
        for env in self._a.environments(action, split):
            legal = self._a.legal(action, env, at)
            theirs = self._env(action, there, env) if there is not None else None
            echoed = FALSE if theirs is None else self._b.legal(cast(Action, there), theirs, across)
            if legal == FALSE and echoed == FALSE:
                continue
            literal = gates.free()
            gates.require((-literal, legal, echoed))
            ply.ways.append(literal)
            here = gates.both(literal, differ(gates, legal, echoed))
            ply.differences.append(Difference("legal", action.id, here))
            if theirs is None or there is None or FALSE in (legal, echoed):
                continue
            guard = gates.all((literal, legal, echoed))
            ply.legal.append(guard)
            ply.differences += self._action_differences(action, there, env, theirs, guard)
            mark = len(self._a.run.drawn)
            ply.results[0].append((literal, self._a.run(action.effect, env, self.mine, literal)))
            self._mirrored.follow(self.correspondence, self._a.run.drawn[mark:])
            ply.results[1].append((literal, self._b.run(there.effect, theirs, self.other, literal)))
            ply.differences += [Difference("chance", action.id, lit) for lit in self._mirrored.rest()]

    def _action_differences(
        self, action: Action, there: Action, env: Env, theirs: Env, guard: int
    ) -> Iterator[Difference]:
        """The differences in the parts of an action that players observe."""
        at, across = self._a.moment(self.mine), self._b.moment(self.other)
        if not (action.secrets or there.secrets):
            return
        for viewer, echo in self.correspondence.players.items():
            own = self.mine[self.correspondence.mine.mover].get(viewer, FALSE)
            here = observing(self._a, action, viewer, env, at, own)
            other = observing(self._b, there, echo, theirs, across, own)
            for mine, echoed in zip(here.values(), other.values(), strict=True):
                literal = self.gates.both(guard, differ(self.gates, mine, echoed))
                yield Difference("observed", action.id, literal)

    def _split(self, action: Action, there: Action | None) -> Sequence[tuple[n.Var, Sequence[Value]]]:
        """The choices to split: those that either game would split, unless there are too many cases."""
        split = self._a.split(action)
        if there is None:
            return split
        wanted = {var for var, _ in self._b.split(there)}
        chosen = [
            (a.var, cast(Scalar, a.var.type).values)
            for a, b in zip(action.choices, there.choices, strict=True)
            if a.chain is None and (b.var in wanted or any(a.var is var for var, _ in split))
        ]
        return chosen if prod(len(values) for _, values in chosen) <= MOST_CASES else split

    def _env(self, action: Action, there: Action, env: Env) -> Env | None:
        """The choices as values of the other game; None if it certainly has no such choice."""
        result: Env = {}
        for a, b in zip(action.choices, there.choices, strict=True):
            held = cast(Symbol, env[a.var])
            result[b.var] = image(self.gates, self.correspondence, a.var.type, b.var.type, held)
            if result[b.var] == {}:
                return None
        return result

    def _add_other_actions(self, action: Action, ply: PairedPly) -> None:
        """Add the actions and choices that exist in the other game only."""
        here = next((mine for mine, there in self.correspondence.actions if there is action), None)
        if here is None:
            self._add_unmatched(action, self._b.split(action), ply)
            return
        for mine, choice in zip(here.choices, action.choices, strict=True):
            if choice.chain is None and not isinstance(choice.var.type, Truth):
                called = set(self.correspondence.values(mine.var.type, choice.var.type).values())
                alone = [v for v in cast(Scalar, choice.var.type).values if v not in called]
                self._add_unmatched(action, [(choice.var, alone)], ply)

    def _add_unmatched(
        self, action: Action, split: Sequence[tuple[n.Var, Sequence[Value]]], ply: PairedPly
    ) -> None:
        """Add every way to take an action in the other game alone, for some values of its choices."""
        for env in self._b.environments(action, split):
            legal = self._b.legal(action, env, self._b.moment(self.other))
            if legal != FALSE:
                literal = self.gates.free()
                self.gates.imply(literal, legal)
                ply.ways.append(literal)
                ply.differences.append(Difference("legal", action.id, literal))

    def _follow(self, mine: list[tuple[int, State]], other: list[tuple[int, State]]) -> list[Difference]:
        """Advance to the states after the consequences of actions; returns the differences there."""
        before = self.mine[self.correspondence.mine.state["over"]]
        mark = len(self._a.run.drawn)
        acted = self.gates.any(literal for literal, _ in mine)
        self.mine = self._a.follow(self._a.merge_branches(self.mine, mine))
        self._mirrored.follow(self.correspondence, self._a.run.drawn[mark:])
        self.other = self._b.follow(self._b.merge_branches(self.other, other))
        result = [Difference("chance", "", lit) for lit in self._mirrored.rest()]
        result += self._state_differences(before)
        return [replace(d, literal=self.gates.both(acted, d.literal)) for d in result]

    # ---- what is compared

    def _state_differences(self, before: int) -> Iterator[Difference]:
        """Differences between the states reached, faults included."""
        gates = self.gates
        yield Difference("fault", "", differ(gates, self.mine[FAULT], self.other[FAULT]))
        sound = -self.mine[FAULT]
        for here, there in self.correspondence.variables:
            lost: list[int] = []
            shown = image(self.gates, self.correspondence, here.type, there.type, self.mine[here], lost)
            alike = gates.both(same(gates, there.type, shown, self.other[there]), -gates.any(lost))
            yield Difference("state", here.name, gates.both(sound, -alike))
        yield from self._observation_differences(sound, self.mine, self.other)
        over = self.mine[self.correspondence.mine.state["over"]]
        ended = gates.all((sound, over, -before))
        yield from self._end_differences(gates.both(ended, -self.mine[STUCK]))
        yield from self._result_differences(ended)

    def _end_differences(self, ended: int) -> Iterator[Difference]:
        """Differences in which end comes first, if the ends of both games have the same names."""
        mine, other = self.correspondence.mine.ends, self.correspondence.other.ends
        if {end.id for end in mine} != {end.id for end in other} or ended == FALSE:
            return
        first = []
        for builder, state, ends in ((self._a, self.mine, mine), (self._b, self.other, other)):
            over, held, earlier = builder.game.state["over"], {}, FALSE
            at = builder.moment({**state, over: FALSE})
            for end in ends:
                holds = builder.evaluate(end.condition, {}, at)
                held[end.id] = self.gates.both(holds, -earlier)
                earlier = self.gates.either(earlier, holds)
            first.append(held)
        for name, literal in first[0].items():
            yield Difference("end", name, self.gates.both(ended, differ(self.gates, literal, first[1][name])))

    def _observation_differences(self, guard: int, mine: State, other: State) -> Iterator[Difference]:
        """Differences in a player's observations, open information apart."""
        gates, correspondence = self.gates, self.correspondence
        for viewer, there in correspondence.players.items():
            for a, b in correspondence.sights or ():
                echoed = symbolic_observation(self._b, b, there, other)
                for keys, (seen, symbol) in symbolic_observation(self._a, a, viewer, mine).items():
                    also, echo = echoed.pop(correspondence.bound(a, b, keys), UNSEEN)
                    lost: list[int] = []
                    held = image(gates, correspondence, a.value.type, b.value.type, symbol, lost)
                    unlike = TRUE if also == FALSE else -same(gates, b.value.type, held, echo)
                    unlike = gates.both(seen, gates.any((unlike, *lost)))
                    unlike = gates.either(differ(gates, seen, also), unlike)
                    yield Difference("sight", str(viewer), gates.both(guard, unlike))
                for also, _ in echoed.values():
                    yield Difference("sight", str(viewer), gates.both(guard, also))

    def _result_differences(self, ended: int) -> Iterator[Difference]:
        """Differences in winners and scores, under the condition that play has ended."""
        if ended == FALSE:
            return
        a, b = self.correspondence.mine, self.correspondence.other
        sides = (self._a, self.mine), (self._b, self.other)
        moments = [builder.moment({**state, builder.game.state["over"]: TRUE}) for builder, state in sides]
        for player, there in self.correspondence.players.items():
            wins = self._a.evaluate(would_win(a, player), {}, moments[0])
            echoed = self._b.evaluate(would_win(b, there), {}, moments[1])
            differs = self.gates.both(ended, differ(self.gates, wins, echoed))
            yield Difference("winner", str(player), differs)
            scores = score(a, player), score(b, there)
            if scores[0] is not None and scores[1] is not None:
                mine = self._a.evaluate(scores[0], {}, moments[0])
                other = self._b.evaluate(scores[1], {}, moments[1])
                unlike = -same_union(self.gates, mine, other)
                yield Difference("score", str(player), self.gates.both(ended, unlike))
