"""A play ply by ply: the clause, the outcomes of chance, the changes, the reactions.

Also the reasons why a claim fails where a play ends: the deciding part, the element and the values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ...core.data_forms import attributes, publish
from ...core.game import Claim
from ...core.notation import write
from ...core.types import List, Map, Set, Type, Value
from ...core.verdicts.properties import Event, property_of
from ..chance import Chance
from ..effects import Run
from ..explain import Explainer, shorten
from ..face import State
from ..position import STUCK, Position
from ..refusal import Reason

UNTOLD = ("mover", "over")
"""Variables whose changes a step reports in its own words."""


@dataclass(frozen=True)
class Step:
    """One ply: who took which action, by which clause, and its results.

    `drawn` has the outcomes of chance; `ended` says how the play ended if it did.
    """

    PUBLISHED = attributes("ply=number player action clause changed drawn followed next ended")

    number: int
    player: str | int | None
    action: str
    clause: str
    changed: tuple[str, ...]
    """A text for each place that changed."""
    drawn: tuple[str, ...] = ()
    followed: tuple[str, ...] = ()
    """The reactions that ran."""
    next: str | int | None = None
    """The next player, if that is somebody else."""
    ended: str | None = None

    def to_data(self) -> dict[str, Any]:
        """Plain data for `--json`."""
        data: dict[str, Any] = publish(self)
        return data


def steps(states: Sequence[State]) -> list[Step]:
    """The plies between the states of a play, given in order."""
    return [_step(before, after) for before, after in pairwise(states)]


def _step(before: State, after: State) -> Step:
    """The step of a trace between two states."""
    action = after.plays[-1]
    return Step(
        number=len(after.plays),
        player=before.to_move,
        action=before.notation(action),
        clause=action.id,
        changed=tuple(changes(before, after)),
        drawn=after.chance[len(before.chance) :],
        followed=tuple(_reactions_of(before, after)),
        next=after.to_move if after.to_move != before.to_move else None,
        ended=after.ended_by,
    )


def _reactions_of(before: State, after: State) -> Iterator[str]:
    """The reactions that ran in a ply, found by replaying it."""
    machine, move = before.game.machine, after.plays[-1].move
    if not machine.game.reactions or after.fault:
        return
    situation = machine.situation(before.position)
    run = Run(situation, Chance(None, after.chance), before.position.draws, lambda effect: None)
    run.perform(machine.game.actions[move.action].effect, machine.bind(move))
    for reaction in machine.game.reactions:
        if machine.holds(reaction.condition, situation):
            yield reaction.id
            run.perform(reaction.effect, {})


def changes(before: State, after: State) -> Iterator[str]:
    """The changes in a later state: a text for each place that changed."""
    for name, var in after.game.core.state.items():
        if name not in UNTOLD:
            yield from _changes(name, var.type, before.values[name], after.values[name])


def _changes(place: str, t: Type, old: Value, new: Value) -> Iterator[str]:
    """Yield the changes of a value in words, down to single entries."""
    if old == new:
        return
    if isinstance(t, Map):
        for key, was, now in zip(t.keys.values, old, new, strict=True):
            yield from _changes(f"{place}[{write(t.keys, key)}]", t.of, was, now)
    elif isinstance(t, Set) and t.of is not None:
        lost, won = (", ".join(write(t.of, v) for v in sorted(part)) for part in (old - new, new - old))
        told = (f"{word} {some}" for word, some in (("without", lost), ("with", won)) if some)
        yield f"{place}: {'; '.join(told)}"
    elif isinstance(t, List) and t.of is not None and min(len(old), len(new)) > 0:
        yield f"{place}: {_list_change(t, old, new)}"
    else:
        yield f"{place}: {shorten(t, old)} -> {shorten(t, new)}"


def _list_change(t: List, old: tuple[Value, ...], new: tuple[Value, ...]) -> str:
    """The change of a list in words: the elements added or removed at one end, or the whole list."""
    assert t.of is not None
    less, more, word = (old, new, "with") if len(old) < len(new) else (new, old, "without")
    for part, end in ((more[len(less) :], "on top"), (more[: len(more) - len(less)], "at the bottom")):
        rest = more[: len(less)] if end == "on top" else more[len(more) - len(less) :]
        if part and rest == less:
            return f"{word} {', '.join(write(t.of, v) for v in part)} {end}"
    return f"{shorten(t, old)} -> {shorten(t, new)}"


# ---- why a claim fails


def because(claim: Claim, state: State) -> tuple[Reason, ...]:
    """The reasons for the value of a claim at the end of a play; empty if no condition decides it."""
    if claim.condition is None or state.fault is not None or not property_of(claim).is_about_last_state:
        return ()
    condition = claim.always if claim.kind == "invariant" else claim.condition
    explainer = Explainer(state.game.core, state.game.machine.situation(state.position))
    return explainer.reasons(condition, {})


def outcome_of(claim: Claim, state: State) -> list[str]:
    """Sentences that say why the end of a play decides a claim."""
    event = property_of(claim).event
    if event is Event.FAULT and state.fault is not None:
        return [str(state.fault)]
    if event is Event.STUCK and state.position.ended == STUCK:
        return [*_stuck(state)]
    return [str(reason) for reason in because(claim, state)]


def _stuck(state: State) -> Iterator[str]:
    """The reasons why no action is legal: unmet requirements, or that no choice is possible."""
    playing = Position(state.position.values, state.position.draws)
    explainer = Explainer(state.game.core, state.game.machine.situation(playing))
    for action in state.game.core.actions.values():
        if action.choices:
            yield f"`{action.id}`: no choice is legal"
        else:
            yield from map(str, explainer.requirements(action.id, {}))
