"""The parts of a game that may be idle, and an instrumented game that shows when they are not.

A requirement or law is in use if it alone refuses an action: the game gets another action with that condition
negated. If that is legal, the part has been seen. An action is seen if it is legal, a reaction or an end if
it happens, a claim if its premise holds, a branch of an effect if it is taken, a case of a condition if it
can hold for some values of its local names, a store if it changes a value, a player who is to move or wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import prod
from typing import assert_never

from ..core import nodes as n
from ..core.diagnostics import Span
from ..core.game import Action, Claim, End, Game, Reaction, Requirement, Rule
from ..core.notation import write
from ..core.traversal import FreeVariables, assignments, conjuncts, nodes_within, slots
from ..core.types import BOOL, Map, Scalar, Set, scalar_of
from ..core.winners import Sharing, sharing

ACTION, END, REACTION, REQUIREMENT, LAW, CLAIM = "action", "end", "reaction", "requirement", "law", "claim"
BRANCH, CASE, STORE, MOVER, WINNER, LEAD, LOOP = "branch", "case", "store", "mover", "winner", "lead", "loop"
ALWAYS = "settled"
MOST_VALUES = 4096
"""Maximum number of combinations of values of local names for which a condition is tested."""

Event = tuple[object, object]
"""An event of the interpreter: a node with its branch or the number of its item, or a kind with a name."""


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a game: its kind and name, its clause (or claim), and its place.

    For a requirement or law `refusals` are the actions that it binds with the conditions of its own; empty if
    all of these are constant, because they always hold. A part of another kind has its action, its reaction,
    the number of its end or its condition of positions.
    """

    kind: str
    name: str
    clause: str
    span: Span | None
    refusals: tuple[tuple[Action, Requirement], ...] = ()
    action: Action | None = None
    reaction: Reaction | None = None
    end: int = -1
    condition: n.Expr | None = None
    """The condition of a position in which it is seen: a claim's premise, a case, a player to move."""
    event: Event = ("", "")
    """The event of the interpreter that shows it; see `Machine.seen`."""

    @property
    def key(self) -> tuple[str, str, str]:
        """A key that is the same under all settings."""
        return (
            self.kind,
            self.name,
            str(self.span) if self.kind in (BRANCH, CASE, STORE, LOOP, END, ALWAYS) else "",
        )

    @property
    def is_taken(self) -> bool:
        """True if an added action shows it by being legal."""
        return self.action is not None or bool(self.refusals)

    @property
    def is_noted(self) -> bool:
        """True if an event of the interpreter shows it."""
        return self.event != ("", "")

    @property
    def is_settled(self) -> bool:
        """True if it is a condition that was constant when the game was made."""
        return self.kind in (REQUIREMENT, LAW) and not self.refusals


def parts_of(game: Game) -> list[Part]:
    """The parts of a game that may be dead, in reading order; those of the game as a whole come last."""
    result = [part for rule in game.rules for part in _of_rule(game, rule)]
    result += [*_branches(game), *_movers(game), *_winners(game)]
    return [*result, *(part for claim in game.claims.values() for part in _of_claim(claim))]


