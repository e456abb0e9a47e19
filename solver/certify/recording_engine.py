"""An engine that records the answers of another one, with a proof of each refutation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rulespec.solver.engines import Engine, Session
from rulespec.solver.engines.refutation import refutation
from rulespec.solver.formulas.clauses import Clauses

from .certificate import Answered, Certificate, ClauseDigest, Late, No, Yes


class RecordingEngine:
    """An engine whose sessions record answers. `left` gives the remaining seconds for a proof; `most` is the
    maximum number of characters of all proofs, and of the largest ones only the cores are kept."""

    def __init__(self, engine: Engine, left: Callable[[], float], most: int) -> None:
        self._engine, self.left, self._most = engine, left, most
        self._given: list[Answered | _Model] = []

    @property
    def name(self) -> str:
        """The name and version of the answering engine."""
        return self._engine.name

    def session(self) -> Session:
        """A session without clauses."""
        return _Recording(self._engine.session(), self._given, self.left)

    def certificate(self) -> Certificate:
        """A certificate of the answers so far, with as many proofs as fit."""
        answers = [g.asked_about() if isinstance(g, _Model) else g for g in self._given]
        sizes = {i: sum(map(len, a.proof)) for i, a in enumerate(answers) if isinstance(a, No) and a.proof}
        room = self._most
        for i in sorted(sizes, key=lambda i: sizes[i]):
            room -= sizes[i]
            answer = answers[i]
            if room < 0 and isinstance(answer, No):
                answers[i] = answer.without_proof()
        return Certificate(tuple(answers))


class _Recording:
    """A session that passes questions to one engine, and refuted ones to another that writes proofs."""

    def __init__(self, session: Session, given: list[Answered | _Model], left: Callable[[], float]) -> None:
        self._session, self._given, self._left = session, given, left
        self._asked = ClauseDigest()
        self._model: set[int] = set()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""
        fresh = Clauses.of(clauses)
        self._asked.add(fresh)
        self._session.add(fresh)

    def solve(
        self, demanded: Sequence[int], seconds: float | None, one_of: Sequence[int] = ()
    ) -> bool | None:
        """The answer of the recorded session, added to the record."""
        result = self._session.solve(demanded, seconds, one_of)
        if result is None:
            self._given.append(Late())
        elif result:
            model = _Model(self._session.model())
            self._model = model
            self._given.append(model)
        else:
            clauses, digest = self._asked.question(demanded, one_of)
            proof = refutation([*clauses], one_of, self._left())
            self._given.append(No(digest, len(clauses), len(proof or ()), tuple(proof) if proof else None))
        return result

    def model(self) -> set[int]:
        """The variables that are true in the last model."""
        return self._model


class _Model(set[int]):
    """A model that records which of its variables are read."""

    def __init__(self, true: set[int]) -> None:
        super().__init__(true)
        self._seen: set[int] = set()

    def __contains__(self, variable: object) -> bool:
        result = super().__contains__(variable)
        if result and isinstance(variable, int):
            self._seen.add(variable)
        return result

    def asked_about(self) -> Yes:
        """The part of the model to be stored."""
        return Yes(tuple(sorted(self._seen)))
