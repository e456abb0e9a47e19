"""Every method asked by itself of every claim of a game, and its answers held against the truth."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED, UNDECIDED, Store, Verdict
from rulespec.core.verdicts.lemmas import assume
from rulespec.core.verdicts.properties import PROPERTIES
from rulespec.solver.claims.loading import Loader
from rulespec.solver.claims.prove import prove
from rulespec.solver.claims.recheck import judge_of, recheck
from rulespec.solver.evidence.problem import Answer, Case, Proof, no_answer
from rulespec.solver.evidence.replay import by_play_alone
from rulespec.solver.methods import deals, seats
from rulespec.solver.methods.table import METHODS
from rulespec.solver.methods.verdicts import blank, verdict_of

from .brute_force import KINDS, truth
from .judging import wrong
from .resources import ENGINE, Work, installed
from .space import Space, branches
from .truth import Truth, Unknown

LOOKS = 60
"""The work of a method for a claim, in looks at the budget."""
LOOKS_AT_EACH = 3
"""Further looks for each position of a method that goes through them, but for every third claim."""
LOOKS_AT_PLAYS = 6
"""The same for a method that tries plays for as long as it may."""
EACH, RECHECKING = 4.0, 20.0
"""Seconds of the clock that `prove` and `recheck` have for a claim."""
USUAL = "prove"
"""The name under which the methods are asked in their order."""
ASKED: frozenset[str] = frozenset()
"""The names of the methods that are asked; all if there are none."""
FORGED = "forged"
"""In the place of a method: forged verdicts are given to the judge."""
ONE_DEAL = ", one deal"
"""The end of the name of a method that was asked about one deal."""
EXPLORING = ("exploration", "memory")
"""The beginnings of the names of methods that go through positions."""
BEHALF = ("winnable", "share_of_deals", "every_deal")
"""Kinds of claim for which another claim is asked of each player, or of each deal."""

OF_ONE_DEAL = [kind for kind, stated in PROPERTIES.items() if stated.takes("from")]


@dataclass(frozen=True)
class Decision:
    """The decision of a method on a claim.

    `outcome` is that of the answer. `wrong` says what contradicts the truth, what was raised, or why the
    evidence did not pass; empty where all is well. `checked` are the kinds of evidence gone through.
    """

    claim: str
    kind: str
    method: str
    helped: bool
    outcome: str
    wrong: str = ""
    checked: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The method with whether it was helped."""
        return name_of(self.method, self.helped)


def name_of(method: str, helped: bool) -> str:
    """The name of a method that was helped or not."""
    return f"{method}, helped" if helped else method


def asked_kinds() -> frozenset[str]:
    """The kinds of claim of the methods that are asked, and of what helps them."""
    if not ASKED or FORGED in ASKED:
        return frozenset(KINDS)
    kinds = {kind for name in ASKED if name in METHODS for kind in METHODS[name].kinds}
    return frozenset({"invariant", *BEHALF, *kinds})


def known_truths(space: Space, kinds: Collection[str] = KINDS) -> dict[str, Truth]:
    """The truths of the claims of a game of some kinds, as far as they are worked out."""
    found: dict[str, Truth] = {}
    for claim in space.game.claims.values():
        if claim.kind not in kinds:
            continue
        try:
            found[claim.id] = truth(space, claim)
        except (Unknown, RulesetError):
            continue
    return found


def decisions(
    space: Space,
    truths: Mapping[str, Truth],
    checked: Callable[[], bool] = lambda: True,
    only: tuple[str, str] | None = None,
    deal: tuple[str, ...] | None = None,
) -> Iterator[Decision]:
    """The decisions of each method on each claim with a known truth.

    Each is asked without help and with the verdicts on the invariants, right and wrong ones. Evidence is gone
    through where `checked` says so. With `only` one claim is asked, by one method, under the name of its
    decisions. With a `deal`, from which `space` begins, each is asked about that.
    """
    game = space.game
    held = [c for c in game.claims.values() if c.kind == "invariant" and c.id in truths]
    helpers = {claim.id: _verdict_on(game, claim, truths[claim.id]) for claim in held}
    for number, claim in enumerate(game.claims.values()):
        if claim.id not in truths or (only is not None and claim.id != only[0]):
            continue
        helping = {name: verdict for name, verdict in helpers.items() if name != claim.id}
        for settled in ({}, helping) if helping and deal is None else ({},):
            for name, attempt in attempts(game, claim):
                if only is not None and only[1] != name_of(name, bool(settled)):
                    continue
                looks = LOOKS_AT_PLAYS if name == "breaking plays" else LOOKS
                if name.startswith(EXPLORING) and number % 3:
                    looks += LOOKS_AT_EACH * len(space)
                case = Case(game, claim, Work(looks), deal, lemmas=assume(settled), engine=ENGINE)
                with installed():
                    found = _decided(space, case, name, attempt, truths[claim.id], checked)
                if found is not None:
                    yield found