def _of_rule(game: Game, rule: Rule) -> Iterator[Part]:
    action = game.actions.get(rule.id)
    if action is not None:
        yield Part(ACTION, action.id, rule.id, rule.span, action=action, event=(ACTION, action.id))
        for name, _ in rule.requirements:
            own = [(action, r) for r in action.requirements if (r.clause, r.id) == (rule.id, name)]
            span = game.spans.get(own[0][1].condition) if own else None
            event = ("refusal", f"{rule.id}.{name}")
            yield Part(REQUIREMENT, f"{rule.id}.{name}", rule.id, span or rule.span, tuple(own), event=event)
    bound = [(a, r) for a in game.actions.values() for r in a.requirements if r.clause == r.id == rule.id]
    generated = any(stage.action == rule.id for stage in game.stages)
    if not generated and (bound or rule.kind == "law"):
        span = game.spans.get(bound[0][1].condition) if bound else None
        event = ("refusal", f"{rule.id}.{rule.id}")
        yield Part(LAW, rule.id, rule.id, span or rule.span, tuple(bound), event=event)
    for reaction in (r for r in game.reactions if r.id == rule.id):
        span = _place(game, reaction.condition) or rule.span
        yield Part(REACTION, rule.id, rule.id, span, reaction=reaction, event=(REACTION, rule.id))
    for number, end in enumerate(game.ends):
        if end.id == rule.id:
            span = _place(game, end.condition)
            if span is None and not _is_stored(game, end.condition):
                continue  # phases of which the last one has no end
            span = span or rule.span
            yield Part(END, end.id, rule.id, span, end=number, event=("end-number", number))


def _is_stored(game: Game, condition: n.Expr) -> bool:
    """False if a generated end needs a variable in which no reaction stores."""
    stored = {assign.target for reaction in game.reactions for assign in assignments(reaction.effect)}
    flags = (part for part in conjuncts(condition) if isinstance(part, n.Get))
    return all(flag.var in stored for flag in flags)


def written_condition(game: Game, condition: n.Expr) -> n.Expr:
    """A condition without what was added before it; for a definition, its body."""
    if isinstance(condition, n.And) and condition not in game.spans:
        condition = condition.items[-1]
    return condition.function.body if isinstance(condition, n.Call) else condition


def _place(game: Game, condition: n.Expr) -> Span | None:
    """The place of a condition; for a definition, that of its body."""
    return game.spans.get(written_condition(game, condition)) or game.spans.get(condition)


def _of_claim(claim: Claim) -> Iterator[Part]:
    presupposed = claim.premise or claim.when
    if isinstance(presupposed, n.Expression):
        yield Part(CLAIM, claim.id, claim.id, claim.span, condition=presupposed)


def _branches(game: Game) -> Iterator[Part]:
    """The branches of effects, and the cases of conditions: alternatives of `or`, and values of `if`."""
    free, seen = FreeVariables(), set[n.Expr | n.Effect]()
    for root in game.roots:
        for node in _nodes_in_play(root):
            if node in seen:
                continue
            seen.add(node)
            if isinstance(node, n.When | n.If):
                ways = [(True, node.cond, node.then), (False, n.Not(BOOL, node.cond), node.otherwise)]
                kind = BRANCH if isinstance(node, n.When) else CASE
                for way, condition, follows in ways:
                    if not (isinstance(follows, n.Block) and not follows.items):
                        yield from _branch(game, kind, node.cond, condition, (node, way), free)
            elif isinstance(node, n.Or):
                for number, item in enumerate(node.items):
                    yield from _branch(game, CASE, item, item, (node, number), free)


def parts_in_play(game: Game) -> list[Part]:
    """The parts of a game, its stores and loops, and different scores; idle ones need not be dead."""
    return [*parts_of(game), *_stores(game), *_loops(game), *_lead(game), *_needless(game)]


def _needless(game: Game) -> Iterator[Part]:
    """The comparisons without which an effect is not done, each as a part that is seen when it fails.

    Those of a variable in which the effect stores only make sure that the value fits.
    """
    for node in dict.fromkeys(node for root in game.roots for node in _nodes_in_play(root)):
        if isinstance(node, n.When) and isinstance(node.cond, n.Less | n.AtMost | n.Equal):
            span = game.spans.get(node.cond)
            empty = isinstance(node.otherwise, n.Block) and not node.otherwise.items
            stored = {assign.target for assign in assignments(node.then)}
            guards = any(isinstance(e, n.Get) and e.var in stored for e in nodes_within(node.cond))
            if span is not None and empty and not guards and node.cond in game.texts:
                yield Part(ALWAYS, game.texts[node.cond], clause_at(game, span), span, event=(node, False))


