"""Claims decided by the graph of all plays: counts, values, expectations, goals that stay within reach.

Every state and every action is stored, so the answers are exact; if not all states can be seen, there is no
answer (except counts within a completed number of plies).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import compress, repeat
from weakref import WeakKeyDictionary

from rulespec.budgets import OutOfBudget
from rulespec.code import TooLarge
from rulespec.code.codes import NONE
from rulespec.core import nodes as n
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import ESTIMATED, PROVED, REFUTED
from rulespec.core.verdicts.answer_form import WORTHS
from rulespec.core.verdicts.properties import Form
from rulespec.core.winners import TOGETHER
from rulespec.solver.explore import BuiltinQuestion
from rulespec.solver.explore.graph import Graph, Uncountable, count_sequences
from rulespec.solver.explore.markov_decision_process import NonTerminating, expected_value
from rulespec.solver.explore.monte_carlo import NoSample, Sample, Statistic, sample
from rulespec.solver.explore.sequence_form import NoGameValue
from rulespec.solver.explore.stages import MIXED, solve_stages
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.explore.states import NoValue
from rulespec.solver.reductions.influence import influential

from .positions import DIFFERENT, Positions, as_claimed, in_stages, no_value
from .problem import Answer, Case, Proof, no_answer

# ---- statistics


def statistic(case: Case, limits: Limits) -> Answer:
    """The number of positions with a property, of values that a number has, or of plays."""
    at, within = case.claim.options.get("at"), case.claim.options.get("within")
    if case.claim.options.get("of") == "plays":
        return _plays(case, limits, at)
    depth = at if at is not None else within
    seen = Positions(case, limits if depth is None else replace(limits, depth=depth))
    if not seen.all() and (depth is None or seen.depth < depth):
        return seen.incomplete_answer()
    if excused := seen.faulty():
        return excused
    layers = [*seen.layers()] if at is None else [*seen.layers()][at : at + 1]
    total = _number(seen, layers)
    return seen.full_answer(as_claimed(case, str(total)), {"value": total})


def _number(seen: Positions, layers: Iterable[tuple[int, int]]) -> int:
    """The number of matching positions in some layers, or of the values of `different` in them.

    A position matches if it has no fault and the claim's condition holds; none is not a value.
    """
    claim, total, values = seen.case.claim, 0, set[int]()
    different = isinstance(claim.options.get("different"), n.Expr)
    for layer in layers:
        faulted = seen.states.scan(BuiltinQuestion.FAULTED, *layer)
        held = seen.ask("{}", *layer) if claim.condition is not None else repeat(1)
        met = (bool(x) and not bad for x, bad in zip(held, faulted, strict=False))
        if different:
            values.update(map(int, compress(seen.ask(DIFFERENT, *layer), met)))
        else:
            total += sum(compress(seen.states.orbit_sizes(*layer), met))
    return len(values - {NONE}) if different else total


def _plays(case: Case, limits: Limits, at: int | None) -> Answer:
    """The number of plays, or of sequences of `at` actions, from an exploration no deeper than needed."""
    seen = Positions(case, limits if at is None else replace(limits, depth=at), ways=True)
    if not seen.all() and (at is None or seen.depth < at):
        return seen.incomplete_answer()
    try:
        total = Graph(seen.states).count_plays() if at is None else count_sequences(seen.states, at)
    except Uncountable as why:
        return no_answer(f"Nothing was decided: {why}.", final=True)
    return seen.full_answer(as_claimed(case, str(total)), {"value": total})


def estimate(case: Case, limits: Limits) -> Answer:
    """The mean of a number over random plays, from its sum and its sum of squares."""
    budget = case.budget.part(1.0, limits.seconds)
    try:
        drawn = _sample_of(case, lambda: budget.exceeded_limit)
    except (NoSample, TooLarge) as none:
        return no_answer(f"No sample was taken: {none}.")
    games, seed = _plays_sampled(case.claim)
    data = {"games": games, "seed": seed, "total": drawn.total, "squares": drawn.squares}
    return Answer(ESTIMATED, (Proof("sample", data),), "generated code", {"total": drawn.total})


def _plays_sampled(claim: Claim) -> tuple[int, int]:
    """The number of random plays that an estimate is about, and their seed."""
    return int(claim.options.get("games", 10_000)), int(claim.options.get("seed", 1))


def _sample_of(case: Case, stop: Callable[[], str]) -> Sample:
    """The sample of a claim, taken together with those of other claims about the same random plays."""
    game, claim, kept = case.game, case.claim, _samples.setdefault(case.game, {})
    plays = _plays_sampled(claim)
    if claim not in kept:
        alike = (one for one in game.claims.values() if one is not claim and one.kind == claim.kind)
        others = [one for one in alike if _plays_sampled(one) == plays]
        try:
            kept |= _samples_of(game, [claim, *others], stop)
        except NoSample:  # another number may be the reason
            kept |= _samples_of(game, [claim], stop)
    return kept[claim]


def _samples_of(game: Game, claims: Sequence[Claim], stop: Callable[[], str]) -> dict[Claim, Sample]:
    """Samples for claims about the same random plays."""
    asked = [Statistic(c.condition, "summed-over" in c.options) for c in claims if c.condition]
    return dict(zip(claims, sample(game, asked, *_plays_sampled(claims[0]), stop), strict=True))


_samples: WeakKeyDictionary[Game, dict[Claim, Sample]] = WeakKeyDictionary()
"""The samples that were taken of a game's random plays."""


