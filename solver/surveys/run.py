"""A whole survey: stored answers are reused, missing ones are decided. Also the check of stored answers."""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

from rulespec.budgets import Budget, cores, map_unordered
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import Verdict
from rulespec.core.verdicts.lemmas import current_verdicts, helpers_of
from rulespec.executors import Executor, Processes, Rules
from rulespec.language import load, locate
from rulespec.simulation.result_file import DatabaseError
from rulespec.solver.claims.answers import SUBJECT, Answers, Deal, DealAnswer, ask
from rulespec.solver.claims.gate import Gate
from rulespec.solver.claims.options import CallLimits
from rulespec.solver.claims.recheck import check_deal
from rulespec.solver.claims.solve import NoPuzzle, puzzle

from .report import Survey, report

EACH = 60.0
"""The default of `each`: seconds for each deal."""

Progress = Callable[[int, int, str], None]
"""Called with the number of finished deals, the total, and a word about the last."""


def silent(done: int, deals: int, words: str) -> None:
    """Ignores progress."""


def seeds(number: int, first: int = 0) -> list[Deal]:
    """The given number of deals, by consecutive seeds from `first` on."""
    return [Deal(str(seed)) for seed in range(first, first + number)]


@dataclass(frozen=True)
class SurveyOptions(CallLimits):
    """The options of a survey; a deal has 60 s without `each`.

    Attributes:
        first: the first seed, if deals are given by their number.
        players, parameters, readings: the setting of the game.
        jobs: the number of deals decided in parallel on this machine; by default one for each core.
        executor: decides the deals instead of processes of this machine.
        database: the file that stores the answers; by default one in the user's cache folder that belongs to
            the rules and the claim. Decided deals in it are not asked again, open ones only
            with a larger budget.
    """

    first: int = 0
    players: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    jobs: int | None = None
    executor: Executor | None = None
    database: str | Path | None = None


def survey(
    ruleset: str,
    deals: Sequence[Deal] | int,
    claim: str | None = None,
    *,
    progress: Progress = silent,
    **fields: Any,
) -> Survey:
    """Ask a claim of many deals, and return the report on the answers.

    Args:
        ruleset: a name or a path.
        deals: the deals, or their number for consecutive seeds.
        claim: a claim that can be asked of a deal; by default the one meant for that.
        progress: receives the number of finished deals, the total, and a word about the last.
        fields: those of `SurveyOptions`. Deals that are not decided by the end of `timeout`, before their own
            time is over, are left out.

    Raises:
        RulesetError: the ruleset is faulty.
        NoPuzzle: the claim cannot be asked of a deal, or nothing is dealt.
        ChanceError: a deal is impossible.
        DatabaseError: the file holds something else.
        ValueError: there is no deal.
    """
    with survey_with_answers(ruleset, deals, claim, progress=progress, **fields) as (found, _):
        return found


@contextmanager
def survey_with_answers(
    ruleset: str,
    deals: Sequence[Deal] | int,
    claim: str | None,
    *,
    progress: Progress = silent,
    **fields: Any,
) -> Iterator[tuple[Survey, Answers]]:
    """A survey (see `survey`) together with its open database of answers. Raises ValueError, NoPuzzle."""
    options = SurveyOptions(**fields)
    asked_of = seeds(deals, options.first) if isinstance(deals, int) else list(dict.fromkeys(deals))
    if not asked_of:
        raise ValueError("a survey asks at least one deal")
    game = load(ruleset, options.players, options.parameters, options.readings)
    asked, memory, engine = puzzle(game, claim), options.memory, options.engine
    if not game.has_chance:
        raise NoPuzzle(f"nothing is dealt in `{game.id}`: `rulespec solve` asks this once")
    rules, limits, call = Rules.of(game, ruleset), Budget(options.each or EACH, memory), options.budget
    file = None if options.database is None else Path(options.database)
    with Answers.open(game, asked, rules, file) as kept:
        missing = [deal for deal in asked_of if not kept.suffices(deal, limits)]
        done = len(asked_of) - len(missing)
        progress(done, len(asked_of), "")
        begun = takewhile(lambda deal: call.seconds_left > 0, missing)
        if missing:
            gate = Gate.beside(locate(ruleset), partial(load, ruleset), memory=memory, engine=engine)
            lemmas = [*gate.lemmas(game, asked, call.part(1.0, limits.seconds)).values()]
            work = options.executor or Processes(options.jobs or cores())
            answers = ask(
                kept, work, game, rules, asked.id, begun, limits,
                lemmas=lemmas, engine=engine, whole=call, least=limits.seconds,
            )  # fmt: skip
            for item in answers:
                done += 1
                progress(done, len(asked_of), f"{item.deal.key}: {item.verdict.outcome}")
        rows = [*kept.rows(deal.key for deal in asked_of)]
        yield report(game, asked, kept.path, rows, len(asked_of)), kept


# ---- going through answers again


@dataclass(frozen=True)
class DealCheck:
    """The check of the answer to one deal."""

    ruleset: str
    claim: str
    deal: str
    passed: bool | None
    """True, False, or None if there is nothing to check or the budget did not suffice."""
    text: str
    """The checks performed, or the fault found."""
    rests_on: tuple[str, ...] = ()
    """The claims that helped to decide it."""


