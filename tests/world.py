"""A small world for random expressions and effects: types of every kind, and what stands in its states.

It is a game without turns to speak of, with a variable of every kind of type, definitions of every
kind, and actions that `can` asks about.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from building import (
    YES,
    add,
    at_most,
    call,
    const,
    domain,
    equal,
    every,
    function,
    game,
    get,
    less,
    local,
    number,
    part,
    requirement,
    seats,
    sub,
)  # fmt: skip
from hypothesis import strategies as st

from rulespec.core import nodes as n
from rulespec.core.game import Action, Choice, Game, Outcome, Turn
from rulespec.core.types import (
    BOOL,
    Enum,
    List,
    Map,
    Optional,
    Record,
    Scalar,
    Set,
    Type,
    Value,
    integers,
    with_values,
)  # fmt: skip

Env = dict[n.Var, Value]

PIP = integers(0, 3, "Pip")
SUIT = Enum("Suit", range(3), "Suit", ("red", "green", "blue"))
BRIGHT = with_values(SUIT, (0, 2), "Bright")
RANK = integers(1, 2, "Rank")
CARD = Record(
    "Card",
    ((0, 1, False), (0, 2, True), (1, 1, False), (2, 1, True), (2, 2, False)),
    "Card",
    (("suit", SUIT), ("rank", RANK), ("wild", BOOL)),
)
SCALARS: tuple[Scalar, ...] = (BOOL, PIP, SUIT, CARD)
WANTED: tuple[Type, ...] = (
    *SCALARS,
    *(Set(of) for of in SCALARS),
    List(PIP, 3), List(CARD, 2), List(BOOL, 2),
    Map(SUIT, PIP), Map(PIP, BOOL), Map(BOOL, CARD), Map(SUIT, Set(PIP)),
    Map(BOOL, List(PIP, 2)), Map(BOOL, Map(SUIT, PIP)),
)  # fmt: skip
STORED: tuple[Type, ...] = (
    *WANTED, BRIGHT, Optional(PIP), Optional(BRIGHT), Optional(CARD), Map(CARD, Optional(PIP)),
)  # fmt: skip


def first_value(t: Type) -> Value:
    """A value of a type to begin with."""
    if isinstance(t, Scalar):
        return t.values[0]
    return tuple(first_value(t.of) for _ in t.keys.values) if isinstance(t, Map) else t.nothing


def _state() -> dict[Type, n.StateVar]:
    return {t: n.StateVar(f"v{i}", t, const(t, first_value(t))) for i, t in enumerate(STORED)}


def _recursive(state: Mapping[Type, n.StateVar]) -> n.Function:
    """Looks back from a place: the recursive call stands where nothing else is read."""
    k = n.Var("k", PIP)
    made = function("back", (k,), Optional(PIP))
    deeper = call(made, sub(local(k), number(1)))
    chosen = n.Read(Optional(PIP), get(state[Map(CARD, Optional(PIP))]), get(state[Optional(CARD)]))
    made.falling = 0
    there = n.Any(BOOL, n.Var("x", PIP), get(state[Set(PIP)]), equal(deeper, number(1)))
    made.body = n.If(
        Optional(PIP), equal(local(k), number(0)), chosen, n.If(Optional(PIP), there, local(k), deeper)
    )
    return made


def _functions(state: Mapping[Type, n.StateVar]) -> tuple[n.Function, ...]:
    """Static and not, of scalars, sets and maps, with parameters that may be none, and recursive."""
    p, q, s, c, b = (n.Var("p", PIP), n.Var("q", Optional(BRIGHT)), n.Var("s", SUIT), n.Var("c", CARD),
                     n.Var("b", BOOL))  # fmt: skip
    many, row, key = n.Var("many", Set(PIP)), n.Var("row", List(PIP, 3)), n.Var("key", SUIT)
    x = n.Var("x", CARD)
    return (
        function("twice", (p,), integers(0, 6), add(local(p), local(p)), static=True),
        function("same", (c, s), BOOL, equal(part(local(c), 0), local(s)), static=True),
        function(
            "those", (s,), Set(CARD),
            n.Select(Set(CARD), x, domain(CARD), equal(part(local(x), 0), local(s))), static=True,
        ),
        function("pair", (p, b), List(PIP, 2), n.If(
            List(PIP, 2), local(b), n.ListOf(List(PIP, 2), (local(p), local(p))), const(List(PIP, 0), ()),
        ), static=True),
        function("row", (s,), Map(SUIT, PIP), n.Tabulate(Map(SUIT, PIP), key, SUIT, n.If(
            PIP, equal(local(key), local(s)), number(2), number(0))), static=True),
        function("either", (q,), Optional(SUIT), n.Otherwise(SUIT, local(q), get(state[SUIT]))),
        function("larger", (many, row), BOOL,
                 less(n.Size(PIP, local(row)), n.Size(integers(0, 4), local(many)))),
        _recursive(state),
    )  # fmt: skip


def _actions(state: Mapping[Type, n.StateVar]) -> tuple[Action, ...]:
    """Choices from a type, from a set and from a list of the state, of conditions, of none at all."""
    p, c, b, x = n.Var("p", PIP), n.Var("c", CARD), n.Var("b", BOOL), n.Var("x", PIP)
    enough = at_most(local(p), get(state[PIP]))
    unlike = n.Or(BOOL, (local(b), equal(part(local(c), 1), local(p))))
    return (
        Action("take", "", (Choice(p, domain(PIP), enough), Choice(c, get(state[Set(CARD)]))), ("take",),
               (requirement("unlike", n.Not(BOOL, equal(part(local(c), 1), local(p)))),), n.NOTHING_DONE),
        Action("toss", "", (Choice(b, get(state[Set(BOOL)])), Choice(p, get(state[List(PIP, 3)])),
                            Choice(c, domain(CARD))), ("toss",),
               (requirement("kept", unlike),), n.NOTHING_DONE),
        Action("wait", "", (), ("wait",),
               (requirement("low", every(x, get(state[Set(PIP)]), less(local(x), number(2)))),),
               n.NOTHING_DONE),
    )  # fmt: skip


def _world() -> tuple[Game, dict[Type, n.StateVar]]:
    state = _state()
    player, mover, over, after = seats(2)
    return game(
        "world", 2, state.values(), _actions(state), player=player, mover=mover, over=over,
        turn=Turn(n.NOTHING_DONE, YES, after, "end"),
        outcome=Outcome(n.Var("player", player), None, None, (), ()),
        types=(PIP, SUIT, BRIGHT, RANK, CARD), functions=_functions(state),
    ), state  # fmt: skip


WORLD, STATE = _world()
FREE: tuple[n.Var, ...] = tuple(n.Var(f"free {t}", t) for t in (*SCALARS, Optional(PIP), Set(PIP)))
"""Local names that are free in every expression made here."""


def random_value(t: Type, rng: random.Random) -> Value:
    """A value of a type."""
    if isinstance(t, Scalar):
        return rng.choice(t.values)
    if isinstance(t, Optional):
        assert t.of is not None
        return rng.choice((None, *t.of.values))
    if isinstance(t, Map):
        return tuple(random_value(t.of, rng) for _ in t.keys.values)
    assert isinstance(t, Set | List) and t.of is not None
    if isinstance(t, Set):
        return frozenset(rng.sample(t.of.values, rng.randint(0, len(t.of.values))))
    return tuple(rng.choice(t.of.values) for _ in range(rng.randint(0, t.cap)))


def states() -> st.SearchStrategy[dict[n.StateVar, Value]]:
    """States of the world in which the game is not over."""
    return seeds().map(lambda seed: random_state(random.Random(seed)))


def random_state(rng: random.Random) -> dict[n.StateVar, Value]:
    """A state of the world in which the game is not over."""
    found = {var: random_value(var.type, rng) for var in WORLD.state.values()}
    return {**found, WORLD.state["over"]: False}


def environments() -> st.SearchStrategy[Env]:
    """Values of the free local names."""
    return seeds().map(lambda seed: {var: random_value(var.type, random.Random(seed)) for var in FREE})


def seeds() -> st.SearchStrategy[int]:
    """Numbers from which something random is made in one step, which is quicker than drawing its parts."""
    return st.integers(0, 2**32 - 1)
