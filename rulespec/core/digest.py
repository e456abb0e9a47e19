"""Digests of meaning: two games with one digest play alike, whatever their prose says.

Nodes are written out as text with variables numbered by first appearance, definitions by name with
their bodies, types by their values' notation-free form. Prose, places and drawings do not count.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import nodes as n
from .diagnostics import RulesetError
from .types import Enum, Int, List, Map, Optional, Record, Scalar, Set, Type

if TYPE_CHECKING:
    from .game import Action, Claim, Game, Other, Sight

_MEANT = {kind: tuple(slot for slot in kind.SLOTS if slot != "name") for kind in (*n.EXPRESSIONS, *n.EFFECTS)}
"""The slots of each kind of node that bear on its meaning."""


class _Writer:
    """Writes nodes in a canonical form; definitions are written once, where first called."""

    def __init__(self) -> None:
        self.vars: dict[n.Var, int] = {}
        self.functions: dict[n.Function, int] = {}
        self.types: dict[int, str] = {}
        self.kept: list[Type] = []
        self.texts: list[str] = []

    def put(self, *texts: object) -> None:
        self.texts += map(str, texts)

    def digest(self) -> str:
        """The digest of all that was written, in hexadecimal."""
        return hashlib.sha256("".join(f"{text} " for text in self.texts).encode()).hexdigest()

    def write(self, thing: Any) -> None:
        meant = _MEANT.get(type(thing))
        if meant is not None:
            self.put(type(thing).__name__)
            for name in meant:
                self.write(getattr(thing, name))
        elif isinstance(thing, Mapping):
            self.write(tuple(sorted(thing.items())))
        elif isinstance(thing, tuple | list):
            self.put("(")
            for item in thing:
                self.write(item)
            self.put(")")
        elif isinstance(thing, Type):
            self.put(self.type(thing))
        elif isinstance(thing, n.Var):
            known = thing in self.vars
            self.put("v", self.vars.setdefault(thing, len(self.vars)))
            if not known:
                self.put(self.type(thing.type))
        elif isinstance(thing, n.StateVar):
            self.put("s", thing.name)
        elif isinstance(thing, n.Function):
            self.function(thing)
        elif isinstance(thing, frozenset):
            self.put("{", sorted(thing), "}")
        else:
            self.put(repr(thing))

    def function(self, function: n.Function) -> None:
        known = function in self.functions
        self.put("f", self.functions.setdefault(function, len(self.functions)))
        if not known:
            self.write(function.params)
            self.write(function.result)
            self.write(function.body)

    def type(self, t: Type) -> str:
        key = id(t)
        if key not in self.types:
            self.types[key] = self._type(t)
            self.kept.append(t)
        return self.types[key]

    def _type(self, t: Type) -> str:
        if isinstance(t, Optional):
            return f"?{self.type(t.of)}" if t.of else "?"
        if isinstance(t, Set):
            return f"set {self.type(t.of)}" if t.of else "set"
        if isinstance(t, List):
            return f"list {t.cap} {self.type(t.of)}" if t.of else "list"
        if isinstance(t, Map):
            return f"map {self.type(t.keys)} {self.type(t.of)}"
        if isinstance(t, Int):
            return f"int {t.values if isinstance(t.values, range) else tuple(t.values)}"
        if isinstance(t, Enum):
            return f"enum {tuple(t.members[v] for v in t.values)}"
        if isinstance(t, Record):
            digest = hashlib.sha256(repr(tuple(t.values)).encode()).hexdigest()[:16]
            return f"record {tuple(name for name, _ in t.fields)} {digest}"
        assert isinstance(t, Scalar)
        return f"bool {tuple(t.values)}"


class _Exact(_Writer):
    """Writes names, clauses, and the families and notations of types, too."""

    def write(self, thing: Any) -> None:
        if isinstance(thing, n.Var) and thing not in self.vars:
            self.put(repr(thing.name))
        super().write(thing)

    def function(self, function: n.Function) -> None:
        if function not in self.functions:
            named = function.name, function.clause
            self.put(repr(named), function.falling, function.static)
        super().function(function)

    def _type(self, t: Type) -> str:
        fields = [self.type(of) for _, of in t.fields] if isinstance(t, Record) else []
        family = t.family if isinstance(t, Scalar) else ""
        return f"{family!r} {str(t)!r} {fields} {_notation(t)!r} {super()._type(t)}"


def _notation(t: Type) -> tuple[object, ...]:
    """All that the notation of a type's values follows from, besides their types and names."""
    if isinstance(t, Record):
        return t.written, *t.signs.values()
    if isinstance(t, Int):
        return t.letters, t.letter_base
    if isinstance(t, Enum):
        return (t.letters,)
    return (t.joint,) if isinstance(t, List) else ()


