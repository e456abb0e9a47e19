"""One claim, one setting: which way to try first, and what to say when nothing settles it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from rulespec.budgets import ForkedCall, can_fork
from rulespec.core.digest import of_claim
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import (
    STRENGTH,
    UNDECIDED,
    Evidence,
    Store,
    Verdict,
    options_of,
    parameters_of,
    readings_of,
)
from solver.evidence import explorers, linear_combination, seats
from solver.evidence.exploration import is_quick
from solver.evidence.positions import space_of
from solver.evidence.problem import Answer, Case, is_settled, silent, undecided
from solver.evidence.properties import Form, Over
from solver.evidence.replay import by_play_alone, objection, shown_by
from solver.explore import state_space
from solver.explore.state_space import MOST_POSITIONS, Limits

from . import deals, play_search
from . import formulas as formulas
from .table import METHODS

LOOKING, MOST_LOOKING = 0.3, 4.0
"""The share of what is left of a budget for which plays are looked for before formulas are asked as well, and
the most seconds."""

BRIEF_SECONDS = 0.2
"""What a first look may cost where a play may settle the claim: hunts close small games, too."""

ALONE = 3.0
"""Seconds that formulas have for themselves before code is compiled to look at every position beside them."""

BESIDE = 0.2
"""The share of what is left for which every position is looked at where plays are looked for, too, or
long random plays are looked at where every position is."""

SLOW_GROWTH = 3
"""Where there are no more than so many new positions for each old one, there may be few in all."""

SHORTEST = 0.7
"""The share that is spent on every position first where a shortest play is wanted."""


def decide(case: Case) -> Answer:
    """The strongest answer to a case that its budget allows.

    Plays that are known from elsewhere are tried first, and what invariants that the claim names add up to;
    then there is a short look at every position, and plays are looked for where one may settle it; what best
    play comes to is searched for with memory. Then formulas are asked, and where they do not answer soon,
    every position is looked at beside that with compiled code.
    """
    if case.prop.over is Over.DEALS:
        return deals.decide(case, decide)
    if case.prop.over is Over.SEATS:
        return seats.decide(case, lambda one: by_play_alone(one.game, one.claim, decide(one)))
    known = from_hints(case)
    if known is not None:
        return known
    contradicted = METHODS["sums"](case)
    if contradicted is not None:
        return contradicted
    answers = [first_look(case)]
    case.keep(answers[0])
    if not is_settled(answers[0]) and _sought(case):
        small = case.chance is None and _grows_slowly(answers[0])
        answers += by_play_and_formulas(case, small)
    elif not is_settled(answers[0]) and case.prop.over is Over.REMEMBERED:
        answers.append(by_plies(case))
    elif not is_settled(answers[0]) and case.prop.form is Form.VALUE:
        answers.insert(0, METHODS["memory"](case))
    elif not is_settled(answers[0]) and not case.summed:
        answers += by_formulas_and_states(case)
    if not any(map(is_settled, answers)) and case.budget.left > state_space.EASY_SECONDS:
        answers.append(by_every_position(case))
    return strongest(case, (a for a in answers if a is not None))


def _sought(case: Case) -> bool:
    """Whether plays are looked for: one may settle the claim, and none is more than where it ends."""
    return case.prop.form in play_search.FORMS and not case.summed


def first_look(case: Case) -> Answer | None:
    """What a look at every position tells, a short one unless a shortest play is wanted.

    Where plays from a given deal are sought next and not even the first position could be followed in that
    time, there is none.
    """
    sought = _sought(case)
    if case.shortest:
        seconds = case.budget.left * SHORTEST
        limits = Limits(seconds, MOST_POSITIONS, compiled=space_of(case).affords(seconds))
    elif sought and case.chance is not None and not is_quick(case, BRIEF_SECONDS):
        return None
    else:
        seconds = min(BRIEF_SECONDS if sought else state_space.EASY_SECONDS, case.budget.left / 4)
        limits = Limits(seconds, state_space.EASY_POSITIONS)
    case.progress("looking at every position")
    return explorers.search(case, limits)


def _grows_slowly(answer: Answer | None) -> bool:
    """Whether in a look that did not see all there were few new positions for each old one, or came to be."""
    told = (p.data["counts"] for p in answer.proofs if p.kind == "exploration") if answer is not None else ()
    counts: list[int] = next(iter(told), [])
    if not counts:
        return False
    lately = len(counts) > 2 and counts[-1] <= SLOW_GROWTH * counts[-2]
    return lately or sum(counts) <= SLOW_GROWTH ** (len(counts) - 1)


def by_play_and_formulas(case: Case, small: bool = False) -> list[Answer | None]:
    """Answers to a case that a play may settle: plays are looked for, then formulas are asked beside that.

    Where the positions may be few, all of them are looked at for a while, too.
    """
    ruled_out = METHODS["exclusion"](case)
    if ruled_out is not None:
        return [ruled_out]
    pursuit = play_search.Pursuit(case)
    if pursuit.scale is not None:
        pursuit.leave_out(*linear_combination.first_rank(case, pursuit.scale))
    look = case.budget.part(LOOKING, MOST_LOOKING)
    answer = pursuit.run(lambda: look.exhausted)
    if is_settled(answer):
        return [answer]
    pursuit.prove_floor()
    if not can_fork():
        return [by_formulas(case, pursuit), pursuit.partly()]
    asked, results = replace(case, progress=silent), list[Answer | None]()
    with ForkedCall(lambda: by_formulas(asked, pursuit)) as formulas:

        def answered() -> str:
            """A reason to stop the hunts: formulas have settled the claim. They may also give up before."""
            if not results and formulas.done():
                results.append(formulas.result(0.0))
            return "answered" if results and is_settled(pursuit.joined(results[0])) else ""

        if small:
            looked = by_every_position(case, BESIDE, answered)
            if is_settled(looked):
                return [looked]
        if case.prop.form is not Form.OPTIMUM and case.chance is None:
            strolled = play_search.strolled(case, BESIDE, answered)
            if is_settled(strolled):
                return [strolled]
        answer = pursuit.run(lambda: case.budget.exhausted or answered())
        if is_settled(answer):
            return [answer]
        if not results:
            results.append(formulas.result(case.budget.left))
    return [pursuit.joined(results[0])]


def by_formulas_and_states(case: Case) -> list[Answer | None]:
    """Answers by formulas, and by looking at every position where formulas take long."""
    if not can_fork():
        return [by_formulas(case)]
    found: list[Answer | None] = []
    asked = replace(case, progress=silent)
    with ForkedCall(lambda: by_formulas(asked)) as aside:

        def answered() -> str:
            if not found and aside.done():
                found.append(aside.result(0.0))
            return "answered" if found and is_settled(found[0]) else ""

        case.progress("formulas")
        aside.wait(min(ALONE, case.budget.left))
        if case.claim.kind == "invariant" and case.chance is None and not answered():
            strolled = play_search.strolled(case, BESIDE, answered)
            if is_settled(strolled):
                return [strolled]
        if not answered():
            looked = by_every_position(case, 1.0, answered)
            if is_settled(looked):
                return [looked]
            found += [] if found else [aside.result(case.budget.left)]
            found.append(looked)
    return found


def by_every_position(case: Case, share: float = 1.0, until: Callable[[], str] = lambda: "") -> Answer | None:
    """The answer by looking at every position with compiled code, for a share of what is left."""
    case.progress("looking at every position, for as long as there is time")
    seconds = case.budget.left * share
    limits = Limits(seconds, MOST_POSITIONS, compiled=space_of(case).affords(seconds), until=until)
    return explorers.search(case, limits)


def by_plies(case: Case) -> Answer | None:
    """The answer to a case about single plies: the text of the effects, then plays, then formulas."""
    case.progress("what plies take away")
    return METHODS["flows"](case) or play_search.strolled(case) or by_formulas(case)


def by_formulas(case: Case, pursuit: play_search.Pursuit | None = None) -> Answer | None:
    """The answer to a case by formulas.

    Where the best is asked for, they begin with what a `pursuit` has left open.
    """
    return formulas.decide(case, pursuit)


def strongest(case: Case, answers: Iterable[Answer]) -> Answer:
    """The answer that says most.

    Of bounded ones a bound on the value asked for says more than a depth, and a greater depth more. Remarks
    of the others are kept where nothing was decided.
    """
    listed = list(answers)
    if not listed:
        return undecided(f"Nothing here decides a claim of the kind `{case.claim.kind}`.")
    best = max(reversed(listed), key=_strength)  # of equally strong ones the last, which had the most time
    if is_settled(best):
        return best
    if best.outcome != UNDECIDED:
        return replace(best, stopped=best.stopped or case.budget.exhausted)
    why = next(iter(best.remarks), "")
    more = (remark for a in (best, *listed) for remark in a.remarks[1:] if remark != why)
    spent = case.budget.exhausted
    ended = [f"Other ways were tried, and ended at {spent}."] if spent and spent not in why else []
    return replace(best, remarks=(why, *dict.fromkeys(more), *ended))


def _strength(answer: Answer) -> tuple[int, bool, int, bool]:
    bounds = not answer.numbers.keys().isdisjoint(("at_least", "at_most"))
    return STRENGTH[answer.outcome], bounds, answer.numbers.get("plies", -1), answer.final


def from_hints(case: Case) -> Answer | None:
    """An answer that one of the plays at hand gives by itself, if one does."""
    if case.prop.by_play is None or case.prop.form is Form.ENDS:
        return None
    for play in case.hints:
        if case.chance is not None and play.chance[: len(case.chance)] != case.chance:
            continue
        if not objection(case.game, case.claim, play, {}, {}):
            return shown_by(case, play, "interpreter")
    return None


def verdict_of(case: Case, answer: Answer, store: Store) -> Verdict:
    """The answer written down; its plays are kept in the store.

    A play that does not show what it is said to show is a defect of the solver, so it is checked
    once more here, where every verdict passes.
    """
    answer = by_play_alone(case.game, case.claim, answer)
    evidence = []
    for proof in answer.proofs:
        data = dict(proof.data)
        if proof.play is not None:
            problem = objection(case.game, case.claim, proof.play, data, answer.numbers)
            if problem:
                raise AssertionError(f"evidence for {case.claim.id} that the interpreter refuses: {problem}")
            data["record"] = store.keep(proof.play.to_data())
        evidence.append(Evidence(proof.kind, data))
    return blank(case.game, case.claim, answer, case.budget.spent, tuple(evidence))


def blank(
    game: Game, claim: Claim, answer: Answer, seconds: float, evidence: tuple[Evidence, ...] = ()
) -> Verdict:
    """A verdict on a claim in a game's setting."""
    return Verdict(
        ruleset=game.id,
        claim=claim.id,
        kind=claim.kind,
        outcome=answer.outcome,
        evidence=evidence,
        engine=answer.engine,
        seconds=seconds,
        game=game.digest,
        claim_digest=of_claim(claim),
        players=game.players,
        options=options_of(claim),
        parameters=parameters_of(game),
        readings=readings_of(game),
        numbers=dict(answer.numbers),
        notes=answer.notes,
        remarks=answer.remarks + ((f"It stopped: {answer.stopped}.",) if answer.stopped else ()),
    )
