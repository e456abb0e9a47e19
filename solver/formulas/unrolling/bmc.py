"""Bounded model checking: the rules unrolled over some plies and sent to an engine; plays read from
models."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.types import Value
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import STUCK as STUCK_END
from rulespec.play.position import Move

from ..aig import FALSE, TRUE, Gates, TooWide, Watch
from ..cone_of_influence import (
    breaks_bounds,
    cone_of_influence,
    effects_of,
    possible_actions,
    possible_faults,
)
from ..context import Env
from ..dependencies import Dependencies, changed_by
from ..effects import FAULT, STUCK, ChanceEvent, State
from ..layout import constrain_to_type, free_state
from ..values import lift
from .query import Oracle, Query, is_true, value_in
from .transition_relation import Ply, TransitionBuilder, declared_state, free_choice, outcomes
from .transition_template import TransitionTemplate, shared_template
from .variable_meanings import meanings


class Unrolling:
    """The transition relation of a game, unrolled over plies from a first state.

    Args:
        start: `initial` (every deal, or the one that `chance` gives in notation) or `any` (every state that
            the types allow, for induction).
        restrict: upper bounds of variables in all states; the caller knows that no play is lost by them.
        ask: the conditions that `holds` will get.
        only: the actions that may be taken; None for all.
        like: an unrolling from the start, whose constant variables and possible actions are reused.
        watch_all: watch every variable for faults, not only those of few values.
        watch: called now and then while formulas are built; it may raise to give up.
        loose: admit more states than the rules do (see `SymbolicEvaluator`), to prove that something is
            impossible.

    Raises:
        TooWide: the rules need too many cases.

    Source: bounded model checking, Biere, Cimatti, Clarke and Zhu 1999.
    """

    def __init__(
        self,
        game: Game,
        *,
        start: str,
        chance: Sequence[str] | None = None,
        restrict: Mapping[n.StateVar, int] | None = None,
        ask: Sequence[n.Expr] = (),
        only: Collection[str] | None = None,
        like: Unrolling | None = None,
        watch_all: bool = False,
        engine: Oracle,
        watch: Watch | None = None,
        loose: bool = False,
    ) -> None:
        self.game, self.gates, self.facts = game, Gates(watch=watch), Dependencies(game)
        self._watch, self._loose = watch, loose
        self._open_stuck = dict[int, int]()
        self._passing = game.turn.stuck == "pass"
        self._only, self._watch_all = only, watch_all
        self._query = Query(self.gates, engine, lambda: meanings(self.states, self.taken))
        self.most = dict(restrict or {})
        breaking = [a for a in game.actions.values() if breaks_bounds(a, self.most)]
        self._actions = [a for a in game.actions.values() if a not in breaking]
        self._fixed: State = {}
        if like is not None:
            there = set(game.state.values())
            self._actions = [game.actions[a.id] for a in like._actions]
            self._fixed = {v: s for v, s in like._fixed.items() if v in there}
        begin, dealing = None, [game.setup, game.turn.begin] if chance is None else []
        if start == "initial":
            begin = declared_state(game) if chance is None else self._state_of_deal(chance)
            touched = changed_by(dealing)
            still = {v: s for v, s in begin.items() if v not in touched | {FAULT, STUCK}}
            self._actions, self._fixed = possible_actions(game, self.facts, self._actions, still, watch)
        # What is never taken may be legal all the same, and then nobody is stuck.
        self._legal = [*self._actions, *breaking]
        self.wanted = self._relevant_variables(ask)
        may_fault = {a.target for a in possible_faults(self.facts, effects_of(game, self._actions))}
        self.unwatched: tuple[str, ...] = tuple(sorted(v.name for v in may_fault - self.wanted))
        """The variables that may fault without being watched."""
        self._chance: list[ChanceEvent] = []
        self._given_chance = tuple(chance or ())
        self.states: list[State] = [self._first_state(begin, dealing) if begin else self._typed_state()]
        self.taken: list[Ply] = []
        self.goes_on = False
        """True if somebody acts in every state, the last one included."""
        self._template: TransitionTemplate | None = None
        self._builder = TransitionBuilder(
            self.gates, self.facts, self.wanted, self.most, self._actions, self._legal, loose
        )
        self._evaluate, self._legality = self._builder.evaluate, self._builder.legality

    def _relevant_variables(self, ask: Sequence[n.Expr]) -> frozenset[n.StateVar]:
        """The variables on which plies and given conditions depend."""
        over = self.game.state["over"]
        asked_over = self._passing or any(over in self.facts.reads(e) for e in ask)
        deciding = self._legal if asked_over else self._actions
        return cone_of_influence(self.game, self.facts, self._actions, deciding, ask, self._watch_all)

    # ---- starts

    def _typed_state(self) -> State:
        """A state with any values that the types allow."""
        variables = [v for v in self.game.state.values() if v in self.wanted and v not in self._fixed]
        state = free_state(self.gates, variables, self.most, {})
        for var in variables:
            constrain_to_type(self.gates, var.type, state[var])
        return {**state, **self._fixed, FAULT: FALSE, STUCK: FALSE}

    def _first_state(self, begin: State, dealing: Sequence[n.Effect]) -> State:
        """The state in which plays begin; `dealing` is the rest of the setup.

        It keeps all known values, so that conditions not announced in `ask` can be evaluated in it.
        """
        kept, first, touched = self.wanted | set(self._fixed), begin, changed_by(dealing)
        if dealing:
            builder = TransitionBuilder(self.gates, self.facts, kept, {}, self._actions, self._legal)
            first = builder.start(begin)
            self._chance = list(builder.run.drawn)
        first = {**first, **self._fixed}
        for var, most in self.most.items():
            for value, literal in first.get(var, {}).items():
                if value > most:  # no play comes back from there
                    self.gates.require((first[FAULT], -literal))
        return {v: s for v, s in first.items() if v in kept | {FAULT, STUCK} or v not in touched}

    def _state_of_deal(self, chance: Sequence[str]) -> State:
        """The first state of a deal, given by its chance outcomes."""
        machine = Machine(self.game)
        position = machine.start(Chance(given=tuple(chance))).position
        state = {v: lift(v.type, x) for v, x in zip(self.game.state.values(), position.values, strict=True)}
        stuck = position.ended == STUCK_END
        over = position.ended is not None and (self._passing or not stuck)
        flags = {self.game.state["over"]: over, FAULT: position.fault is not None, STUCK: stuck}
        return {**state, **{flag: TRUE if held else FALSE for flag, held in flags.items()}}

    # ---- unrolling

    @property
    def is_relaxed(self) -> bool:
        """True if anything was left open, so that a possible play may not exist."""
        return self._evaluate.loosened or (self._template is not None and self._template.loosened)

    @property
    def plies(self) -> int:
        """The number of plies unrolled."""
        return len(self.taken)

    def extend(self, to: int | None = None) -> None:
        """Unroll one more ply, or up to `to` plies.

        Every model contains all of them, so the game is not over before the last.
        """
        for _ in range(self.plies, self.plies + 1 if to is None else to):
            if self._watch is not None:
                self._watch()
            self._unroll()

    def _unroll(self) -> None:
        """Add one ply to the unrolling, by the shared template of a ply."""
        if self._template is None:
            wanted = frozenset(v for v in self.wanted if v not in self._fixed)
            allowed = [a for a in self._actions if self._only is None or a.id in self._only]
            self._template = shared_template(
                self.facts, allowed, wanted, self._fixed, self.most, self._legal, self._watch, self._loose
            )
        last = self.states[-1]
        self.gates.require((-last[FAULT],))
        self.taken.append(self._template.stamp(self.gates, last, self._evaluate.opened))
        self.states.append(self.taken[-1].after)

    def encodes(self, e: n.Expr) -> bool:
        """True if the first state encodes all variables that a condition reads, as `holds` requires."""
        return self.facts.reads(e) <= self.states[0].keys()

    def may_take(self, action: Action) -> bool:
        """True unless an action can never be taken in these plies."""
        return any(a.id == action.id for a in self._actions)

    def holds(self, e: n.Expr, k: int) -> int:
        """Literal that a condition holds after `k` plies.

        A ply with a fault leaves the state as it was.
        """
        state, over = self.states[k], self.game.state["over"]
        if over in self.facts.reads(e):
            state = {**state, over: self.gates.either(state[over], self._stuck_or_open(k))}
        now = self._at(e, state)
        if state[FAULT] == FALSE or (self._given_chance and not k):
            return now
        before = self.holds(e, k - 1) if k else self._at(e, declared_state(self.game))
        return self.gates.choose(state[FAULT], before, now)

    def _stuck_or_open(self, k: int) -> int:
        """Literal that nobody can act after `k` plies; free at the end of a `loose` unrolling."""
        if self.goes_on and not self._passing:
            return FALSE
        if not self._loose or self._passing:
            return self.stuck_literal(k)
        if k < self.plies:
            return FALSE  # a ply follows
        self._evaluate.loosened = True
        if k not in self._open_stuck:
            self._open_stuck[k] = self.gates.free()
        return self._open_stuck[k]

    def legal_with_condition(self, action: Action, values: Mapping[n.Var, Value], e: n.Expr) -> int:
        """Literal that in the first state an action with these choices is legal and `e` holds.

        `e` may name the choices of the action. Choices without a value are free. Conditions on the state
        after the action are left out, so it may be illegal after all.
        """
        at = self._builder.moment(self.states[0])
        env: Env = {
            c.var: lift(c.var.type, values[c.var]) if c.var in values else free_choice(self.gates, c)
            for c in action.choices
        }
        held = int(self._evaluate(e, env, at))
        if held == FALSE:
            return FALSE
        legal = self._builder.legal(action, env, at, _is_of_now)
        return self.gates.all((-at.state[self.game.state["over"]], held, legal))

    def _at(self, e: n.Expr, state: State) -> int:
        return int(self._evaluate(e, {}, self._builder.moment(state)))

    def condition_after_acting(self, action: Action, e: n.Expr) -> Iterator[int]:
        """Literals, one for each way to take an action: it is legal in the first state, and a condition
        holds after its effect, before any reaction."""
        for legal, after in self._builder.successors(action, self.states[0]):
            yield self._play_goes_on_to(legal, after, e)

    def condition_after_reactions(self, e: n.Expr) -> int:
        """Literal for a condition after the reactions to an action that led to the first state have run."""
        return self._play_goes_on_to(TRUE, self._builder.follow(self.states[0]), e)

    def _play_goes_on_to(self, happens: int, after: State, e: n.Expr) -> int:
        """The literal that play goes on, something happens without a fault, and a condition follows."""
        if happens == FALSE:
            return FALSE
        goes_on = -self.states[0][self.game.state["over"]]
        return self.gates.all((goes_on, happens, -after[FAULT], self._at(e, after)))

    def fault(self, k: int) -> int:
        """Literal for a fault in ply `k`: a stored value does not fit its variable.

        Raises TooWide if a variable has too many values to be watched.
        """
        if self.unwatched:
            raise TooWide(f"faults in {' and '.join(f'`{name}`' for name in self.unwatched)}")
        return self.watched_fault(k)

    def watched_fault(self, k: int) -> int:
        """Literal for a fault in ply `k` in one of the watched variables."""
        return int(self.states[k][FAULT])

    def idle(self, k: int, actions: Iterable[str]) -> int:
        """Literal that after `k` plies the game is not over and none of some actions is legal."""
        state = self.states[k]
        at = self._builder.moment(state)
        legal = self.gates.any([self._legality.can(action, [], at) for action in actions])
        return self.gates.all((-state[self.game.state["over"]], -state[FAULT], -legal))

    def stuck_literal(self, k: int) -> int:
        """Literal that after `k` plies the game is not over and nobody can act."""
        state = self.states[k]
        if self._passing:
            return int(state[STUCK])
        legal = self._legality.anything(self._builder.moment(state))
        return self.gates.all((-state[self.game.state["over"]], -state[FAULT], -legal))

    # ---- asking

    def solve(
        self, demanded: Iterable[int], seconds: float | None, one_of: Iterable[int] | None = None
    ) -> bool | None:
        """True if everything unrolled and these literals, with one of `one_of`, are satisfiable; None if
        time ran out."""
        return self._query.solve(demanded, seconds, one_of)

    def was(self, literal: int) -> bool:
        """The truth of a literal in the last model."""
        return is_true(literal, self._query.model)

    def model_values(self, k: int) -> dict[n.StateVar, Value]:
        """The values of variables after `k` plies in the last model, for the variables that it determines."""
        true, values = self._query.model, dict[n.StateVar, Value]()
        for var in self.game.state.values():
            if var in self.states[k]:
                with suppress(StopIteration):  # for want of a value that is true
                    values[var] = value_in(var.type, self.states[k][var], true)
        return values

    def moves(self) -> tuple[tuple[str, ...], list[Move]]:
        """The outcomes of chance (in notation) and the moves of the last model."""
        true = self._query.model
        chance = [*self._given_chance, *outcomes(self._chance, true)]
        chance += [text for ply in self.taken for text in outcomes(ply.drawn, true)]
        return tuple(chance), [ply.move(true) for ply in self.taken]


def _is_of_now(condition: n.Expr) -> bool:
    return not isinstance(condition, n.After)
