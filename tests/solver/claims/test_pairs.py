"""Claims about pairs: seats that can win, what players can tell, rules that say the same; both ways each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.cli.loading import Loader
from rulespec.core.verdicts import Evidence, InvalidAnswer, Store, Verdict
from rulespec.language import load
from rulespec.solver.claims import Scope, prove, recheck
from rulespec.solver.evidence import comparisons, seats
from rulespec.solver.evidence.problem import Case, no_answer
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.methods.table import FORMULAS, METHODS
from rulespec.solver.methods.verdicts import verdict_of
from rulespec.solver.pairs.winners import claim_of

HEAD = """
rulespec: 1
id: small
title: Small
players: 2
"""
RACE = """
rules:
- id: heap
  prose: There is a heap.
  formal: |
    state heap: 0..9 = 5
- id: take
  prose: Take some.
  action: n in 1..2
  require:
    enough:
      prose: So many are there.
      that: n <= heap
  do: remove n from heap
- id: last
  prose: Who took the last one?
  question: Who wins?
  readings:
    first: The first player, if the heap was small.
    taker: The taker.
  end: heap = 0
  score: if last is taker and player = mover then 1 else if last is first and player = 1 then 1 else 0
"""
CARDS = """
rules:
- id: cards
  prose: Each is dealt a card.
  formal: |
    type Card = 1..3
    hidden state card: map Player -> Card? = none
    hidden state rest: list of Card up to 3 = []
    state named: set of Card = {}
    state shown: Bool = false
  setup: |
    shuffle Card into rest
    for p in Player: move top of rest into card[p]
  sees: SEEN
- id: name
  prose: Name a card that is not the one.
  action: c in Card
  require:
    other:
      prose: It is not the one.
      that: c != card[WHOSE]
  do: add c to named
- id: both
  prose: Both have named one.
  end: size(named) >= 2 or mover = 2
  score: if WON then 1 else 0
"""


def decided(folder: Path, text: str, claims: str, **limits: float) -> dict[str, Verdict]:
    """The verdicts on claims of a ruleset by name, each passed once more by `recheck`."""
    path = folder / "small.yaml"
    path.write_text(HEAD.strip() + text + "claims:" + claims, "utf-8")
    store = Store()
    loader = Loader(str(path))
    found = prove(loader, timeout=200, store=store, **limits)  # type: ignore[arg-type]
    for check in recheck(store, loader):
        assert check.passed is not False, (check.verdict.claim, check.text)
    return {v.claim: v for v in found}


WINNABLE = """
- id: each
  prose: Each can win.
  kind: winnable
"""


def test_who_can_never_win_is_named(tmp_path: Path) -> None:
    found = decided(tmp_path, RACE, WINNABLE)["each"]
    assert found.outcome == "refuted"
    assert "Player 1 can win: a game of 3 actions" in found.statement
    assert "Player 2 can never win" in found.statement
    assert {(e.kind, e.data["seat"]) for e in found.evidence} == {("play", 1), ("exploration", 2)}


def test_each_can_win_by_a_play_of_its_own(tmp_path: Path) -> None:
    found = decided(tmp_path, RACE.replace("last is first and player = 1", "player != mover"), WINNABLE)[
        "each"
    ]
    assert found.outcome == "proved"
    assert [(e.kind, e.data["seat"]) for e in found.evidence] == [("play", 1), ("play", 2)]


KNOWABLE = """
- id: told
  prose: Each can tell.
  kind: knowable
