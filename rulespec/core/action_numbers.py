"""The numbers of the actions of a setting: the actions in the order of the rules, then their choices.

The values of a choice are numbered in the order of its type, the last choice fastest; a choice that is a list
is numbered over all lists of its elements, shorter ones first.
"""

from __future__ import annotations

from itertools import accumulate
from math import prod

from .game import Choice, Game
from .types import List, Scalar, Type, scalar_of

MOST_ACTIONS = 1 << 20
"""Maximum number of numbered actions."""
MOST_SHOWN = 10**9


class TooManyActions(ValueError):
    """Raised if a setting has more actions than can be numbered."""


def choice_type(choice: Choice) -> Type:
    """The type of a choice: a scalar, or a list if the choice is a chain."""
    return choice.chain.type if choice.chain else choice.var.type


def element_type(t: Type) -> Scalar:
    """The scalar type of the elements of a list, or of a scalar itself."""
    of = t.of if isinstance(t, List) else scalar_of(t)
    assert of is not None, f"{t} is no type of a choice"
    return of


def count_values(t: Type) -> int:
    """The number of values of the type of a choice."""
    n = len(element_type(t).values)
    return sum(int(n**size) for size in range(t.cap + 1)) if isinstance(t, List) else n


def first_numbers(game: Game) -> tuple[int, ...]:
    """The first number of each action, then the total of all actions. Raises TooManyActions."""
    sizes = (prod(count_values(choice_type(c)) for c in a.choices) for a in game.actions.values())
    found = tuple(accumulate(sizes, initial=0))
    if found[-1] > MOST_ACTIONS:
        number = f"{found[-1]:,}" if found[-1] < MOST_SHOWN else "more than a billion"
        raise TooManyActions(
            f"`{game.id}` has {number} actions, and at most {MOST_ACTIONS:,} are numbered: "
            "choose among `state.actions()`"
        )
    return found
