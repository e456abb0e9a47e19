"""Spot checks: the interpreter replays a share of what generated code has explored.

The states are drawn uniformly at the time of the check, so that they are unpredictable. For each one the
legal actions, their results, the probabilities, the player to act, the outcome and the questions of a claim
are compared in full, and the successors must be among the known states. A further claim on the same states is
compared in the states drawn for the first. If a fault concerns the share p of all states, n states miss it
with a probability of at most (1 - p)^n.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice
from random import Random
from secrets import SystemRandom
from weakref import WeakKeyDictionary

from rulespec.budgets import Stopwatch
from rulespec.core.game import Game
from rulespec.core.notation import write
from rulespec.play.chance import Chance
from rulespec.play.machine import Ply
from rulespec.play.position import STUCK, Position

from .chance_outcomes import TooManyOutcomes, weighted_outcomes
from .code_states import CodeStates
from .interpreter_states import InterpreterStates
from .states import BuiltinQuestion, LimitReached, Question, Row, ScoreOf, States, without_draw_count

BATCH = 32
"""Code visits this many states at a time."""
STARTS = 200
"""If play begins in more ways than these, ways are sampled."""
STARTS_DRAWN = 100

Way = dict[Row, Fraction]
"""The outcomes of an action with their probabilities."""


class Unlike(Exception):
    """Raised if generated code and the interpreter differ; the text says in what."""


@dataclass
class Sample:
    """The states that a spot check of an exploration compared, for further claims."""

    explored: tuple[object, ...]
    """The extent of the exploration and the limits of the check, which must both be unchanged."""
    rows: Sequence[Row]
    questions: set[Question]
    """The questions that were compared in all rows."""
    is_small: bool
    """See `SpotCheck.is_small`."""


_samples: WeakKeyDictionary[States, Sample] = WeakKeyDictionary()
"""The sample of each exploration that was checked."""


@dataclass
class SpotCheck:
    """A spot check of a limited number of states, within a limit of seconds of processor time."""

    most: int = 1_000
    seconds: float = 1.0
    random: Random = field(default_factory=SystemRandom)
    leaves_small: bool = False
    """True if the check may end early because the interpreter can visit all states in time: see
    `is_small`."""
    gone_through: int = 0
    """The number of states compared so far, out of `total`."""
    total: int = 0
    """The number of all states."""
    is_small: bool = False
    """True if the check has ended because the interpreter can visit all states in the same time."""

    @property
    def words(self) -> str:
        """The number of compared states, as a clause; empty if code explored none."""
        if not self.total:
            return ""
        return f"{self.gone_through:,} of {self.total:,} positions gone through by the interpreter"

    def compare_explored(self, states: States, questions: Collection[Question] = ()) -> None:
        """Compare a share of explored states, and the ways in which play begins. Raises Unlike.

        Compares the answers to the `questions` and to those that every game has, and the successors of
        expanded states. If the same states were checked before, and no others have been explored since,
        compares only new questions, in the states drawn then.
        """
        count = states.states if states.closed else states.seen_count
        if not isinstance(states, CodeStates) or not count:
            return
        last = states.followed_whole
        explored = count, last, self.most, self.seconds, self.leaves_small
        sample = _samples.get(states)
        self.total += count
        if sample is not None and sample.explored == explored:
            self._compare_further(states, sample, questions)
            return
        watch, compared = Stopwatch(work=True), Comparison(states, [*general(states.game), *questions])
        compared.begin(self.random)
        numbers = self.random.sample(range(count), min(count, self.most))

        def follow(number: int, ways: Sequence[Way]) -> None:
            if number < last:
                compared.follow(number, ways)

        drawn = ((states.image(number, self.random), number) for number in numbers)
        rows = self._compare(compared, drawn, watch, sum(states.all_counts), follow)
        _samples[states] = Sample(explored, rows, {*questions}, self.is_small)

    def _compare_further(self, states: CodeStates, sample: Sample, questions: Collection[Question]) -> None:
        """Compare the answers to further questions in the states of a sample, until time is up."""
        self.is_small = sample.is_small
        further = {*questions} - sample.questions
        watch, compared, count = Stopwatch(work=True), Comparison(states, further), 0
        for _ in compared.answers(sample.rows) if further else sample.rows:
            count += 1
            if further and watch.seconds >= self.seconds:
                break
        else:
            sample.questions |= further
        self.gone_through += count

    def compare_searched(
        self, states: CodeStates, rows: Iterable[Row], total: int, questions: Collection[Question] = ()
    ) -> None:
        """Compare states sampled from `total`, given by their rows, and the ways in which play begins.

        Also compares the values of ends that follow them. Raises Unlike.
        """
        watch, compared = Stopwatch(work=True), Comparison(states, [*general(states.game), *questions])
        compared.begin(self.random)
        drawn = ((row, 0) for row in islice(rows, self.most))
        self.total += total
        self._compare(compared, drawn, watch, total, lambda number, ways: compared.end(ways))

    def _compare(
        self,
        compared: Comparison,
        drawn: Iterator[tuple[Row, int]],
        watch: Stopwatch,
        whole: int,
        follow: Callable[[int, Sequence[Way]], None],
    ) -> Sequence[Row]:
        """Compare states, given with their numbers, until time is up; `whole` is the number of all states.

        Returns the rows of the compared states.
        """
        rows = list[Row]()
        while batch := [*islice(drawn, BATCH)]:
            for (row, number), ways in zip(batch, compared.ways([row for row, _ in batch]), strict=True):
                if ways is not None:
                    follow(number, ways)
                    rows.append(row)
                    self.gone_through += 1
                if watch.seconds >= self.seconds:
                    return rows
            self.is_small = self.leaves_small and watch.seconds * whole <= self.seconds * len(rows)
            if self.is_small:
                break
        return rows


def general(game: Game) -> list[Question]:
    """The questions compared for every claim: the player to act, winners and scores."""
    scores = [ScoreOf(p) for p in game.player.values] if game.outcome.score is not None else []
    return [BuiltinQuestion.MOVER, BuiltinQuestion.WINNERS, *scores]


class Comparison:
    """Compares generated code with the interpreter in explored states; skips `questions` without code."""

    def __init__(self, states: CodeStates, questions: Collection[Question]) -> None:
        self.states = states
        self._questions = [question for question in questions if question in states.code.number_of]
        self._interpreter = InterpreterStates(states.game, states.asked, states.chance, layout=states.layout)

    @cached_property
    def _probe(self) -> CodeStates:
        """States expanded one by one, separate from the explored ones."""
        states = self.states
        return CodeStates(states.game, states.asked, states.chance, ways=True, like=states)

    def begin(self, random: Random) -> None:
        """Compare the ways in which play begins, all of them or a sample. Raises Unlike."""
        states, machine = self.states, self.states.machine
        begins = range(states.initial_count)
        try:
            plies = [*islice(weighted_outcomes(machine.start, states.chance or ()), STARTS + 1)]
        except TooManyOutcomes:
            plies = []
        if 0 < len(plies) <= STARTS:
            found = self._fold_way(self._way(plies))
            if {states.number_of(row) for row in found} != {*begins}:
                raise Unlike("the positions in which play begins")
            listed = states.starts() if states.keeps else []
            if listed and _merge_equal((states.row(i), Fraction(1, odds)) for i, odds in listed) != found:
                raise Unlike("the probabilities of the positions in which play begins")
            return
        for _ in range(STARTS_DRAWN):
            ply = machine.start(Chance(str(random.getrandbits(64)), states.chance or ()))
            if states.number_of(states.representative(self._row(ply))) not in begins:
                raise Unlike("the positions in which play begins")

    def ways(self, rows: Sequence[Row]) -> Iterator[list[Way] | None]:
        """The outcomes of each action in each state, None where there are too many to list.

        Raises Unlike.
        """
        answers = self._answers_by_code(rows)
        for i, (row, by_code) in enumerate(zip(rows, self._ways_by_code(rows), strict=True)):
            position = self._interpreter.layout.position(row)
            found = None if by_code is None else self._ways_by_interpreter(position)
            if found is not None and by_code is not None:
                if _count_each(found) != _count_each(by_code):
                    raise Unlike(self._where("the legal actions, or what follows them", row))
                self._compare_answers(row, position, partial(_at, answers, i))
            yield found

    def answers(self, rows: Sequence[Row]) -> Iterator[None]:
        """Compare the answers in each state, one state at each step. Raises Unlike."""
        answers = self._answers_by_code(rows)
        for i, row in enumerate(rows):
            self._compare_answers(row, self._interpreter.layout.position(row), partial(_at, answers, i))
            yield

    def _answers_by_code(self, rows: Sequence[Row]) -> Mapping[Question, Sequence[int]]:
        held = self.states.instance.room("vast words", len(rows) * self.states.layout.width)
        held[:] = [word for row in rows for word in row]
        return {q: self.states.scan_rows(q, held, 0, len(rows)).tolist() for q in self._questions}

    def end(self, ways: Sequence[Way]) -> None:
        """Compare the answers for ends among the successors. Raises Unlike."""
        for row in {row for way in ways for row in way}:
            position = self._interpreter.layout.position(row)
            if position.ended is not None:
                self._compare_answers(row, position, partial(self.states.ask, row=row))

    def _compare_answers(self, row: Row, position: Position, by_code: Callable[[Question], int]) -> None:
        """Raise Unlike if code and interpreter answer a question about a position differently."""
        for question in self._questions:
            of_ends = isinstance(question, ScoreOf) or question is BuiltinQuestion.WINNERS
            if position.fault is not None or (of_ends and position.ended is None):
                continue
            if self._interpreter.answer(question, position) != by_code(question):
                result = "the player to act, or a result"
                raise Unlike(self._where(f"`{question}`" if isinstance(question, str) else result, row))

    def follow(self, number: int, ways: Sequence[Way]) -> None:
        """Check that the successors of a state are known, and recorded with it if ways are kept.

        Raises Unlike.
        """
        states = self.states
        folded = [self._fold_way(way) for way in ways]
        if any(states.number_of(row) is None for way in folded for row in way):
            raise Unlike(self._where("a position follows that was not explored", states.row(number)))
        if states.keeps and _count_each(_rows(states, number)) != _count_each(folded):
            raise Unlike(self._where("what is kept of the actions", states.row(number)))

    def _ways_by_interpreter(self, position: Position) -> list[Way] | None:
        """The outcomes of each legal move by the interpreter; None if one has too many."""
        machine = self._interpreter.machine
        if position.ended == STUCK:
            over = machine.variables.index(self.states.game.state["over"])
            position = Position((*position.values[:over], False, *position.values[over + 1 :]))
            return [{} for _ in machine.moves(position)]
        try:
            moves = machine.moves(position)
            return [self._way(weighted_outcomes(partial(machine.play, position, move))) for move in moves]
        except TooManyOutcomes:
            return None

    def _ways_by_code(self, rows: Sequence[Row]) -> list[list[Way]] | list[None]:
        """The outcomes of each action in rows by generated code; None for each if a limit is reached."""
        try:
            return [_rows(self._probe, number) for number in self._probe.follow_alone(rows)]
        except LimitReached:
            return [None] * len(rows)

    def _way(self, plies: Iterable[tuple[Ply, int, int]]) -> Way:
        return _merge_equal((self._row(ply), Fraction(share, odds)) for ply, odds, share in plies)

    def _row(self, ply: Ply) -> Row:
        return self._interpreter.layout.row_of(without_draw_count(ply.position))

    def _fold_way(self, way: Way) -> Way:
        """Outcomes with each row replaced by the representative of its orbit."""
        return _merge_equal((self.states.representative(row), share) for row, share in way.items())

    def _where(self, what: str, row: Row) -> str:
        """A difference in words, with the state in which it occurs."""
        position = self._interpreter.layout.position(row)
        values = zip(self.states.game.state.values(), position.values, strict=True)
        return f"{what}, where {', '.join(f'{v.name} = {write(v.type, value)}' for v, value in values)}"


def _rows(states: CodeStates, number: int) -> list[Way]:
    """The stored outcomes of each action in a state: successor rows with their probabilities."""
    ways = states.ways_of(number)
    return [_merge_equal((states.row(to), Fraction(1, odds)) for to, odds in way) for way in ways]


def _at(answers: Mapping[Question, Sequence[int]], number: int, question: Question) -> int:
    """The answer to a question for one of several states."""
    return answers[question][number]


def _merge_equal(outcomes: Iterable[tuple[Row, Fraction]]) -> Way:
    """Outcomes, with equal ones merged and their probabilities added."""
    way = defaultdict[Row, Fraction](Fraction)
    for row, share in outcomes:
        way[row] += share
    return way


def _count_each(ways: Iterable[Way]) -> Counter[frozenset[tuple[Row, Fraction]]]:
    return Counter(frozenset(way.items()) for way in ways)
