"""Search for invariants: candidates suggested by random plays, kept if they are inductive together.

The interpreter plays at random. Linear relations and bounds that hold in all these positions become
candidates (`rulespec.solver.formulas.invariant_templates`); those that some ply breaks while all others hold
before it are dropped until all remaining ones are inductive (Houdini: Flanagan and Leino 2001). Finding
relations in positions by linear algebra follows Ernst and others 2001.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import ceil, inf, lcm
from operator import mul, sub
from random import Random

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.memo import by_game
from rulespec.core.types import BOOL, Int
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.evidence import conservation, k_induction
from rulespec.solver.evidence.inequalities import begins_with, is_steady, open_at_start
from rulespec.solver.evidence.k_induction import few_instances, from_all
from rulespec.solver.evidence.problem import Case
from rulespec.solver.formulas import TooWide
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.formulas.invariant_templates import (
    AT_MOST,
    CONSERVED,
    ENDS,
    EQUAL,
    MOST_VALUES,
    PHASE,
    SUMS,
    WHILE,
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
PATIENCE, EACH = 6.0, 4
"""Seconds for a question about all candidates, and the share of them for one about a single one."""
LONGER = 0.25
"""The share of the remaining time for rows that stay open if none is known to fail."""
GREATEST_WEIGHT = 12
"""Relations with greater weights are no candidates."""
MOST_LISTED = 2
"""Maximum number of numbers that a candidate lists for a term while a flag is set."""
MOST_TERMS = 24
"""Maximum number of terms of a type that are compared with one another."""


def relevant_variables(case: Case) -> Set[n.StateVar]:
    """The variables that influence a claim or the course of play; all if a measure may need any."""
    if case.prop.is_invariant:
        return k_induction.start(case).wanted
    if case.measures:
        return Question(case, "initial", None, case.measures).wanted
    return {*case.game.state.values()}


def with_relevant_lemmas(case: Case, relevant: Set[n.StateVar]) -> Case:
    """The case with the named helping claims, and all others about relevant variables only."""
    facts = Dependencies(case.game)
    about = (name for name, e in case.known_helpers.items() if facts.reads(e) <= relevant)
    return replace(case, named=tuple(dict.fromkeys((*case.helper_names, *about))))


def candidate_conditions(case: Case, relevant: Set[n.StateVar]) -> dict[Row, n.Expr]:
    """Candidates about relevant variables, and their conditions; found once for a game."""
    found, key = found_before(case.game), ("candidates", *sorted(var.name for var in relevant))
    rows = found.get(key)
    if rows is None:
        budget = case.budget.part(0.5, SAMPLING)
        rows = candidates(case.game, budget, relevant)
        if not budget.exceeded_limit:
            found[key] = rows
    return {row: e for row in rows if (e := condition_of(case.game, row)) is not None}


def is_narrow(game: Game, row: Row) -> bool:
    """True for a row whose terms all take few values, so that it is tried sooner."""
    if row[0] in (ENDS, PHASE):
        return True
    known = terms(game, row[1])[1]
    return all(_span(known[name]) <= MOST_VALUES for name in row[5::2])


def conserved_rows(case: Case, known: Mapping[Row, n.Expr]) -> dict[Row, n.Expr]:
    """The equations that hold at the start and that the effects keep, as rows of their own kind.

    They are found once for a game. Raises OutOfBudget and TooWide like any question.
    """
    rows = {row: e for row, e in known.items() if row[0] == SUMS and row[2] == EQUAL}
    key: tuple[str | Row, ...] = ("conserved", *case.helper_names, *rows)
    before, ended = found_before(case.game), ("all", *key)
    found = before.setdefault(key, [])
    shown = {(CONSERVED, *row[1:]): rows.pop(row) for row in found}
    if ended in before or not rows:
        return shown
    case.progress("sums that no action changes")
    begin = Question(case, "initial", None, [*rows.values()])
    added = True
    while added and rows:
        added = False
        for row, e in list(rows.items()):
            if _is_conserved(case, e, [*shown.values()], begin):
                shown[CONSERVED, *row[1:]] = rows.pop(row)
                found.append(row)
                added = True
    if not case.budget.exceeded_limit:
        before[ended] = []
    return shown


@by_game
def found_before(game: Game) -> dict[tuple[str | Row, ...], list[Row]]:
    """The rows that searches found for a game before, by what was sought."""
    return {}


def _is_conserved(case: Case, e: n.Expr, shown: Sequence[n.Expr], begin: Question) -> bool:
    """True if a condition holds at the start and provably no effect breaks it."""
    brief = replace(case, budget=case.budget.part(1.0, PATIENCE))
    with suppress(OutOfBudget, TooWide):
        return begins_with(brief, begin, [e]) and conservation.keeps(brief, e, shown, begin)
    return False


def inductive_rows(case: Case, known: Mapping[Row, n.Expr]) -> dict[Row, n.Expr]:
    """The largest set of rows that hold at the start and that plies preserve, with helping claims granted.

    Rows that an engine leaves open are dropped. Raises OutOfBudget and TooWide like any question.
    """
    about, shown = [*known.values(), *case.helpers], conserved_rows(case, known)
    left = {row: e for row, e in known.items() if (CONSERVED, *row[1:]) not in shown}
    case.progress("invariants that may help")
    begin = Question(case, "initial", None, about)
    uncertain = open_at_start(case, left.values())
    for row in _failing(begin, {row: e for row, e in left.items() if e in uncertain}, 0):
        del left[row]
    plies = [_Ply(case, about, action, begin) for action in case.game.actions]
    try:
        while added := _preserved_alone(plies, left, shown):
            shown |= added
        together = {row: e for row, e in left.items() if row not in shown}
        while any(ply.drop(together, shown.values()) for ply in plies):
            continue
    except OutOfBudget:
        together = {}
    return shown | together


def _preserved_alone(
    plies: Sequence[_Ply], left: Mapping[Row, n.Expr], shown: Mapping[Row, n.Expr]
) -> dict[Row, n.Expr]:
    """The rows that all plies preserve one by one; questions about few sums are answered sooner."""
    added = dict[Row, n.Expr]()
    for row, e in left.items():
        granted = [*shown.values(), *added.values()]
        if row not in shown and all(ply.preserves(e, granted) for ply in plies):
            added[row] = e
    return added


class _Ply:
    """One ply of an action from any position in which helping claims hold.

    Costly parts of the rules are left open, so it may break a candidate that the ply preserves.
    """

    def __init__(self, case: Case, about: Sequence[n.Expr], action: str, begin: Question) -> None:
        self._question = from_all(case, [], action, begin, about, loose=True)
        self._helping = [*self._question.granted]

    def preserves(self, e: n.Expr, shown: Iterable[n.Expr]) -> bool:
        """True if the ply is known to preserve a condition where it and those shown before hold."""
        self._grant([*shown, e])
        fails = self._question.possible_within(PATIENCE / EACH, [-self._question.holds(e, 1)])
        return fails is False or (fails is None and self._is_steady(e))

    def drop(self, left: dict[Row, n.Expr], shown: Iterable[n.Expr]) -> bool:
        """Drop candidates until the ply preserves the remaining ones; True if any was dropped."""
        dropped = False
        while left:
            self._grant([*shown, *left.values()])
            open_rows = {row: e for row, e in left.items() if not self._is_steady(e)}
            failed = _failing(self._question, open_rows, 1)
            if not failed:
                break
            for row in failed:
                del left[row]
            dropped = True
        return dropped

    def _grant(self, conditions: Iterable[n.Expr]) -> None:
        self._question.granted = [*self._helping, *(self._question.holds(e, 0) for e in conditions)]

    def _is_steady(self, e: n.Expr) -> bool:
        """True if the ply provably leaves an expression unchanged; False if patience runs out."""
        question, question.patience = self._question, PATIENCE / 2
        try:
            return all(is_steady(question, part) for part in few_instances(e))
        except OutOfBudget:
            return False
        finally:
            question.patience = inf


def _failing(question: Question, left: Mapping[Row, n.Expr], ply: int) -> list[Row]:
    """The rows that may fail after a ply; if none is known to, those undecided even with more time."""
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


def candidates(game: Game, budget: Budget, relevant: Set[n.StateVar]) -> list[Row]:
    """Rows about some variables that hold in all positions of random plays; the same for equal positions."""
    facts, over = Dependencies(game), n.Get(BOOL, game.state["over"])
    plays = [*sampled_plays(game, budget)]
    rows: list[Row] = [(ENDS, end.id) for end in game.ends]
    for subject in ("", *subjects(game)):
        x, known = terms(game, subject)
        about = [name for name, e in known.items() if facts.reads(e) <= relevant - {over.var}]
        names = sorted(about, key=lambda name: ("[mover]" in name, _span(known[name])))[:MOST_TERMS]
        values = [None] if x is None else _spread(subjects(game)[subject].values)
        seen = list[list[Vector]]()
        final = list[Vector]()
        for play in plays:
            if seen and budget.exceeded_limit:
                break
            seen.append([])
            for situation in play:
                for value in values:
                    env = {} if x is None else {x: value}
                    vector = [int(evaluate(known[name], env, situation) or 0) for name in names]
                    (final if evaluate(over, {}, situation) else seen[-1]).append(vector)
        if not subject:
            rows += _phases({name: known[name] for name in names}, [v for play in seen for v in play])
        lasting = [name for name in names if subject or not is_of_turns(game, name)]
        rows += _rows(subject, {name: known[name] for name in names}, lasting, seen, final)
    return rows


def _ends(e: n.Expr) -> tuple[int, int]:
    """The least and the greatest value of a number by its type."""
    assert isinstance(e.type, Int)
    return e.type.lo, e.type.hi


Vector = list[int]
"""The values of some terms in a position."""


def _span(e: n.Expr) -> int:
    """The difference of the greatest and the least value of a number; relations of narrow ones come first."""
    least, greatest = _ends(e)
    return greatest - least


def _spread(values: Sequence[object]) -> Sequence[object]:
    return values[:: max(1, len(values) // FEW_VALUES)]


def sampled_plays(game: Game, budget: Budget) -> Iterator[list[Context]]:
    """The positions of random plays, as contexts for evaluation; at least one play."""
    machine, left = Machine(game), SAMPLED
    while left == SAMPLED or (left and not budget.exceeded_limit):
        rng, chance, play = Random(SAMPLED - left), Chance(str(SAMPLED - left)), list[Context]()
        position = machine.start(chance).position
        while position.fault is None:
            play.append(machine.situation(position))
            late = left < SAMPLED and budget.exceeded_limit
            if position.is_over or len(play) >= min(left, LONGEST) or late:
                break
            try:
                move = machine.draw(position, rng)
            except LookupError:  # nobody can act
                break
            position = machine.play(position, move, chance).position
        left = max(0, left - max(1, len(play)))
        yield play


def _rows(
    subject: str,
    known: Mapping[str, n.Expr],
    lasting: Sequence[str],
    seen: Sequence[Sequence[Vector]],
    final: Sequence[Vector],
) -> Iterator[Row]:
    """Linear relations, bounds and orders that hold for all vectors of terms, or for all except final ones.

    A number that only rises, and at most so much with each step of another one, has a bound by that one.
    `seen` has the vectors of some plays in order, `final` those of positions in which the game is over. Only
    `lasting` terms have bounds and orders: the others change with every turn.
    """
    names, fixed = [*known], set[str]()
    going = [vector for play in seen for vector in play]
    vectors = [*going, *final]
    if not going:
        return
    for weights in _relations([[1, *vector] for vector in going]):
        constant, *rest = weights
        used = [(name, weight) for name, weight in zip(names, rest, strict=True) if weight]
        if used and all(abs(weight) <= GREATEST_WEIGHT for weight in rest):
            lasts = all(constant + sum(map(mul, rest, vector)) == 0 for vector in final)
            yield (SUMS if lasts else WHILE, subject, EQUAL, str(-constant), *_listed(used))
            if len(used) == 1 and lasts:
                fixed.add(used[0][0])
    columns = dict(zip(names, zip(*vectors, strict=True), strict=True))
    for name, values in ((name, columns[name]) for name in lasting):
        t = known[name].type
        if name not in fixed and isinstance(t, Int):
            if max(values) < t.hi:
                yield (SUMS, subject, AT_MOST, str(max(values)), "1", name)
            if min(values) > t.lo:
                yield (SUMS, subject, AT_MOST, str(-min(values)), "-1", name)
    most = max(map(sum, vectors))
    if subject and len(names) > 2 and most < sum(map(max, columns.values())):
        yield (SUMS, subject, AT_MOST, str(most), *_listed([(name, 1) for name in names]))
    changes = [] if subject else [list(map(sub, b, a)) for play in seen for a, b in pairwise(play)]
    rising = {name for i, name in enumerate(names) if changes and min(change[i] for change in changes) >= 0}
    falling = {name for i, name in enumerate(names) if changes and max(change[i] for change in changes) <= 0}
    for one, other in combinations([name for name in lasting if name not in fixed], 2):
        pairs = [*zip(columns[one], columns[other], strict=True)]
        most, opposed = max(map(sum, pairs)), rising & {one, other} and falling & {one, other}
        if most < max(columns[one]) + max(columns[other]) and (most < 2 or opposed):
            yield (SUMS, subject, AT_MOST, str(max(most, 1)), "1", one, "1", other)
        for a, b, small, large in ((one, other, 0, 1), (other, one, 1, 0)):
            if all(pair[small] <= pair[large] for pair in pairs) and max(columns[a]) > min(columns[b]):
                yield (SUMS, subject, AT_MOST, "0", "1", a, "-1", b)
    index = {name: i for i, name in enumerate(names)}
    for one, other in product(rising.intersection(lasting), (rising | falling).intersection(lasting)):
        sign = 1 if other in rising else -1
        steps = [(change[index[one]], sign * change[index[other]]) for change in changes]
        times = max((ceil(Fraction(x, y)) if y else inf for x, y in steps if x), default=0)
        if one != other and 1 < times <= GREATEST_WEIGHT:
            weight = -sign * int(times)
            base = max(x + weight * y for x, y in zip(columns[one], columns[other], strict=True))
            if base - min(weight * end for end in _ends(known[other])) < _ends(known[one])[1]:
                yield (SUMS, subject, AT_MOST, str(base), "1", one, str(weight), other)


def _phases(known: Mapping[str, n.Expr], going: Sequence[Vector]) -> Iterator[Row]:
    """Few numbers that a term has while a flag is set, or while it is not, and more or others altogether."""
    columns = dict(zip(known, zip(*going, strict=True), strict=True)) if going else {}
    flags = [name for name, e in known.items() if _ends(e) == (0, 1) and "mover" not in name]
    for flag, (name, values) in product(flags, columns.items()):
        every = {*values}
        for bit in (0, 1) if _ends(known[name]) != (0, 1) else ():
            here = {x for x, set_ in zip(values, columns[flag], strict=True) if set_ == bit}
            if 0 < len(here) <= MOST_LISTED < 1 + len(every) and here != every:
                yield (PHASE, flag, str(bit), name, *map(str, sorted(here)))


def _listed(used: Sequence[tuple[str, int]]) -> Iterator[str]:
    for name, weight in used:
        yield from (str(weight), name)


def _relations(vectors: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """A basis of the integer weights with which all vectors add up to 0, by Gauss-Jordan elimination."""
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
