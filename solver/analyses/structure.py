"""What a claim depends on, and a digest of just that.

`Shape` folds away what the settled parameters and readings decide, drops actions that can never
happen and state that nothing asked for depends on, and writes the rest as text with all names of
locals replaced by numbers. Two settings with the same text have the same formulas, so they share
one verdict.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Action, Game
from rulespec.core.types import List, Map, Optional, Scalar, Set, Type, Value
from rulespec.core.walk import assignments, may_fault, parts
from solver.formulas.dependencies import Dependencies

Text = tuple[Any, ...]

NO, YES = ("const", "Bool", False), ("const", "Bool", True)
MOST_LISTED = 1_000_000
"""A digest of a type with more values covers the first, the last and their number; such types are ranges."""


def instances(e: n.Expr) -> list[n.Expr]:
    """The conditions that `e` says of each value of a type by itself; `e` alone if it is not of that form."""
    if not isinstance(e, n.All) or not isinstance(e.source, n.Domain):
        return [e]
    of = e.source.of
    return [n.Let(e.type, e.var, n.Const(of, value), e.body) for value in of.values]


def alternatives(e: n.Expr) -> list[n.Expr]:
    """The conditions of which one must hold for `e` to hold; `e` alone if it is not of that form."""
    if isinstance(e, n.Let):
        return [n.Let(e.type, e.var, e.value, one) for one in alternatives(e.body)]
    return [one for item in e.items for one in alternatives(item)] if isinstance(e, n.Or) else [e]


def effects_of_plies(game: Game, actions: Iterable[Action]) -> list[n.Effect]:
    """All that can change the state after the setup, besides `mover` and `over`."""
    return [*(a.effect for a in actions), *(r.effect for r in game.reactions), game.turn.begin]


def digest(text: Text) -> str:
    """A digest of a text that a shape made."""
    return hashlib.sha256(repr(text).encode()).hexdigest()


class Shape:
    """Writes a game as text, as far as some conditions depend on it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._facts = Dependencies(game)
        self._locals: dict[n.Var, int] = {}
        self._functions: dict[n.Function, int] = {}
        self._bodies: list[Text] = []
        self._types: dict[Type, str] = {}
        self.actions = [a for a in game.actions.values() if not self._impossible(a)]

    def _impossible(self, action: Action) -> bool:
        asked = [r.condition for r in action.requirements]
        asked += [choice.where for choice in action.choices if choice.where is not None]
        return any(self.expr(e) == NO for e in asked)

    def cone(self, conditions: Iterable[n.Expr]) -> set[n.StateVar]:
        """The variables on which the conditions depend, in any position of any play."""
        game = self.game
        asked: list[n.Expr | n.Effect] = [
            *conditions,
            *(e.condition for e in game.ends),
            game.turn.over,
            game.turn.next,
        ]
        asked += [r.condition for r in game.reactions]
        for action in self.actions:
            asked += [r.condition for r in action.requirements]
            asked += [e for choice in action.choices for e in choice.conditions]
        wanted = {game.mover, game.state["over"]} | {v for e in asked for v in self._facts.reads(e)}
        effects = [*effects_of_plies(game, self.actions), game.setup]
        wanted |= {a.target for e in effects for a in assignments(e) if may_fault(a)}
        while True:
            more = {v for e in effects for v in self._feeding(e, wanted)} - wanted
            if not more:
                return wanted
            wanted |= more

    def _feeding(self, effect: n.Effect, wanted: set[n.StateVar]) -> set[n.StateVar]:
        """The variables that an effect reads to change a wanted variable."""
        if not any(a.target in wanted for a in assignments(effect)):
            return set()
        if isinstance(effect, n.Block):
            return {v for item in effect.items for v in self._feeding(item, wanted)}
        found: set[n.StateVar] = set()
        for part in parts(effect):
            found |= self._facts.reads(part) if isinstance(part, n.Expr) else self._feeding(part, wanted)
        return found

    def of(self, conditions: Iterable[n.Expr]) -> Text:
        """The game as text, with the conditions, as far as they depend on it."""
        asked = list(conditions)
        game, wanted = self.game, self.cone(asked)
        state = [
            (v.name, self.type(v.type), self.expr(v.initial)) for v in game.state.values() if v in wanted
        ]
        turn = (
            self.effect(game.turn.begin, wanted),
            self.expr(game.turn.over),
            self.expr(game.turn.next),
            game.turn.stuck,
        )
        written = (
            tuple(state),
            self.effect(game.setup, wanted),
            turn,
            tuple(self._action(a, wanted) for a in self.actions),
            tuple((self.expr(r.condition), self.effect(r.effect, wanted)) for r in game.reactions),
            tuple((e.id, self.expr(e.condition)) for e in game.ends),
            tuple(self.expr(e) for e in asked),
        )
        return (*written, tuple(self._bodies))

    def _action(self, action: Action, wanted: set[n.StateVar]) -> Text:
        choices = []
        for choice in action.choices:
            chain = choice.chain and (
                self.local(choice.chain.step),
                self.expr(choice.chain.where),
                choice.chain.type.cap,
            )
            where = self.expr(choice.where) if choice.where is not None else YES
            choices.append((self.local(choice.var), self.expr(choice.source), where, chain))
        required = sorted(
            {repr(text): text for r in action.requirements if (text := self.expr(r.condition)) != YES}.items()
        )
        return (
            action.id,
            tuple(choices),
            tuple(text for _, text in required),
            self.effect(action.effect, wanted),
        )

    # ---- effects

    def effect(self, effect: n.Effect, wanted: set[n.StateVar]) -> Text:
        """An effect as text, without what it does to variables that nobody wants."""
        if isinstance(effect, n.Assign):
            if effect.target not in wanted:
                return ("block",)
            return ("assign", effect.target.name, tuple(map(self.expr, effect.path)), self.expr(effect.value))
        if isinstance(effect, n.Block):
            items = [text for item in effect.items if (text := self.effect(item, wanted)) != ("block",)]
            return items[0] if len(items) == 1 else ("block", *items)
        if isinstance(effect, n.When):
            cond = self.expr(effect.cond)
            yes, no = self.effect(effect.then, wanted), self.effect(effect.otherwise, wanted)
            return yes if cond == YES or yes == no else no if cond == NO else ("when", cond, yes, no)
        body = self.effect(effect.body, wanted)  # type: ignore[attr-defined]
        inside = [self.expr(e) for e in parts(effect) if isinstance(e, n.Expr)]
        if body == ("block",):
            return body
        return (type(effect).__name__, self.local(effect.var), *inside, body)  # type: ignore[attr-defined]

    # ---- expressions

    def expr(self, e: n.Expr) -> Text:
        """An expression as text, what is settled folded away."""
        if isinstance(e, n.Const):
            return self._const(e.type, e.value)
        if isinstance(e, n.Local):
            return ("local", self.local(e.var))
        if isinstance(e, n.Get):
            return ("get", e.var.name)
        if isinstance(e, n.Domain):
            return ("domain", self.type(e.of))
        if isinstance(e, n.Call):
            return ("call", self._function(e.function), *map(self.expr, e.args))
        if isinstance(e, n.Can):
            return ("can", e.action, *map(self.expr, e.args))
        if isinstance(e, n.And | n.Or):
            return self._junction(e)
        if isinstance(e, n.If):
            cond, yes, no = self.expr(e.cond), self.expr(e.then), self.expr(e.otherwise)
            return yes if cond == YES or yes == no else no if cond == NO else ("if", cond, yes, no)
        return self._other(e)

    def _junction(self, e: n.And | n.Or) -> Text:
        absorbing, neutral = (NO, YES) if isinstance(e, n.And) else (YES, NO)
        items = [text for item in e.items if (text := self.expr(item)) != neutral]
        if absorbing in items:
            return absorbing
        return items[0] if len(items) == 1 else (type(e).__name__, *items) if items else neutral

    def _other(self, e: n.Expr) -> Text:
        inner = [self.expr(part) for part in parts(e) if isinstance(part, n.Expr)]
        body = inner[-1] if inner else None
        if isinstance(e, n.All) and body == YES:
            return YES
        if isinstance(e, n.Any) and body == NO:
            return NO
        rest = tuple(self._plain(getattr(e, slot.name)) for slot in fields(e) if slot.name != "type")
        settled = not isinstance(e.type, Set | List | Map) and all(text[0] == "const" for text in inner)
        if settled and not any(isinstance(getattr(e, slot.name), n.Var) for slot in fields(e)):
            return self._const(e.type, evaluate(_of_constants(e, iter(inner)), {}, Context()))
        return (type(e).__name__, rest, self.type(e.type), *inner)

    def _plain(self, value: Any) -> Any:
        if isinstance(value, n.Var):
            return self.local(value)
        if isinstance(value, Type):
            return self.type(value)
        return value if isinstance(value, bool | int | str) else None

    def _const(self, t: Type, value: Value) -> Text:
        if isinstance(value, bool):
            return YES if value else NO
        kind = (
            "number"
            if isinstance(value, int) and isinstance(t, Scalar) and t.family == "number"
            else self.type(t)
        )
        return ("const", kind, tuple(sorted(value)) if isinstance(value, frozenset) else value)

    def _function(self, function: n.Function) -> int:
        if function not in self._functions:
            number = self._functions[function] = len(self._functions)
            self._bodies.append(())
            params = tuple((self.local(p), self.type(p.type)) for p in function.params)
            self._bodies[number] = (params, self.type(function.result), self.expr(function.body))
        return self._functions[function]

    def local(self, var: n.Var) -> int:
        """The number that stands for a local name."""
        return self._locals.setdefault(var, len(self._locals))

    def type(self, t: Type) -> str:
        """A digest of a type: its family and values."""
        if t not in self._types:
            self._types[t] = hashlib.sha256(repr(self._type(t)).encode()).hexdigest()[:16]
        return self._types[t]

    def _type(self, t: Type) -> Any:
        if isinstance(t, Scalar):
            if len(t.values) > MOST_LISTED:  # a counter may have a billion values
                return (t.family, "range", t.values[0], t.values[-1], len(t.values))
            return (t.family, tuple(t.values))
        if isinstance(t, Map):
            return ("map", self.type(t.keys), self.type(t.of))
        assert isinstance(t, Optional | Set | List)
        cap = t.cap if isinstance(t, List) else 0
        return (type(t).__name__, cap, self.type(t.of) if t.of is not None else "")


def _of_constants(e: n.Expr, texts: Iterator[Text]) -> n.Expr:
    """An expression with each operand replaced by the constant to which its text was reduced.

    An operand need not be a constant itself: both branches of an `if` may have the same constant.
    """

    def constant(operand: n.Expr) -> n.Expr:
        held = next(texts)[2]
        return n.Const(operand.type, frozenset(held) if isinstance(operand.type, Set) else held)

    changed: dict[str, Any] = {}
    for slot in fields(e):
        held = getattr(e, slot.name)
        if isinstance(held, n.Expr):
            changed[slot.name] = constant(held)
        elif isinstance(held, tuple) and any(isinstance(item, n.Expr) for item in held):
            changed[slot.name] = tuple(constant(item) for item in held)
    return replace(e, **changed)
