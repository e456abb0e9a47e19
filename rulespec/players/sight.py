"""What a seat sees: of a position, and of what another player did."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from ..core import nodes as n
from ..core.context import Context
from ..core.evaluate import evaluate
from ..core.game import Action, Game, Sight
from ..core.notation import write
from ..core.types import Int, List, Map, Optional, Scalar, Set, Truth, Type, Value, scalar_of
from ..core.walk import FreeVariables, conjuncts, inside, slots
from ..play.actions import Action as Played
from ..play.position import Move
from ..play.views import bindings


class Seen(NamedTuple):
    """What a seat sees of a position; equal where it looks the same."""

    open: tuple[Value, ...]
    """The variables that are not hidden."""
    sights: tuple[tuple[int, tuple[Value, ...], Value], ...]
    """What the rules show besides: the number of the sight, the values of its binders, what is seen."""


def sights(sight: Sight, ctx: Context, seat: Value) -> Iterator[tuple[tuple[Value, ...], Value]]:
    """What a sight shows a seat: for the values of its binders, what is seen."""
    for env in bindings(sight.binders, {sight.viewer: seat}, ctx):
        yield tuple(env[var] for var, _ in sight.binders), evaluate(sight.value, env, ctx)


class Change(NamedTuple):
    """A place at which two values differ: the keys that lead there, and both values."""

    keys: tuple[tuple[Scalar, Value], ...]
    type: Scalar
    before: Value
    after: Value


class Told(NamedTuple):
    """What a seat was told of an action: its id and choices, none where the seat cannot know them."""

    action: str | None
    args: tuple[Value | None, ...]

    def fits(self, move: Move) -> bool:
        """Whether a move may be the one that was made."""
        if self.action is None:
            return True
        return self.action == move.action and all(
            said is None or said == arg for said, arg in zip(self.args, move.args, strict=True)
        )

    @property
    def move(self) -> Move | None:
        """The move, where all of it was told."""
        known = self.action is not None and None not in self.args
        return Move(self.action or "", self.args) if known else None


class Sighting:
    """What the seats of one game see."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._open = tuple(var for var in game.state.values() if not var.hidden)
        self._hidden = tuple(var for var in game.state.values() if var.hidden)

    def seen(self, ctx: Context, seat: Value) -> Seen:
        """What a seat sees of a position."""
        shown = tuple(
            (number, keys, value)
            for number, sight in enumerate(self._game.sights)
            for keys, value in sights(sight, ctx, seat)
        )
        return Seen(tuple(ctx.state[var] for var in self._open), shown)

    def hidden(self, ctx: Context) -> list[list[str]]:
        """What lies at each hidden place, in notation: at each key of a map, or in a variable."""
        found: list[list[str]] = []
        for var in self._hidden:
            value = ctx.state[var]
            parts = [(var.type, value)]
            if isinstance(var.type, Map):
                parts = [(var.type.of, part) for part in value]
            found += [[text for _, text in _texts(t, part)] for t, part in parts]
        return [place for place in found if place]

    def changes(self, before: Seen, after: Seen) -> list[Change]:
        """Every place where a seat sees something else than before."""
        found: list[Change] = []
        for var, a, b in zip(self._open, before.open, after.open, strict=True):
            found += _changes(var.type, a, b, ())
        was, now = ({(i, keys): value for i, keys, value in seen.sights} for seen in (before, after))
        for place in dict.fromkeys([*was, *now]):
            t = self._game.sights[place[0]].value.type
            nothing = t.nothing
            found += _changes(t, was.get(place, nothing), now.get(place, nothing), ())
        return found

    def texts(self, seen: Seen) -> set[str]:
        """The notation of everything with a name of its own that a seat sees lying anywhere."""
        found: set[str] = set()
        for var, value in zip(self._open, seen.open, strict=True):
            found.update(text for _, text in _texts(var.type, value))
        for number, _, value in seen.sights:
            found.update(text for _, text in _texts(self._game.sights[number].value.type, value))
        return found

    def spoken(self, move: Move) -> list[str]:
        """The notation of everything with a name of its own among the choices of a move."""
        choices = self._game.actions[move.action].choices
        pairs = zip(choices, move.args, strict=True)
        return [text for choice, value in pairs for _, text in _texts(choice.var.type, value)]


def kind(t: Type) -> str:
    """What values must share to be taken for one another: a family, or the name of a range; else nothing."""
    scalar = scalar_of(t)
    if scalar is None or isinstance(scalar, Truth):
        return ""
    return scalar.name if isinstance(scalar, Int) else scalar.family


def _texts(t: Type, value: Value) -> Iterator[tuple[Scalar, str]]:
    """The values with a kind of their own in a value, in order, in notation."""
    if isinstance(t, Map):
        for part in value:
            yield from _texts(t.of, part)
    elif isinstance(t, Set | List):
        for part in sorted(value) if isinstance(t, Set) else value:
            if t.of is not None and kind(t.of):
                yield t.of, write(t.of, part)
    elif value is not None and kind(t):
        scalar = scalar_of(t)
        assert scalar is not None
        yield scalar, write(scalar, value)


