"""Hints for a deal: the next step, and the requirements that exclude the other actions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rulespec.budgets import Budget, ChildDied, Listener, OutOfBudget, Worker
from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Claim
from rulespec.core.verdicts import PROVED, REFUTED, Verdict
from rulespec.core.verdicts.lemmas import Lemma
from rulespec.core.verdicts.properties import Form
from rulespec.play.actions import Action
from rulespec.play.face import State
from rulespec.play.plays import Play
from rulespec.play.position import Move
from rulespec.solver.evidence.optimum import within
from rulespec.solver.evidence.problem import Case, Progress, silent
from rulespec.solver.formulas import TooWide
from rulespec.solver.formulas.layout import flatten
from rulespec.solver.formulas.monotone import bounds_on_the_way
from rulespec.solver.formulas.unrolling.question import Question, UnwatchedFault
from rulespec.solver.reductions.beginning import Clause, beginning_in, with_waivers

from .solve import solve

LONGEST = 60
"""Plays of more plies are not asked of formulas."""
EACH, FAILURES = 1.0, 3
"""Seconds for deciding the claim after another action by itself, and the number of them that may take longer
before no more are tried."""
SHARE = 0.4
"""The share of the remaining time for all of these tries."""
MORE = 3
"""Plies by which plays without some requirements may be longer."""


@dataclass(frozen=True)
class Alternative:
    """A legal action, and whether the goal can still be reached after it.

    Attributes:
        action: its notation.
        reaches: True if a play, which the interpreter has replayed, still reaches the goal; False if none
            does; None if that was not decided.
        clauses: if none does, requirements that exclude it: no play that satisfies these reaches the goal.
            None if none were found in time.
        is_minimal: True if without any one of these requirements a play would reach the goal.
    """

    action: str
    reaches: bool | None = None
    clauses: tuple[Clause, ...] | None = None
    is_minimal: bool = False


@dataclass(frozen=True)
class Hint:
    """The best that can still be reached from a position, and the next step to it.

    Attributes:
        verdict: the verdict on the claim, asked from the position on.
        play: the actions of a play that reaches the goal; empty if none was found, or it is reached already.
        alternatives: the other legal actions.
    """

    verdict: Verdict
    play: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()

    @property
    def step(self) -> str | None:
        """The next step; None if there is none."""
        return self.play[0] if self.play else None

    @property
    def possible(self) -> bool | None:
        """True if the goal, or any value, can still be reached; False if not; None if that is open."""
        if self.verdict.outcome == PROVED or self.play:
            return True
        return False if self.verdict.outcome == REFUTED else None

    @property
    def is_forced(self) -> bool:
        """True if the goal cannot be reached after any other action."""
        return bool(self.play) and all(other.reaches is False for other in self.alternatives)


def hint(
    state: State,
    claim: Claim,
    *,
    timeout: float = 60.0,
    memory: int = 4_000,
    engine: str | None = None,
    shortest: bool = False,
    likely: Sequence[str] = (),
    brief: bool = False,
    progress: Progress = silent,
    lemmas: Mapping[str, Lemma] | None = None,
) -> Hint:
    """Look for the next step from a state to the best result still possible, with hidden state known.

    Args:
        state: a state that is not over.
        claim: a claim that can be asked of a deal; see `puzzle`.
        timeout: seconds for the call. What it leaves once a step is found goes to the other actions.
        memory: megabytes of this process and its children together.
        engine: the engine for formulas; None for the best installed one.
        shortest: True if a shortest play is wanted.
        likely: actions that may lead to the goal, which are tried first.
        brief: True if the other actions are left undecided.
        progress: receives a few words on what is being tried.
        lemmas: claims that hold in every position of the game.

    Returns:
        The step, with the verdict from the state on, and the other actions as far as they were decided.
    """
    budget, game = Budget(timeout, memory), state.game.core
    begun = beginning_in(game, state.position.values)
    hints = [Play((), tuple(likely))] if likely else ()
    verdict, play = solve(
        begun, claim.id, chance=(), timeout=budget.seconds_left, memory=memory, engine=engine,
        shortest=shortest, progress=progress, lemmas=lemmas, hints=hints,
    )  # fmt: skip
    found = Hint(verdict, () if play is None else play.plays)
    others = [action for action in state.actions() if str(action) != found.step]
    case = Case(game, claim, budget.part(1.0), (), engine=engine)
    goal = _goal(case, verdict)
    known = {str(other): Alternative(str(other)) for other in others if found.play}
    if brief or not known:
        return replace(found, alternatives=tuple(known.values()))
    asked = replace(case, budget=budget.part(SHARE), lemmas=lemmas or {}, progress=progress)
    for other, reaches in _each_by_itself(state, asked, verdict, others):
        known[str(other)] = Alternative(str(other), reaches)
    others = [other for other in others if known[str(other)].reaches is not True]
    if not others or goal is None:
        return replace(found, alternatives=tuple(known.values()))

    def note(other: Alternative | str) -> None:
        if isinstance(other, str):
            progress(other)
        else:
            known[other.action] = other

    def serve(moves: Mapping[str, Move], send: Listener) -> None:
        for other in _Continuations(state, replace(case, progress=send), goal, len(found.play)).decide(moves):
            send(other)

    worker = Worker(serve)
    try:
        worker.ask({str(a): a.move for a in others}, case.budget, note)
    except (OutOfBudget, ChildDied, TooWide, UnwatchedFault):
        pass  # the others stay open
    finally:
        worker.end()
    return replace(found, alternatives=tuple(known.values()))


def _best_known(case: Case, verdict: Verdict) -> int | None:
    """The best value found; None if there is none."""
    return verdict.numbers.get("value", verdict.numbers.get("at_least" if case.most else "at_most"))


def _goal(case: Case, verdict: Verdict) -> n.Expr | None:
    """The condition that a position is as good as the best value found; None if there is none."""
    if case.prop.form is Form.REACHABLE:
        return case.condition
    value = _best_known(case, verdict)
    return None if value is None or case.is_summed else within(case, value)


def _each_by_itself(
    state: State, case: Case, verdict: Verdict, others: Iterable[Action]
) -> Iterator[tuple[Action, bool]]:
    """Decide the claim after single actions, as long as each takes little time; yields those decided, with
    True if what is best from the state on can still be reached."""
    if case.prop.negated:
        return  # what holds after an action is then that the goal is out of reach
    claim, best = case.claim, _best_known(case, verdict)
    spent = evaluate(case.condition, {}, state.situation) if case.is_summed else 0
    failures = 0
    for other in others:
        after = state.play(other)
        if failures == FAILURES or case.budget.seconds_left <= 0:
            return
        if after.chance != state.chance or after.fault is not None:
            continue  # it is left to formulas
        if after.is_over:
            yield other, _counts_at_the_end(case, after, best, spent)
            continue
        begun = beginning_in(case.game, after.position.values)
        here = case.budget.part(1.0, EACH)
        found, _ = solve(
            begun, claim.id, chance=(), timeout=here.seconds, memory=here.memory, engine=case.engine,
            progress=case.progress, lemmas=case.lemmas,
        )  # fmt: skip
        value = found.numbers.get("value")
        if found.outcome == REFUTED:
            yield other, False
        elif found.outcome == PROVED and case.prop.form is Form.REACHABLE:
            yield other, True
        elif found.outcome == PROVED and value is not None and best is not None:
            yield other, value + spent >= best if case.most else value + spent <= best
        else:
            failures += 1


def _counts_at_the_end(case: Case, end: State, best: int | None, spent: int) -> bool:
    """True if the end of a play is as good as the best value, or is the goal."""
    if case.prop.form is Form.REACHABLE:
        return bool(evaluate(case.condition, {}, end.situation))
    if best is None or (case.claim.when is not None and not evaluate(case.claim.when, {}, end.situation)):
        return False
    value = spent if case.is_summed else evaluate(case.condition, {}, end.situation)
    return value is not None and (value >= best if case.most else value <= best)


class _Continuations:
    """Continuations of a play, in formulas in which each requirement can be waived."""

    def __init__(self, state: State, case: Case, goal: n.Expr, plies: int) -> None:
        """Continuations of a state; a play of so many plies reaches the goal."""
        game, self.forces = with_waivers(beginning_in(case.game, state.position.values))
        self.case, self.goal, self.state = replace(case, game=game, chance=None), goal, state
        self.restrict = bounds_on_the_way(game, goal)
        self._questions: list[Question] = []
        self._depth = plies
        """The plies after which the question without waivers was decided, or those of the known play."""

    def question(self, plies: int) -> Question:
        """The question about continuations by a number of plies."""
        while len(self._questions) < plies:
            self.case.progress(f"other actions, and {len(self._questions)} more plies")
            asked = [self.goal, *self.forces.values()]
            question = Question(self.case, "initial", self.restrict, asked)
            question.extend(len(self._questions) + 1)
            question.granted += _changes(question)
            self._questions.append(question)
        return self._questions[plies - 1]

    def decide(self, moves: Mapping[str, Move]) -> Iterator[Alternative]:
        """Decide which actions still lead to the goal, then which requirements exclude the others."""
        open_, excluded = dict(moves), dict[str, Move]()
        for plies in range(1, LONGEST + 1):
            question = self.question(plies)
            held = self._in_force(question, self.forces)
            goal = question.holds(self.goal, plies)
            while open_ and question.possible([*held, goal], self._first(question, open_.values())):
                question.play()
                move = question.moves()[1][0]
                name = next(name for name, other in open_.items() if other == move)
                del open_[name]
                yield Alternative(name, True)
            self._depth = max(self._depth, plies)
            if not open_ or not question.possible(held, self._first(question, open_.values())):
                excluded = open_
                break
        yield from (Alternative(name, False) for name in excluded)
        sets: list[frozenset[Clause]] = [frozenset()]
        for name, move in excluded.items():
            self.case.progress(f"what excludes `{name}`")
            found, is_minimal = self._minimal_set(move, sets)
            sets += [found] if is_minimal and found not in sets else []
            yield Alternative(name, False, tuple(c for c in self.forces if c in found), is_minimal)

    def _minimal_set(self, move: Move, sets: Sequence[frozenset[Clause]]) -> tuple[frozenset[Clause], bool]:
        """Requirements that exclude an action, one of `sets` if possible, and True if they are minimal."""
        for known in sets:
            if self._excludes(move, known) and self._needs_all(move, known):
                return known, True
        left = frozenset(self.forces)
        for clause in self.forces:
            left -= {clause} if self._excludes(move, left - {clause}) else frozenset()
        return left, self._needs_all(move, left)

    def _needs_all(self, move: Move, clauses: frozenset[Clause]) -> bool:
        """True if without any one of some requirements an action is not excluded."""
        return all(self._excludes(move, clauses - {clause}) is False for clause in clauses)

    def _excludes(self, move: Move, clauses: Collection[Clause]) -> bool | None:
        """True if no play that begins with a move and satisfies these requirements reaches the goal.

        None if that stays open within the plies of the question without waivers, and `MORE`.
        """
        for plies in range(1, min(LONGEST, self._depth + MORE) + 1):
            question = self.question(plies)
            asked = [*self._in_force(question, clauses), *self._first(question, [move])]
            if question.possible([*asked, question.holds(self.goal, plies)]):
                return False
            if not question.possible(asked):
                return True
        return None

    def _in_force(self, question: Question, clauses: Collection[Clause]) -> list[int]:
        """Literals for these requirements being in force, and no others."""
        held = {clause: question.holds(e, 0) for clause, e in self.forces.items()}
        return [literal if clause in clauses else -literal for clause, literal in held.items()]

    def _first(self, question: Question, moves: Iterable[Move]) -> list[int]:
        """Literals for the first ply being each of these moves."""
        return [question.taken[0].takes(question.gates, move) for move in moves]


def _changes(question: Question) -> list[int]:
    """Literals that each ply changes something that matters, as every ply of a shortest play does."""
    gates, variables = question.gates, question.game.state.values()
    rows = [
        [x for var in variables if var in state for x in flatten(var.type, state[var])]
        for state in question.states
    ]
    pairs = (zip(before, after, strict=True) for before, after in pairwise(rows))
    return [gates.any(gates.choose(a, -b, b) for a, b in pair) for pair in pairs]
