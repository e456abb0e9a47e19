"""Numbers of the typed core that the prose of their rule has otherwise."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ..core import nodes as n
from ..core.diagnostics import Span
from ..core.game import Game, Rule
from ..core.traversal import nodes_within, parts
from ..core.types import BOOL, Bag, Enum, Int, List, Map, Record, Scalar, Set, Type, scalar_of
from .english import WHICH, Quantity, prose_of, quantities, stem
from .parts import DEFINITION, EFFECT, Found, clause_at, declarations, nodes_by_rule, passages, places_of

Context = n.Expr | n.Effect | None
_COUNTED = r"\b(?:limit: |sets of |number: )(\d+)(?![\d.])"
"""Numbers that are no nodes: of turns and rounds, and of elements of a choice."""


@dataclass(frozen=True, eq=False)
class Number:
    """A number in the formal text, with the names of what it counts and what is done with it there."""

    value: int
    things: frozenset[str]
    span: Span
    context: Context = None
    definition: str = ""
    """The name of the definition in which it stands, which other rules may use."""
    values: set[int] = field(default_factory=set)
    """The other numbers that prose may have for it."""
    first: int = 0
    """The initial value of what is equal to it."""
    limits: frozenset[int] = frozenset()
    """The greatest values of the variables that are compared with it."""
    is_given: bool = False
    """True for a parameter of a library, of which any rule may speak."""
    node: n.Const | None = None
    """The constant that it is, or is a part of."""

    @property
    def is_compared(self) -> bool:
        """True if it is one side of a comparison."""
        return isinstance(self.context, n.Less | n.AtMost | n.Equal)

    @property
    def is_size(self) -> bool:
        """True if it is compared with a number of things."""
        sides = (self.context.a, self.context.b) if isinstance(self.context, n.Equal) else ()
        return any(isinstance(side, n.Size) for side in sides)

    @property
    def is_half(self) -> bool:
        """True if something is divided by two."""
        return self.value == 2 and isinstance(self.context, n.Div)

    @property
    def is_taken(self) -> bool:
        """True if this is how many elements are taken, drawn or rolled."""
        return isinstance(self.context, n.Top | n.Rest | n.ForEach)

    def is_said_by(self, said: Quantity) -> bool:
        """True if a number in prose may correspond to it."""
        if said.follows and self.first:
            return said.value + self.first == self.value
        if self.is_taken and "each" in said.sentence:
            return said.value == self.value
        if isinstance(self.context, n.Equal) and said.high == self.value:  # "fewer than five" may be four
            return True
        return said.value == self.value or said.value in self.values

    def is_counted_by(self, said: Quantity) -> bool:
        """True if a number in prose counts the same kind of thing."""
        if said.is_ordinal != self.is_compared and (said.is_ordinal or self.value == 1):
            return False
        if said.value == 1:
            at_first = self.context is None and self.value == 0 and not said.is_article
            limits = not _CAPACITY.isdisjoint(said.sentence) and _START.isdisjoint(said.sentence)
            fits = (at_first and not limits) or isinstance(self.context, n.Assign)
            return fits and not self.things.isdisjoint(said.words[:1])
        return not self.things.isdisjoint(said.words)


_CAPACITY, _START = {"hold", "room", "space"}, {"first", "begin", "start", "beginning"}
"""Words of a sentence that says how much there may be, and of one that says how much there is at first."""

Said = Sequence[Quantity]
Numbers = Sequence[Number]


def amounts(game: Game) -> Found:
    """Doubts about numbers that prose states otherwise."""
    said = {rule.id: quantities(prose_of(rule)) for rule in game.rules}
    every = [*{(str(one.span), one.value): one for one in _numbers(game)}.values()]
    clauses, unmatched = {one: clause_at(game, one.span) for one in every}, {}
    halves = {rule.id for rule in game.rules if re.search(r"\bhal(?:f|ve)", rule.prose)}
    every = [one for one in every if not (clauses[one] in halves and one.is_half)]
    nodes = nodes_by_rule(game)
    calls = {
        name: {node.function.name for node in inside if isinstance(node, n.Call)}
        for name, inside in nodes.items()
    }
    for rule in (rule for rule in game.rules if rule.ruling is None):
        numbers = [one for one in every if clauses[one] == rule.id or one.is_given]
        others = [one for name, words in said.items() if name != rule.id for one in words]
        written, left = _unmatched(game, numbers, said[rule.id])
        written = [one for one in written if not (one.definition and any(map(one.is_said_by, others)))]
        unmatched[rule.id] = rule, numbers, others, written, left
    close = {clauses[number]: (number, one) for number, one in _beside(game, every)}
    for name, (rule, numbers, others, written, left) in unmatched.items():
        found = [close[name]] if name in close else [*_of_things(game, numbers, said[name], others, every)]
        if not found:
            apart = [one for other, sides in unmatched.items() if other != name for one in sides[3]]
            sizes = _sizes(game, rule) - Counter(one.value for one in said[name] if _is_size(game, one))
            sizes.update(value for one in apart for value in (one.value, *one.values))
            rest = [one for one in left if one.value not in sizes]
            taken = [number for number in written if number.is_taken]
            both = ((taken, left), (taken, rest), (written, rest))
            pairs = [(a[0], b[0]) for a, b in both if len(a) == len(b) == 1]
            there = {value for one in every if clauses[one] != name for value in (one.value, *one.values)}
            pairs = [(a, b) for a, b in pairs if not (a.definition and b.value in there)]
            limits = [(a, b) for a in written for b in left if b.value in a.limits]
            domains = [node.of for node in nodes.get(name, ()) if isinstance(node, n.Domain)]
            bounds = {of.hi for of in domains if isinstance(of, Int)}
            ones = [
                (number, one)
                for one in rest
                if one.value not in bounds
                for number in numbers
                if number.value == 1 and one.cut is None and isinstance(number.context, n.Assign)
                if (counted := stem(number.context.target.name)) in one.sentence
                if not any(other.value == 1 and counted in other.words for other in said[name])
            ]
            called = [one for one in every if one.definition in calls.get(name, ()) and clauses[one] != name]
            other, missing = _unmatched(game, called, left)
            alike = {one.definition for one in called if one.value > 1 and one not in other}
            defined = [(a, b) for a in other for b in missing if a.definition in alike]
            near = [(a, b) for a in written for b in rest if abs(a.value - b.value) == 1]
            choices = (limits, ones, defined, near)
            found = pairs[:1] or next((one for one in choices if len(one) == 1), [])
        for number, one in found:
            message = f"the prose says `{one.text}`, but this is {number.value}"
            message += f", counted from {number.first}" if one.follows and number.first else ""
            yield "prose", number.span, message, WHICH


def _beside(game: Game, every: Numbers) -> Iterator[tuple[Number, Quantity]]:
    """Numbers of conditions that the prose beside these has otherwise: the only ones without an equal."""
    numbers = {one.node: one for one in every if one.node and one.value and (one.is_compared or one.is_taken)}
    for passage in passages(game):
        if passage.kind != EFFECT and passage.prose:
            inside = dict.fromkeys(nodes_within(passage.formal))
            written = [numbers[node] for node in inside if node in numbers]
            if passage.kind == DEFINITION:
                written = [one for one in written if one.is_size]
            left = list[Quantity]()
            for one in (one for one in quantities(passage.prose) if not one.is_article):
                same = next((number for number in written if number.is_said_by(one)), None)
                if same is not None:
                    written.remove(same)
                elif not one.is_ordinal and one.value > 1 and not _is_size(game, one):
                    left.append(one)
            if len(written) == len(left) == 1 and "player" not in left[0].words[:1]:
                yield written[0], left[0]


def _of_things(
    game: Game, numbers: Numbers, said: Said, elsewhere: Said, every: Numbers
) -> Iterator[tuple[Number, Quantity]]:
    """Numbers that differ from the prose about the same kind of thing, each with the number in the prose.

    A number that is compared may agree with the prose `elsewhere` instead.
    """
    alone = [one for one in said if not one.words]  # "each player is dealt three"
    for number in (one for one in numbers if not any(map(one.is_said_by, alone))):
        further = elsewhere if number.is_compared else ()
        about = [*filter(number.is_counted_by, said)] or [*filter(number.is_counted_by, further)]
        if not any(map(number.is_said_by, (*about, *filter(number.is_counted_by, further)))):
            for one in (one for one in about if number.value != 0 or one.value == 1):
                near = numbers if number.context is None else every
                same = (other for other in near if other.is_counted_by(one))
                each = "each" in one.words[:1]
                if not _is_size(game, one) and (each or not any(other.is_said_by(one) for other in same)):
                    yield number, one
                    break


def _unmatched(game: Game, numbers: Numbers, said: Said) -> tuple[list[Number], list[Quantity]]:
    """Numbers above one without an equal in prose, and those in prose without one; each matches once."""
    above = [one for one in numbers if one.value > 1 or (one.is_taken and one.value == 1)]
    written, left = [one for one in above if not one.is_given], dict[int, Quantity]()
    ordinals = {(one.value, one.words[:1]): one for one in said if one.is_ordinal}.values()
    counts = [one for one in said if not one.is_ordinal and not _is_size(game, one)]
    for one in (one for one in (*ordinals, *counts) if one.value > 1 and "player" not in one.words[:1]):
        same = [number for number in written if number.is_said_by(one)]
        if same:
            written.remove(min(same, key=lambda number: number.value != one.value))
        elif not re.search(r" of\b", one.text):
            left.setdefault(one.value, one)
    return written, [*left.values()]


def _numbers(game: Game) -> Iterator[Number]:
    """The numbers in expressions and effects, and the initial values of variables."""
    seen, kinds = set[n.Expr | n.Effect](), dict[n.Var, str]()
    waiting: list[tuple[n.Expr | n.Effect, Context, frozenset[str], str]]
    waiting = [(root, None, frozenset(), "") for root in (*game.roots, *(e for _, e in game.outcome.ties))]
    while waiting:
        node, context, things, defined = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        inside, span = parts(node), game.spans.get(node)
        match node:
            case n.Const(type=Record()):
                continue  # the rank of a card counts nothing
            case n.Make():
                inside = [e for e in inside if not isinstance(e, n.Const)]
            case n.Const() if span is not None:
                if isinstance(node.type, Bag) and isinstance(node.type.keys, Enum):
                    yield from _of_bag(node.type.keys, span)
                    continue
                written = game.texts.get(node, str(node.value) if isinstance(node.type, Int) else "")
                for text in re.findall(r"(?<![\w\"-])\d+", written):
                    yield replace(_number(game, int(text), things, span, context, defined), node=node)
            case n.Assign(target=var, path=path):  # an entry may be added to for each of many
                own = not path or path[0].type == game.player
                context, things = node, frozenset(_names(var) if own else ())
                things |= {kinds[key.var] for key in path if isinstance(key, n.Local) and key.var in kinds}
                inside = [e for e in inside if e not in path or not isinstance(e, n.Const)]
            case n.Bind(var=var, value=n.Const(type=Enum() as of, value=int(kind))):
                kinds[var] = stem(of.members[kind])
            case n.Read(map=read, key=n.Const(type=Scalar() as of)) if of.family == game.player.family:
                inside = [read]  # a player's number counts nothing
            case (
                n.Add(a=n.Local() as local, b=n.Const(value=1))
                | n.Sub(a=n.Local() as local, b=n.Const(value=1))
            ):
                inside = [local]  # the next one, or the one before
            case n.Sub(a=n.Const()):
                context = node
            case n.Mul():
                context, things = node, things | {*names_in(node)}
            case n.Less() | n.AtMost() | n.Equal() | n.Member() | n.Top() | n.Rest() | n.Div():
                context, things = node, frozenset(names_in(node))
            case n.ForEach(source=n.Domain(of=Int() as of) as source, body=n.Draw()) if (
                span and source not in game.spans
            ):
                yield _number(game, of.hi, frozenset(names_in(node)), span, node, defined)
            case n.Let(value=value, body=n.Let()) if span is None:
                inside = [value]  # prose need not have the bound of `up to`
            case n.Call(function=function):
                waiting.append((function.body, None, frozenset(), function.name))
        waiting += [(part, context, things, defined) for part in inside]
    for file in {rule.span.source for rule in game.rules[:1] if rule.span is not None}:
        for line, text in enumerate(file.text.split("\n"), 1):
            for found in re.finditer(r"([\w-]+): (\d+)", text) if re.match(r"- [\w/]+: \{", text) else ():
                place = Span(file, line, found.start() + 1, line, found.end() + 1)
                yield Number(int(found[2]), frozenset(_words(found[1])), place, is_given=True)
    for rule in game.rules:
        for place, found in places_of(rule, _COUNTED):
            counted = ("turn", "action", "move", "ply") if "limit" in found[0] else ()
            rounds = {"round", stem(rule.id)} if "number" in found[0] else set()
            elsewhere = (one for other in game.rules if rounds for one in quantities(prose_of(other)))
            same = any(str(one.value) == found[1] and rounds & {*one.words} for one in elsewhere)
            if not rounds or (("rounds number", found[1]) in rule.formal and not same):
                yield Number(int(found[1]), frozenset(counted), place)
    declared = declarations(game)
    for var in game.state.values():
        at, first = declared.get(var.name), var.initial.value if isinstance(var.initial, n.Const) else None
        bag = var.type.of if isinstance(var.type, Map) and not isinstance(var.type, Bag) else var.type
        if isinstance(bag, Bag) and isinstance(bag.keys, Enum) and at is not None:
            yield from _of_bag(bag.keys, at)
        while isinstance(first, tuple) and len({*first}) == 1:
            first = first[0]
        held = scalar_of(_inner(var.type))
        if at is not None and type(first) is int and isinstance(held, Int):
            yield Number(first, frozenset(_words(var.name)), at, limits=frozenset({held.lo, held.hi}))


def _of_bag(kinds: Enum, at: Span) -> Iterator[Number]:
    """The numbers of things of each kind in a bag that is written at a place."""
    text = at.source.line(at.line)
    for kind in kinds.members:
        found = re.search(rf"[{{,] ?(\d+) {re.escape(kind)}\b", text)
        if found is not None:
            place = Span(at.source, at.line, found.start(1) + 1, at.line, found.end(1) + 1)
            yield Number(int(found[1]), frozenset({stem(kind), stem(kinds.name)}), place)


def _number(
    game: Game, value: int, things: frozenset[str], span: Span, context: Context, defined: str
) -> Number:
    """A number at a place, with the other numbers by which prose may state it there."""
    values, start, limits = set[int](), 0, set[int]()
    if isinstance(context, n.Less | n.AtMost | n.Equal):
        read = (scalar_of(e.type) for e in (context.a, context.b) if isinstance(e, n.Get | n.Read))
        limits = {of.hi for of in read if isinstance(of, Int)}
    match context:
        case n.Less(b=limit) | n.AtMost(b=limit):
            below = isinstance(context, n.Less) == (span == game.spans.get(limit))
            values = {value - 1 if below else value + 1}
        case n.Sub():  # as in `9 - n` for one to eight
            values = {value - 1}
        case n.Top() | n.Rest() | n.ForEach():
            values = {value * game.players}
        case n.Equal(a=n.Get(var=n.StateVar(initial=n.Const(value=int(first))))):
            start = first
    return Number(value, things, span, context, defined, values, start, frozenset(limits))


def names_in(node: n.Expr | n.Effect) -> Iterator[str]:
    """The names of the variables, locals and definitions that a node uses, and of their types."""
    for inner in nodes_within(node):
        match inner:
            case n.Get(var=var) | n.Assign(target=var):
                yield from _names(var)
            case n.Local(var=n.Var(name=name)) | n.Call(function=n.Function(name=name)):
                yield stem(name)


def _words(name: str) -> list[str]:
    return [stem(name), *map(stem, name.split("-"))]


def _names(var: n.StateVar) -> list[str]:
    """The name of a variable, its words, and the name of the type of what it holds."""
    inner = var.type.of if isinstance(var.type, Map) and not isinstance(var.type, Bag) else var.type
    of = scalar_of(inner.keys if isinstance(inner, Bag) else _inner(inner))
    return _words(var.name) + ([stem(of.name)] if of is not None and of.name else [])


def _inner(of: Type) -> Type:
    """The type of the entries of maps, and of the elements of sets and lists."""
    while isinstance(of, Map | List | Set) and of.of is not None:
        of = of.of
    return of


def _is_size(game: Game, said: Quantity) -> bool:
    """True if a number in prose is that of the values of a type that the prose names."""
    named = (of for name, of in game.types.items() if stem(name) in said.words)
    return not said.is_ordinal and any(len(of.values) == said.value for of in named)


def _sizes(game: Game, rule: Rule) -> Counter[int]:
    """Numbers in types and in a rule's variables (how many values, bounds, lengths), and parameters."""
    declared = {found[1] for _, found in places_of(rule, r"\b(?:state|type) ([\w-]+)")}
    waiting: list[Type] = [var.type for name, var in game.state.items() if name in declared]
    found = Counter(p.value for p in game.parameters.values() if isinstance(p.value, int))
    for name, named in game.types.items():
        waiting += [inner for _, inner in named.fields] if isinstance(named, Record) else []
        found.update({len(named.values)} if named not in (game.player, BOOL) else ())
        found.update({named.lo, named.hi} if isinstance(named, Int) and name in declared else ())
    while waiting:
        of = waiting.pop()
        if isinstance(of, Int) and not of.name:
            found.update({of.lo, of.hi})
        elif isinstance(of, Map | List | Set) and of.of is not None:
            found.update([of.cap] if isinstance(of, List) else [])
            waiting += [of.of, *([of.keys] if isinstance(of, Map) else [])]
    return found
