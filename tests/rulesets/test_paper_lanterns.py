"""Paper lanterns of one colour, written anew: the means with open hands and at random, card by card."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache

import pytest
from shipped_games import load

HIGHEST, SLOTS, HINTS = 4, 2, 1
COPIES = (3, 2, 2, 1)
Hand = tuple[int, ...]
Rule = Callable[[list[Fraction]], Fraction]


def draws(pile: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...], Fraction]]:
    """The cards that may come next, with the pile afterwards and their chances; 0 from an empty pile."""
    if not any(pile):
        yield 0, pile, Fraction(1)
    for at, count in enumerate(pile):
        if count:
            yield at + 1, (*pile[:at], count - 1, *pile[at + 1 :]), Fraction(count, sum(pile))


def worth_by(rule: Rule) -> Callable[..., Fraction]:
    """The mean number of lanterns at a position, where `rule` makes one number of those of the legal actions.

    A position has the mover's hand and the other one (0 for a gap), the pile by number, what hangs, the
    hints, and the turns left, -1 before the pile is used up.
    """

    @cache
    def after(own: Hand, other: Hand, pile: tuple[int, ...], hung: int, hints: int, left: int) -> Fraction:
        left = left if any(pile) else 2 if left < 0 else left - 1
        if left == 0 or hung == HIGHEST:
            return Fraction(hung)
        return value(other, own, pile, hung, hints, left)

    @cache
    def value(own: Hand, other: Hand, pile: tuple[int, ...], hung: int, hints: int, left: int) -> Fraction:
        found: list[Fraction] = []
        if hints:
            shown = 1 + len({*other} - {0}) if any(other) else 0
            found += [after(own, other, pile, hung, hints - 1, left)] * shown
        for slot, card in enumerate(own):
            if not card:
                continue

            def drawn(hung: int, hints: int, slot: int = slot) -> Fraction:
                return sum(
                    (
                        chance * after((*own[:slot], new, *own[slot + 1 :]), other, rest, hung, hints, left)
                        for new, rest, chance in draws(pile)
                    ),
                    Fraction(0),
                )

            if card == hung + 1:
                found.append(drawn(card, min(HINTS, hints + (card == HIGHEST))))
            else:
                found.append(Fraction(0))
            if hints < HINTS:
                found.append(drawn(hung, hints + 1))
        return rule(found)

    return value


def deals(pile: tuple[int, ...], count: int) -> Iterator[tuple[Hand, tuple[int, ...], Fraction]]:
    """The hands that may be dealt, with the pile afterwards and their chances."""
    if not count:
        yield (), pile, Fraction(1)
        return
    for card, rest, chance in draws(pile):
        for hand, left, further in deals(rest, count - 1):
            yield (card, *hand), left, chance * further


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


@pytest.mark.parametrize(("claim", "rule"), [("open-hands", max), ("by-chance", mean)])
def test_lanterns_hang_as_many_as_by_hand(claim: str, rule: Rule) -> None:
    game = load("paper-lanterns-small")
    assert (game.parameters["highest"], game.parameters["most-hints"]) == (HIGHEST, HINTS)
    worth, total = worth_by(rule), Fraction(0)
    for hands, pile, chance in deals(COPIES, 2 * SLOTS):
        total += chance * worth(hands[:SLOTS], hands[SLOTS:], pile, 0, HINTS, -1)
    assert total == Fraction(game.core.claims[claim].options["is"])


def test_all_kinds_of_the_whole_pack() -> None:
    """Fifty cards in five colours, as many as in the card game; the best is 25 lanterns."""
    game = load("paper-lanterns")
    state = game.start(seed=1)
    held = sum(len(hand) for hand in state.to_data()["hand"].values())
    assert held + sum(state.to_data()["pile"].values()) == 50
