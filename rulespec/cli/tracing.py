"""How prove tells plays: ply by ply what changed and by which clause, why a claim fails where they end, and
what another reading makes of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.game import Claim
from ..core.verdicts import Effect, Store, Verdict
from ..play.contrasts import Contrasted, plays_of
from ..play.face import Game, State
from ..play.traces import outcome_of, steps
from . import board
from .output import filled, table

MOST_TOLD = 40
"""Of a longer play the first and the last plies are told."""
AT_EACH_END = 15


@dataclass(frozen=True)
class Told:
    """A play that a verdict rests on: its states, and what makes its end decide the claim."""

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
    """Tells the plays that verdicts on one ruleset rest on; `game` is that of the usual settings."""

    def __init__(self, game: Game, store: Store) -> None:
        self.game, self.store = game, store

    def plays(self, verdict: Verdict) -> Iterator[Told]:
        """The plays of a verdict, played again."""
        for data in plays_of(verdict, self.store):
            game = self._of(verdict)
            state = game.start(chance=data["chance"])
            states = [state]
            for text in data["plays"]:
                states.append(states[-1].play(text))
            yield Told(verdict, states, outcome_of(self._claim(verdict), states[-1]))

    def _of(self, verdict: Verdict) -> Game:
        return self.game.under(verdict.players, verdict.parameters, verdict.readings)

    def _claim(self, verdict: Verdict) -> Claim:
        return self._of(verdict).core.claims[verdict.claim]


def trace(told: Told, draw: bool) -> str:
    """A play in words, with a drawing of each position if that is wanted, and why the claim comes out so."""
    lines = [
        "    the start" + (f", by chance {_listed(told.states[0].chance)}" if told.states[0].chance else "")
    ]
    lines += [board.board(told.states[0])] if draw else []
    plies = steps(told.states)
    for step in plies:
        if len(plies) > MOST_TOLD and AT_EACH_END < step.number <= len(plies) - AT_EACH_END:
            lines += ["    …"] if step.number == AT_EACH_END + 1 else []
            continue
        who = f"player {step.player}: " if len(told.states[0].game.players) > 1 else ""
        lines.append(filled(f"{step.number}. {who}{step.action}  (by `{step.clause}`)", "    "))
        said = [*step.changed]
        said += [f"by chance {_listed(step.drawn)}"] if step.drawn else []
        said += [f"then `{name}`" for name in step.followed]
        said += [f"the play ends: {step.ended}"] if step.ended else []
        lines += [filled(text, "       ") for text in said]
        lines += [board.board(told.states[step.number])] if draw else []
    lines += [filled(reason, "    there ") for reason in told.reasons]
    return "\n".join(lines)


def _listed(outcomes: Sequence[str]) -> str:
    text = ", ".join(outcomes)
    return text if len(text) <= 200 else f"{text[:199]}…"


def by_reading(effects: Sequence[tuple[Effect, Contrasted | None]]) -> str:
    """A table of what each ruling does to a claim, and below it the plays that show it."""
    rows: list[tuple[str, ...]] = [("ruling", "each reading alone", "changes the answer")]
    words = {True: "yes", False: "never", None: "not known"}
    for effect, _ in effects:
        alone = ", ".join(f"{reading}: {outcome}" for reading, outcome in effect.alone.items())
        rows.append((effect.ruling, alone, words[effect.changes]))
    shown = [filled(str(found), "  ") for _, found in effects if found is not None]
    return "\n".join([table(rows), *shown])
