"""Claims in plain sentences: no answer without a check, and none stronger than the verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest
from answering import numbers_of, wins

from rulespec.book.assurances import section, sentence
from rulespec.book.page import Links, Target
from rulespec.book.published import Published
from rulespec.core.digest import of_claim
from rulespec.core.verdicts import BOUNDED, ESTIMATED, PROVED, UNDECIDED, Evidence, Store, Verdict, options_of
from rulespec.play.face import load

GAME = load("smith")


def verdict(claim: str, outcome: str = PROVED, **more: object) -> Verdict:
    """A verdict on a claim of the card game."""
    about = GAME.core.claims[claim]
    parts = {"evidence": (Evidence("induction"),), "numbers": numbers_of(about.kind, outcome), **more}
    if outcome == UNDECIDED:
        parts = {"evidence": ()}
    return Verdict(
        GAME.id, claim, about.kind, outcome, engine="", seconds=1.0, game=GAME.core.digest,
        claim_digest=of_claim(about), players=2, options=options_of(about), **parts,  # type: ignore[arg-type]
    )  # fmt: skip


def sample(**data: int) -> Verdict:
    """A verdict on the claim that asks for a share of random plays."""
    evidence = (Evidence("sample", data={"seed": 1, "squares": data["total"], **data}),)
    return verdict("first-at-random", ESTIMATED, evidence=evidence, numbers={"total": data["total"]})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (verdict("whole-deck"), "Shown for every possible game."),
        (verdict("ends", numbers={"plies": 80}), "it is over after 80 actions at most."),
        (verdict("most-actions", numbers={"value": 54}), "It is 54, shown for every possible game."),
        (verdict("most-actions", BOUNDED, numbers={"at_least": 50}), "50 can be reached."),
        (
            verdict("whole-deck", BOUNDED, numbers={"plies": 3}),
            "Shown for the first 3 actions of every game.",
        ),
        (verdict("whole-deck", BOUNDED, numbers={"plies": 3}), "Beyond that it is not settled."),
        (verdict("whole-deck", BOUNDED, numbers={"plies": 0}), "Not settled."),
        (sample(games=1000, total=559), "In 55.9% (95% between 52.81% and 58.95%) of 1,000 random games."),
        (verdict("whole-deck", UNDECIDED), "Not settled."),
        (verdict("whole-deck", notes=("premise-never-met",)), "so it says nothing."),
    ],
)
def test_a_verdict_in_a_sentence(given: Verdict, said: str) -> None:
    assert said in sentence(given)


@pytest.mark.parametrize(
    ("players", "said"), [(1, "There is a game that"), (2, "For each player there is a game")]
)
def test_a_win_of_the_only_player_is_one_game(players: int, said: str) -> None:
    won = replace(verdict("winnable", evidence=wins(2)), players=players, evidence=wins(players))
    assert sentence(won).startswith(said)


def test_only_a_checked_verdict_has_an_answer() -> None:
    store, links = Store([verdict("whole-deck"), verdict("always-active")]), Links(exact=lambda name: EXACT)
    assert not [*section(GAME, Published(store), links)]
    assert not [*section(GAME, Published(), links)]
    shown = "".join(section(GAME, Published(store, lambda verdict: "looked at"), links))
    assert "No card is ever lost" in shown
    assert 'href="smith-exact.html#claim-whole-deck"' in shown
    assert "As long as the pyramid stands" not in shown, "a lemma"


EXACT = Target("smith-exact.html", "Smith")
