"""Listing legal actions: choices in order, conditions tested as soon as possible.

Each condition is split into its conjuncts. A conjunct is tested when the last choice it reads is made, cheap
ones before costly ones. Its answer is memoised for the values it reads if other choices lie between, so that
"both squares are free" is tested once for a place and not again for each piece that might go there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..core import nodes as n
from ..core.context import Context, Env
from ..core.evaluate import elements
from ..core.game import Action, Chain, Choice
from ..core.meter import Meter
from ..core.traversal import BOUND, FreeVariables, conjuncts, slots
from ..core.types import Scalar, Value


@dataclass(frozen=True, eq=False, slots=True)
class Guard:
    """A condition, the choices it reads, in the order of the action, and its estimated cost; see `weight`.

    `again` means that the same values may recur, because other choices lie between.
    """

    condition: n.Expr
    reads: tuple[n.Var, ...]
    again: bool
    weight: int


@dataclass(frozen=True, eq=False, slots=True)
class Plan:
    """Plan for listing one action. `guards[k]` can be tested once the first k choices are made."""

    action: Action
    guards: tuple[tuple[Guard, ...], ...]
    sources: tuple[tuple[n.Var, ...], ...]
    """For each choice, the earlier choices that its candidates depend on."""
    _weights: dict[int, int] = field(default_factory=dict)

    def weight(self, k: int, meter: Meter) -> int:
        """The steps of the guards that are tested once `k` choices are made."""
        if k not in self._weights:
            self._weights[k] = sum(meter.weight(guard.condition) for guard in self.guards[k])
        return self._weights[k]


def plan(action: Action, free: FreeVariables, known: dict[n.Function, int]) -> Plan:
    """Plan when to test each condition of an action; `known` caches the weights of definitions."""
    made = [choice.var for choice in action.choices]
    guards: list[list[Guard]] = [[] for _ in range(len(made) + 1)]
    conditions = [r.condition for r in action.requirements]
    conditions += [choice.where for choice in action.choices if choice.where is not None]
    for condition in (part for whole in conditions for part in conjuncts(whole)):
        reads = tuple(var for var in made if var in free(condition))
        k = made.index(reads[-1]) + 1 if reads else 0
        guards[k].append(Guard(condition, reads, len(reads) < k, weight(condition, known)))
    for tested in guards:
        tested.sort(key=lambda guard: guard.weight)
    sources = []
    for choice in action.choices:
        needed = free(choice.source) | (free(choice.chain.where) if choice.chain else frozenset())
        sources.append(tuple(var for var in made if var in needed and var is not choice.var))
    return Plan(action, tuple(map(tuple, guards)), tuple(sources))


LISTED = 25
"""The steps of listing a chain or a move, without evaluating conditions."""
MANY = 8
"""Estimated number of elements for which a body under a binder is evaluated."""
ASKING = 10_000
"""The weight of testing whether an action is legal, or of a condition after one."""


def weight(e: n.Expr, known: dict[n.Function, int]) -> int:
    """Estimated number of operators evaluated for an expression; `known` caches that of definitions."""
    if isinstance(e, n.Can | n.After):
        return ASKING
    bodies = BOUND.get(type(e), ((), ()))[1]
    total = 1
    for name, part in slots(e):
        assert isinstance(part, n.Expression)
        total += weight(part, known) * (MANY if name in bodies and not isinstance(e, n.Let) else 1)
    if isinstance(e, n.Call) and not e.function.static:
        if e.function not in known:
            known[e.function] = 0  # what it adds to itself, where it is recursive
            known[e.function] = weight(e.function.body, known)
        total += known[e.function]
    return total


def cost(listed: Plan) -> int:
    """Estimated number of operators evaluated to list an action, if no guard fails."""
    total, times = 0, 1
    for k, guards in enumerate(listed.guards):
        if k:
            of = listed.action.choices[k - 1].var.type
            times *= len(of.values) if isinstance(of, Scalar) else ASKING
        total += times * (1 + sum(guard.weight for guard in guards))
    return total


class Listing:
    """The legal arguments of one action in one state, ascending in the order of the choices."""

    def __init__(self, plan: Plan, ctx: Context) -> None:
        self._plan = plan
        self._ctx = ctx
        self._env: Env = {}
        self._answers: dict[tuple[Guard, tuple[Value, ...]], dict[Value, bool]] = {}
        """The answers of a guard by its last choice, for each combination of the earlier choices that it
        reads."""
        self._candidates: dict[tuple[int, tuple[Value, ...]], tuple[Value, ...]] = {}

    def all(self, first: Sequence[Value] = ()) -> Iterator[tuple[Value, ...]]:
        """All legal arguments that begin with the given values."""
        self._spend(1, 0)
        if self._is_open():
            yield from self._choose(0, first)

    def draw(self, rng: random.Random) -> tuple[Value, ...] | None:
        """A random legal tuple of arguments, found by trying choices in random order; None if there is none.

        Every legal choice can be drawn; those that leave few others open are drawn more often.
        """
        return next(self._choose(0, (), rng), None) if self._is_open() else None

    def _is_open(self) -> bool:
        """True if the conditions that read no choice hold."""
        return all(guard.condition.evaluate(self._env, self._ctx) for guard in self._plan.guards[0])

    def _choose(
        self, k: int, first: Sequence[Value], rng: random.Random | None = None
    ) -> Iterator[tuple[Value, ...]]:
        """Yield the choices of an action from choice `k` on, at random with `rng`; `first` are given."""
        choices = self._plan.action.choices
        if k == len(choices):
            yield tuple(self._env[choice.var] for choice in choices)
            return
        candidates = self._possible(k)
        if k < len(first):
            candidates = tuple(v for v in (first[k],) if v in candidates)
        self._spend(len(candidates), k + 1)
        env, ctx, var = self._env, self._ctx, choices[k].var
        guards = [(guard.condition, self._answers_of(guard)) for guard in self._plan.guards[k + 1]]
        for value in candidates if rng is None else rng.sample(candidates, len(candidates)):
            env[var] = value
            for condition, answers in guards:
                if answers is None:
                    held = condition.evaluate(env, ctx)
                elif (held := answers.get(value)) is None:
                    held = answers[value] = condition.evaluate(env, ctx)
                if not held:
                    break
            else:
                yield from self._choose(k + 1, first, rng)

    def _spend(self, times: int, k: int) -> None:
        """Spend the steps of `times` tests of the guards after `k` choices, if there is a meter."""
        meter = self._ctx.meter
        if meter is not None:
            meter.spend(times * (1 + self._plan.weight(k, meter)))

    def _answers_of(self, guard: Guard) -> dict[Value, bool] | None:
        """The answers of a guard by the next choice, given the earlier ones; None if they are not kept."""
        if not guard.again:
            return None
        earlier = tuple([self._env[var] for var in guard.reads[:-1]])
        return self._answers.setdefault((guard, earlier), {})

    def _possible(self, k: int) -> tuple[Value, ...]:
        """The candidates for choice `k`, cached by the values on which they depend."""
        key = (k, tuple(self._env[var] for var in self._plan.sources[k]))
        if key not in self._candidates:
            self._candidates[key] = candidates(self._plan.action.choices[k], self._env, self._ctx)
        return self._candidates[key]


def candidates(choice: Choice, env: Env, ctx: Context) -> tuple[Value, ...]:
    """The values of a choice before its `where` is tested, each once.

    Elements ascend; the lists of a chain come depth first, each before those that extend it.
    """
    ctx.spend_on(1, choice.source)
    listed = tuple(sorted(set(elements(choice.source, env, ctx))))
    return listed if choice.chain is None else tuple(_chains(choice, choice.chain, listed, env, ctx))


def _chains(
    choice: Choice, chain: Chain, steps: tuple[Value, ...], env: Env, ctx: Context
) -> Iterator[tuple[Value, ...]]:
    """Yield the lists that a choice by steps allows, after given first steps."""
    inner = dict(env)
    waiting: list[tuple[Value, ...]] = [()]
    while waiting:
        so_far = waiting.pop()
        ctx.spend(LISTED + len(so_far))
        if so_far:
            yield so_far
        if len(so_far) == chain.type.cap:
            continue
        inner[choice.var] = so_far
        longer = []
        ctx.spend_on(len(steps), chain.where)
        for step in steps:
            inner[chain.step] = step
            if chain.where.evaluate(inner, ctx):
                longer.append((*so_far, step))
        waiting.extend(reversed(longer))
