"""Auxiliary counters: sizes of sets kept as numbers beside them, so that formulas need not count.

A rule that fills a hand up asks how many cards are in it. Counted element by element, that is a large
formula, and no engine sees that a card taken from one place and put into another makes a difference
of one. So each such set gets a counter, its *tally*, which every change of the set updates; the
rules then read the tally. Where things only ever move between sets and lists (`disjoint_holders`), an added
thing is surely new in the set, and the tally grows by the number added.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.types import BOOL, List, Scalar, Set, integers
from rulespec.core.walk import assignments, inside, rebuilt

Holder = n.StateVar
"""A variable that holds a set or a list."""


@dataclass(frozen=True)
class CountedGame:
    """A game whose rules read tallies, and the tally of each set that has one."""

    game: Game
    actions: list[Action]
    tallies: dict[n.StateVar, n.StateVar]


def with_size_counters(game: Game, actions: Sequence[Action]) -> CountedGame:
    """The game with tallies for the sets whose size some of these actions ask for; only they are kept."""
    sets = _asked(actions)
    tallies = {
        s: n.StateVar(f"size of {s.name}", count, n.Const(count, 0))
        for s in sets
        if isinstance(s.type, Set) and s.type.of is not None and _starts_empty(s)
        for count in [integers(0, len(s.type.of.values))]
    }
    if not tallies:
        return CountedGame(game, list(actions), {})
    effects = [*(a.effect for a in actions), *(r.effect for r in game.reactions), game.turn.begin]
    rewrite = _Rewrite(tallies, disjoint_holders(game.state.values(), game.setup, effects))
    changed = [rewrite.action(a) for a in actions]
    altered = replace(
        game,
        state={**game.state, **{t.name: t for t in tallies.values()}},
        setup=rewrite.effect(game.setup, {}),
        turn=replace(game.turn, begin=rewrite.effect(game.turn.begin, {})),
        actions={**game.actions, **{a.id: a for a in changed}},
        reactions=tuple(
            replace(r, condition=rewrite.expr(r.condition), effect=rewrite.effect(r.effect, {}))
            for r in game.reactions
        ),
    )
    return CountedGame(altered, changed, tallies)


def _asked(actions: Iterable[Action]) -> list[n.StateVar]:
    result: dict[n.StateVar, None] = {}
    for action in actions:
        asked: list[n.Expr | n.Effect] = [action.effect, *(r.condition for r in action.requirements)]
        asked += [e for c in action.choices for e in (c.source, c.where) if e is not None]
        for part in asked:
            for node in inside(part):
                if isinstance(node, n.Size) and isinstance(node.item, n.Get):
                    result[node.item.var] = None
    return list(result)


def _starts_empty(var: n.StateVar) -> bool:
    return isinstance(var.initial, n.Const) and not var.initial.value


# ---- things that are in one place only


def disjoint_holders(
    state: Iterable[n.StateVar], setup: n.Effect, effects: Sequence[n.Effect]
) -> frozenset[Holder]:
    """Sets and lists that together hold each thing at most once, in every position.

    They start empty; a shuffle fills one of them before any other is touched; from then on things are
    taken out, or moved from the top of a list. What does anything else is not among them: supposed
    are all, and taken back is what does not bear it out.
    """
    holders = {v for v in state if isinstance(v.type, Set | List) and v.type.of and _starts_empty(v)}
    while True:
        broken: set[Holder] = set()
        _Moves(holders, broken, filling=True).run(setup)
        for effect in effects:
            _Moves(holders, broken, filling=False).run(effect)
        if not broken:
            return frozenset(holders)
        holders -= broken


@dataclass
class _Moves:
    """Follows one effect and notes which holders it may bring a second copy of a thing into."""

    holders: set[Holder]
    broken: set[Holder]
    filling: bool
    touched: set[Holder] = field(default_factory=set)
    taken: dict[n.Var, tuple[Holder, n.Expr]] = field(default_factory=dict)
    """Tops of lists by local name: of which list, and how many."""
    free: set[n.Var] = field(default_factory=set)
    """Tops that have left their list and are in no other place yet."""
    shuffled: set[n.Var] = field(default_factory=set)

    def run(self, e: n.Effect) -> None:
        """Follow an effect."""
        if isinstance(e, n.Assign):
            self._assign(e)
        elif isinstance(e, n.Block):
            for item in e.items:
                self.run(item)
        elif isinstance(e, n.When):
            other = replace(self, touched=set(self.touched), taken=dict(self.taken), free=set(self.free))
            self.run(e.then)
            other.run(e.otherwise)
            self.touched |= other.touched
            self.free &= other.free
            self.taken = {var: top for var, top in self.taken.items() if var in other.taken}
        elif isinstance(e, n.Bind):
            if isinstance(e.value, n.Top) and isinstance(e.value.list, n.Get):
                self.taken[e.var] = (e.value.list.var, e.value.count)
            self.run(e.body)
        elif isinstance(e, n.Shuffle):
            self.shuffled.add(e.var)
            self.run(e.body)
        else:  # once for each element, or only perhaps: nothing may come in
            for assign in assignments(e):
                if not _shrinks(assign):
                    self.broken |= {assign.target} & self.holders
                self.touched.add(assign.target)

    def _assign(self, e: n.Assign) -> None:
        target = e.target
        if target in self.holders and not _shrinks(e) and not self._moved_in(e) and not self._filled(e):
            self.broken.add(target)
        self.touched.add(target)
        for var, (source, count) in list(self.taken.items()):
            if source is target:
                del self.taken[var]
                if isinstance(e.value, n.Rest) and _same(e.value.count, count) and target in self.holders:
                    self.free.add(var)

    def _moved_in(self, e: n.Assign) -> bool:
        var = moved_in(e)
        if var is None or var not in self.free:
            return False
        self.free.discard(var)
        return True

    def _filled(self, e: n.Assign) -> bool:
        clean = self.filling and not self.touched & self.holders and not e.path
        return clean and isinstance(e.value, n.Local) and e.value.var in self.shuffled


def _shrinks(e: n.Assign) -> bool:
    """True if an assignment only takes something out."""
    value = e.value
    if e.path:
        return False
    if isinstance(value, n.Const):
        return not value.value
    whole = value.a if isinstance(value, n.Difference) else value.list if isinstance(value, n.Rest) else None
    return isinstance(whole, n.Get) and whole.var is e.target


def moved_in(e: n.Assign) -> n.Var | None:
    """The local name of a list of which all is added to what the target holds, and nothing else done."""
    value = e.value
    if isinstance(value, n.Union) and isinstance(value.a, n.Get) and value.a.var is e.target:
        image = value.b
        if isinstance(image, n.Image) and isinstance(image.source, n.Local):
            plain = isinstance(image.body, n.Local) and image.body.var is image.var
            return image.source.var if plain else None
    if isinstance(value, n.Concat) and isinstance(value.a, n.Get) and value.a.var is e.target:
        return value.b.var if isinstance(value.b, n.Local) else None
    return None


def _same(a: n.Expr, b: n.Expr) -> bool:
    if isinstance(a, n.Local) and isinstance(b, n.Local):
        return a.var is b.var
    return isinstance(a, n.Const) and isinstance(b, n.Const) and a.value == b.value


# ---- rules that read tallies


@dataclass
class _Rewrite:
    tallies: dict[n.StateVar, n.StateVar]
    exclusive: frozenset[Holder]

    def action(self, a: Action) -> Action:
        """An action that reads tallies and keeps them."""
        members = {c.var: c.source.var for c in a.choices if isinstance(c.source, n.Get) and c.chain is None}
        choices = tuple(
            replace(c, source=self.expr(c.source), where=None if c.where is None else self.expr(c.where))
            for c in a.choices
        )
        requirements = tuple(replace(r, condition=self.expr(r.condition)) for r in a.requirements)
        return replace(a, choices=choices, requirements=requirements, effect=self.effect(a.effect, members))

    def expr(self, e: n.Expr) -> n.Expr:
        """An expression that reads tallies."""
        changed = rebuilt(e, self._read)
        assert isinstance(changed, n.Expr)
        return changed

    def _read(self, node: n.Expr | n.Effect) -> n.Expr | n.Effect:
        if isinstance(node, n.Size) and isinstance(node.item, n.Get) and node.item.var in self.tallies:
            tally = self.tallies[node.item.var]
            return n.Get(tally.type, tally)
        return node

    def effect(self, e: n.Effect, members: dict[n.Var, n.StateVar]) -> n.Effect:
        """An effect that reads tallies and keeps them; `members` are locals known to be in a set."""
        again = {a.target for node in inside(e) if isinstance(node, n.ForEach) for a in assignments(node)}
        known = {var: held for var, held in members.items() if held not in again}
        changed = rebuilt(e, partial(self._kept, known))
        assert isinstance(changed, n.Effect)
        return changed

    def _kept(self, members: dict[n.Var, n.StateVar], node: n.Expr | n.Effect) -> n.Expr | n.Effect:
        if not isinstance(node, n.Assign):
            return self._read(node)
        count = self._count(node, members) if node.target in self.tallies else None
        for var in [v for v, held in members.items() if held is node.target]:
            del members[var]  # known before the first change only
        if count is None:
            return node
        tally = self.tallies[node.target]
        counted = n.Var(tally.name, tally.type)  # before the change, which may read the tally itself
        after = n.Assign(tally, (), n.Local(tally.type, counted))
        return n.Bind(counted, count, n.Block((node, after)))

    def _count(self, e: n.Assign, members: dict[n.Var, n.StateVar]) -> n.Expr:
        """The size of a set after an assignment, from its tally before."""
        tally = self.tallies[e.target]
        t, before, one = tally.type, n.Get(tally.type, tally), n.Const(integers(1, 1), 1)
        gone = _taken_out(e)
        if gone is not None and isinstance(gone, n.Local):
            if members.get(gone.var) is e.target:
                return n.Sub(t, before, one)
            there = n.Member(BOOL, gone, n.Get(e.target.type, e.target))
            return n.Sub(t, before, n.If(integers(0, 1), there, one, n.Const(integers(0, 0), 0)))
        added = moved_in(e)
        if added is not None and e.target in self.exclusive:
            assert isinstance(e.value, n.Union) and isinstance(e.value.b, n.Image)
            return n.Add(t, before, n.Size(t, e.value.b.source))
        return n.Size(t, e.value)


def _taken_out(e: n.Assign) -> n.Expr | None:
    """The one thing that an assignment takes out of a set."""
    value = e.value
    if isinstance(value, n.Difference) and isinstance(value.a, n.Get) and value.a.var is e.target:
        out = value.b
        if isinstance(out, n.SetOf) and len(out.items) == 1 and isinstance(out.items[0].type, Scalar):
            return out.items[0]
    return None
