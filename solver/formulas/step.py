"""One ply as a template: the rules evaluated once for a state of free literals.

Each action becomes cases: its choices that serve as keys are split, one case for each combination
of their values, the others stay unions of free literals. In a ply exactly one case holds; a case
demands its requirements and gives writes, which are merged by what is written.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.types import Map, Scalar, Truth, Type, Value

from .context import Env, Moment
from .effects import Drawn, Effects, State
from .facts import Facts
from .gates import FALSE, TRUE, Gates
from .meaning import Meaning
from .values import Symbol, TooWide, among, cases_of, known, mux

SPLIT_ANYWAY = 16
"""Up to so many combinations all choices are split, keys or not: less is left for the engine."""
MOST_CASES = 50_000


@dataclass(eq=False)
class Case:
    """One way to act: the action, the choices that are settled in it, and its literal."""

    action: Action
    settled: dict[n.Var, Value]
    literal: int


@dataclass(eq=False)
class Ply:
    """A ply made symbolic: the cases, the free choices of each action, the chance events, the state after."""

    cases: list[Case]
    choices: dict[str, dict[n.Var, Symbol]]
    drawn: list[Drawn]
    after: State
    live: list[str] = field(default_factory=list)


class Stepper:
    """Makes plies of one game in one set of gates."""

    def __init__(
        self,
        gates: Gates,
        facts: Facts,
        wanted: frozenset[n.StateVar] | None,
        most: dict[n.StateVar, int],
        actions: Sequence[Action],
    ) -> None:
        self.game: Game = facts.game
        self.gates, self.facts, self.wanted, self.most = gates, facts, wanted, most
        self.actions = actions
        self.meaning = Meaning(gates, facts)
        self.run = Effects(self.meaning, wanted, self.can)

    # ---- legality

    def can(self, action: str, given: list[Symbol], at: Moment) -> int:
        """Whether an action of this name is legal in a moment, with these first choices."""
        return self.gates.any(self._ways(self.game.actions[action], given, at))

    def any_legal(self, at: Moment) -> int:
        """Whether anything is legal in a moment."""
        return self.gates.any(self.can(a.id, [], at) for a in self.actions)

    def _ways(self, action: Action, given: list[Symbol], at: Moment) -> Iterator[int]:
        waiting = [r.condition for r in action.requirements]
        yield from self._grow(action, 0, given, {}, TRUE, waiting, at)

    def _grow(
        self,
        action: Action,
        i: int,
        given: list[Symbol],
        env: Env,
        guard: int,
        waiting: list[n.Expr],
        at: Moment,
    ) -> Iterator[int]:
        ready = [c for c in waiting if all(v in env for v in self.facts.free(c))]
        for condition in ready:
            guard = self.gates.both(guard, self.meaning(condition, env, at))
            if guard == FALSE:
                return
        left = [c for c in waiting if c not in ready]
        if i == len(action.choices):
            yield guard
            return
        choice = action.choices[i]
        if choice.chain is not None:
            raise TooWide(f"the chain of `{action.id}`")
        members = [(given[i], TRUE)] if i < len(given) else self.meaning.elements(choice.source, env, at)
        for element, member in members:
            here = self.gates.both(guard, member)
            if i < len(given):
                here = self.gates.both(here, self._among(choice.var.type, choice.source, element, env, at))
            inner = {**env, choice.var: element}
            if choice.where is not None and here != FALSE:
                here = self.gates.both(here, self.meaning(choice.where, inner, at))
            if here != FALSE:
                yield from self._grow(action, i + 1, given, inner, here, left, at)

    def _among(self, of: Type, source: n.Expr, element: Symbol, env: Env, at: Moment) -> int:
        return among(self.gates, list(cases_of(of, element)), self.meaning(source, env, at))

    # ---- one ply

    def ply(self, state: State) -> Ply:
        """Everything that one ply may do in a state; demands that exactly one case holds."""
        at = Moment(state, self.can)
        self.run.drawn = []
        cases: list[Case] = []
        choices: dict[str, dict[n.Var, Symbol]] = {}
        results: list[tuple[int, State]] = []
        for action in self.actions:
            split = self._split(action)
            env = self._free_choices(action, split)
            choices[action.id] = {v: s for v, s in env.items() if isinstance(v, n.Var)}
            for settled in self._combinations(split):
                case = self._case(action, settled, env, at)
                if case is not None:
                    cases.append(case)
                    inner: Env = {**env, **{v: _lifted(v, x) for v, x in settled.items()}}
                    results.append((case.literal, self.run(action.effect, inner, state, case.literal)))
        kept = [(c, r) for c, r in zip(cases, results, strict=True) if self._within(c, r[1])]
        cases = [c for c, _ in kept]
        self.gates.one_of([c.literal for c in cases])
        self._demand_membership(cases, choices, at)
        over = self.game.state["over"]
        self.gates.require((-state[over],))
        after = self._follow(self._merged(state, [r for _, r in kept]))
        live = list(dict.fromkeys(c.action.id for c in cases))
        return Ply(cases, choices, list(self.run.drawn), after, live)

    def _split(self, action: Action) -> list[tuple[n.Var, Sequence[Value]]]:
        """The choices whose values make cases of their own."""
        if any(c.chain is not None for c in action.choices):
            raise TooWide(f"the chain of `{action.id}`")
        domains = [(c.var, cast(Scalar, c.var.type).values) for c in action.choices]
        size = 1
        for _, values in domains:
            size *= len(values)
        if size <= SPLIT_ANYWAY:
            return domains
        keys: set[n.Var] = set()
        for condition in (r.condition for r in action.requirements):
            keys |= self.facts.keys(condition)
        for choice in action.choices:
            keys |= self.facts.keys(choice.source)
            if choice.where is not None:
                keys |= self.facts.keys(choice.where)
        keys |= self.facts.keys(action.effect)
        split = [(var, values) for var, values in domains if var in keys]
        cases = 1
        for _, values in split:
            cases *= len(values)
        if cases > MOST_CASES:
            raise TooWide(f"`{action.id}` has {cases:,} cases")
        return split

    def _free_choices(self, action: Action, split: list[tuple[n.Var, Sequence[Value]]]) -> Env:
        settled = {var for var, _ in split}
        env: Env = {}
        for choice in action.choices:
            if choice.var in settled:
                continue
            if isinstance(choice.var.type, Truth):
                env[choice.var] = self.gates.free()
            else:
                values = cast(Scalar, choice.var.type).values
                env[choice.var] = (
                    {v: self.gates.free() for v in values} if len(values) > 1 else known(values[0])
                )
                self.gates.one_of(list(env[choice.var].values()))
        return env

    def _combinations(self, split: list[tuple[n.Var, Sequence[Value]]]) -> Iterator[dict[n.Var, Value]]:
        names = [var for var, _ in split]
        for values in itertools.product(*(vs for _, vs in split)):
            yield dict(zip(names, values, strict=True))

    def _case(self, action: Action, settled: dict[n.Var, Value], env: Env, at: Moment) -> Case | None:
        """A case with its demands; None where it can never be legal."""
        inner: Env = {**env, **{v: _lifted(v, x) for v, x in settled.items()}}
        demands: list[int] = []
        for choice in action.choices:
            if choice.var in settled:
                member = self._settled_member(choice.source, settled[choice.var], inner, at)
                demands.append(member)
            if choice.where is not None:
                demands.append(self.meaning(choice.where, inner, at))
            if FALSE in demands:
                return None
        for requirement in action.requirements:
            lit = self.meaning(requirement.condition, inner, at)
            if lit == FALSE:
                return None
            demands.append(lit)
        literal = self.gates.free()
        for demand in demands:
            self.gates.imply(literal, demand)
        return Case(action, settled, literal)

    def _settled_member(self, source: n.Expr, value: Value, env: Env, at: Moment) -> int:
        if isinstance(source, n.Domain):
            return TRUE
        return among(self.gates, [(value, TRUE)], self.meaning(source, env, at))

    def _demand_membership(
        self, cases: list[Case], choices: dict[str, dict[n.Var, Symbol]], at: Moment
    ) -> None:
        """A free choice is one of its source's elements whenever its action is taken.

        Sources that depend on settled choices are asked case by case.
        """
        for action in self.actions:
            mine = [c for c in cases if c.action is action]
            if not mine:
                continue
            taken = self.gates.any(c.literal for c in mine)
            for choice in action.choices:
                symbol = choices[action.id].get(choice.var)
                if symbol is None or isinstance(choice.source, n.Domain):
                    continue
                asked = self.facts.free(choice.source)
                if any(v in mine[0].settled for v in asked):
                    for case in mine:
                        inner = {**choices[action.id], **{v: _lifted(v, x) for v, x in case.settled.items()}}
                        self.gates.require(
                            (-case.literal, self._among(choice.var.type, choice.source, symbol, inner, at))
                        )
                else:
                    self.gates.require(
                        (-taken, self._among(choice.var.type, choice.source, symbol, choices[action.id], at))
                    )

    def _within(self, case: Case, after: State) -> bool:
        """Whether a case keeps the bounds that hold on the way; one that surely breaks them goes."""
        for var, most in self.most.items():
            inside = [g for v, g in after[var].items() if v is None or v <= most]
            held = self.gates.any(inside)
            if held == FALSE:
                return False
            self.gates.imply(case.literal, held)
        return True

    # ---- what follows the action

    def _merged(self, before: State, results: list[tuple[int, State]]) -> State:
        after = dict(before)
        for var in before:
            changed = [(g, r[var]) for g, r in results if r[var] is not before[var]]
            if changed:
                after[var] = self._written(var.type, before[var], changed, len(changed) == len(results))
        for var, most in self.most.items():
            inside = {v: g for v, g in after[var].items() if v is None or v <= most}
            after[var] = known(next(iter(inside))) if len(inside) == 1 else inside
        return after

    def _written(self, t: Type, old: Symbol, changed: list[tuple[int, Symbol]], always: bool) -> Symbol:
        if isinstance(t, Map):
            after = {}
            for key, held in old.items():
                here = [(g, s[key]) for g, s in changed if s[key] is not held]
                after[key] = (
                    self._written(t.of, held, here, always and len(here) == len(changed)) if here else held
                )
            return after
        cases = _grouped(self.gates, t, changed)
        if not always:
            cases.append((-self.gates.any(g for g, _ in cases), old))
        return mux(self.gates, t, cases)

    def _follow(self, state: State) -> State:
        for reaction in self.game.reactions:
            state = self.run(n.When(reaction.condition, reaction.effect, n.NOTHING_DONE), {}, state, TRUE)
        return self.judge(state, pass_on=True)

    def judge(self, state: State, pass_on: bool) -> State:
        """Ends, then the turn: what follows an action, and (without passing on) the setup."""
        game, gates = self.game, self.gates
        over = game.state["over"]
        ended = gates.any(self.run.value(end.condition, {}, state) for end in game.ends)
        state = {**state, over: gates.either(state[over], ended)}
        goes_on = -state[over]
        passes = gates.both(goes_on, self.run.value(game.turn.over, {}, state)) if pass_on else goes_on
        turned = state
        if pass_on and game.players > 1:
            turned = {**state, game.mover: self.run.value(game.turn.next, {}, state)}
        turned = self.run(game.turn.begin, {}, turned, passes)
        if game.turn.stuck == "pass" and self.wanted is None:
            raise TooWide("players who pass because they are stuck")
        return self.run.merge(passes, turned, state)


def _lifted(var: n.Var, value: Value) -> Symbol:
    return (TRUE if value else FALSE) if isinstance(var.type, Truth) else known(value)


def _grouped(gates: Gates, t: Type, cases: list[tuple[int, Symbol]]) -> list[tuple[int, Symbol]]:
    """Cases that write one and the same thing, joined."""
    key: Callable[[Symbol], Any] = (lambda s: s) if isinstance(t, Truth) else id
    groups: dict[Any, tuple[Symbol, list[int]]] = {}
    for g, s in cases:
        groups.setdefault(key(s), (s, []))[1].append(g)
    return [(gates.any(gs), s) for s, gs in groups.values()]
