"""The visibility of hidden variables, tested by substitution: does another value of a part change what is
seen?

A part of a variable is its entry for one player, or else all of it. Substituted values come from other
positions of random plays. Some doubts need only the text, such as a sight that reads nothing hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..core import nodes as n
from ..core.game import Game, Sight
from ..core.meter import Meter
from ..core.taint import Flow, StateReads, Tainted
from ..core.traversal import assignments, nodes_with_definitions, nodes_within
from ..core.types import Map, Value
from ..play.effects import Situation, size
from ..play.legal import candidates
from ..play.machine import Machine
from ..play.observation import sights
from ..play.position import Position
from ..play.views import counted_source, is_variable_drawn
from .parts import Found, declarations

FEWEST = 8
"""Minimum number of changes or positions that must be tried for a doubt."""


def doubtful_sights(game: Game) -> Found:
    """Doubts about sights that show everybody variables that are not hidden or that the mover sees hidden."""
    reads = StateReads()
    for sight in game.sights if game.players > 1 else ():
        texts, span = (sight.value, *(source for _, source in sight.binders)), game.spans.get(sight.value)
        read, can = {var for text in texts for var in reads(text)[0]}, any(reads(text)[1] for text in texts)
        asks = any(isinstance(x, n.Local) and x.var is sight.viewer for e in texts for x in nodes_within(e))
        names = sorted(var.name for var in read)
        if names and not can and not any(var.hidden for var in read):
            listed = " and ".join(f"`{name}`" for name in names)
            message = f"everybody sees this anyway: {listed} {'are' if names[1:] else 'is'} not hidden"
            yield "sees", span, message, f"write `hidden state {names[0]}`, or leave this out"
        elif (var := _shown_whole(game, sight)) is not None:
            message = f"`sees` shows every player all of `{var.name}`, which is hidden"
            help = f"show each player what is the player's own, as in `{var.name}[viewer]`"
            yield "sees", span, message, help
        elif game.mover in read and not asks and any(var.hidden for var in read):
            message = "everybody sees this of the player to move, whoever looks"
            yield "sees", span, message, "write `viewer` for the player who looks"
        elif game.diagram and span is not None and counted_source(sight.value) is None:
            hidden = sorted((var for var in read if var.hidden), key=lambda var: var.name)
            if hidden and not any(is_variable_drawn(game, var) for var in hidden):
                message = f"nothing draws `{hidden[0].name}`, so a page does not show it to those who see it"
                yield "sees", span, message, "add a layer to the diagram that reads it"


def _shown_whole(game: Game, sight: Sight) -> n.StateVar | None:
    """The hidden variable of which a sight shows all players what each of them has; None if there is none."""
    match sight.value, sight.binders:
        case n.Read(map=n.Get(var=var), key=n.Local(var=player)), ((bound, n.Domain(of=of)),):
            return var if var.hidden and player is bound and of == game.player else None
    return None


def unseen_choices(
    game: Game, samples: Sequence[Position], meter: Meter
) -> Iterator[tuple[str, n.StateVar, Sight | None]]:
    """The hidden variables on which choices depend although the player to move does not see them.

    Each comes with an action with such a choice, and with a sight that reads the variable.
    """
    machine, reads = Machine(game, meter), StateReads()
    for place, var in enumerate(machine.variables):
        chosen = ((action, action.choices[0]) for action in game.actions.values() if action.choices)
        choosing = [(a, choice) for a, choice in chosen if var.hidden and var in reads(choice.source)[0]]
        for position, other in _pairs(samples) if choosing else ():
            if position.is_over:
                continue
            before = machine.situation(position)
            for value in _changes(game, var, position.values[place], other.values[place]):
                after = machine.situation(position)
                after.set(var, value)
                mover = before.values[game.mover]
                if _view(game, before, mover) != _view(game, after, mover):
                    continue
                for action, choice in choosing:
                    differs = candidates(choice, {}, before) != candidates(choice, {}, after)
                    if differs and (before.can(action.id, ()) or after.can(action.id, ())):
                        sight = next((s for s in game.sights if var in reads(s.value)[0]), None)
                        yield action.id, var, sight


def known_to_all(game: Game) -> Found:
    """Doubts about hidden variables that change, but never by chance or a secret choice."""
    flow, effects = Flow(), [(effect, False) for effect in (game.setup, game.turn.begin)]
    effects += [(n.When(r.condition, r.effect, n.NOTHING_DONE), False) for r in game.reactions]
    nodes = (node for root in game.roots for node in nodes_with_definitions(root))
    unknown: Tainted = frozenset(node.var for node in nodes if isinstance(node, n.Draw | n.Shuffle))
    for action in game.actions.values():
        secrets = {secret.choice for secret in action.secrets}
        unknown |= {choice.var for choice in action.choices if {choice.var, None} & secrets}
        effects.append((action.effect, None in secrets))
    before = None
    while unknown != before:
        before = unknown
        for effect, decided in effects:
            unknown = flow.after(effect, unknown, decided)
    changed = {assign.target for effect, _ in effects for assign in assignments(effect)}
    for var in (var for var in game.state.values() if var.hidden and var in changed - unknown):
        message = f"`{var.name}` is hidden, but neither chance nor a secret choice ever changes it"
        help = "shuffle or draw into it, make a choice `secret`, or leave `hidden` out"
        yield "sees", declarations(game).get(var.name), message, help


def shows_nothing(game: Game, samples: Sequence[Position], meter: Meter) -> bool:
    """True if all sights are empty in every sampled position, for every player."""
    machine = Machine(game, meter)
    views = (_view(game, machine.situation(at), seat) for at in samples for seat in game.player.values)
    values = (value for view in views for shown in view for _, value in shown)
    return len(samples) >= FEWEST and all(value in (None, (), frozenset()) for value in values)


def fully_visible(
    game: Game, samples: Sequence[Position], meter: Meter
) -> Iterator[tuple[n.StateVar, Sight]]:
    """The hidden variables that every player sees completely, each with a sight that reads it."""
    machine, reads = Machine(game, meter), StateReads()
    for place, var in enumerate(machine.variables):
        reading = next((sight for sight in game.sights if var in reads(sight.value)[0]), None)
        own = isinstance(var.type, Map) and var.type.keys == game.player
        if not var.hidden or reading is None or (own and game.players == 1) or _shown_whole(game, reading):
            continue
        tried = told = 0
        for position, other in _pairs(samples):
            for value in _changes(game, var, position.values[place], other.values[place]):
                before, after = machine.situation(position), machine.situation(position)
                after.set(var, value)
                for viewer in game.player.values:
                    tried += 1
                    told += _view(game, before, viewer) != _view(game, after, viewer)
        if tried >= FEWEST and told == tried:
            yield var, reading


def _view(game: Game, situation: Situation, viewer: Value) -> list[list[tuple[tuple[Value, ...], Value]]]:
    return [[*sights(sight, situation, viewer)] for sight in game.sights]


def _pairs(samples: Sequence[Position]) -> Iterator[tuple[Position, Position]]:
    """Positions of plays, each with later ones."""
    for step in range(1, 14):
        yield from zip(samples, samples[step:], strict=False)


def _changes(game: Game, var: n.StateVar, here: Value, there: Value) -> Iterator[Value]:
    """The values of a variable with one part replaced by another of the same size."""
    if isinstance(var.type, Map) and var.type.keys == game.player:
        for number in range(len(game.player.values)):
            if here[number] != there[number] and size(here[number]) == size(there[number]):
                yield (*here[:number], there[number], *here[number + 1 :])
    elif here != there and size(here) == size(there):
        yield there
