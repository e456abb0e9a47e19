"""Plays in the output of `prove`: the changes of each ply, the reasons why a claim fails, other readings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.game import Claim
from ..core.verdicts import Store, Verdict
from ..core.verdicts.ruling_effects import RulingEffect
from ..play.chance import Chance
from ..play.contrasts import ContrastingPlay, plays_of
from ..play.face import Game, State
from ..play.records.traces import Step, changes, outcome_of, steps
from . import board
from .output import fill, table

if TYPE_CHECKING:
    from rulespec.solver.methods.counterexamples_to_induction import Why

MOST_TOLD = 40
"""A longer play is printed with its first and last plies only."""
AT_EACH_END = 15


@dataclass(frozen=True)
class TracedPlay:
    """A play that a verdict rests on: its states, and the reasons why its end decides the claim."""

    verdict: Verdict
    states: Sequence[State]
    reasons: Sequence[str]

    def to_data(self) -> dict[str, Any]:
        """Plain data for `--json`."""
        v = self.verdict
        return {
            "claim": v.claim,
            "readings": dict(v.readings),
            "chance": [*self.states[-1].chance],
            "steps": [step.to_data() for step in steps(self.states)],
            "reasons": [*self.reasons],
        }


class Tracer:
    """Describes the plays in the evidence of verdicts on one ruleset; `game` has the default settings."""

    def __init__(self, game: Game, store: Store) -> None:
        self.game, self.store = game, store

    def plays(self, verdict: Verdict) -> Iterator[TracedPlay]:
        """The plays of a verdict, replayed."""
        for data in plays_of(verdict, self.store):
            game = self.of(verdict)
            state = game.start(chance=data["chance"])
            states = [state]
            for text in data["plays"]:
                states.append(states[-1].play(text))
            yield TracedPlay(verdict, states, outcome_of(self._claim(verdict), states[-1]))

    def of(self, verdict: Verdict) -> Game:
        """The game in the setting of a verdict."""
        return self.game.under(verdict.players, verdict.parameters, verdict.readings)

    def _claim(self, verdict: Verdict) -> Claim:
        return self.of(verdict).core.claims[verdict.claim]


def trace(told: TracedPlay, draw: bool) -> str:
    """A play in words, with drawings if `draw`, and the reasons why the claim has its value at the end."""
    lines = [
        "    the start"
        + (f", by chance {_list_outcomes(told.states[0].chance)}" if told.states[0].chance else "")
    ]
    lines += [board.board(told.states[0])] if draw else []
    plies = steps(told.states)
    for step in plies:
        if len(plies) > MOST_TOLD and AT_EACH_END < step.number <= len(plies) - AT_EACH_END:
            lines += ["    …"] if step.number == AT_EACH_END + 1 else []
            continue
        lines.append(_step(step, told.states[step.number]))
        lines += [board.board(told.states[step.number])] if draw else []
    lines += [fill(reason, "    there ") for reason in told.reasons]
    return "\n".join(lines)


def _step(step: Step, after: State) -> str:
    """One ply in words."""
    who = f"player {step.player}: " if len(after.game.players) > 1 else ""
    said = [*step.changed]
    said += [f"by chance {_list_outcomes(step.drawn)}"] if step.drawn else []
    said += [f"then `{name}`" for name in step.followed]
    said += [f"the play ends: {step.ended}"] if step.ended else []
    head = fill(f"{step.number}. {who}{step.action}  (by `{step.clause}`)", "    ")
    return "\n".join([head, *(fill(text, "       ") for text in said)])


def broken_inductions(verdict: Verdict, why: Why, game: Game, draw: bool) -> str:
    """The plies that break an induction, each with the position before it."""
    name, lines = verdict.claim, list[str]()
    for one in why.broken:
        known = "" if one.states else ", but formulas determine too little of the position to show it"
        lines.append(f"{name}: `{one.action}` may break it{known}")
        lines += _broken_lines(one.states, game, game.core.claims[name], draw) if one.states else ()
    if why.stopped:
        lines.append(fill(f"{name}: stopped here ({why.stopped})"))
    return "\n".join(lines or [f"{name}: every action preserves it, from any position"])


def _broken_lines(states: Sequence[State], game: Game, claim: Claim, draw: bool) -> Iterator[str]:
    """Yield the lines of a ply that breaks an induction."""
    before, after = states
    declared = State(game, game.machine.initial(), Chance(None))
    yield fill("from this position, which may be unreachable (differences from the declared values):", "    ")
    for text in (*changes(declared, before), f"mover: {before.to_move}"):
        yield fill(text, "       ")
    drawn = [board.board(state) for state in states] if draw else []
    yield from drawn[:1]
    yield _step(steps(states)[0], after)
    yield from drawn[1:]
    for text in outcome_of(claim, after):
        yield fill(text, "    there ")


def broken_inductions_data(verdict: Verdict, why: Why, game: Game) -> Iterator[dict[str, Any]]:
    """The plies that break an induction, as plain data."""
    claim = game.core.claims[verdict.claim]
    for one in why.broken:
        told = bool(one.states)
        yield {
            "action": one.action,
            "position": one.states[0].to_data() if told else None,
            "step": steps(one.states)[0].to_data() if told else None,
            "reasons": outcome_of(claim, one.states[1]) if told else [],
        }


def _list_outcomes(outcomes: Sequence[str]) -> str:
    text = ", ".join(outcomes)
    return text if len(text) <= 200 else f"{text[:199]}…"


def _in_short(verdict: Verdict) -> str:
    """The outcome of a verdict, with its value if it has one."""
    return f"{verdict.outcome} ({verdict.value_text})" if verdict.value_text else verdict.outcome


def by_reading(effects: Sequence[tuple[RulingEffect, ContrastingPlay | None]]) -> str:
    """A table of each ruling's effect on a claim, and below it the plays that show it."""
    rows: list[tuple[str, ...]] = [("ruling", "each reading alone", "changes the answer")]
    words = {True: "yes", False: "never", None: "not known"}
    for effect, _ in effects:
        alone = ", ".join(f"{reading}: {_in_short(verdict)}" for reading, verdict in effect.alone.items())
        rows.append((effect.ruling, alone, words[effect.changes]))
    shown = [fill(str(found), "  ") for _, found in effects if found is not None]
    return "\n".join([table(rows), *shown])
