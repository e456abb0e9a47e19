"""The observations of each seat of a game: of every position, and of every move.

In a position a seat sees the variables that are not hidden, among them the player to move, and the values
that sights show it. It observes its own moves in full, and a move of another player without the parts that
are secret from it. Outcomes of chance show only in the position after them. A seat cannot distinguish two
plays with equal observations, and distinguishes all others (perfect recall).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..core import nodes as n
from ..core.context import Context, Env
from ..core.evaluate import elements, evaluate
from ..core.game import Action, Game, Sight
from ..core.notation import write
from ..core.taint import StateReads
from ..core.traversal import FreeVariables
from ..core.types import Value
from .position import Move

UNSEEN = "?"
"""Replaces a secret choice in notation."""


class SeatView(NamedTuple):
    """The view of a position by a seat; equal if the seat cannot distinguish the positions."""

    open: tuple[Value, ...]
    """The variables that are not hidden."""
    sights: tuple[tuple[int, tuple[Value, ...], Value], ...]
    """One entry for each value that a sight shows: its number, the values of its binders, the value shown."""


class ObservedMove(NamedTuple):
    """A seat's observation of a move; equal if the seat cannot distinguish the moves."""

    action: str | None
    """None if the action itself is secret."""
    args: tuple[Value | None, ...]
    """The choices, None for each that is secret; empty if the action is secret."""

    @property
    def move(self) -> Move | None:
        """The move if all of it is observed, else None."""
        complete = self.action is not None and None not in self.args
        return Move(self.action or "", self.args) if complete else None

    @property
    def parts(self) -> tuple[bool, ...]:
        """True for each part that is observed: the action, and each of its choices."""
        return self.action is not None, *(arg is not None for arg in self.args)


def sights(sight: Sight, ctx: Context, seat: Value) -> Iterator[tuple[tuple[Value, ...], Value]]:
    """The values that a sight shows a seat, each with the values of the binders of the sight."""
    for env in bindings(sight.binders, {sight.viewer: seat}, ctx):
        yield tuple(env[var] for var, _ in sight.binders), evaluate(sight.value, env, ctx)


def bindings(binders: tuple[tuple[n.Var, n.Expr], ...], env: Env, ctx: Context) -> Iterator[Env]:
    """The environments that extend `env` by every combination of values of the binders."""
    if not binders:
        yield env
        return
    var, source = binders[0]
    for value in elements(source, env, ctx):
        yield from bindings(binders[1:], {**env, var: value}, ctx)


def secrets_in_words(
    game: Game, action: Action, code: Callable[[str], str] = lambda text: text
) -> Iterator[str]:
    """A sentence for readers of the rules on each secret part of an action.

    `code` marks formal text in the sentences.
    """
    stage = game.stage_of(action.id)
    for secret in action.secrets:
        part = code(secret.choice.name) if secret.choice is not None else "which action this is"
        text = f"The other players do not learn {part}"
        if stage is not None and stage.shown:
            text += " before all have chosen"
        elif secret.shown is not None and (shown := game.texts.get(secret.shown, "")):
            text += f"; it is shown to {code(shown)}"
        yield f"{text}."


class Observer:
    """The observations of the seats of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.hides = any(var.hidden for var in game.state.values())
        """True if some variable is hidden; otherwise every seat sees the whole position."""
        self._open = tuple(var for var in game.state.values() if not var.hidden)
        self._reads = StateReads()
        self._free = FreeVariables()

    def position(self, ctx: Context, seat: Value) -> SeatView:
        """A seat's view of a position."""
        seen = ((number, sights(sight, ctx, seat)) for number, sight in enumerate(self.game.sights))
        shown = tuple((number, keys, value) for number, listed in seen for keys, value in listed)
        return SeatView(tuple(ctx.state[var] for var in self._open), shown)

    def move(self, ctx: Context, move: Move, seat: Value) -> ObservedMove:
        """A seat's observation of a move made in the position of `ctx`."""
        action = self.game.actions[move.action]
        if not action.secrets or ctx.state[self.game.mover] == seat:
            return ObservedMove(*move)
        env = {choice.var: value for choice, value in zip(action.choices, move.args, strict=True)}
        secrets = ((secret.choice, secret.shown) for secret in action.secrets)
        kept = {x for x, shown in secrets if shown is None or seat not in evaluate(shown, env, ctx)}
        if None in kept:
            return ObservedMove(None, ())
        return ObservedMove(move.action, tuple(None if var in kept else value for var, value in env.items()))

    def text(self, ctx: Context, move: Move, seat: Value) -> str:
        """A move in notation as a seat observes it, `?` in place of each secret choice.

        If the notation of the action reads hidden state, which it would reveal, the form `action(first,
        second)` is used.
        """
        observed = self.move(ctx, move, seat)
        if observed.action is None:
            return "acts unseen"
        action = self.game.actions[observed.action]
        env = {choice.var: value for choice, value in zip(action.choices, move.args, strict=True)}
        pairs = zip(action.choices, observed.args, strict=True)
        kept = frozenset(choice.var for choice, value in pairs if value is None)
        if ctx.state[self.game.mover] != seat and self.reads_hidden(action):
            words = [UNSEEN if c.var in kept else write(c.var.type, env[c.var]) for c in action.choices]
            return f"{action.id}({', '.join(words)})" if words else action.id
        parts = (
            part if isinstance(part, str)
            else UNSEEN if self._free(part) & kept
            else write(part.type, evaluate(part, env, ctx))
            for part in action.written
        )  # fmt: skip
        return " ".join("".join(parts).split())

    def reads_hidden(self, action: Action) -> bool:
        """True if the notation of an action reads hidden state."""
        read = [self._reads(part) for part in action.written if isinstance(part, n.Expression)]
        return any(asks or any(var.hidden for var in variables) for variables, asks in read)
