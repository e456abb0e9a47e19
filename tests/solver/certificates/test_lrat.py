"""The checker of proofs: real proofs pass, every kind of damage is refused, and it never says too much."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.solver.certificates.__main__ import main, read
from rulespec.solver.certificates.lrat import ProofError, check, parse

pytest.importorskip("pysat")
from rulespec.solver.engines.refutation import refutation

SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
"""No model of two variables."""
PROOF = ["5 1 0 1 2 0", "6 0 5 3 4 0"]


def pigeons(holes: int) -> list[list[int]]:
    """One pigeon more than holes: no model, and no short proof."""

    def sits(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    somewhere = [[sits(p, h) for h in range(holes)] for p in range(holes + 1)]
    pairs = itertools.combinations(range(holes + 1), 2)
    return somewhere + [[-sits(p, h), -sits(q, h)] for p, q in pairs for h in range(holes)]


def proof_of(clauses: Sequence[Sequence[int]]) -> list[str]:
    found = refutation(clauses, (), 20)
    assert found is not None
    return found


def has_model(clauses: Sequence[Sequence[int]], variables: int) -> bool:
    rows = itertools.product((False, True), repeat=variables)
    return any(all(any(row[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses) for row in rows)


def test_a_proof_by_hand() -> None:
    assert check(SQUARE, PROOF) == 2
    assert check(SQUARE, ["5 1 0 1 2 0", "5 d 1 2 0", "6 0 5 3 4 0", "no more is read"]) == 2


@pytest.mark.parametrize(
    ("proof", "words"),
    [
        (PROOF[:1], "ends after 1 steps"),
        ([], "ends after 0 steps"),
        (["5 1 0 1 3 0", PROOF[1]], "step 5: clause 3 .* more than one"),
        (["5 1 0 1 0", PROOF[1]], "step 5: its hints lead to no contradiction"),
        (["5 1 0 1 2 3 0", PROOF[1]], "step 5: clause 2 settles it"),
        (["5 1 0 1 7 0", PROOF[1]], "step 5: there is no clause 7"),
        (["5 1 0 1 -2 0", PROOF[1]], "step 5: there is no clause -2"),
        (["5 1 0 1 2 0", "5 d 5 0", "6 0 5 3 4 0"], "step 6: there is no clause 5"),
        (["4 1 0 1 2 0", PROOF[1]], "step 4: its number"),
        ([*PROOF[:1], "5 0 5 3 4 0"], "step 5: its number"),
        (["6 0 5 3 4 0"], "step 6: there is no clause 5"),
        (["5 1 0 1 2"], "no proof step"),
        (["5 1 1 2"], "no proof step"),
        (["5 1 0 1 0 2 0"], "no proof step"),
        (["5 d 1 0 2 0"], "no proof step"),
        (["a 1 0 1 2 0"], "no proof step"),
        ([""], "no proof step"),
    ],
)
def test_what_does_not_hold_is_refused_at_its_step(proof: list[str], words: str) -> None:
    with pytest.raises(ProofError, match=words):
        check(SQUARE, proof)


def test_proofs_of_an_engine() -> None:
    clauses = pigeons(5)
    proof = proof_of(clauses)
    assert check(clauses, proof) == len(proof) > 100
    for left_out in range(0, len(clauses), 5):  # every clause is needed
        with pytest.raises(ProofError):
            check([[99] if i == left_out else clause for i, clause in enumerate(clauses)], proof)


def test_no_step_of_a_trimmed_proof_can_be_left_out() -> None:
    clauses = pigeons(4)
    proof = proof_of(clauses)
    for i in range(len(proof)):
        with pytest.raises(ProofError):
            check(clauses, proof[:i] + proof[i + 1 :])


def test_hints_that_were_changed_are_refused() -> None:
    """But for the few that show the same by another way."""
    clauses = pigeons(5)
    proof = proof_of(clauses)
    rng = random.Random(4)
    refused = 0
    for _ in range(200):
        i = rng.randrange(len(proof))
        number, _, literals, hints = parse(proof[i])
        hints[rng.randrange(len(hints))] = rng.randrange(1, number)
        line = " ".join(map(str, (number, *literals, 0, *hints, 0)))
        try:
            check(clauses, [*proof[:i], line, *proof[i + 1 :]])
        except ProofError:
            refused += 1
    assert refused > 190


def test_units_and_the_clauses_that_they_settle_keep_their_numbers() -> None:
    """An engine simplifies a clause as it gets it, and counts what it makes of it among the clauses."""
    clauses = [[1], [1, 2], [-1, 2], [-2, 3], [3, 1], [-3, -2, -1]]
    assert check(clauses, proof_of(clauses))


LITERALS = st.integers(1, 5).flatmap(lambda v: st.sampled_from([v, -v]))
CLAUSES = st.lists(st.lists(LITERALS, min_size=1, max_size=3, unique=True), min_size=1, max_size=30)


@given(CLAUSES)
def test_formulas_are_refuted_exactly_if_they_have_no_model(clauses: list[list[int]]) -> None:
    if has_model(clauses, 5):
        with pytest.raises(ValueError, match="has a model"):
            refutation(clauses, (), 20)
    else:
        assert check(clauses, proof_of(clauses))


@given(CLAUSES, st.lists(LITERALS, min_size=1, max_size=4, unique=True))
def test_what_is_refuted_literal_by_literal_is_refuted(clauses: list[list[int]], one_of: list[int]) -> None:
    whole = [*clauses, one_of]
    if has_model(whole, 5):
        with pytest.raises(ValueError, match="has a model"):
            refutation(whole, one_of, 20)
    else:
        proof = refutation(whole, one_of, 20)
        assert proof is not None
        assert check(whole, proof) == len(proof)


def test_hard_cases_are_refuted_one_by_one() -> None:
    """Two puzzles without a solution, one of which is claimed to have one."""
    hard = pigeons(4)
    other = [[x + 20 * (1 if x > 0 else -1) for x in clause] for clause in hard]
    clauses = [*([-41, *clause] for clause in hard), *([-42, *clause] for clause in other), [41, 42]]
    proof = refutation(clauses, [41, 42], 20)
    assert proof is not None
    assert check(clauses, proof) == len(proof)


@given(CLAUSES, st.lists(st.lists(st.integers(-6, 40), max_size=8), max_size=8))
def test_no_list_of_steps_refutes_what_has_a_model(clauses: list[list[int]], steps: list[list[int]]) -> None:
    numbered = enumerate(steps, len(clauses) + 1)
    lines = [" ".join(map(str, (number, *step, 0))) for number, step in numbered]
    if has_model(clauses, 5):
        with pytest.raises(ProofError):
            check(clauses, lines)


# ---- files


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 2 0\n", "no clause"),
        ("p cnf 2 2\n1 2 0\n", "1 clauses"),
        ("p cnf 2 1\n1 2\n", "0 clauses"),
        ("p cnf 1 1\n1 2 0\n", "no clause"),
        ("p cnf 2 1\np cnf 2 1\n1 2 0\n", "no header"),
        ("p dnf 2 1\n1 2 0\n", "no header"),
        ("p cnf 2 1\n1 x 0\n", "no clause"),
        ("", "0 clauses"),
    ],
)
def test_files_that_hold_no_formula_are_refused(text: str, words: str) -> None:
    with pytest.raises(ProofError, match=words):
        read(text.splitlines())


def test_files_are_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    formula, proof = tmp_path / "a.cnf", tmp_path / "a.lrat"
    clauses = "".join(f"{a} {b} 0\n" for a, b in SQUARE)
    formula.write_text(f"c a square\np cnf 2 4\n{clauses}")
    proof.write_text("\n".join(PROOF) + "\n")
    assert main([str(formula), str(proof)]) == 0
    assert capsys.readouterr().out == "verified: no model of the 4 clauses (2 steps)\n"
    proof.write_text(PROOF[0])
    assert main([str(formula), str(proof)]) == 1
    assert "not verified" in capsys.readouterr().out
    assert main([str(formula)]) == 2
    assert main([str(formula), str(tmp_path / "none")]) == 2


@pytest.mark.parametrize("digits", [5_000, 100_000])
@pytest.mark.parametrize("place", ["variables", "clauses", "literal", "hint"])
def test_a_number_of_thousands_of_digits_is_refused(
    digits: int, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A header with one ended in a traceback."""
    long = {place: "9" * digits}
    formula, proof = tmp_path / "f.cnf", tmp_path / "f.lrat"
    formula.write_text(
        f"p cnf {long.get('variables', 1)} {long.get('clauses', 2)}\n{long.get('literal', 1)} 0\n-1 0\n"
    )
    proof.write_text(f"3 0 1 {long.get('hint', 2)} 0\n")
    assert main([str(formula), str(proof)]) == 1
    assert capsys.readouterr().out.startswith("not verified: ")


@pytest.mark.parametrize(
    "text", ["p cnf 1_0 1\n1 0\n", "p cnf 1 +1\n1 0\n", "p cnf 1 1\n1_0 0\n", "p cnf 1\n", "p\n"]
)
def test_only_plain_digits_are_numbers(text: str) -> None:
    """Python also takes `1_0` and `+1`; other checkers would read another formula or none."""
    with pytest.raises(ProofError):
        read(text.splitlines())


def test_a_message_sends_no_control_character_to_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    formula, proof = tmp_path / "f.cnf", tmp_path / "p.lrat"
    formula.write_text("p cnf 1 2\n1 0\n-1 0\n")
    proof.write_text("3 \x1b[2J 0 1 2 0\n")
    assert main([str(formula), str(proof)]) == 1
    assert "\\x1b[2J" in capsys.readouterr().out
