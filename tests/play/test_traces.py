"""Plays told ply by ply, why a claim fails at their end, and what another reading makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from texts import CARDS, COUNTDOWN, RULING

from rulespec.play.contrasts import contrast
from rulespec.play.face import Game, State, load
from rulespec.play.records.traces import changes, outcome_of, steps

CLAIMS = """\
- id: all-good
  prose: Nobody who took the last leaves less than two.
  invariant: left <= 5 and every p in Player satisfies left >= 2 or last != p
- id: sum
  prose: All add up.
  invariant: left < 1 or left + left + left > 3
- id: plenty
  prose: While somebody has taken, three are left.
  when: last is some
  invariant: left >= 3
- id: never-stuck
  prose: Somebody can always take.
  kind: never-stuck
"""


def game(folder: Path, text: str) -> Game:
    path = folder / "own.yaml"
    path.write_text(text)
    return load(str(path))


def played(game: Game, *plays: str) -> list[State]:
    states = [game.start(seed=1)]
    for text in plays:
        states.append(states[-1].play(text))
    return states


def test_a_step_tells_only_what_changed(tmp_path: Path) -> None:
    states = played(game(tmp_path, COUNTDOWN), "take 2", "take 1", "take 2")
    first, second, last = steps(states)
    assert (first.number, first.player, first.clause) == (1, 1, "take")
    assert first.changed == ("left: 5 -> 3", "last: none -> 1")
    assert (second.next, second.ended) == (1, None)
    assert (last.changed, last.ended, last.next) == (("left: 2 -> 0", "last: 2 -> 1"), "bare", None)


def test_sets_and_lists_tell_what_came_and_went(tmp_path: Path) -> None:
    cards = game(tmp_path, CARDS)
    (before, after) = played(cards, str(cards.start(seed=1).actions()[0]))
    card = str(after.plays[0].arguments["c"])
    assert [*changes(before, after)] == [f"hand[1]: without {card}", f"shown: with {card}"]
    longer = cards.position({**before.to_data(), "pile": [*before.to_data()["pile"], int(card)]})
    assert f"pile: with {card} on top" in changes(before, longer)


def test_reactions_and_chance_are_told(tmp_path: Path) -> None:
    text = COUNTDOWN.replace(
        "- id: bare",
        "- id: again\n  prose: At three a die adds one or none.\n  reaction: left = 3\n"
        "  do: roll left from 0..1\n- id: bare",
    )
    (step,) = steps(played(game(tmp_path, text), "take 2"))
    assert step.followed == ("again",)
    assert step.drawn in (("0",), ("1",))


@pytest.mark.parametrize(
    ("claim", "reasons"),
    [
        (
            "all-good",
            ["left >= 2 is false: 1 >= 2", "for p = 2, last != p is false: 2 != 2"],
        ),
        ("sum", ["left < 1 is false: 1 < 1", "left + left + left > 3 is false: 1 + 1 + 1 > 3"]),
        ("plenty", ["last is some is true: last is 2", "left >= 3 is false: 1 >= 3"]),
    ],
)  # fmt: skip
def test_a_failing_claim_says_which_part_with_which_values(
    tmp_path: Path, claim: str, reasons: list[str]
) -> None:
    own = game(tmp_path, COUNTDOWN.replace("claims:\n", f"claims:\n{CLAIMS}"))
    end = played(own, "take 2", "take 2")[-1]
    assert outcome_of(own.core.claims[claim], end) == reasons


def test_a_stuck_player_is_told_what_is_missing(tmp_path: Path) -> None:
    text = COUNTDOWN.replace("n <= left", "n <= left and left != 3").replace(
        "claims:\n", f"claims:\n{CLAIMS}"
    )
    own = game(tmp_path, text)
    assert outcome_of(own.core.claims["never-stuck"], played(own, "take 2")[-1]) == [
        "`take`: no choice is legal"
    ]


def test_a_play_of_one_reading_meets_the_clause_of_another(tmp_path: Path) -> None:
    own = game(tmp_path, COUNTDOWN.replace("- id: bare\n", RULING))
    other = own.under(readings={"opening": "one"})
    found = contrast(other, other.core.claims["never-six"], (), ("take 2", "take 1"))
    assert (found.number, found.clauses) == (1, ("opening-law",))
    assert "illegal by `opening-law`" in str(found)
    same = contrast(other, other.core.claims["never-six"], (), ("take 1",))
    assert same.number is None
    assert same.reasons == ("left <= 5 is true: 4 <= 5",)
