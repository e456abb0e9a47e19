"""What a question depends on: actions that bounds rule out, variables that never change, variables
that nobody asks for. All by reading the core, before any gate is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.types import Int, Optional, scalar_of
from rulespec.core.walk import inside

from .context import Moment
from .effects import State
from .facts import Facts
from .gates import FALSE, Gates
from .layout import free_state
from .step import Stepper


@dataclass(frozen=True)
class Stored:
    """An assignment inside an effect, what decides whether it happens, and the names bound round it."""

    assign: n.Assign
    deciding: tuple[n.Expr, ...]
    bound: tuple[tuple[n.Var, n.Expr], ...]
    certain: bool


def stores(
    effect: n.Effect,
    deciding: tuple[n.Expr, ...] = (),
    bound: tuple[tuple[n.Var, n.Expr], ...] = (),
    certain: bool = True,
) -> Iterator[Stored]:
    """Every assignment in an effect."""
    if isinstance(effect, n.Assign):
        yield Stored(effect, deciding, bound, certain)
    elif isinstance(effect, n.Block):
        for item in effect.items:
            yield from stores(item, deciding, bound, certain)
    elif isinstance(effect, n.When):
        for part in (effect.then, effect.otherwise):
            yield from stores(part, (*deciding, effect.cond), bound, False)
    elif isinstance(effect, n.ForEach):
        yield from stores(
            effect.body, (*deciding, effect.source), (*bound, (effect.var, effect.source)), False
        )
    elif isinstance(effect, n.Bind):
        yield from stores(effect.body, deciding, (*bound, (effect.var, effect.value)), certain)
    elif isinstance(effect, n.Draw):
        more = (effect.source,) if effect.weight is None else (effect.source, effect.weight)
        yield from stores(effect.body, (*deciding, *more), (*bound, (effect.var, effect.source)), False)
    elif isinstance(effect, n.Shuffle):
        yield from stores(
            effect.body, (*deciding, effect.source), (*bound, (effect.var, effect.source)), False
        )


# ---- bounds


def least(e: n.Expr, bound: Mapping[n.Var, n.Expr]) -> int:
    """A lower bound of a number, read off its form and type."""
    if isinstance(e, n.Size):
        return least_size(e.item, bound)
    if isinstance(e, n.Local) and e.var in bound:
        return least(bound[e.var], bound)
    if isinstance(e, n.Add):
        return least(e.a, bound) + least(e.b, bound)
    t = scalar_of(e.type)
    return t.lo if isinstance(t, Int) else 0


def least_size(e: n.Expr, bound: Mapping[n.Var, n.Expr]) -> int:
    """A lower bound of the number of elements of a set."""
    if isinstance(e, n.Local) and e.var in bound:
        return least_size(bound[e.var], bound)
    if isinstance(e, n.SetOf):
        return int(any(not isinstance(item.type, Optional) for item in e.items))
    if isinstance(e, n.Union):
        return max(least_size(e.a, bound), least_size(e.b, bound))
    if isinstance(e, n.Reach) and isinstance(e.source, n.Domain):
        return least_size(e.start, bound)
    if isinstance(e, n.Call) and not isinstance(e.type, Optional):
        return least_size(e.function.body, bound)
    return 0


def breaks_bounds(action: Action, most: Mapping[n.StateVar, int]) -> bool:
    """Whether an action surely lifts a variable past its greatest value."""
    for stored in stores(action.effect):
        var, value = stored.assign.target, stored.assign.value
        if var in most and stored.certain and not stored.assign.path:
            t = var.type
            lo = t.lo if isinstance(t, Int) else 0
            if isinstance(value, n.Add) and isinstance(value.a, n.Get) and value.a.var is var:
                lowest = lo + least(value.b, dict(stored.bound))
            else:
                lowest = least(value, dict(stored.bound))
            if lowest > most[var]:
                return True
    return False


# ---- what stays as it is


def changed_by(effects: Iterable[n.Effect]) -> frozenset[n.StateVar]:
    """The variables that some effects store in."""
    return frozenset(s.assign.target for e in effects for s in stores(e))


def standing(
    game: Game, facts: Facts, actions: Sequence[Action], initial: State
) -> tuple[list[Action], State]:
    """The actions that can ever be taken as far as this is plain, and the variables that never change.

    Supposes that many actions are never taken, and takes back what that supposition does not bear
    out: what is left is true by induction over plies.
    """
    always = [r.effect for r in game.reactions] + [game.turn.begin]
    idle = list(actions)
    while True:
        live = [a for a in actions if a not in idle]
        changing = changed_by([*always, *(a.effect for a in live)]) | {game.mover, game.state["over"]}
        fixed = {v: s for v, s in initial.items() if v not in changing and _settled(s)}
        woken = [a for a in idle if _possible(game, facts, a, fixed)]
        if not woken:
            return live, fixed
        idle = [a for a in idle if a not in woken]


def _settled(symbol: object) -> bool:
    """Whether a symbolic value is known."""
    if isinstance(symbol, int):
        return symbol in (1, -1)
    if isinstance(symbol, dict):
        return all(_settled(v) for v in symbol.values())
    items = getattr(symbol, "items", ())
    return all(_settled(x) for x in items) and _settled(getattr(symbol, "size", {}))


def _possible(game: Game, facts: Facts, action: Action, fixed: State) -> bool:
    """Whether the choices of an action leave something, with some variables as they stand."""
    if any(c.chain is not None for c in action.choices):
        return True
    gates = Gates()
    state = free_state(gates, list(game.state.values()), {}, fixed)
    stepper = Stepper(gates, facts, None, {}, list(game.actions.values()))
    return any(lit != FALSE for lit in stepper._ways(_bare(action), [], Moment(state, stepper.can)))


def _bare(action: Action) -> Action:
    """An action with only those requirements that are cheap to look at: the ones without choices."""
    kept = tuple(r for r in action.requirements if isinstance(r.condition, n.Const) or not _asks(r.condition))
    return Action(action.id, action.prose, action.choices, action.written, kept, action.effect)


def _asks(e: n.Expr) -> bool:
    return any(isinstance(node, n.Local | n.Can) for node in inside(e))


# ---- what is asked for


def needed(
    game: Game, facts: Facts, actions: Sequence[Action], asked: Iterable[n.Expr]
) -> frozenset[n.StateVar]:
    """The variables on which the legality of plies, the ends, and the asked conditions depend."""
    over = game.state["over"]
    found = {game.mover, over}
    for action in actions:
        found |= facts.of_legality(action)
    for e in [*asked, *(end.condition for end in game.ends), game.turn.over, game.turn.next]:
        found |= facts.reads(e)
    for reaction in game.reactions:
        found |= facts.reads(reaction.condition)
    effects = [a.effect for a in actions] + [r.effect for r in game.reactions] + [game.turn.begin, game.setup]
    all_stores = [s for e in effects for s in stores(e)]
    while True:
        more = set(found)
        for s in all_stores:
            if s.assign.target in found:
                for e in (s.assign.value, *s.assign.path, *s.deciding, *(value for _, value in s.bound)):
                    more |= facts.reads(e)
        if more == found:
            return frozenset(found)
        found = more
