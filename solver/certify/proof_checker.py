"""The checker of LRAT proofs in the machine, besides the short one that can be read in one sitting.

Proofs that the machine rejects go to `rulespec.solver.certificates.lrat`, which explains what is wrong: only
that one refuses a proof.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from typing import Any

from rulespec.budgets import OutOfBudget
from rulespec.code import KernelInstance, TooLarge
from rulespec.kernels.lrat import LAST, STORED
from rulespec.solver.certificates import lrat
from rulespec.solver.formulas.clauses import Clauses

SMALL = 5_000
"""A question of fewer literals and bytes of proof together is checked before the machine is ready."""
MOST_VARIABLES = 1 << 26


def check(formula: Clauses, proof: Sequence[str]) -> int:
    """Check that a proof refutes the clauses; returns the number of clauses that it adds.

    Raises ProofError, like `rulespec.solver.certificates.lrat.check`.
    """
    size = len(formula.numbers) + sum(map(len, proof))
    if size >= SMALL and (steps := count_accepted(formula, proof)):
        return steps
    return lrat.check([*formula], proof)


def count_accepted(formula: Clauses, proof: Sequence[str]) -> int:
    """The number of clauses that a proof adds, checked by the machine; 0 if it is rejected."""
    try:
        text = "\n".join(proof).encode("ascii")
    except UnicodeEncodeError:
        return 0
    if text.count(b"\n") != len(proof) - 1:
        return 0
    store = formula.numbers
    variables = max(max(store, default=0), -min(store, default=0))
    if variables > MOST_VARIABLES:
        return 0
    words = array("Q", text + bytes(-len(text) % 8))
    try:
        instance, check_proof = _machine()
        room, filled = instance.room, len(store)
        held = room("small", filled + len(text) // 2 + 2)
        held[:filled] = store
        into = instance.numbers([0] * 5)
        into[STORED], into[LAST] = filled, len(formula)
        count = len(formula) + len(proof)
        found = check_proof(
            len(formula), variables, instance.words(words), len(text), held, room("numbers", count),
            room("numbers", len(proof)), room("small", 2 * variables + 2), into,
        )  # fmt: skip
    except (TooLarge, OutOfBudget):
        return 0
    return int(found)


@cache
def _machine() -> tuple[KernelInstance, Any]:
    """The memory, and the function that checks a proof. Raises TooLarge."""
    instance = KernelInstance()
    return instance, instance.functions("lrat")["check_proof"]
