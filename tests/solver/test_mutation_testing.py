"""Broken rules: which breaks there are, and who notices them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.core.diagnostics import RulesetError
from rulespec.core.verdicts import beside
from rulespec.language import load, read
from rulespec.language.mutations import breaks, mutated_ruleset
from rulespec.solver.claims import prove
from rulespec.solver.mutation_testing import CLAIM, EXAMPLE, TEXT, UNNOTICED, BreakResult, mutate

STAIRS = """\
rulespec: 1
id: stairs
title: Stairs
players: 1
rules:
- id: stair
  prose: Somebody stands on a stair of four steps.
  formal: |
    state step: 0..4 = 0
    state rests: 0..9 = 0
- id: climb
  prose: Climb one step or two.
  action: n in 1..2
  written: climb {n}
  require:
    room:
      prose: There are as many steps left.
      that: |
        step + n <= 4
        and rests < 9
  do: step := step + n
  examples:
  - id: too-high
    prose: From the third step nobody climbs two.
    given: {step: 3}
    refused: {play: climb 2, by: room}
    play: climb 1
    then: step = 4
- id: top
  prose: Who is on the top is done.
  end: step = 4
claims:
- id: never-two
  prose: Somebody at the top has not rested.
  invariant: rests = 0
"""


@pytest.fixture
def stairs(tmp_path: Path) -> str:
    path = tmp_path / "stairs.yaml"
    path.write_text(STAIRS)
    prove(lambda **s: read(str(path)).with_settings(**s), ["never-two"], timeout=200, store=beside(path))
    return str(path)


def changes(found: list[BreakResult]) -> dict[tuple[str, str, str], str]:
    return {(f.change.clause, f.change.was, f.change.becomes): f.noticed for f in found}


def test_each_break_is_noticed_by_whoever_can(stairs: str) -> None:
    found = changes(mutate(stairs, each=20))
    assert found["climb", "step + n <= 4\nand rests < 9", "true"] == EXAMPLE
    assert found["climb", "<=", "<"] == EXAMPLE
    assert found["climb", "<", "<="] == UNNOTICED
    assert found["climb", "+", "-"] == EXAMPLE
    assert found["stair", "=", "!="] == TEXT
    assert changes(mutate(stairs, claims=False))["stair", "9", "10"] == UNNOTICED


def test_a_claim_notices_what_no_example_does(stairs: str) -> None:
    rests = [f for f in mutate(stairs, ["stair"], each=20) if f.change.span.line == 10]
    started = next(f for f in rests if f.change.was == "0" and f.change.span.column > 21)
    assert (started.noticed, started.by) == (CLAIM, "never-two")


def test_the_same_comes_of_several_jobs(stairs: str) -> None:
    assert mutate(stairs, each=20, jobs=2) == mutate(stairs, each=20)


def test_a_break_stands_where_the_text_does_and_leaves_other_places_alone(stairs: str) -> None:
    lines = STAIRS.splitlines()
    for change in breaks(stairs):
        line = change.source.text.splitlines()[change.span.line - 1]
        assert lines[change.span.line - 1].startswith(line[: change.span.column - 1])
        assert line[change.span.column - 1 :].startswith(change.becomes)
        assert len(change.source.text.splitlines()) == len(lines)


def test_what_is_inherited_is_broken_in_the_file_where_it_stands(tmp_path: Path, stairs: str) -> None:
    path = tmp_path / "long.yaml"
    path.write_text("rulespec: 1\nid: long\ntitle: Long\nextends: stairs\n")
    change = next(b for b in breaks(str(path), frozenset({"climb"})) if b.was == "<=")
    assert change.span.source.name == stairs
    game, usual = mutated_ruleset(str(path), change).with_settings(), load(str(path))
    assert (game.id, game.digest == usual.digest) == ("long", False)


def test_a_clause_that_there_is_not_is_told(stairs: str) -> None:
    with pytest.raises(KeyError):
        mutate(stairs, ["climbing"])
    with pytest.raises(RulesetError):
        mutate("no-such-game")
