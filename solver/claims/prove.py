"""Deciding the claims of a ruleset, under one setting or under every reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from rulespec.budgets import Allowance, Budget
from rulespec.core.digest import of_claim
from rulespec.core.game import Claim, Game
from rulespec.core.lemmas import Lemma, assumed, current, helpers_of, rests_on
from rulespec.core.properties import Form, Over, property_of
from rulespec.core.store_file import StoreFile
from rulespec.core.verdicts import STRENGTH, Store, Verdict, says_less
from rulespec.executors import Executor, Rules
from rulespec.play.plays import Play
from solver.claims.loading import Loader
from solver.evidence.checks import Check
from solver.evidence.problem import Case, Progress, silent, undecided
from solver.methods.deals import of_all
from solver.methods.verdicts import blank

from .asking_deals import spread
from .gate import NAMED, Gate, conditional
from .interrupts import uninterrupted
from .proposals import other_readings
from .settings import settings
from .spreading import Deciding, Part, reply_of
from .worker import Questions, Readings, Reply, Request, written

ORDER = ("invariant", "never_faults", "never_stuck", "terminates", "symmetry")
"""Kinds that help others come first, in this order."""


Load = Callable[[Readings], Game]
"""Gives the game under some readings."""
Decided = Callable[[Verdict, int, int], None]
"""Told each verdict with its number, from 1, and how many questions there are."""


EACH = 60.0
"""The default of `each`, in seconds, if `timeout` is not given either."""
BRIEFLY, MOST_CHECKED = 10.0, 50
"""The most seconds for the checks of stored verdicts that are taken as they are, and how many are checked;
those under the default readings come first."""
LEFT = "the time for checks was over: `rulespec recheck` gives it more"
UNAIDED = 0.5
"""The share of the time for a claim without lemmas that were not checked, before these are assumed."""


def prove(
    loader: Loader,
    claims: Sequence[str] | None = None,
    *,
    all_readings: bool = False,
    timeout: float | None = None,
    each: float | None = None,
    memory: int = 4_000,
    engine: str | None = None,
    executor: Executor | None = None,
    ruleset: str = "",
    progress: Progress = silent,
    store: Path | Store | None = None,
    reuse: bool = False,
    retry: bool = True,
    doubt: bool = True,
    parameters: Mapping[str, int | str] | None = None,
    readings: Mapping[str, str] | None = None,
    players: int | None = None,
    known: Container[tuple[str, ...]] = (),
    decided: Decided = lambda verdict, number, total: None,
    left_out: Callable[[str, int], None] = lambda claim, settings: None,
    checked: Callable[[Check], None] = lambda check: None,
) -> list[Verdict]:
    """Decide claims (all, or those named) and give their verdicts in the order in which they fell.

    Each verdict says how it stands, and how those stand that it rests on. Nothing helps to decide a claim
    before it was checked (see `gate`).

    `timeout` in seconds bounds the whole call: each question, a claim under a setting, has an equal share of
    the time left, so later ones inherit what easy ones did not use. `each` bounds every question; if neither
    is given it is 60. `memory` in megabytes bounds this process and its children together. A question that
    runs out is undecided. Once the total time is spent, claims still get a verdict under the default setting;
    `left_out` receives each claim with the number of its other settings that were not asked.

    With `all_readings` each claim is asked under every reading (see `settings`), with
    readings given by the caller left as they are. With `reuse` a stored verdict that is still about the
    same game and claim is taken as it is if it is settled, without `retry` whatever it is; so are those of
    claims that help and were not named. At the end, such verdicts without a stamp are checked, for at most 10
    seconds, and `checked` receives the checks; one that does not stand then is `unchecked`, and one that is
    wrong is removed from the store. One that says less than the stored one does not replace it. A `store`
    that is a path is read first and written after each verdict, so an interrupt keeps what was
    decided. Of `known` subjects the stored verdicts are taken unseen: the caller has found that they are
    about the rules as they are. With `doubt` claims that hold are asked whether they say anything. `decided`
    is told each verdict.

    An `executor`, which loads the ruleset by its name or path `ruleset`, decides deals, and other readings of
    a claim once it is decided under the default ones. Its answers to deals are kept in the user's cache.

    Raises KeyError for a claim that there is not, StoreError for a damaged store, and what the
    loader and the executor raise.
    """
    allowed = Allowance(timeout, each, memory, EACH)
    file = StoreFile(store) if isinstance(store, Path) else None
    usual = dict(readings or {})

    def load(chosen: Mapping[str, str]) -> Game:
        return loader(parameters=dict(parameters or {}), readings=dict(chosen), players=players)

    game = load(usual)
    asked = [
        (c, changed) for c in in_order(game, claims) for changed in settings(game, c, all_readings, usual)
    ]
    unfiled = store if isinstance(store, Store) else Store()
    work = _Work(
        Questions(load, (usual, game), progress),
        Gate(loader, unfiled if file is None else file, memory, engine, progress=progress),
        allowed,
        file,
        unfiled,
        reuse,
        retry,
        frozenset(game.claims if claims is None else claims),
        engine,
        doubt,
        None if executor is None else Spreading(executor, ruleset),
    )
    found: list[Verdict] = []
    waiting: list[tuple[Verdict, int, Readings]] = []
    unasked: Counter[str] = Counter()

    def tell(verdict: Verdict, number: int) -> None:
        found.append(work.gate.result(verdict))
        decided(found[-1], number, len(asked))

    def take(verdict: Verdict, number: int, chosen: Readings) -> None:
        """Pass on a verdict that stands or says nothing; others wait for a check at the end."""
        if work.gate.standing(verdict) or not STRENGTH[verdict.outcome]:
            tell(verdict, number)
        else:
            waiting.append((verdict, number, chosen))

    with closing(work.questions):
        several: dict[int, Readings] = {}
        for number, (claim, changed) in enumerate(asked, 1):
            chosen = {**changed, **usual}
            taken = work.store.of_setting(game, claim, chosen)
            work.waiting = len(asked) - number + 1
            if taken is not None and taken.subject in known:
                take(taken, number, chosen)
            elif changed and allowed.over:
                unasked[claim.id] += 1
            elif changed and work.spreads(claim):
                several[number] = chosen
            else:
                setting = load(chosen) if changed else game
                if not changed or not work.is_settled(setting, claim.id):
                    take(work.verdict(setting, chosen, claim.id), number, chosen)
            if several and (number == len(asked) or asked[number][0] is not claim):
                for at, verdict in work.verdicts([*several.items()], load, claim.id):
                    if verdict is None:
                        unasked[claim.id] += 1
                    else:
                        take(verdict, at, several[at])
                several.clear()
        first = sorted((verdict for verdict, *_ in waiting), key=lambda verdict: bool(verdict.readings))
        work.check(first[:MOST_CHECKED], allowed.call.part(1.0, BRIEFLY))
        for verdict, number, under in waiting:
            removed = verdict.key in work.removed
            tell(work.verdict(load(under), under, verdict.claim) if removed else verdict, number)
    subjects = {verdict.subject for verdict, *_ in waiting}
    for verdict, *_ in waiting:
        checked(work.gate.checks.get(verdict.subject) or Check(verdict, None, LEFT))
    for check in work.gate.checks.values():
        if check.verdict.subject not in subjects:
            checked(check)
    for name, settings_left in unasked.items():
        left_out(name, settings_left)
    return found


def in_order(game: Game, names: Sequence[str] | None) -> list[Claim]:
    """Claims such that those that help others come before them. KeyError for an unknown name."""
    wanted = [game.claims[name] for name in (names if names is not None else game.claims)]
    rank = {kind: i for i, kind in enumerate(ORDER)}
    listed: list[Claim] = []
    entered: list[Claim] = []

    def add(claim: Claim) -> None:
        if claim in entered:
            return
        entered.append(claim)
        for name in helpers_named(game, claim):
            if name in game.claims and game.claims[name] in wanted:
                add(game.claims[name])
        listed.append(claim)

    for claim in sorted(wanted, key=lambda c: rank.get(c.kind, len(rank))):
        add(claim)
    return listed


def helpers_named(game: Game, claim: Claim) -> Sequence[str]:
    """The claims that a claim, or the one that it asks of many deals, names as helping it.

    An exception among deals is sought at once; whoever wants helpers for that names them.
    """
    of_deals = property_of(claim).over is Over.DEALS and (claim.kind != "every_deal" or of_all(claim))
    return (game.claims[claim.options["asks"]] if of_deals else claim).helped_by


class Spreading(NamedTuple):
    """An executor that deals or readings are given to, and the name or path by which it loads the ruleset."""

    executor: Executor
    ruleset: str


@dataclass
class _Work:
    """What is shared between the claims and settings of one run."""

    questions: Questions
    gate: Gate
    allowed: Allowance
    file: StoreFile | None
    unfiled: Store
    """The store of a run without a file."""
    reuse: bool
    retry: bool
    asked: Container[str]
    """The claims that are to be decided; of others, which help, what is stored is taken."""
    engine: str | None
    doubt: bool
    spreading: Spreading | None = None
    waiting: int = 1
    """The number of questions that share the time left."""
    settled: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    """Verdicts by the digests of the game and of the claim; a reading may change the second alone."""
    removed: set[tuple[str, str, str]] = field(default_factory=set)
    """The keys of stored verdicts that were wrong, or rested on such."""
    open: set[tuple[str, str]] = field(default_factory=set)
    """The digests of games and claims that are being decided."""

    @property
    def store(self) -> Store:
        """The store with the verdicts so far."""
        return self.unfiled if self.file is None else self.file.store

    def is_settled(self, game: Game, name: str) -> bool:
        """True if the claim was decided in a setting in which rules and claim mean the same."""
        return _digests(game, game.claims[name]) in self.settled

    def verdict(self, game: Game, readings: Mapping[str, str], name: str) -> Verdict:
        """The verdict on a claim in a setting, kept in the store."""
        claim = game.claims[name]
        digests = _digests(game, claim)
        if digests in self.settled:
            return self.settled[digests]
        known = self._known(game, claim)
        verdict = self._reused(name, known)
        if verdict is None:
            self.open.add(digests)
            self._helpers(game, readings, claim)
            self.open.discard(digests)
            verdict = self._stronger(known, self._decide(game, readings, claim))
        self.settled[digests] = verdict
        return verdict

    def check(self, verdicts: Sequence[Verdict], budget: Budget) -> None:
        """Check stored verdicts; those that fail, and those that rest on them, leave the store."""
        self.gate.check(verdicts, budget)
        failed = {v.key for v in self.store if self.gate.has_failed(v)}
        if not failed:
            return
        while more := {v.key for v in self.store if failed & _keys_under(v)} - failed:
            failed |= more
        self.removed |= failed
        self.settled = {digests: v for digests, v in self.settled.items() if v.key not in failed}
        with self.file.locked() if self.file is not None else nullcontext(self.unfiled) as store:
            store.drop([v for v in store if v.key in failed])
            if self.file is not None:
                self.file.write()

    def _reused(self, name: str, known: Verdict | None) -> Verdict | None:
        """The stored verdict on a claim, if it is taken as it is."""
        reuse = known is not None and (self.reuse or name not in self.asked)
        settled = known is not None and (not self.retry or STRENGTH.get(known.outcome) == 2)
        return known if reuse and settled else None

    def spreads(self, claim: Claim) -> bool:
        """True if the settings of a claim are given to an executor; of one about deals, the deals are."""
        return self.spreading is not None and property_of(claim).over is not Over.DEALS

    def verdicts(
        self, settings: Sequence[tuple[int, Readings]], load: Load, name: str
    ) -> Iterator[tuple[int, Verdict | None]]:
        """The verdicts on a claim in settings by number, in the order in which they fall.

        None stands for one that there was no time for. There is none for a setting in which rules and claim
        mean the same as in another.
        """
        assert self.spreading is not None
        executor, ruleset = self.spreading
        parts: dict[str, tuple[tuple[str, str], Verdict | None, Part]] = {}
        budget = self.allowed.question(len(settings), executor.at_once())
        for number, chosen in settings:
            game = load(chosen)
            claim, known = game.claims[name], self._known(game, game.claims[name])
            digests, reused = _digests(game, claim), self._reused(name, known)
            if digests in self.settled or digests in {given for given, _, _ in parts.values()}:
                continue
            if reused is not None:
                self.settled[digests] = reused
                yield number, reused
                continue
            self._helpers(game, chosen, claim)
            r = self._request(game, chosen, claim, budget)
            part = Part(
                str(number), Rules.of(game, ruleset), name, [*r.lemmas.values()], r.hints, r.proposals,
                engine=r.engine, doubt=r.doubt,
            )  # fmt: skip
            parts[part.name] = digests, known, part
        if not parts:
            return
        begun = takewhile(lambda part: not self.allowed.over, [part for _, _, part in parts.values()])
        task = Deciding(budget.memory, budget.left, self.allowed.call)
        for part, result in executor.results(task, begun):
            digests, known, _ = parts.pop(part.name)
            reply = reply_of(part, result)
            self._take_in(reply)
            self.settled[digests] = self._stronger(known, reply.verdict)
            yield int(part.name), self.settled[digests]
        yield from ((int(number), None) for number in parts)

    def _settled_of(self, game: Game) -> list[Verdict]:
        """The verdicts of this run on the claims of a game in its setting."""
        ours = [v for (digest, _), v in self.settled.items() if digest == game.digest]
        return [v for v in ours if v.claim_digest == of_claim(game.claims[v.claim])]

    def _known(self, game: Game, claim: Claim) -> Verdict | None:
        """The stored verdict on a claim, if it and all that it rests on are about the rules as they are."""
        known = self.store.current(game, claim)
        if known is None or rests_on(known, current(self.store, game) if helpers_of(known) else {}) is None:
            return None
        return known

    def _stronger(self, before: Verdict | None, verdict: Verdict) -> Verdict:
        """A new verdict, which is kept; but one that was stored and says more stands."""
        self.gate.enter(verdict)
        if before is not None and says_less(verdict, before):
            tried = f"Asked again, it was {verdict.outcome}; what was shown before stands."
            return replace(before, remarks=(tried, *verdict.remarks))
        kept = self._keep(verdict)
        return verdict if kept == verdict else kept

    def _helpers(self, game: Game, readings: Mapping[str, str], claim: Claim) -> None:
        """Settle the claims that help this one, where this setting has not been asked about them."""
        for name in helpers_named(game, claim):
            if name == claim.id or name not in game.claims:
                continue
            if _digests(game, game.claims[name]) in self.open:  # they name each other
                continue
            self.waiting += 1
            verdict = self.verdict(game, readings, name)
            if not self.gate.standing(verdict):
                self.check([verdict], self.allowed.question(self.waiting).part(NAMED))
                self.verdict(game, readings, name)  # decided anew if the check failed
            self.waiting -= 1

    def _decide(self, game: Game, readings: Mapping[str, str], claim: Claim) -> Verdict:
        """The new verdict on a claim; conditional if it can only be decided from claims that do not stand."""
        over, budget = self.allowed.over, self.allowed.question(self.waiting)
        if over:
            words = f"Nothing was decided within {budget.time_limit}."
            return blank(game, claim, undecided(words), 0.0)
        request = self._request(game, readings, claim, budget)
        unchecked = self._unchecked(game, claim, request)
        if not unchecked:
            return self._asked(game, claim, request)
        verdict = self._asked(game, claim, replace(request, budget=budget.part(UNAIDED)))
        if STRENGTH[verdict.outcome] == 2 or budget.left <= 0:
            return verdict
        assuming = replace(request, lemmas={**request.lemmas, **unchecked})
        helped = self._asked(game, claim, assuming, kept=False)
        if STRENGTH[helped.outcome] < 2:
            return verdict
        rests_on_unchecked = not unchecked.keys().isdisjoint(helpers_of(helped))
        return conditional(helped) if rests_on_unchecked else helped

    def _unchecked(self, game: Game, claim: Claim, request: Request) -> dict[str, Lemma]:
        """The claims that a claim names as helping it and that are said to hold, on the assumption that they
        do; none for a claim about deals, whose answers are cached one by one."""
        if property_of(claim).over is Over.DEALS:
            return {}
        held = self.gate.candidates(game, claim, self._verdicts_on(game))
        named = {name: held[name] for name in helpers_named(game, claim) if name in held}
        return assumed({name: v for name, v in named.items() if name not in request.lemmas})

    def _asked(self, game: Game, claim: Claim, request: Request, *, kept: bool = True) -> Verdict:
        """The answer to a question, by the executor if the question is about deals.

        An interrupt stores the partial answer if it may be `kept`.
        """
        budget = request.budget
        if self.spreading is not None and property_of(claim).over is Over.DEALS:
            tell = self.questions.progress
            case = Case(game, claim, budget, lemmas=request.lemmas, engine=self.engine, progress=tell)
            rules = Rules.of(game, self.spreading.ruleset)
            reply = written(case, spread(self.spreading.executor, rules, case))
        else:
            reply = self._reply(game, request, kept)
        self._take_in(reply)
        return reply.verdict

    def _verdicts_on(self, game: Game) -> dict[str, Verdict]:
        """The verdicts on the claims of a game: those of this run, and others that are stored."""
        return {**current(self.store, game), **{v.claim: v for v in self._settled_of(game)}}

    def _request(self, game: Game, readings: Mapping[str, str], claim: Claim, budget: Budget) -> Request:
        """The question about a claim in a setting, with what may help."""
        known = self._verdicts_on(game)
        others = other_readings(self.store, blank(game, claim, undecided(), 0.0))
        hints = self._plays(others)
        if property_of(claim).over is Over.SEATS:
            hints += self._plays(known.values())
        before = self.store.current(game, claim)
        if property_of(claim).form is Form.OPTIMUM and before is not None:
            hints += self._plays([before])
        lemmas = self.gate.lemmas(game, claim, budget, known)
        return Request(
            claim.id, budget, readings, lemmas, hints, others, engine=self.engine, doubt=self.doubt
        )

    def _reply(self, game: Game, request: Request, kept: bool) -> Reply:
        """The answer to a question; see `_asked`."""
        try:
            return self.questions.ask(game, request)
        except KeyboardInterrupt:
            reached = self.questions.reached
            if reached is not None and kept:
                self._take_in(reached)
                self._keep(reached.verdict)
            raise

    def _take_in(self, reply: Reply) -> None:
        """Store the plays that an answer refers to."""
        for play in reply.records.values():
            self.store.keep(play)

    def _keep(self, verdict: Verdict) -> Verdict:
        """Store a verdict unless another process stored a stronger one; returns the stored one.

        Interrupts are deferred meanwhile.
        """
        with uninterrupted():
            if self.file is not None:
                return self.file.put(verdict)
            self.store.put(verdict)
            return verdict

    def _plays(self, verdicts: Iterable[Verdict]) -> list[Play]:
        """The plays that are evidence for verdicts, in their order."""
        records = (e.data["record"] for v in verdicts for e in v.evidence if "record" in e.data)
        return [Play.from_data(self.store.records[d]) for d in dict.fromkeys(records)]


def _keys_under(verdict: Verdict) -> set[tuple[str, str, str]]:
    """The keys of the verdicts that a verdict rests on."""
    return {(verdict.ruleset, name, verdict.key[2]) for name in helpers_of(verdict)}


def _digests(game: Game, claim: Claim) -> tuple[str, str]:
    """The digests of rules and claim; equal for settings in which both mean the same."""
    return game.digest, of_claim(claim)
