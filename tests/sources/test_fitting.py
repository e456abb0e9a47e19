"""`check` sees whether source maps still fit, and says what `coverage` says where they do not."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

import pytest
from cases import DOCUMENT, EDITS, MAP, RULESET, VARIANT, lay_out

from rulespec.cli import main
from rulespec.core.diagnostics import RulesetError
from rulespec.language import locate, read, shipped_rulesets
from rulespec.sources import quick_check
from rulespec.sources.citations import citations_of
from rulespec.sources.coverage import OPEN, coverage


def found_in(name: str) -> list[str]:
    ruleset = read(name)
    return [
        fault.code for fault in quick_check.misfits(ruleset.with_settings(), ruleset.document, locate(name))
    ]


def covered(name: str) -> list[str]:
    try:
        faults = coverage(citations_of(name)).faults
    except RulesetError as error:
        faults = error.diagnostics
    return [fault.code for fault in faults if fault.code != OPEN]


@pytest.mark.parametrize("case", ["", *(case for case, (file, *_) in EDITS.items() if file != DOCUMENT)])
def test_ruleset_and_variant_together_are_told_what_coverage_says(case: str, tmp_path: Path) -> None:
    lay_out(tmp_path, case)
    with contextlib.chdir(tmp_path):
        assert {*found_in(RULESET), *found_in(VARIANT)} == {*covered(RULESET)}


def test_a_map_laid_out_otherwise_fits_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(tmp_path)
    path = tmp_path / MAP
    path.write_text(path.read_text("utf-8").replace("{digest: ", "{ digest:  "), "utf-8")
    asked = []
    monkeypatch.setattr(quick_check, "coverage", lambda *args: asked.append(args) or coverage(*args))
    assert not found_in(str(tmp_path / RULESET))
    assert asked


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_shipped_maps_fit_at_first_sight(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(quick_check, "coverage")
    assert not found_in(name)


def test_check_tells_of_a_map_that_does_not_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(tmp_path, "rule-removed")
    assert main(["check", str(tmp_path / RULESET)]) == 1
    assert "`counters` has no `bare`" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["check", "coverage"])
def test_a_pipe_is_no_map(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Reading a pipe in the folder of the maps never ended."""
    lay_out(tmp_path)
    os.mkfifo(tmp_path / Path(MAP).parent / "pipe.yaml")
    (tmp_path / Path(MAP).parent / "endless.yaml").symlink_to("/dev/zero")
    assert main([command, str(tmp_path / RULESET)]) in (1, 2)
    shown = "".join(capsys.readouterr())
    assert "pipe.yaml` cannot be read: it is not a regular file" in shown
    assert "endless.yaml` cannot be read: it is not a regular file" in shown


def test_a_label_of_many_digits_is_refused(tmp_path: Path) -> None:
    lay_out(tmp_path)
    path = tmp_path / MAP
    path.write_text(re.sub(r"intro-2:", f"intro-{'2' * 900}:", path.read_text("utf-8")), "utf-8")
    assert "key.id" in found_in(str(tmp_path / RULESET))
