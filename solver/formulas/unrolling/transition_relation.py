"""The transition relation: one ply, evaluated once for a state of free literals.

Each action is split into cases: one for each combination of values of its choices that serve as keys; the
other choices stay unions of free literals. In a ply exactly one case holds; a case requires its conditions
and yields writes, which are merged by target.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Action, Choice, Game
from rulespec.core.notation import write
from rulespec.core.traversal import assignments
from rulespec.core.types import List, Map, Scalar, Truth, Type, Value, fits
from rulespec.play.position import Move

from ..aig import FALSE, TRUE, Gates, TooWide
from ..case_splitting import split_action
from ..context import Env, Moment
from ..dependencies import Dependencies
from ..effects import FAULT, STUCK, ChanceEvent, Effects, State, fit_to_type, with_fault
from ..legality import Legality
from ..symbolic_evaluation import SymbolicEvaluator
from ..values import Symbol, SymbolicList, constant, element, has_value, join_cases, lift, mux
from .query import is_true, value_in


@dataclass(eq=False)
class ActionCase:
    """One way to act: the action, its split choices, and its literal."""

    action: Action
    settled: dict[n.Var, Value]
    literal: int


@dataclass(frozen=True, eq=False)
class DeferredStore:
    """A store that is made once for all cases of an action, and its value in each of them."""

    assign: n.Assign
    env: Env
    values: list[tuple[int, Symbol]]


@dataclass(eq=False)
class Ply:
    """A symbolic ply: the cases, the free choices of each action, the chance events, the state after."""

    cases: list[ActionCase]
    choices: dict[str, dict[n.Var, Symbol]]
    drawn: list[ChanceEvent]
    after: State

    def move(self, true: set[int]) -> Move:
        """The move that a model takes."""
        case = next(c for c in self.cases if is_true(c.literal, true))
        free = self.choices[case.action.id]
        held = {v: value_in(v.type, s, true) for v, s in free.items() if v not in case.settled} | case.settled
        return Move(case.action.id, tuple(held[choice.var] for choice in case.action.choices))

    def takes(self, gates: Gates, move: Move) -> int:
        """Literal that a move is taken."""
        ways = []
        for case in self.cases:
            values = dict(zip((choice.var for choice in case.action.choices), move.args, strict=False))
            if case.action.id == move.action and all(values[v] == x for v, x in case.settled.items()):
                free = {v: s for v, s in self.choices[move.action].items() if v not in case.settled}
                equal = (has_value(gates, v.type, s, values[v]) for v, s in free.items())
                ways.append(gates.all((case.literal, *equal)))
        return gates.any(ways)


def outcomes(drawn: Iterable[ChanceEvent], true: set[int]) -> list[str]:
    """The outcomes of chance events in a model, in notation."""
    return [write(d.type, value_in(d.type, d.symbol, true)) for d in drawn if is_true(d.guard, true)]


def declared_state(game: Game) -> State:
    """The state before the setup: each variable has its declared value."""
    state = {v: lift(v.type, evaluate(v.initial, {}, Context())) for v in game.state.values()}
    return {**state, FAULT: FALSE, STUCK: FALSE}


class TransitionBuilder:
    """Builds plies of one game in one set of gates, `loose` ones as in `SymbolicEvaluator`.

    `wanted` are the variables worth storing, None for all; `most` are bounds that always hold; `actions` may
    be taken, `legal` are all that may be legal.
    """

    def __init__(
        self,
        gates: Gates,
        facts: Dependencies,
        wanted: frozenset[n.StateVar] | None,
        most: dict[n.StateVar, int],
        actions: Sequence[Action],
        legal: Sequence[Action],
        loose: bool = False,
    ) -> None:
        self.game: Game = facts.game
        self.gates, self.facts, self.wanted, self.most = gates, facts, wanted, most
        self.actions = actions
        self.evaluate = SymbolicEvaluator(gates, facts, loose)
        self.legality = Legality(self.evaluate, legal)
        self.run = Effects(self.evaluate, wanted, self.legality.can)

    def moment(self, state: State) -> Moment:
        """The context of expressions in a state."""
        return Moment(state, self.legality.can)

    # ---- the start, and one ply

    def start(self, begin: State) -> State:
        """The state after the setup of a game in its `declared_state`; `run.drawn` are its draws."""
        self.run.drawn = []
        return self.judge(self.run(self.game.setup, {}, begin, TRUE), pass_on=False)

    def ply(self, state: State) -> Ply:
        """One ply from a state, with all its cases, exactly one of which is required to hold.

        Raises TooWide.
        """
        at = self.moment(state)
        self.run.drawn = []
        cases: list[ActionCase] = []
        choices: dict[str, dict[n.Var, Symbol]] = {}
        results: list[tuple[int, State]] = []
        waiting: list[DeferredStore] = []
        for action in self.actions:
            try:
                choices[action.id] = self._add_cases(action, state, cases, results, waiting)
            except TooWide as wide:
                raise TooWide(f"`{action.id}` leads to {wide}") from None
        kept = [(c, r) for c, r in zip(cases, results, strict=True) if self._within(c, r[1])]
        cases = [c for c, _ in kept]
        self.gates.one_of([c.literal for c in cases])
        self._demand_in_common(cases, choices, at)
        over = self.game.state["over"]
        self.gates.require((-state[over],))
        acted = self._stored_once(waiting, state, self.merge_branches(state, [r for _, r in kept]))
        self._demand_after(cases, self.moment(acted))
        after = self.follow(acted)
        return Ply(cases, choices, list(self.run.drawn), after)

    def _add_cases(
        self,
        action: Action,
        state: State,
        cases: list[ActionCase],
        results: list[tuple[int, State]],
        waiting: list[DeferredStore],
    ) -> Env:
        """Add an action's cases, results and deferred stores to the lists; returns its free choices."""
        cut = split_action(self.facts, action, self.wanted)
        env = self.free_choices(action, cut.choices)
        at = self.moment(state)
        if FALSE in self._common(action, dict(cut.choices), env, at):
            return env
        once = [DeferredStore(assign, env, []) for assign in cut.once]
        for settled in self.combinations(cut.choices):
            case = self._case(action, settled, env, at)
            if case is not None:
                cases.append(case)
                inner = _settle(env, settled)
                for one in once:
                    one.values.append((case.literal, self.run.value(one.assign.value, inner, state)))
                results.append((case.literal, self.run(cut.rest, inner, state, case.literal)))
        waiting += [one for one in once if one.values]
        return env

    def _stored_once(self, waiting: Sequence[DeferredStore], before: State, state: State) -> State:
        """The state after an action, with the stores that all its cases share."""
        for one in waiting:
            value = mux(self.gates, one.assign.value.type, one.values)
            stored = self.run.store(one.assign, one.env, before, state, value)
            state = self.run.merge(self.gates.any(literal for literal, _ in one.values), stored, state)
        return state

    def split(self, action: Action) -> Sequence[tuple[n.Var, Sequence[Value]]]:
        """The choices to split, with their values."""
        return split_action(self.facts, action, self.wanted).choices

    def free_choices(self, action: Action, split: Sequence[tuple[n.Var, Sequence[Value]]]) -> Env:
        """Free literals for the choices that are not split."""
        settled = {var for var, _ in split}
        return {c.var: free_choice(self.gates, c) for c in action.choices if c.var not in settled}

    def environments(self, action: Action, split: Sequence[tuple[n.Var, Sequence[Value]]]) -> Iterator[Env]:
        """The choices of an action, split as given: one environment for each case."""
        free = self.free_choices(action, split)
        for settled in self.combinations(split):
            yield _settle(free, settled)

    def combinations(self, split: Sequence[tuple[n.Var, Sequence[Value]]]) -> Iterator[dict[n.Var, Value]]:
        """Every combination of values of the split choices."""
        names = [var for var, _ in split]
        for values in itertools.product(*(vs for _, vs in split)):
            yield dict(zip(names, values, strict=True))

    def _case(self, action: Action, settled: dict[n.Var, Value], env: Env, at: Moment) -> ActionCase | None:
        """A case with its conditions; None if it is never legal."""
        inner = _settle(env, settled)
        chosen = (c for c in action.choices if c.var in settled or c.chain is not None)
        demands = [self.legality.admits(c, inner[c.var], inner, at) for c in chosen]
        for condition in self._conditions_before(action):
            if any(v in settled for v in self.facts.free(condition)):
                demands.append(self.evaluate(condition, inner, at))
            if FALSE in demands:
                return None
        literal = self.gates.free()
        for demand in demands:
            self.gates.imply(literal, demand)
        return ActionCase(action, settled, literal)

    def legal(
        self, action: Action, env: Env, at: Moment, counts: Callable[[n.Expr], bool] = lambda e: True
    ) -> int:
        """Literal that an action with these choices is legal, by the conditions that `counts` selects."""
        chains = ((c, c.chain) for c in action.choices)
        chosen = (c for c, chain in chains if counts(c.source) or (chain is not None and counts(chain.where)))
        asked = [self.legality.admits(c, env[c.var], env, at) for c in chosen]
        for condition in filter(counts, _conditions(action)):
            if FALSE in asked:
                return FALSE
            asked.append(self.evaluate(condition, env, at))
        return self.gates.all(asked)

    def _common(self, action: Action, settled: Container[n.Var], env: Env, at: Moment) -> list[int]:
        """Evaluate the conditions of an action that are the same in all its cases."""
        conditions = self._conditions_before(action)
        asked = [c for c in conditions if not any(v in settled for v in self.facts.free(c))]
        return [self.evaluate(condition, env, at) for condition in asked]

    def _demand_in_common(
        self, cases: list[ActionCase], choices: dict[str, dict[n.Var, Symbol]], at: Moment
    ) -> None:
        """Require an action's common conditions if it is taken, and that free choices are from their sources.

        Sources that depend on split choices are evaluated in each case.
        """
        for action in self.actions:
            mine = [c for c in cases if c.action is action]
            if not mine:
                continue
            taken = TRUE if len(mine) == len(cases) else self.gates.any(c.literal for c in mine)
            for literal in self._common(action, mine[0].settled, choices[action.id], at):
                self.gates.imply(taken, literal)
            for choice in action.choices:
                symbol = choices[action.id].get(choice.var)
                if symbol is None or choice.chain is not None or isinstance(choice.source, n.Domain):
                    continue
                asked = self.facts.free(choice.source)
                if any(v in mine[0].settled for v in asked):
                    for case in mine:
                        inner = _settle(choices[action.id], case.settled)
                        self.gates.require((-case.literal, self.legality.admits(choice, symbol, inner, at)))
                else:
                    self.gates.require((-taken, self.legality.admits(choice, symbol, choices[action.id], at)))

    def _conditions_before(self, action: Action) -> list[n.Expr]:
        """The conditions of an action, except those on the state after it."""
        after = self._conditions_after(action)
        return [c for c in _conditions(action) if c not in after]

    def _conditions_after(self, action: Action) -> list[n.After]:
        """The conditions of an action on the state after it, whatever the choices.

        One that asks of another action, or in which a value may not fit its place, does not count: that state
        is not the one after the ply.
        """
        choices = [choice.var for choice in action.choices]
        return [
            e
            for e in _conditions(action)
            if isinstance(e, n.After)
            and e.action == action.id
            and [a.var if isinstance(a, n.Local) else None for a in e.args] == choices
            and not self.facts.free(e.body)
            and not any(self.facts.may_fault(a) or not self._stores(a) for a in assignments(e.effect))
        ]

    def _stores(self, assign: n.Assign) -> bool:
        return self.wanted is None or assign.target in self.wanted

    def _demand_after(self, cases: Sequence[ActionCase], at: Moment) -> None:
        """Require the conditions on the state after an action if it is taken, once for all its cases."""
        for action in self.actions:
            conditions = self._conditions_after(action)
            if conditions and (mine := [c.literal for c in cases if c.action is action]):
                taken = self.gates.any(mine)
                for condition in conditions:
                    self.gates.imply(taken, self.evaluate(condition.body, {}, at))

    def _within(self, case: ActionCase, after: State) -> bool:
        """Require that a case keeps the bounds that always hold; False if it cannot."""
        for var, most in self.most.items():
            inside = [g for v, g in after[var].items() if v is None or v <= most]
            held = self.gates.any(inside)
            self.gates.imply(case.literal, held)
            if held == FALSE:
                return False
        return True

    # ---- what follows the action

    def merge_branches(self, before: State, results: list[tuple[int, State]]) -> State:
        """The state after one of several exclusive ways to act."""
        after = dict(before)
        for var in before:
            changed = [(g, r[var]) for g, r in results if r[var] is not before[var]]
            if changed:
                after[var] = self._combine(var.type, before[var], changed, len(changed) == len(results))
        for var, most in self.most.items():
            inside = {v: g for v, g in after[var].items() if v is None or v <= most}
            after[var] = constant(next(iter(inside))) if len(inside) == 1 else inside
        return after

    def _combine(self, t: Type, old: Symbol, changed: list[tuple[int, Symbol]], always: bool) -> Symbol:
        """The value after conditional changes; the old one where none applies, unless one always does."""
        if isinstance(t, Map):
            after = {}
            for key, held in old.items():
                here = [(g, s[key]) for g, s in changed if s[key] is not held]
                always_here = always and len(here) == len(changed)
                after[key] = self._combine(t.of, held, here, always_here) if here else held
            return after
        cases = join_cases(self.gates, changed)
        if not always:
            cases.append((-self.gates.any(g for g, _ in cases), old))
        return mux(self.gates, t, cases)

    def successors(self, action: Action, state: State) -> Iterator[tuple[int, State]]:
        """For each case of an action, a literal for its legality, and the state before `follow`."""
        at = self.moment(state)
        for env in self.environments(action, self.split(action)):
            legal = self.legal(action, env, at)
            if legal != FALSE:
                yield legal, self.run(action.effect, env, state, legal)

    def follow(self, state: State) -> State:
        """The state after the reactions, ends and the next turn that follow an action."""
        for reaction in self.game.reactions:
            state = self.run(n.When(reaction.condition, reaction.effect, n.NOTHING_DONE), {}, state, TRUE)
        return self.judge(state, pass_on=True)

    def judge(self, state: State, pass_on: bool) -> State:
        """The state after testing the ends and changing the turn; without `pass_on`, as after the setup."""
        game, gates = self.game, self.gates
        over = game.state["over"]
        ended = gates.any(self.run.value(end.condition, {}, state) for end in game.ends)
        state = {**state, over: gates.either(state[over], ended)}
        goes_on = -state[over]
        if pass_on:
            passes = gates.both(goes_on, self.run.value(game.turn.over, {}, state))
            state = self.run.merge(passes, self._next(state, passes), state)
        else:
            begun = self.run(game.turn.begin, {}, state, goes_on)
            state = self.run.merge(goes_on, begun, state)
        return self._able(state) if game.turn.stuck == "pass" else state

    def _next(self, state: State, path: int) -> State:
        """The next mover begins a turn."""
        mover, following = self.game.mover, self.game.turn.next
        value = self.run.value(following, {}, state)
        if not fits(following.type, mover.type):
            value, fault = fit_to_type(self.gates, mover.type, value)
            state = with_fault(self.gates, state, fault)
        return self.run(self.game.turn.begin, {}, {**state, mover: value}, path)

    def _able(self, state: State) -> State:
        """Let players who cannot act pass; the game is over once all have passed in vain."""
        gates, over = self.gates, self.game.state["over"]
        for asked in range(1, self.game.players + 1):
            may = self.legality.anything(self.moment(state))
            stuck = gates.all((-state[over], -state[FAULT], -may))
            if stuck == FALSE:
                break
            if asked == self.game.players:
                return {**state, over: gates.either(state[over], stuck), STUCK: stuck}
            state = self.run.merge(stuck, self._next(state, stuck), state)
        return {**state, STUCK: FALSE}


