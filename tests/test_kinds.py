"""The rulesets of kinds that do not ship, and the table of sizes."""

from __future__ import annotations

import pytest

from benchmarks import sizes
from benchmarks.kinds import KINDS, ruleset
from benchmarks.sizes import FAMILIES, Size, Speed
from rulespec.cli import main
from rulespec.language import read


@pytest.mark.parametrize("name", KINDS)
def test_a_ruleset_is_without_fault_and_its_examples_hold(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(ruleset(name))]) == 0
    assert "0 faults" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "size"), [(name, size) for name, family in FAMILIES for size in (family[0], family[-1])]
)
def test_a_family_has_settings_of_its_ruleset(name: str, size: Size) -> None:
    game = size.settled(read(ruleset(name)))
    assert size.players in (None, game.players)
    assert {name: game.parameters[name].value for name in size.parameters} == {
        name: tuple(value) if isinstance(value, list) else value for name, value in size.parameters.items()
    }


def test_a_fall_of_more_than_two_is_marked() -> None:
    found = [Speed(0.1, 10, 9e6), Speed(0.2, 11, 4.5e6), Speed(0.3, 12, 2e6)]
    rows = sizes.rows("hex", [Size(name, {}) for name in "abc"], found)
    assert [row[3:5] for row in rows] == [["9", ""], ["4.5", "2.0"], ["2", "**2.2**"]]


def test_sizes_of_a_family_are_measured() -> None:
    (table,) = sizes.measure(0.01, [number for number, (name, _) in enumerate(FAMILIES) if name == "kalah"])
    assert [row[:2] for row in table.rows] == [["kalah", f"houses {n}"] for n in (4, 6, 8)]
