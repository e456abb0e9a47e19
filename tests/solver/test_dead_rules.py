"""Idle parts of rulesets: defects that were put in on purpose are found, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from texts import COUNTDOWN

from rulespec.cli import main
from rulespec.cli.loading import Loader
from rulespec.language import load
from rulespec.solver.dead_rules import Finding, dead_parts, deciding, redundant_readings

DEFECTS = (
    COUNTDOWN.replace(
        """- id: bare
""",
        """- id: skip
  prose: Who has nothing to take skips.
  action: ()
  written: skip
  require:
    nothing-left:
      prose: Nothing is left.
      that: left = 0
- id: hollow
  prose: Never take three.
  about: n in 1..2
  binds: [take]
  that: n < 3 or left > 4 and n <= left
- id: five
  prose: The heap never holds more than five.
  about: n in 1..2
  binds: [take]
  that: left <= 5 - (if polite is yes then n - n else 0)
- id: polite
  prose: Be polite.
  question: Must you be?
  readings:
    yes: You must.
    no: You need not.
- id: greedy
  prose: Whoever takes the last two of five wins at once.
  question: With how many?
  readings:
    two: Two.
    one: One.
- id: over
  prose: More than there were.
  end: left > 5 or left = 5 and last is some
- id: bare
""",
    )
    .replace(
        """claims:
""",
        """claims:
- id: nothing-said
  prose: With nothing taken and nothing left all is well.
  when: left = 0 and last is none
  invariant: left = 1
""",
    )
    .replace(
        """    state last: Player? = none
""",
        """    state last: Player? = none
    define twice(n: 1..2): 2..4 = n + n
""",
    )
)


def ruleset(folder: Path, text: str) -> str:
    path = folder / "own.yaml"
    path.write_text(text)
    return str(path)


def found(name: str) -> dict[str, Finding]:
    game = load(name)
    every = [
        *dead_parts(game, Loader(name), timeout=10),
        *redundant_readings(game, Loader(name), timeout=10),
    ]
    return {f"{f.part.kind} {f.part.name}": f for f in every}


@pytest.fixture(scope="module")
def defects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Finding]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deciding, "WANDER", 0.3)
        patch.setattr(deciding, "ELSEWHERE", 0.2)
        yield found(ruleset(tmp_path_factory.mktemp("deep"), DEFECTS))


def test_every_defect_is_found_for_certain_and_nothing_else(defects: dict[str, Finding]) -> None:
    assert defects.keys() == {
        "action skip",
        "law hollow",
        "law five",
        "end over",
        "claim nothing-said",
        "reading polite is no",
        "reading greedy is one",
    }
    assert all(finding.proved for finding in defects.values())


def test_a_finding_has_its_place(defects: dict[str, Finding]) -> None:
    span = defects["law hollow"].part.span
    assert span is not None
    assert span.source.line(span.line)[span.column - 1 :].startswith("n < 3")


def test_what_a_play_shows_is_not_idle(tmp_path: Path) -> None:
    assert found(ruleset(tmp_path, COUNTDOWN)) == {}


def test_what_shows_with_another_number_of_players_only_is_not_idle(tmp_path: Path) -> None:
    name = ruleset(
        tmp_path,
        COUNTDOWN.replace("players: 2", "players: 2..3").replace(
            "      that: n <= left\n",
            "      that: n <= left\n    third:\n      prose: Of three each takes one.\n"
            "      that: players < 3 or n = 1\n",
        ),
    )
    game = load(name)
    assert [f.part.name for f in dead_parts(game, Loader(name))] == ["take.third"]
    assert [*dead_parts(game, Loader(name), players=(2, 3))] == []


def test_what_is_shown_under_another_reading_only_is_not_certain(tmp_path: Path) -> None:
    """It always holds here and refuses nothing where one reading is another; where two are, nobody looked."""
    law = """- id: five
  prose: The heap never holds more than five.
  about: n in 1..2
  binds: [take]
  that: polite is yes or left <= 5
- id: polite
  prose: Be polite.
  question: Must you be?
  readings:
    yes: You must.
    no: You need not.
- id: bare
"""
    name = ruleset(tmp_path, COUNTDOWN.replace("- id: bare\n", law))
    (finding,) = dead_parts(load(name), Loader(name), timeout=10)
    assert (finding.part.name, finding.proved) == ("five", False)
    assert finding.statement.startswith("Here it always holds; where `polite` is no it refuses nothing")


def test_a_law_may_bind_actions_of_which_one_has_more_choices(tmp_path: Path) -> None:
    """A deep check of nine men's morris crashed: the code of an effect was shared by both actions."""
    rules = """- id: leave
  prose: Or take one and leave some.
  action: n in 1..2, some-left in 1..5
  require:
    left:
      prose: So many are left.
      that: some-left = left - 1
  do: |
    remove 1 from left
    last := mover
- id: one-of-three
  prose: Of three only one is taken.
  about: n in 1..2
  binds: [take, leave]
  that: left != 3 or n = 1
- id: bare
"""
    assert found(ruleset(tmp_path, COUNTDOWN.replace("- id: bare\n", rules))) == {}


def test_the_command_tells_findings_as_doubts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = ruleset(tmp_path, DEFECTS.replace("- id: five", "- id: hollow-too"))
    assert main(["check", name, "--deep", "--each", "10"]) == 0
    told = capsys.readouterr().out
    assert "own.yaml:12:12: warning[notice.unused]: nothing uses the definition `twice`" in told
    assert "warning[deep.action]: the action `skip` is never legal" in told
    assert "warning[notice.settled]: `n < 3` always holds: `n` is 1..2" in told
    assert "0 faults, 11 doubts" in told.splitlines()[-1]


def test_a_reading_that_changes_observers_is_not_idle() -> None:
    """Positions and actions are the same under both readings; only observations differ."""
    whispers = str(Path(__file__).parents[1] / "language" / "good" / "whispers.yaml")
    assert [*redundant_readings(load(whispers), Loader(whispers), timeout=10)] == []
