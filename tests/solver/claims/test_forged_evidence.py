"""Evidence that is sound for another claim, or states more than was found, fails a recheck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from answering import forged

from rulespec.budgets import Budget
from rulespec.cli.loading import Loader
from rulespec.core.verdicts import Evidence, InvalidAnswer, Store, StoreError, Verdict
from rulespec.language import load
from rulespec.solver.certify import BadEvidence
from rulespec.solver.claims import prove, recheck
from rulespec.solver.claims.joining import revoke_unsupported
from rulespec.solver.evidence import deal_counts, exploration
from rulespec.solver.evidence.checks import Check
from rulespec.solver.evidence.engine_rules import by_evidence
from rulespec.solver.evidence.k_induction import by_unrolling
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.methods import best_play
from rulespec.solver.methods.verdicts import verdict_of

PLAYED = """\
rulespec: 1
id: heap
title: A heap
players: 2
rules:
- id: heap
  prose: Five lie there.
  formal: |
    state left: 0..5 = 5
    state ones: 0..5 = 0
    state last: Player? = none
- id: take
  prose: Take one or two.
  action: n in 1..2
  require:
    enough:
      prose: So many are there.
      that: n <= left
  do: |
    remove n from left
    if n = 1: add 1 to ones
    last := mover
- id: bare
  prose: Nothing is left.
  end: left = 0
- id: winner
  prose: Whoever took the last one has won.
  winners: those p in Player where last = p
claims:
- id: small
  prose: No more than five lie there.
  invariant: left <= 5
- id: less
  prose: There are never five. (That is wrong.)
  invariant: left < 5
- id: far
  prose: Three lie there after five single ones. (That is wrong.)
  reachable: ones = 5 and left = 3
- id: never-two
  prose: Two are never left. (That is wrong.)
  unreachable: left = 2
- id: hope
  prose: One can always be left. (That is wrong.)
  never-hopeless: left = 1
- id: most
  prose: So often is a single one taken.
  most: ones
- id: mean
  prose: So many single ones are taken. (That is wrong.)
  expected: ones
  policy: random
  is: 3
- id: share
  prose: So many single ones are taken.
  estimate: ones
  games: 20
  seed: 1
- id: many
  prose: There are so many positions. (That is wrong.)
  kind: count
  is: 1
- id: again
  prose: Some play goes on for ever. (That is wrong.)
  kind: endless
- id: wins
  prose: Each can win.
  kind: winnable
- id: rises
  prose: The single ones grow no fewer.
  never-falls: ones
- id: stays
  prose: What lies there grows no less. (That is wrong.)
  never-falls: left
"""
"""A ruleset for two players without hidden state and chance."""

DEALT = """\
rulespec: 1
id: dealt
title: Dealt
rules:
- id: heap
  prose: A die says how many there are.
  formal: |
    type Face = 1..4
    state left: 0..4 = 0
    state taken: 0..4 = 0
- id: roll
  prose: Roll it.
  setup: roll left from Face
- id: take
  prose: Take one or two.
  action: n in 1..2
  require:
    enough:
      prose: So many are there.
      that: n <= left
  do: |
    remove n from left
    add 1 to taken
- id: bare
  prose: Nothing is left.
  end: left = 0
claims:
- id: small
  prose: No more than four lie there.
  invariant: left <= 4
- id: few
  prose: There are never four. (That is wrong.)
  invariant: left < 4
- id: positions
  prose: There are so many positions.
  kind: count
- id: mean
  prose: So often is taken.
  expected: taken
  policy: random
- id: twice
  prose: Twice is enough.
  reachable: left = 0 and taken = 2
  from: deal
- id: share
  prose: How often twice is enough.
  share-of-deals: twice
  deals: 12