"""


HIGHER = "(player = 1) = (card[1] < card[2])"


def cards(seen: str = "card[viewer]", whose: str = "mover", won: str = "player = mover") -> str:
    return CARDS.replace("SEEN", seen).replace("WHOSE", whose).replace("WON", won)


def test_what_is_decided_by_what_the_own_eyes_see_is_known(tmp_path: Path) -> None:
    assert decided(tmp_path, cards(), KNOWABLE)["told"].outcome == "proved"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(cards(seen="size(rest)"), "is legal in the", id="own card unseen"),
        pytest.param(cards(whose="after(mover)"), "is legal in the", id="legal by another's card"),
        pytest.param(
            cards(won="(player = 1) = (card[1] < card[2])"), "has won", id="won by cards that stay hidden"
        ),
    ],
)
def test_what_cannot_be_told_is_shown_by_two_plays_that_look_the_same(
    tmp_path: Path, text: str, said: str
) -> None:
    found = decided(tmp_path, text, KNOWABLE)["told"]
    assert found.outcome == "refuted"
    assert said in found.statement and "look the same" in found.statement
    plays = [e.data["record"] for e in found.evidence if e.kind == "play"]
    assert len(plays) == 2 and plays[0] != plays[1]


REMEMBERED = """
rules:
- id: cards
  prose: One card is laid out, and turned face down once somebody has acted.
  formal: |
    type Card = 1..3
    hidden state card: Card? = none
    state acts: 0..2 = 0
  setup: roll card from Card
  sees: if acts = 0 then card else none
- id: wait
  prose: At first there is nothing to do.
  action: ()
  require:
    first:
      prose: Nobody has acted.
      that: acts = 0
  do: add 1 to acts
- id: name
  prose: Then the card is named.
  action: c in Card
  require:
    it:
      prose: It is the one that lay there.
      that: acts = 1 and c = card
  do: add 1 to acts
- id: done
  prose: Then it is over.
  end: acts = 2
"""


def test_what_was_seen_before_is_remembered(tmp_path: Path) -> None:
    """What the mover sees now does not tell the legal action; what the mover saw before does."""
    found = decided(tmp_path, REMEMBERED, KNOWABLE)["told"]
    assert found.outcome == "proved"
    assert found.numbers["beliefs"] > 1


EQUIVALENT = """
- id: halves
  prose: Enough can be said in other words.
  equivalent:
    replace:
      take.require.enough.that: not (n > heap)
- id: two
  prose: More than one may stay.
  equivalent:
    replace:
      take.require.enough.that: n <= heap and heap - n != 1
- id: readings
  prose: It does not matter who wins.
  equivalent:
    choose: {last: taker}
- id: another
  prose: Nim is another game.
  equivalent: tic-tac-toe
"""


def test_two_wordings_are_the_same_game_or_a_play_leads_to_where_they_differ(tmp_path: Path) -> None:
    found = decided(tmp_path, RACE, EQUIVALENT)
    assert {name: v.outcome for name, v in found.items()} == {
        "halves": "proved",
        "two": "refuted",
        "readings": "refuted",
        "another": "refuted",
    }
    assert "is legal here, and refused there" in found["two"].statement
    assert "`take.enough`" in found["two"].statement
    assert "player 1 wins here and player 2 wins there" in found["readings"].statement
    assert found["readings"].numbers["plies"] == 4
    assert "there is no such action there" in found["another"].statement


def test_formulas_alone_show_the_same_game_and_no_other(tmp_path: Path) -> None:
    """Lock-step closes so small a game at once; formulas must say the same where it is larger."""
    (tmp_path / "small.yaml").write_text(HEAD.strip() + RACE + "claims:" + EQUIVALENT, "utf-8")
    core = load(tmp_path / "small.yaml")
    answers = {name: FORMULAS(Case(core, claim, Budget(20))) for name, claim in core.claims.items()}
    assert [name for name, answer in answers.items() if answer is not None] == ["halves"]
    assert answers["halves"].proofs[0].kind == "induction"


SECRETLY = """
rules:
- id: hide
  prose: The first player hides a number.
  formal: |
    type Number = 1..3
    hidden state mark: Number? = none
    state guesses: 0..2 = 0
  action: n in Number
  secret: n
  require:
    first:
      prose: Nothing is hidden yet.
      that: guesses = 0 and mover = 1
  do: mark := n
- id: guess
  prose: The second player guesses another one.
  action: n in Number
  require:
    second:
      prose: It is not the one.
      that: mover = 2 and n != mark
  do: add 1 to guesses
