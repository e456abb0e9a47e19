"""The correspondence between two games: values, state variables, actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulespec.core.diagnostics import RulesetError
from rulespec.core.digest import of_sight
from rulespec.core.game import Action, Claim, Game, Other, Sight
from rulespec.core.nodes import StateVar
from rulespec.core.notation import write
from rulespec.core.types import List, Map, Optional, Scalar, Set, Truth, Type, Value
from rulespec.play.position import Move

Called = Callable[[Scalar, Scalar], Mapping[Value, Value]]
"""For a type of each game, a one-to-one mapping of some values of the first to values of the second."""


class Incomparable(ValueError):
    """Raised if two games cannot be compared; the text gives the reason."""


class NoImage(LookupError):
    """Raised for a value that the other game does not have."""


def by_notation(mine: Scalar, other: Scalar) -> Mapping[Value, Value]:
    """A mapping of the values of two types with equal notation."""
    written = {write(other, value): value for value in other.values}
    texts = ((value, write(mine, value)) for value in mine.values)
    return {value: written[text] for value, text in texts if text in written}


class Correspondence:
    """The correspondence of a game with another one, or with an image of itself.

    State variables and actions correspond by name, choices by their order, values according to `called`. A
    variable of only one game is ignored; an action of only one game is never legal in the other. Raises
    Incomparable if that leaves nothing to compare.
    """

    def __init__(self, mine: Game, other: Game, called: Called = by_notation) -> None:
        self.mine, self.other, self._called = mine, other, called
        self._known: dict[tuple[int, int], tuple[Mapping[Value, Value], Scalar, Scalar]] = {}
        self.variables: tuple[tuple[StateVar, StateVar], ...] = tuple(
            (var, other.state[name]) for name, var in mine.state.items() if name in other.state
        )
        """The state variables that both have."""
        self.actions: tuple[tuple[Action, Action], ...] = tuple(
            (action, other.actions[id]) for id, action in mine.actions.items() if id in other.actions
        )
        """The actions that both have."""
        self.sights = self._sights()
        """Pairs of sights with different expressions; those with the same expressions are equal. None if
        one game has other sights."""
        self._check()

    @classmethod
    def claimed_correspondence(cls, game: Game, claim: Claim) -> Correspondence:
        """The correspondence of a game with the one that a claim names. Raises Incomparable."""
        other = claim.options["other"]
        assert isinstance(other, Other)
        try:
            return cls(game, other.game)
        except RulesetError as error:
            why = error.diagnostics[0].message
            raise Incomparable(f"{other.name} cannot be had here: {why}") from None

    @property
    def alone(self) -> list[str]:
        """The state variables that only one of them has."""
        both = {var.name for var, _ in self.variables}
        return [name for game in (self.mine, self.other) for name in game.state if name not in both]

    def _check(self) -> None:
        """Raise Incomparable unless players, variables and choices correspond."""
        mine, other = self.mine, self.other
        if mine.players != other.players:
            raise Incomparable(f"one is for {mine.players} players here, the other for {other.players}")
        for a, b in self.variables:
            if not self.fits(a.type, b.type):
                raise Incomparable(f"`{a.name}` is {a.type} in one and {b.type} in the other")
        for act, there in self.actions:
            kinds = [tuple(choice.var.type for choice in one.choices) for one in (act, there)]
            if len(kinds[0]) != len(kinds[1]) or not all(map(self.fits, *kinds)):
                raise Incomparable(f"`{act.id}` has other choices in one than in the other")

    def _sights(self) -> tuple[tuple[Sight, Sight], ...] | None:
        """The pairs of sights that must be compared; None if the observations do not correspond."""
        mine, other = self.mine, self.other
        if any(a.hidden != b.hidden for a, b in self.variables) or len(mine.sights) != len(other.sights):
            return None
        pairs = tuple(zip(mine.sights, other.sights, strict=True))
        kinds = ([[x.value.type, *(var.type for var, _ in x.binders)] for x in pair] for pair in pairs)
        if not all(len(a) == len(b) and all(map(self.fits, a, b)) for a, b in kinds):
            return None
        if self._called is not by_notation:
            return pairs
        return tuple((a, b) for a, b in pairs if of_sight(a) != of_sight(b))

    def fits(self, mine: Type, other: Type) -> bool:
        """True if values of two types can be compared: equal structure, and maps over the same keys."""
        if isinstance(mine, Truth) or isinstance(other, Truth):
            return isinstance(mine, Truth) and isinstance(other, Truth)
        if isinstance(mine, Scalar | Optional):
            return isinstance(other, Scalar | Optional) and bool(self.values(mine, other))
        if isinstance(mine, Map):
            return isinstance(other, Map) and self._same_keys(mine, other) and self.fits(mine.of, other.of)
        if type(mine) is not type(other):
            return False
        assert isinstance(mine, Set | List) and isinstance(other, Set | List)
        return mine.of is not None and other.of is not None and self.fits(mine.of, other.of)

    def _same_keys(self, mine: Map, other: Map) -> bool:
        there = self.values(mine.keys, other.keys)
        return len(there) == len(mine.keys.values) == len(other.keys.values)

    def values(self, mine: Type, other: Type) -> Mapping[Value, Value]:
        """The mapping of a scalar or optional type's values to those of another; none to none."""
        a, b = (t.of if isinstance(t, Optional) else t for t in (mine, other))
        if not (isinstance(a, Scalar) and isinstance(b, Scalar)):
            return {}
        key = id(a), id(b)
        if key not in self._known:
            self._known[key] = self._called(a, b), a, b
        result = self._known[key][0]
        both = isinstance(mine, Optional) and isinstance(other, Optional)
        return {**result, None: None} if both else result

    @property
    def players(self) -> Mapping[Value, Value]:
        """The mapping of the players to those of the other game."""
        return self.values(self.mine.player, self.other.player)

    def value(self, mine: Type, other: Type, value: Value) -> Value:
        """The image of a value in the other game; raises NoImage."""
        if isinstance(mine, Map):
            assert isinstance(other, Map)
            keys = self.values(mine.keys, other.keys)
            pairs = zip(mine.keys.values, value, strict=True)
            held = {keys[key]: self.value(mine.of, other.of, part) for key, part in pairs}
            return tuple(held[key] for key in other.keys.values)
        if isinstance(mine, Set | List):
            assert isinstance(other, Set | List) and mine.of is not None and other.of is not None
            parts = [self.value(mine.of, other.of, part) for part in value]
            if isinstance(other, List) and len(parts) > other.cap:
                raise NoImage(f"a list of {len(parts)}")
            return frozenset(parts) if isinstance(mine, Set) else tuple(parts)
        there = self.values(mine, other)
        if value not in there:
            raise NoImage(f"{value}")
        return there[value]

    def bound(self, mine: Sight, other: Sight, keys: Sequence[Value]) -> tuple[Value, ...]:
        """The images of the values of a sight's binders in the other game; None if there are none."""
        pairs = zip(mine.binders, other.binders, keys, strict=True)
        return tuple(self.values(a.type, b.type).get(key) for (a, _), (b, _), key in pairs)

    def move(self, move: Move) -> Move:
        """The image of a move in the other game; raises NoImage."""
        for act, there in self.actions:
            if act.id == move.action:
                choices = zip(act.choices, there.choices, move.args, strict=True)
                return Move(there.id, tuple(self.value(a.var.type, b.var.type, x) for a, b, x in choices))
        raise NoImage(f"there is no `{move.action}`")
