"""The maps of the documents of the shipped rulesets, as far as they can be held without the documents."""

from __future__ import annotations

import pytest

from rulespec.language import shipped
from rulespec.sources.citations import cited
from rulespec.sources.coverage import coverage
from rulespec.sources.maps import maps_of


@pytest.mark.parametrize("name", [name for name in shipped() if cited(name).documents])
def test_every_sentence_and_every_rule_is_accounted_for(name: str) -> None:
    ruleset = cited(name)
    assert {one.document for one in maps_of(ruleset)} == {word.value for word in ruleset.documents}
    found = coverage(ruleset)
    assert not found.faults, "\n".join(fault.render() for fault in found.faults)
    assert all(tally.accounted == tally.sentences for tally in found.tallies)
