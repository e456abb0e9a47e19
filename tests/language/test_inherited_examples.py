"""Inherited examples: tried with the settings of a variant, left out if about others, or dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.book.site import build
from rulespec.cli.checking import CheckResult, check_ruleset
from rulespec.core.diagnostics import RulesetError
from rulespec.language import load

BASE = """\
rulespec: 1
id: heap
title: A heap
summary: A heap of counters.
players: 1
parameters:
  size:
    type: 1..9
    default: 5
    prose: How many counters there are.
  most:
    type: 1..3
    default: 2
    prose: How many may be taken.
rules:
- id: heap
  prose: A heap.
  formal: |
    type Count = 0..size
    state left: Count = size
- id: take
  prose: Take some.
  action: n in 1..3
  written: take {n}
  require:
    few:
      prose: Not too many.
      that: n <= most and n <= left
  do: remove n from left
  examples:
  - id: usual
    prose: One of three.
    given: {left: 3}
    play: take 1
    then: left = 2
  - id: whole
    prose: Five at first.
    play: take 2
    then: left = 3
  - id: high
    prose: Five are there.
    given: {left: 5}
    legal: take 1
- id: skip
  prose: Do nothing.
  action: ()
  written: skip
  do: nothing
  examples:
  - id: still
    prose: Nothing changes.
    given: {left: 1}
    play: [skip, take 1]
    then: left = 0
  - id: idle
    prose: Nothing changes.
    given: {left: 1}
    play: skip
    then: left = 1
- id: bare
  prose: It ends when nothing is left.
  end: left = 0
"""
NO_TAKING = """\
add:
- rule:
    id: never
    prose: Nobody takes one.
    binds: [take]
    about: n in 1..3
    that: n > 1
"""
ONLY_SMALL = """\
add:
- rule:
    id: opposed
    prose: The opposite number.
    formal: |
      define opposed(n: Count): Count = 3 - n
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "heap.yaml").write_text(BASE, "utf-8")
    return tmp_path


def variant(folder: Path, name: str, text: str, base: str = "heap") -> Path:
    head = f"rulespec: 1\nid: {name}\ntitle: A variant\nsummary: Something else.\nextends: {base}\n"
    (folder / f"{name}.yaml").write_text(head + text, "utf-8")
    return folder / f"{name}.yaml"


def unfit(checked: CheckResult) -> list[str]:
    return [one["example"] for one in checked.unfit]


def test_a_variant_that_only_sets_runs_what_it_can(folder: Path) -> None:
    """It ran none of the examples that it inherits."""
    checked = check_ruleset(str(variant(folder, "small", "set: {size: 3}\n")))
    errors = [fault for fault in checked.faults if fault.severity == "error"]
    assert (errors, checked.examples, unfit(checked)) == ([], 3, ["whole", "high"])
    assert all(one["why"] for one in checked.unfit)


def test_examples_are_read_under_the_settings_of_a_variant_of_a_variant(folder: Path) -> None:
    """A definition that fits three counters was refused, for it does not fit five."""
    variant(folder, "small", "set: {size: 3}\n")
    checked = check_ruleset(str(variant(folder, "opposed", ONLY_SMALL, "small")))
    errors = [fault for fault in checked.faults if fault.severity == "error"]
    assert (errors, checked.examples, unfit(checked)) == ([], 3, ["whole", "high"])
    faulty = check_ruleset(str(variant(folder, "opposed", ONLY_SMALL)))
    assert [fault.code for fault in faulty.faults] == ["define.value"]


def test_what_holds_under_the_settings_it_was_written_for_holds(folder: Path) -> None:
    """A variant that also changes rules is held to them under the settings of its base, too."""
    text = "set: {size: 3}\nreplace:\n  take.prose: Take a few.\n"
    checked = check_ruleset(str(variant(folder, "reworded", text)))
    assert (checked.faults, checked.examples, checked.unfit) == ((), 5, ())
    changed = "set: {size: 3}\nreplace:\n  take.do: remove 1 from left\n  take.prose: Take one.\n"
    checked = check_ruleset(str(variant(folder, "changed", changed)))
    errors = [fault for fault in checked.faults if fault.severity == "error"]
    assert [fault.message.split("`")[1] for fault in errors] == ["whole"]


