"""Properties of pairs of positions: of both games, of two plays that look the same, of a game and its images.

Each is *always* over a product (`rulespec.solver.pairs`): from any state by formulas, or by exploring all
pairs from the start. Invariants of single positions are granted only if needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import TypeVar

from rulespec.budgets import OutOfBudget
from rulespec.code import TooLarge
from rulespec.code.packed_rows.images import NoRowImage
from rulespec.core import nodes as n
from rulespec.core.symmetry import Leaves, Symmetry
from rulespec.core.types import Value
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED
from rulespec.core.verdicts.wording import plies
from rulespec.play.plays import Play, write_down
from rulespec.solver.explore import CodeStates, NotSymmetric
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.pairs import Correspondence, Incomparable
from rulespec.solver.pairs.agreement import EngineGaveUp, apart_anywhere, apart_at_start
from rulespec.solver.pairs.belief_states import (
    Beliefs,
    History,
    IndistinguishablePlays,
    KnowledgeCheck,
    told_apart,
)
from rulespec.solver.pairs.images import begins_alike, differences, generators
from rulespec.solver.pairs.indistinguishable_states import unknown_now
from rulespec.solver.pairs.lockstep import Lockstep, Mismatch

from .positions import Positions
from .problem import Answer, Case, Proof, helper_proofs, no_answer

EXPLORING = 0.6
"""The share of an exploration for every play of both games; the rest is for random ones."""
MOST_PAIRS, MOST_BELIEVED = 1_000_000, 300_000
"""Maximum number of pairs of positions, and of positions in beliefs."""
LONGEST_WALK = 300
"""Maximum number of plies of a random play."""

MOST_STARTS = 1_000_000
"""Maximum number of ways in which play begins that are compared with their images."""

T = TypeVar("T")


def _with_help(case: Case, apart: Callable[[Sequence[n.Expr]], T | None]) -> tuple[T | None, list[Proof]]:
    """A state in which both sides differ, if any, and the claims that helped. Raises OutOfBudget."""
    try:
        found = apart(())
        if not found or not case.helpers:
            return found, []
        return apart(case.helpers), [*helper_proofs(case)]
    except EngineGaveUp:
        raise OutOfBudget(case.ran_out) from None


def _answer_of_pairs(
    data: Mapping[str, object], counted: str, stopped: str, notes: tuple[str, ...] = ()
) -> Answer:
    """The answer of an exploration of pairs that found no difference; `counted` names their count."""
    counts = data["counts"]
    assert isinstance(counts, list)
    if not counts:
        return no_answer(f"Nothing was decided: {stopped}.")
    proofs, seen = (Proof("exploration", data),), {counted: sum(counts)}
    if data["closed"]:
        return Answer(PROVED, proofs, "interpreter", seen, notes)
    return Answer(BOUNDED, proofs, "interpreter", {"plies": len(counts) - 1, **seen}, notes, stopped=stopped)


# ---- two games


def left_out(both: Correspondence) -> tuple[dict[str, object], tuple[str, ...]]:
    """The evidence entry for variables that only one game has, and notes on what was not compared."""
    notes = () if both.sights is not None else ("sights-not-compared",)
    return ({"alone": both.alone} if both.alone else {}), notes


def _compare(ask: Callable[[Case, Correspondence], Answer | None], case: Case) -> Answer | None:
    try:
        return ask(case, Correspondence.claimed_correspondence(case.game, case.claim))
    except Incomparable as why:
        return no_answer(f"They cannot be compared: {why}.")


def same_from_any_state(case: Case) -> Answer | None:
    """The answer that both games do the same from any state; None if they may differ. Raises OutOfBudget."""
    return _compare(_same_from_any_state, case)


def _same_from_any_state(case: Case, both: Correspondence) -> Answer | None:
    """The answer if two games provably agree from any state, reachable or not; else None."""
    engine, seconds = case.solver, lambda: case.budget.seconds_left
    case.progress("whether both do the same in any state")
    try:
        if apart_at_start(both, engine, seconds, case.budget.check):
            return None
    except EngineGaveUp:
        raise OutOfBudget(case.ran_out) from None
    apart, helped = _with_help(
        case, lambda granted: apart_anywhere(both, engine, seconds, granted, case.budget.check)
    )
    if apart:
        return None
    data, notes = left_out(both)
    proof = Proof("induction", {"depth": 1, **data})
    return Answer(PROVED, (proof, *helped), engine.name, {"depth": 1}, notes)


def same_explored(case: Case, limits: Limits) -> Answer | None:
    """The answer of all plays of both games, or of random ones if those are too many."""
    return _compare(lambda one, both: _same_explored(one, both, limits), case)


def _same_explored(case: Case, both: Correspondence, limits: Limits) -> Answer:
    """Compare two games in pairs of positions, all of them or up to a limit, then along random plays."""
    lockstep, part = Lockstep(both), case.budget.part(EXPLORING, limits.seconds * EXPLORING)
    most = min(limits.most, MOST_PAIRS)
    apart = lockstep.explore(lambda: part.exceeded_limit or limits.until(), most, limits.depth)
    if apart is None and not lockstep.closed and limits.depth is None:
        rest, seed = case.budget.part(1.0, limits.seconds - part.seconds_spent), 0
        while apart is None and not (rest.exceeded_limit or limits.until()):
            apart, seed = lockstep.wander(str(seed), LONGEST_WALK), seed + 1
    if apart is not None:
        return _apart(case, both, apart)
    data, notes = left_out(both)
    seen = {"counts": list(lockstep.counts), "digest": lockstep.digest(), "closed": lockstep.closed}
    return _answer_of_pairs({**seen, **data}, "states", lockstep.stopped, notes)


def _apart(case: Case, both: Correspondence, apart: Mismatch) -> Answer:
    data, notes = left_out(both)
    play, _ = write_down(case.game, apart.chance, apart.moves)
    numbers = {"plies": len(play.plays)}
    return Answer(REFUTED, (Proof("play", data, play),), "interpreter", numbers, notes)


# ---- two plays that look the same to a player


def known_now(case: Case) -> Answer | None:
    """The answer that positions which look alike agree in all that must be known; None if they may differ.

    Raises OutOfBudget, TooWide.
    """
    if not any(var.hidden for var in case.game.state.values()):
        return Answer(PROVED, (Proof("refutation"),))
    engine, seconds = case.solver, lambda: case.budget.seconds_left
    case.progress("whether two positions that look the same can differ in what must be known")
    unknown, helped = _with_help(
        case, lambda granted: unknown_now(case.game, engine, seconds, granted, case.budget.check)
    )
    return Answer(PROVED, (Proof("refutation"), *helped), engine.name) if unknown is None else None


def known_explored(case: Case, limits: Limits) -> Answer:
    """The answer of an exploration of all beliefs that players can have."""
    part = case.budget.part(1.0, limits.seconds)
    found = [Beliefs(KnowledgeCheck(case.game, viewer)) for viewer in case.game.player.values]
    depth, stopped = -1, ""
    while not stopped and not all(one.closed for one in found) and depth != limits.depth:
        case.progress(f"the beliefs of players after {plies(depth + 1)}")
        for beliefs in (one for one in found if not one.closed):
            most = min(limits.most, MOST_BELIEVED)
            alike = beliefs.deeper(lambda: part.exceeded_limit or limits.until(), most)
            if alike is not None:
                return told_apart_by(case, alike)
            stopped = stopped or beliefs.stopped
        depth += not stopped
    layers = zip_longest(*(one.counts[: depth + 1] for one in found), fillvalue=0)
    digest = " ".join(one.digest(depth) for one in found) if depth >= 0 else ""
    closed = all(one.closed for one in found)
    data = {"counts": [sum(layer) for layer in layers], "digest": digest, "closed": closed}
    return _answer_of_pairs(data, "beliefs", stopped)


def told_apart_by(case: Case, alike: IndistinguishablePlays) -> Answer:
    """The answer of two plays that look the same to a player and differ in what must be known."""
    both = [write_down(case.game, one.chance, one.moves)[0] for one in alike[1:3]]
    problem = told_apart(case.game, both, alike.viewer)
    if problem:
        raise AssertionError(f"two plays of {case.game.id} that do not show what they should: {problem}")
    proofs = tuple(Proof("play", {"viewer": alike.viewer, "differs": alike.text}, play) for play in both)
    return Answer(REFUTED, proofs, "interpreter", {"plies": len(alike.first.moves)})


def unknown_by(case: Case, plays: Sequence[Play], viewer: Value) -> Answer:
    """The answer of two plays that look alike to a player, which the claim denies; see `told_apart`."""
    first, second = (History.of(case.game, play) for play in plays)
    return told_apart_by(case, KnowledgeCheck(case.game, viewer).alike(first, second))


# ---- a game and its images


def symmetric(case: Case) -> Answer:
    """The answer that the rules commute with each stated symmetry and starts are as frequent as their images.

    Raises OutOfBudget.
    """
    stated = generators([case.claim])
    if not stated:
        return _nothing_stated()
    engine = case.solver

    def apart(granted: Sequence[n.Expr]) -> str:
        each = (differences(case.game, one, granted, case.budget, engine) for one in stated)
        return next(filter(None, each), "")

    def alike(symmetry: Symmetry) -> bool:
        return begins_alike(case.game, symmetry, engine, lambda: case.budget.seconds_left)

    case.progress("positions and their images")
    try:
        found, helped = _with_help(case, apart)
        if found:
            words = f"Some position need not be like its image (in {found}); it may be out of reach."
            return no_answer(words, engine=engine.name)
        trouble = _begins(case, stated, alike)
    except (Leaves, Incomparable) as reason:
        return no_answer(f"Nothing was decided: {reason}.")
    except EngineGaveUp:
        raise OutOfBudget(case.ran_out) from None
    return trouble or Answer(PROVED, (Proof("induction", {"depth": 1}), *helped), engine.name)


def _nothing_stated() -> Answer:
    """The answer to a claim whose symmetries move nothing under its settings."""
    return Answer(PROVED, (Proof("induction", {"depth": 1}),), notes=("moves-nothing",))


def images_explored(case: Case, limits: Limits) -> Answer | None:
    """Compare the successors of images with the images of successors, and the start and the outcomes."""

    def compare(states: CodeStates) -> Answer:
        seen = Positions(case, limits, states=states)
        seen.all()
        states.folding.compare_ends()
        return seen.full_answer(PROVED, {}) if seen.exhaustive else seen.bounded_answer()

    stated = generators([case.claim])
    return _beside_images(case, limits, stated, compare) if stated else _nothing_stated()


def _begins(case: Case, stated: Sequence[Symmetry], shown: Callable[[Symmetry], bool]) -> Answer | None:
    """The answer if starts are less or more frequent than their images, or that stays open; else None.

    If there are too many ways to begin, `shown` decides.
    """

    def compare(states: CodeStates) -> Answer | None:
        if states.deeper(lambda: case.budget.exceeded_limit, MOST_STARTS) or all(map(shown, stated)):
            return None
        return no_answer(f"Whether play begins in images as often: {states.stopped}.")

    return _beside_images(case, Limits(case.budget.seconds_left, MOST_STARTS), stated, compare)


def _beside_images(
    case: Case, limits: Limits, stated: Sequence[Symmetry], compare: Callable[[CodeStates], Answer | None]
) -> Answer | None:
    """The answer of an exploration that compares each state with its images; None if it decides nothing."""
    elements = [stated[0].still, *stated]
    try:
        states = CodeStates(case.game, None, case.chance, symmetries=elements, watches=True)
        return compare(states)
    except NotSymmetric as unlike:
        return Positions(case, limits, states=states).settled_at(unlike.number, REFUTED)
    except (TooLarge, NoRowImage) as reason:
        return no_answer(f"Nothing was decided: {reason}.")
