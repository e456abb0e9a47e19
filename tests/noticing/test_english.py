"""Numbers, bounds and ordinals are read off English prose."""

from __future__ import annotations

import pytest

from rulespec.noticing.english import quantities


@pytest.mark.parametrize(
    "prose, value, low, high",
    [
        ("Take two cards.", 2, 2, 2),
        ("There are twenty-four cards.", 24, 24, 24),
        ("At least 3 cards lie there.", 3, 3, None),
        ("Three or more cards lie there.", 3, 3, None),
        ("More than three cards lie there.", 3, 4, None),
        ("Up to three cards lie there.", 3, None, 3),
        ("Fewer than three cards lie there.", 3, None, 2),
    ],
)
def test_a_number_has_its_bounds(prose: str, value: int, low: int | None, high: int | None) -> None:
    (quantity,) = quantities(prose)
    assert (quantity.value, quantity.low, quantity.high) == (value, low, high)


def test_a_number_counts_what_follows_it() -> None:
    cards, coins = quantities("The second player gets four cards and a few coins")
    assert cards.words == ("card",)
    assert (coins.value, coins.is_article, coins.words) == (1, True, ("few", "coin"))


def test_numbers_of_players_and_signs_of_pieces_count_nothing() -> None:
    assert quantities("Player 1 moves A1 to 2x3.") == []