def free_choice(gates: Gates, choice: Choice) -> Symbol:
    """A choice of free literals, one value of its type."""
    t = choice.var.type
    if isinstance(t, List):
        return _free_list(gates, t)
    if isinstance(t, Truth):
        return gates.free()
    values = cast(Scalar, t).values
    union = {v: gates.free() for v in values} if len(values) > 1 else constant(values[0])
    gates.one_of(list(union.values()))
    return union


def _free_list(gates: Gates, t: List) -> SymbolicList:
    """A list of at least one element made of free literals; past its end nothing is chosen."""
    size = {count: gates.free() for count in range(1, t.cap + 1)}
    gates.one_of(list(size.values()))
    row = SymbolicList([{v: gates.free() for v in cast(Scalar, t.of).values} for _ in size], size)
    for item, there in zip(row.items, row.longer(gates), strict=True):
        gates.at_most_one(list(item.values()))
        gates.require((-there, *item.values()))
        for lit in item.values():
            gates.require((-lit, there))
    return row


def _conditions(action: Action) -> list[n.Expr]:
    """The conditions of an action: on its choices, and its requirements."""
    wheres = [c.where for c in action.choices if c.where is not None]
    return [*wheres, *(r.condition for r in action.requirements)]


def _settle(env: Env, settled: Mapping[n.Var, Value]) -> Env:
    """The environment after giving values to some choices."""
    return {**env, **{var: element(var.type, value) for var, value in settled.items()}}
