"""Values of games with stages, in which both sides choose at once: a matrix game at each, solved backwards.

Between stages everybody sees everything, so the value of a position is that of its stage, and the entries of
the stage's matrix are values of later positions (a stochastic game; Shapley 1953). Recurring positions are
solved by improving strategies (Hoffman and Karp 1966). An exact solution in fractions need not exist there;
inequalities verify one that is found (`StageValues.given`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .graph import Graph
from .linear_programming import maximise
from .markov_decision_process import KNOWN, ExpectedValues, NonTerminating, Row, Worths, solve_linear_system
from .sequence_form import NoGameValue

Mix = tuple[Fraction, ...]
"""The probability of each action of a side."""
Entry = tuple[int, Row]
"""A gain, and the distribution over the positions that follow."""
Matrix = list[list[Entry]]
"""By the actions of the maximising side, then of the other."""
MOST_ROUNDS = 60
"""Maximum number of improvement rounds for recurring positions."""


LONGEST = 10**6
"""The largest denominator of a value of recurring positions."""


@dataclass(frozen=True)
class Solution:
    """The value of a matrix game, and a mix for each side that secures it."""

    value: Fraction
    mixes: tuple[Mix, Mix]


def solve_matrix(worths: Sequence[Sequence[Fraction]], pause: Callable[[], None] = lambda: None) -> Solution:
    """The solution of a matrix game: by a saddle point, else by linear programming (Dantzig 1951)."""
    if (found := saddle(worths)) is not None:
        return found
    shift = 1 - min(map(min, worths))
    rows = [{j: x + shift for j, x in enumerate(row)} for row in worths]
    columns = len(worths[0])
    goal = {j: Fraction(1) for j in range(columns)}
    theirs, own = maximise(goal, rows, [Fraction(1)] * len(rows), columns, pause)
    value = 1 / sum(theirs, Fraction())
    return Solution(value - shift, (tuple(x * value for x in own), tuple(x * value for x in theirs)))


def saddle(worths: Sequence[Sequence[Fraction]]) -> Solution | None:
    """The solution in which each side takes a single action, if there is one."""
    least, greatest = [min(row) for row in worths], [max(column) for column in zip(*worths, strict=True)]
    if (value := max(least)) != min(greatest):
        return None
    return Solution(value, (_pure(least, value), _pure(greatest, value)))


def _pure(numbers: Sequence[Fraction], value: Fraction) -> Mix:
    at = numbers.index(value)
    return tuple(Fraction(i == at) for i in range(len(numbers)))


class StageValues(ExpectedValues):
    """The exact value of every state of a graph between stages.

    `opened` is nonzero in the states in which the first side has chosen and the other has not. `given` are
    solutions by state: they are verified by the inequalities of optimality, and nothing is computed; a
    position outside of cycles with a saddle point needs none. `solutions` are those that are used. Raises
    NoGameValue, and NonTerminating if a mix would not end play.
    """

    def __init__(
        self,
        graph: Graph,
        final: Callable[[int], int],
        gain: Callable[[int], int],
        wants: Callable[[int], bool | None],
        opened: Sequence[int],
        given: Mapping[int, Solution] | None = None,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        self.opened, self.given = opened, given
        self.solutions: dict[int, Solution] = {}
        super().__init__(graph, final, gain, wants, pause)

    def _backwards(self) -> Worths:
        """Nothing yet: the kernel treats the choices of a stage as successive choices."""
        none = [0] * self.graph.count
        return Worths(none, none)

    def _settle(self, group: list[int]) -> None:
        """Settle the values of a group of states; states within a stage have none of their own."""
        inside = [i for i in group if not self._within_stage(i)]
        if not any(self._begins_stage(i) for i in inside):
            if inside:
                super()._settle(inside)
            return
        matrices = {i: self._matrix(i) for i in inside}
        cyclic = any(row.keys() & matrices.keys() for m in matrices.values() for line in m for _, row in line)
        solutions = self._solve_cycle(matrices) if cyclic else self._solve(matrices)
        for i, solution in solutions.items():
            self.worth[i] = solution.value + self.gain(i)

    def _within_stage(self, i: int) -> bool:
        return bool(self.opened[i]) and bool(self.graph.ways(i))

    def _begins_stage(self, i: int) -> bool:
        return any(self._within_stage(to) for way in self.graph.ways(i) for to, _ in way)

    def _matrix(self, i: int) -> Matrix:
        """The payoff matrix of a state: that of its stage, or one row or column where one side chooses alone.

        Raises NoGameValue.
        """
        lines = list[list[Entry]]()
        most = self.wants(i)
        for way in self.graph.ways(i):
            (to, _), *others = way
            if not self._within_stage(to):
                lines.append([(0, self._row(way))])
                continue
            if others or self.wants(to) is most:
                raise NoGameValue("in a stage of this game a side chooses more than once")
            replies = self.graph.ways(to)
            if any(self._within_stage(after) for reply in replies for after, _ in reply):
                raise NoGameValue("more than two choose in a stage of this game")
            lines.append([(self.gain(to), self._row(reply)) for reply in replies])
        if len({len(line) for line in lines}) > 1:
            raise NoGameValue("what can be chosen in a stage of this game depends on what was chosen")
        return lines if most else [list(column) for column in zip(*lines, strict=True)]

    def _worths(self, matrix: Matrix, worth: Mapping[int, Fraction]) -> list[list[Fraction]]:
        return [[gain + self._of(row, worth) for gain, row in line] for line in matrix]

    # ---- without cycles

    def _solve(self, matrices: Mapping[int, Matrix]) -> dict[int, Solution]:
        """The solution of the only state of a group whose successors are all settled. Raises NoGameValue."""
        ((i, matrix),) = matrices.items()
        worths = self._worths(matrix, self.worth)
        solution = saddle(worths)
        if solution is None:
            solution = self._verified_solution(i, matrix) or solve_matrix(worths, self.pause)
            if not (self._assures(worths, solution, 0) and self._assures(worths, solution, 1)):
                raise NoGameValue("its strategies do not come to that")
            self.solutions[i] = solution
        return {i: solution}

    def _verified_solution(self, i: int, matrix: Matrix) -> Solution | None:
        """The solution given for a state, after a check; None without one. Raises NoGameValue."""
        if self.given is None:
            return None
        found = self.given.get(i)
        sizes = len(matrix), len(matrix[0])
        if found is None or tuple(map(len, found.mixes)) != sizes:
            raise NoGameValue("its strategies are none of this game")
        if any(sum(mix) != 1 or min(mix) < 0 for mix in found.mixes):
            raise NoGameValue("its strategies are none of this game")
        return found

    @staticmethod
    def _assures(worths: Sequence[Sequence[Fraction]], solution: Solution, side: int) -> bool:
        """True if the mix of a side secures the value against all choices of the other side."""
        mix = solution.mixes[side]
        replies = zip(*worths, strict=True) if side == 0 else worths
        means = (sum(p * x for p, x in zip(mix, line, strict=True)) for line in replies)
        return all(mean >= solution.value if side == 0 else mean <= solution.value for mean in means)

    # ---- with cycles

    def _solve_cycle(self, matrices: Mapping[int, Matrix]) -> dict[int, Solution]:
        """Solutions of states that may recur. Raises NonTerminating, NoGameValue."""
        given = {i: self._verified_solution(i, matrix) for i, matrix in matrices.items()}
        solutions = {i: one for i, one in given.items() if one is not None} or self._improve(matrices)
        worth = {i: one.value + self.gain(i) for i, one in solutions.items()}
        for side in (0, 1):
            chosen = {i: self._against(m, solutions[i].mixes[side], side) for i, m in matrices.items()}
            if _can_stay(chosen):
                raise NonTerminating("choices can keep play going for ever")
            for i, matrix in matrices.items():
                if not self._assures(self._worths(matrix, worth), solutions[i], side):
                    raise NoGameValue("its strategies do not come to that")
        self.solutions |= solutions
        return solutions

    def _improve(self, matrices: Mapping[int, Matrix]) -> dict[int, Solution]:
        """Strategies that are best against each other, if the rounds of improvement come to an end.

        Values are rounded between rounds, so that they settle on the exact ones if these are short fractions.

        Raises NoGameValue.
        """
        worth = dict.fromkeys(matrices, Fraction())
        for _ in range(MOST_ROUNDS):
            self.pause()
            solved = {i: solve_matrix(self._worths(m, worth), self.pause) for i, m in matrices.items()}
            now = {i: one.value + self.gain(i) for i, one in solved.items()}
            if now == worth:
                return solved
            replies = {i: self._against(m, solved[i].mixes[0], 0) for i, m in matrices.items()}
            before, worth = worth, now if _can_stay(replies) else self._least(replies)
            worth = {i: x.limit_denominator(LONGEST) for i, x in worth.items()}
            if worth == before:
                break
        raise NoGameValue("stages come back, and their value was not found in fractions")

    @staticmethod
    def _against(matrix: Matrix, mix: Mix, side: int) -> list[tuple[Fraction, Row]]:
        """For each action of the other side, the mean gain and the positions reached against a mix."""
        replies = zip(*matrix, strict=True) if side == 0 else matrix
        found = []
        for line in replies:
            gain, total = Fraction(), Row()
            for p, (more, row) in zip(mix, line, strict=True):
                gain += p * more
                for to, share in row.items() if p else ():
                    total[to] = total.get(to, Fraction()) + p * share
            found.append((gain, total))
        return found

    def _least(self, replies: Mapping[int, list[tuple[Fraction, Row]]]) -> dict[int, Fraction]:
        """The value of each state if the minimising side replies best; all replies end play."""
        policy = dict.fromkeys(replies, 0)
        while True:
            rows: dict[int, Row] = {}
            for i, number in policy.items():
                gain, following = replies[i][number]
                row = rows[i] = {i: Fraction(1), KNOWN: gain + self.gain(i)}
                for to, share in following.items():
                    at, known = (to, -share) if to in replies else (KNOWN, share * self.worth[to])
                    row[at] = row.get(at, Fraction()) + known
            worth = solve_linear_system(rows, self.pause)
            better = False
            for i, chosen in policy.items():
                means = [gain + self._of(row, worth) for gain, row in replies[i]]
                if min(means) < means[chosen]:
                    policy[i], better = means.index(min(means)), True
            if not better:
                return {i: worth[i] for i in replies}


def _can_stay(replies: Mapping[int, Sequence[tuple[Fraction, Row]]]) -> bool:
    """True if replies can keep play among these states for ever, with certainty."""
    left = {*replies}
    while leaving := {i for i in left if not any(row.keys() <= left for _, row in replies[i])}:
        left -= leaving
    return bool(left)
