"""The parts of a game that may be idle, and a game in which they show when they are not.

A requirement or law is not idle if an action is refused by nothing else: the game gets another action in
which that condition is turned round. Where it is legal, the part has shown. An action shows where it is
legal, a reaction or an end where it comes, a claim where what it presupposes holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from rulespec.core import nodes as n
from rulespec.core.diagnostics import Span
from rulespec.core.game import Action, Claim, End, Game, Reaction, Requirement, Rule
from rulespec.core.types import BOOL

ACTION, END, REACTION, REQUIREMENT, LAW, CLAIM = "action", "end", "reaction", "requirement", "law", "claim"


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a game: its kind and name, the clause (or claim) that it stands in, and where it was written.

    For a requirement or law `refusals` are the actions that it binds with the conditions of its own; empty
    where all of these were settled when the game was made, because they always hold. A part of another kind
    has the action, the reaction, the number of the end or the presupposition that it is.
    """

    kind: str
    name: str
    clause: str
    span: Span | None
    refusals: tuple[tuple[Action, Requirement], ...] = ()
    action: Action | None = None
    reaction: Reaction | None = None
    end: int = -1
    presupposed: n.Expr | None = None

    @property
    def key(self) -> tuple[str, str]:
        """A key that is the same under all settings."""
        return self.kind, self.name

    @property
    def is_taken(self) -> bool:
        """True if it shows where an added action is legal."""
        return self.action is not None or bool(self.refusals)

    @property
    def settled(self) -> bool:
        """True if it is a condition that was settled when the game was made."""
        return self.kind in (REQUIREMENT, LAW) and not self.refusals


def parts_of(game: Game) -> list[Part]:
    """The parts of a game that may be dead, in reading order; claims last."""
    result = [part for rule in game.rules for part in _of_rule(game, rule)]
    return [*result, *(part for claim in game.claims.values() for part in _of_claim(claim))]


def _of_rule(game: Game, rule: Rule) -> Iterator[Part]:
    action = game.actions.get(rule.id)
    if action is not None:
        yield Part(ACTION, action.id, rule.id, rule.span, action=action)
        for name, _ in rule.requirements:
            own = [(action, r) for r in action.requirements if (r.clause, r.id) == (rule.id, name)]
            span = game.spans.get(own[0][1].condition) if own else None
            yield Part(REQUIREMENT, f"{rule.id}.{name}", rule.id, span or rule.span, tuple(own))
    bound = [(a, r) for a in game.actions.values() for r in a.requirements if r.clause == r.id == rule.id]
    if bound or rule.kind == "law":
        span = game.spans.get(bound[0][1].condition) if bound else None
        yield Part(LAW, rule.id, rule.id, span or rule.span, tuple(bound))
    for reaction in (r for r in game.reactions if r.id == rule.id):
        yield Part(
            REACTION, rule.id, rule.id, game.spans.get(reaction.condition) or rule.span, reaction=reaction
        )
    for number, end in enumerate(game.ends):
        if end.id == rule.id:
            yield Part(END, end.id, rule.id, game.spans.get(end.condition) or rule.span, end=number)


def _of_claim(claim: Claim) -> Iterator[Part]:
    presupposed = claim.premise or claim.when
    if isinstance(presupposed, n.Expression):
        yield Part(CLAIM, claim.id, claim.id, claim.span, presupposed=presupposed)


@dataclass(frozen=True, eq=False)
class InstrumentedGame:
    """A game in which parts show.

    `flags` are what is set when a part shows, `rows` for each action past those of the rules the part that
    shows where it is legal.
    """

    game: Game
    flags: tuple[n.StateVar, ...]
    rows: tuple[int, ...]


def instrument(game: Game, parts: Sequence[Part], *, stops: bool) -> InstrumentedGame:
    """A game in which each of these parts sets a flag when it shows; with `stops` the play is over then.

    Claims need no flag: they are asked of the states as they are. Plays in which no added action is taken are
    plays of the game itself.
    """
    flags = tuple(n.StateVar(f"shown {i}", BOOL, n.Const(BOOL, False)) for i, _ in enumerate(parts))
    sets = [n.Assign(flag, (), n.Const(BOOL, True)) for flag in flags]
    added: list[Action] = []
    rows: list[int] = []
    reactions = list(game.reactions)
    setup: list[n.Effect] = [game.setup]
    for number, part in enumerate(parts):
        for action, requirements in _probe_actions(part):
            name = f"shown {len(added)}"
            own = n.replaced(sets[number])  # the function of an effect takes the choices of its action
            added.append(replace(action, id=name, requirements=requirements, effect=own))
            rows.append(number)
        if part.reaction is not None:
            at = next(i for i, r in enumerate(reactions) if r.id == part.reaction.id)
            effect = n.Block((part.reaction.effect, sets[number]))
            reactions[at] = replace(part.reaction, effect=effect)
        if part.end >= 0:
            comes = _comes(game.ends, part.end)
            reactions.append(Reaction(f"shown {number}", comes, sets[number]))
            setup.append(n.When(comes, sets[number], n.NOTHING_DONE))
    first = [End(f"shown {i}", "", n.Get(BOOL, flag)) for i, flag in enumerate(flags)] if stops else []
    made = replace(
        game,
        state={**game.state, **{flag.name: flag for flag in flags}},
        actions={**game.actions, **{action.id: action for action in added}},
        reactions=tuple(reactions),
        setup=n.Block(tuple(setup)),
        ends=(*first, *game.ends),
    )
    return InstrumentedGame(made, flags, tuple(rows))


def _probe_actions(part: Part) -> Iterator[tuple[Action, tuple[Requirement, ...]]]:
    """The actions that are legal where a part shows, with what they require."""
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
    """The condition of a state in which a part shows.

    Of an end its condition is named too, though the flag says it all: so one sees how far from it a state is.
    """
    if part.presupposed is not None:
        return part.presupposed
    shown = n.Get(BOOL, flag)
    return n.And(BOOL, (shown, _comes(game.ends, part.end))) if part.end >= 0 else shown
