"""The parts of a game that may be idle.

A requirement or law is seen if it alone refuses an action, an action if it is legal, a reaction or an end if
it happens, a claim if its premise holds, a branch of an effect if it is taken, a case of a condition if it
can hold for some values of its local names, a store if it changes a value, a player who is to move or wins.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from math import prod

from ..core import nodes as n
from ..core.diagnostics import Span
from ..core.game import Action, Claim, Game, Reaction, Requirement, Rule
from ..core.notation import write
from ..core.traversal import FreeVariables, Node, assignments, conjuncts, nodes_within, parts
from ..core.types import BOOL, Map, Scalar, Set, scalar_of
from ..core.winners import Sharing, sharing

ACTION, END, REACTION, REQUIREMENT, LAW, CLAIM = "action", "end", "reaction", "requirement", "law", "claim"
BRANCH, CASE, STORE, MOVER, WINNER, LEAD, LOOP = "branch", "case", "store", "mover", "winner", "lead", "loop"
ALWAYS, DEFINITION, EFFECT = "settled", "definition", "effect"
MOST_VALUES = 4096
"""Maximum number of combinations of values of local names for which a condition is tested."""

Found = Iterator[tuple[str, Span | None, str, str]]
"""The kind of a doubt, its place, its message and its help."""
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
        apart = self.kind in (BRANCH, CASE, STORE, LOOP, END, ALWAYS)
        return self.kind, self.name, str(self.span) if apart else ""

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
    """The parts of a game that may be idle, in reading order, those of the whole game last."""
    result = [part for rule in game.rules for part in _of_rule(game, rule)]
    free, nodes = FreeVariables(), _nodes_in_play(*game.roots)
    result += [part for node in nodes for part in _branches(game, node, free)]
    claimed = (part for claim in game.claims.values() for part in _of_claim(claim))
    return [*result, *_movers(game), *_winners(game), *claimed]


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


def written_condition(game: Game, condition: Node) -> Node:
    """A condition without what was added before it; for a definition, its body."""
    if isinstance(condition, n.And) and condition not in game.spans:
        condition = condition.items[-1]
    return condition.function.body if isinstance(condition, n.Call) else condition


def _place(game: Game, condition: n.Expr) -> Span | None:
    """The place of a condition; for a definition, that of its body."""
    return game.spans.get(written_condition(game, condition)) or game.spans.get(condition)


def _of_claim(claim: Claim) -> Iterator[Part]:
    """Yield the premise of a claim as a part that plays should meet."""
    presupposed = claim.premise or claim.when
    if isinstance(presupposed, n.Expression):
        yield Part(CLAIM, claim.id, claim.id, claim.span, condition=presupposed)


def parts_in_play(game: Game) -> list[Part]:
    """The parts of a game, its stores and loops, and different scores; idle ones need not be dead."""
    setup, idle = {*_nodes_in_play(game.setup)}, map(partial(_of_effect, game), _nodes_in_play(*game.roots))
    needless = (part for part in idle if part and (part.kind != STORE or part.event[0] not in setup))
    return [*parts_of(game), *needless, *_lead(game)]


def keys_of_events(game: Game, events: AbstractSet[object]) -> set[tuple[str, str, str]]:
    """The keys of branches and cases in which events happened, copies of their text included."""
    free, found = FreeVariables(), (event[0] for event in events if isinstance(event, tuple))
    nodes = dict.fromkeys(node for node in found if isinstance(node, n.When | n.If | n.Or))
    return {part.key for node in nodes for part in _branches(game, node, free) if part.event in events}


def _branches(game: Game, node: Node, free: FreeVariables) -> Iterator[Part]:
    """The branches of effects, and the cases of conditions: alternatives of `or`, and values of `if`."""
    if isinstance(node, n.When | n.If):
        ways = [(True, node.cond, node.then), (False, n.Not(BOOL, node.cond), node.otherwise)]
        kind = BRANCH if isinstance(node, n.When) else CASE
        for way, condition, follows in ways:
            if not (isinstance(follows, n.Block) and not follows.items):
                yield from _branch(game, kind, node.cond, condition, (node, way), free)
    elif isinstance(node, n.Or):
        for number, item in enumerate(node.items):
            yield from _branch(game, CASE, item, item, (node, number), free)


def _of_effect(game: Game, node: Node) -> Part | None:
    """An effect that may have no use: a store, a loop, or a comparison on which an effect depends.

    A store in a scalar or set has been seen once it changes the value, a loop once there is an element, a
    comparison once it fails. One with a variable that the effect stores in only ensures that the value fits.
    """
    of: Node
    sign: object
    match node:
        case n.Assign() if present_value(node) is not None:
            kind, of, sign = STORE, node, STORE
        case n.ForEach(source=source) | n.Draw(source=source) if not isinstance(source, n.Domain | n.Const):
            kind, of, sign = LOOP, source, True
        case n.When(cond=n.Less() | n.AtMost() | n.Equal() as condition, otherwise=n.Block(items=())):
            stored = {assign.target for assign in assignments(node.then)}
            if any(isinstance(e, n.Get) and e.var in stored for e in nodes_within(condition)):
                return None
            kind, of, sign = ALWAYS, condition, False
        case _:
            return None
    if (at := game.spans.get(of)) is None:
        return None
    text = game.texts.get(of) if isinstance(of, n.Expression) else None
    return Part(kind, text or _text_at(at), clause_at(game, at), at, event=(node, sign))


def _text_at(span: Span) -> str:
    """The text at a place, of its first line."""
    end = span.end_column - 1 if span.end_line == span.line else None
    return span.source.line(span.line)[span.column - 1 : end].strip()


def present_value(assign: n.Assign) -> n.Expr | None:
    """The value before an assignment at its place; None unless that is an entry with a scalar or set."""
    found: n.Expr = n.Get(assign.target.type, assign.target)
    for key in assign.path:
        if not isinstance(found.type, Map):
            return None
        found = n.Read(found.type.of, found, key)
    return found if isinstance(found.type, Set) or scalar_of(found.type) is not None else None


def _nodes_in_play(*roots: n.Expr | n.Effect) -> Iterator[n.Expr | n.Effect]:
    """The nodes of rules with those of their definitions, each once, without effects inside conditions."""
    waiting, seen = [*reversed(roots)], set[n.Expr | n.Effect]()
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        yield node
        waiting += [*node.args, node.body] if isinstance(node, n.After) else parts(node)
        if isinstance(node, n.Call):
            waiting.append(node.function.body)


def _branch(
    game: Game, kind: str, written: n.Expr, condition: n.Expr, event: Event, free: FreeVariables
) -> Iterator[Part]:
    """The part of a node that a condition decides, if the author wrote that condition."""
    span = game.spans.get(written) or _place(game, written)
    if span is None or isinstance(written, n.Const):
        return
    possible = None if kind == BRANCH else _possible(condition, free)
    if kind == BRANCH or possible is not None:
        text = game.texts.get(written) or _text_at(span)
        name = f"not ({text})" if event[1] is False else text
        yield Part(kind, name, clause_at(game, span), span, condition=possible, event=event)


def clause_at(game: Game, span: Span) -> str:
    """The id of the rule that contains a place; empty if there is none."""
    found = ""
    for rule in game.rules:
        if rule.span is not None and rule.span.source == span.source and rule.span.line <= span.line:
            found = rule.id if span.line <= rule.span.end_line else found
    return found


def places_of(rule: Rule, pattern: str) -> Iterator[tuple[Span, re.Match[str]]]:
    """The places of the first group of a pattern in the text of a rule, each in one line."""
    if (span := rule.span) is not None:
        for line in range(span.line, span.end_line + 1):
            for found in re.finditer(pattern, span.source.line(line)):
                yield Span(span.source, line, found.start(1) + 1, line, found.end(1) + 1), found


def declarations(game: Game) -> Mapping[str, Span]:
    """The places of the names of variables in their declarations."""
    found = (places_of(rule, r"\bstate ([\w-]+)\s*:") for rule in reversed(game.rules))
    return {name[1]: place for places in found for place, name in places}


@dataclass(frozen=True)
class Passage:
    """A condition or an effect of a rule, with the prose beside it; that of a rule with readings is empty."""

    rule: str
    kind: str
    prose: str
    formal: n.Expr | n.Effect
    action: Action | None = None
    """The first action that it binds or is the effect of."""


def passages(game: Game) -> Iterator[Passage]:
    """The requirements, conditions, effects and definitions of a game, each once."""
    rules = [rule for rule in game.rules if rule.ruling is None]
    prose = {rule.id: rule.prose for rule in rules}
    named = {(rule.id, name) for rule in rules for name, _ in rule.requirements}
    bound: dict[Requirement, Action] = {}
    for action in game.actions.values():
        bound |= {r: action for r in action.requirements if r not in bound}
    for r, action in bound.items():
        words = r.prose if (r.clause, r.id) in named else ""
        yield Passage(r.clause, REQUIREMENT, words, r.condition, action)
    for action in game.actions.values():
        yield Passage(action.id, EFFECT, prose.get(action.id, ""), action.effect, action)
    for end in game.ends:
        yield Passage(end.id, END, prose.get(end.id, ""), written_condition(game, end.condition))
    for reaction in game.reactions:
        condition = written_condition(game, reaction.condition)
        yield Passage(reaction.id, REACTION, prose.get(reaction.id, ""), condition)
        yield Passage(reaction.id, EFFECT, prose.get(reaction.id, ""), reaction.effect)
    for function in game.functions.values():
        yield Passage(function.clause, DEFINITION, prose.get(function.clause, ""), function.body)


def occasions(game: Game) -> list[Passage]:
    """The conditions of ends and reactions."""
    return [passage for passage in passages(game) if passage.kind in (END, REACTION)]


Nodes = Mapping[str, Sequence[Node]]


def nodes_by_rule(game: Game) -> Nodes:
    """The nodes written in each rule, rules of libraries left out."""
    spans = [(rule.id, rule.span) for rule in game.rules if rule.span is not None]
    rules = {(at.source, line): name for name, at in spans for line in range(at.line, at.end_line + 1)}
    found = defaultdict[str, list[Node]](list)
    for node in _nodes_in_play(*game.roots, *(function.body for function in game.functions.values())):
        if (span := game.spans.get(node)) is not None and (span.source, span.line) in rules:
            found[rules[span.source, span.line]].append(node)
    return found


def _possible(condition: n.Expr, free: FreeVariables) -> n.Expr | None:
    """The condition that another holds for some values of its free names; None if there are too many."""
    names = sorted(free(condition), key=lambda var: var.name)
    types = [var.type for var in names if isinstance(var.type, Scalar)]
    if len(types) < len(names) or prod(len(of.values) for of in types) > MOST_VALUES:
        return None
    for var, of in zip(names, types, strict=True):
        condition = n.Any(BOOL, var, n.Domain(Set(of), of), condition)
    return condition


def _movers(game: Game) -> Iterator[Part]:
    """Each player as the mover, placed where the rules say who acts next; nothing for a single player."""
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
    """Each player as a winner; nothing if points decide, because then somebody always wins."""
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
    """The event of different scores at the end, if most points win."""
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
