"""Instrumented games: games in which parts set a flag when they are seen.

A requirement or law is in use if it alone refuses an action: the game gets another action with that condition
negated. If that is legal, the part has been seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import assert_never

from rulespec.core import nodes as n
from rulespec.core.game import Action, End, Game, Reaction, Requirement
from rulespec.core.types import BOOL
from rulespec.noticing.parts import ALWAYS, BRANCH, CASE, END, LOOP, STORE, Event, Part, present_value


@dataclass(frozen=True, eq=False)
class InstrumentedGame:
    """An instrumented game, in which parts show.

    `flags` are set when a part is seen, `rows` give for each added action the part that it shows by being
    legal.
    """

    game: Game
    flags: tuple[n.StateVar, ...]
    rows: tuple[int, ...]


def instrument(game: Game, parts: Sequence[Part], *, stops: bool) -> InstrumentedGame:
    """A game in which each part sets a flag when it is seen, which ends the play if `stops`.

    Claims and players need no flag: they are evaluated in the states themselves. Plays in which no added
    action is taken are plays of the game itself.
    """
    flags = tuple(n.StateVar(f"shown {i}", BOOL, n.Const(BOOL, False)) for i, _ in enumerate(parts))
    sets = [n.Assign(flag, (), n.Const(BOOL, True)) for flag in flags]
    taken = {p.event: sets[i] for i, p in enumerate(parts) if p.kind in (BRANCH, STORE, LOOP, ALWAYS)}
    added: list[Action] = []
    rows: list[int] = []
    reactions = [replace(r, effect=_noting(r.effect, taken)) for r in game.reactions]
    setup: list[n.Effect] = [_noting(game.setup, taken)]
    for number, part in enumerate(parts):
        for action, requirements in _probe_actions(part):
            name = f"shown {len(added)}"
            own = n.copy_with(sets[number])  # the function of an effect takes the choices of its action
            added.append(replace(action, id=name, requirements=requirements, effect=own))
            rows.append(number)
        if part.reaction is not None:
            at = next(i for i, r in enumerate(reactions) if r.id == part.reaction.id)
            reactions[at] = replace(reactions[at], effect=n.Block((reactions[at].effect, sets[number])))
        comes = _comes(game.ends, part.end) if part.end >= 0 else part.condition
        if part.kind in (END, CASE) and comes is not None:
            reactions.append(Reaction(f"shown {number}", comes, sets[number]))
            setup.append(n.When(comes, sets[number], n.NOTHING_DONE))
    first = [End(f"shown {i}", "", n.Get(BOOL, flag)) for i, flag in enumerate(flags)] if stops else []
    noting = {name: replace(a, effect=_noting(a.effect, taken)) for name, a in game.actions.items()}
    made = replace(
        game,
        state={**game.state, **{flag.name: flag for flag in flags}},
        actions={**noting, **{action.id: action for action in added}},
        reactions=tuple(reactions),
        setup=n.Block(tuple(setup)),
        turn=replace(game.turn, begin=_noting(game.turn.begin, taken)),
        ends=(*first, *game.ends),
    )
    return InstrumentedGame(made, flags, tuple(rows))


def _noting(effect: n.Effect, taken: dict[Event, n.Assign]) -> n.Effect:
    """An effect whose branches set their flags; unchanged without any."""
    if not taken:
        return effect
    match effect:
        case n.Assign():
            flag, present = taken.get((effect, STORE)), present_value(effect)
            if flag is None or present is None:
                return effect
            changes = n.Not(BOOL, n.Equal(BOOL, present, effect.value))
            return n.Block((n.When(changes, n.copy_with(flag), n.NOTHING_DONE), effect))
        case n.Block():
            items = tuple(_noting(item, taken) for item in effect.items)
            return effect if all(a is b for a, b in zip(items, effect.items, strict=True)) else n.Block(items)
        case n.When():
            ways = []
            for way, follows in ((True, effect.then), (False, effect.otherwise)):
                inner, flag = _noting(follows, taken), taken.get((effect, way))
                ways.append(inner if flag is None else n.Block((n.copy_with(flag), inner)))
            return n.copy_with(effect, then=ways[0], otherwise=ways[1])
        case n.ForEach() | n.Bind() | n.Draw() | n.Shuffle():
            body, flag = _noting(effect.body, taken), taken.get((effect, True))
            body = body if flag is None else n.Block((n.copy_with(flag), body))
            return effect if body is effect.body else n.copy_with(effect, body=body)
        case _:
            assert_never(effect)


def _probe_actions(part: Part) -> Iterator[tuple[Action, tuple[Requirement, ...]]]:
    """The actions that are legal when a part is seen, with their requirements."""
    if part.action is not None:
        yield part.action, part.action.requirements
    for action, requirement in part.refusals:
        others = [r for r in action.requirements if r is not requirement]
        turned = replace(requirement, condition=n.Not(BOOL, requirement.condition))
        yield action, (*others, turned)


def _comes(ends: Sequence[End], number: int) -> n.Expr:
    """The condition that an end is the first whose condition holds."""
    none_before = [n.Not(BOOL, end.condition) for end in ends[:number]]
    conditions: tuple[n.Expr, ...] = (*none_before, ends[number].condition)
    return reduce(lambda a, b: n.And(BOOL, (a, b)), conditions)


def showing(game: Game, part: Part, flag: n.StateVar) -> n.Expr:
    """The condition of a state in which a part is seen.

    For an end its condition is included, although the flag suffices: it measures how far from it a state is.
    """
    shown = n.Get(BOOL, flag)
    if part.condition is not None:
        return n.Or(BOOL, (shown, part.condition)) if part.kind == CASE else part.condition
    return n.And(BOOL, (shown, _comes(game.ends, part.end))) if part.end >= 0 else shown
