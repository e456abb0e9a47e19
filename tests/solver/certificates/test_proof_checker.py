"""The checker of proofs in the machine accepts what the one that can be read accepts, and nothing else."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Callable, Sequence

import pytest
from test_lrat import PROOF, SQUARE, pigeons, proof_of

from rulespec.solver.certificates import lrat
from rulespec.solver.certificates.lrat import ProofError, parse
from rulespec.solver.certify import proof_checker
from rulespec.solver.certify.proof_checker import count_accepted
from rulespec.solver.formulas.clauses import Clauses

Formula = Sequence[Sequence[int]]


def accepted(formula: Formula, proof: Sequence[str]) -> int:
    """The number of steps by the machine; 0 where it refuses."""
    return count_accepted(Clauses.of(formula), proof)


def steps(formula: Formula, proof: Sequence[str]) -> int:
    """The number of steps by the checker that can be read; 0 where it refuses."""
    try:
        return lrat.check(formula, proof)
    except ProofError:
        return 0


def random_formula(rng: random.Random) -> list[list[int]]:
    """Clauses of three literals over six variables, which mostly have no model."""
    variables = range(1, 7)
    return [[v * rng.choice((1, -1)) for v in rng.sample(variables, 3)] for _ in range(50)]


def line(number: int, literals: Sequence[int], hints: Sequence[int]) -> str:
    return " ".join(map(str, (number, *literals, 0, *hints, 0)))


def other_hint(rng: random.Random, number: int, literals: list[int], hints: list[int]) -> str:
    hints[rng.randrange(len(hints))] = rng.randrange(-1, number + 3)
    return line(number, literals, hints)


def fewer_hints(rng: random.Random, number: int, literals: list[int], hints: list[int]) -> str:
    del hints[rng.randrange(len(hints))]
    return line(number, literals, hints)


def more_hints(rng: random.Random, number: int, literals: list[int], hints: list[int]) -> str:
    hints.insert(rng.randrange(len(hints) + 1), rng.randrange(1, number))
    return line(number, literals, hints)


def mixed_hints(rng: random.Random, number: int, literals: list[int], hints: list[int]) -> str:
    rng.shuffle(hints)
    return line(number, literals, hints)


def fewer_literals(rng: random.Random, number: int, literals: list[int], hints: list[int]) -> str:
    return line(number, literals[1:], hints)


def more_literals(rng: random.Random, number: int, literals: list[int], hints: list[int]) -> str:
    return line(number, [*literals, rng.choice((1, -2, 5, -5, 99))], hints)


def other_number(rng: random.Random, number: int, literals: list[int], hints: list[int]) -> str:
    return line(number + rng.choice((-1, 1, 1000, -number)), literals, hints)


def deletion(rng: random.Random, number: int, literals: list[int], hints: list[int]) -> str:
    names = rng.sample(range(1, number), 2)
    return f"{number} d {names[0]} {names[1]} 0\n{line(number, literals, hints)}"


def odd_text(rng: random.Random, number: int, literals: list[int], hints: list[int]) -> str:
    text = line(number, literals, hints)
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(("", " ", "-", "0", "d", "+", "\t", "x", "²", "9" * 30)) + text[at + 1 :]


CHANGES: tuple[Callable[[random.Random, int, list[int], list[int]], str], ...] = (
    other_hint, fewer_hints, more_hints, mixed_hints, fewer_literals, more_literals, other_number, deletion,
    odd_text,
)  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_both_checkers_agree_on_changed_proofs(change: Callable[..., str]) -> None:
    rng, found = random.Random(change.__name__), set[bool]()
    formulas = [pigeons(4), pigeons(5), *(random_formula(rng) for _ in range(5))]
    for formula in formulas:
        try:
            proof = proof_of(formula)
        except ValueError:  # it has a model
            continue
        assert accepted(formula, proof) == steps(formula, proof) > 0
        for _ in range(40 if os.environ.get("RULESPEC_SLOW") else 15):
            at = rng.randrange(len(proof))
            number, _, literals, hints = parse(proof[at])
            changed = [*proof[:at], *change(rng, number, literals, hints).split("\n"), *proof[at + 1 :]]
            held = steps(formula, changed)
            # Text of another form, as with a tab, is left to the other checker.
            assert accepted(formula, changed) in ({0, held} if change is odd_text else {held}), changed[at]
            found.add(bool(steps(formula, changed)))
    assert False in found, "some are refused"


def test_both_agree_where_lines_are_left_out_or_exchanged() -> None:
    formula = pigeons(4)
    proof = proof_of(formula)
    for i in range(len(proof)):
        short = proof[:i] + proof[i + 1 :]
        assert accepted(formula, short) == steps(formula, short) == 0
        swapped = [*proof[:i], *proof[i + 1 : i + 2], proof[i], *proof[i + 2 :]]
        assert accepted(formula, swapped) == steps(formula, swapped)


def test_both_agree_on_clauses_that_are_not_those_of_the_proof() -> None:
    formula = pigeons(4)
    proof = proof_of(formula)
    for i, sign in itertools.product(range(len(formula)), (1, -1)):
        other = [[99 * sign] if j == i else clause for j, clause in enumerate(formula)]
        assert accepted(other, proof) == steps(other, proof) == 0


@pytest.mark.parametrize(
    "proof",
    [
        [], [""], ["5 1 0 1 2 0"], [*PROOF, "what comes later is not read"], ["5 1 0 1 2 0 6 0 5 3 4 0"],
        ["5 1 0 1 2 0\n6 0 5 3 4 0"], ["5 1 0 1 2 0", "5 d3 0", PROOF[1]], ["5 1 0 1 2 0", "d 3 0", PROOF[1]],
        ["5 1 0 1 2 0", "-5 d 3 0", PROOF[1]], ["5 1 0 1 2 0", "5 d 5 0", PROOF[1]], ["5 0 0"], ["5 0 1 2 0"],
        [f"{1 << 60} 1 0 1 2 0", f"{(1 << 60) + 1} 0 {1 << 60} 3 4 0"],
    ],
)  # fmt: skip
def test_proofs_of_unusual_form(proof: list[str]) -> None:
    """Where the machine is not sure, the other one decides: it may accept more, never less."""
    assert accepted(SQUARE, proof) in (0, steps(SQUARE, proof))
    try:
        assert proof_checker.check(Clauses.of(SQUARE), proof) == steps(SQUARE, proof) > 0
    except ProofError:
        assert steps(SQUARE, proof) == 0


@pytest.mark.parametrize(("clause", "error"), [((1 << 40, 1), OverflowError), ((1, 0, 2), ValueError)])
def test_what_no_array_holds_is_no_clause(clause: tuple[int, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        Clauses.of([(1,), clause])


def test_a_large_proof_is_checked_by_the_machine_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = pigeons(6)
    proof = proof_of(formula)
    assert sum(map(len, proof)) > proof_checker.SMALL
    monkeypatch.setattr(lrat, "check", None)
    assert proof_checker.check(Clauses.of(formula), proof) == len(proof)
