"""A ziggurat of three tiers and other boards, as games with nothing but a state and a diagram."""

from __future__ import annotations

from building import const, domain, game, get, is_none, local, no, number, part, read, seats, sub

from rulespec.core import nodes as n
from rulespec.core.game import Game, Layer, Outcome, Turn
from rulespec.core.types import BOOL, Map, Optional, Record, Set, Value, integers


def board(name: str, state: list[n.StateVar], layers: list[Layer]) -> Game:
    """A game of one player who can do nothing, to be looked at."""
    player, mover, over, after = seats(1)
    return game(
        name, 1, state, (), player=player, mover=mover, over=over,
        turn=Turn(n.NOTHING_DONE, n.Const(BOOL, True), after, "end"),
        outcome=Outcome(n.Var("p", player), None, None, (), ()), diagram=layers,
    )  # fmt: skip


def position(made: Game, **values: Value) -> dict[str, Value]:
    """The values of all state variables: the given ones, the others as nothing."""
    start = {name: v.type.nothing for name, v in made.state.items()}
    return start | {"mover": 1} | values


def pyramid(tiers: int = 3, top: int = 6, look: str = "") -> Game:
    """Dominoes on square tiers, each centred on the one below; the highest lie on top, a hand beside."""
    pip = integers(0, top, "Pip")
    side = 2 * tiers
    places = tuple(
        (t, r, c) for t in range(1, tiers + 1) for r in range(t, side + 2 - t) for c in range(t, side + 2 - t)
    )
    line = integers(1, side)
    fields = (("tier", integers(1, tiers)), ("row", line), ("col", line))
    cell = Record("Cell", places, "Cell", fields, (0, ".", 1, ".", 2))
    pairs = tuple((a, b) for a in pip.values for b in pip.values if a <= b)
    domino = Record("Domino", pairs, "Domino", (("low", pip), ("high", pip)), (0, "-", 1))
    pips_type, tile_type = Map(cell, Optional(pip)), Map(cell, Optional(domino))
    pips = n.StateVar("pips", pips_type, const(pips_type, pips_type.nothing))
    tile = n.StateVar("tile", tile_type, const(tile_type, tile_type.nothing))
    hand = n.StateVar("hand", Set(domino), const(Set(domino), frozenset()))
    c = n.Var("c", cell)
    place = {"across": part(local(c), 2), "up": sub(number(0), part(local(c), 1))}
    lies = no(is_none(read(get(pips), local(c))))
    ground = n.Equal(BOOL, part(local(c), 0), number(1))
    return board("pyramid", [pips, tile, hand], [
        Layer("square", ((c, domain(cell)),), ground, place),
        Layer("tile", ((c, domain(cell)),), lies, {
            **place, "level": part(local(c), 0), "joins": read(get(tile), local(c)),
            "label": read(get(pips), local(c))}, {"look": look}),
        Layer("hand", (), None, {"items": get(hand)}, {"look": f"tiles {look}"}, "", ("Hand",)),
    ])  # fmt: skip


Laid = tuple[tuple[int, int], tuple[int, int, int], tuple[int, int, int]]


def laid(made: Game, *dominoes: Laid) -> dict[str, Value]:
    """A position of the pyramid: dominoes as (values, place of the first half, place of the second)."""
    pips = made.state["pips"].type
    assert isinstance(pips, Map)
    at, on = dict.fromkeys(pips.keys.values), dict.fromkeys(pips.keys.values)
    for values, first, second in dominoes:
        at[first], at[second] = values
        on[first] = on[second] = tuple(sorted(values))
    hand = frozenset({(2, 3), (0, 1), (3, 3)})
    return position(made, pips=tuple(at.values()), tile=tuple(on.values()), hand=hand)
