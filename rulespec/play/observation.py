"""What each seat of a game observes of a play: of every position, and of every move.

Of a position a seat sees the variables that are not hidden, whose turn it is among them, and what the sights
show it. Of a move of another player it observes the action and its choices, but for what the rules keep
secret from it; its own moves it observes in full. What chance gave shows only in the position after it.
Two plays of which a seat observed the same are the same to it: players remember everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..core import nodes as n
from ..core.context import Context, Env
from ..core.evaluate import elements, evaluate
from ..core.flow import StateReads
from ..core.game import Action, Game, Sight
from ..core.notation import write
from ..core.types import Value
from ..core.walk import FreeVariables
from .position import Move

UNSEEN = "?"
"""What stands in notation for a choice that is kept secret."""


class Seen(NamedTuple):
    """What a seat sees of a position; equal where it looks the same."""

    open: tuple[Value, ...]
    """The variables that are not hidden."""
    sights: tuple[tuple[int, tuple[Value, ...], Value], ...]
    """What the rules show besides: the number of the sight, the values of its binders, what is seen."""


class ObservedMove(NamedTuple):
    """A move as a seat observes it; equal where two moves look the same to it."""

    action: str | None
    """None where the action itself is kept secret."""
    args: tuple[Value | None, ...]
    """The choices, None for each that is kept secret; empty where the action is."""

    @property
    def move(self) -> Move | None:
        """The move, where nothing of it is kept secret."""
        known = self.action is not None and None not in self.args
        return Move(self.action or "", self.args) if known else None

    @property
    def parts(self) -> tuple[bool, ...]:
        """Which parts of the move are observed: the action, and each of its choices."""
        return self.action is not None, *(arg is not None for arg in self.args)


def sights(sight: Sight, ctx: Context, seat: Value) -> Iterator[tuple[tuple[Value, ...], Value]]:
    """What a sight shows a seat: for the values of its binders, what is seen."""
    for env in bindings(sight.binders, {sight.viewer: seat}, ctx):
        yield tuple(env[var] for var, _ in sight.binders), evaluate(sight.value, env, ctx)


def bindings(binders: tuple[tuple[n.Var, n.Expr], ...], env: Env, ctx: Context) -> Iterator[Env]:
    """The locals with every combination of values of some binders."""
    if not binders:
        yield env
        return
    var, source = binders[0]
    for value in elements(source, env, ctx):
        yield from bindings(binders[1:], {**env, var: value}, ctx)


def kept_secret(game: Game, action: Action) -> list[tuple[str, str]]:
    """What an action keeps secret, for readers of the rules, each with the players it is shown to.

    That is the name of a choice, or nothing for the action itself; and formal text, or nothing for nobody.
    """
    parts = (secret.choice.name if secret.choice is not None else "" for secret in action.secrets)
    shown = (game.texts.get(secret.shown, "") if secret.shown else "" for secret in action.secrets)
    return [*zip(parts, shown, strict=True)]


class Observer:
    """What the seats of one game observe."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.hides = any(var.hidden for var in game.state.values())
        """Whether anything is hidden from anybody; else the position says everything."""
        self._open = tuple(var for var in game.state.values() if not var.hidden)
        self._reads = StateReads()
        self._free = FreeVariables()

    def position(self, ctx: Context, seat: Value) -> Seen:
        """What a seat sees of a position."""
        shown = tuple(
            (number, keys, value)
            for number, sight in enumerate(self.game.sights)
            for keys, value in sights(sight, ctx, seat)
        )
        return Seen(tuple(ctx.state[var] for var in self._open), shown)

    def move(self, ctx: Context, move: Move, seat: Value) -> ObservedMove:
        """What a seat observes of a move that is made in a position."""
        action = self.game.actions[move.action]
        if not action.secrets or ctx.state[self.game.mover] == seat:
            return ObservedMove(*move)
        env = {choice.var: value for choice, value in zip(action.choices, move.args, strict=True)}
        kept = {
            secret.choice
            for secret in action.secrets
            if secret.shown is None or seat not in evaluate(secret.shown, env, ctx)
        }
        if None in kept:
            return ObservedMove(None, ())
        return ObservedMove(move.action, tuple(None if var in kept else value for var, value in env.items()))

    def text(self, ctx: Context, move: Move, seat: Value) -> str:
        """A move in notation as a seat observes it: `?` stands for what is kept secret.

        Notation that reads what is hidden would give it away, so it gives way to `action(first, second)`.
        """
        observed = self.move(ctx, move, seat)
        if observed.action is None:
            return "acts unseen"
        action = self.game.actions[observed.action]
        env = {choice.var: value for choice, value in zip(action.choices, move.args, strict=True)}
        pairs = zip(action.choices, observed.args, strict=True)
        kept = frozenset(choice.var for choice, value in pairs if value is None)
        if ctx.state[self.game.mover] != seat and self._is_telling(action):
            words = [UNSEEN if c.var in kept else write(c.var.type, env[c.var]) for c in action.choices]
            return f"{action.id}({', '.join(words)})" if words else action.id
        parts = (
            part if isinstance(part, str)
            else UNSEEN if self._free(part) & kept
            else write(part.type, evaluate(part, env, ctx))
            for part in action.written
        )  # fmt: skip
        return " ".join("".join(parts).split())

    def _is_telling(self, action: Action) -> bool:
        """Whether the notation of an action reads anything that is hidden."""
        read = [self._reads(part) for part in action.written if isinstance(part, n.Expr)]
        return any(asks or any(var.hidden for var in variables) for variables, asks in read)
