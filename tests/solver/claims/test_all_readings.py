"""Claims asked of the game that leaves rulings open, whose setup draws a reading of each."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.cli.loading import Loader
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import OPEN, Claim
from rulespec.core.verdicts import REFUTED, Evidence, Store, Verdict
from rulespec.core.verdicts.properties import PROPERTIES
from rulespec.language import load, shipped_rulesets
from rulespec.language.loader import read
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.claims import Scope, certify, prove, recheck
from rulespec.solver.claims.check_order import exploration_of
from rulespec.solver.evidence.covering import may_cover, under_each
from rulespec.solver.evidence.problem import Answer, Proof

RULES = """
rulespec: 1
id: steps
title: Steps
players: 1
rules:
- id: field
  prose: A stone stands on the first of forty fields.
  formal: "state at: 1..40 = 1"
- id: step
  prose: Move the stone; how far is open.
  question: How far may the stone go?
  readings:
    one: One field.
    two: One or two.
    many:
      prose: As far as you like.
      modelled: no
  action: n in 1..2
  written: step {n}
  require:
    far:
      prose: So far may it go.
      that: n = 1 or step is two
    room:
      prose: There is a field.
      that: at + n <= 40
  do: at := at + n
- id: back
  prose: Move the stone back.
  question: May it go back?
  readings: {no: No., yes: "Yes, by three."}
  action: ()
  written: back
  require:
    may:
      prose: It may go back.
      that: back is yes
    room:
      prose: There is a field.
      that: at > 3
  do: at := at - 3
- id: colour
  prose: The stone has a colour, which does not matter.
  question: Which colour?
  readings: {red: Red., blue: Blue., green: Green.}
  formal: |
    state painted: map 1..24 -> Bool = false
  setup: |
    if colour is green: painted[1] := true
    if colour is blue: painted[2] := true
- id: paint
  prose: Paint a field.
  action: k in 1..24
  written: paint {k}
  require:
    bare:
      prose: It is not painted.
      that: not painted[k]
  do: painted[k] := true
claims:
- id: inside
  prose: The stone never gets beyond the last field.
  across: every-ruling
  invariant: at <= 40
- id: forwards
  prose: The stone never goes back.
  across: every-ruling
  never-falls: at
- id: ends
  prose: Every play ends.
  across: every-ruling
  terminates: 40 - at + count(k in 1..24 where not painted[k])
- id: slow
  prose: No step leads beyond the second field at once.
  across: every-ruling
  never-falls: if at > 2 then 1 else 0
