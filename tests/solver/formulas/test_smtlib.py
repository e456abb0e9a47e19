"""Questions as SMT-LIB: no text of a ruleset can leave a comment."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.solver.certify.second_solver import SecondSolver
from rulespec.solver.formulas.aig import Gates
from rulespec.solver.formulas.unrolling.smtlib import smtlib_script

BREAKS = ["|)(assert false)(declare-const |x", "\n(assert false)", "\r(assert false)", "\u2028(assert false)"]
ANY = st.text() | st.sampled_from(["|", "\\", "ü", *BREAKS])


def query(said: str) -> Any:
    """A gate, which is one of two free variables and the other; all three say the same."""
    gates = Gates()
    one, other = gates.free(), gates.free()
    gates.clauses.append((one, gates.both(one, other)))
    return SimpleNamespace(gates=gates, meanings=lambda: dict.fromkeys((2, 3, 4), said))


@given(ANY, ANY)
def test_other_words_change_comments_only(title: str, said: str) -> None:
    lines = smtlib_script(query(said), [3], [], title).split("\n")
    code = [line.partition(";")[0].strip() for line in lines]
    assert [line for line in code if line] == [
        line.partition(";")[0].strip() for line in smtlib_script(query("a"), [3], [], "").split("\n")[1:-1]
    ]
    assert all(line.isascii() and line.isprintable() for line in lines)


@pytest.mark.parametrize("said", BREAKS)
@pytest.mark.parametrize("second", ["bitwuzla", "cvc5", "z3"])
def test_no_name_of_a_ruleset_makes_a_solver_agree(second: str, said: str) -> None:
    pytest.importorskip(second)
    assert SecondSolver(second).has_model(smtlib_script(query(said), [3], [], said), 20) is True
