"""The formal text that led to a wrong value: a backward slice of what the plies of an example performed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from ..core import nodes as n
from ..core.context import Context
from ..core.diagnostics import Label, Span
from ..core.evaluate import evaluate
from ..core.game import Game
from ..core.traversal import (
    assignments,
    conjuncts,
    nodes_with_definitions,
    nodes_within,
    parts,
    variables_read,
)
from .machine import Machine

MOST_CAUSES = 3
"""Maximum number of places for one wrong value."""
MOST_CHANGES = 6
"""Maximum number of stores of one ply."""


def events_of(machine: Machine, play: Callable[[], object]) -> Set[object]:
    """The events of one more run of a play; see `Machine.seen`."""
    seen, machine.seen = machine.seen, set()
    try:
        play()
        return machine.seen
    finally:
        machine.seen = seen


def causes(
    game: Game,
    condition: n.Expr,
    ctx: Context,
    actions: Sequence[str],
    events: Set[object],
    tested: Set[object],
) -> list[Label]:
    """The places that led to a condition that is false after some actions.

    These are the stores in the variables that its false parts read, with the case that gave the value. Where
    nothing is stored it is the condition that left a store out, or the first statement of an action. Last is
    the case of a definition that was the only one `tested` in the condition itself.
    """
    wrong = [part for part in conjuncts(condition) if not evaluate(part, {}, ctx)]
    read = {var for part in wrong for var in variables_read(part)} - {game.mover}
    effects = [game.actions[action].effect for action in dict.fromkeys(actions)]
    effects += [reaction.effect for reaction in game.reactions if ("reaction", reaction.id) in events]
    found = list[Label]()
    for effect in effects:
        for assign in (assign for assign in assignments(effect) if assign.target in read):
            if {(assign, "store"), (assign, "idle store")} & events:
                found += _labels(game, assign, f"here `{assign.target.name}` gets its value")
                found += _branch(game, assign.value, events)
            else:
                found += _left_out(game, effect, assign, events)
    for var in sorted(read, key=lambda var: var.name) if not found else ():
        for effect in effects:
            found += _labels(game, effect, f"nothing stores in `{var.name}` here")[:1]
    if any(game.mover in variables_read(part) for part in wrong):
        found += _labels(game, game.turn.next, "this says whose turn it is")
    alone = {e for e in tested if isinstance(e, tuple) and (e[0], not e[1]) not in tested}
    found += [label for part in wrong for label in _branch(game, part, alone)]
    return [*{label.span: label for label in found}.values()][:MOST_CAUSES]


def changes(game: Game, condition: n.Expr, action: str, events: Set[object]) -> list[Label]:
    """The places that stored in what a condition reads in one ply, or in the setup if `action` is empty."""
    read = dict.fromkeys(variables_read(condition))
    performed = [(game.setup, "stored by the setup")]
    if action:
        effects = [(game.actions[action].effect, action), *((r.effect, r.id) for r in game.reactions)]
        names = {action, *(r.id for r in game.reactions if ("reaction", r.id) in events)}
        performed = [(effect, f"stored by `{name}`") for effect, name in effects if name in names]
    performed.append((game.turn.begin, "stored as the turn begins"))
    found = {
        span: Label(span, note)
        for effect, note in performed
        for assign, span in _places_of_stores(game, effect)
        if assign.target in read and (assign, "store") in events
    }
    if found:
        return [*found.values()][:MOST_CHANGES]
    if action and {game.mover, game.state["over"]}.isdisjoint(read):
        return _labels(game, game.actions[action].effect, f"`{action}` changes nothing that this reads")
    firsts = [label for var in read for label in _labels(game, var.initial, f"`{var.name}` at first")]
    return firsts[:MOST_CAUSES] if not action else []


def _places_of_stores(
    game: Game, effect: n.Effect, around: Span | None = None
) -> Iterator[tuple[n.Assign, Span]]:
    """The assignments in an effect, each with the place of the statement that was written for it."""
    span = game.spans.get(effect, around)
    if isinstance(effect, n.Assign) and span is not None:
        yield effect, span
    for part in parts(effect):
        if isinstance(part, n.Statement):
            yield from _places_of_stores(game, part, span)


def places_of_outcome(game: Game) -> list[Label]:
    """The place that says who wins."""
    outcome = game.outcome.winners or game.outcome.score
    return _labels(game, outcome, "this says who wins") if outcome is not None else []


def _labels(game: Game, node: n.Expr | n.Effect, note: str) -> list[Label]:
    """A label at the first written node in a node."""
    return [Label(game.spans[inner], note) for inner in nodes_within(node) if inner in game.spans][:1]


def _branch(game: Game, value: n.Expr, events: Set[object]) -> Iterator[Label]:
    """The condition of the last case that was tested for a value."""
    tested = [e for e in nodes_with_definitions(value) if isinstance(e, n.If) and e.cond in game.spans]
    ways = [(game.spans[e.cond], way) for e in tested for way in (True, False) if (e, way) in events]
    for span, way in sorted(ways, key=lambda of: (of[0].line, of[0].column))[-1:]:
        yield Label(span, f"this was {way}".lower())


def _left_out(game: Game, effect: n.Effect, assign: n.Assign, events: Set[object]) -> list[Label]:
    """The innermost condition that was tested and left a store out."""
    around = [e for e in nodes_within(effect) if isinstance(e, n.When) and assign in assignments(e)]
    for branch in reversed(around):
        for way, follows in ((True, branch.otherwise), (False, branch.then)):
            if (branch, way) in events and assign in assignments(follows):
                text = game.texts.get(branch.cond, "this")
                return _labels(game, branch.cond, f"`{text}` was {'true' if way else 'false'}")
    return []
