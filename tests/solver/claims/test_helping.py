"""Claims that help to show others, what an induction lacks, and claims that say nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from texts import COUNTDOWN

from rulespec.budgets import Budget
from rulespec.cli.loading import Loader
from rulespec.core.verdicts import Evidence, Store, Verdict
from rulespec.core.verdicts.lemmas import able_to_help, assume, rests_on
from rulespec.language import load
from rulespec.solver.claims import prove, recheck
from rulespec.solver.claims.gate import Gate
from rulespec.solver.claims.vacuity import note_vacuity
from rulespec.solver.evidence.engine_rules import asked_again, by_evidence
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.explore import state_space
from rulespec.solver.methods.counterexamples_to_induction import why_unkept
from rulespec.solver.methods.inductions import by_induction

CLAIMS = """\
- id: four
  prose: Four are left only after the first player took one.
  invariant: left != 4 or last = 1
- id: five
  prose: Five are left only before anybody took.
  invariant: left != 5 or last is none and mover = 1
- id: four-with-help
  prose: The same, and who shows it may use what is known of five.
  invariant: left != 4 or last = 1
  helped-by: [five]
- id: four-with-wrong-help
  prose: The same, helped by what says nothing of it.
  invariant: left != 4 or last = 1
  helped-by: [not-one]
- id: five-untaken
  prose: Of five nobody took.
  when: left = 5
  invariant: last is none
- id: not-one
  prose: There is never one left.
  invariant: left != 1
- id: empty
  prose: Where three are left and nobody took, the second player is to move.
  when: left = 3 and last is none
  invariant: mover = 2
- id: never
  prose: There are never two at once left and one.
  unreachable: left = 2 and left + left < 3
- id: not-now
  prose: There are never three of which nobody took.
  unreachable: left = 3 and last is none
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A ruleset whose claims formulas decide first, for exploration has no time."""
    monkeypatch.setattr(state_space, "EASY_SECONDS", 0.0)
    monkeypatch.setattr(state_space, "EASY_POSITIONS", 0)
    text = COUNTDOWN.replace("claims:\n", f"claims:\n{CLAIMS}")
    (tmp_path / "ruleset.yaml").write_text(text)
    return str(tmp_path / "ruleset.yaml")


def helped(verdict: Verdict) -> list[str]:
    return [str(e.data["claim"]) for e in verdict.evidence if e.kind == "helper"]


def test_what_an_induction_lacks_is_a_position_that_a_ply_breaks(own: str) -> None:
    game = load(own)
    why = why_unkept(game, game.claims["four"], {}, 10, 4_000, None)
    (broken,) = why.broken
    before, after = broken.states
    assert (before.values["left"], before.values["mover"]) == (5, 2)
    assert (after.values["left"], str(after.plays[-1])) == (4, "take 1")


def test_an_invariant_that_is_stored_helps_unasked(own: str, tmp_path: Path) -> None:
    store = Store()
    prove(Loader(own), ["five"], store=store)
    game = load(own)
    lemmas = Gate(Loader(own), store).lemmas(game, None, Budget(20))
    assert why_unkept(game, game.claims["four"], lemmas, 10, 4_000, None).broken == ()
    (four,) = prove(Loader(own), ["four"], store=store)
    assert (four.outcome, helped(four)) == ("proved", ["five"])
    assert four.evidence[0].kind == "induction"
    assert all(check.passed for check in recheck(store, Loader(own)))


def test_no_claim_helps_what_it_rests_on(own: str) -> None:
    store = Store()
    prove(Loader(own), ["five"], store=store)
    (four,) = prove(Loader(own), ["four"], store=store)
    (five,) = prove(Loader(own), ["five"], store=store)
    assert helped(five) == []
    known = {"four": four, "five": five}
    assert able_to_help("five", known, known) == {}
    assert rests_on(four, known) == {"five"}
    assert rests_on(four, {"four": four}) is None


def test_where_the_named_helpers_do_not_suffice_the_others_help(own: str) -> None:
    store, game = Store(), load(own)
    verdicts = {v.claim: v for v in prove(Loader(own), ["five", "not-one"], store=store)}
    case = Case(game, game.claims["four-with-wrong-help"], Budget(20), lemmas=assume(verdicts))
    shown = by_induction(case, deepest=1)
    assert shown is not None
    named = [proof.data["claim"] for proof in shown.proofs if proof.kind == "helper"]
    assert named == ["five"], "what the induction does not need is not named"
    evidence = [Evidence(proof.kind, proof.data) for proof in shown.proofs]
    again = asked_again(replace(case, lemmas={}), evidence, store)
    assert by_evidence(again, evidence[0]) == shown
    assert by_evidence(asked_again(replace(case, lemmas={}), evidence, Store()), evidence[0]) is None


def test_a_helper_says_what_it_says_only_where_it_speaks(own: str) -> None:
    # Its `when` was left out once, and so that one is never left was "proved" from what is so with five.
    store = Store()
    (five,) = prove(Loader(own), ["five-untaken"], store=store)
    (one,) = prove(Loader(own), ["not-one"], store=store)
    assert (five.outcome, one.outcome) == ("proved", "refuted")


def test_a_claim_that_helps_is_not_decided_again_with_what_it_helps(own: str) -> None:
    # It was, and with less time than it needs the verdict on it was lost.
    store = Store()
    (five,) = prove(Loader(own), ["five"], store=store)
    (four,) = prove(Loader(own), ["four-with-help"], store=store)
    assert (four.outcome, helped(four), four.claim) == ("proved", ["five"], "four-with-help")
    assert next(v for v in store if v.claim == "five") == five


def test_a_verdict_whose_help_is_gone_is_decided_anew(own: str) -> None:
    store = Store()
    prove(Loader(own), ["five", "four"], store=store)
    store.drop([v for v in store if v.claim == "five"])
    (four,) = prove(Loader(own), ["four"], store=store, reuse=True)
    assert helped(four) == []


@pytest.mark.parametrize(
    ("claim", "told"),
    [("four", ()), ("empty", ("premise-never-met",)), ("never", ("holds-of-any-rules",)), ("not-now", ())],
)
def test_a_claim_that_says_nothing_is_told(tmp_path: Path, claim: str, told: tuple[str, ...]) -> None:
    (tmp_path / "own.yaml").write_text(COUNTDOWN.replace("claims:\n", f"claims:\n{CLAIMS}"))
    game = load(tmp_path / "own.yaml")
    assert note_vacuity(Case(game, game.claims[claim], Budget(10)), Answer("proved")).notes == told


def test_nothing_is_said_of_a_game_that_is_over_at_once(own: str) -> None:
    text = Path(own).read_text().replace("end: left = 0", "end: left < 6")
    Path(own).write_text(text)
    (ends,) = prove(Loader(own), ["ends"])
    assert ends.outcome == "proved"
    assert ends.notes == ("over-at-once",)
