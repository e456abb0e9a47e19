"""What certificates cost: deriving clauses, solving them, proving them, and checking the proofs.

Everything is processor time of the process and its children, which other work disturbs less.
"""

from __future__ import annotations

import lzma
import resource
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from rulespec.budgets import Budget
from rulespec.language import load
from rulespec.solver.certificates.lrat import check
from rulespec.solver.certify.certificate import ClauseDigest
from rulespec.solver.engines import Engine, Session, choose
from rulespec.solver.engines.refutation import refutation
from rulespec.solver.evidence.problem import Case
from rulespec.solver.methods.table import FORMULAS

from .report import Table

T = TypeVar("T")
CLAIMS = (
    ("tic-tac-toe", "one-line"),
    ("connect-four", "one-line"),
    ("connect-four", "ends"),
    ("leistiko-small", "never-stuck"),
    ("smith-tiny", "ends"),
    ("breakthrough", "ends"),
)
SECONDS = 120.0
"""Seconds for a claim, and for a proof."""

WORDS = (
    "Seconds of work (the process and its children): to derive the clauses of a claim from the rules; for"
    " the engine to answer the questions about them, one after the other; for CaDiCaL alone, with default"
    " settings, on the clauses of each question with the answer no; to make the proofs of these, trimmed "
    "and as text; and for our checker to check them. Then the steps that it checks in a second, and the "
    "size of the proofs, compressed with xz."
)


@dataclass
class _Asking:
    """An engine whose answers are timed, and whose refutations are kept."""

    engine: Engine
    work: float = 0.0
    questions: list[tuple[list[Sequence[int]], Sequence[int]]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The engine's name."""
        return self.engine.name

    def session(self) -> Session:
        """A session without clauses."""
        return _Timed(self, self.engine.session())


class _Timed:
    """A session that is timed."""

    def __init__(self, asking: _Asking, session: Session) -> None:
        self._asking, self._session, self._asked = asking, session, ClauseDigest()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""
        fresh = list(clauses)
        self._asked.add(fresh)
        self._session.add(fresh)

    def solve(
        self, demanded: Sequence[int], seconds: float | None, one_of: Sequence[int] = ()
    ) -> bool | None:
        """As the session answers."""
        answer, work = _timed(lambda: self._session.solve(demanded, seconds, one_of))
        self._asking.work += work
        if answer is False:
            self._asking.questions.append(([*self._asked.question(demanded, one_of)[0]], one_of))
        return answer

    def model(self) -> set[int]:
        """As the session has it."""
        return self._session.model()


def measure(claims: Sequence[tuple[str, str]] = CLAIMS) -> list[Table]:
    """Each claim decided by formulas, then its refutations one by one."""
    columns = [
        "claim", "refutations", "clauses", "deriving s", "solving s", "alone s", "proving s", "checking s",
        "steps", "steps/s", "kB",
    ]  # fmt: skip
    table = Table("Certificates", WORDS, columns)
    for name, claim in claims:
        table.rows.append([f"{name}: {claim}", *_row(name, claim)])
    return [table]


def _row(name: str, claim: str) -> list[str]:
    asking = _Asking(choose())
    game = load(name)
    case = Case(game, game.claims[claim], Budget(SECONDS), oracle=asking)
    answer, work = _timed(lambda: FORMULAS(case))
    assert answer is not None
    alone = proving = checking = 0.0
    steps = size = 0
    for clauses, one_of in asking.questions:
        alone += _timed(partial(_solve, clauses))[1]
        proof, took = _timed(partial(refutation, clauses, one_of, SECONDS))
        proving += took
        if proof is None:
            continue
        checking += _timed(partial(check, clauses, proof))[1]
        steps += len(proof)
        size += len(lzma.compress("\n".join(proof).encode("ascii")))
    times = (work - asking.work, asking.work, alone, proving, checking)
    return [
        str(len(asking.questions)),
        f"{sum(len(clauses) for clauses, _ in asking.questions):,}",
        *(f"{seconds:.2f}" for seconds in times),
        f"{steps:,}",
        f"{steps / checking:,.0f}" if checking else "",
        f"{size / 1000:,.0f}",
    ]


def _solve(clauses: Sequence[Sequence[int]]) -> None:
    from pysat.solvers import Solver

    with Solver(name="cadical195", bootstrap_with=clauses) as solver:
        assert not solver.solve()


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """What work gives, and the seconds of processor time that it took."""
    before = _spent()
    found = work()
    return found, _spent() - before


def _spent() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