def of_game(game: Game) -> str:
    """The digest of everything in a game that has a meaning, in hexadecimal."""
    w = _Writer()
    _game(w, game)
    return w.digest()


def exact(game: Game, asked: Mapping[str, n.Expr]) -> str:
    """The digest of all that the code of a game is made from, and of the expressions that it is asked.

    Names count as well, in code and in the words about it.
    """
    w = _Exact()
    _game(w, game)
    for name, e in asked.items():
        w.put(repr(name))
        w.write(e)
    return w.digest()


def _game(w: _Writer, game: Game) -> None:
    w.put("rulespec 1", game.players)
    for var in game.state.values():
        w.put(var.name, var.hidden)
        w.write(var.type)
        w.write(var.initial)
        if var.always is not None:
            w.put("always")
            w.write(var.always)
    w.write(game.setup)
    for part in (game.turn.begin, game.turn.over, game.turn.next, game.turn.stuck):
        w.write(part)
    for action in game.actions.values():
        _action(w, action)
    for reaction in game.reactions:
        w.put(reaction.id)
        w.write((reaction.condition, reaction.effect))
    for end in game.ends:
        w.put(end.id)
        w.write(end.condition)
    outcome = game.outcome
    w.write(
        (outcome.player, outcome.score, outcome.winners, outcome.ties, tuple(c for c, _ in outcome.titles))
    )
    if outcome.side is not None:
        w.write(outcome.side)
    for sight in game.sights:
        w.write((sight.viewer, sight.binders, sight.value))


def of_expression(e: n.Expr) -> str:
    """The digest of an expression without free local names, in hexadecimal."""
    w = _Writer()
    w.write(e)
    return w.digest()


def of_sight(sight: Sight) -> str:
    """The digest of what a player sees by a sight, in hexadecimal."""
    w = _Writer()
    w.write((sight.viewer, sight.binders, sight.value))
    return w.digest()


def of_claim(claim: Claim) -> str:
    """The digest of everything in a claim that bears on its truth, in hexadecimal.

    What it asks of the state counts with all the definitions that it leads to, used by the game or not; of a
    game that it compares with, all that has a meaning.
    """
    w = _Writer()
    w.put("claim", claim.id, claim.kind)
    w.write(claim.condition)
    for name, value in sorted(claim.options.items()):
        w.put(name)
        w.write(_digest(value) if name == "other" else value)
    return w.digest()


def _digest(other: Other) -> str:
    """The digest of a game that may not be had."""
    try:
        return other.game.digest
    except RulesetError:
        return "none"


def _action(w: _Writer, action: Action) -> None:
    w.put(action.id)
    for choice in action.choices:
        w.write((choice.var, choice.source, choice.where))
        if choice.chain:
            w.write((choice.chain.step, choice.chain.where, choice.chain.type))
    w.write(action.written)
    for requirement in action.requirements:
        w.put(requirement.clause, requirement.id)
        w.write(requirement.condition)
    w.write(action.effect)
    _secrets(w, action)


def _secrets(w: _Writer, action: Action) -> None:
    """Write the secrets of an action; nothing for an action without secrets."""
    numbers = {choice.var: number for number, choice in enumerate(action.choices)}
    for secret in action.secrets:
        w.put("secret", "action" if secret.choice is None else numbers[secret.choice])
        w.write(secret.shown)