"""
"""A ruleset for one player without hidden state, with chance only in the setup."""

WHOLE = Limits(20.0, 10_000)
MISPLACED: dict[str, Callable[[Case], Answer]] = {
    "strategies": lambda case: best_play.equilibria(case, WHOLE),
    "search": best_play.search,
}
"""Deciders that find the result of best play whatever the claim is."""


class Forger:
    """A ruleset with true verdicts, some of which are replaced by forged ones."""

    def __init__(self, path: Path, text: str) -> None:
        path.write_text(text, "utf-8")
        self.load = Loader(str(path))
        self.game, self.store = self.load(), Store()
        prove(self.load, timeout=600, store=self.store)

    def verdict(self, claim: str) -> Verdict:
        return next(v for v in self.store if v.claim == claim)

    def case(self, claim: str, deal: tuple[str, ...] | None = None) -> Case:
        return Case(self.game, self.game.claims[claim], Budget(2.0, 2_000), deal)

    def passed(self, forged: Verdict | None) -> bool | None:
        """True if a forged verdict passes, False if it fails or damages its store, None if unchecked.

        False, too, if there is none, since no claim can have such an answer.
        """
        if forged is None:
            return False
        other = Store(self.store, self.store.records)
        other.put(forged)
        try:
            other = Store.parse(other.text())
        except StoreError:
            return False
        (check,) = recheck(other, self.load, [forged.claim], timeout=600)
        return check.passed

    def sealed(self, case: Case, answer: Answer) -> Verdict | None:
        """The verdict that states an answer, for whatever claim it was found; None if there can be none."""
        try:
            return verdict_of(case, answer, self.store)
        except InvalidAnswer:
            return None


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Forger:
    return Forger(tmp_path_factory.mktemp("played") / "heap.yaml", PLAYED)


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Forger:
    return Forger(tmp_path_factory.mktemp("dealt") / "dealt.yaml", DEALT)


def with_data(verdict: Verdict, number: int, **data: object) -> Verdict | None:
    """The verdict with `data` added to the data of its piece of evidence of index `number`."""
    evidence = [*verdict.evidence]
    evidence[number] = replace(evidence[number], data={**evidence[number].data, **data})
    return forged(verdict, evidence=tuple(evidence))


def helped(verdict: Verdict | None, **data: object) -> Verdict | None:
    """The verdict with evidence that the true claim `small` helped."""
    assert verdict is not None
    return forged(verdict, evidence=(*verdict.evidence, Evidence("helper", {"claim": "small", **data})))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", MISPLACED)
@pytest.mark.parametrize("claim", ["less", "far", "never-two", "hope", "most", "mean", "share", "many"])
def test_evidence_of_best_play_shows_no_claim_of_another_kind(played: Forger, claim: str, kind: str) -> None:
    """A false invariant was proved by best strategies for which it "comes to 1"."""
    case = played.case(claim)
    try:
        answer = MISPLACED[kind](case)
    except (AttributeError, AssertionError, TypeError):
        return  # the decider cannot answer such a claim
    if answer.proofs:
        assert {proof.kind for proof in answer.proofs} == {kind}
        assert played.passed(played.sealed(case, answer)) is False


@pytest.mark.parametrize("claim", ["few", "positions", "mean"])
def test_evidence_about_one_deal_does_not_show_a_claim_about_all(dealt: Forger, claim: str) -> None:
    """Evidence of a helper with a bound hid that all other evidence was about one deal."""
    case = dealt.case(claim, ("3",))
    answer = exploration.explore(case, WHOLE)
    assert answer is not None
    of_deal = dealt.sealed(case, answer)
    assert of_deal is not None and of_deal.outcome == "proved"
    assert dealt.passed(of_deal) is False
    assert dealt.passed(helped(of_deal, bound=1)) is False


def test_added_data_of_evidence_fails(played: Forger) -> None:
    """A table by readings printed a forged value in the evidence of a play or of a helper."""
    most = played.verdict("most")
    assert played.passed(most) is True
    for number in range(len(most.evidence)):
        other = with_data(most, number, **{"is": "999"})
        assert other is not None and "999" in other.value_text
        assert played.passed(other) is False
    for claim in ("small", "hope", "share", "wins", "many"):
        assert played.passed(helped(played.verdict(claim), **{"is": "999"})) is False


def test_that_no_play_is_long_does_not_show_that_one_is_endless(played: Forger) -> None:
    """Unrolled plays that all end proved `endless`, as they prove what always holds."""
    again = played.verdict("again")
    assert again.outcome == "refuted"
    answer = by_unrolling(played.case("again"))
    assert answer.outcome == "proved"
    assert played.passed(played.sealed(played.case("again"), answer)) is False


def test_a_play_shows_a_fall_only_of_the_number_that_it_lowers(played: Forger) -> None:
    """The play that lowers what lies there lowers no number of single ones."""
    stays, rises = played.verdict("stays"), played.verdict("rises")
    assert (stays.outcome, rises.outcome) == ("refuted", "proved")
    assert played.passed(stays) is True
    other = replace(rises, outcome="refuted", numbers=stays.numbers, evidence=stays.evidence)
    assert played.passed(other) is False


@pytest.mark.parametrize("depth", [0, -1])
def test_an_induction_over_no_plies_does_not_show_an_invariant(played: Forger, depth: int) -> None:
    """That nobody is stuck anywhere, an induction of depth 0, proved whatever was claimed."""
    shown = Evidence("induction", {"depth": depth})
    numbers = {"depth": depth}
    less = forged(played.verdict("less"), outcome="proved", numbers=numbers, evidence=(shown,))
    assert played.passed(less) is False
    if depth < 0:
        with pytest.raises(BadEvidence):
            by_evidence(played.case("less"), shown)
    else:  # it could follow from what is known to hold
        assert by_evidence(played.case("less"), shown) is None


RESTING = """\
rulespec: 1
id: resting
title: Resting
players: 1
rules:
- id: go
  prose: Go a step, or rest.
  formal: "state steps: 0..3 = 0"
  action: n in 0..1
  do: steps := min(steps + n, 3)
