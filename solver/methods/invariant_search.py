"""Search for invariants: candidates suggested by random plays, kept if they are inductive together.

The interpreter plays at random. Linear relations and bounds that hold in all these positions become
candidates (`rulespec.solver.formulas.invariant_templates`); those that some ply breaks while all others hold
before it are dropped until all remaining ones are inductive (Houdini: Flanagan and Leino 2001). Finding
relations in positions by linear algebra follows Ernst and others 2001.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import inf, lcm
from random import Random

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.types import Int
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.evidence.inequalities import is_steady, open_at_start
from rulespec.solver.evidence.k_induction import few_instances, from_all
from rulespec.solver.evidence.problem import Case
from rulespec.solver.formulas.invariant_templates import (
    AT_MOST,
    ENDS,
    EQUAL,
    SUMS,
    Row,
    condition_of,
    is_of_turns,
    subjects,
    terms,
)
from rulespec.solver.formulas.unrolling.question import Question

SAMPLED = 400
"""Maximum number of positions of random plays from which candidates are derived."""
LONGEST = 60
"""Maximum number of plies of a random play."""
SAMPLING = 2.0
"""Maximum seconds for random plays and for evaluating their positions."""
FEW_VALUES = 8
"""Maximum number of values of a type for which positions are evaluated."""
PATIENCE, EACH = 2.0, 8
"""Seconds for a question about all candidates, and the share of them for one about a single one."""
LONGER = 0.25
"""The share of the remaining time for rows that stay open if none is known to fail."""
GREATEST_WEIGHT = 12
"""Relations with greater weights are no candidates."""
MOST_TERMS = 24
"""Maximum number of terms of a type that are compared with one another."""


def inductive_invariants(case: Case) -> list[Row]:
    """Rows that hold at the start and that each ply preserves, together with the helping claims.

    OutOfBudget and TooWide as for any question.
    """
    rows = candidates(case.game, case.budget.part(0.3, SAMPLING))
    conditions = {row: condition_of(case.game, row) for row in rows}
    return _inductive(case, {row: e for row, e in conditions.items() if e is not None})


def _inductive(case: Case, known: Mapping[Row, n.Expr]) -> list[Row]:
    """The largest set of rows that are inductive together, without rows that an engine leaves open."""
    about, left = [*known.values(), *case.helpers], dict(known)
    case.progress("invariants that may help")
    begin = Question(case, "initial", None, about)
    uncertain = open_at_start(case, left.values())
    for row in _failing(begin, {row: e for row, e in left.items() if e in uncertain}, 0):
        del left[row]
    plies, waiting = dict[str, _Ply](), [*case.game.actions]
    while waiting and left:
        action = waiting.pop(0)
        if action not in plies:
            plies[action] = _Ply(case, about, action, begin)
        if plies[action].drop(left):
            waiting += (name for name in case.game.actions if name not in waiting)
    return [*left]


class _Ply:
    """One ply of an action from any position in which helping claims and candidates hold."""

    def __init__(self, case: Case, about: Sequence[n.Expr], action: str, begin: Question) -> None:
        self._question = from_all(case, [], action, begin, about)
        self._helping = [*self._question.granted]

    def drop(self, left: dict[Row, n.Expr]) -> bool:
        """Drop candidates until the ply preserves the remaining ones; True if any was dropped."""
        dropped = False
        while left:
            self._question.granted = [*self._helping, *(self._question.holds(e, 0) for e in left.values())]
            open_rows = {row: e for row, e in left.items() if not self._is_steady(e)}
            failed = _failing(self._question, open_rows, 1)
            if not failed:
                break
            for row in failed:
                del left[row]
            dropped = True
        return dropped

    def _is_steady(self, e: n.Expr) -> bool:
        question, question.patience = self._question, PATIENCE / 2
        try:
            return all(is_steady(question, part) for part in few_instances(e))
        except OutOfBudget:
            return False
        finally:
            question.patience = inf


def _failing(question: Question, left: Mapping[Row, n.Expr], ply: int) -> list[Row]:
    """The rows that may fail after a ply; undecided ones, which got more time, if none is known to fail."""
    if not left:
        return []
    literals = {row: question.holds(e, ply) for row, e in left.items()}
    answer = question.possible_within(PATIENCE, one_of=[-literal for literal in literals.values()])
    if answer is False:
        return []
    if answer:
        return [row for row, literal in literals.items() if not question.was(literal)]
    answers = {row: question.possible_within(PATIENCE / EACH, [-literals[row]]) for row in literals}
    if failed := [row for row, fails in answers.items() if fails]:
        return failed
    unknown = [row for row, fails in answers.items() if fails is None]
    patience = question.seconds_left * LONGER / max(1, len(unknown))
    return [row for row in unknown if question.possible_within(patience, [-literals[row]]) is not False]


# ---- candidates


def candidates(game: Game, budget: Budget) -> list[Row]:
    """Rows that hold in all positions of some random plays; deterministic for the same positions."""
    positions = [position for play in sampled_plays(game, budget) for position in play]
    rows: list[Row] = [(ENDS, end.id) for end in game.ends]
    for subject in ("", *subjects(game)):
        x, known = terms(game, subject)
        names = [*known][:MOST_TERMS]
        vectors = list[list[int]]()
        values = [] if x is None else [*subjects(game)[subject].values]
        for situation in positions:
            for value in _spread(values) if x is not None else (None,):
                env = {} if x is None else {x: value}
                vectors.append([int(evaluate(known[name], env, situation) or 0) for name in names])
            if budget.exceeded_limit:
                break
        if vectors:
            rows += _rows(subject, {name: known[name] for name in names}, vectors)
    return rows


def _spread(values: Sequence[object]) -> Sequence[object]:
    return values[:: max(1, len(values) // FEW_VALUES)]


def sampled_plays(game: Game, budget: Budget) -> Iterator[list[Context]]:
    """The positions of random plays, as contexts in which expressions are evaluated."""
    machine, left = Machine(game), SAMPLED
    while left and not budget.exceeded_limit:
        rng, chance, play = Random(SAMPLED - left), Chance(str(SAMPLED - left)), list[Context]()
        position = machine.start(chance).position
        while position.fault is None:
            play.append(machine.situation(position))
            if position.is_over or len(play) >= min(left, LONGEST) or budget.exceeded_limit:
                break
            try:
                move = machine.draw(position, rng)
            except LookupError:  # nobody can act
                break
            position = machine.play(position, move, chance).position
        left = max(0, left - max(1, len(play)))
        yield play


def _rows(subject: str, known: Mapping[str, n.Expr], vectors: Sequence[Sequence[int]]) -> Iterator[Row]:
    """Linear relations, bounds and orders that hold of all vectors of terms.

    Terms about the mover, whose values change with every turn, have relations only.
    """
    names, fixed = [*known], set[str]()
    for weights in _relations([[1, *vector] for vector in vectors]):
        constant, *rest = weights
        used = [(name, weight) for name, weight in zip(names, rest, strict=True) if weight]
        if used and all(abs(weight) <= GREATEST_WEIGHT for weight in rest):
            yield (SUMS, subject, EQUAL, str(-constant), *_listed(used))
            if len(used) == 1:
                fixed.add(names[rest.index(used[0][1])])
    columns = dict(zip(names, zip(*vectors, strict=True), strict=True))
    lasting = [name for name in names if not is_of_turns(name)]
    for name, seen in ((name, columns[name]) for name in lasting):
        t = known[name].type
        if name not in fixed and isinstance(t, Int):
            if max(seen) < t.hi:
                yield (SUMS, subject, AT_MOST, str(max(seen)), "1", name)
            if min(seen) > t.lo:
                yield (SUMS, subject, AT_MOST, str(-min(seen)), "-1", name)
    most = max(map(sum, vectors))
    if subject and len(names) > 2 and most < sum(map(max, columns.values())):
        yield (SUMS, subject, AT_MOST, str(most), *_listed([(name, 1) for name in names]))
    for one, other in combinations([name for name in lasting if name not in fixed], 2):
        pairs = [*zip(columns[one], columns[other], strict=True)]
        if max(a + b for a, b in pairs) < min(2, max(columns[one]) + max(columns[other])):
            yield (SUMS, subject, AT_MOST, "1", "1", one, "1", other)
        for a, b, small, large in ((one, other, 0, 1), (other, one, 1, 0)):
            if all(pair[small] <= pair[large] for pair in pairs) and max(columns[a]) > min(columns[b]):
                yield (SUMS, subject, AT_MOST, "0", "1", a, "-1", b)


def _listed(used: Sequence[tuple[str, int]]) -> Iterator[str]:
    for name, weight in used:
        yield from (str(weight), name)


def _relations(vectors: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """A basis of the whole weights with which all vectors come to 0, by Gauss and Jordan."""
    pivots: dict[int, list[Fraction]] = {}
    for vector in dict.fromkeys(map(tuple, vectors)):
        row = [Fraction(x) for x in vector]
        for at, pivot in pivots.items():
            if row[at]:
                row = [a - row[at] * b for a, b in zip(row, pivot, strict=True)]
        lead = next((i for i, x in enumerate(row) if x), None)
        if lead is None:
            continue
        row = [x / row[lead] for x in row]
        for at, pivot in pivots.items():
            pivots[at] = [a - pivot[lead] * b for a, b in zip(pivot, row, strict=True)]
        pivots[lead] = row
    size = len(vectors[0])
    for free in (i for i in range(size) if i not in pivots):
        weights = [Fraction(0)] * size
        weights[free] = Fraction(1)
        for at, pivot in pivots.items():
            weights[at] = -pivot[free]
        whole = lcm(*(weight.denominator for weight in weights))
        yield [int(weight * whole) for weight in weights]
