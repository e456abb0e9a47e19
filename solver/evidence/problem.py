"""A question and its answer, before it is recorded as a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rulespec.budgets import Budget
from rulespec.core import nodes as n
from rulespec.core.game import Claim, Game
from rulespec.core.types import BOOL
from rulespec.core.verdicts import PROVED, STRENGTH, UNDECIDED, Verdict
from rulespec.core.verdicts.lemmas import Lemma
from rulespec.core.verdicts.properties import PROPERTIES, Form, Property
from rulespec.play.plays import Play
from rulespec.solver.engines import choose
from rulespec.solver.explore.stages import Mixes
from rulespec.solver.formulas.invariant_templates import Row
from rulespec.solver.formulas.unrolling.query import Oracle
from rulespec.solver.reductions import remembering as reductions

Progress = Callable[[str], None]
"""Receives a few words on what is being tried."""


def silent(message: str) -> None:
    """Ignore progress."""


@dataclass(frozen=True)
class Proof:
    """One piece of evidence; `play` is separate because the store keeps each play once."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)
    play: Play | None = None


@dataclass(frozen=True)
class Answer:
    """An answer to a claim. Fields are those of a verdict."""

    outcome: str
    proofs: tuple[Proof, ...] = ()
    engine: str = "interpreter"
    numbers: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    final: bool = False
    """True for an undecided answer that more time would not change."""
    stopped: str = ""
    """The limit that ended a search with a bounded answer. It cannot be checked, so it is not in verdicts."""


def no_answer(
    *remarks: str, engine: str = "interpreter", proofs: tuple[Proof, ...] = (), final: bool = False
) -> Answer:
    """The undecided answer; the first remark says why."""
    return Answer(UNDECIDED, proofs, engine, remarks=remarks, final=final)


def is_settled(answer: Answer | None) -> bool:
    """True if an answer is proved, refuted or estimated, or undecided for good."""
    return answer is not None and (STRENGTH[answer.outcome] == 2 or answer.final)


