"""Candidate invariants and measures from templates over the types of the state.

A candidate is a row of texts (`Row`), which evidence contains as it is. `condition_of` makes its condition
from the rules, so a row means the same to whoever proposes it and to whoever checks it. There are four
templates:

    ends  END                          the game is over, or this end has not come about
    sums  TYPE OP CONSTANT [N TERM]... a comparison of a linear sum with a constant, for every value `x` of a
                                       type, or once if the type is empty
    while TYPE OP CONSTANT [N TERM]... the game is over, or the same comparison holds
    phase FLAG BIT TERM [NUMBER]...    the game is over, or FLAG (0 or 1) is not BIT, or TERM is one of
                                       the numbers

Terms are the numbers that types offer: a whole number, how much a set or list holds, how often it holds `x`,
sums of these over the keys of maps, and those of the mover. So equal sums, things in one place, bounds and
orders are all rows.

A measure is a row `CONSTANT [N TERM]...` (`measure_of`); its terms may also be about `over` and coordinates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.memo import by_game
from rulespec.core.notation import write
from rulespec.core.types import BOOL, Int, List, Map, Optional, Record, Scalar, Set, Truth, Type, integers

Row = tuple[str, ...]
ENDS, SUMS, WHILE, CONSERVED, PHASE = "ends", "sums", "while", "conserved", "phase"
"""The kinds of rows: a conserved sum is shown by an analysis of the effects, all others by engines."""
EQUAL, AT_MOST = "=", "<="
MOST_VALUES = 64
"""The most values of a type for each of which a row may speak."""
MOST_KINDS = 4
"""The most values of the places of a board for each of which measures sum coordinates."""
MOST_PLAYERS = 4
"""The most players for each of whom there are terms."""
_WHOLE = re.compile("-?[0-9]{1,9}")


def subjects(game: Game) -> Mapping[str, Scalar]:
    """The types, by name, whose values rows of invariants can be about."""
    found: dict[str, Scalar] = {}
    waiting: list[Type] = [var.type for var in game.state.values()]
    while waiting:
        t = waiting.pop(0)
        of = t.keys if isinstance(t, Map) else t.of if isinstance(t, Set | List | Optional) else None
        if isinstance(of, Scalar) and not isinstance(of, Truth) and 1 < len(of.values) <= MOST_VALUES:
            found.setdefault(str(of), of)
        if isinstance(t, Map):
            waiting.append(t.of)
    return found


@by_game
def terms(game: Game, subject: str) -> tuple[n.Var | None, Mapping[str, n.Expr]]:
    """The terms for rows about a type, by text, and the name that stands for its value in them."""
    of = subjects(game).get(subject)
    x = n.Var("x", of) if of is not None else None
    found: dict[str, n.Expr] = {}
    for var in game.state.values():
        if var in (game.mover, game.state["over"]):
            continue
        found |= _measures(n.Get(var.type, var), var.name, var.type, x, 0)
    if x is None:
        found |= {"(if over then 1 else 0)": _flag(n.Get(BOOL, game.state["over"])), **dict(_of_turns(game))}
    return x, found


def is_of_turns(game: Game, term: str) -> bool:
    """True for a term about the mover or about one player."""
    return any(term == text for text, _ in _of_turns(game))


def _of_turns(game: Game) -> Iterator[tuple[str, n.Expr]]:
    """Terms about the mover: the mover's numbers, and who is to move.

    If there are few players, each player's numbers as well, since they can tell whose turn it is.
    """
    mover = n.Get(game.mover.type, game.mover)
    if not isinstance(mover.type, Scalar) or game.players < 2:
        return
    players = mover.type.values if game.players <= MOST_PLAYERS else ()
    keys: list[tuple[str, n.Expr]] = [("mover", mover)]
    keys += ((write(mover.type, p), n.Const(mover.type, p)) for p in players)
    for var in game.state.values():
        if isinstance(var.type, Map) and var.type.keys == mover.type:
            for text, key in keys:
                own = n.Read(var.type.of, n.Get(var.type, var), key)
                yield from _measures(own, f"{var.name}[{text}]", var.type.of, None, 0)
    for player in mover.type.values[:-1]:
        is_next = n.Equal(BOOL, mover, n.Const(mover.type, player))
        yield f"(if mover = {player} then 1 else 0)", _flag(is_next)


def _measures(e: n.Expr, text: str, t: Type, x: n.Var | None, depth: int) -> Iterator[tuple[str, n.Expr]]:
    """The numbers that a value provides, as terms about `x` if there is one."""
    if isinstance(t, Map):
        if x is not None and t.keys == x.type:
            yield from _measures(n.Read(t.of, e, n.Local(x.type, x)), f"{text}[x]", t.of, None, depth)
        k = n.Var("klm"[depth % 3], t.keys)
        inner = n.Read(t.of, e, n.Local(t.keys, k))
        for words, body in _measures(inner, f"{text}[{k.name}]", t.of, x, depth + 1):
            size, low, high = len(t.keys.values), *_bounds(body)
            total = integers(size * low, size * high)
            added = n.Sum(total, k, n.Domain(Set(t.keys), t.keys), body)
            yield f"sum({words} for {k.name} in {t.keys})", added
    elif x is None:
        if isinstance(t, Int):
            yield text, e
        elif isinstance(t, Truth):
            yield f"(if {text} then 1 else 0)", _flag(e)
        elif isinstance(t, Optional):
            yield f"(if {text} is some then 1 else 0)", _flag(n.Not(BOOL, n.IsNone(BOOL, e)))
        elif isinstance(t, Set | List) and t.of is not None:
            most = t.cap if isinstance(t, List) else len(t.of.values)
            yield f"size({text})", n.Size(integers(0, most), e)
    elif isinstance(t, Optional) and t.of == x.type:
        yield f"(if {text} = x then 1 else 0)", _flag(n.Equal(BOOL, e, n.Local(x.type, x)))
    elif isinstance(t, Set) and t.of == x.type:
        yield f"(if x in {text} then 1 else 0)", _flag(n.Member(BOOL, n.Local(x.type, x), e))
    elif isinstance(t, List) and t.of == x.type:
        y = n.Var("y", x.type)
        here = _flag(n.Equal(BOOL, n.Local(x.type, y), n.Local(x.type, x)))
        yield f"count(y in {text} where y = x)", n.Sum(integers(0, t.cap), y, e, here)


def _flag(condition: n.Expr) -> n.Expr:
    return n.If(integers(0, 1), condition, _number(1), _number(0))


def _number(value: int) -> n.Expr:
    return n.Const(integers(value, value), value)


def _bounds(e: n.Expr) -> tuple[int, int]:
    t = e.type.of if isinstance(e.type, Optional) else e.type
    assert isinstance(t, Int)
    return t.lo, t.hi


@by_game
def measure_terms(game: Game) -> Mapping[str, n.Expr]:
    """The terms of measures, by text."""
    found = dict(terms(game, "")[1])
    for var in game.state.values():
        found |= _distances(var)
    return found


def _distances(var: n.StateVar) -> Iterator[tuple[str, n.Expr]]:
    """For each of few values, the sums of the coordinates of the keys with that value."""
    t, whole = var.type, n.Get(var.type, var)
    if not isinstance(t, Map) or not isinstance(t.keys, Record):
        return
    of = t.of.of if isinstance(t.of, Optional) else t.of
    if not isinstance(of, Scalar) or isinstance(of, Truth) or len(of.values) > MOST_KINDS:
        return
    k = n.Var("k", t.keys)
    key = n.Local(t.keys, k)
    for value in of.values:
        held = n.Equal(BOOL, n.Read(t.of, whole, key), n.Const(of, value))
        for position, (name, field) in enumerate(t.keys.fields):
            if isinstance(field, Int):
                number = integers(min(field.lo, 0), max(field.hi, 0))
                body = n.If(number, held, n.Field(field, key, position), _number(0))
                low, high = _bounds(body)
                total = integers(low * len(t.keys.values), high * len(t.keys.values))
                text = f"sum(if {var.name}[k] = {write(of, value)} then k.{name} else 0 for k in {t.keys})"
                yield text, n.Sum(total, k, n.Domain(Set(t.keys), t.keys), body)


@by_game
def measure_of(game: Game, row: Row) -> n.Expr | None:
    """The number that a row of a constant and weighted terms denotes; None if it has other terms."""
    known = measure_terms(game)
    if len(row) < 3 or not len(row) % 2 or not set(row[2::2]) <= known.keys():
        return None
    if not all(map(_WHOLE.fullmatch, (row[0], *row[1::2]))):
        return None
    weights = [(int(weight), known[name]) for weight, name in zip(row[1::2], row[2::2], strict=True)]
    return _difference(int(row[0]), weights)


@by_game
def condition_of(game: Game, row: Row) -> n.Expr | None:
    """The condition that a row denotes; None if no template has such a row."""
    over = n.Get(BOOL, game.state["over"])
    if len(row) == 2 and row[0] == ENDS:
        ends = [end.condition for end in game.ends if end.id == row[1]]
        return n.Or(BOOL, (over, n.Not(BOOL, ends[0]))) if ends else None
    if row[:1] == (PHASE,):
        return _of_phase(terms(game, "")[1], row, over)
    is_short = len(row) < 6 or len(row) % 2 == 1
    if is_short or row[0] not in (SUMS, WHILE, CONSERVED) or row[2] not in (EQUAL, AT_MOST):
        return None
    if row[1] and row[1] not in subjects(game):
        return None
    x, known = terms(game, row[1])
    numbers, named = [row[3], *row[4::2]], row[5::2]
    if not all(map(_WHOLE.fullmatch, numbers)) or not set(named) <= known.keys():
        return None
    weights = [(int(weight), known[name]) for weight, name in zip(row[4::2], named, strict=True)]
    left, right = _sides(-int(row[3]), weights)
    stated: n.Expr = (n.Equal if row[2] == EQUAL else n.AtMost)(BOOL, left, right)
    if x is not None:
        stated = n.All(BOOL, x, n.Domain(Set(subjects(game)[row[1]]), subjects(game)[row[1]]), stated)
    return n.Or(BOOL, (over, stated)) if row[0] == WHILE else stated


def _of_phase(known: Mapping[str, n.Expr], row: Row, over: n.Expr) -> n.Expr | None:
    """The condition of a row of numbers that a term has while a flag is set, or while it is not."""
    if len(row) < 5 or not {row[1], row[3]} <= known.keys() or row[2] not in ("0", "1"):
        return None
    flag, term, numbers = known[row[1]], known[row[3]], row[4:]
    if _bounds(flag) != (0, 1) or not all(map(_WHOLE.fullmatch, numbers)):
        return None
    other = n.Equal(BOOL, flag, _number(1 - int(row[2])))
    return n.Or(BOOL, (over, other, *(n.Equal(BOOL, term, _number(int(x))) for x in numbers)))


Weights = Sequence[tuple[int, n.Expr]]


def _sides(constant: int, weights: Weights) -> tuple[n.Expr, n.Expr]:
    """Two numbers whose difference is a constant and weighted terms, each a sum without negative weights."""
    more, less = [(w, e) for w, e in weights if w > 0], [(-w, e) for w, e in weights if w < 0]
    return _sum(more, max(constant, 0)), _sum(less, max(-constant, 0))


def _difference(constant: int, weights: Weights) -> n.Expr:
    left, right = _sides(constant, weights)
    (a, b), (c, d) = _bounds(left), _bounds(right)
    return n.Sub(integers(a - d, b - c), left, right)


def _sum(weights: Weights, constant: int) -> n.Expr:
    """The expression for a weighted sum of terms plus a constant."""
    total: n.Expr | None = _number(constant) if constant or not weights else None
    for weight, term in weights:
        e = term
        if weight != 1:
            low, high = _bounds(term)
            e = n.Mul(integers(weight * low, weight * high), _number(weight), term)
        if total is None:
            total = e
        else:
            (a, b), (c, d) = _bounds(total), _bounds(e)
            total = n.Add(integers(a + c, b + d), total, e)
    assert total is not None
    return total
