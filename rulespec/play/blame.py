"""The formal text that led to a wrong value: a backward slice of what the plies of an example performed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from ..core import nodes as n
from ..core.context import Context
from ..core.diagnostics import Label, Span
from ..core.evaluate import evaluate
from ..core.game import LIBRARY, Game
from ..core.plain_data import show
from ..core.traversal import (
    FreeVariables,
    assignments,
    conjuncts,
    nodes_with_definitions,
    nodes_within,
    parts,
    variables_read,
)
from .explain import Explainer, shorten
from .machine import Machine
from .refusal import Reason

MOST_CAUSES = 3
"""Maximum number of places for one wrong value."""
MOST_DEFINITIONS = 2
"""Maximum number of definitions shown after the other places."""
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
    the case of a definition that was the only one `tested` in the condition itself. The definitions that the
    false parts and the stores call come after these.
    """
    wrong = [part for part in conjuncts(condition) if not evaluate(part, {}, ctx)]
    read = {var for part in wrong for var in variables_read(part)}
    read -= {game.mover, game.state["over"]}
    effects = [game.actions[action].effect for action in dict.fromkeys(actions)]
    effects += [reaction.effect for reaction in game.reactions if ("reaction", reaction.id) in events]
    found, called = list[Label](), list[Label]()
    for effect in effects:
        for assign, span in _places_of_stores(game, effect):
            if assign.target not in read:
                continue
            if {(assign, "store"), (assign, "idle store")} & events:
                changed = f"here `{assign.target.name}` gets its value"
                kept = f"this leaves `{assign.target.name}` as it was"
                found.append(Label(span, changed if (assign, "store") in events else kept))
                found += _branch(game, assign.value, events)
                called += _called(game, effect, assign)
            else:
                found += _left_out(game, effect, assign, events)
    for var in sorted(read, key=lambda var: var.name) if not found else ():
        for effect in effects:
            found += _labels(game, effect, f"nothing stores in `{var.name}` here")[:1]
    if any(game.mover in variables_read(part) for part in wrong):
        found += _labels(game, game.turn.next, "this says whose turn it is")
    alone = {e for e in tested if isinstance(e, tuple) and (e[0], not e[1]) not in tested}
    found += [label for part in wrong for label in _branch(game, part, alone)]
    places = [*{label.span: label for label in found}.values()][:MOST_CAUSES]
    reasons = Explainer(game, ctx).reasons(condition, {})
    return with_definitions(places, [*definitions(game, reasons, ctx), *called])


def with_definitions(places: Sequence[Label], called: Sequence[Label]) -> list[Label]:
    """Places of causes, and after them those of the first definitions on other lines."""
    lines, others = {(one.span.source, one.span.line) for one in places}, dict[Span, Label]()
    for label in called:
        at = label.span
        if not any((at.source, line) in lines for line in range(at.line, at.end_line + 1)):
            others.setdefault(at, label)
    return [*dict.fromkeys(places), *[*others.values()][:MOST_DEFINITIONS]]


def definitions(game: Game, reasons: Sequence[Reason], ctx: Context) -> Iterator[Label]:
    """The definitions called in the conditions of reasons, with their values where these are known."""
    free = FreeVariables()
    for reason in (reason for reason in reasons if not reason.after):
        for call in _calls(reason.condition) if reason.condition is not None else ():
            note = f"this is `{game.texts.get(call, call.function.name)}`"
            if free(call) <= reason.env.keys():
                pairs = zip(call.function.params, call.args, strict=True)
                args = [show(p.type, evaluate(arg, reason.env, ctx)) for p, arg in pairs]
                name = f"{call.function.name}({', '.join(args)})" if args else call.function.name
                note = f"`{name}` is {shorten(call.type, evaluate(call, reason.env, ctx))}"
            yield from _labels(game, call.function.body, note)


def _calls(node: n.Expr | n.Effect) -> Iterator[n.Call]:
    """The calls of definitions in a node, those of libraries left out."""
    for call in nodes_within(node):
        if isinstance(call, n.Call) and not call.function.clause.startswith(LIBRARY):
            yield call


def _called(game: Game, effect: n.Effect, assign: n.Assign) -> Iterator[Label]:
    """The definitions that a store calls, and the calls that give the names in it their values."""
    names = {node.var for node in nodes_within(assign) if isinstance(node, n.Local)}
    binds = [node for node in nodes_within(effect) if isinstance(node, n.Bind) and node.var in names]
    for bind in (None, *binds):
        if bind is not None and isinstance(bind.value, n.Call):
            yield from _labels(game, bind.value, f"this is `{bind.var.name}`")
        for call in _calls(bind.value if bind is not None else assign):
            note = f"this is `{game.texts.get(call, call.function.name)}`"
            yield from _labels(game, call.function.body, note)


def changes(game: Game, condition: n.Expr, action: str, events: Set[object]) -> list[Label]:
    """The places that stored in what a condition reads in one ply, or in the setup if `action` is empty.

    Of a condition about the result these are the places that say who wins.
    """
    asked = (node.function.name for node in nodes_with_definitions(condition) if isinstance(node, n.Call))
    if not {"score", "payoff", "won"}.isdisjoint(asked) and (places := places_of_outcome(game)):
        return places
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
    """The places that say who wins: of winners or the score, and of what decides ties."""
    outcome = game.outcome.winners or game.outcome.score
    found = _labels(game, outcome, "this says who wins") if outcome is not None else []
    ties = [label for _, tie in game.outcome.ties for label in _labels(game, tie, "this decides ties")]
    return [*found, *ties]


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