claims:
- id: home
  prose: Nobody goes far, which is wrong.
  invariant: steps < 2
"""


def test_that_somebody_can_always_act_shows_no_invariant(tmp_path: Path) -> None:
    """In the game above somebody may be stuck, so the argument failed there by itself."""
    (tmp_path / "resting.yaml").write_text(RESTING, "utf-8")
    game = load(tmp_path / "resting.yaml")
    case = Case(game, game.claims["home"], Budget(20.0, 2_000))
    assert by_evidence(case, Evidence("induction", {"depth": 0})) is None


@pytest.mark.parametrize("kind", ["never_faults", "never_stuck"])
def test_parts_of_a_ply_show_nothing_of_faults_or_of_who_can_act(played: Forger, kind: str) -> None:
    """A claim without a condition held in all parts of all plies, so "no play ever faults" was proved."""
    claim = replace(played.game.claims["less"], kind=kind, condition=None)
    case = Case(played.game, claim, Budget(2.0, 2_000))
    with pytest.raises(BadEvidence):
        by_evidence(case, Evidence("induction", {"depth": 1, "by": "parts"}))


def test_evidence_of_a_helper_holds_only_its_name(played: Forger) -> None:
    """A forged name of a player put any words on a page."""
    words = "1 wins for ever, as three professors say"
    for claim in ("most", "hope", "wins"):
        assert played.passed(helped(played.verdict(claim), seat=words)) is False
        more = {"seat": words, "outcome": "proved", "numbers": {"plies": 3}}
        assert played.passed(helped(played.verdict(claim), **more)) is False


def test_evidence_for_two_players_cannot_be_exchanged(played: Forger) -> None:
    wins = played.verdict("wins")
    one, two = wins.evidence
    seats = [{"seat": e.data["seat"]} for e in (one, two)]
    swapped = (replace(one, data={**one.data, **seats[1]}), replace(two, data={**two.data, **seats[0]}))
    assert played.passed(forged(wins, evidence=swapped)) is False


def test_every_deal_is_decided_again(dealt: Forger) -> None:
    """Only three deals were decided again, drawn by a digest of the answers that a forger could choose."""
    share = dealt.verdict("share")
    letters = share.evidence[0].data["answers"]
    assert set(letters) == {"y", "n"}
    assert dealt.passed(share) is True
    for at, letter in enumerate(letters[:4]):
        other = letters[:at] + ("n" if letter == "y" else "y") + letters[at + 1 :]
        told = deal_counts.estimate_of_share(dealt.game.claims["share"], other)
        assert dealt.passed(dealt.sealed(dealt.case("share"), told)) is False
    fewer = deal_counts.estimate_of_share(dealt.game.claims["share"], letters[:5] + "?" * 7)
    assert dealt.passed(dealt.sealed(dealt.case("share"), fewer)) is True, (
        "a verdict may state less than is true"
    )


def test_deals_that_were_not_all_decided_again_in_time_do_not_pass(dealt: Forger) -> None:
    (check,) = recheck(dealt.store, dealt.load, ["share"], each=1e-9)
    assert check.passed is None


def test_verdicts_that_rest_on_each_other_do_not_pass(played: Forger) -> None:
    """Two verdicts that named each other passed."""

    def check(claim: str, *names: str) -> Check:
        named = tuple(Evidence("helper", {"claim": name}) for name in names)
        return Check(replace(played.verdict("small"), claim=claim, evidence=named), True, "passed")

    found = revoke_unsupported(
        [check("a", "b"), check("b", "a"), check("c", "d"), check("d"), check("e", "a")],
    )
    assert [one.passed for one in found] == [None, None, True, True, None]
    assert all("rests on" in one.text for one in found if one.passed is None)
