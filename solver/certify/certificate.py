"""Certificates as data, and their textual form: the answers of an engine in their order, or strategies."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, pairwise

from rulespec.solver.certificates.lrat import numbers, parse
from rulespec.solver.formulas.clauses import Clause, Clauses

HEAD = "rulespec certificate 1"
HEAD_OF_STRATEGIES = "rulespec strategies 2"
SIDES = {"at-least": 1, "at-most": -1}


class BadEvidence(ValueError):
    """Raised for a certificate that does not prove what it should; the text says why."""


@dataclass(frozen=True)
class Yes:
    """There is a model; these variables, among those anybody read, are true in it."""

    true: tuple[int, ...]


@dataclass(frozen=True)
class Late:
    """There was no answer in time, where that is allowed."""


@dataclass(frozen=True)
class No:
    """There is no model of the clauses with this digest.

    `proof` has the lines of an LRAT proof of `steps` steps; None if it was too large to keep, or none was
    found (no steps). A proof that is not kept leaves its unsatisfiable core, the clauses that it uses.
    """

    digest: str
    clauses: int
    steps: int
    proof: tuple[str, ...] | None
    core: tuple[int, ...] = ()
    """The lengths of runs of clauses, of those skipped and those in the core in turn; empty if unknown."""

    def without_proof(self) -> No:
        """This answer with the core of its proof in place of the proof."""
        core, end = list[int](), 0
        for number in sorted({hint for line in self.proof or () for hint in parse(line)[3]}):
            if number > self.clauses:
                break
            if number - 1 == end and core:
                core[-1] += 1
            else:
                core += [number - 1 - end, 1]
            end = number
        return replace(self, proof=None, core=tuple(core))

    def choose_core(self, clauses: Clauses) -> list[Clause]:
        """The clauses of the core, chosen from all clauses. Raises BadEvidence if it does not fit these."""
        ends = [*accumulate(self.core)]
        if len(ends) % 2 or min(self.core) < 0 or ends[-1] > len(clauses):
            raise BadEvidence("its certificate names clauses that do not exist")
        listed, runs = [*clauses], zip(ends[::2], ends[1::2], strict=True)
        return [clause for start, end in runs for clause in listed[start:end]]


Answered = Yes | Late | No


@dataclass(frozen=True)
class Certificate:
    """The answers to the questions that decide a claim."""

    answers: tuple[Answered, ...]

    def text(self) -> str:
        """The certificate as text, with an answer or a step of a proof on each line."""
        return "".join(f"{line}\n" for line in chain([HEAD], *map(_lines, self.answers)))

    @classmethod
    def parse(cls, text: str) -> Certificate:
        """A certificate from text. Raises BadEvidence for any other text."""
        head, *lines = text.split("\n")
        if head != HEAD or lines[-1:] != [""]:
            raise BadEvidence("its certificate is cut off, or of a form that is not known here")
        answers: list[Answered] = []
        starts = [at for at, line in enumerate(lines) if line[:1].isalpha() or not line]
        if starts[0] != 0 or starts[-1] != len(lines) - 1:
            raise BadEvidence("its certificate is damaged")
        for at, end in pairwise(starts):
            try:
                answers.append(_answer(lines[at].split(" "), tuple(lines[at + 1 : end])))
            except ValueError:
                raise BadEvidence(f"its certificate is damaged at line {at + 2}") from None
        return cls(tuple(answers))


def _lines(answer: Answered) -> Iterable[str]:
    """The lines of one answer in a certificate."""
    if isinstance(answer, Yes):
        return [" ".join(["yes", *map(str, answer.true)])]
    if isinstance(answer, Late):
        return ["late"]
    kept = "proof" if answer.proof is not None else "left"
    core = [" ".join(map(str, answer.core))] if answer.core else []
    return [f"{kept} {answer.digest} {answer.clauses} {answer.steps}", *(answer.proof or core)]


def _answer(words: Sequence[str], below: tuple[str, ...]) -> Answered:
    """An answer from its line and the lines below; raises ValueError if these are none."""
    kind, *rest = words
    if kind == "proof" and len(rest) == 3 and int(rest[2]) == len(below):
        return No(rest[0], int(rest[1]), int(rest[2]), below)
    if kind == "left" and len(rest) == 3 and len(below) < 2:
        core = tuple(numbers(below[0].split(" "))) if below else ()
        return No(rest[0], int(rest[1]), int(rest[2]), None, core)
    if not below:
        if kind == "yes":
            return Yes(tuple(map(int, rest)))
        if kind == "late" and not rest:
            return Late()
    raise ValueError(f"no answer: {kind}")


@dataclass(frozen=True)
class Strategy:
    """Choices with which player 1 (`side` 1) secures at least, or player 2 (-1) at most, the bound."""

    side: int
    bound: int
    choices: tuple[int, ...]


@dataclass(frozen=True)
class Strategies:
    """The strategies that prove bounds of a value."""

    listed: tuple[Strategy, ...]

    def text(self) -> str:
        """The strategies as text, each on two lines."""
        words = {side: word for word, side in SIDES.items()}
        lines = [HEAD_OF_STRATEGIES]
        for one in self.listed:
            lines += [f"{words[one.side]} {one.bound}", " ".join(map(str, one.choices))]
        return "".join(f"{line}\n" for line in lines)

    @classmethod
    def parse(cls, text: str) -> Strategies:
        """Strategies from text. Raises BadEvidence for any other text."""
        head, *lines = text.split("\n")
        if head != HEAD_OF_STRATEGIES or lines[-1:] != [""] or len(lines) % 2 == 0:
            raise BadEvidence("its certificate is cut off, or of a form that is not known here")
        try:
            return cls(tuple(_strategy(*pair) for pair in list(pairwise(lines[:-1]))[::2]))
        except (KeyError, ValueError):
            raise BadEvidence("its certificate is damaged") from None


def _strategy(head: str, choices: str) -> Strategy:
    word, bound = head.split(" ")
    return Strategy(SIDES[word], int(bound), tuple(map(int, choices.split())))


class ClauseDigest:
    """The clauses of one session so far, and the digest of a question about them."""

    def __init__(self) -> None:
        self._numbers = array("i")
        self._digest = hashlib.sha256()

    @property
    def clauses(self) -> Clauses:
        """The clauses added so far."""
        return Clauses(self._numbers)

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses to the session."""
        fresh = Clauses.of(clauses)
        self._numbers.extend(fresh.numbers)
        self._digest.update(fresh.bytes)

    def question(self, demanded: Sequence[int], one_of: Sequence[int]) -> tuple[Clauses, str]:
        """The clauses of a question, demanded literals as unit clauses, and their digest.

        The digest is that of the literals as 32-bit numbers, lowest byte first, with a zero after each
        clause.
        """
        last = Clauses.of([*((literal,) for literal in demanded), *([one_of] if one_of else [])])
        digest = self._digest.copy()
        digest.update(last.bytes)
        return self.clauses + last, digest.hexdigest()