@pytest.mark.parametrize("setting", ["", "set: {size: 4}\n"])
def test_one_line_drops_what_fails(setting: str, folder: Path) -> None:
    """Each example had to be removed, and nothing said which."""
    checked = check_ruleset(str(variant(folder, "never", setting + NO_TAKING)))
    assert {fault.message.split("`")[1] for fault in checked.faults} == {"usual", "high", "still"}
    assert all("`drops: [take]`" in fault.help for fault in checked.faults)
    checked = check_ruleset(str(variant(folder, "never", f"{setting}drops: [take]\n{NO_TAKING}")))
    assert (checked.faults, checked.examples, checked.dropped) == ((), 2, 3)


def test_an_example_that_needs_a_removed_action_is_dropped_by_its_name(folder: Path) -> None:
    checked = check_ruleset(str(variant(folder, "without", "remove: [skip]\nadd: []\n")))
    assert checked.faults == ()
    checked = check_ruleset(str(variant(folder, "without", "remove: [take]\ndrops: [take]\n")))
    assert (checked.faults, checked.dropped) == ((), 1)


def test_a_clause_is_dropped_where_it_is_inherited(folder: Path) -> None:
    """An example of the variant itself must hold, and what a variant of it inherits is its own matter."""
    more = NO_TAKING + "    examples:\n    - {id: own, prose: x, legal: [take 2]}\n"
    middle = variant(folder, "middle", "drops: [take]\n" + more)
    assert check_ruleset(str(middle)).faults == ()
    last = "replace:\n  never.that: n > 2\n  never.prose: Nobody takes one or two.\n"
    checked = check_ruleset(str(variant(folder, "last", last, "middle")))
    assert [fault.message.split("`")[1] for fault in checked.faults] == ["own"]
    assert "`drops: [never]`" in checked.faults[0].help
    checked = check_ruleset(str(variant(folder, "last", "drops: [never]\n" + last, "middle")))
    assert checked.faults == ()


def test_what_drops_nothing_is_doubted_and_an_unknown_clause_is_a_fault(folder: Path) -> None:
    checked = check_ruleset(str(variant(folder, "idle", f"drops: [take, heap]\n{NO_TAKING}")))
    assert [(fault.code, fault.severity) for fault in checked.faults] == [("variant.drops", "warning")]
    with pytest.raises(RulesetError, match="there is no rule `tkae`"):
        load(variant(folder, "wrong", "drops: [tkae]\n"))


def test_an_example_that_asks_for_what_is_gone_is_about_other_settings(folder: Path) -> None:
    """Its end was read under the settings of the variant, where it means nothing, and the check stopped."""
    middle = """\
add:
- rule:
    id: named
    prose: x
    formal: |
      define full = left = size
    examples:
    - {id: full, prose: x, then: full}
"""
    variant(folder, "middle", middle)
    last = "replace: {players: 2}\nremove: [define.full]\n"
    checked = check_ruleset(str(variant(folder, "last", last, "middle")))
    assert (checked.faults, checked.examples, unfit(checked)) == ((), 5, ["full"])


@pytest.mark.parametrize("head", ["set: {size: 3}\n", "drops: [take]\n" + NO_TAKING])
def test_a_site_has_the_pages_of_a_variant_that_leaves_examples_out(folder: Path, head: str) -> None:
    """What a variant left out was missed among the examples that were shown, and no page was written."""
    variant(folder, "other", head)
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text("# Ours\n", encoding="utf-8")
    plugins = "plugins: [{rulespec: {rulesets: [.], player: false}}]\n"
    (folder / "mkdocs.yml").write_text(f"site_name: Ours\ntheme: rulespec\n{plugins}", encoding="utf-8")
    assert (build(folder / "mkdocs.yml") / "rulebooks" / "other-exact" / "index.html").is_file()


POINTS = """\
rulespec: 1
id: small
title: Small
players: 1
rules:
- id: points
  prose: There are points.
  formal: |
    state points: 0..9 = 3
  score: points
- id: take
  prose: Take one.
  action: ()
  do: remove 1 from points
- id: over
  prose: It ends.
  end: points = 0
  examples:
  - id: three
    prose: Three.
    then: score(1) = 3
"""


def test_an_example_that_asks_for_a_faulty_score_is_left_out(folder: Path) -> None:
    (folder / "small.yaml").write_text(POINTS)
    path = variant(folder, "wrong", "replace:\n  points.score: points[1]\n", "small")
    with pytest.raises(RulesetError) as error:
        load(path)
    assert [fault.code for fault in error.value.diagnostics] == ["type.index"]
