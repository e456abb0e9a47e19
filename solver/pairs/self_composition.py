"""Self-composition: two plays of one game, unrolled side by side, that look the same to a player."""

from __future__ import annotations

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.nodes import Var
from rulespec.core.types import Truth, Value
from rulespec.solver.formulas.aig import FALSE, Watch
from rulespec.solver.formulas.context import Moment
from rulespec.solver.formulas.effects import FAULT, STUCK, ChanceEvent, State
from rulespec.solver.formulas.unrolling.query import Oracle, Query
from rulespec.solver.formulas.unrolling.transition_relation import Ply, declared_state, outcomes, settle
from rulespec.solver.formulas.values import Symbol, same

from .agreement import Seconds, satisfiable
from .belief_states import History
from .indistinguishable_states import IndistinguishableStates
from .mirrored_values import differ
from .symbolic_observations import observing
from .winners import would_win


class SelfComposition(IndistinguishableStates):
    """Two plays from the start with equal observations of a player."""

    def __init__(
        self, game: Game, viewer: Value, engine: Oracle, seconds: Seconds, watch: Watch | None = None
    ) -> None:
        super().__init__(game, viewer, watch)
        self._query, self._seconds = Query(self.gates, engine), seconds
        self._states: list[State] = []
        self._dealt: list[list[ChanceEvent]] = []
        self._taken: list[list[Ply]] = []
        self.closed = False
        """True if no two plays that look the same can go on."""

    def deeper(self) -> tuple[History, History] | None:
        """Two plays, one ply longer than before, after which required knowledge differs; else None.

        They come from formulas, so callers must replay them. Raises EngineGaveUp, TooWide.
        """
        if self._states:
            self._go_on()
        else:
            self._begin()
        self._demand_alike()
        if self._possible(self._unlike()):
            return self._course(0), self._course(1)
        self.closed = not self._possible(None)
        return None

    # ---- plies

    def _begin(self) -> None:
        for _ in range(2):
            self._states.append(self.builder.start(declared_state(self.game)))
            self._dealt.append(self.builder.run.drawn)

    def _go_on(self) -> None:
        """Unroll one ply of both plays with equal observations."""
        own = self._states[0][self.game.mover].get(self.viewer, FALSE)
        before = [self.at(state) for state in self._states]
        both = [self.builder.ply(state) for state in self._states]
        self._taken.append(both)
        for action in self.game.actions.values():
            self._demand_observed(action, both, before, own)
        self._states = [ply.after for ply in both]

    def _demand_observed(self, action: Action, both: list[Ply], before: list[Moment], own: int) -> None:
        """Require equal observations of an action in both plays."""
        gates, variables = self.gates, [choice.var for choice in action.choices]
        observed: list[dict[Var | None, int]] = []
        for ply, at in zip(both, before, strict=True):
            shown: dict[Var | None, list[int]] = {part: [] for part in (None, *variables)}
            for case in (case for case in ply.cases if case.action is action):
                env = settle(ply.choices[action.id], case.settled)
                here = observing(self.builder, action, self.viewer, env, at, own)
                for part, literal in here.items():
                    shown[part].append(gates.both(case.literal, literal))
            observed.append({part: gates.any(literals) for part, literals in shown.items()})
        for part in observed[0]:
            gates.require((-differ(gates, observed[0][part], observed[1][part]),))
            if part is not None:
                mine, other = (self._chosen(ply, action, part) for ply in both)
                gates.require((-observed[0][part], same(gates, part.type, mine, other)))

    def _chosen(self, ply: Ply, action: Action, var: Var) -> Symbol:
        """The value of a choice in a ply that takes the action: free, or fixed by its cases."""
        if var in ply.choices[action.id]:
            return ply.choices[action.id][var]
        cases = [c for c in ply.cases if c.action is action]
        if isinstance(var.type, Truth):
            return self.gates.any(c.literal for c in cases if c.settled[var])
        values = dict.fromkeys(c.settled[var] for c in cases)
        return {v: self.gates.any(c.literal for c in cases if c.settled[var] == v) for v in values}

    def _demand_alike(self) -> None:
        """Require that neither play has faulted and the player's view of both is the same."""
        gates = self.gates
        for state in self._states:
            gates.require((-state[FAULT],))
        seen = [self._seen(state) for state in self._states]
        for var in self.game.state.values():
            if not var.hidden:
                gates.require((same(gates, var.type, seen[0][var], seen[1][var]),))
        gates.require((self.look_alike(*seen),))

    def _seen(self, state: State) -> State:
        """The state for observation, in which play is also over if nobody can act."""
        over = self.game.state["over"]
        return {**state, over: self.gates.either(state[over], self._stuck(state))}

    def _stuck(self, state: State) -> int:
        if self.game.turn.stuck == "pass":
            return int(state[STUCK])
        legal = self.builder.legality.anything(self.at(state))
        return self.gates.all((-state[self.game.state["over"]], -legal))

    # ---- what must be known

    def _unlike(self) -> list[int]:
        gates, over = self.gates, self.game.state["over"]
        first, second = self._states
        unlike = [gates.both(-first[over], way) for way in self.unlike_legal(first, second)]
        seen = [self._seen(state) for state in self._states]
        for player in self.game.player.values:
            e = would_win(self.game, player)
            wins = [self.builder.evaluate(e, {}, self.at(state)) for state in seen]
            unlike.append(gates.both(seen[0][over], differ(gates, *wins)))
        return unlike

    def _counts(self, e: n.Expr) -> bool:
        """True: in plays from the start anything may differ."""
        return True

    def _possible(self, unlike: list[int] | None) -> bool:
        return satisfiable(self._query, self._seconds, unlike)

    def _course(self, which: int) -> History:
        true = self._query.model
        plies = [both[which] for both in self._taken]
        drawn = [*self._dealt[which], *(event for ply in plies for event in ply.drawn)]
        return History(tuple(outcomes(drawn, true)), tuple(ply.move(true) for ply in plies))
