"""Where sentences went, on a page: counts and rules of ours, no text; a map that disagrees stops it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulespec.book.content.exact import exact
from rulespec.book.content.page import Page
from rulespec.book.content.published_verdicts import PublishedVerdicts
from rulespec.book.examples import render
from rulespec.play.face import load

GOOD = Path(__file__).resolve().parents[1] / "sources" / "good"


def page_of(name: str, folder: Path) -> Page:
    """The page of a ruleset among the good ones, copied into a folder that may hold them already."""
    if not (folder / name).exists():
        shutil.copytree(GOOD, folder, dirs_exist_ok=True)
    return exact(load(folder / name), PublishedVerdicts())


def test_the_page_says_where_the_sentences_went(tmp_path: Path) -> None:
    page = page_of("counters.yaml", tmp_path)
    assert not page.faults
    assert (
        "Of the 13 sentences of the rules, 13 are accounted for, and 8 appear in the rulebook"
        in page.markdown
    )
    assert "<td>no rule: heading</td><td>4</td><td>31%</td>" in page.markdown
    assert 'Not from a document: <a href="#first">first</a>.' in page.markdown
    assert "not from the document" in page.markdown, "beside the rule itself"
    assert "pebbles" not in page.markdown
    assert "rules.txt" not in page.markdown, "readers do not have our files"


def test_the_page_of_a_variant_leaves_it_to_its_base(tmp_path: Path) -> None:
    page = page_of("counters-long.yaml", tmp_path)
    assert not page.faults
    assert "Where the sentences went" not in page.markdown


def test_a_map_that_disagrees_is_a_fault_of_the_page(tmp_path: Path) -> None:
    page_of("counters.yaml", tmp_path)
    file = tmp_path / "sources" / "rules.yaml"
    file.write_text(file.read_text("utf-8").replace("[bare, winner]", "[winner]"), "utf-8")
    assert [fault.code for fault in page_of("counters.yaml", tmp_path).faults] == ["source.unmapped"]
    file.write_text("source-map: 1\n", "utf-8")
    assert {fault.code for fault in page_of("counters.yaml", tmp_path).faults} == {"key.missing"}


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (["play-2", "play-3", "play-4", "end-1"], "source <code>play-2..4</code>, <code>end-1</code>"),
        (
            ["play-2", "play-3", "play-5"],
            "source <code>play-2</code>, <code>play-3</code>, <code>play-5</code>",
        ),
        (["ours"], "not from the document"),
        (["appendix"], "source <code>appendix</code>"),
    ],
)
def test_sentences_in_a_row_stand_together(source: list[str], told: str) -> None:
    assert render.citations_to_html(source) == told