def _changes(t: Type, a: Value, b: Value, keys: tuple[tuple[Scalar, Value], ...]) -> Iterator[Change]:
    if a == b:
        return
    if isinstance(t, Map):
        for key, before, after in zip(t.keys.values, a, b, strict=True):
            yield from _changes(t.of, before, after, (*keys, (t.keys, key)))
    elif isinstance(t, Set | List):
        assert t.of is not None
        pairs = zip_longest(sorted(a - b), sorted(b - a)) if isinstance(t, Set) else zip_longest(a, b)
        for before, after in pairs:
            if before != after:
                yield Change(keys, t.of, before, after)
    else:
        scalar = t.of if isinstance(t, Optional) else t
        assert isinstance(scalar, Scalar)
        yield Change(keys, scalar, a, b)


class Telling:
    """What the others are told of an action.

    An action is made openly. But a choice may be secret where its legality depends on what is hidden,
    or where it is stored in what is hidden; such a choice is told to a seat only if the seat sees the
    chosen value come or go. So is which action it was, where several may be secret.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._free = FreeVariables()
        self._reads: dict[n.Function, bool] = {}
        self.secret = {a.id: self._secret_choices(a) for a in game.actions.values()}
        """The numbers, from 0, of the choices of each action that may be secret."""
        self.covert = {a.id for a in game.actions.values() if self._is_covert(a)}
        """The actions of which it may be secret which of them was taken, if there are several."""

    def told(self, move: Move, changes: list[Change]) -> Told:
        """What a seat is told of another's move, given what the seat saw change."""
        shown = {(kind(c.type), v) for c in changes for v in (c.before, c.after)}
        shown |= {(kind(t), key) for c in changes for t, key in c.keys}
        choices = self._game.actions[move.action].choices
        args = tuple(
            None if i in self.secret[move.action] and not _is_shown(choice.var.type, value, shown) else value
            for i, (choice, value) in enumerate(zip(choices, move.args, strict=True))
        )
        open_choice = any(arg is not None and i in self.secret[move.action] for i, arg in enumerate(args))
        known = move.action not in self.covert or open_choice or len(self.covert) == 1
        return Told(move.action, args) if known else Told(None, ())

    def text(self, played: Played, told: Told) -> str:
        """How an action reads for who was told this much of it."""
        if told.action is None:
            return "acts unseen"
        action = self._game.actions[told.action]
        plain = not any(isinstance(part, n.Expr) and self._hidden(part) for part in action.written)
        if told.move is not None:
            return str(played) if plain else played.full
        parts = zip(action.choices, told.args, strict=True)
        words = ["?" if value is None else write(choice.var.type, value) for choice, value in parts]
        return f"{action.id}({', '.join(words)})"

    def _is_covert(self, action: Action) -> bool:
        conditions = [r.condition for r in action.requirements]
        return any(map(self._hidden, conditions)) or any(
            isinstance(e, n.Assign) and e.target.hidden for e in inside(action.effect)
        )

    def _secret_choices(self, action: Action) -> set[int]:
        conditions = [part for r in action.requirements for part in conjuncts(r.condition)]
        secret = set()
        for i, choice in enumerate(action.choices):
            own = [choice.source, *([choice.where] if choice.where else [])]
            own += [choice.chain.where] if choice.chain else []
            asked = [c for c in conditions if choice.var in self._free(c)]
            if any(map(self._hidden, own + asked)) or self._stored(action.effect, frozenset({choice.var})):
                secret.add(i)
        return secret

    def _hidden(self, e: n.Expr) -> bool:
        """Whether an expression reads anything that is hidden."""
        return any(
            (isinstance(node, n.Get) and node.var.hidden)
            or isinstance(node, n.Can)
            or (isinstance(node, n.Call) and self._call_hidden(node.function))
            for node in inside(e)
        )

    def _call_hidden(self, function: n.Function) -> bool:
        if function not in self._reads:
            self._reads[function] = False  # what it adds to itself, where it is recursive
            self._reads[function] = not function.static and self._hidden(function.body)
        return self._reads[function]

    def _stored(self, effect: n.Effect, known: frozenset[n.Var]) -> bool:
        """Whether what is hidden after an effect depends on the values of these locals."""
        parts = [item for _, item in slots(effect)]
        reads = any(isinstance(item, n.Expr) and self._free(item) & known for item in parts)
        if isinstance(effect, n.Assign):
            return effect.target.hidden and reads
        if isinstance(effect, n.When) and reads:
            return any(isinstance(e, n.Assign) and e.target.hidden for e in inside(effect))
        if isinstance(effect, n.Bind | n.ForEach | n.Draw | n.Shuffle) and reads:
            known |= {effect.var}
        return any(isinstance(item, n.Effect) and self._stored(item, known) for item in parts)


def _is_shown(t: Type, value: Value, shown: set[tuple[str, Value]]) -> bool:
    if isinstance(t, List):
        return t.of is not None and all(_is_shown(t.of, part, shown) for part in value)
    return bool(kind(t)) and (kind(t), value) in shown
