"""An engine that answers from a certificate, and checks the proof of each refutation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from rulespec.solver.certificates.lrat import ProofError
from rulespec.solver.engines import Engine, Session
from rulespec.solver.formulas.clauses import Clause, Clauses

from .certificate import Answered, BadEvidence, Certificate, ClauseDigest, Late, Yes
from .proof_checker import check

Proved = Callable[[Clauses, Sequence[str]], None]
"""Called with refuted clauses and their LRAT proof."""


class ReplayingEngine:
    """Answers the questions of one decision in their order. Raises BadEvidence if an answer does not fit.

    Refutations that a certificate leaves out for their size are solved `again`; raises TooLarge if there is
    no such engine. `proved` is called with each accepted proof.
    """

    def __init__(
        self, certificate: Certificate, again: Engine | None = None, proved: Proved | None = None
    ) -> None:
        self._left: Iterator[Answered] = iter(certificate.answers)
        self._again, self._proved = again, proved
        self.checked = 0
        """The number of refutations accepted."""
        self.steps = 0
        """The number of steps in their proofs."""
        self.solved = 0
        """The number of refutations without proofs that were solved again."""

    @property
    def name(self) -> str:
        """The name of the authority behind the answers, for verdicts."""
        named = f" and {self._again.name}" if self.solved and self._again is not None else ""
        return f"the checker of certificates{named}"

    def description(self) -> str:
        """A description of how the answers were checked."""
        checked = "1 refutation" if self.checked == 1 else f"{self.checked} refutations"
        words = f"its certificate holds: {checked} in {self.steps:,} steps"
        if self.solved:
            words += f", {self.solved} without a proof solved again with {self._again and self._again.name}"
        return words

    def session(self) -> Session:
        """A session without clauses."""
        return _Replaying(self)

    def next(self) -> Answered:
        """The next answer of the certificate. Raises BadEvidence."""
        answer = next(self._left, None)
        if answer is None:
            raise BadEvidence("its certificate ends before the claim is decided")
        return answer

    def finish(self) -> None:
        """Check that no answer is left over. Raises BadEvidence."""
        if next(self._left, None) is not None:
            raise BadEvidence("its certificate goes on after the claim is decided")

    def accept(self, clauses: Clauses, proof: Sequence[str]) -> None:
        """Check a proof that clauses have no model. Raises BadEvidence."""
        try:
            self.steps += check(clauses, proof)
        except ProofError as error:
            raise BadEvidence(f"its certificate is not sound: {error}") from None
        self.checked += 1
        if self._proved is not None:
            self._proved(clauses, proof)

    def solve_again(
        self,
        core: Sequence[Clause],
        asked: ClauseDigest,
        demanded: Sequence[int],
        seconds: float | None,
        one_of: Sequence[int],
    ) -> None:
        """Let an engine refute a question that has no proof in the certificate, from its core if it has
        one."""
        if self._again is None:
            raise TooLarge
        session = self._again.session()
        session.add(core or asked.clauses)
        result = session.solve(() if core else demanded, seconds, one_of)
        if result:
            raise BadEvidence(f"what its certificate calls refuted has a model, says {self._again.name}")
        if result is None:
            raise TooLarge
        self.solved += 1


class TooLarge(Exception):
    """Raised if a refutation left out of the certificate was not solved again, because of missing engine
    or time."""


class _Replaying:
    """A session with answers from a certificate."""

    def __init__(self, replay: ReplayingEngine) -> None:
        self._replay, self._asked = replay, ClauseDigest()
        self._true: set[int] = set()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""
        self._asked.add(clauses)

    def solve(
        self, demanded: Sequence[int], seconds: float | None, one_of: Sequence[int] = ()
    ) -> bool | None:
        """The answer in the certificate, after a check. Raises BadEvidence."""
        answer = self._replay.next()
        if isinstance(answer, Late):
            return None
        if isinstance(answer, Yes):
            self._true = set(answer.true)
            return True
        clauses, digest = self._asked.question(demanded, one_of)
        if digest != answer.digest:
            raise BadEvidence("its certificate is of other clauses than the rules give")
        if answer.proof is not None:
            self._replay.accept(clauses, answer.proof)
        else:
            core = answer.choose_core(clauses) if answer.core else ()
            self._replay.solve_again(core, self._asked, demanded, seconds, one_of)
        return False

    def model(self) -> set[int]:
        """The variables known to be true in the last model."""
        return self._true