- id: done
  prose: One guess ends it.
  end: guesses = 1
- id: sight
  prose: What is seen of it.
  sees: SEEN
"""


OPENLY = SECRETLY.replace("secret: n", "open: n").replace("SEEN", "if viewer = 1 then mark else none")


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        pytest.param(cards(), "proved", id="own card"),
        pytest.param(cards(whose="after(mover)"), "refuted", id="another's card"),
        pytest.param(cards(won=HIGHER), "refuted", id="judged by cards unseen"),
        pytest.param(REMEMBERED, "proved", id="remembered"),
        pytest.param(SECRETLY.replace("SEEN", "if viewer = 1 then mark else none"), "refuted", id="hidden"),
        pytest.param(SECRETLY.replace("SEEN", "mark"), "proved", id="shown"),
        pytest.param(OPENLY, "proved", id="open"),
    ],
)
def test_formulas_worlds_and_beliefs_say_the_same(tmp_path: Path, text: str, outcome: str) -> None:
    (tmp_path / "small.yaml").write_text(HEAD.strip() + text + "claims:" + KNOWABLE, "utf-8")
    core = load(tmp_path / "small.yaml")
    case = Case(core, core.claims["told"], Budget(20))
    assert comparisons.known_explored(case, Limits(20, 10_000)).outcome == outcome
    assert outcome == "proved" or FORMULAS(case) is None
    briefly = replace(case, budget=Budget(20 if outcome == "refuted" else 2))  # else it seeks in vain
    apart = METHODS["lookalikes"](briefly)
    assert (apart and apart.outcome) == (outcome if outcome == "refuted" else None)


def test_what_cannot_be_told_is_found_in_decks_that_nobody_can_go_through(tmp_path: Path) -> None:
    path = tmp_path / "blind.yaml"
    path.write_text(
        "rulespec: 1\nid: blind\ntitle: Blind\nextends: smith-small\n"
        "replace:\n  hands.sees: size(hand[p]) for p in Player\n",
        "utf-8",
    )
    loader, store = Loader(str(path)), Store()
    (verdict,) = prove(loader, ["knowable"], timeout=400, store=store)
    assert verdict.outcome == "refuted"
    assert "is legal in the first only; illegal by `pair.within-reach`" in verdict.statement
    assert [check.passed for check in recheck(store, loader)] == [True]


def test_a_seat_without_its_evidence_does_not_pass(tmp_path: Path) -> None:
    decided(tmp_path, RACE, WINNABLE)
    loader = Loader(str(tmp_path / "small.yaml"))
    store = Store()
    (verdict,) = prove(loader, timeout=200, store=store)

    def passes(**changed: object) -> bool | None:
        other = Store([replace(verdict, **changed)], store.records)  # type: ignore[arg-type]
        return recheck(other, loader)[0].passed

    assert passes() is True
    for changed in ({"evidence": verdict.evidence[:1]}, {"outcome": "proved"}):
        with pytest.raises(InvalidAnswer):
            passes(**changed)
    swapped = tuple(Evidence(e.kind, {**e.data, "seat": 3 - int(e.data["seat"])}) for e in verdict.evidence)
    assert passes(evidence=swapped) is False


def test_an_answer_that_leaves_a_player_open_passes_as_that(tmp_path: Path) -> None:
    """Where the time sufficed for one player only, the verdict failed its own check."""
    decided(tmp_path, RACE, WINNABLE)
    loader = Loader(str(tmp_path / "small.yaml"))
    game, store = loader(), Store()
    (claim,) = game.claims.values()
    case = Case(game, claim, Budget(60))
    asked = {seat: replace(case, claim=claim_of(game, claim, seat)) for seat in (1, 2)}
    found = {seat: METHODS["exploration"](one) or no_answer("") for seat, one in asked.items()}
    said = ["Player 1 can win: a game of 3 actions shows it.", "Player 2 can never win."]
    for left, outcome in ((1, "refuted"), (2, "bounded")):
        parts = {**found, left: no_answer("There was no time.")}
        verdict = verdict_of(case, seats.join_seats(parts), store)
        assert verdict.outcome == outcome
        listed = [*said]
        listed[left - 1] = f"It is open whether player {left} can win."
        assert verdict.statement == ("This is not so. " if left == 1 else "") + " ".join(listed)
        (check,) = recheck(Store([verdict], store.records), loader)
        assert check.passed is True, check.text


def test_two_plays_that_can_be_told_apart_do_not_pass(tmp_path: Path) -> None:
    text = cards(won=HIGHER)
    decided(tmp_path, text, KNOWABLE)
    loader, store = Loader(str(tmp_path / "small.yaml")), Store()
    (verdict,) = prove(loader, timeout=200, store=store)
    once = replace(verdict, evidence=(verdict.evidence[0], verdict.evidence[0]))
    other = tuple(Evidence(e.kind, {**e.data, "viewer": 3 - int(e.data["viewer"])}) for e in verdict.evidence)
    for damaged in (once, replace(verdict, evidence=other), replace(verdict, evidence=verdict.evidence[:1])):
        (check,) = recheck(Store([damaged], store.records), loader)
        assert check.passed is False, check.text


def test_the_other_game_is_part_of_the_claim(tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    text = "rulespec: 1\nid: other\ntitle: Other\nextends: small\n"
    other.write_text(text + "choose: {last: taker}\n", "utf-8")
    claim = "\n- id: same\n  prose: Both are the same.\n  equivalent: other\n"
    found = decided(tmp_path, RACE, claim)["same"]
    assert found.outcome == "refuted"
    core = load(tmp_path / "small.yaml")
    assert found.is_about(core, core.claims["same"])
    other.write_text(text, "utf-8")
    core = load(tmp_path / "small.yaml")
    assert not found.is_about(core, core.claims["same"])


@pytest.mark.parametrize(
    ("seen", "outcome"),
    [
        ("if viewer = 1 then card[1] else card[2]", "proved"),
        ("card[1]", "refuted"),
        ("if viewer = 1 then card[1] else none", "refuted"),
    ],
)
def test_games_in_which_players_see_something_else_are_not_the_same(
    tmp_path: Path, seen: str, outcome: str
) -> None:
    claim = (
        f"\n- id: sight\n  prose: The same is seen.\n  equivalent:\n    replace:\n      cards.sees: {seen}\n"
    )
    found = decided(tmp_path, cards(), claim)["sight"]
    assert found.outcome == outcome
    core = load(tmp_path / "small.yaml")
    answer = FORMULAS(Case(core, core.claims["sight"], Budget(20)))
    assert (answer is not None) == (outcome == "proved")
    assert outcome == "proved" or "sees something else of `card[viewer]`" in found.statement


def test_settings_are_those_of_both(tmp_path: Path) -> None:
    """Under the other reading of both the rules are the same as under the first of both."""
    (tmp_path / "other.yaml").write_text("rulespec: 1\nid: other\ntitle: Other\nextends: small\n", "utf-8")
    (tmp_path / "small.yaml").write_text(
        HEAD.strip() + RACE + "claims:\n- id: same\n  prose: Same.\n  equivalent: other\n", "utf-8"
    )
    loader = Loader(str(tmp_path / "small.yaml"))
    assert [v.outcome for v in prove(loader, timeout=200, scope=Scope.ALL)] == ["proved", "proved"]


ENDLESS = """
rules:
- id: turns
  prose: The players turn a card over, for ever.
  formal: "state face: 0..1 = 0"
- id: turn
  prose: Turn it over.
  action: ()
  do: face := 1 - face
- id: points
  prose: A point for everybody.
  score: 1
"""
MORE = """
- id: more
  prose: It might be two.
  equivalent:
    replace:
      points.score: original + 1
"""


def test_scores_are_compared_where_play_is_over(tmp_path: Path) -> None:
    """The truth of the campaign had compared scores of positions where play goes on, and there are none."""
    assert decided(tmp_path, ENDLESS, MORE)["more"].outcome == "proved"
