"""Records narrowed by conditions: the combinations that are left, and one reading of files for many games."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

from rulespec.core.canonical_form import CanonicalWriter
from rulespec.core.diagnostics import RulesetError
from rulespec.core.digest import of_claim
from rulespec.core.game import Game
from rulespec.language import load, read

TEXT = """\
rulespec: 1
id: narrowed
title: Narrowed
players: 1
rules:
- id: records
  prose: Three numbers.
  formal: |
    define near(n: 1..5): set of 0..6 = {n - 1, n + 1}
    state open: Bool = true
    type Triple = {a: 1..5, b: 1..5, c: 0..2} where CONDITION
- id: go
  prose: Go.
  action: t in Triple
  do: open := false
"""
CASES: list[tuple[str, Callable[[int, int, int], bool]]] = [
    ("true", lambda a, b, c: True),
    ("b in near(a)", lambda a, b, c: abs(a - b) == 1),
    ("a in near(b) and b in near(a)", lambda a, b, c: abs(a - b) == 1),
    ("b in near(a) and b in {1, 2, c}", lambda a, b, c: abs(a - b) == 1 and b in (1, 2, c)),
    ("c in a..b", lambda a, b, c: a <= c <= b),
    ("c < a and a in 2..3", lambda a, b, c: c < a and a in (2, 3)),
    ("a = b or c in near(a)", lambda a, b, c: a == b or abs(a - c) == 1),
    ("some n in near(a) satisfies n in near(c + 1)", lambda a, b, c: a in (c - 1, c + 1, c + 3)),
    ("not (a in near(b))", lambda a, b, c: abs(a - b) != 1),
    ("a in 1..5 and b in 1..5 and c in 0..2", lambda a, b, c: True),
]


def written(folder: Path, condition: str) -> Path:
    """A ruleset with a record under this condition."""
    path = folder / "narrowed.yaml"
    path.write_text(TEXT.replace("CONDITION", condition))
    return path


@pytest.mark.parametrize(("condition", "holds"), CASES, ids=[condition for condition, _ in CASES])
def test_a_record_has_the_combinations_for_which_its_condition_holds(
    condition: str, holds: Callable[[int, int, int], bool], tmp_path: Path
) -> None:
    wanted = [v for v in product(range(1, 6), range(1, 6), range(3)) if holds(*v)]
    assert [*load(written(tmp_path, condition)).types["Triple"].values] == wanted


@pytest.mark.parametrize(
    ("condition", "code"),
    [("a > 5", "type.empty"), ("open", "type.state"), ("a in near(b) and (b = a or open)", "type.state")],
)
def test_a_condition_that_no_type_can_have_is_refused(condition: str, code: str, tmp_path: Path) -> None:
    with pytest.raises(RulesetError) as raised:
        load(written(tmp_path, condition))
    assert [d.code for d in raised.value.diagnostics] == [code]


def meaning(game: Game) -> list[object]:
    """What games of one meaning have alike, the meaning of their claims and pictures included."""
    picture = CanonicalWriter()
    for layer in game.diagram:
        picture.write((layer.binders, layer.where, *layer.attributes.values()))
    asked = {name: ruling.asked for name, ruling in game.rulings.items()}
    claims = {name: of_claim(claim) for name, claim in game.claims.items()}
    return [game.digest, picture.digest(), claims, asked, [*game.functions], [*game.types]]


def test_a_ruleset_that_is_read_once_makes_the_games_that_it_makes_afresh() -> None:
    once, usual = read("leistiko-cut-up"), load("leistiko-cut-up")
    settings = [
        {r.id: other.id} for r in usual.rulings.values() for other in r.readings[1:] if other.modelled
    ]
    pairs = [a | b for a, b in pairwise(settings)]
    for readings in [{}, *settings[:2], *pairs[:1], {}]:
        made, afresh = once.with_settings(readings=readings), load("leistiko-cut-up", readings=readings)
        assert meaning(made) == meaning(afresh)
        assert made.rules[0].examples == afresh.rules[0].examples


SETTINGS = """\
rulespec: 1
id: settings
title: Settings
players: {number: 1..3, default: 2}
parameters:
  width:
    prose: The width.
    type: 1..3
    default: 2
  origin:
    prose: Where one begins.
    type: Place
    default: 1
rules:
- id: reach
  prose: The reach.
  question: Which reach?
  readings: {near: Near, far: Far}
- id: players
  prose: A ruling whose name is a word.
  question: Which players?
  readings: {all: All, one: One}
- id: board
  prose: A board.
  formal: |
    define length: 1..4 = if reach is far then width + 1 else 1
    type Place = 1..length + 1
    define start = origin
    define begun(p: Place) = p = origin and (players is all or p > 1)
    define crowd: 0..3 = count(p in Player where true)
    state stands: map Player -> Place = 1
    state left: 0..9 = 3
- id: go
  prose: Go.
  action: p in Place
  require:
    free:
      prose: The place is free.
      that: not begun(p) and left > 0 and start < 9
  do: stands[mover] := p; left := left - 1
- id: done
  prose: All is done.
  end: left = 0
- id: more
  prose: More is better.
  score: stands[player] + length
  examples:
  - id: alone
    players: 1
    then: left = 3
claims:
- id: held
  prose: The number is small.
  invariant: left <= 2 + crowd and length <= width + 1
"""


def test_parts_are_shared_by_the_settings_that_they_ask_for(tmp_path: Path) -> None:
    """Through definitions and types, also that of a parameter, and with a ruling named as a word is."""
    path = tmp_path / "settings.yaml"
    path.write_text(SETTINGS)
    once = read(path)
    chosen = product((2, 1, 3), ("2", "1"), ("1", "2"), ("near", "far"), ("all", "one"))
    for players, width, origin, reach, who in chosen:
        given: dict[str, Any] = {
            "players": players,
            "parameters": {"width": width, "origin": origin},
            "readings": {"reach": reach, "players": who},
        }
        made, afresh = once.with_settings(**given), read(path).with_settings(**given)
        assert meaning(made) == meaning(afresh)
    all_, one = (once.with_settings(readings={"players": who}) for who in ("all", "one"))
    assert all_.digest != one.digest
    two, three = (once.with_settings(players=players) for players in (2, 3))
    assert two.functions["length"] is three.functions["length"], "it asks for no player"
    assert two.functions["crowd"] is not three.functions["crowd"]
