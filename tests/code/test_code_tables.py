"""Tables in the code of a game."""

from __future__ import annotations

import pytest

from rulespec import load
from rulespec.code import program, write
from rulespec.core import nodes as n
from rulespec.core.columns import Columns
from rulespec.machine import form as f


def test_a_table_is_worked_out_once_for_all_that_ask_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stout's race asks in several places for the square some steps away, under other names each time.

    Under another reading, which changes other rules, it has the same tables.
    """
    asked: list[n.Expr] = []
    values = Columns.values

    def counting(self: Columns, e: n.Expr, *given: object) -> object:
        asked.append(e)
        return values(self, e, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Columns, "values", counting)
    monkeypatch.setattr(program, "_VALUES", {})  # it may be about to begin anew
    game, under = load("stout"), {"tip-goal": "allowed"}
    text = write(game.core).text  # its functions are written again where the cache has the rest
    beyond = [e for e in asked if isinstance(e, n.Call) and e.function.name == "beyond"]
    assert len(set(beyond)) == text.count("_BEYOND = table(") == 2
    asked.clear()
    other = write(game.under(readings=under).core).text
    assert not any(isinstance(e, n.Call) and e.function.name == "beyond" for e in asked)
    assert other == write(load("stout", readings=under).core).text != text


def test_the_sides_of_a_comparison_are_looked_up_alone() -> None:
    """Leistiko asks of a square and a place whether the one is the lower square of the other."""
    tables = write(load("leistiko").core).tables.values()
    assert max(len(table.values) for table in tables if table.type is f.NUMBERS) < 1000
