"""Claims in plain sentences: no answer without a check, and none stronger than the verdict."""

from __future__ import annotations

import pytest
from answering import numbers_of

from rulespec.book.content.assurances import section
from rulespec.book.content.page import Links, Target
from rulespec.book.content.published_verdicts import PublishedVerdicts
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


def shown(given: Verdict, links: Links | None = None) -> str:
    """The section of a page with one verdict, which was checked."""
    return "".join(
        section(GAME, PublishedVerdicts(Store([given]), lambda verdict: "looked at"), links or Links())
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (verdict("whole-deck"), "none is in two places. <em>Shown for every possible game.</em>"),
        (verdict("ends", numbers={"plies": 80}), "Every game ends, after 80 actions at most, because"),
        (verdict("most-actions", numbers={"value": 54}), "A game takes 54 actions at most."),
        (
            verdict("most-actions", BOUNDED, numbers={"at_least": 50}),
            "<em>50 can be reached. Whether more is possible is open.",
        ),
        (
            verdict("whole-deck", BOUNDED, numbers={"plies": 3}),
            "Shown for the first 3 actions of every game.",
        ),
        (
            sample(games=1000, total=559),
            "<em>If all play at random, the first player wins 55.9% (95% between 52.81% and 58.95%) of",
        ),
        (verdict("whole-deck", UNDECIDED), "<em>Not settled.</em>"),
        (verdict("whole-deck", notes=("premise-never-met",)), "The claim says nothing"),
    ],
)
def test_a_claim_stands_with_what_is_known_of_it(given: Verdict, said: str) -> None:
    assert said in shown(given)


def test_only_a_checked_verdict_has_an_answer() -> None:
    store, links = Store([verdict("whole-deck"), verdict("always-active")]), Links(exact=lambda name: EXACT)
    assert not [*section(GAME, PublishedVerdicts(store), links)]
    assert not [*section(GAME, PublishedVerdicts(), links)]
    told = "".join(section(GAME, PublishedVerdicts(store, lambda verdict: "looked at"), links))
    assert "No card is ever lost" in told
    assert 'href="smith-exact.html#claim-whole-deck"' in told
    assert "As long as the pyramid stands" not in told, "a lemma"


EXACT = Target("smith-exact.html", "Smith")