"""
CLAIMS = ("inside", "forwards", "ends", "slow")
READINGS = {"step": ("one", "two"), "back": ("no", "yes"), "colour": ("red", "blue", "green")}
EVERY = [dict(zip(READINGS, chosen, strict=True)) for chosen in itertools.product(*READINGS.values())]


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("steps") / "steps.yaml"
    path.write_text(RULES.lstrip(), "utf-8")
    return path


@pytest.fixture(scope="module")
def proved(steps: Path) -> tuple[Loader, Store]:
    store = Store()
    prove(Loader(str(steps)), CLAIMS, scope=Scope.NAMED, store=store)
    return Loader(str(steps)), store


def combination(verdict: Verdict) -> tuple[str, ...]:
    return tuple(verdict.readings.get(name, of[0]) for name, of in READINGS.items())


def test_answers_are_those_of_each_combination_by_itself(steps: Path, proved: tuple[Loader, Store]) -> None:
    for claim in CLAIMS:
        found = {combination(v): v.outcome for v in proved[1].of_claim("steps", claim)}
        assert len(found) == len(EVERY)
        for readings in EVERY[:: len(EVERY) - 1]:
            (alone,) = prove(Loader(str(steps)), [claim], readings=readings, scope=Scope.USUAL)
            assert found[tuple(readings.values())] == alone.outcome, (claim, readings)


def test_few_questions_answer_many_combinations(proved: tuple[Loader, Store]) -> None:
    loader, store = proved
    verdicts = store.of_claim("steps", "forwards")
    assert Counter(v.outcome for v in verdicts) == {"proved": 6, "refuted": 6}
    covered = [v for v in verdicts if any(e.kind == "covered" for e in v.evidence)]
    assert len(covered) >= 4
    assert all(v.readings.get("back") is None for v in covered)
    assert covered[0].reasons[0].startswith("It was shown at once for all readings of `")
    assert {c.passed for c in recheck(store, loader)} == {True}


def test_a_covered_verdict_has_no_certificate(steps: Path, proved: tuple[Loader, Store]) -> None:
    """One was made of the game under its own readings, which its evidence is not about."""
    loader, store = proved
    path = steps.with_name("verdicts.json.gz")
    kept = Store([v for v in store.of_claim("steps", "forwards") if v.outcome == "proved"], store.records)
    kept.write(path)
    assert any(v.evidence[0].kind == "covered" for v in kept)
    asked = [done.verdict for done in certify(path, loader)]
    assert not any(v.evidence[0].kind == "covered" for v in asked)
    assert {check.passed for check in recheck(path, loader)} == {True}


def test_verdicts_with_one_cover_are_checked_together(proved: tuple[Loader, Store]) -> None:
    covered = [v for v in proved[1] if any(e.kind == "covered" for e in v.evidence)]
    groups = {exploration_of(v) for v in covered}
    assert 0 < len(groups) < len(covered) and () not in groups


def forged(store: Store, loader: Loader, verdict: Verdict, evidence: tuple[Evidence, ...], **to: Any) -> bool:
    other = Store([replace(verdict, evidence=evidence, **to)], store.records)
    return all(check.passed for check in recheck(other, loader))


def test_a_cover_that_has_a_counterexample_shows_nothing(proved: tuple[Loader, Store]) -> None:
    """It is said to leave open the ruling that matters, and, of a false verdict, one that does not."""
    loader, store = proved
    verdict = next(v for v in store.of_claim("steps", "forwards") if v.evidence[0].kind == "covered")
    wrong = next(v for v in store.of_claim("steps", "forwards") if v.outcome == "refuted")
    cover, *rest = verdict.evidence
    assert forged(store, loader, verdict, verdict.evidence)
    for names in (["back"], ["step", "back", "colour"], [], ["colour", "colour"], ["nothing"], [OPEN]):
        assert not forged(store, loader, verdict, (Evidence("covered", {"open": names}), *rest)), names
    assert not forged(store, loader, verdict, (cover,))
    assert not forged(store, loader, verdict, (cover, cover, *rest))
    assert not forged(store, loader, verdict, (cover, Evidence("helper", {"claim": "inside"}), *rest))
    assert not forged(store, loader, wrong, verdict.evidence, outcome="proved", numbers=verdict.numbers)
    open_ones = {"readings": {**verdict.readings, "back": OPEN}}
    assert not forged(store, loader, verdict, verdict.evidence, **open_ones)


def test_a_cover_of_the_default_readings_is_judged_by_the_open_rules(proved: tuple[Loader, Store]) -> None:
    """The game under the default readings was taken for the one that leaves rulings open."""
    loader, store = proved
    verdict = next(v for v in store.of_claim("steps", "forwards") if not v.readings)
    assert verdict.outcome == "proved"
    for names, passed in ((["colour"], True), (["back"], False)):
        shown = (Evidence("covered", {"open": names}), Evidence("induction", {"depth": 1}))
        assert forged(store, loader, verdict, shown, numbers={"depth": 1}) is passed, names


def test_a_count_of_positions_is_not_taken_over(tmp_path: Path) -> None:
    """The game with open rulings has more positions than each of those that it covers."""
    path, painting = tmp_path / "ruleset.yaml", RULES[RULES.index("- id: paint") : RULES.index("claims:")]
    path.write_text(RULES.replace(painting, "").lstrip(), "utf-8")
    loader, store, whole = Loader(str(path)), Store(), Store()
    (verdict,) = prove(loader, ["inside"], readings={"colour": "blue"}, scope=Scope.USUAL, store=store)
    game = read(path).with_settings(left_open=["colour"])
    (found,) = prove(lambda **_: game, ["inside"], scope=Scope.USUAL, store=whole)
    assert [e.kind for e in found.evidence] == ["exploration"]
    assert found.numbers["states"] == 3 * verdict.numbers["states"]
    shown = (Evidence("covered", {"open": ["colour"]}), *found.evidence)
    assert not forged(store, loader, verdict, shown, numbers=found.numbers)


def test_only_what_no_play_decides_is_covered() -> None:
    covered = {kind for kind in PROPERTIES if may_cover(Claim("c", "", kind, None))}
    assert covered == {
        *("invariant", "never_stuck", "never_faults", "never_falls"),
        *("terminates", "endless", "reachable", "unreachable"),
    }
    assert not may_cover(Claim("c", "", "reachable", None, options={"from": "deal"}))
    by_play = Answer(REFUTED, (Proof("induction"),))
    assert under_each(Claim("c", "", "invariant", None), ["r"], by_play) is None


@pytest.mark.parametrize(
    "formal",
    [
        "state c: 1..(if colour is red then 2 else 3) = 1",
        "state c: Bool = colour is red",
        "type C = {x: 1..3} where colour is red or x > 1\n    state c: C = C(2)",
        "state c: map 1..2 -> 1..3 = {k -> if colour is red then k else 3 for k in 1..2}",
    ],
)
def test_what_is_fixed_before_the_setup_cannot_depend_on_a_ruling_left_open(
    tmp_path: Path, formal: str
) -> None:
    path = tmp_path / "ruleset.yaml"
    path.write_text(RULES.replace("    state painted", f"    {formal}\n    state painted").lstrip(), "utf-8")
    with pytest.raises(RulesetError):
        read(path).with_settings(left_open=["colour"])
    found = prove(Loader(str(path)), ["inside"], scope=Scope.NAMED)
    assert Counter(v.outcome for v in found) == {"proved": 12}
    assert not any("colour" in e.data.get("open", ()) for v in found for e in v.evidence)


def test_a_reading_is_left_open_by_no_document(tmp_path: Path, steps: Path) -> None:
    with pytest.raises(RulesetError, match=r"no reading `\*`"):
        load(str(steps), readings={"colour": OPEN})


def with_open_rulings() -> list[tuple[Path, list[str]]]:
    found = []
    for path in shipped_rulesets():
        game = load(path)
        rulings = [r.id for r in game.rulings.values() if sum(x.modelled for x in r.readings) > 1]
        found += [(path, rulings)] if rulings else []
    return found


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_a_play_with_open_rulings_is_one_under_the_readings_drawn(data: st.DataObject) -> None:
    path, rulings = data.draw(st.sampled_from(with_open_rulings()), label="game")
    ruleset = read(path)
    names = data.draw(st.lists(st.sampled_from(rulings), min_size=1, unique=True), label="open")
    names = [name for name in ruleset.with_settings().rulings if name in names]
    seed = str(data.draw(st.integers(0, 999), label="seed"))
    try:
        whole = ruleset.with_settings(left_open=names)
    except RulesetError:
        return
    machine, chance = Machine(whole), Chance(seed)
    first = machine.start(chance)
    drawn = dict(zip(names, first.outcomes, strict=False))
    other = Machine(ruleset.with_settings(readings=drawn))
    same = other.start(Chance(seed, first.outcomes[len(names) :]))
    here, there = first.position, same.position
    for ply in range(12):
        moves = [] if here.is_over else [*machine.moves(here)]
        assert moves == ([] if there.is_over else [*other.moves(there)])
        if not moves:
            break
        move = moves[data.draw(st.integers(0, len(moves) - 1), label="move")]
        result = machine.play(here, move, Chance(f"{seed} {ply}"))
        again = other.play(there, move, Chance(None, result.outcomes))
        here, there = result.position, again.position
        assert here.is_over == there.is_over
