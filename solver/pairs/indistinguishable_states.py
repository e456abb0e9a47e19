"""Two states of one game that look the same to a player: can required knowledge differ in them?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulespec.core import nodes as n
from rulespec.core.game import Game, Sight
from rulespec.core.types import Value
from rulespec.solver.formulas.aig import FALSE, TRUE, Gates, Watch
from rulespec.solver.formulas.context import Moment
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.formulas.effects import State
from rulespec.solver.formulas.layout import constrain_to_type, free_state
from rulespec.solver.formulas.unrolling.query import Oracle, Query
from rulespec.solver.formulas.unrolling.transition_relation import TransitionBuilder
from rulespec.solver.formulas.values import constant, same

from .agreement import Seconds, satisfiable
from .mirrored_values import differ
from .symbolic_observations import UNSEEN, symbolic_observation
from .winners import judged_by


class IndistinguishableStates:
    """Two states of one game in one set of gates that look the same to a player.

    Conditions that read only common parts are ignored: so more seems possible than is, at less cost.
    """

    def __init__(self, game: Game, viewer: Value, watch: Watch | None = None) -> None:
        self.game, self.gates, self.viewer = game, Gates(watch=watch), viewer
        actions = list(game.actions.values())
        self.builder = TransitionBuilder(self.gates, Dependencies(game), None, {}, actions, actions)
        self._apart: frozenset[n.StateVar] = frozenset()

    def anywhere(self, over: bool, granted: Sequence[n.Expr]) -> tuple[State, State]:
        """Two arbitrary look-alike states, over or with the player to move, in which conditions hold."""
        game, gates = self.game, self.gates
        fixed: State = {game.state["over"]: TRUE if over else FALSE}
        if not over:
            fixed[game.mover] = constant(self.viewer)
        first = free_state(gates, list(game.state.values()), {}, fixed)
        alike = {var: symbol for var, symbol in first.items() if not var.hidden}
        second = free_state(gates, list(game.state.values()), {}, alike)
        for state in (first, second):
            for var, symbol in state.items():
                if var not in fixed and (state is first or var.hidden):
                    constrain_to_type(gates, var.type, symbol)
        second |= self._alike_state(first, second)
        self._apart = frozenset(var for var in first if first[var] is not second[var])
        for state in (first, second) if self._apart else ():
            for condition in granted:
                gates.require((self.builder.evaluate(condition, {}, self.at(state)),))
        gates.require((self.look_alike(first, second),))
        return first, second

    def _alike_state(self, first: State, second: State) -> State:
        """The second state, which shares the entries of hidden variables that the player sees."""
        shown: State = {}
        for sight in self.game.sights:
            e = sight.value
            if isinstance(e, n.Get):
                shown[e.var] = first[e.var]
            elif isinstance(e, n.Read) and isinstance(e.map, n.Get):
                places = set(self._places(sight, e.key))
                held = shown[e.map.var] if e.map.var in shown else second[e.map.var]
                whole = {key: first[e.map.var][key] if key in places else part for key, part in held.items()}
                shown[e.map.var] = whole
        return shown

    def _places(self, sight: Sight, key: n.Expr) -> Sequence[Value]:
        """The keys of a map whose entries a sight always shows."""
        if isinstance(key, n.Const):
            return [key.value]
        if isinstance(key, n.Local) and key.var is sight.viewer:
            return [self.viewer]
        for var, source in sight.binders:
            if isinstance(key, n.Local) and key.var is var and isinstance(source, n.Domain):
                return source.of.values if len(sight.binders) == 1 else []
        return []

    def _counts(self, e: n.Expr) -> bool:
        """True if a condition reads something that may differ."""
        return bool(self.builder.facts.reads(e) & self._apart)

    def at(self, state: State) -> Moment:
        """The context of expressions in a state."""
        return self.builder.moment(state)

    def look_alike(self, first: State, second: State) -> int:
        """Literal that the player's sights are equal in both states, visible variables apart."""
        gates, alike = self.gates, []
        for sight in self.game.sights:
            here, there = (
                symbolic_observation(self.builder, sight, self.viewer, state) for state in (first, second)
            )
            for keys in dict.fromkeys((*here, *there)):
                (one, a), (other, b) = here.get(keys, UNSEEN), there.get(keys, UNSEEN)
                alike.append(-differ(gates, one, other))
                if FALSE not in (one, other):
                    alike.append(gates.either(-one, same(gates, sight.value.type, a, b)))
        return gates.all(alike)

    # ---- what must be known

    def unlike_legal(self, first: State, second: State) -> list[int]:
        """For each possible act of the player as mover, a literal that it is legal in the first state
        only."""
        gates, builder = self.gates, self.builder
        moves = first[self.game.mover].get(self.viewer, FALSE)
        ways: list[int] = []
        unlike: list[int] = []
        for action in self.game.actions.values():
            for env in builder.environments(action, builder.split(action)):
                legal, there = (
                    builder.legal(action, env, self.at(state), self._counts) for state in (first, second)
                )
                here = gates.all((moves, legal, -there))
                if here != FALSE:
                    ways.append(gates.free())
                    gates.imply(ways[-1], here)
                    unlike.append(ways[-1])
        return unlike

    def unlike_winners(self, first: State, second: State) -> list[int]:
        """Literals, one of which holds if the winners of two finished states may differ."""
        judging = [part for player in self.game.player.values for part in judged_by(self.game, player)]
        unlike = []
        for e in filter(self._counts, judging):
            mine, other = (self.builder.evaluate(e, {}, self.at(state)) for state in (first, second))
            unlike.append(-same(self.gates, e.type, mine, other))
        return unlike


ACTIONS, WINNERS = "actions", "winners"


@dataclass(frozen=True)
class Unknown:
    """Something that a player's view does not determine: the own legal `actions`, or the `winners`."""

    viewer: Value
    what: str


def unknown_now(
    game: Game, engine: Oracle, seconds: Seconds, granted: Sequence[n.Expr] = (), watch: Watch | None = None
) -> Unknown | None:
    """A fact that some player's view does not determine in some state, ignoring the history.

    The state is any one with the granted conditions, so the player may know the fact nevertheless, from
    earlier observations or because the state is unreachable. None if every view determines everything. Raises
    EngineGaveUp, TooWide.
    """

    def possible(viewer: Value, what: str) -> bool:
        pair = IndistinguishableStates(game, viewer, watch)
        states = pair.anywhere(what == WINNERS, granted)
        unlike = pair.unlike_legal(*states) if what == ACTIONS else pair.unlike_winners(*states)
        return satisfiable(Query(pair.gates, engine), seconds, unlike)

    for viewer in game.player.values:
        for what in (ACTIONS, WINNERS):
            if possible(viewer, what):
                return Unknown(viewer, what)
    return None
