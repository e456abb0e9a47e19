"""Slips that the formal text alone shows: what an author named, asked or left out by mistake."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import cast

from ..core import nodes as n
from ..core.diagnostics import Span
from ..core.game import Game
from ..core.taint import StateReads
from ..core.traversal import assignments, conjuncts, nodes_with_definitions, nodes_within, parts, reads_state
from ..core.types import Int, List, Map, Value, fits, scalar_of
from .parts import written_condition
from .setups import shuffled_variables

Found = Iterator[tuple[str, Span | None, str, str]]
"""The kind of a doubt, its place, its message and its help."""
_Loop = n.ForEach | n.Draw | n.Any | n.All | n.Sum | n.Best | n.First | n.Image | n.Collect
FEWEST_ACTIONS = 4
"""Minimum number of actions of which one lacks what all others do."""
LOSE = re.compile(r"\blos(?:es?|ers?|t|ing)\b", re.IGNORECASE)


def slips(game: Game) -> Found:
    """Doubts about single expressions and effects, and about what actions do with their choices."""
    nodes = [*dict.fromkeys(node for root in game.roots for node in nodes_with_definitions(root))]
    for of_nodes in (_chains, _ranges, _operands, _bounds, _rolls):
        yield from of_nodes(game, nodes)
    for find in (_same_cases, _choices, _hands, _counts, _resets, _needs, _flags, _winners):
        yield from find(game)


def place(game: Game, node: n.Expr | n.Effect) -> Span | None:
    """The place of a node, or of the first node in it that has one."""
    return next((game.spans[inner] for inner in nodes_within(node) if inner in game.spans), None)


def stored_in_play(game: Game) -> set[n.StateVar]:
    """The variables in which effects after the setup store."""
    effects = (root for root in game.roots if isinstance(root, n.Statement) and root is not game.setup)
    return {assign.target for effect in effects for assign in assignments(effect)}


def _chains(game: Game, nodes: Sequence[n.Expr | n.Effect]) -> Found:
    """Conditions that a chain of branches asks twice, and equal results for different values."""
    seen = set[object]()
    for first in nodes:
        asked, given = set[str](), set[tuple[str, str]]()
        at: object = first
        while isinstance(at, n.If | n.When) and at not in seen:
            seen.add(at)
            text = game.texts.get(at.cond, "")
            if text and text in asked:
                message = f"`{text}` is asked before, so it never holds here"
                yield "settled", game.spans.get(at.cond), message, ""
            asked.add(text)
            if isinstance(at, n.If) and isinstance(at.cond, n.Equal) and not isinstance(at.then, n.Const):
                result = game.texts.get(at.cond.a, ""), game.texts.get(at.then, "")
                if all(result) and result in given:
                    message = f"`{result[1]}` is the value for two values of `{result[0]}`"
                    yield "settled", game.spans.get(at.then), message, "is something else meant?"
                given.add(result)
            at = at.otherwise
            if isinstance(at, n.Block) and len(at.items) == 1:
                at = at.items[0]
        rest = at if isinstance(first, n.If) and not isinstance(at, n.Const) else None
        last = game.texts.get(cast(n.Expr, rest), "") if rest is not None else ""
        again = next((asked for asked, result in given if last == result and len(given) > 1), None)
        if last and again is not None:
            message = f"`{last}` is the value for a value of `{again}` before, and here for all others"
            yield "settled", game.spans.get(cast(n.Expr, rest)), message, "is something else meant?"


def _bounds(game: Game, nodes: Sequence[n.Expr | n.Effect]) -> Found:
    """Positions past the end of a list, and arguments that a definition does not take."""
    for node in nodes:
        if isinstance(node, n.Item) and isinstance(node.position, n.Local):
            of, key = node.list.type, node.position.type
            if isinstance(of, List) and isinstance(key, Int) and key.hi > of.cap:
                name = node.position.var.name
                message = f"`{name}` may be {key.hi}, and the list has at most {of.cap} elements"
                yield "settled", place(game, node), message, ""
        elif isinstance(node, n.Call):
            for arg, param in zip(node.args, node.function.params, strict=True):
                has, takes = scalar_of(arg.type), scalar_of(param.type)
                if not isinstance(has, Int) or not isinstance(takes, Int) or fits(has, takes):
                    continue
                if isinstance(arg, n.Read | n.Get):
                    text = game.texts.get(arg, param.name)
                    message = f"`{text}` is {has}, and `{node.function.name}` takes {takes}"
                    yield "settled", place(game, node), message, "for other numbers it gives none"


def _same_cases(game: Game) -> Found:
    """Definitions that ask the same and give the same value in one case, and other values in the other."""
    found = dict[object, str]()
    for function in game.functions.values():
        body, types = function.body, tuple(str(param.type) for param in function.params)
        for way in ("then", "otherwise") if isinstance(body, n.If) and types else ():
            value: n.Expr = getattr(body, way)
            texts = game.texts.get(body.cond) if isinstance(body, n.If) else None, game.texts.get(value)
            if all(texts) and isinstance(value, n.Equal | n.Less | n.AtMost):
                other = found.setdefault((types, way, *texts), function.name)
                if other != function.name:
                    message = f"`{texts[1]}` is what `{other}` gives in this case, too"
                    yield "settled", game.spans.get(value), message, "is something else meant?"


def _ranges(game: Game, nodes: Sequence[n.Expr | n.Effect]) -> Found:
    """The only range of numbers that leaves out the first or last key of what is read at them."""
    found = list[tuple[_Loop, str, set[tuple[int, int]]]]()
    for node in nodes:
        if not isinstance(node, _Loop):
            continue
        has, uses, keys = scalar_of(node.var.type), 0, set[tuple[int, int]]()
        literal = node.source in game.spans and ".." in game.texts.get(node.source, "")
        for inner in nodes_within(node.body) if literal else ():
            named = [part for part in parts(inner) if isinstance(part, n.Local) and part.var is node.var]
            uses += len(named)
            match inner:
                case n.Read(map=n.Expression(type=Map(keys=Int(lo=lo, hi=hi)))) if inner.key in named:
                    keys.add((lo, hi))
                case n.Item(list=n.Expression(type=List(cap=cap))) if inner.position in named:
                    keys.add((1, cap))
                case n.Assign(target=n.StateVar(type=Map(keys=Int(lo=lo, hi=hi)))) if inner.path[0] in named:
                    keys.add((lo, hi))
                case _ if named:
                    keys |= {(0, 0), (1, 1)}
        if uses and isinstance(has, Int) and len(keys) == 1:
            lo, hi = next(iter(keys))
            if (has.lo - lo, hi - has.hi) in ((0, 1), (1, 0)):
                message = f"`{node.var.name}` is {has}, and what is read at it has {lo}..{hi}"
                found.append((node, message, keys))
    for node, message, keys in found:
        if [other for _, _, other in found].count(keys) == 1:
            yield "settled", game.spans[node.source], message, "is one left out by mistake?"


def _operands(game: Game, nodes: Sequence[n.Expr | n.Effect]) -> Found:
    """Both sides of an operator alike, and takings from what a condition has found empty."""
    for node in nodes:
        if isinstance(node, n.Sub | n.Div | n.Mod | n.Equal | n.Less | n.AtMost | n.Difference):
            items: tuple[n.Expr, ...] = (node.a, node.b)
        else:
            items = node.items if isinstance(node, n.And | n.Or) else ()
        texts = [game.texts.get(item) for item in items if not isinstance(item, n.Const)]
        again = next((text for at, text in enumerate(texts) if text and text in texts[:at]), None)
        if again is not None:
            message = f"`{again}` stands on both sides"
            yield "settled", game.spans.get(node) or place(game, node), message, "is something else meant?"
        match node:
            case n.When(cond=n.Equal(a=n.Size(item=n.Get(var=var)), b=n.Const(value=0)), then=then):
                if any(isinstance(e, n.Top) and _reads(e.list, var) for e in nodes_within(then)):
                    message = f"this takes from `{var.name}` where it is empty"
                    yield "settled", place(game, node.cond), message, "perhaps `is not empty` is meant"


def _reads(e: n.Expr | n.Effect, var: n.StateVar) -> bool:
    return isinstance(e, n.Get) and e.var is var


def _resets(game: Game) -> Found:
    """Blocks that set back all but one of what another block sets back."""
    groups = list[dict[n.StateVar, n.Assign]]()
    for effect in (root for root in game.roots if isinstance(root, n.Statement) and root is not game.setup):
        for block in (node for node in nodes_within(effect) if isinstance(node, n.Block)):
            stores = [item for item in block.items if isinstance(item, n.Assign) and not item.path]
            groups.append({a.target: a for a in stores if _is_initial(a.target, a.value)})
    for few in groups:
        for many in groups:
            missing = many.keys() - few.keys()
            if len(few) > 1 and few.keys() < many.keys() and len(missing) == 1:
                name, first = next(iter(missing)).name, next(iter(few.values()))
                message = f"this sets back what another place sets back, but not `{name}`"
                yield "store", place(game, first), message, f"perhaps `{name}` goes back here, too"
                break


def _is_initial(var: n.StateVar, value: n.Expr) -> bool:
    return (
        isinstance(var.initial, n.Const) and isinstance(value, n.Const) and value.value == var.initial.value
    )


def _needs(game: Game) -> Found:
    """Amounts that an action asks for and never takes, or refuses while they would suffice."""
    grows = {var for var in stored_in_play(game) if isinstance(var.type, Map)}
    for root in game.roots:
        for node in nodes_with_definitions(root):
            if isinstance(node, n.Assign) and root is not game.setup:
                inside = [*nodes_within(node.value)]
                if any(isinstance(e, n.Sub) for e in inside) or not any(
                    _reads(e, node.target) for e in inside
                ):
                    grows.discard(node.target)
    for action in game.actions.values():
        taken = dict[str, Value]()
        for node in nodes_within(action.effect):
            match node:
                case n.Assign(value=n.Sub(b=n.Const(value=number))):
                    taken[_entry_text(game, node)] = number
                case n.Bind(value=n.Top(list=of, count=n.Const(value=number))):
                    taken[f"size({game.texts.get(of, of.var.name if isinstance(of, n.Get) else '')})"] = (
                        number
                    )
        conditions = [r.condition for r in action.requirements]
        conditions += [condition for choice in action.choices for condition in choice.conditions]
        for node in (node for condition in conditions for node in nodes_within(condition)):
            if not isinstance(node, n.Less | n.AtMost):
                continue
            text, of = game.texts.get(node, ""), node.b
            while isinstance(of, n.Read):
                of = of.map
            if (
                isinstance(node.b, n.Read)
                and isinstance(of, n.Get)
                and of.var in grows
                and not reads_state(node.a)
            ):
                message = f"`{text}` asks for enough, and nothing is ever taken from `{of.var.name}`"
                yield "store", place(game, node), message, f"perhaps `remove … from {of.var.name}[…]`"
            enough = taken.get(game.texts.get(node.b, ""))
            if (
                isinstance(node, n.Less)
                and isinstance(node.a, n.Const)
                and node.a.value == enough is not None
            ):
                message = f"`{text}` refuses just {enough}, which is as much as `{action.id}` takes"
                yield "settled", place(game, node), message, "perhaps `>=` is meant"


def _rolls(game: Game, nodes: Sequence[n.Expr | n.Effect]) -> Found:
    """Rolls that may give the number by which rules tell that nothing is rolled yet."""
    tests = [node for node in nodes if isinstance(node, n.Equal) and isinstance(node.a, n.Get)]
    for draw in (node for node in nodes if isinstance(node, n.Draw)):
        has = scalar_of(draw.var.type)
        for assign in assignments(draw.body) if isinstance(has, Int) else ():
            var, value = assign.target, assign.value
            rolled = not assign.path and isinstance(value, n.Local) and value.var is draw.var
            asked = [test for test in tests if _reads(test.a, var) and _is_initial(var, test.b)]
            if rolled and asked and isinstance(has, Int) and isinstance(asked[0].b, n.Const):
                first = asked[0].b.value
                if first is not None and has.lo <= first <= has.hi:
                    message = (
                        f"`{var.name}` may be rolled {first}, and `{game.texts.get(asked[0], '')}` is asked"
                    )
                    yield "settled", place(game, draw), message, "is this the number of a die not yet rolled?"


def _entry_text(game: Game, assign: n.Assign) -> str:
    return assign.target.name + "".join(f"[{game.texts.get(key, '')}]" for key in assign.path)


def _flags(game: Game) -> Found:
    """Conditions that one action asks for and another forbids, and that nothing ever turns back."""
    stores = defaultdict[n.StateVar, list[n.Assign]](list)
    for effect in (root for root in game.roots if isinstance(root, n.Statement) and root is not game.setup):
        for assign in assignments(effect):
            stores[assign.target].append(assign)
    asked = set[tuple[n.StateVar, bool]]()
    for part in (p for a in game.actions.values() for r in a.requirements for p in conjuncts(r.condition)):
        of = part.item if isinstance(part, n.Not) else part
        while isinstance(of, n.Read):
            of = of.map
        if isinstance(of, n.Get):
            asked.add((of.var, isinstance(part, n.Not)))
    for var, assigns in stores.items():
        values = {a.value.value if isinstance(a.value, n.Const) else None for a in assigns}
        if {(var, True), (var, False)} <= asked and len(values) == 1 and None not in values:
            message = f"`{var.name}` is asked for and forbidden, and nothing ever turns it back"
            yield "store", place(game, assigns[0]), message, "does an action use it up?"


def _choices(game: Game) -> Found:
    """Choices that an action asks for and whose values its effect does not use."""
    for action in game.actions.values():
        used = {node.var for node in nodes_within(action.effect) if isinstance(node, n.Local)}
        for choice in action.choices if game.stage_of(action.id) is None else ():
            if choice.var not in used:
                message = f"`{action.id}` does the same for every `{choice.var.name}`"
                help = "perhaps something is taken away or stored there"
                yield "unused", place(game, action.effect), message, help


def _hands(game: Game) -> Found:
    """Hands that nobody sees, decks that all see, and collections that players choose from and keep."""
    reads, drawn = StateReads(), stored_in_play(game)
    for var in {*shuffled_variables(game.setup)} & drawn:
        if not var.hidden:
            shuffles = next(assign for assign in assignments(game.setup) if assign.target is var)
            message = f"everybody sees the order of `{var.name}`, which is shuffled here"
            yield "sees", game.spans.get(shuffles), message, f"write `hidden state {var.name}`"
    shown = {
        var
        for sight in game.sights
        for text in (sight.value, *(source for _, source in sight.binders))
        for var in reads(text)[0]
    }
    for bind in (node for node in nodes_within(game.setup) if isinstance(node, n.Bind)):
        of = bind.value.list if isinstance(bind.value, n.Top) else None
        if isinstance(of, n.Get) and of.var not in drawn | {v for v in game.state.values() if v.hidden}:
            into = [assign.target for assign in assignments(bind.body) if assign.target.hidden]
            if into and of.var in {*shuffled_variables(game.setup)}:
                message = f"`{of.var.name}` is open, and what is not in it anymore is in `{into[0].name}`"
                yield "sees", place(game, bind), message, f"write `hidden state {of.var.name}`"
    for node in nodes_within(game.setup):
        if isinstance(node, n.Shuffle) and isinstance(node.source, n.Domain):
            size = len(node.source.of.values)
            for assign in assignments(node.body):
                if isinstance(assign.target.type, List) and assign.target.type.cap > size:
                    message = (
                        f"`{assign.target.name}` holds up to {assign.target.type.cap}, and these are {size}"
                    )
                    yield "settled", place(game, assign) or place(game, node), message, "are some missing?"
    later = {var for r in game.roots if isinstance(r, n.Statement) for var in shuffled_variables(r)}
    for assign in assignments(game.setup):
        if assign.target in later - {*shuffled_variables(game.setup)} and assign.target.hidden:
            message = f"`{assign.target.name}` is filled in order here, and shuffled only in play"
            yield "unshuffled", place(game, assign), message, "write `shuffle S into l`"
    kept = {assign.target for assign in assignments(game.setup)} - drawn
    for assign in assignments(game.setup):
        var, span = assign.target, game.spans.get(assign)
        own = isinstance(var.type, Map) and var.type.keys == game.player
        if var.hidden and own and var not in shown and game.players > 1:
            message = f"no player sees `{var.name}`, not even what is the player's own"
            yield "sees", span, message, f"add `sees: {var.name}[viewer]`"
        if var in kept and scalar_of(var.type) is None:
            for action in game.actions.values():
                source = next((c.source for c in action.choices if var in reads(c.source)[0]), None)
                if source is not None:
                    message = f"`{action.id}` chooses from `{var.name}`, of which nothing is ever taken"
                    yield "store", place(game, source), message, f"perhaps `remove … from {var.name}`"


def _counts(game: Game) -> Found:
    """Actions that do not count what all others count."""
    by = dict[str, set[str]]()
    for action in game.actions.values():
        by[action.id] = set()
        for assign in assignments(action.effect):
            read = (node.var for node in nodes_within(assign.value) if isinstance(node, n.Get))
            span = game.spans.get(assign) if assign.target in read else None
            if span is not None:
                by[action.id].add(span.source.line(span.line)[span.column - 1 : span.end_column - 1])
    for text, number in Counter(text for texts in by.values() for text in texts).items():
        if number == len(by) - 1 >= FEWEST_ACTIONS - 1:
            action = next(game.actions[name] for name, texts in by.items() if text not in texts)
            message = f"every action but `{action.id}` does this: `{text}`"
            yield "store", place(game, action.effect), message, ""


def _winners(game: Game) -> Found:
    """Winners who are nobody, or others than those for whom an end waits; scores of others."""
    winners = game.outcome.winners
    named = winners.value if isinstance(winners, n.Const) else getattr(winners, "items", True)
    if winners is not None and not named and game.outcome.score is None:
        yield "winner", place(game, winners), "nobody ever wins", "leave `winners` out where this is meant"
    player, score = game.outcome.player, game.outcome.score
    points = game.texts.get(score, "") if score is not None and game.players > 1 else ""
    if f"after({player.name})" in points and not re.search(rf"(?<!after\()(?<![\w-]){player.name}\b", points):
        message = "the score of a player only reads what others have"
        yield (
            "winner",
            place(game, score) if score else None,
            message,
            "`player` is the player whose score it is",
        )
    for end in game.ends:
        prose = next(rule.prose for rule in game.rules if rule.id == end.id)
        condition = written_condition(game, end.condition)
        if not isinstance(condition, n.Any):
            continue
        if isinstance(winners, n.Select):
            yield from _another_condition(game, condition.body, winners.body)
        if isinstance(winners, n.Select) and isinstance(winners.body, n.Not):
            text = game.texts.get(winners.body.item)
            if text is not None and text == game.texts.get(condition.body) and not LOSE.search(prose):
                message = f"those win for whom `{text}` does not hold, although the game ends when it does"
                yield "winner", place(game, winners), message, "where this is meant, the prose says who loses"


def _another_condition(game: Game, waits: n.Expr, wins: n.Expr) -> Found:
    """Winners for whom nearly the same is asked as the end waits for."""
    if isinstance(waits, n.Less | n.AtMost | n.Equal) and isinstance(wins, n.Less | n.AtMost | n.Equal):
        sides = [{game.texts.get(side) for side in (e.a, e.b)} for e in (waits, wins)]
        asked, wanted = game.texts.get(waits), game.texts.get(wins)
        if asked and wanted and asked != wanted and (sides[0] & sides[1]) - {None}:
            message = f"those win for whom `{wanted}` holds, and the game ends when `{asked}` does"
            yield "winner", place(game, wins), message, ""
