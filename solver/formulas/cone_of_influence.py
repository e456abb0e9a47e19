"""Cone of influence: the actions that can be taken, the variables that never change, and the relevant ones.

Everything is derived from the core, before any gate is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.traversal import assignments, nodes_within, place_of, takes_all
from rulespec.core.types import Int, Optional, fits, scalar_of

from .aig import TRUE, Gates, Watch
from .context import Moment
from .dependencies import Dependencies, changed_by, effects_of_plies
from .effects import State
from .layout import flatten, free_state
from .legality import Legality
from .symbolic_evaluation import SymbolicEvaluator


@dataclass(frozen=True)
class Event:
    """A store or a chance event inside an effect, with its context."""

    node: n.Assign | n.Draw | n.Shuffle
    deciding: tuple[n.Expr, ...]
    """The expressions that decide whether and for which elements it happens; none if it always does."""
    bound: tuple[tuple[n.Var, n.Expr], ...]
    """The local names bound around it, each with its value or with the set of its possible values."""

    @property
    def reads(self) -> Iterator[n.Expr]:
        """The expressions that the event reads."""
        yield from _own(self.node)
        yield from self.deciding
        yield from (value for _, value in self.bound)


def _own(node: n.Assign | n.ForEach | n.Draw | n.Shuffle) -> tuple[n.Expr, ...]:
    """The expressions of an effect itself, without those in its body."""
    if isinstance(node, n.Assign):
        return (node.value, *node.path)
    weight = node.weight if isinstance(node, n.Draw) else None
    return (node.source,) if weight is None else (node.source, weight)


def events(
    effect: n.Effect, deciding: tuple[n.Expr, ...] = (), bound: tuple[tuple[n.Var, n.Expr], ...] = ()
) -> Iterator[Event]:
    """The stores and chance events of an effect, each with its context."""
    match effect:
        case n.Assign():
            yield Event(effect, deciding, bound)
        case n.Block():
            for item in effect.items:
                yield from events(item, deciding, bound)
        case n.When():
            for part in (effect.then, effect.otherwise):
                yield from events(part, (*deciding, effect.cond), bound)
        case n.Bind():
            yield from events(effect.body, deciding, (*bound, (effect.var, effect.value)))
        case n.ForEach() | n.Draw() | n.Shuffle():
            if not isinstance(effect, n.ForEach):
                yield Event(effect, deciding, bound)
            around = (effect.var, effect.source)
            yield from events(effect.body, (*deciding, *_own(effect)), (*bound, around))
        case _:
            assert_never(effect)


# ---- bounds


def lower_bound(e: n.Expr, bound: Mapping[n.Var, n.Expr]) -> int:
    """A lower bound of a number, derived from its form and type."""
    if isinstance(e, n.Size):
        return size_lower_bound(e.item, bound)
    if isinstance(e, n.Local) and e.var in bound and isinstance(scalar_of(bound[e.var].type), Int):
        return lower_bound(bound[e.var], bound)
    if isinstance(e, n.Add):
        return lower_bound(e.a, bound) + lower_bound(e.b, bound)
    if isinstance(e, n.Let):
        return lower_bound(e.body, {**bound, e.var: e.value})
    if isinstance(e, n.If):
        return min(lower_bound(e.then, bound), lower_bound(e.otherwise, bound))
    t = scalar_of(e.type)
    return t.lo if isinstance(t, Int) else 0


def size_lower_bound(e: n.Expr, bound: Mapping[n.Var, n.Expr]) -> int:
    """A lower bound of the number of elements of a set."""
    if isinstance(e, n.Local) and e.var in bound:
        return size_lower_bound(bound[e.var], bound)
    if isinstance(e, n.SetOf):
        return int(any(not isinstance(item.type, Optional) for item in e.items))
    if isinstance(e, n.Union):
        return max(size_lower_bound(e.a, bound), size_lower_bound(e.b, bound))
    if isinstance(e, n.Reach) and isinstance(e.source, n.Domain) and fits(e.start.type, e.source.type):
        return size_lower_bound(e.start, bound)
    if isinstance(e, n.Call) and takes_all(e):
        return size_lower_bound(e.function.body, bound)
    return 0


def breaks_bounds(action: Action, most: Mapping[n.StateVar, int]) -> bool:
    """True if an action always raises a variable above its greatest value."""
    for event in events(action.effect):
        store, certain = event.node, not event.deciding
        if isinstance(store, n.Assign) and certain and not store.path:
            greatest = most.get(store.target)
            if greatest is not None and lower_bound(store.value, dict(event.bound)) > greatest:
                return True
    return False


# ---- what stays as it is


def possible_actions(
    game: Game, facts: Dependencies, actions: Sequence[Action], initial: State, watch: Watch | None = None
) -> tuple[list[Action], State]:
    """The actions that may ever be taken, by a cheap test, and the variables that never change.

    Starts from the assumption that few actions are taken, and withdraws it for actions that it does not
    exclude: the result holds by induction over plies.
    """
    idle = list(actions)
    while True:
        live = [a for a in actions if a not in idle]
        changing = changed_by(effects_of_plies(game, live)) | {game.mover, game.state["over"]}
        still = {v: s for v, s in initial.items() if v not in changing}
        fixed = {v: s for v, s in still.items() if all(abs(x) == TRUE for x in flatten(v.type, s))}
        woken = [a for a in idle if _possible(game, facts, a, fixed, watch)]
        if not woken:
            return live, fixed
        idle = [a for a in idle if a not in woken]


def _possible(game: Game, facts: Dependencies, action: Action, fixed: State, watch: Watch | None) -> bool:
    """True if the cheap conditions leave some choices of an action, given constant variables."""
    if any(c.chain is not None for c in action.choices):
        return True
    gates = Gates(watch=watch)
    state = free_state(gates, list(game.state.values()), {}, fixed)
    legality = Legality(SymbolicEvaluator(gates, facts), list(game.actions.values()))
    return legality.is_possible(_with_cheap_requirements(action), Moment(state, legality.can))


def _with_cheap_requirements(action: Action) -> Action:
    """A copy of an action with only the requirements that are cheap: no choices, `can` or `after` in them."""

    def dear(e: n.Expr) -> bool:
        return any(isinstance(node, n.Local | n.Can | n.After) for node in nodes_within(e))

    return replace(action, requirements=tuple(r for r in action.requirements if not dear(r.condition)))


# ---- what is asked for


MOST_WATCHED = 256
"""Maximum number of values of a variable that is watched for faults though no condition reads it."""


def possible_faults(facts: Dependencies, effects: Iterable[n.Effect]) -> list[n.Assign]:
    """The assignments that may fault, according to their types."""
    return [assign for e in effects for assign in assignments(e) if facts.may_fault(assign)]


def values_at(assign: n.Assign) -> int:
    """The number of values that the place of an assignment may hold; 0 for sets and lists."""
    held = scalar_of(place_of(assign))
    return 0 if held is None else len(held.values)


def effects_of(game: Game, actions: Iterable[Action]) -> list[n.Effect]:
    """The effects that can change the state, besides changes of `mover` and `over`."""
    return [*effects_of_plies(game, actions), game.setup]


def cone_of_influence(
    game: Game,
    facts: Dependencies,
    actions: Sequence[Action],
    legal: Sequence[Action],
    asked: Iterable[n.Expr],
    watch_all: bool = False,
) -> frozenset[n.StateVar]:
    """The variables on which plies, ends, faults, chance and the given conditions depend.

    `actions` may be taken; the legality of `legal` is asked for. With `watch_all` every place that may fault
    is watched, whatever the number of its values.
    """
    result = {game.mover, game.state["over"]}
    for action in (*actions, *legal):
        result |= facts.reads(action)
    for e in [*asked, *(end.condition for end in game.ends), game.turn.over, game.turn.next]:
        result |= facts.reads(e)
    for reaction in game.reactions:
        result |= facts.reads(reaction.condition)
    effects = effects_of(game, actions)
    every = [event for effect in effects for event in events(effect)]
    result |= {a.target for a in possible_faults(facts, effects) if watch_all or values_at(a) <= MOST_WATCHED}
    while True:
        more = set(result)
        for event in every:
            if not isinstance(event.node, n.Assign) or event.node.target in result:
                for e in event.reads:
                    more |= facts.reads(e)
        if more == result:
            return frozenset(result)
        result = more