def _loops(game: Game) -> Iterator[Part]:
    """The effects done for elements of what may be empty, each as a part that is seen when there is one."""
    for node in dict.fromkeys(node for root in game.roots for node in _nodes_in_play(root)):
        if isinstance(node, n.ForEach | n.Draw) and not isinstance(node.source, n.Domain | n.Const):
            span = game.spans.get(node.source)
            if span is not None:
                text = game.texts.get(node.source) or span.source.line(span.line).strip()
                yield Part(LOOP, text, clause_at(game, span), span, event=(node, True))


def _stores(game: Game) -> Iterator[Part]:
    """The stores in scalars and sets after the setup, each as a part that is seen when it changes them."""
    seen = {*_nodes_in_play(game.setup)}
    for root in game.roots:
        for node in _nodes_in_play(root):
            span = game.spans.get(node)
            if isinstance(node, n.Assign) and node not in seen and span is not None and _present(node):
                seen.add(node)
                text = span.source.line(span.line)[span.column - 1 : span.end_column - 1]
                yield Part(STORE, text, clause_at(game, span), span, event=(node, STORE))


def _present(assign: n.Assign) -> n.Expr | None:
    """The present value at the place of an assignment; None if it is no entry, or no scalar or set."""
    found: n.Expr = n.Get(assign.target.type, assign.target)
    for key in assign.path:
        if not isinstance(found.type, Map):
            return None
        found = n.Read(found.type.of, found, key)
    return found if isinstance(found.type, Set) or scalar_of(found.type) is not None else None


def _nodes_in_play(root: n.Expr | n.Effect) -> Iterator[n.Expr | n.Effect]:
    """The nodes of a rule with those of its definitions, without effects inside conditions."""
    waiting, seen = [root], set[n.Function]()
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [part for name, part in slots(node) if not isinstance(node, n.After) or name != "effect"]
        if isinstance(node, n.Call) and node.function not in seen:
            seen.add(node.function)
            waiting.append(node.function.body)


def _branch(
    game: Game, kind: str, written: n.Expr, condition: n.Expr, event: Event, free: FreeVariables
) -> Iterator[Part]:
    """The part of a node that a condition decides, if its author wrote that condition."""
    span = game.spans.get(written) or _place(game, written)
    if span is None or isinstance(written, n.Const):
        return
    possible = None if kind == BRANCH else _possible(condition, free)
    if kind == BRANCH or possible is not None:
        text = game.texts.get(written) or span.source.line(span.line)[span.column - 1 : span.end_column - 1]
        name = f"not ({text})" if event[1] is False else text
        yield Part(kind, name, clause_at(game, span), span, condition=possible, event=event)


def clause_at(game: Game, span: Span) -> str:
    """The id of the rule that contains a place; empty if there is none."""
    found = ""
    for rule in game.rules:
        if rule.span is not None and rule.span.source == span.source and rule.span.line <= span.line:
            found = rule.id if span.line <= rule.span.end_line else found
    return found


def declaration(game: Game, var: n.StateVar) -> Span | None:
    """The place of the name in the declaration of a variable."""
    for span in [rule.span for rule in game.rules if rule.span is not None]:
        for line in range(span.line, span.end_line + 1):
            found = re.search(rf"\bstate ({re.escape(var.name)})\s*:", span.source.line(line))
            if found is not None:
                return Span(span.source, line, found.start(1) + 1, line, found.end(1) + 1)
    return None


def line_with(span: Span, text: str) -> Span:
    """The first line of a place that contains a text; its first line if none does."""
    lines = [span.source.line(line) for line in range(span.line, span.end_line + 1)]
    at = next((at for at, line in enumerate(lines) if text in line), 0)
    first = len(lines[at]) - len(lines[at].lstrip()) + 1
    return Span(span.source, span.line + at, first, span.line + at, len(lines[at].rstrip()) + 1)


