"""Exports of refutations while a verdict is rechecked: files for other programs, and a second solver's
confirmation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rulespec.budgets import Budget
from rulespec.core.storage.atomic_files import make_folder, regular_files, write_text
from rulespec.solver.engines import Session
from rulespec.solver.formulas.clauses import Clauses
from rulespec.solver.formulas.unrolling.query import Oracle, Query
from rulespec.solver.formulas.unrolling.smtlib import comment_text, smtlib_script

from .certificate import BadEvidence
from .second_solver import SecondSolver

Subject = tuple[str, str, str]

NAME = re.compile(r"[0-9]{3,}\.(?:smt2|cnf|lrat)")
"""The name of a file about a refutation."""


class Witness:
    """Records the refutations for one claim in order, and their proofs if there are any.

    `subject` is ruleset, claim and setting. With a `folder` each is written there as `001.smt2`, and with a
    proof as `001.cnf` and `001.lrat`; files of an earlier run are replaced. With a `second` solver each is
    confirmed by it; raises BadEvidence if it disagrees.
    """

    def __init__(
        self, subject: Subject, folder: Path | None, second: SecondSolver | None, budget: Budget
    ) -> None:
        self._subject, self._second, self._budget = subject, second, budget
        self._folder = None if folder is None else _folder_of(subject, folder)
        self._oracle: Oracle
        self._about = ""
        self._proved: tuple[Clauses, Sequence[str]] | None = None
        self.told = 0
        """The number of refutations."""
        self.confirmed = 0
        """The number of refutations that the second solver confirmed."""
        if self._folder is not None:
            for old in regular_files(self._folder, NAME):
                old.unlink()

    def progress(self, about: str) -> None:
        """Record the subject of the next questions, in a few words."""
        self._about = about

    def proof(self, clauses: Clauses, proof: Sequence[str]) -> None:
        """Record a proof, before its refutation is reported."""
        self._proved = (clauses, proof)

    def over(self, oracle: Oracle) -> Oracle:
        """This witness as an oracle that answers like another one and records each refutation."""
        self._oracle = oracle
        return self

    @property
    def name(self) -> str:
        """The name of the answering oracle."""
        return self._oracle.name

    def session(self) -> Session:
        """A session without clauses."""
        session: Session = self._oracle.session()
        return session

    def note_refutation(self, query: Query, demanded: Sequence[int], one_of: Sequence[int]) -> None:
        """Write a refutation to the folder, and have it confirmed. Raises BadEvidence."""
        self.told += 1
        ruleset, claim, setting = self._subject
        head = f"{ruleset}: {claim} ({setting})\nrefutation {self.told}: {self._about or 'the start'}"
        text = smtlib_script(query, demanded, one_of, head)
        if self._folder is not None:
            self._write(self._folder / f"{self.told:03}", text, query, head)
        self._proved = None
        if self._second is not None:
            found = self._second.has_model(text, self._budget.seconds_left)
            if found:
                raise BadEvidence(f"{self._second.name} finds a model of refutation {self.told}")
            self.confirmed += found is False

    def _write(self, name: Path, text: str, query: Query, head: str) -> None:
        """Write a question in SMT-LIB, and its clauses and proof in DIMACS and LRAT if it has a proof."""
        write_text(name.with_suffix(".smt2"), text)
        if self._proved is None:
            return
        clauses, proof = self._proved
        comments = [*head.split("\n"), *(f"{v}: {text}" for v, text in sorted(query.meanings().items()))]
        lines = [*(f"c {comment_text(x)}" for x in comments), f"p cnf {query.gates.size} {len(clauses)}"]
        lines += [" ".join(map(str, (*clause, 0))) for clause in clauses]
        write_text(name.with_suffix(".cnf"), "\n".join(lines) + "\n")
        write_text(name.with_suffix(".lrat"), "\n".join(proof) + "\n")

    @property
    def is_confirmed(self) -> bool:
        """True if the second solver, if there is one, confirmed everything."""
        return self._second is None or self.confirmed == self.told

    @property
    def words(self) -> str:
        """The results of the second solver, in words; empty without one."""
        if self._second is None:
            return ""
        return f"{self._second.name} confirms {self.confirmed} of {self.told}"


def _folder_of(subject: Subject, root: Path) -> Path:
    """The folder for a claim, by ruleset, claim and setting; created if missing."""
    folder = make_folder(root)
    for part in subject:
        folder = make_folder(folder / (re.sub(r"[^\w=-]+", "_", part) or "_"))
    return folder
