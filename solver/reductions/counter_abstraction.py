"""Counter abstraction: only the number of things in each set is kept.

Cards or dominoes in hands are numbers here, and what depends on which they are is left open: an action is
legal if some things would make it so, and a number is drawn between its bounds. So each play of the game is a
play of the abstraction, with sets of these sizes; more plays are possible there, and nothing follows from
those. (Pnueli, Xu, Zuck, *Liveness with (0,1,∞)-counter abstraction*, 2002; existential abstraction: Clarke,
Grumberg, Long 1994.)

The game has to shuffle the things once and deal them unseen: then all starts have the same sizes (`Deals`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from rulespec.core import nodes as n
from rulespec.core.digest import of_expression
from rulespec.core.game import Action, Choice, End, Game, Reaction, Requirement
from rulespec.core.traversal import variables_read
from rulespec.core.types import BOOL, Int, Map, Set, Type, Value, fits, integers
from rulespec.solver.analyses.shuffles import Deals
from rulespec.solver.formulas.dependencies import changed_by

from .counter_bounds import TRUE, Between, CounterBounds, all_of, any_of, exactly, whole
from .influence import influential

Held = frozenset[tuple[n.Var, str]]
"""Local names of things, each with the digest of a set that holds it and depends on no local name."""


class NotCounted(Exception):
    """Raised for a game without such an abstraction."""


def keep_sizes(game: Game, asked: Sequence[n.Expr]) -> tuple[Game, list[Between]] | None:
    """The abstraction of a game, and bounds there of given conditions and numbers.

    If no position of the abstraction fulfils the high bound of a condition, none of the game fulfils the
    condition. None if the game has no abstraction.
    """
    game = influential(game, asked)
    if Deals(game).shuffled_type is None or game.stages:
        return None
    try:
        return _Abstraction(game).build(asked)
    except NotCounted:
        return None


class _Abstraction:
    """The construction of an abstraction."""

    def __init__(self, game: Game) -> None:
        self.game, self.deals = game, Deals(game)
        things = self.deals.shuffled_type
        assert things is not None
        self.things = things
        counters = {var: _counter(var, t) for var in game.state.values() if (t := self._counted(var.type))}
        self.bounds = CounterBounds(game, things, counters)

    def _counted(self, t: Type) -> Type | None:
        """The type of the sizes of sets of things; None for any other type."""
        if isinstance(t, Set) and t.of == self.things:
            return integers(0, len(self.things.values))
        inner = self._counted(t.of) if isinstance(t, Map) and isinstance(t.of, Set) else None
        return Map(t.keys, inner) if isinstance(t, Map) and inner is not None else None

    def build(self, asked: Sequence[n.Expr]) -> tuple[Game, list[Between]]:
        """The abstract game, and bounds there of each given expression. Raises NotCounted."""
        game, bounds = self.game, self.bounds
        for e in (game.turn.over, game.turn.next, *(v.always for v in game.state.values() if v.always)):
            self._known(e)
        actions = {name: self._action(action) for name, action in game.actions.items()}
        bounds.may_be_stuck = n.Not(BOOL, any_of([self._surely_legal(a) for a in game.actions.values()]))
        there = [bounds.number(e) if isinstance(e.type, Int) else bounds.condition(e) for e in asked]
        turn = replace(game.turn, begin=self._effect(game.turn.begin, frozenset()))
        if turn.begin is not game.turn.begin or game.turn.begin is not n.NOTHING_DONE:
            raise NotCounted  # the first turn has begun in the values of the start
        state = {**game.state, **{v.name: v for v in bounds.counters.values()}}
        made = replace(
            game,
            state=state,
            turn=turn,
            actions=actions,
            reactions=tuple(self._reaction(r) for r in game.reactions),
            ends=tuple(self._end(e) for e in game.ends),
            claims={},
        )
        roots = [e for x in there for e in (x.low, x.high)]
        return replace(made, setup=n.Block(tuple(self._start(made, roots)))), there

    def _start(self, made: Game, asked: Sequence[n.Expr]) -> Iterator[n.Effect]:
        """The assignments of the values with which every play starts. Raises NotCounted."""
        roots = [*asked, *(x for x in made.roots if x is not made.setup)]
        read = {var for root in roots for var in variables_read(root)}
        for var in self.game.state.values():
            value = self.deals.value(n.Get(var.type, var))
            if var in self.bounds.counters:
                yield from self._sizes(var)
            elif value is not None:
                yield n.Assign(var, (), n.Const(var.type, value))
            elif var in read and var is not self.game.state["over"]:
                raise NotCounted

    def _sizes(self, var: n.StateVar) -> Iterator[n.Effect]:
        """The assignment of the sizes with which every play starts. Raises NotCounted."""
        counter, t, of = self.bounds.counters[var], var.type, integers(0, len(self.things.values))
        held = n.Get(t, var)
        keys = t.keys.values if isinstance(t, Map) else (None,)
        sizes = []
        for key in keys:
            at = n.Read(t.of, held, n.Const(t.keys, key)) if isinstance(t, Map) else held
            size = self.deals.value(n.Size(of, at))
            if size is None:
                raise NotCounted
            sizes.append(size)
        yield n.Assign(counter, (), n.Const(counter.type, tuple(sizes) if isinstance(t, Map) else sizes[0]))

    # ---- conditions

    def _known(self, e: n.Expr) -> n.Expr:
        """An expression that both games evaluate alike. Raises NotCounted for any other."""
        if not self.bounds.is_known(e):
            raise NotCounted
        return e

    def _exact(self, e: n.Expr) -> n.Expr:
        """A condition whose bounds are equal. Raises NotCounted otherwise."""
        found = self.bounds.condition(e)
        if not found.is_exact:
            raise NotCounted
        return found.low

    def _end(self, end: End) -> End:
        return replace(end, condition=self._exact(end.condition))

    def _reaction(self, reaction: Reaction) -> Reaction:
        condition = self._exact(reaction.condition)
        return replace(reaction, condition=condition, effect=self._effect(reaction.effect, frozenset()))

    # ---- actions

    def _action(self, action: Action) -> Action:
        """The action without the choice of things, legal if it may be legal with some of them.

        Raises NotCounted.
        """
        kept, needed, held = list[Choice](), list[n.Expr](), list[tuple[n.Var, str]]()
        for choice in action.choices:
            if choice.chain is not None:
                raise NotCounted
            if choice.var.type == self.things:
                self.bounds.open.add(choice.var)
                held += [(choice.var, digest) for digest in self._digest(choice.source)]
                needed.append(self.bounds.some_in(choice.source).high)
                needed += [self.bounds.condition(e).high for e in (choice.where,) if e is not None]
            else:
                where = choice.where and self.bounds.condition(choice.where).high
                kept.append(replace(choice, source=self._known(choice.source), where=where))
        found = (self.bounds.condition(r.condition).high for r in action.requirements)
        pairs = zip(action.requirements, found, strict=True)
        requirements = [r if e is r.condition else replace(r, condition=e) for r, e in pairs]
        if needed:
            requirements.append(Requirement("things", action.id, "", all_of(needed)))
        effect = self._effect(action.effect, frozenset(held))
        unchanged = effect is action.effect and not needed and requirements == [*action.requirements]
        if unchanged and all(a.where is b.where for a, b in zip(kept, action.choices, strict=True)):
            return action
        return Action(action.id, action.prose, tuple(kept), (action.id,), tuple(requirements), effect)

    def _surely_legal(self, action: Action) -> n.Expr:
        """The condition that an action is legal, whichever things there are."""
        asked = [self.bounds.condition(r.condition).low for r in action.requirements]
        for choice in action.choices:
            asked += [self.bounds.condition(choice.where).low] if choice.where is not None else []
            if choice.var.type == self.things:
                asked.append(self.bounds.some_in(choice.source).low)
        legal = all_of(asked)
        for choice in reversed(action.choices):
            if choice.var.type != self.things:
                legal = n.Any(BOOL, choice.var, choice.source, legal)
        return legal

    # ---- effects

    def _effect(self, effect: n.Effect, held: Held) -> n.Effect:
        """An effect on the sizes, with what is open drawn; `held` is known when it begins.

        Raises NotCounted.
        """
        match effect:
            case n.Assign():
                return self._assign(effect, held)
            case n.Block():
                items = []
                for item in effect.items:
                    items.append(self._effect(item, held))
                    held = self._still(held, item)
                same_items = all(a is b for a, b in zip(items, effect.items, strict=True))
                return effect if same_items else n.Block(tuple(items))
            case n.When():
                then, otherwise = self._effect(effect.then, held), self._effect(effect.otherwise, held)
                asked = self.bounds.condition(effect.cond)
                if asked.low is effect.cond and then is effect.then and otherwise is effect.otherwise:
                    return effect
                return _when(asked, then, otherwise)
            case n.ForEach():
                body = self._effect(effect.body, self._still(held, effect.body))
                made = n.ForEach(effect.var, self._known(effect.source), body)
                return effect if body is effect.body else made
            case n.Bind():
                if not self.bounds.is_known(effect.value):
                    self.bounds.open.add(effect.var)
                    return self._effect(effect.body, held)
                body = self._effect(effect.body, held)
                return effect if body is effect.body else n.Bind(effect.var, effect.value, body)
            case n.Draw() if self.bounds.is_known(effect.source):
                for e in (effect.weight,) if effect.weight is not None else ():
                    self._known(e)
                body = self._effect(effect.body, held)
                return effect if body is effect.body else n.copy_with(effect, body=body)
        raise NotCounted

    def _still(self, held: Held, effect: n.Effect) -> Held:
        """The names of things that are still known to be in their sets after an effect."""
        changed = changed_by([effect])
        return held if not changed & self._read_by_sources else frozenset()

    @cached_property
    def _read_by_sources(self) -> frozenset[n.StateVar]:
        """The variables that the sources of chosen things depend on."""
        choices = (c for a in self.game.actions.values() for c in a.choices if c.var.type == self.things)
        return frozenset().union(*(self.bounds.facts.reads(c.source) for c in choices))

    def _assign(self, effect: n.Assign, held: Held) -> n.Effect:
        """An assignment to a counter, or one that both games make alike. Raises NotCounted."""
        for key in effect.path:
            self._known(key)
        counter = self.bounds.counters.get(effect.target)
        if counter is not None:
            return _store(counter, effect.path, self._new_size(effect, held))
        if self.bounds.is_known(effect.value):
            return effect
        if not isinstance(effect.value.type, Int):
            raise NotCounted
        return _store(effect.target, effect.path, self.bounds.number(effect.value))

    def _new_size(self, effect: n.Assign, held: Held) -> Between:
        """The bounds of the size of the set that is stored. Raises NotCounted."""
        place: n.Expr = n.Get(effect.target.type, effect.target)
        for key in effect.path:
            assert isinstance(place.type, Map)
            place = n.Read(place.type.of, place, key)
        if not fits(effect.value.type, place.type):
            raise NotCounted
        match effect.value:
            case n.Difference(a=before, b=n.SetOf(items=(n.Local(var=var),))):
                size, digests = self.bounds.counter_of(place), self._digest(place)
                known = digests == self._digest(before) and any((var, digest) in held for digest in digests)
                if known and size is not None:
                    less = integers(-1, len(self.things.values) - 1)
                    return exactly(n.Sub(less, size, whole(1)))
        return self.bounds.size(effect.value)

    def _digest(self, e: n.Expr) -> list[str]:
        """The digest of an expression; none if it depends on local names, which digests do not tell apart."""
        return [] if self.bounds.facts.free(e) else [of_expression(e)]


def _counter(var: n.StateVar, t: Type) -> n.StateVar:
    """The variable for the sizes of the sets in a variable."""
    none: Value = (0,) * len(t.keys.values) if isinstance(t, Map) else 0
    return n.StateVar(f"size of {var.name}", t, n.Const(t, none))


def _store(target: n.StateVar, path: tuple[n.Expr, ...], value: Between) -> n.Effect:
    """Store a number, or one between bounds that chance draws."""
    if value.is_exact:
        return n.Assign(target, path, value.low)
    low, high = value.low.type, value.high.type
    assert isinstance(low, Int) and isinstance(high, Int)
    t = integers(low.lo, max(low.lo, high.hi))
    drawn = n.Var("drawn", t)
    at = n.Local(t, drawn)
    fits = n.And(BOOL, (n.AtMost(BOOL, value.low, at), n.AtMost(BOOL, at, value.high)))
    return n.Draw(drawn, n.Select(Set(t), drawn, n.Domain(Set(t), t), fits), None, n.Assign(target, path, at))


def _when(asked: Between, then: n.Effect, otherwise: n.Effect) -> n.Effect:
    """An effect that chooses between two by a condition, or by chance where the condition is open."""
    if asked.is_exact:
        return n.When(asked.low, then, otherwise)
    if asked.high is not TRUE:
        then = n.When(asked.high, then, otherwise)
    t = integers(0, 1)
    drawn = n.Var("case", t)
    first = n.Or(BOOL, (asked.low, n.Equal(BOOL, n.Local(t, drawn), whole(1))))
    return n.Draw(drawn, n.Domain(Set(t), t), None, n.When(first, then, otherwise))
