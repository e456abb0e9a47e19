"""Mutation testing of rules: which mutations of a clause stay undetected by all examples and claims?

An undetected mutation (`language.mutations`) marks a clause that nothing tests: an error in it would stay
unseen. Examples are run by the interpreter; claims with a settled verdict are decided anew for the mutated
rules, and detect a mutation if the outcome changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from math import inf
from typing import Any, TypeAlias

from rulespec.budgets import Budget, Listener, map_unordered
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.core.verdicts import Store, beside
from rulespec.core.verdicts.store_file import StoreFile
from rulespec.language import load, locate, read
from rulespec.language.mutations import Break, breaks, mutated_ruleset
from rulespec.play.examples import run_under, settings_that_hold
from rulespec.play.face import Game as Played
from rulespec.solver.claims import Scope, prove
from rulespec.solver.claims.gate import Gate

EXAMPLE, CLAIM, TEXT, LATE, UNNOTICED = "example", "claim", "text", "late", "unnoticed"
"""The ways in which a mutation is detected: by an example, by a claim, by the loader (the text has no
meaning), not within the time, or not at all."""

Settings: TypeAlias = Mapping[str, Any] | None
"""The settings under which an example is run; see `Example`."""
SECONDS = 60
"""Seconds for the examples of one mutation."""


@dataclass(frozen=True)
class BreakResult:
    """The result of one mutation. `by` names the example or claim that detects it.

    `alike` means that the rules under the default readings and parameters are nevertheless the same.
    """

    change: Break
    noticed: str
    by: str = ""
    alike: bool = False


@dataclass(frozen=True)
class _Unbroken:
    """Facts about the original rules: the settings in which each example holds, and the settled verdicts."""

    name: str
    digest: str
    examples: dict[tuple[str, str], list[Settings]]
    settled: dict[str, bool]
    each: float
    memory: int


def mutate(
    name: str,
    clauses: Sequence[str] = (),
    *,
    timeout: float | None = None,
    each: float = 5.0,
    memory: int = 4_000,
    claims: bool = True,
    jobs: int = 1,
    told: Callable[[BreakResult, int, int], None] = lambda found, number, total: None,
) -> list[BreakResult]:
    """Try every mutation of a ruleset, or of some clauses, each by itself.

    `each` in seconds bounds each claim on each mutation; only claims with a settled verdict that took no
    longer are decided, and without `claims` none. `timeout` bounds the whole call: mutations that have not
    begun by its end are left out. `memory` in megabytes bounds this process and its children together. `jobs`
    mutations are tried in parallel. `told` is called with each result, its number, from 1, and the total.

    Raises RulesetError for a faulty ruleset, KeyError for an unknown clause, StoreError for damaged verdicts.
    """
    ruleset = read(name)
    game = ruleset.with_settings()
    played = Played(game, name, ruleset.with_settings)
    known = {rule.id for rule in game.rules}
    for clause in clauses:
        if clause not in known:
            raise KeyError(clause)
    held = {(e.clause, e.id): settings_that_hold(played, e) for rule in game.rules for e in rule.examples}
    call = Budget(inf if timeout is None else timeout, memory)
    settled = _settled_verdicts(game, name, each, call) if claims else {}
    asked = _Unbroken(name, game.digest, held, settled, each, memory)
    changes = breaks(name, frozenset(clauses))
    longest = SECONDS + 2 * each * len(asked.settled)
    found: dict[int, BreakResult] = {}

    def serve(number: int, send: Listener) -> BreakResult:
        return _try(asked, changes[number])

    def budget() -> Budget:
        return call.part(1.0, longest)

    begun = takewhile(lambda number: call.seconds_left > 0, range(len(changes)))
    for number, one in map_unordered(serve, begun, min(jobs, len(changes)), budget):
        found[number] = one if isinstance(one, BreakResult) else BreakResult(changes[number], LATE)
        told(found[number], len(found), len(changes))
    return [found[number] for number in sorted(found)]


def _settled_verdicts(game: Game, name: str, longest: float, call: Budget) -> dict[str, bool]:
    """For each claim with a settled verdict that has standing, True if it holds; quickest first."""
    store = StoreFile(beside(locate(name)))
    gate = Gate(partial(load, name), store, call.memory)
    stored = [v for claim in game.claims.values() if (v := store.store.current(game, claim)) is not None]
    stored = [v for v in stored if v.holds is not None and v.seconds <= longest]
    gate.check(stored, call.part(1.0, longest * len(stored)))
    return {v.claim: bool(v.holds) for v in sorted(stored, key=lambda v: v.seconds) if gate.standing(v)}


def _try(asked: _Unbroken, change: Break) -> BreakResult:
    try:
        ruleset = mutated_ruleset(asked.name, change)
        game = Played(ruleset.with_settings(), asked.name, ruleset.with_settings)
        example = _failing_example(game, change.clause, asked.examples)
    except RulesetError:
        return BreakResult(change, TEXT)
    except RecursionError:
        return BreakResult(change, LATE)
    alike = game.core.digest == asked.digest
    if example:
        return BreakResult(change, EXAMPLE, example, alike)
    store = Store()
    for claim, held in asked.settled.items():
        if claim in game.core.claims:
            limits: dict[str, Any] = {"each": asked.each, "memory": asked.memory}
            (verdict,) = prove(
                ruleset.with_settings, [claim], scope=Scope.USUAL, store=store, doubt=False, **limits
            )
            if verdict.holds is (not held):
                return BreakResult(change, CLAIM, claim, alike)
    return BreakResult(change, UNNOTICED, "", alike)


def _failing_example(game: Played, clause: str, held: Mapping[tuple[str, str], Sequence[Settings]]) -> str:
    """The first example that fails although it `held`, those of a clause first; empty if there is none."""
    examples = [example for rule in game.core.rules for example in rule.examples]
    for example in sorted(examples, key=lambda example: example.clause != clause):
        settings = held.get((example.clause, example.id), ())
        if not all(run_under(game, example, one).holds for one in settings):
            return f"{example.clause}.{example.id}"
    return ""
