"""check --deep: the parts of a ruleset that never happen, refuse nothing, say nothing or change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..budgets import Budget, ChildDied, Listener, OutOfBudget, Worker
from ..core.diagnostics import Diagnostic, Label
from ..core.game import Game
from ..core.verdicts.lemmas import current_verdicts
from ..language import load, locate, outline
from .loading import Loader
from .output import Progress

if TYPE_CHECKING:
    from rulespec.solver.dead_rules import Finding, PriorResults

SAID = {
    "action": "the action `{0}` is never legal",
    "end": "the end `{0}` never comes",
    "reaction": "the reaction `{0}` never happens",
    "requirement": "the requirement `{0}` refuses nothing that would otherwise be legal",
    "law": "the law `{0}` refuses nothing that would otherwise be legal",
    "branch": "`{0}` never holds where this is done, so what follows is never done",
    "case": "`{0}` never holds when it is tested",
    "mover": "player {0} never moves",
    "winner": "player {0} never wins",
    "claim": "what the claim `{0}` presupposes never holds, so it says nothing",
    "reading": "the reading `{0}` changes nothing",
}
"""The message for a part that is proved idle, by its kind."""

UNSEEN = {
    "action": "the action `{0}` was never seen to be legal",
    "end": "the end `{0}` was never seen to come",
    "reaction": "the reaction `{0}` was never seen to happen",
    "requirement": "the requirement `{0}` was never seen to refuse anything that nothing else refuses",
    "law": "the law `{0}` was never seen to refuse anything that nothing else refuses",
    "branch": "`{0}` was never seen to hold where this is done",
    "case": "`{0}` was never seen to hold when it was tested",
    "mover": "player {0} was never seen to move",
    "winner": "player {0} was never seen to win",
    "claim": "what the claim `{0}` presupposes was never seen to hold",
    "reading": "the reading `{0}` was never seen to change anything",
}
"""The message for a part that may be idle, by its kind."""


EACH = 10.0
"""The default of `--each`: seconds for each part that random plays leave open."""


def warnings(name: str, call: Budget, each: float | None, progress: Progress) -> list[Diagnostic]:
    """A warning for each part of a ruleset that is idle or was never seen in use.

    The work is done in a worker within the budget `call`; if it overruns, that is one more warning.
    """
    diagnostics: list[Diagnostic] = []

    def serve(request: None, send: Listener) -> None:
        for warning in _warnings(name, EACH if each is None else each, call, send):
            send(warning)

    def listener(message: str | Diagnostic) -> None:
        if isinstance(message, str):
            progress(f"{name}: {message}")
        else:
            diagnostics.append(message)

    try:
        with Worker[None, None](serve) as worker:
            worker.ask(None, call, listener)
    except (OutOfBudget, ChildDied) as out:
        words = f"within {out}" if isinstance(out, OutOfBudget) else f"because {out}"
        message = f"`{name}` was not searched to the end {words}"
        diagnostics.append(Diagnostic("deep.late", message, severity="warning"))
    return diagnostics


def _warnings(name: str, each: float, call: Budget, send: Listener) -> Iterator[Diagnostic]:
    """Yield warnings about parts that provably never matter and readings that never differ."""
    from rulespec.solver.dead_rules import dead_parts, redundant_readings

    game, loader, players = load(name), Loader(name), outline(name).players
    limits: dict[str, Any] = {"players": players, "timeout": each, "memory": call.memory, "progress": send}
    for finding in dead_parts(game, loader, known=_prior_results(game, name, call), **limits):
        yield _warning(finding)
    for finding in redundant_readings(game, loader, **limits):
        yield _warning(finding)


def _warning(finding: Finding) -> Diagnostic:
    part = finding.part
    words = (SAID if finding.proved else UNSEEN)[part.kind].format(part.name)
    labels = (Label(part.span),) if part.span else ()
    code = f"deep.{part.kind}"
    return Diagnostic(code, words, labels, finding.statement, severity="warning", clause=part.clause)


def _prior_results(game: Game, name: str, call: Budget) -> PriorResults:
    """The stored invariants of a game that have standing, and the plays recorded with its verdicts."""
    from rulespec.solver.claims import Play
    from rulespec.solver.claims.gate import Gate
    from rulespec.solver.dead_rules import PriorResults

    gate = Gate.beside(locate(name), Loader(name), memory=call.memory)
    used = (e.data.get("record") for v in current_verdicts(gate.store, game).values() for e in v.evidence)
    records = gate.store.records
    plays = [Play.from_data(records[str(digest)]) for digest in dict.fromkeys(used) if digest]
    return PriorResults(gate.lemmas(game, None, call), plays)