def recheck(
    path: Path,
    sample: int | None = None,
    *,
    jobs: int | None = None,
    progress: Progress = silent,
    **limits: Any,
) -> list[DealCheck]:
    """Check the answers in a database without trusting them: all, or an unpredictable sample.

    `limits` are those of `CallLimits`; an answer has 60 s without `each`, and answers not begun by the end of
    `timeout` are left out.

    Raises DatabaseError for a file without a survey or with one about other rules, and the errors of loading.
    """
    options = CallLimits(**limits)
    memory, engine, each = options.memory, options.engine, options.each
    if not path.is_file():
        raise DatabaseError(f"there is no file `{path}`")
    call = options.budget
    game, claim, ruleset = _subject(path)
    with Answers(path, Answers.subject(game, claim)) as kept:
        deals = kept.deals()
        if sample is not None and sample < len(deals):
            chosen = set(random.SystemRandom().sample(range(len(deals)), sample))
            deals = [deal for number, deal in enumerate(deals) if number in chosen]
        loader = partial(load, ruleset)
        gate = Gate.beside(locate(ruleset), loader, memory=memory, engine=engine, jobs=jobs or cores())
        known = [*current_verdicts(gate.store, game).values()]
        answer: dict[str, DealCheck] = {}
        progress(0, len(deals), "")

        def budget() -> Budget:
            return call.part(1.0, each or EACH)

        def check(read: Read, send: Callable[[str], None]) -> DealCheck:
            return _check(game, claim, read, known, budget(), engine)

        for (deal, _), result in map_unordered(check, _answers(kept, deals), jobs or cores(), budget):
            late = DealCheck(game.id, claim.id, deal, None, f"it could not be checked within {result}")
            answer[deal] = result if isinstance(result, DealCheck) else late
            progress(len(answer), len(deals), deal)
    answers = [answer[deal] for deal in deals]
    names = {name for one in answers if one.passed for name in one.rests_on}
    helped = [verdict for verdict in known if verdict.claim in names]
    gate.check(helped, call.part(1.0, max(1, len(helped)) * (each or EACH)))
    standing = {verdict.claim for verdict in helped if gate.standing(verdict)}
    return [_revoke_unsupported(one, standing) for one in answers]


def _revoke_unsupported(one: DealCheck, standing: Container[str]) -> DealCheck:
    """A check, revoked if a claim that helped with the answer did not pass."""
    for name in one.rests_on if one.passed else ():
        if name not in standing:
            return replace(one, passed=None, text=f"not checked: it rests on `{name}`, which did not pass")
    return one


def _subject(path: Path) -> tuple[Game, Claim, str]:
    """The game and claim named in a database, under the present rules, and the name of the ruleset.

    Raises DatabaseError.
    """
    noted = Answers.read_asked(path)
    how = noted.get("load")
    if not isinstance(how, dict) or not _loads(how):
        raise DatabaseError(f"{path}: no database of answers")
    game = load(how["ruleset"], how["players"], how["parameters"], how["readings"])
    claim = game.claims.get(str(noted.get("claim")))
    if claim is None or Answers.subject(game, claim) != {name: noted.get(name) for name in SUBJECT}:
        raise DatabaseError(f"{path}: the rules or the claim have changed since these answers were found")
    return game, claim, str(how["ruleset"])


def _loads(how: object) -> bool:
    """True if a database's description of its ruleset and settings has the right form."""
    if not isinstance(how, dict) or how.keys() != {"ruleset", "players", "parameters", "readings"}:
        return False
    if not isinstance(how["ruleset"], str) or type(how["players"]) not in (int, type(None)):
        return False
    forms = {"parameters": int | str | list, "readings": str}
    settings = [(how[name], form) for name, form in forms.items()]
    return all(isinstance(x, dict) and all(isinstance(y, form) for y in x.values()) for x, form in settings)


Read = tuple[str, DealAnswer | str]
"""A deal with its answer, or with the fault in it."""


def _answers(kept: Answers, deals: Iterable[str]) -> Iterator[Read]:
    """Yield each deal with its stored answer, or with the error that damaged it."""
    for deal in deals:
        try:
            yield deal, kept.whole_answer(deal)
        except DatabaseError as error:
            yield deal, str(error)


def _check(
    game: Game, claim: Claim, read: Read, known: Sequence[Verdict], budget: Budget, engine: str | None
) -> DealCheck:
    """Check one answer: it must be about this deal, and its evidence must settle the claim."""
    deal, answered = read

    def result(passed: bool | None, text: str, rests_on: tuple[str, ...] = ()) -> DealCheck:
        return DealCheck(game.id, claim.id, deal, passed, text, rests_on)

    if isinstance(answered, str):
        return result(False, answered)
    verdict, seed = answered.verdict, answered.deal.seed
    if verdict.claim != claim.id:
        return result(False, f"it is about the claim `{verdict.claim}`")
    if answered.deal.key != deal or (seed is not None and Deal(seed).outcomes(game) != answered.chance):
        return result(False, "it is about another deal")
    records, chance = answered.records, answered.chance
    check = check_deal(game, verdict, records, chance, budget, engine=engine, known=known)
    return result(check.passed, check.text, tuple(helpers_of(verdict)))
