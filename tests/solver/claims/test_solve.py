"""Puzzles: one deal, everything known."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from families import claim, with_claims, ziggurat
from texts import HEAPS

from rulespec.budgets import Budget
from rulespec.core.verdicts import Store
from rulespec.language import load
from rulespec.play.chance import ChanceError
from rulespec.play.face import Game, State
from rulespec.play.plays import perform
from rulespec.solver.claims import NoPuzzle, deal, solve
from rulespec.solver.claims.recheck import check_deal
from rulespec.solver.claims.solve import puzzle
from rulespec.solver.evidence.problem import Answer, Case, Proof
from rulespec.solver.methods.scheduler import strongest


def test_each_deal_is_settled_with_a_play_or_a_proof() -> None:
    game, outcomes = ziggurat(), set()
    for seed in range(8):
        verdict, play = solve(game, seed=seed, timeout=200)
        outcomes.add(verdict.outcome)
        if verdict.outcome == "proved":
            assert play is not None
            assert play.chance[:1] == deal(game, seed)
            assert perform(game, play).ended_by == "complete"
        else:
            assert verdict.evidence[0].kind in ("exploration", "refutation")
    assert outcomes <= {"proved", "refuted"}


def test_the_most_from_a_deal_is_reached_by_its_play() -> None:
    game = ziggurat()
    verdict, play = solve(game, "covered", seed=3, timeout=200)
    assert verdict.outcome == "proved"
    assert play is not None
    assert perform(game, play).scores == {1: verdict.numbers["value"]}


def test_a_deal_can_be_given() -> None:
    game = ziggurat()
    given = Game(game).start(seed=5).chance
    assert solve(game, chance=given)[0].outcome == solve(game, seed=5)[0].outcome
    with pytest.raises(ChanceError):
        solve(game, chance=["[0-0, 0-0, 1-1]"])


def test_an_interrupt_ends_it_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ziggurat()
    verdict, best = solve(game, "covered", seed=3, timeout=200)
    value = verdict.numbers["value"]

    def interrupted(case: Case) -> None:
        shown = Proof("play", {}, best)
        case.keep(Answer("bounded", (shown,), numbers={"at_least": value}))
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(60)

    monkeypatch.setattr(sys.modules["rulespec.solver.claims.worker"], "decide", interrupted)
    verdict, play = solve(game, "covered", seed=3)
    assert play == best
    assert verdict.outcome == "bounded"
    assert "It was interrupted." in verdict.remarks


def test_a_shortest_play_is_told_to_be_one() -> None:
    core = load("eight-puzzle", parameters={"height": 2})
    done = claim("done", "reachable", core.ends[0].condition)
    verdict, play = solve(with_claims(core, done), "done", seed=2, shortest=True)
    assert play is not None
    assert verdict.statement == f"A game of {len(play.plays)} actions shows it; none is shorter."


def test_a_longer_play_is_not_taken_for_a_shortest_one() -> None:
    game, store = load("eight-puzzle", parameters={"height": 2}), Store()
    verdict, play = solve(game, seed=2, shortest=True, store=store)
    assert play is not None
    slide = play.plays[0]  # which is undone by itself
    longer = replace(play, plays=(slide, slide, *play.plays))
    key, number = verdict.evidence[0].data["record"], len(longer.plays)
    forged = replace(verdict, numbers={**verdict.numbers, "plies": number})
    checks = [
        check_deal(game, said, {key: it.to_data()}, deal(game, 2), Budget(600))
        for said, it in ((verdict, play), (forged, longer))
    ]
    assert [check.passed for check in checks] == [True, False]
    assert checks[1].text == f"a play of {len(play.plays)} plies is shorter"


def test_what_is_not_dealt_is_solved_as_it_stands() -> None:
    verdict, _ = solve(load("peg-solitaire", parameters={"side": 5, "corner": 2}), seed=1)
    assert (verdict.claim, verdict.outcome) == ("solvable", "refuted")


def test_what_cannot_be_asked() -> None:
    with pytest.raises(NoPuzzle):
        solve(load("nim"), seed=1)
    with pytest.raises(NoPuzzle):
        solve(ziggurat(), "no-such", seed=1)
    with pytest.raises(ValueError, match="seed or the outcomes"):
        solve(ziggurat())


def test_a_bound_on_the_value_says_more_than_a_depth() -> None:
    """A defect once: that nothing better is possible was dropped for plays looked through so far."""
    value = Answer("bounded", numbers={"at_least": 1})
    depth = Answer("bounded", numbers={"plies": 9, "states": 4})
    game = ziggurat()
    case = Case(game, puzzle(game), Budget(60))
    assert strongest(case, [depth, value]) == value


COUNTED = """\
- id: ends
  prose: The positions in which everything is taken.
  count: left = 0
  from: deal
- id: one-play
  prose: There is one play.
  kind: count
  of: plays
  is: 1
  from: deal
"""


def test_positions_and_plays_of_one_deal_are_counted(tmp_path: Path) -> None:
    """The interpreter goes through every play of each of the eight deals."""
    file = tmp_path / "heaps.yaml"
    file.write_text(HEAPS + COUNTED)
    game = Game(load(file))

    def plays(state: State) -> Iterator[State]:
        if state.is_over:
            yield state
        for action in state.actions():
            yield from plays(state.play(action))

    found = set()
    for seed in range(24):
        ends = [*plays(game.start(seed=seed))]
        different = {end.position.values for end in ends if end.values["left"] == 0}
        counted, _ = solve(game.core, "ends", seed=seed)
        one, _ = solve(game.core, "one-play", seed=seed)
        assert counted.numbers["value"] == len(different)
        assert (one.outcome == "proved") == (len(ends) == 1)
        there = "There is 1" if len(different) == 1 else f"There are {len(different)}"
        assert counted.statement == f"{there} from the given deal. All were counted."
        check = check_deal(game.core, one, {}, deal(game.core, seed), Budget(20.0), known=[])
        assert check.passed, check.text
        found.add(one.outcome)
    assert found == {"proved", "refuted"}
    assert puzzle(game.core).id == "three", "a count is asked by name only"
