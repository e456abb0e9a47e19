"""Mangled rulesets either load or are refused with places; nothing else ever happens."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.core.diagnostics import RulesetError
from rulespec.language import load, shipped_rulesets

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
        match draw(st.sampled_from(["drop", "double", "swap", "sign", "word"])):
            case "drop":
                del parts[i]
            case "double":
                parts.insert(j, parts[i])
            case "word":
                parts[i] = parts[j]
            case "swap":
                parts[i], parts[j] = parts[j], parts[i]
            case _:
                parts[i] += draw(st.sampled_from(SIGNS))
        text = by.join(parts) or " "
    return text


def check(text: str) -> None:
    check_bytes(text.encode("utf-8", "surrogatepass"))


def check_bytes(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mangled.yaml"
        path.write_bytes(data)
        try:
            load(path)
        except RulesetError as error:
            assert error.diagnostics
            for found in error.diagnostics:
                assert found.render()
                assert found.span is not None
                for label in found.labels:
                    assert 1 <= label.span.line <= label.span.source.text.count("\n") + 2
                    assert 1 <= label.span.column <= len(label.span.source.line(label.span.line)) + 1


@settings(max_examples=250, deadline=None)
@given(mangled(HEAP.read_text("utf-8")))
def test_a_small_ruleset(text: str) -> None:
    check(text)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", sorted(n for n, p in shipped_rulesets().items() if p.name == "ruleset.yaml"))
def test_shipped(name: str) -> None:
    @settings(max_examples=12, deadline=None)
    @given(mangled(shipped_rulesets()[name].read_text("utf-8")))
    def run(text: str) -> None:
        check(text)

    run()


def test_the_unchanged_text_loads() -> None:
    game = load(HEAP)
    assert list(game.actions) == ["take"]


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300), st.integers(0, 700))
def test_any_bytes(data: bytes, at: int) -> None:
    text = HEAP.read_bytes()
    check_bytes(data)
    check_bytes(text[:at] + data + text[at:])


@settings(max_examples=150, deadline=None)
@given(
    st.text(max_size=60),
    st.sampled_from(["n <= heap", "remove n from heap", "n in 1..3", "0..7", "take {n}"]),
)
def test_any_text_in_the_place_of_formal_text(formal: str, place: str) -> None:
    check(HEAP.read_text("utf-8").replace(place, formal))