def _possible(condition: n.Expr, free: FreeVariables) -> n.Expr | None:
    """The condition that another one holds for some values of its free names; None if they are too many."""
    names = sorted(free(condition), key=lambda var: var.name)
    types = [var.type for var in names if isinstance(var.type, Scalar)]
    if len(types) < len(names) or prod(len(of.values) for of in types) > MOST_VALUES:
        return None
    for var, of in zip(names, types, strict=True):
        condition = n.Any(BOOL, var, n.Domain(Set(of), of), condition)
    return condition


def _movers(game: Game) -> Iterator[Part]:
    """Each of several players, as the player to move, at the place that says who acts next."""
    over = n.Get(BOOL, game.state["over"])
    order = (node for root in (game.turn.next, game.turn.over) for node in nodes_within(root))
    places = [game.spans[node] for node in order if node in game.spans]
    places += [rule.span for rule in game.rules if rule.id in game.actions and rule.span is not None]
    span = places[0] if places else None
    for player in game.player.values if game.players > 1 else ():
        moves = n.Equal(BOOL, n.Get(game.player, game.mover), n.Const(game.player, player))
        condition = n.And(BOOL, (n.Not(BOOL, over), moves))
        name, clause = write(game.player, player), clause_at(game, span) if span is not None else ""
        yield Part(MOVER, name, clause, span, condition=condition, event=(MOVER, player))


def _winners(game: Game) -> Iterator[Part]:
    """Each player, as a winner; if points decide, somebody always wins."""
    winners = game.outcome.winners
    if winners is None:
        return
    span = next((game.spans[node] for node in nodes_within(winners) if node in game.spans), None)
    clause = clause_at(game, span) if span is not None else ""
    over = n.Get(BOOL, game.state["over"])
    for player in game.player.values:
        value = n.Const(game.player, player)
        if isinstance(winners.type, Set):
            wins: n.Expr = n.Member(BOOL, value, winners)
        else:
            wins = n.Let(BOOL, game.outcome.player, value, winners)
        condition = n.And(BOOL, (over, wins))
        name = write(game.player, player)
        yield Part(WINNER, name, clause, span, condition=condition, event=(WINNER, player))


def _lead(game: Game) -> Iterator[Part]:
    """Different scores at the end, if most points win."""
    outcome, score = game.outcome, game.outcome.score
    alone = game.players == 1 or outcome.winners is not None or sharing(game) is Sharing.TOGETHER
    if score is None or alone or outcome.player not in FreeVariables()(score):
        return
    values = [n.Const(game.player, player) for player in game.player.values]
    first, *others = (n.Let(score.type, outcome.player, value, score) for value in values)
    differ = n.Or(BOOL, tuple(n.Not(BOOL, n.Equal(BOOL, first, other)) for other in others))
    span = next((game.spans[node] for node in nodes_within(score) if node in game.spans), None)
    clause = clause_at(game, span) if span is not None else ""
    condition = n.And(BOOL, (n.Get(BOOL, game.state["over"]), differ))
    yield Part(LEAD, "", clause, span, condition=condition, event=(LEAD, ""))


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
    """A game in which each of these parts sets a flag when it is seen; with `stops` the play is over then.

    Claims and players need no flag: they are evaluated in the states themselves. Plays in which no added
    action is taken are plays of the game itself.
    """
    flags = tuple(n.StateVar(f"shown {i}", BOOL, n.Const(BOOL, False)) for i, _ in enumerate(parts))
    sets = [n.Assign(flag, (), n.Const(BOOL, True)) for flag in flags]
    taken = {
        part.event: sets[i] for i, part in enumerate(parts) if part.kind in (BRANCH, STORE, LOOP, ALWAYS)
    }
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
    """An effect whose branches set their flags; unchanged if it has none of them."""
    if not taken:
        return effect
    match effect:
        case n.Assign():
            flag, present = taken.get((effect, STORE)), _present(effect)
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