# ---- best play and random play


def value(case: Case, limits: Limits) -> Answer:
    """The value of best play from every deal, by retrograde analysis."""
    if none := no_value(case):
        return no_answer(f"Nothing was decided: {none}.")
    if in_stages(case):
        return expectation(case, limits)
    seen = Positions(_judged_alone(case), limits, ways=True)
    if excused := seen.incomplete():
        return excused
    try:
        worth = Graph(seen.states).values(case.claim.id if case.claim.condition is not None else None)
    except NoValue as why:
        hint = " Ask what is `expected`." if case.game.has_chance_in_play else ""
        return no_answer(f"Nothing was decided: {why}.{hint}", final=str(why) == TOGETHER)
    values = sorted({int(x) for x in worth[: seen.states.counts[0]]})
    numbers = {"value": values[0]} if len(values) == 1 else {"at_least": values[0], "at_most": values[-1]}
    return seen.full_answer(as_claimed(case, named_worth(case, values)), numbers)


def _judged_alone(case: Case) -> Case:
    """A case whose game has only the variables that matter for plies, ends and the value of an end."""
    won = case.game.outcome
    judged = [won.score, won.winners, *(number for _, number in won.ties)]
    asked = [e for e in judged if e is not None] if case.claim.condition is None else [case.condition]
    return replace(case, game=influential(case.game, asked))


def named_worth(case: Case, values: Sequence[int]) -> str:
    """The result of best play as a claim names it; `values` are those of all deals, ascending."""
    return " or ".join(WORTHS[x] if case.claim.condition is None else str(x) for x in values)


def expectation(case: Case, limits: Limits) -> Answer:
    """The exact mean of a number, under best play with full information, or under random play.

    Also the value of best play with simultaneous choices, if that is such a mean.
    """
    options = case.claim.options
    best = options.get("policy", "best") == "best"
    if best and (none := no_value(case)):
        return no_answer(f"Nothing was decided: {none}.")
    seen = Positions(case, limits, ways=True)
    if excused := seen.incomplete():
        return excused

    if best and "others" not in options and Graph(seen.states).has_unequal_wins():
        return no_answer(f"Nothing was decided: {TOGETHER}.", final=True)
    most = options.get("wants", "most") == "most" if best else None
    name, summed = case.claim.id if case.claim.condition is not None else None, "summed-over" in options
    try:
        if in_stages(case):
            found = solve_stages(seen.states, name, most is True, summed, case.mixes, seen.check)
            mean, proof = found.mean, Proof("stages", found.data)
        else:
            team = options.get("who"), options.get("others")
            mean = expected_value(seen.states, case.claim.id, most, summed, seen.check, *team)
            proof = Proof("fraction", {"is": str(mean)})
    except (NonTerminating, NoValue) as endless:
        return no_answer(f"There is no expectation: {endless}.")
    except (NoGameValue, OutOfBudget) as why:
        return no_answer(f"Nothing was decided: the equations were not solved ({why}).")
    if case.prop.form is Form.EXPECTATION:
        return seen.full_answer(as_claimed(case, mean), {}, proof)
    if mean.denominator > 1 or case.game.has_chance or (name is None and proof.data["stages"]):
        return no_answer(f"Nothing was decided: {MIXED}.", final=True)
    return seen.full_answer(as_claimed(case, named_worth(case, [int(mean)])), {"value": int(mean)}, proof)


# ---- goals that stay within reach


def recoverable(case: Case, limits: Limits) -> Answer:
    """The answer to whether the goal can be reached from every position within the claimed plies."""
    seen, within = Positions(case, limits, ways=True), case.claim.options.get("within")
    if excused := seen.incomplete():
        return excused
    lost, most = Graph(seen.states).first_dead_end(seen.ask("{}"))
    if lost is not None:
        return seen.settled_at(lost, REFUTED, seen.proof)
    return seen.full_answer(PROVED if within is None or most <= within else REFUTED, {"value": most})
