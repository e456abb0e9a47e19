"""Values that all deals have in common, if cards are dealt without being looked at.

A setup that shuffles once, and from then on only moves the shuffled cards, is blind: another shuffle gives
the same start with other cards in the same places. So the number of cards in each place, and every value
independent of the cards, is the same for every deal, and one deal gives it. What is drawn besides, such as a
card that is turned up, must stay where it is stored; values that read it are not common.

The start is more than the setup: if an end holds at once, the first turn does not begin, and if players who
cannot act pass, legality decides which player begins and how many turns have begun. A game is blind only if
none of that looks at the cards, or if the beginning of a turn has no effect; then only `mover` and `over` may
differ between deals.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import assert_never

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.traversal import BOUND, FreeVariables, nodes_within, parts, takes_all
from rulespec.core.types import List, Map, Optional, Scalar, Set, Type, Value, fits
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.formulas.dependencies import Dependencies

Marked = Mapping[n.Var, bool]
"""For each local name whether it represents shuffled content, such as a card or a list of cards."""


class Inspection(Exception):
    """Raised if shuffled content is inspected."""


class DrawInspection(Inspection):
    """Raised if something drawn is read."""


class Deals:
    """The starts of a game, and their common values."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._facts = Dependencies(game)
        self._shuffles = 0
        self._shuffled: Scalar | None = None
        self._moved: set[n.StateVar] = set()
        """The variables with shuffled content."""
        self._drawn: set[n.StateVar] = set()
        """The variables in which something drawn is stored."""
        self._left_out = False
        """True if some values of the shuffled type are not shuffled."""

    def value(self, e: n.Expr) -> Value:
        """The value of an expression at the start of every play; None if one start does not show it."""
        if not self._blind or self._start is None:
            return None
        moved = set(self._moved)
        try:
            same = not self._kind(e, {}) and self._moved == moved
        except Inspection:
            same = False
        self._moved = moved
        return evaluate(e, {}, self._start) if same else None

    @property
    def shuffled_type(self) -> Scalar | None:
        """The type whose values are all shuffled once and then only moved, if nothing else is left to chance;
        None if there is no such type."""
        return self._shuffled if self._blind and not self._drawn and not self._left_out else None

    @property
    def moved_variables(self) -> frozenset[n.StateVar]:
        """The variables with shuffled content at the start, if it is only moved."""
        return frozenset(self._moved) if self._blind else frozenset()

    @property
    def passes(self) -> bool:
        """True if the player who begins depends on legality at the start."""
        return self.game.turn.stuck == "pass" and self.game.players > 1

    @cached_property
    def _blind(self) -> bool:
        """True if the setup shuffles once and its content is only moved, never inspected."""
        game = self.game
        if not game.has_chance:
            return False
        try:
            before: tuple[int, int] | None = None
            while before != (known := (len(self._moved), len(self._drawn))):
                before, self._shuffles = known, 0
                for effect in (game.setup, game.turn.begin):
                    self._goes(effect, {})
            if any(isinstance(node, n.Assign | n.Draw | n.Shuffle) for node in nodes_within(game.turn.begin)):
                moved = set(self._moved)
                self._plain(tuple(end.condition for end in game.ends), {})
                if self.passes or self._moved != moved:
                    return False
        except Inspection:
            return False
        return self._shuffles == 1 and all(_is_empty(evaluate(v.initial, {}, Context())) for v in self._moved)

    @property
    def _of_the_start(self) -> set[n.StateVar]:
        """The variables whose values at the start depend on ends and legality, and so possibly on the
        cards."""
        return {self.game.state["over"], *([self.game.mover] if self.passes else [])}

    @cached_property
    def _start(self) -> Context | None:
        machine = Machine(self.game)
        position = machine.start(Chance("0")).position
        return machine.situation(position) if position.fault is None else None

    # ---- effects

    def _goes(self, effect: n.Effect, marked: Marked) -> None:
        """Mark the variables that get shuffled content from an effect; raises Inspection if the effect
        looks at it."""
        match effect:
            case n.Assign():
                self._plain(effect.path, marked)
                try:
                    kind = self._kind(effect.value, marked)
                except DrawInspection:
                    if not fits(effect.value.type, _entry_type(effect)):
                        raise Inspection from None  # some outcomes may fault
                    self._drawn.add(effect.target)
                    return
                if kind:
                    if not _holds_all(effect.target.type, effect.value.type):
                        raise Inspection
                    self._moved.add(effect.target)
                elif effect.target in self._moved and not _empty(effect.value):
                    raise Inspection
            case n.Block():
                for item in effect.items:
                    self._goes(item, marked)
            case n.When():
                self._plain((effect.cond,), marked)
                self._goes(effect.then, marked)
                self._goes(effect.otherwise, marked)
            case n.ForEach():
                self._plain((effect.source,), marked)
                if any(isinstance(node, n.Shuffle) for node in nodes_within(effect.body)):
                    raise Inspection  # once for each element
                self._goes(effect.body, {**marked, effect.var: False})
            case n.Bind():
                self._goes(effect.body, {**marked, effect.var: self._kind(effect.value, marked)})
            case n.Shuffle():
                assert isinstance(effect.source.type, Set)
                of, free = effect.source.type.of, FreeVariables()(effect.source)
                if self._facts.reads(effect.source) or free or not isinstance(of, Scalar):
                    raise Inspection
                self._shuffles += 1
                self._shuffled = of
                self._left_out = not isinstance(effect.source, n.Domain)
                self._goes(effect.body, {**marked, effect.var: True})
            case n.Draw():
                if effect.weight is not None:
                    raise Inspection
                self._goes(effect.body, {name: kind for name, kind in marked.items() if name != effect.var})
            case _:
                assert_never(effect)

    def _plain(self, asked: tuple[n.Expr, ...], marked: Marked) -> None:
        if any(self._kind(e, marked) for e in asked):
            raise Inspection

    # ---- expressions

    def _kind(self, e: n.Expr, marked: Marked) -> bool:
        """True if an expression is shuffled content, moved unchanged.

        False if it does not change when cards are exchanged everywhere. Raises Inspection if it is neither.
        """
        match e:
            case n.Local():
                if e.var not in marked:
                    raise DrawInspection
                return marked[e.var]
            case n.Get():
                if e.var in self._drawn:
                    raise DrawInspection
                if e.var in self._of_the_start:
                    raise Inspection
                return e.var in self._moved
            case n.Can() | n.After():
                raise Inspection
            case n.Size() | n.IsNone():
                self._kind(e.item, marked)
                return False
            case n.Read() | n.Item() | n.Slice() | n.Top() | n.Rest():
                whole, *at = (x for x in parts(e) if isinstance(x, n.Expression))
                self._plain(tuple(at), marked)
                return self._kind(whole, marked)
            case n.Union() | n.Concat():
                return self._is_joined(e.a, e.b, marked)
            case n.Image() | n.Collect() if isinstance(e.body, n.Local) and e.body.var is e.var:
                return self._kind(e.source, marked)
            case n.Let():
                return self._kind(e.body, {**marked, e.var: self._kind(e.value, marked)})
            case n.Call() if e.function.falling is None:
                given = [self._kind(x, marked) for x in e.args]
                if any(given) and not takes_all(e):
                    raise Inspection
                return self._kind(e.function.body, dict(zip(e.function.params, given, strict=True)))
            case n.Call() if self._facts.reads(e.function) & {*self._moved, *self._of_the_start}:
                raise Inspection
            case n.Equal() | n.Member():
                self._common_kind(e, marked)
                return False
            case n.SetOf() | n.ListOf() | n.Intersection() | n.Difference():
                return self._common_kind(e, marked)
            case n.All() | n.Any() | n.Sum():
                cards = isinstance(e.source, n.Domain) and e.source.of == self._shuffled
                self._plain((e.body,), {**marked, e.var: cards or self._kind(e.source, marked)})
                return False
            case n.First():
                self._plain((e.source, e.body), {**marked, e.var: False})
                return False
        if type(e) in BOUND:
            raise Inspection
        self._plain(tuple(x for x in parts(e) if isinstance(x, n.Expression)), marked)
        return False

    def _common_kind(self, e: n.Expr, marked: Marked) -> bool:
        """The kind of all operands; raises Inspection if they differ."""
        kinds = {self._kind(x, marked) for x in parts(e) if isinstance(x, n.Expression)}
        if len(kinds) > 1:
            raise Inspection
        return True in kinds

    def _is_joined(self, a: n.Expr, b: n.Expr, marked: Marked) -> bool:
        """Mark values joined with shuffled content as shuffled. Raises Inspection."""
        kinds = [self._kind(x, marked) for x in (a, b)]
        if any(kinds):
            self._moved |= {v for x in (a, b) for v in self._facts.reads(x)}
            if not all(_empty(x) or self._kind(x, marked) for x in (a, b)):
                raise Inspection
        return any(kinds)


def _holds_all(place: Type, given: Type) -> bool:
    """True if a variable of type `place` (or its entries) can hold every single value of type `given`."""
    held, of = _single(place), _single(given)
    return of is None or (held is not None and of.within(held))


def _entry_type(assign: n.Assign) -> Type:
    """The type of the entry in which an assignment stores. Raises Inspection."""
    found = assign.target.type
    for _ in assign.path:
        if not isinstance(found, Map):
            raise Inspection
        found = found.of
    return found


def _single(t: Type | None) -> Scalar | None:
    """The type of the single values inside a type."""
    while isinstance(t, Map | Set | List | Optional):
        t = t.of
    return t if isinstance(t, Scalar) else None


def _empty(e: n.Expr) -> bool:
    return isinstance(e, n.Const) and _is_empty(e.value)


def _is_empty(value: Value) -> bool:
    """True if a variable's first value contains nothing that a shuffle could exchange."""
    if isinstance(value, tuple):
        return all(map(_is_empty, value))
    return value is None or value == frozenset()
