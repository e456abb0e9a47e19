"""Deciding whether a game has a symmetry, by comparing every state that can be reached with its image."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulespec.code import TooLarge
from rulespec.core.symmetry import Symmetry
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.play.plays import write_down
from solver.explore import BuiltinQuestion, CodeStates, NoRowImage, NotSymmetric, Question, ScoreOf
from solver.explore.state_space import Limits, tools_for
from solver.pairs.images import generators

from .exploration import answer, bounded, exploration
from .positions import explored
from .problem import Answer, Case, Proof, undecided

MOST_STARTS = 1_000_000
"""In so many ways play may begin for them to be compared with their images."""


def nothing_stated() -> Answer:
    """The answer to a claim that moves nothing under its settings."""
    return Answer(PROVED, (Proof("induction", {"depth": 1}),), notes=("moves-nothing",))


def _symmetry(case: Case, limits: Limits) -> Answer:
    """Compares the successors of images with the images of successors, and the start and the outcomes."""
    stated = generators([case.claim])
    if not stated:
        return nothing_stated()
    try:
        elements, tools = [stated[0].still, *stated], tools_for(limits)
        space = CodeStates(case.game, None, case.chance, tools, symmetries=elements, watches=True)
    except (TooLarge, NoRowImage) as reason:
        return undecided(f"Nothing was decided: {reason}.")
    look = explored(case, limits, states=space)
    try:
        look.all()
        _judge(space)
    except NotSymmetric as found:
        return _refuted(case, space, found)
    except NoRowImage as reason:
        return undecided(f"Nothing was decided: {reason} is not compared.")
    if not look.exhaustive:
        return bounded(case, look)
    return answer(look, PROVED, (exploration(case, look),), {"states": look.seen})


def begins(case: Case, stated: Sequence[Symmetry], shown: Callable[[Symmetry], bool]) -> Answer | None:
    """Why it is not so, or was not found out, that play begins in images as often; none where it does.

    Where there are more ways to begin than are gone through, `shown` is asked.
    """
    try:
        space = CodeStates(case.game, None, case.chance, symmetries=[stated[0].still, *stated], watches=True)
        if not space.deeper(lambda: case.budget.exhausted, MOST_STARTS) and not all(map(shown, stated)):
            return undecided(f"Whether play begins in images as often: {space.stopped}.")
    except (TooLarge, NoRowImage) as reason:
        return undecided(f"Nothing was decided: {reason}.")
    except NotSymmetric as found:
        return _refuted(case, space, found)
    return None


def _refuted(case: Case, space: CodeStates, found: NotSymmetric) -> Answer:
    """The play to a position that is unlike its image."""
    play, _ = write_down(case.game, *space.play_to(found.number))
    return Answer(REFUTED, (Proof("play", {}, play),), space.engine, {"plies": len(play.plays)})


def _judge(space: CodeStates) -> None:
    """Compare the outcomes of plays with those of their images; NotSymmetric if one is another."""
    game = space.game
    ended = [number for number, x in enumerate(space.scan(BuiltinQuestion.ENDED)) if x]
    scores = [ScoreOf(p) for p in game.player.values if game.outcome.score is not None]
    questions: list[Question] = [BuiltinQuestion.WINNERS, *scores]
    held = {question: space.scan(question) for question in questions}
    for place, element in enumerate(space.folding.elements):
        images = space.folding.images(place, 0, space.states)
        other = {question: space.scan_rows(question, images, 0, space.states) for question in held}
        becomes = {int(p): int(element.one(game.player, p)) for p in game.player.values}
        for number in ended:
            won = sum(1 << becomes[p] for p in becomes if int(held[BuiltinQuestion.WINNERS][number]) >> p & 1)
            same = won == int(other[BuiltinQuestion.WINNERS][number]) and all(
                held[score][number] == other[ScoreOf(becomes[int(score.player)])][number] for score in scores
            )
            if not same:
                raise NotSymmetric(number, element)


DECIDERS: dict[str, Callable[[Case, Limits], Answer]] = {"symmetry": _symmetry}