@dataclass
class Case:
    """A claim about a game, with helpers.

    `chance` is the deal it is asked from, None for every deal. `lemmas` are other claims of the game that
    hold. `argument` is a proposed reason why a goal is out of reach; it is tried before any other. `hints`
    are plays that may be witnesses; they are tried first. `mixes` are best mixed choices from evidence, for
    simultaneous choices; without them they are computed. With `watch_all` formulas watch for faults
    everywhere, which is expensive for places of many values.
    """

    game: Game
    claim: Claim
    budget: Budget
    chance: tuple[str, ...] | None = None
    lemmas: Mapping[str, Lemma] = field(default_factory=dict)
    named: tuple[str, ...] | None = None
    """The claims that help it, if they are not those that the claim names."""
    invariants: Mapping[Row, n.Expr] = field(default_factory=dict)
    """Invariants that were found (`rulespec.solver.formulas.invariant_templates`), and shown to hold."""
    found_measures: Mapping[Row, n.Expr] = field(default_factory=dict)
    """A measure that was found, in place of the claim's: numbers in lexicographic order."""
    argument: str = ""
    hints: Sequence[Play] = ()
    mixes: Mixes | None = None
    engine: str | None = None
    watch_all: bool = False
    progress: Progress = silent
    oracle: Oracle | None = None
    """The oracle that answers in place of an engine."""
    most_plies: int | None = None
    """Maximum number of plies that are unrolled; None for as many as the budget allows."""
    shortest: bool = False
    """True if a shortest play is wanted."""
    partial: Answer | None = None
    """The latest partial answer with evidence, in case the search is stopped early."""
    on_partial: Callable[[Case, Answer], None] | None = None
    """Receives each new partial answer with its case."""

    def keep(self, answer: Answer | None) -> None:
        """Keep a partial answer if it is new and has evidence."""
        if answer is not None and answer.proofs and answer != self.partial:
            self.partial = answer
            if self.on_partial is not None:
                self.on_partial(self, answer)

    @property
    def prop(self) -> Property:
        """The property that the claim states."""
        return PROPERTIES[self.claim.kind]

    @property
    def condition(self) -> n.Expr:
        """The claim's condition; true for a claim without one."""
        return self.claim.condition or n.Const(BOOL, True)

    @property
    def measures(self) -> list[n.Expr]:
        """The measure of a claim that every play ends: the one found, else its own; empty without one."""
        return [*(self.found_measures.values() or filter(None, (self.claim.condition,)))]

    @property
    def most(self) -> bool:
        """True for a claim of the kind `best` that asks for the maximum."""
        return self.claim.options.get("sense") == "most"

    @property
    def is_summed(self) -> bool:
        """True for a claim of the kind `best` whose number is summed over the plies of a play."""
        return self.prop.form is Form.OPTIMUM and "summed-over" in self.claim.options

    @property
    def solver(self) -> Oracle:
        """The oracle that answers formulas, within the available memory."""
        return self.oracle or choose(self.engine, self.budget.memory)

    @property
    def ran_out(self) -> str:
        """The limit that stopped an engine without an answer: the time, else the memory."""
        return self.budget.exceeded_limit or self.budget.memory_limit

    @property
    def helper_names(self) -> list[str]:
        """The claims that are named as helping and that are known to hold in every position."""
        named = self.claim.helped_by if self.named is None else self.named
        return [name for name in named if name in self._known and self._claim(name)]

    @property
    def helping(self) -> list[str]:
        """The claims that help: those that this one names or, if it names none, all known ones."""
        return self.helper_names or [name for name in self._known if self._claim(name)]

    @property
    def named_helpers(self) -> list[n.Expr]:
        """The conditions of the named helping claims and of found invariants, in every position."""
        return [*self._conditions(self.helper_names), *self.invariants.values()]

    @property
    def helpers(self) -> list[n.Expr]:
        """The conditions of all helping claims, see `helping`, and of found invariants."""
        return [*self._conditions(self.helping), *self.invariants.values()]

    @property
    def known_helpers(self) -> dict[str, n.Expr]:
        """The conditions of all claims that are known to hold in every position, by their names."""
        return {name: c.always for name in self._known if (c := self._claim(name))}

    def _conditions(self, names: Iterable[str]) -> list[n.Expr]:
        return [c.always for name in names if (c := self._claim(name))]

    @property
    def _known(self) -> list[str]:
        return [name for name, known in self.lemmas.items() if _always_holds(known.verdict)]

    def _claim(self, name: str) -> Claim | None:
        claim = self.game.claims.get(name)
        if claim is None or claim.id == self.claim.id or claim.condition is None:
            return None
        return claim


def _always_holds(verdict: Verdict) -> bool:
    """True if the verdict says that an invariant holds."""
    return verdict.kind == "invariant" and verdict.holds is True


def with_history(case: Case) -> Case:
    """The case of an invariant equivalent to the case that numbers never fall."""
    game, claim = reductions.with_history_variables(case.game, case.claim)
    return replace(case, game=game, claim=claim)


def helper_proofs(case: Case, names: Sequence[str] | None = None) -> Iterator[Proof]:
    """The evidence that names the helping claims: those given, or all that may help."""
    for name in case.helping if names is None else names:
        yield Proof("helper", {"claim": name})


def induction_proof(case: Case, **data: object) -> Proof:
    """The evidence of an induction, with the invariants and the measure found that it rests on."""
    found = {"invariants": case.invariants, "measure": case.found_measures}
    return Proof("induction", data | {key: [[*row] for row in rows] for key, rows in found.items() if rows})


def by_induction(
    case: Case, engine: str, depth: int, names: Sequence[str] | None = None, **data: object
) -> Answer:
    """The answer that an induction of some depth holds, with the helping claims."""
    proof = induction_proof(case, depth=depth, **data)
    return Answer(PROVED, (proof, *helper_proofs(case, names)), engine, {"depth": depth})
