"""Whether the rules commute with a symmetry, on any state at all: as gates that say where they do not.

The image of a state of free literals is made of the same literals, so what the rules say of both shares
most of its gates. An action and its image are compared with every choice of values; chance is not.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import cast

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.symmetry import Symmetry
from rulespec.core.types import List, Map, Optional, Scalar, Set, Truth, Type, Value
from rulespec.core.walk import inside

from .context import Env
from .effects import FAULT, STUCK, State
from .facts import Facts
from .gates import FALSE, TRUE, Gates, TooWide, Watch, cnf
from .layout import exclusive, free_state
from .step import Stepper, lifted
from .unroll import Engine
from .values import Row, Symbol, same

MOST_WAYS = 5_000
"""An action with more combinations of values for its choices is not compared."""


def turned(symmetry: Symmetry, t: Type, symbol: Symbol) -> Symbol:
    """The image of a symbolic value."""
    if isinstance(t, Truth):
        return symbol
    if isinstance(t, Scalar | Optional):
        of = t if isinstance(t, Scalar) else t.of
        table = symmetry.table(of) if of is not None else None
        return symbol if table is None else {table.get(v): lit for v, lit in symbol.items()}
    if isinstance(t, Map):
        return {symmetry.one(t.keys, key): turned(symmetry, t.of, held) for key, held in symbol.items()}
    table = symmetry.table(t.of) if isinstance(t, Set | List) and t.of is not None else None
    if table is None:
        return symbol
    if isinstance(t, Set):
        return {table[v]: lit for v, lit in symbol.items()}
    return Row([{table[v]: lit for v, lit in item.items()} for item in symbol.items], symbol.size)


class Commuting:
    """Asks an engine whether the rules of a game say of the image of any state what they say of the state.

    `known` are conditions that hold in every position that can be reached. `watch` may raise to give up.
    TooWide where formulas do not cover it; Leaves where the symmetry takes a value out of its type.
    """

    def __init__(
        self,
        game: Game,
        symmetry: Symmetry,
        known: Sequence[n.Expr],
        engine: Engine,
        watch: Watch | None = None,
    ) -> None:
        if _chancy(game):
            raise TooWide("chance in what an action does")
        self.game, self.symmetry, self._known, self._engine = game, symmetry, known, engine
        self._watch, self._facts = watch, Facts(game)

    def parts(self) -> Iterator[tuple[str, Callable[[State, State], Iterator[int]]]]:
        """What is asked one by one: each action, the ends, the turn and the outcome."""
        for action in self.game.actions.values():
            yield f"`{action.id}`", partial(self._acts, action)
        yield from (("the ends", self._ends), ("the turn", self._turn), ("the outcome", self._outcome))

    def holds(self, part: Callable[[State, State], Iterator[int]], seconds: float) -> bool | None:
        """Whether a part of the rules is the same for images; None if time ran out."""
        self._gates = gates = Gates(watch=self._watch)
        gates.orderly = True
        every = list(self.game.actions.values())
        self._stepper = Stepper(gates, self._facts, None, {}, every, every)
        variables, over = list(self.game.state.values()), self.game.state["over"]
        state: State = {**free_state(gates, variables, {}, {}), over: FALSE, FAULT: FALSE, STUCK: FALSE}
        for var in variables:
            exclusive(gates, var.type, state[var])
        differs = [x for x in part(state, self._turned(state)) if x != FALSE]
        if not differs:
            return True
        session = self._engine.session()
        session.add([(TRUE,), *cnf(gates, 2), *gates.clauses])
        answer = session.solve([], seconds, differs)
        return None if answer is None else not answer

    def _grant(self, state: State) -> None:
        """Take what is known for granted; it holds before an action and at the end, not within a ply."""
        for condition in self._known:
            self._gates.require((self._stepper.meaning(condition, {}, self._stepper.moment(state)),))

    def _turned(self, state: State) -> State:
        found = {v: turned(self.symmetry, v.type, state[v]) for v in self.game.state.values()}
        return {**found, FAULT: state[FAULT], STUCK: state[STUCK]}

    def _acts(self, action: Action, state: State, image: State) -> Iterator[int]:
        gates = self._gates
        self._grant(state)
        if any(choice.chain is not None for choice in action.choices):
            raise TooWide(f"chains of `{action.id}`")
        domains = [cast(Scalar, c.var.type).values for c in action.choices]
        ways = list(itertools.islice(itertools.product(*domains), MOST_WAYS + 1))
        if len(ways) > MOST_WAYS:
            raise TooWide(f"the choices of `{action.id}`")
        for args in ways:
            others = tuple(
                self.symmetry.one(cast(Scalar, c.var.type), v)
                for c, v in zip(action.choices, args, strict=True)
            )
            legal, after = self._after(action, args, state)
            allowed, then = self._after(action, others, image)
            yield gates.choose(legal, -allowed, allowed)
            if after is not None and then is not None:
                yield from (gates.both(legal, x) for x in self._unlike(after, then))

    def _unlike(self, after: State, then: State) -> Iterator[int]:
        """Where a state is not the image of another; after a fault only that matters."""
        gates, expected = self._gates, self._turned(after)
        for flag in (FAULT, STUCK):
            yield gates.choose(after[flag], -then[flag], then[flag])
        for var in self.game.state.values():
            if expected[var] is not then[var]:
                yield gates.both(-after[FAULT], -same(gates, var.type, expected[var], then[var]))

    def _after(self, action: Action, args: Sequence[Value], state: State) -> tuple[int, State | None]:
        """Whether an action is legal with these values, and the state after it where it may be."""
        env: Env = {c.var: lifted(c.var, v) for c, v in zip(action.choices, args, strict=True)}
        at = self._stepper.moment(state)
        legal = self._stepper.legality.can(action.id, list(env.values()), at)
        if legal == FALSE:
            return FALSE, None
        return legal, self._stepper.acted(action, env, state)

    def _ends(self, state: State, image: State) -> Iterator[int]:
        """Where an end is reached in one of the two only."""
        before, beyond = (self._stepper.moment(s) for s in (state, image))
        for end in self.game.ends:
            a, b = (self._stepper.meaning(end.condition, {}, at) for at in (before, beyond))
            yield self._gates.choose(a, -b, b)

    def _turn(self, state: State, image: State) -> Iterator[int]:
        """Where the turn goes another way, whether or not an end was reached."""
        over = self._gates.free()
        after, then = (
            self._stepper.turn({**s, self.game.state["over"]: over}, pass_on=True) for s in (state, image)
        )
        yield from self._unlike(after, then)

    def _outcome(self, state: State, image: State) -> Iterator[int]:
        """Where the winners, a score or what decides ties is another, when the game is over."""
        over, outcome, player = self.game.state["over"], self.game.outcome, self.game.player
        self._grant({**state, over: TRUE})
        before, beyond = (self._stepper.moment({**s, over: TRUE}) for s in (state, image))
        mean, gates = self._stepper.meaning, self._gates
        each = [e for e in (outcome.score, *(value for _, value in outcome.ties)) if e is not None]
        if outcome.winners is not None and isinstance(outcome.winners.type, Set):
            a, b = (mean(outcome.winners, {}, at) for at in (before, beyond))
            yield -same(gates, outcome.winners.type, turned(self.symmetry, outcome.winners.type, a), b)
        elif outcome.winners is not None:
            each.append(outcome.winners)
        for e in each:
            for p in player.values:
                a = mean(e, {outcome.player: lifted(outcome.player, p)}, before)
                b = mean(e, {outcome.player: lifted(outcome.player, self.symmetry.one(player, p))}, beyond)
                yield -same(gates, e.type, a, b)


def _chancy(game: Game) -> bool:
    """Whether chance has a part in any ply."""
    effects = [game.turn.begin, *(action.effect for action in game.actions.values())]
    effects += [reaction.effect for reaction in game.reactions]
    return any(isinstance(node, n.Draw | n.Shuffle) for effect in effects for node in inside(effect))
