"""Numbers out of range: negative ones in sets, and ones outside the values of a map, of players and scores.

Random small rulesets are played by generated code, in Python with arrays that check indices and in the
machine, and by the interpreter; then both explore all their states.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from code_plays import agree
from hypothesis import HealthCheck, given, settings
from numbered import OUTCOMES, RULES, made, rulesets
from python_instance import PythonInstance, Start, starting

from rulespec.code import Instance
from rulespec.core.game import Game
from rulespec.solver.explore import CodeStates, InterpreterStates
from rulespec.solver.explore.states import BuiltinQuestion

quick = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=30)


def same_states(game: Game, started: Start) -> None:
    """Compare all states of a game by code and by the interpreter, with the answers to all questions."""
    asked = {"said": game.claims["said"].condition}
    with starting(started):
        code = CodeStates(game, asked)  # type: ignore[arg-type]
    rules = InterpreterStates(game, asked, layout=code.layout)  # type: ignore[arg-type]
    for states in (code, rules):
        while states.deeper(lambda: "", 2_000):
            pass
    assert code.counts == rules.counts
    assert code.digest() == rules.digest()
    standing = [
        BuiltinQuestion.MOVER,
        BuiltinQuestion.WINNERS,
        BuiltinQuestion.ENDED,
        BuiltinQuestion.FAULTED,
    ]
    for question in ("said", *standing):
        by_rules = dict(zip(rules.positions, rules.scan(question), strict=True))
        assert {code.position(i): x for i, x in enumerate(code.scan(question))} == by_rules


@quick
@given(rulesets())
def test_code_and_interpreter_agree_on_numbers_outside(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    game = made(tmp_path_factory.mktemp("numbers"), text)
    agree(game, seeds=2, most=12)
    same_states(game, PythonInstance)


LISTED = [
    (outcome, low, high, condition)
    for outcome, (low, high), condition in zip(
        OUTCOMES,
        [(-2, 2), (-70, -1), (-130, 1), (-2, 2), (1, 3), (0, 2)],
        ["m[c] = n", "m[c] = n + 3", "(n in l or m[c] < n)", "o[c] = n - 9", "n = m[c]", "m[c] = 7"],
        strict=True,
    )
]


@pytest.mark.parametrize("outcome, low, high, condition", LISTED)
def test_the_machine_agrees_on_numbers_outside(
    tmp_path: Path, outcome: str, low: int, high: int, condition: str
) -> None:
    text = RULES.format(players=2, low=low, high=high, condition=condition, outcome=outcome, step=1)
    game = made(tmp_path, text)
    agree(game, seeds=2, most=12, started=Instance)
    same_states(game, Instance)


@pytest.mark.parametrize("outcome, low, high, condition", LISTED)
def test_code_agrees_on_numbers_outside(
    tmp_path: Path, outcome: str, low: int, high: int, condition: str
) -> None:
    """Winners were wrong if a set held negative numbers; a map was read outside its values."""
    text = RULES.format(players=2, low=low, high=high, condition=condition, outcome=outcome, step=1)
    game = made(tmp_path, text)
    agree(game, seeds=2, most=12)
    same_states(game, PythonInstance)
