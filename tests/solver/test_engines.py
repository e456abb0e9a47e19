"""Engines: clauses in, an answer and a model out, whichever engine it is."""

from __future__ import annotations

import itertools
import os

import pytest

from rulespec.budgets import hold_to, memory_in_use
from rulespec.budgets.memory import STATM
from rulespec.solver.engines import NoEngine, choose, installed_engines
from rulespec.solver.engines import cadical as of_cadical

CHAIN = [[1, 2], [-1, 3], [-2, 3], [-3, 4]]


def pigeons(holes: int) -> list[list[int]]:
    """One pigeon more than there are holes, each in a hole of its own."""

    def sits(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    everywhere = [[sits(p, h) for h in range(holes)] for p in range(holes + 1)]
    apart = [
        [-sits(p, h), -sits(q, h)]
        for h in range(holes)
        for p, q in itertools.combinations(range(holes + 1), 2)
    ]
    return everywhere + apart


@pytest.mark.parametrize("name", installed_engines())
def test_answers_with_a_model_and_under_assumptions(name: str) -> None:
    session = choose(name).session()
    session.add(CHAIN)
    assert session.solve([-1], 20) is True
    assert {2, 3, 4} <= session.model()
    assert 1 not in session.model()
    assert session.solve([-4], 20) is False
    assert session.solve([], 20) is True
    session.add([[-4]])
    assert session.solve([], 20) is False


@pytest.mark.parametrize("name", installed_engines())
def test_time_that_runs_out_is_no_answer(name: str) -> None:
    session = choose(name).session()
    session.add(pigeons(13))
    assert session.solve([], 0.2) is None


@pytest.mark.parametrize("name", installed_engines())
def test_one_of_several_is_looked_for(name: str) -> None:
    session = choose(name).session()
    session.add(CHAIN)
    assert session.solve([-1], 20, [-2, -3, -4]) is False
    assert session.solve([], 20, [-4, -1]) is True
    assert 2 in session.model()


def test_each_of_the_two_that_race_knows_all_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_cadical, "ALONE", 0.0)
    monkeypatch.setattr(of_cadical, "ALONE_REFUTING", 0.0)
    monkeypatch.setattr(of_cadical, "QUICK_CLAUSES", 0)
    for one_of in ((), (-4,)):
        session = choose("cadical").session()
        session.add(CHAIN)
        demanded = () if one_of else (-4,)
        assert session.solve(demanded, 20, one_of) is False
        session.add([[-3, 5]])
        assert session.solve([], 20, [5, 6] if one_of else ()) is True
        assert 5 in session.model()


def test_easy_questions_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies of a large process took most of the time of formulas with many small questions."""

    def refused(*given: object, **options: object) -> None:
        raise AssertionError("a copy was made")

    monkeypatch.setattr(of_cadical, "ForkedCall", refused)
    session = choose("cadical").session()
    session.add(CHAIN)
    assert session.solve([-4], 20) is False
    assert session.solve([], 20, [-4, -1]) is True
    assert 2 in session.model()
    assert session.solve([-1], 20, [-2, -3]) is False
    session.add([[-3, 5]])
    assert session.solve([1], 20, [-5]) is False
    session.add(pigeons(12))
    with pytest.raises(AssertionError, match="a copy was made"):
        session.solve([], 20)


def test_a_hard_question_is_answered_by_a_copy_after_easy_ones() -> None:
    session = choose("cadical").session()
    session.add(pigeons(7))
    first = {x for clause in pigeons(7) for x in clause}
    assert session.solve([], 60, [max(first)]) is False
    assert session.solve([], 60) is False


def test_an_engine_that_is_not_there_is_refused() -> None:
    with pytest.raises(NoEngine, match="there is no engine `abacus`"):
        choose("abacus")


@pytest.mark.skipif(not STATM.exists(), reason="the system does not tell what memory is in use")
def test_a_process_that_is_held_to_some_memory_gets_no_more() -> None:
    child = os.fork()
    if not child:
        hold_to(int(memory_in_use()) + 50)
        try:
            bytearray(20 * 2**20)
            bytearray(400 * 2**20)
        except MemoryError:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_an_engine_that_refutes_also_finds_models() -> None:
    session = choose("cadical", refutes=True).session()
    session.add([[1, 2], [-1, 2]])
    assert session.solve([], None) is True
    assert 2 in session.model()
    assert session.solve([-2], None) is False
    assert session.solve([], None, [-2, 1]) is True
