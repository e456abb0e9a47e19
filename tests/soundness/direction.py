"""Favoured games and claims: by their direction, random games come often to an argument that few come to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Direction:
    """The games and claims that a campaign favours; nothing in particular if all is empty.

    `claims` names the writers of claims that are used (see `claiming.WAYS`). A game has all features of
    `uses` and none of `lacks` (see `coverage.OF_GAMES`), and from `fewest` to `most` positions; with `dealt`
    it is one of cards. With `open_choices` formulas always leave choices open that they else split.
    """

    claims: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    fewest: int = 0
    most: int = 20_000
    dealt: bool = False
    open_choices: bool = False

    def wants(self, feature: str, share: float, draw: float) -> bool:
        """True if a game is to have a feature that it usually has with a probability of `share`."""
        return feature in self.uses or (feature not in self.lacks and draw < share)


ANY = Direction()
"""Games of all kinds, with all kinds of claims."""
CARDS = Direction(dealt=True)
"""Games of cards."""
_OPEN = ("a fault", "hidden state", "three players")
OPEN = Direction(
    ("value", "expected", "expected", "estimate", "count"),
    lacks=(*_OPEN, "a position that comes back"),
    most=400,
)
"""Games in which best play has a value, for nothing in them is hidden, faults or comes back."""
VALUES = Direction(
    ("value",),
    uses=("two players",),
    lacks=(*_OPEN, "a position that comes back", "chance in a ply", "several deals"),
    fewest=30,
    most=400,
)
"""Games of two players that are not over at once, and that best play brings to a number."""
ROUNDABOUT = Direction(
    ("value",),
    uses=("two players", "a position that comes back", "winners", "an end"),
    lacks=(*_OPEN, "chance in a ply", "chance in the setup"),
    most=400,
)
"""Games that one of two players may force to a win, and which may else go on for ever."""
CHANCY = Direction(("expected",), uses=("chance in a ply",), lacks=_OPEN, most=200)
"""Games of chance in which plays have a mean."""
SEEN = Direction(("knowable",), uses=("hidden state", "two players"), most=300)
"""Games in which players may have to know what is hidden from them."""
DEALS = Direction(
    ("deals", "deals", "reachable", "best", "full", "low"),
    uses=("chance in the setup", "several deals"),
    most=400,
)
"""Games that begin in several ways."""
ALIKE = Direction(
    ("symmetry", "symmetry", "apart", "apart", "reachable", "count", "best", "value", "expected"),
    lacks=("hidden state",),
    most=400,
)
"""Games in which positions may have images."""
