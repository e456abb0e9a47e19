"""Rulesets from past bugs, with each decider asked by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from confirming import DECIDERS, Space, decided, wrong

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.core.verdicts.lemmas import assume
from rulespec.language import load
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.methods.verdicts import blank

SECONDS = 2.0
"""The time limit of each decider; an open answer counts as none."""


def made(folder: Path, text: str) -> Game:
    """The game of a ruleset, from its first rule on; for one player unless it says so."""
    path = folder / "story.yaml"
    head = "rulespec: 1\nid: story\ntitle: Story\n"
    path.write_text(
        head + ("" if text.lstrip().startswith("players") else "players: 1\n") + text.lstrip("\n"), "utf-8"
    )
    return load(path)


def story(text: str) -> pytest.MarkDecorator:
    """A ruleset for the fixture `game`."""
    return pytest.mark.parametrize("game", [text.lstrip("\n")], indirect=True)


def answers(game: Game, name: str, *helping: str) -> dict[str, Answer | None]:
    """The answer of each decider alone to a claim, given others that hold."""
    known = {other: blank(game, game.claims[other], Answer(PROVED), 0.0) for other in helping}
    case = Case(game, game.claims[name], Budget(SECONDS), lemmas=assume(known))
    return {decider: decided(decide, case) for decider, decide in DECIDERS[game.claims[name].kind].items()}


def outcomes(game: Game, name: str, *helping: str) -> set[str]:
    """The proved and refuted outcomes of all deciders; asserts that every answer is right."""
    space, found = Space(game), answers(game, name, *helping)
    case = Case(game, game.claims[name], Budget(20))
    assert [wrong(space, case, answer) for answer in found.values() if answer is not None] == [
        "" for answer in found.values() if answer is not None
    ]
    return {a.outcome for a in found.values() if a is not None} & {PROVED, REFUTED}
