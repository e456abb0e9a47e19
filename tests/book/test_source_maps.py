"""The maps of the documents of the shipped rulesets, as far as they can be held without the documents."""

from __future__ import annotations

import re
from html import unescape

import pytest
from shipped_pages import game, page

from rulespec.book.content.pages import rulebook
from rulespec.book.content.published_verdicts import PublishedVerdicts
from rulespec.language import shipped_rulesets
from rulespec.play.face import load
from rulespec.sources.citations import citations_of
from rulespec.sources.coverage import coverage
from rulespec.sources.source_maps import maps_of


@pytest.mark.parametrize("name", [name for name in shipped_rulesets() if citations_of(name).documents])
def test_every_sentence_and_every_rule_is_accounted_for(name: str) -> None:
    ruleset = citations_of(name)
    assert {one.document for one in maps_of(ruleset)} == {word.value for word in ruleset.documents}
    found = coverage(ruleset)
    assert not found.faults, "\n".join(fault.render() for fault in found.faults)
    assert all(tally.accounted_count == tally.sentences for tally in found.tallies)


def words_from(markdown: str, anchor: str) -> str:
    """The words of a page from an anchor on, without drawings and marks."""
    markdown = re.sub(r"<svg.*?</svg>", "", markdown, flags=re.DOTALL)
    start = re.search(rf'id="{re.escape(anchor)}"|{{#{re.escape(anchor)}}}', markdown)
    assert start is not None, anchor
    text = re.sub(r"</?(a|strong|em|code|span)\b[^>]*>", "", markdown[start.end() :])
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


@pytest.mark.parametrize(
    "name", [name for name in shipped_rulesets() if citations_of(name).documents and "/" not in name]
)
def test_each_span_that_tells_a_sentence_stands_on_the_page_below_its_anchor(name: str) -> None:
    """Facts counted as told that were nowhere on the page."""
    ruleset = citations_of(name)
    if ruleset.inherits:
        pytest.skip("its documents are those of another ruleset")
    pages = {"": page(name).markdown}
    for tally in coverage(ruleset).tallies:
        assert tally.sentence_count > 0
        for span, passage in (telling for told in tally.where.values() for telling in told):
            if passage.variant not in pages:
                variant = load(str(ruleset.variants[passage.variant]))
                pages[passage.variant] = rulebook(variant, PublishedVerdicts(), base=game(name).core).markdown
            shown = words_from(pages[passage.variant], passage.anchor)
            assert " ".join(span.replace(" | ", " ").split()) in shown, (span, passage)
