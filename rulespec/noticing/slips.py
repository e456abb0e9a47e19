"""Slips that the formal text alone shows: what an author named, asked or left out by mistake."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..core import nodes as n
from ..core.diagnostics import Span
from ..core.game import Action, Game
from ..core.taint import StateReads
from ..core.traversal import (
    FreeVariables,
    assignments,
    conjuncts,
    nodes_with_definitions,
    nodes_within,
    reads_state,
)
from ..core.types import Enum, Int, List, Map, Optional, Set, Value, fits, scalar_of
from ..play.views import counted_source
from .parts import Found, declarations, written_condition
from .setups import shuffled_variables

_Comparison = n.Less | n.AtMost | n.Equal
_MORE = n.Union | n.Concat
"""Values with which a set or list grows."""
_GIVE = re.compile(
    r"\b(?:moves?|steps?|slides?|jumps?|hops?|lays?|plays?|puts?|places?|discards?|gives?|pays?|spends?|sells?)\b",
    re.IGNORECASE,
)
_LOSE = re.compile(r"\blos(?:es?|ers?|t|ing)\b", re.IGNORECASE)


def slips(game: Game) -> Found:
    """Doubts about single expressions and effects, and about what actions do with their choices."""
    nodes = [*dict.fromkeys(node for root in game.roots for node in nodes_with_definitions(root))]
    for of_nodes in (_chains, _operands, _bounds):
        yield from of_nodes(game, nodes)
    for find in (_choices, _missing_removals, _hands, _resets, _needs, _winners, _nowhere, _never_stored):
        yield from find(game)


def place(game: Game, node: n.Expr | n.Effect) -> Span | None:
    """The place of a node, or of the first node in it that has one."""
    return next((game.spans[inner] for inner in nodes_within(node) if inner in game.spans), None)


def last_place(game: Game, effect: n.Effect) -> Span | None:
    """The place of the last statement of an effect."""
    return next((game.spans[a] for a in reversed(assignments(effect)) if a in game.spans), None)


def effects_in_play(game: Game) -> list[n.Effect]:
    """The effects after the setup."""
    return [root for root in game.roots if isinstance(root, n.Statement) and root is not game.setup]


def stored_in_play(game: Game) -> set[n.StateVar]:
    """The variables in which effects after the setup store."""
    return {assign.target for effect in effects_in_play(game) for assign in assignments(effect)}


def stores_first_value(assign: n.Assign) -> bool:
    """True if an assignment stores the initial value of a variable."""
    match assign:
        case n.Assign(target=n.StateVar(initial=n.Const(value=first)), path=(), value=n.Const(value=value)):
            return bool(value == first)
    return False


def never_goes_back(game: Game, var: n.StateVar) -> bool:
    """True if effects store in a variable, but only values computed from it, or always the same one."""
    stores = [a for effect in effects_in_play(game) for a in assignments(effect) if a.target is var]
    if not stores or not isinstance(var.initial, n.Const) or scalar_of(var.type) is None:
        return False
    ways = [way for a in stores for way in _ways(a.value) if not _reads(way, var)]
    if all(any(_reads(e, var) for e in nodes_within(way)) for way in ways):
        return True
    values = {way.value if isinstance(way, n.Const) else var.initial.value for way in ways}
    return len(values) == 1 and var.initial.value not in values


def only_grows(game: Game, var: n.StateVar) -> bool:
    """True if effects store in a set, a list or a map of these, but never take something out."""
    of = var.type.of if isinstance(var.type, Map) else var.type
    stores = [a.value for effect in effects_in_play(game) for a in assignments(effect) if a.target is var]
    return isinstance(of, Set | List) and bool(stores) and all(isinstance(e, _MORE) for e in stores)


def _ways(e: n.Expr) -> Sequence[n.Expr]:
    """The values of all cases of an expression."""
    return [*_ways(e.then), *_ways(e.otherwise)] if isinstance(e, n.If) else [e]


def _chains(game: Game, nodes: Sequence[n.Expr | n.Effect]) -> Found:
    """Doubts about a condition tested twice in a chain of branches."""
    for first in nodes:
        at, asked = first, game.texts.get(first.cond) if isinstance(first, n.If | n.When) else None
        while asked and isinstance(at, n.If | n.When):
            at = at.otherwise
            at = at.items[0] if isinstance(at, n.Block) and len(at.items) == 1 else at
            if isinstance(at, n.If | n.When) and game.texts.get(at.cond) == asked:
                message = f"`{asked}` is tested before, so it never holds here"
                yield "settled", game.spans.get(at.cond), message, ""


def _bounds(game: Game, nodes: Sequence[n.Expr | n.Effect]) -> Found:
    """Doubts about divisors of remainders that are one off, and arguments outside the type of a parameter."""
    for node in nodes:
        if isinstance(node, n.Add) and isinstance(node.a, n.Mod) and isinstance(node.a.b, n.Const):
            inner, number = node.a.a, node.a.b.value
            last = inner.type.hi if isinstance(inner.type, Int) and inner.type.lo == 1 else number
            if abs(last - number) == 1 and inner in game.texts:
                message = f"`{game.texts[inner]}` is 1..{last}, but this starts over after {number}"
                yield "settled", place(game, node), message, f"perhaps `mod {last}` is meant"
        elif isinstance(node, n.Call):
            for arg, param in zip(node.args, node.function.params, strict=True):
                has, takes = scalar_of(arg.type), scalar_of(param.type)
                if not isinstance(has, Int) or not isinstance(takes, Int) or fits(has, takes):
                    continue
                if isinstance(arg, n.Read | n.Get):
                    text = game.texts.get(arg, param.name)
                    message = f"`{text}` is {has}, but `{node.function.name}` takes {takes}"
                    yield "settled", place(game, node), message, "for other numbers it gives none"


def _operands(game: Game, nodes: Sequence[n.Expr | n.Effect]) -> Found:
    """Doubts about operators with two equal operands."""
    for node in nodes:
        if isinstance(node, n.Add | n.Sub | n.Div | n.Mod | n.Equal | n.Less | n.AtMost | n.Difference):
            items: tuple[n.Expr, ...] = (node.a, node.b)
        else:
            items = node.items if isinstance(node, n.And | n.Or) else ()
        texts = [game.texts.get(item) for item in items if not isinstance(item, n.Const)]
        again = next((text for at, text in enumerate(texts) if text and text in texts[:at]), None)
        if again is not None:
            message = f"`{again}` is on both sides"
            yield "settled", game.spans.get(node) or place(game, node), message, "is something else meant?"


def whole(e: n.Expr) -> n.Expr:
    """The whole map of an entry that is read; another expression itself."""
    return whole(e.map) if isinstance(e, n.Read) else e


def _reads(e: n.Expr | n.Effect, var: n.StateVar) -> bool:
    return isinstance(e, n.Get) and e.var is var


def _resets(game: Game) -> Found:
    """Doubts about blocks that store the same constants as another block, except one initial value."""
    groups = list[dict[tuple[n.StateVar, Value], n.Assign]]()
    for effect in effects_in_play(game):
        for block in (node for node in nodes_within(effect) if isinstance(node, n.Block)):
            stores = [item for item in block.items if isinstance(item, n.Assign) and not item.path]
            groups.append({(a.target, a.value.value): a for a in stores if isinstance(a.value, n.Const)})
    for few in groups:
        for many in groups:
            missing = [*many.keys() - few.keys()]
            if len(few) > 1 and few.keys() < many.keys() and len(missing) == 1:
                var, value = missing[0]
                if isinstance(var.initial, n.Const) and var.initial.value == value:
                    message = f"this stores the same as another place, but not `{var.name}`"
                    where = place(game, next(iter(few.values())))
                    yield "store", where, message, "should it go back here, too?"
                    break


def _needs(game: Game) -> Found:
    """Doubts about amounts that an action requires but never takes."""
    stores = [assign for effect in effects_in_play(game) for assign in assignments(effect)]
    grows = {a.target for a in stores if isinstance(a.target.type, Map)} - {
        a.target for a in stores if not _only_adds(a)
    }
    for action in game.actions.values():
        conditions = [r.condition for r in action.requirements]
        conditions += [condition for choice in action.choices for condition in choice.conditions]
        for node in (node for condition in conditions for node in nodes_within(condition)):
            if not isinstance(node, n.Less | n.AtMost):
                continue
            text, of = game.texts.get(node, ""), whole(node.b)
            if of is not node.b and isinstance(of, n.Get) and of.var in grows and not reads_state(node.a):
                message = f"`{text}` requires enough, but nothing is ever taken from `{of.var.name}`"
                yield "store", place(game, node), message, f"perhaps `remove … from {of.var.name}[…]`"
        yield from _needs_in_cases(game, action)


def _needs_in_cases(game: Game, action: Action) -> Found:
    """Doubts about amounts that an action requires in one case, and does not take in this case."""
    stores = [assign for effect in effects_in_play(game) for assign in assignments(effect)]
    taken = {assign.target for assign in stores if not _only_adds(assign)}
    cases = {game.texts.get(e.cond): e.then for e in nodes_within(action.effect) if isinstance(e, n.When)}
    for r in action.requirements:
        items = r.condition.items if isinstance(r.condition, n.Or) else ()
        texts = [game.texts.get(e, "").replace(" is not ", " is ") for e in items if isinstance(e, n.Not)]
        for asked in (e for e in items if isinstance(e, n.AtMost) and len(items) == 2):
            of = whole(asked.b)
            inside = assignments(cases[texts[0]]) if texts and texts[0] in cases else []
            if isinstance(of, n.Get) and inside and of.var in taken - {a.target for a in inside}:
                text = f"`{game.texts.get(asked)}` requires enough"
                message = f"{text}, but nothing is taken from `{of.var.name}` here"
                yield "store", place(game, inside[0]), message, f"perhaps `remove … from {of.var.name}[…]`"


def _only_adds(assign: n.Assign) -> bool:
    inside = [*nodes_within(assign.value)]
    return not any(isinstance(e, n.Sub) for e in inside) and any(_reads(e, assign.target) for e in inside)


def _choices(game: Game) -> Found:
    """Doubts about choices whose values the effect of their action does not use."""
    for action in game.actions.values():
        used = {node.var for node in nodes_within(action.effect) if isinstance(node, n.Local)}
        for choice in action.choices if game.stage_of(action.id) is None else ():
            if choice.var not in used:
                message = f"`{action.id}` does the same for every `{choice.var.name}`"
                help = "perhaps something is taken away or stored there"
                yield "unused", place(game, action.effect), message, help


def _missing_removals(game: Game) -> Found:
    """Doubts about elements that an action leaves in place although the verb in its prose takes them away."""
    prose = {rule.id: rule.prose for rule in game.rules}
    takes, keeps = dict[n.StateVar, str](), list[tuple[str, n.Expr, n.StateVar, bool]]()
    for action in game.actions.values():
        stores = assignments(action.effect)
        adds = {assign.target for assign in stores if isinstance(assign.value, n.Union)}
        taken = {assign.target for assign in stores if not isinstance(assign.value, n.Union)}
        for choice in action.choices:
            of = whole(choice.source)
            if isinstance(of, n.Get) and of.var in taken:
                takes.setdefault(of.var, action.id)
            elif isinstance(of, n.Get):
                keeps.append((action.id, choice.source, of.var, of.var in adds))
    for name, source, var, is_added in keeps:
        said = _GIVE.search(prose.get(name, ""))
        if said is not None and (is_added or var in takes):
            message = f"the prose says `{said[0]}`, but the choice stays in `{var.name}`"
            help = f"`{takes[var]}` takes it away" if var in takes else f"perhaps `remove … from {var.name}`"
            yield "store", place(game, source), message, help


def _hands(game: Game) -> Found:
    """Doubts about hands that nobody sees, decks that all see or are shuffled late, and sets that lose
    nothing of what players choose from them."""
    reads, drawn, setup = StateReads(), stored_in_play(game), assignments(game.setup)
    shuffled = {*shuffled_variables(game.setup)}
    dealt = drawn | {
        node.value.list.var
        for node in nodes_within(game.setup)
        if isinstance(node, n.Bind) and isinstance(node.value, n.Top) and isinstance(node.value.list, n.Get)
        if any(assign.target.hidden for assign in assignments(node.body))
    }
    for var in (var for var in shuffled & dealt if not var.hidden):
        message = f"everybody sees the order of `{var.name}`, which is shuffled here"
        shuffles = next(assign for assign in setup if assign.target is var)
        yield "sees", game.spans.get(shuffles), message, f"write `hidden state {var.name}`"
    for node in nodes_within(game.setup):
        if isinstance(node, n.Shuffle) and isinstance(node.source, n.Domain):
            size = len(node.source.of.values)
            for var in (assign.target for assign in assignments(node.body)):
                if isinstance(var.type, List) and var.type.cap > size:
                    message = f"`{var.name}` holds up to {var.type.cap}, but these are {size}"
                    yield "settled", place(game, node), message, "are some missing?"
    showing = [sight for sight in game.sights if counted_source(sight.value) is None]
    sources = (e for sight in showing for e in (sight.value, *(source for _, source in sight.binders)))
    shown = {var for source in sources for var in reads(source)[0]}
    later = {var for effect in effects_in_play(game) for var in shuffled_variables(effect)} - shuffled
    for assign in setup:
        var = assign.target
        span = place(game, assign) or declarations(game).get(var.name)
        own = isinstance(var.type, Map) and var.type.keys == game.player and game.players > 1
        if var in later and var.hidden:
            message = f"`{var.name}` is filled in order here, and shuffled only in play"
            yield "unshuffled", place(game, assign), message, "write `shuffle S into l`"
        if var.hidden and own and var not in shown:
            message = f"no player sees `{var.name}`, not even what is the player's own"
            yield "sees", span, message, f"add `sees: {var.name}[viewer]`"
        for action in game.actions.values() if var not in drawn and scalar_of(var.type) is None else ():
            source = next((c.source for c in action.choices if var in reads(c.source)[0]), None)
            if source is not None:
                message = f"`{action.id}` chooses from `{var.name}`, but nothing is ever taken from it"
                yield "store", place(game, source), message, f"perhaps `remove … from {var.name}`"


def is_other(e: n.Expr | n.Effect) -> bool:
    """True for another player, as in `after(p)`: an entry of a fixed table of players."""
    return isinstance(e, n.Read) and isinstance(e.map, n.Const)


def is_about(e: n.Expr, player: n.Var) -> bool:
    """True if an expression reads an entry of this player."""
    own = [*nodes_within(e)]
    others = [inner for node in own if is_other(node) for inner in nodes_within(node)]
    both = ([x.var for x in nodes if isinstance(x, n.Local)] for nodes in (own, others))
    in_all, in_others = (sum(var is player for var in read) for read in both)
    return in_all > in_others


def _winners(game: Game) -> Found:
    """Doubts about a game that nobody wins, scores that read only what others have, and winners other than
    the players whose success ends the game."""
    winners, score, player = game.outcome.winners, game.outcome.score, game.outcome.player
    named = winners.value if isinstance(winners, n.Const) else getattr(winners, "items", True)
    if winners is not None and not named and score is None:
        yield "winner", place(game, winners), "nobody ever wins", "leave `winners` out if this is intended"
    asks = score is not None and player in FreeVariables()(score)
    if score is not None and asks and game.players > 1 and not is_about(score, player):
        message = "the score of a player only reads what others have"
        yield "winner", place(game, score), message, "`player` is the player whose score it is"
    for end in game.ends:
        condition = written_condition(game, end.condition)
        if isinstance(condition, n.Any) and isinstance(winners, n.Select):
            waits, wins = condition.body, winners.body
            asked, wanted = game.texts.get(waits), game.texts.get(wins)
            prose = next(rule.prose for rule in game.rules if rule.id == end.id)
            if isinstance(wins, n.Not):
                differ = game.texts.get(wins.item) == asked and not _LOSE.search(prose)
            elif isinstance(waits, _Comparison) and isinstance(wins, _Comparison):
                sides = [{game.texts.get(side) for side in (e.a, e.b)} for e in (waits, wins)]
                differ = asked != wanted and bool((sides[0] & sides[1]) - {None})
            else:
                differ = False
            if asked and wanted and differ:
                message = f"players for whom `{wanted}` holds win, but the game ends when `{asked}` holds"
                yield "winner", place(game, winners), message, "if intended, let the prose say who loses"


def _nowhere(game: Game) -> Found:
    """Doubts about requirements that something is absent at a key that may itself be none."""
    for action in game.actions.values():
        conditions = [one for r in action.requirements for one in conjuncts(r.condition)]
        some = (e.item for e in conditions if isinstance(e, n.Not))
        asked = {game.texts.get(e.item) for e in some if isinstance(e, n.IsNone)}
        for e in conditions:
            if (
                isinstance(e, n.IsNone)
                and isinstance(e.item, n.Read)
                and isinstance(e.item.key.type, Optional)
            ):
                key = game.texts.get(e.item.key)
                if key is not None and key not in asked:
                    message = f"this also holds where `{key}` is none"
                    yield "prose", place(game, e), message, f"perhaps `{key} is some and …` is meant"


def _never_stored(game: Game) -> Found:
    """Doubts about members that requirements ask for and that nothing stores in their only variable."""
    stores = [a for root in game.roots if isinstance(root, n.Statement) for a in assignments(root)]
    kinds = {
        var: scalar_of(var.type.of if isinstance(var.type, Map) else var.type) for var in game.state.values()
    }
    conditions = [r.condition for action in game.actions.values() for r in action.requirements]
    named = [e for one in conditions for e in nodes_within(one) if isinstance(e, n.Const) and e in game.texts]
    for var, of in kinds.items():
        ways = [way for a in stores if a.target is var for way in _ways(a.value)]
        constants = [way.value for way in (*ways, var.initial) if isinstance(way, n.Const)]
        alone = sum(isinstance(other, Enum) and other == of for other in kinds.values()) == 1
        if isinstance(of, Enum) and alone and ways and len(constants) == len(ways) + 1:
            *stored, first = constants
            there = {*stored, *(first if isinstance(first, tuple) else (first,))}
            for e in named:
                if isinstance(e.type, Enum) and e.type.members == of.members and e.value not in there:
                    message = f"nothing ever stores `{of.members[e.value]}` in `{var.name}`"
                    yield "store", place(game, e), message, "is a statement left out?"