def of_deals(
    space: Space,
    deals: Iterable[tuple[str, ...]],
    checked: Callable[[], bool] = lambda: True,
    only: tuple[str, str] | None = None,
) -> Iterator[Decision]:
    """The decisions about some deals of a game, by methods whose names end with `ONE_DEAL`."""
    for deal in deals:
        of_one = Space(space.game, len(space), len(space) * len(space), deal)
        asked = only and (only[0], only[1].removesuffix(ONE_DEAL))
        for one in decisions(
            of_one,
            known_truths(of_one, OF_ONE_DEAL),
            checked,
            asked,
            deal,
        ):
            yield replace(one, method=one.method + ONE_DEAL)


def deals_of(space: Space) -> list[tuple[str, ...]]:
    """The outcomes of chance of each way in which play can begin."""
    return [ply.outcomes for ply, _ in branches(space.machine.start)]


def _verdict_on(game: Game, claim: Claim, known: Truth) -> Verdict:
    fails = Answer(REFUTED, numbers={"plies": known.soonest or 0})
    return blank(game, claim, Answer(PROVED) if known.holds else fails, 0.0)


Attempt = Callable[[Case], Answer | None]


def attempts(game: Game, claim: Claim) -> Iterator[tuple[str, Attempt]]:
    """The methods for a claim; where others are asked on its behalf, each of these for all of them."""
    if claim.kind in BEHALF:
        kind = "reachable" if claim.kind == "winnable" else deals.claim_of_deal(game, claim).kind
        for name, method in METHODS.items():
            if kind in method.kinds and name in (ASKED or METHODS):
                yield name, _on_behalf(method)
        return
    for name, method in METHODS.items():
        if claim.kind in method.kinds and name in (ASKED or METHODS):
            yield name, method


def _on_behalf(method: Attempt) -> Attempt:
    def one(case: Case) -> Answer:
        return by_play_alone(case.game, case.claim, method(case) or no_answer("Nothing was decided."))

    return lambda case: (seats if case.claim.kind == "winnable" else deals).decide(case, one)


def _decided(
    space: Space,
    case: Case,
    name: str,
    attempt: Attempt,
    known: Truth,
    checked: Callable[[], bool],
) -> Decision | None:
    claim = case.claim
    told = Decision(claim.id, claim.kind, name, bool(case.lemmas), "raised")
    try:
        answer = attempt(case)
        if answer is None:
            return None
        told = replace(told, outcome=answer.outcome)
        if answer.outcome == UNDECIDED or _says_nothing(answer):
            return replace(told, outcome=UNDECIDED)
        problem = wrong(space, case, answer, known)
        if problem:
            return replace(told, wrong=f"{answer.outcome}, {dict(answer.numbers)}, but {problem}.")
        if claim.kind in BEHALF or not checked():
            return told
        refused = _refused(case, answer)
        return replace(told, checked=tuple(sorted({p.kind for p in answer.proofs})), wrong=refused)
    except Exception:
        return replace(told, wrong=traceback.format_exc(limit=-6))


def _says_nothing(answer: Answer) -> bool:
    """True if an answer about deals decided none of them."""
    numbers = answer.numbers
    return {"held", "failed"} <= numbers.keys() and not numbers["held"] + numbers["failed"]


def _refused(case: Case, answer: Answer) -> str:
    """Why the evidence of an answer does not pass; empty if it does, or could not be checked in time."""
    store = Store(lemma.verdict for lemma in case.lemmas.values())
    verdict = verdict_of(case, answer, store)
    store.put(verdict)
    assert isinstance(case.budget, Work)
    until = Work((2 if answer.outcome == BOUNDED else 20) * max(LOOKS, case.budget.looks))
    judge = judge_of(store, until, engine=ENGINE, chance=case.chance)
    check = judge.check(case.game, case.claim, verdict)
    return f"{verdict.statement} Its evidence does not pass: {check.text}" if check.passed is False else ""


def usual(space: Space, truths: Mapping[str, Truth], loader: Loader) -> Iterator[Decision]:
    """The decisions of `prove`, which asks the methods in its order, and of `recheck` on its verdicts."""
    store = Store()
    for verdict in prove(loader, each=EACH, store=store):
        claim = space.game.claims[verdict.claim]
        proofs = tuple(Proof(e.kind, e.data) for e in verdict.evidence)
        answer = Answer(verdict.outcome, proofs, numbers=verdict.numbers)
        told = Decision(claim.id, claim.kind, USUAL, False, verdict.outcome)
        if claim.id in truths and verdict.outcome != UNDECIDED:
            problem = wrong(space, Case(space.game, claim, Work(LOOKS)), answer, truths[claim.id])
            told = replace(told, wrong=problem and f"{verdict.outcome}, {verdict.statement} But {problem}.")
        yield told
    for check in recheck(store, loader, each=RECHECKING):
        if check.passed is False:
            kind, text = (
                check.verdict.kind,
                f"{check.verdict.statement} Its evidence does not pass: {check.text}",
            )
            yield Decision(check.verdict.claim, kind, USUAL, False, check.verdict.outcome, text)
