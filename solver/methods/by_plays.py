"""Methods that look for plays: the interpreter replays them, and the claim is evaluated there."""

from __future__ import annotations

from rulespec.core.verdicts.properties import Event, Form, Over, Property
from rulespec.solver.evidence.problem import Answer, Case, no_answer
from rulespec.solver.evidence.replay import answer_by_play, objection

from . import play_search, sampling
from .method import Cost, Method, Run
from .wrong_measures import where_it_need_not_fall

PLAY = frozenset({"play"})
UNMEASURED = "Whether every play ends was not decided."


def by_known_play(case: Case) -> Answer | None:
    """The answer of one of the plays at hand, if one settles the claim."""
    for play in case.hints:
        if case.chance is not None and play.chance[: len(case.chance)] != case.chance:
            continue
        if not objection(case.game, case.claim, play, {}):
            return answer_by_play(case, play, "interpreter")
    return None


def _hunts(run: Run, seconds: float) -> Answer | None:
    """The answer of hunts for plays, which bound a best value from both sides; None for summed claims."""
    if run.case.is_summed:
        return None
    case, pursuit = run.case, run.pursuit
    part = case.budget.part(1.0, seconds)
    answer = pursuit.run(lambda: part.exceeded_limit or run.until())
    if answer is None:
        pursuit.prove_floor()
    return answer or pursuit.partly()


def _repetition(run: Run, seconds: float) -> Answer:
    """The answer of a play that repeats a position; undecided if none is found."""
    found = sampling.repeating_play(run.case)
    if found is not None or run.case.prop.negated:
        return found or no_answer(sampling.UNSEEN)
    return no_answer(UNMEASURED, *filter(None, [where_it_need_not_fall(run.case)]))


def _is_sought(stated: Property) -> bool:
    return stated.form in play_search.FORMS and stated.over is Over.POSITIONS


HUNTS = Method("hunts", _is_sought, _hunts, PLAY | {"exploration", "combination"})

METHODS = (
    Method(
        "known plays",
        lambda p: p.by_play is not None and p.form is not Form.ENDS,
        lambda run, seconds: by_known_play(run.case),
        PLAY,
        Cost.GLANCE,
    ),
    HUNTS,
    Method(
        "breaking plays",
        lambda p: p.is_invariant and p.event is Event.CONDITION,
        lambda run, seconds: play_search.find_violation(run.case, seconds, run.until),
        PLAY,
    ),
    Method(
        "lookalikes",
        lambda p: p.over is Over.LOOKALIKES,
        lambda run, seconds: sampling.find_lookalikes(run.case, seconds),
        PLAY,
    ),
    Method("repetition", lambda p: p.form is Form.ENDS, _repetition, PLAY, Cost.UNROLLING, by_formulas=True),
)
