"""The DRUP checker: real proofs pass, every kind of damage is refused, and it never says too much."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.certificates.drup import ProofError, check

UNSATISFIABLE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]


def pigeons(holes: int) -> list[list[int]]:
    """One pigeon more than holes: no model, and no short proof."""

    def sits(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    somewhere = [[sits(p, h) for h in range(holes)] for p in range(holes + 1)]
    pairs = itertools.combinations(range(holes + 1), 2)
    return somewhere + [[-sits(p, h), -sits(q, h)] for p, q in pairs for h in range(holes)]


def proof_of(clauses: list[list[int]]) -> list[str]:
    solvers = pytest.importorskip("pysat.solvers")
    with solvers.Solver(name="cadical195", bootstrap_with=clauses, with_proof=True) as engine:
        assert engine.solve() is False
        return list(engine.get_proof())


def has_model(clauses: list[list[int]], variables: int) -> bool:
    rows = itertools.product((False, True), repeat=variables)
    return any(all(any(row[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses) for row in rows)


def test_a_proof_by_hand() -> None:
    assert check(UNSATISFIABLE, ["1 0", "0"]) >= 1


def test_deleted_clauses_no_longer_help() -> None:
    chain = [
        [1, 2, 3],
        [1, 2, -3],
        [1, -2, 3],
        [1, -2, -3],
        [-1, 4, 5],
        [-1, 4, -5],
        [-1, -4, 5],
        [-1, -4, -5],
    ]
    assert check(chain, ["1 2 0", "1 0", "4 0", "0"])
    with pytest.raises(ProofError, match=r"line 2 .*does not follow"):
        check(chain, ["d 3 2 1 0", "1 2 0"])


def test_proofs_of_an_engine() -> None:
    clauses = pigeons(5)
    lines = proof_of(clauses)
    assert any(line.startswith("d") for line in lines)
    assert check(clauses, lines) > 10


def test_a_truncated_proof_is_refused() -> None:
    clauses = pigeons(4)
    with pytest.raises(ProofError, match="without a contradiction"):
        check(clauses, proof_of(clauses)[:3])


def test_a_proof_of_another_formula_is_refused() -> None:
    lines = proof_of(pigeons(4))
    weaker = pigeons(4)[1:]
    with pytest.raises(ProofError):
        check(weaker, lines)


@pytest.mark.parametrize("line", ["", "1 2", "1 x 0", "d", "1 0 2 0", "0 0", "99 0"])
def test_damaged_lines_are_refused(line: str) -> None:
    with pytest.raises(ProofError, match="line 1"):
        check(UNSATISFIABLE, [line])


literals = st.integers(1, 4).flatmap(lambda v: st.sampled_from([v, -v]))
formulas = st.lists(st.lists(literals, min_size=1, max_size=3), max_size=14)


@given(formulas, st.lists(st.lists(literals, max_size=2), max_size=6))
def test_nothing_with_a_model_is_ever_refuted(clauses: list[list[int]], steps: list[list[int]]) -> None:
    lines = [" ".join(map(str, [*step, 0])) for step in steps]
    try:
        check(clauses, lines)
    except ProofError:
        return
    assert not has_model(clauses, 4)


@given(formulas)
def test_every_proof_of_the_engine_is_accepted(clauses: list[list[int]]) -> None:
    if not has_model(clauses, 4):
        assert check(clauses, proof_of(clauses)) >= 0
