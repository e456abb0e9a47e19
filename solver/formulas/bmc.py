"""Bounded model checking: the rules unrolled over some plies, put to an engine; plays read from models."""

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

from .aig import FALSE, TRUE, Gates, TooWide, Watch
from .cone_of_influence import breaks_bounds, cone_of_influence, effects_of, possible_faults, standing
from .context import Env
from .dependencies import Dependencies, changed_by
from .effects import FAULT, STUCK, ChanceEvent, State
from .layout import constrain_to_type, free_state
from .query import Oracle, Query, is_true, value_in
from .transition_relation import Ply, TransitionBuilder, declared, free_choice, outcomes
from .transition_template import TransitionTemplate
from .values import lift
from .variable_meanings import meanings


class Unrolling:
    """Plies of a game from a start, as formulas.

    `start` is `initial` (every deal, or the one given by `chance` in notation) or `any` (every typed
    state, for induction). `restrict` gives greatest values that some variables have all along; it is
    for the asker to know that this loses nothing. `ask` are the conditions that `holds` will get.
    With `only`, just these actions are taken. `like` is an unrolling from the start: what never changes
    in its plays is taken over, and the actions that it can take. With `watch_all` a fault is seen wherever
    it may be, else only at places of few values. `watch` is called now and then while formulas are built.
    With `loose` more is possible than there is, see `SymbolicEvaluator`: good for showing what is impossible.
    TooWide if the rules need more cases than are affordable.
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
            begin = declared(game) if chance is None else self._given(chance)
            touched = changed_by(dealing)
            still = {v: s for v, s in begin.items() if v not in touched | {FAULT, STUCK}}
            self._actions, self._fixed = standing(game, self.facts, self._actions, still, watch)
        # What is never taken may be legal all the same, and then nobody is stuck.
        self._legal = [*self._actions, *breaking]
        self.wanted = self._needed(ask)
        may_fault = {a.target for a in possible_faults(self.facts, effects_of(game, self._actions))}
        self.unwatched: tuple[str, ...] = tuple(sorted(v.name for v in may_fault - self.wanted))
        """The variables that may fault without being watched."""
        self._chance: list[ChanceEvent] = []
        self._given_chance = tuple(chance or ())
        self.states: list[State] = [self._first(begin, dealing) if begin else self._any()]
        self.taken: list[Ply] = []
        self._template: TransitionTemplate | None = None
        self._builder = TransitionBuilder(
            self.gates, self.facts, self.wanted, self.most, self._actions, self._legal, loose
        )
        self._evaluate, self._legality = self._builder.evaluate, self._builder.legality

    def _needed(self, ask: Sequence[n.Expr]) -> frozenset[n.StateVar]:
        over = self.game.state["over"]
        asked_over = self._passing or any(over in self.facts.reads(e) for e in ask)
        deciding = self._legal if asked_over else self._actions
        return cone_of_influence(self.game, self.facts, self._actions, deciding, ask, self._watch_all)

    # ---- starts

    def _any(self) -> State:
        variables = [v for v in self.game.state.values() if v in self.wanted and v not in self._fixed]
        state = free_state(self.gates, variables, self.most, {})
        for var in variables:
            constrain_to_type(self.gates, var.type, state[var])
        return {**state, **self._fixed, FAULT: FALSE, STUCK: FALSE}

    def _first(self, begin: State, dealing: Sequence[n.Effect]) -> State:
        """The state where plays begin, `dealing` being still to be done, if anything.

        All is kept that is known, so that conditions not told of can be asked there.
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

    def _given(self, chance: Sequence[str]) -> State:
        machine = Machine(self.game)
        position = machine.start(Chance(given=tuple(chance))).position
        state = {v: lift(v.type, x) for v, x in zip(self.game.state.values(), position.values, strict=True)}
        stuck = position.ended == STUCK_END
        over = position.ended is not None and (self._passing or not stuck)
        flags = {self.game.state["over"]: over, FAULT: position.fault is not None, STUCK: stuck}
        return {**state, **{flag: TRUE if held else FALSE for flag, held in flags.items()}}

    # ---- unrolling

    @property
    def loosened(self) -> bool:
        """True if anything was left open, so that what is possible may not be so."""
        return self._evaluate.loosened or (self._template is not None and self._template.loosened)

    @property
    def plies(self) -> int:
        """The number of plies unrolled."""
        return len(self.taken)

    def extend(self, to: int | None = None) -> None:
        """Unroll one more ply, or until there are so many.

        In every model each is taken, so the game is not over before it.
        """
        for _ in range(self.plies, self.plies + 1 if to is None else to):
            if self._watch is not None:
                self._watch()
            self._unroll()

    def _unroll(self) -> None:
        if self._template is None:
            wanted = frozenset(v for v in self.wanted if v not in self._fixed)
            allowed = [a for a in self._actions if self._only is None or a.id in self._only]
            self._template = TransitionTemplate(
                self.facts, allowed, wanted, self._fixed, self.most, self._legal, self._watch, self._loose
            )
        last = self.states[-1]
        self.gates.require((-last[FAULT],))
        self.taken.append(self._template.stamp(self.gates, last))
        self.states.append(self.taken[-1].after)

    def tells(self, e: n.Expr) -> bool:
        """True if the first state encodes everything that a condition reads, so that `holds` accepts it."""
        return self.facts.reads(e) <= self.states[0].keys()

    def takes(self, action: Action) -> bool:
        """False if an action can surely never be taken."""
        return any(a.id == action.id for a in self._actions)

    def holds(self, e: n.Expr, k: int) -> int:
        """The literal that says that a condition holds after `k` plies.

        A ply that faults leaves the state as it was before it.
        """
        state, over = self.states[k], self.game.state["over"]
        if over in self.facts.reads(e):
            state = {**state, over: self.gates.either(state[over], self.stuck(k))}
        now = self._at(e, state)
        if state[FAULT] == FALSE or (self._given_chance and not k):
            return now
        before = self.holds(e, k - 1) if k else self._at(e, declared(self.game))
        return self.gates.choose(state[FAULT], before, now)

    def acts(self, action: Action, values: Mapping[n.Var, Value], e: n.Expr) -> int:
        """The literal that says that an action with these choices is legal in the first state, and `e` holds
        there, in which its choices may stand. Choices that are not given are free.
        """
        at = self._builder.moment(self.states[0])
        env: Env = {
            c.var: lift(c.var.type, values[c.var]) if c.var in values else free_choice(self.gates, c)
            for c in action.choices
        }
        held = int(self._evaluate(e, env, at))
        if held == FALSE:
            return FALSE
        return self.gates.all(
            (-at.state[self.game.state["over"]], held, self._builder.legal(action, env, at))
        )

    def _at(self, e: n.Expr, state: State) -> int:
        return int(self._evaluate(e, {}, self._builder.moment(state)))

    def after_acting(self, action: Action, e: n.Expr) -> Iterator[int]:
        """For each way to take an action the literal that says that it may be taken in the first state, and
        that a condition holds when it has been done and nothing has followed.
        """
        for legal, after in self._builder.successors(action, self.states[0]):
            yield self._comes(legal, after, e)

    def after_following(self, e: n.Expr) -> int:
        """The literal that says that a condition holds once all has followed that follows an action which led
        to the first state.
        """
        return self._comes(TRUE, self._builder.follow(self.states[0]), e)

    def _comes(self, happens: int, after: State, e: n.Expr) -> int:
        if happens == FALSE:
            return FALSE
        goes_on = -self.states[0][self.game.state["over"]]
        return self.gates.all((goes_on, happens, -after[FAULT], self._at(e, after)))

    def fault(self, k: int) -> int:
        """The literal that says that ply `k` stored a value that its place does not hold.

        TooWide where a place has so many values that it is not watched.
        """
        if self.unwatched:
            raise TooWide(f"faults in {' and '.join(f'`{name}`' for name in self.unwatched)}")
        return self.fault_seen(k)

    def fault_seen(self, k: int) -> int:
        """The literal that says that ply `k` faulted, as far as faults are watched for."""
        return int(self.states[k][FAULT])

    def idle(self, k: int, actions: Iterable[str]) -> int:
        """The literal that says that after `k` plies no end was reached and none of some actions is legal."""
        state = self.states[k]
        at = self._builder.moment(state)
        legal = self.gates.any([self._legality.can(action, [], at) for action in actions])
        return self.gates.all((-state[self.game.state["over"]], -state[FAULT], -legal))

    def stuck(self, k: int) -> int:
        """The literal that says that after `k` plies no end was reached and nobody can act."""
        state = self.states[k]
        if self._passing:
            return int(state[STUCK])
        legal = self._legality.anything(self._builder.moment(state))
        return self.gates.all((-state[self.game.state["over"]], -state[FAULT], -legal))

    # ---- asking

    def solve(
        self, demanded: Iterable[int], seconds: float | None, one_of: Iterable[int] | None = None
    ) -> bool | None:
        """True if everything unrolled and these literals can be true together, and one of `one_of`; None if
        time ran out.
        """
        return self._query.solve(demanded, seconds, one_of)

    def was(self, literal: int) -> bool:
        """True if a literal is true in the last model."""
        return is_true(literal, self._query.model)

    def found(self, k: int) -> dict[n.StateVar, Value]:
        """The values of variables after `k` plies in the last model, of those that it says anything of."""
        true, values = self._query.model, dict[n.StateVar, Value]()
        for var in self.game.state.values():
            if var in self.states[k]:
                with suppress(StopIteration):  # for want of a value that is true
                    values[var] = value_in(var.type, self.states[k][var], true)
        return values

    def moves(self) -> tuple[tuple[str, ...], list[Move]]:
        """The chance outcomes (in notation) and the moves of the last model."""
        true = self._query.model
        chance = [*self._given_chance, *outcomes(self._chance, true)]
        chance += [text for ply in self.taken for text in outcomes(ply.drawn, true)]
        return tuple(chance), [ply.move(true) for ply in self.taken]
