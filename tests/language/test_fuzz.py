"""Mangled rulesets either load or are refused with places; nothing else ever happens."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.core.diagnostics import RulesetError
from rulespec.language import load, shipped

HEAP = Path(__file__).parent / "bad" / "base" / "ruleset.yaml"
SIGNS = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    "- ",
    "|",
    '"',
    "'",
    "#",
    "\t",
    "none",
    "0",
    "-",
    "*",
    "&",
    ", ",
    "\n",
]


@st.composite
def mangled(draw: st.DrawFn, text: str) -> str:
    """The text with a few lines or words left out, doubled, swapped, or signs put in."""
    for _ in range(draw(st.integers(1, 3))):
        by = draw(st.sampled_from(["\n", " "]))
        parts = text.split(by)
        i, j = (draw(st.integers(0, len(parts) - 1)) for _ in range(2))
        match draw(st.sampled_from(["drop", "double", "swap", "sign"])):
            case "drop":
                del parts[i]
            case "double":
                parts.insert(j, parts[i])
            case "swap":
                parts[i], parts[j] = parts[j], parts[i]
            case _:
                parts[i] += draw(st.sampled_from(SIGNS))
        text = by.join(parts) or " "
    return text


def check(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mangled.yaml"
        path.write_text(text, "utf-8")
        try:
            load(path)
        except RulesetError as error:
            assert error.diagnostics
            lines = len(text.split("\n"))
            for found in error.diagnostics:
                assert found.render()
                for label in found.labels:
                    assert 1 <= label.span.line <= lines + 1
                    assert 1 <= label.span.column <= len(label.span.source.line(label.span.line)) + 1


@settings(max_examples=250, deadline=None)
@given(mangled(HEAP.read_text("utf-8")))
def test_a_small_ruleset(text: str) -> None:
    check(text)


@pytest.mark.parametrize("name", sorted(n for n, p in shipped().items() if p.name == "ruleset.yaml"))
def test_shipped(name: str) -> None:
    @settings(max_examples=25, deadline=None)
    @given(mangled(shipped()[name].read_text("utf-8")))
    def run(text: str) -> None:
        check(text)

    run()


def test_the_unchanged_text_loads() -> None:
    game = load(HEAP)
    assert list(game.actions) == ["take"]
