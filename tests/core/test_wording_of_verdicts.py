"""Sentences about verdicts: the claim in its author's words, then what was shown, in plain English."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rulespec.core.game import Claim
from rulespec.core.verdicts import Evidence, Verdict
from rulespec.core.verdicts.properties import PROPERTIES
from rulespec.core.verdicts.wording import HOLES, NOTES, STATEMENTS, sentence

LONG = Evidence("play", {"shortest": True})
DEAL = Evidence("refutation", {"chance": ["a"]})
DIFFERS = Evidence("play", {"differs": "`take 1` is legal here, and refused there", "viewer": 2})
MEAN = Evidence("fraction", {"is": "61/35"})
SAMPLE = Evidence("sample", {"games": 1000, "total": 559, "squares": 559})
WON = tuple(
    Evidence("play", {"seat": seat, "outcome": "proved", "numbers": {"plies": 30 + seat}}) for seat in (1, 2)
)
LOST = (WON[0], Evidence("refutation", {"seat": 2, "outcome": "refuted", "numbers": {}}))
SOME = Evidence("deals", {"answers": "yyyyyyyy??"})

SENTENCES: list[tuple[str, str, dict[str, int], str, dict[str, Any]]] = [
    ("invariant", "proved", {}, "Shown for every possible game.", {}),
    ("invariant", "proved", {"states": 5390}, "Shown for every possible game (5,390 positions).", {}),
    ("invariant", "proved", {"states": 1}, "Shown for every possible game (1 position).", {}),
    ("invariant", "proved", {}, "Shown for every game from the given deal.", {"evidence": (DEAL,)}),
    ("invariant", "refuted", {"plies": 1}, "This is not so: a game of 1 action shows it.", {}),
    ("invariant", "bounded", {"plies": 3},
     "Shown for the first 3 actions of every game. Beyond that it is open.", {}),
    ("invariant", "bounded", {"plies": 1},
     "Shown for the first action of every game. Beyond that it is open.", {}),
    ("invariant", "bounded", {"plies": 0},
     "Shown for the start of the game only. Beyond that it is open.", {}),
    ("invariant", "undecided", {}, "Not settled. It stopped at the limit of 8 s.",
     {"remarks": ("It stopped at the limit of 8 s.",)}),
    ("never_stuck", "refuted", {"plies": 5},
     "This is not so: after 5 actions nobody has a legal action.", {}),
    ("never_faults", "refuted", {"plies": 5},
     "This is not so: after 5 actions a value does not fit its place.", {}),
    ("never_falls", "refuted", {"plies": 5}, "This is not so: the last of 5 actions lowers it.", {}),
    ("symmetry", "refuted", {"plies": 2},
     "This is not so: after 2 actions `take 1` is legal here, and refused there.", {"evidence": (DIFFERS,)}),
    ("reachable", "proved", {"plies": 28}, "A game of 28 actions shows it.", {}),
    ("reachable", "proved", {"plies": 28}, "A game of 28 actions shows it; none is shorter.",
     {"evidence": (LONG,)}),
    ("reachable", "refuted", {}, "This is not so in any game.", {}),
    ("reachable", "bounded", {"plies": 4},
     "No game of at most 4 actions shows it. Beyond that it is open.", {}),
    ("unreachable", "proved", {}, "Shown for every possible game.", {}),
    ("unreachable", "refuted", {"plies": 4}, "This is not so: a game of 4 actions shows it.", {}),
    ("terminates", "proved", {"plies": 54}, "It takes 54 actions at most.", {}),
    ("terminates", "refuted", {},
     "This is not so: a game can come back to the same position again and again.", {}),
    ("endless", "proved", {}, "A game can come back to the same position again and again.", {}),
    ("endless", "refuted", {"plies": 9}, "This is not so: every game is over after 9 actions at most.", {}),
    ("never_hopeless", "proved", {"states": 9, "value": 31}, "It is at most 31 actions away.", {}),
    ("never_hopeless", "refuted", {"plies": 3},
     "This is not so: after 3 actions it can be out of reach.", {}),
    ("never_hopeless", "refuted", {"plies": 0}, "This is not so: at the start it is out of reach.", {}),
    ("never_hopeless", "refuted", {"states": 9, "value": 31},
     "This is not so: some position is 31 actions away.",
     {"options": {"within": 30}}),
    ("winnable", "proved", {}, "For each player a game shows it, of 31 and 32 actions.", {"evidence": WON}),
    ("winnable", "proved", {}, "A game of 31 actions shows it.", {"evidence": WON[:1], "players": 1}),
    ("winnable", "refuted", {},
     "This is not so. Player 1 can win: a game of 31 actions shows it. Player 2 can never win.",
     {"evidence": LOST}),
    ("knowable", "proved", {},
     "Shown for every possible game: all players can tell which actions are legal on their turn, whose turn "
     "it is, whether the game is over and, in the end, who has won.", {}),
    ("knowable", "proved", {},
     "Shown for every possible game: the player can tell which actions are legal, whether the game is over "
     "and whether it is won.", {"players": 1}),
    ("knowable", "refuted", {"plies": 2},
     "This is not so: after 2 actions player 2 cannot tell, for two games look the same to that player; "
     "`take 1` is legal here, and refused there.", {"evidence": (DIFFERS,)}),
    ("equivalent", "proved", {},
     "The same as nim: in every game both allow the same actions and come to the same results.",
     {"options": {"other": "nim"}}),
    ("equivalent", "refuted", {"plies": 2},
     "Not the same as nim: after 2 actions `take 1` is legal here, and refused there.",
     {"options": {"other": "nim"}, "evidence": (DIFFERS,)}),
    ("equivalent", "bounded", {"plies": 1},
     "The same as nim for the first action of every game. Beyond that it is open.",
     {"options": {"other": "nim"}}),
    ("best", "proved", {"value": 12}, "The most is 12. Shown for every possible game.",
     {"options": {"sense": "most"}}),
    ("best", "bounded", {"at_least": 9},
     "9 can be reached. Whether more is possible is open.", {"options": {"sense": "most"}}),
    ("best", "bounded", {"at_least": 9, "at_most": 12},
     "9 can be reached, and more than 12 cannot be reached. Values in between are open.",
     {"options": {"sense": "most"}}),
    ("best", "bounded", {"at_least": 4}, "Less than 4 cannot be reached. The rest is open.",
     {"options": {"sense": "least"}}),
    ("best", "refuted", {}, "No game reaches such a position.", {"options": {"sense": "least"}}),
    ("count", "proved", {"states": 9, "value": 5478}, "There are 5,478. All were counted.", {}),
    ("count", "proved", {"states": 9, "value": 1}, "There is 1. All were counted.", {}),
    ("count", "proved", {"states": 9, "value": 0}, "There are none. All were counted.", {}),
    ("count", "refuted", {"states": 9, "value": 5478},
     "There are 5,478. All were counted. So it is not 5477.", {"options": {"is": "5477"}}),
    ("value", "proved", {"value": 1}, "With best play the game is won by player 1.", {}),
    ("expected", "proved", {"states": 9}, "The mean is 61/35. Worked out exactly.", {"evidence": (MEAN,)}),
    ("estimate", "estimated", {"total": 559},
     "In 559 of 1,000 random games, a share of 55.9% (95% between 52.81% and 58.95%).",
     {"evidence": (SAMPLE,), "options": {"condition": "truth"}}),
    ("estimate", "estimated", {"total": 559},
     "In 1,000 random games the mean is 0.559 (95% between 0.5282 and 0.5898).", {"evidence": (SAMPLE,)}),
    ("share_of_deals", "proved", {"deals": 24, "held": 6, "failed": 18},
     "In 6 of all 24 deals, and not in 18: a share of 1/4, which is 0.25.", {}),
    ("share_of_deals", "bounded", {"deals": 24, "held": 6, "failed": 17},
     "In 6 of all 24 deals, and not in 17; 1 was not decided. "
     "The share is at least 0.2500 and at most 0.2917.",
     {}),
    ("every_deal", "proved", {"seed": 5}, "The deal of seed 5 shows it.", {"options": {"is": "no"}}),
    ("every_deal", "refuted", {"seed": 5}, "This is not so: the deal of seed 5 shows it.", {}),
    ("every_deal", "bounded", {"deals": 10},
     "Shown for 8 of the first 10 deals; 2 were not decided. Nothing is known about others.",
     {"evidence": (SOME,)}),
    ("every_deal", "bounded", {"deals": 1}, "Shown for the first deal. Nothing is known about others.",
     {"evidence": (Evidence("deals", {"answers": "y"}),)}),
]  # fmt: skip

JARGON = re.compile(r"\b(ply|plies|invariant|reachable state|image|evidence|every play|in every position)\b")
"""Words that a reader of a rulebook has not met."""


def verdict(kind: str, outcome: str, numbers: dict[str, int], more: dict[str, Any]) -> Verdict:
    made = {"evidence": (), "players": 2, **more}
    return Verdict(
        "g", "c", kind, outcome, engine="", seconds=0.0, game="", claim_digest="", numbers=numbers, **made
    )


@pytest.mark.parametrize(("kind", "outcome", "numbers", "said", "more"), SENTENCES)
def test_a_sentence_begins_with_the_claim(
    kind: str, outcome: str, numbers: dict[str, int], said: str, more: dict[str, Any]
) -> None:
    """*It holds in every position of every play* did not say what."""
    told = sentence(verdict(kind, outcome, numbers, more), Claim("c", "So it is said.", kind, None))
    assert told == f"So it is said. {said}"
    assert not JARGON.search(told)


def test_every_kind_is_among_them() -> None:
    assert {kind for kind, *_ in SENTENCES} == STATEMENTS.keys() == PROPERTIES.keys()
    assert not [text for text in NOTES.values() if JARGON.search(text)]


WORDED = [
    ("terminates", "proved", {"plies": 54}, {}, "It takes 54 at most. Shown for every possible game."),
    ("best", "proved", {"value": 1200}, {"options": {"sense": "most"}},
     "It takes 1,200 at most. Shown for every possible game."),
    ("count", "proved", {"states": 9, "value": 7}, {}, "It takes 7 at most. All were counted."),
    ("expected", "proved", {"states": 9},
     {"evidence": (MEAN,)}, "It takes 61/35 at most. Worked out exactly."),
    ("reachable", "proved", {"plies": 4}, {}, "It takes 4 at most."),
    ("never_hopeless", "proved", {"states": 9, "value": 31}, {},
     "It takes 31 at most. Shown for every possible game (9 positions)."),
    ("estimate", "estimated", {"total": 559}, {"evidence": (SAMPLE,)},
     "It takes 0.559 (95% between 0.5282 and 0.5898) at most. Found in 1,000 random games."),
    ("estimate", "estimated", {"total": 1},
     {"evidence": (Evidence("sample", {"games": 1, "total": 1, "squares": 1}),)},
     "It takes 1 (one play says nothing about the spread) at most. Found in 1 random game."),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "outcome", "numbers", "more", "said"), WORDED)
def test_an_author_words_the_answer_with_its_number(
    kind: str, outcome: str, numbers: dict[str, int], more: dict[str, Any], said: str
) -> None:
    worded = f"It takes {{{HOLES[kind]}}} at most."
    claim = Claim("c", "How many it takes.", kind, None, answer=worded)
    assert sentence(verdict(kind, outcome, numbers, more), claim) == said


def test_every_number_that_an_answer_may_have_is_among_them() -> None:
    assert {kind for kind, *_ in WORDED} == HOLES.keys()


@pytest.mark.parametrize(
    ("outcome", "numbers", "notes"),
    [
        ("bounded", {"at_least": 9}, ()),
        ("refuted", {}, ()),
        ("undecided", {}, ()),
        ("proved", {"value": 3}, ("over-at-once",)),
    ],
)
def test_without_its_number_the_claim_is_said_as_it_is(
    outcome: str, numbers: dict[str, int], notes: tuple[str, ...]
) -> None:
    claim = Claim("c", "How many it takes.", "best", None, answer="It takes {value} at most.")
    found = verdict("best", outcome, numbers, {"options": {"sense": "most"}, "notes": notes})
    assert sentence(found, claim).startswith("How many it takes. ")
