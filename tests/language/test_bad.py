"""Faulty documents and the exact messages they give.

`python tests/language/regenerate.py` writes the messages anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.core.diagnostics import RulesetError
from rulespec.language import load

BAD = Path(__file__).parent / "bad"


@pytest.mark.parametrize("path", sorted(BAD.glob("*.yaml")), ids=lambda path: path.stem)
def test_message(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    with pytest.raises(RulesetError) as caught:
        load(Path(path.name))
    assert f"{caught.value}\n" == path.with_suffix(".expected").read_text("utf-8")


def test_every_message_has_its_document() -> None:
    assert {p.stem for p in BAD.glob("*.expected")} == {p.stem for p in BAD.glob("*.yaml")}
