"""A few words to build core nodes and games with, for the games of `handmade`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulespec.core import nodes as n
from rulespec.core.diagnostics import Source, Span
from rulespec.core.game import (
    Action,
    End,
    Game,
    Layer,
    Outcome,
    Reaction,
    Requirement,
    Sight,
    Turn,
)
from rulespec.core.types import (
    BOOL,
    Enum,
    Int,
    Map,
    Record,
    Scalar,
    Set,
    Type,
    Value,
    integers,
    scalar_of,
)


def const(t: Type, value: Value) -> n.Expr:
    """A known value."""
    return n.Const(t, value)


def number(value: int) -> n.Expr:
    """A known number."""
    return n.Const(integers(value, value), value)


YES, NO = const(BOOL, True), const(BOOL, False)


def local(var: n.Var) -> n.Expr:
    """The value of a local name."""
    return n.Local(var.type, var)


def get(var: n.StateVar) -> n.Expr:
    """The value of a state variable."""
    return n.Get(var.type, var)


def read(source: n.Expr, key: n.Expr) -> n.Expr:
    """A map's value at a key."""
    assert isinstance(source.type, Map)
    return n.Read(source.type.of.with_none, source, key)


def part(item: n.Expr, position: int) -> n.Expr:
    """A field of a record."""
    assert isinstance(item.type, Record)
    return n.Field(item.type.fields[position][1], item, position)


def equal(a: n.Expr, b: n.Expr) -> n.Expr:
    """Whether two values are equal."""
    return n.Equal(BOOL, a, b)


def less(a: n.Expr, b: n.Expr) -> n.Expr:
    """Whether one value comes strictly before another."""
    return n.Less(BOOL, a, b)


def at_most(a: n.Expr, b: n.Expr) -> n.Expr:
    """Whether one value comes before another or equals it."""
    return n.AtMost(BOOL, a, b)


def no(item: n.Expr) -> n.Expr:
    """Negation."""
    return n.Not(BOOL, item)


def both(*items: n.Expr) -> n.Expr:
    """Conjunction."""
    return n.And(BOOL, items)


def either(*items: n.Expr) -> n.Expr:
    """Disjunction."""
    return n.Or(BOOL, items)


def is_none(item: n.Expr) -> n.Expr:
    """Whether a value is missing."""
    return n.IsNone(BOOL, item)


def hull(t: Type) -> tuple[int, int]:
    """The least and the greatest value of a number that may be none."""
    inner = scalar_of(t)
    if inner is None:
        return 0, 0
    assert isinstance(inner, Int)
    return inner.lo, inner.hi


def add(a: n.Expr, b: n.Expr) -> n.Expr:
    """Sum."""
    (low, high), (lower, higher) = hull(a.type), hull(b.type)
    return n.Add(integers(low + lower, high + higher), a, b)


def sub(a: n.Expr, b: n.Expr) -> n.Expr:
    """Difference."""
    (low, high), (lower, higher) = hull(a.type), hull(b.type)
    return n.Sub(integers(low - higher, high - lower), a, b)


def domain(t: Scalar) -> n.Expr:
    """All values of a type."""
    return n.Domain(Set(t), t)


def every(var: n.Var, source: n.Expr, body: n.Expr) -> n.Expr:
    """Whether the body holds for every element."""
    return n.All(BOOL, var, source, body)


def some(var: n.Var, source: n.Expr, body: n.Expr) -> n.Expr:
    """Whether the body holds for some element."""
    return n.Any(BOOL, var, source, body)


def function(
    name: str, params: tuple[n.Var, ...], result: Type, body: n.Expr | None = None, static: bool = False
) -> n.Function:
    """A definition; a recursive one gets its body afterwards."""
    made = n.Function(name, params, result, static=static)
    if body is not None:
        made.body = body
    return made


def call(made: n.Function, *args: n.Expr) -> n.Expr:
    """The value of a definition."""
    return n.Call(made.result, made, args)


def assign(target: n.StateVar, value: n.Expr, *path: n.Expr) -> n.Effect:
    """Store a value."""
    return n.Assign(target, path, value)


def block(*items: n.Effect) -> n.Effect:
    """Effects one after another."""
    return n.Block(items)


def when(cond: n.Expr, then: n.Effect, otherwise: n.Effect = n.NOTHING_DONE) -> n.Effect:
    """One of two effects."""
    return n.When(cond, then, otherwise)


class Text:
    """Gives nodes the formal text they were read from."""

    def __init__(self) -> None:
        self.spans: dict[n.Expr | n.Effect, Span] = {}
        self.texts: dict[n.Expr, str] = {}

    def __call__(self, text: str, node: n.Expr) -> n.Expr:
        """The node, said to have been written like this."""
        self.spans[node] = Span(Source("handmade.yaml", text), 1, 1, 1, len(text) + 1)
        self.texts[node] = text
        return node

    def of(self, game: Game) -> Game:
        """A game whose nodes were written so."""
        return replace(game, spans=self.spans, texts=self.texts)


def requirement(name: str, condition: n.Expr, prose: str = "", clause: str = "") -> Requirement:
    """A named condition of an action."""
    return Requirement(name, clause or name, prose or f"It is {name}.", condition)


def game(
    name: str,
    players: int,
    state: Iterable[n.StateVar],
    actions: Iterable[Action],
    *,
    player: Scalar,
    mover: n.StateVar,
    over: n.StateVar,
    turn: Turn,
    outcome: Outcome,
    setup: n.Effect = n.NOTHING_DONE,
    types: Iterable[Scalar] = (),
    functions: Iterable[n.Function] = (),
    reactions: Iterable[Reaction] = (),
    ends: Iterable[End] = (),
    sights: Iterable[Sight] = (),
    diagram: Iterable[Layer] = (),
    said: Text | None = None,
) -> Game:
    """A game of these parts, without prose, parameters, rulings or claims."""
    return Game(
        id=name, title=name.capitalize(), summary="", author="", licence="", source=(),
        players=players, player=player, parameters={}, rulings={}, rules=(),
        types={t.name: t for t in (player, *types)},
        functions={f.name: f for f in functions},
        state={v.name: v for v in (mover, over, *state)},
        setup=setup, turn=turn, actions={a.id: a for a in actions},
        reactions=tuple(reactions), ends=tuple(ends), outcome=outcome, sights=tuple(sights),
        claims={}, diagram=tuple(diagram), spans=said.spans if said else {}, texts=said.texts if said else {},
    )  # fmt: skip


def seats(players: int) -> tuple[Scalar, n.StateVar, n.StateVar, n.Expr]:
    """The type of players, the variables `mover` and `over`, and the next player in turn."""
    player = integers(1, players, "Player")
    mover = n.StateVar("mover", player, const(player, 1))
    over = n.StateVar("over", BOOL, NO)
    after = n.If(player, less(get(mover), number(players)), add(get(mover), number(1)), const(player, 1))
    return player, mover, over, after


_WORDS = ("here", "ahead")


def word_type(*words: str) -> Enum:
    """The type of these words, for notation that is worked out."""
    return Enum("words", range(len(words)), "", words)


def word(text: str) -> n.Expr:
    """One of the words that notation may use."""
    return n.Const(word_type(*_WORDS), _WORDS.index(text))
