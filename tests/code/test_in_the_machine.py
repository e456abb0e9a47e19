"""Generated code in the machine plays as the interpreter does."""

from __future__ import annotations

import os

import pytest
from code_plays import agree
from shipped_games import SMALLER, base_rulesets, load

from rulespec.code import Instance
from rulespec.language import shipped_rulesets

SLOW = bool(os.environ.get("RULESPEC_SLOW"))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", sorted(shipped_rulesets() if SLOW else base_rulesets()))
def test_a_ruleset_plays_alike_in_the_machine(name: str) -> None:
    most = 40 if SLOW else 3 if name in SMALLER else 8
    agree(load(name).core, seeds=3 if SLOW else 1, most=most, started=Instance)
