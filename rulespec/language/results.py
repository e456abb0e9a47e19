"""Questions about the result of a game in its rules: `score(p)`, `payoff(p)` and `won(p)`, and with declared
sides `allies(p)`, `rivals(p)` and `side-score(p)`.

They are definitions generated from the keys `score`, `payoff`, `winners`, `ties` and `sides`. A declaration,
law or end of the same name hides them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

from ..core import nodes as n
from ..core.types import BOOL, Scalar, Set, integers, join_scalars, scalar_of
from .documents.yaml import Mapping, mappings
from .documents.yaml import Scalar as Text
from .elaborate.expressions import set_of_players
from .elaborate.folding import conjunction, disjunction, fold, maybe_none, negation, number
from .elaborate.world import Faulty
from .rules import OnDemand, Rules, id_of
from .sides import allies, declared_side, side_sum, winners_by_side

SCORE, PAYOFF, WON = "score", "payoff", "won"
ALLIES, RIVALS, SIDE_SCORE = "allies", "rivals", "side-score"


def enter_results(rules: Rules) -> None:
    """Define the questions about results that the keys of the game allow."""
    world = rules.world
    scored = next(_scores(rules), None)
    judged, sided = (next(rules.having(key), None) for key in ("winners", "sides"))
    for name, found, make in (
        (SCORE, scored, _score),
        (WON, judged or scored, _won),
        (PAYOFF, judged or scored, _payoff),
        (ALLIES, sided, _allies),
        (RIVALS, sided, _rivals),
        (SIDE_SCORE, sided and scored, _side_score),
    ):
        if found is not None and name not in world.declared and name not in world.conditions:
            define = partial(_definition, rules, name, make)
            world.conditions[name] = OnDemand(rules, ("result", name), found[1].entries["id"].span, define)


def _definition(rules: Rules, name: str, make: Callable[[Rules, n.Expr], n.Expr]) -> n.Function:
    """The definition that answers a question about a player."""
    player = n.Var("p", rules.world.player)
    function = n.Function(name, (player,), BOOL)
    rules.world.define(function, lambda: make(rules, n.Local(player.type, player)))
    function.result = function.body.type
    return function


def _scores(rules: Rules) -> Iterator[tuple[str, Mapping, Text]]:
    """The rules with the points or the payoffs of players."""
    yield from rules.having("score")
    yield from rules.having("payoff")


def _score(rules: Rules, player: n.Expr) -> n.Expr:
    name, _, text = next(_scores(rules))
    return rules.number(text, name, {"player": player})


def _payoff(rules: Rules, player: n.Expr) -> n.Expr:
    """A player's declared payoff, or the sum over a side; else 1 for a sole win and -1 for a loss."""
    if next(rules.having("payoff"), None) is not None:
        summed = next(rules.having("sides"), None) is not None
        return _zero_for_none(_side_score(rules, player) if summed else _score(rules, player))
    rules.world.note_read()
    one, other = n.Var("player", rules.world.player), n.Var("q", rules.world.player)
    side, of = declared_side(rules, one), Set(rules.world.player)
    own: n.Expr = n.SetOf(of, (player,))
    if side is not None:
        own = allies(one, side, cast(n.Local, player).var)
    rivals = n.Difference(of, n.Domain(of, rules.world.player), own)
    won = rules.law_function(WON) or _missing()
    mine, theirs = _call(won, player), n.Any(BOOL, other, rivals, _call(won, n.Local(other.type, other)))
    loss = n.If(integers(-1, 0), theirs, number(-1), number(0))
    gain = n.If(integers(0, 1), theirs, number(0), number(1))
    return n.If(integers(-1, 1), mine, gain, loss)


def _won(rules: Rules, player: n.Expr) -> n.Expr:
    """The condition that the game is over and a player has won: is a declared winner, or nobody is ahead."""
    world = rules.world
    world.note_read()
    over = n.Get(BOOL, world.state["over"])
    one = n.Var("player", world.player)
    if (side := declared_side(rules, one)) is not None:
        winners = _winners_of_sides(rules, one, side)
        if winners is None:
            return n.Const(BOOL, False)
        return conjunction(over, n.Member(BOOL, player, winners))
    if (found := next(rules.having("winners"), None)) is not None:
        name, _, text = found
        return conjunction(over, n.Member(BOOL, player, set_of_players(*rules.read(text, name))))
    other = n.Var("q", world.player)
    rival = n.Local(other.type, other)
    before = _before(list(_wishes(rules, rival, player)))
    return conjunction(over, negation(n.Any(BOOL, other, n.Domain(Set(world.player), world.player), before)))


def _winners_of_sides(rules: Rules, player: n.Var, side: n.Expr) -> n.Expr | None:
    """The winners when sides are declared, as in `course.outcome`."""
    names = {"player": n.Local(player.type, player)}
    numbers = [(most, rules.number(text, clause, names)) for most, text, clause in _ties(rules)]
    winners = [set_of_players(*rules.read(text, name)) for name, _, text in rules.having("winners")]
    scores = [rules.number(text, name, names) for name, _, text in _scores(rules)]
    return winners_by_side(player, side, next(iter(winners), None), next(iter(scores), None), numbers)


def _of_side(rules: Rules, make: Callable[[n.Var, n.Expr], n.Expr]) -> n.Expr:
    """An expression built from a player and that player's side."""
    one = n.Var("player", rules.world.player)
    side = declared_side(rules, one)
    return make(one, side if side is not None else n.Local(one.type, one))


def _allies(rules: Rules, player: n.Expr) -> n.Expr:
    """The players on a player's side, this one included."""
    return _of_side(rules, lambda one, side: allies(one, side, cast(n.Local, player).var))


def _rivals(rules: Rules, player: n.Expr) -> n.Expr:
    """The players on other sides."""
    everybody = Set(rules.world.player)
    return n.Difference(everybody, n.Domain(everybody, rules.world.player), _allies(rules, player))


def _side_score(rules: Rules, player: n.Expr) -> n.Expr:
    """The sum of the scores of a side."""
    name, _, text = next(_scores(rules))

    def total(one: n.Var, side: n.Expr) -> n.Expr:
        score = rules.number(text, name, {"player": n.Local(one.type, one)})
        return side_sum(one, side, score, cast(n.Local, player).var)

    return _of_side(rules, total)


def _ties(rules: Rules) -> Iterator[tuple[bool, Text, str]]:
    """The tie-breaks in order, each with True if the maximum is best, its text and its rule."""
    for rule in rules.rules:
        for tie in mappings(rule.entries.get("ties")):
            for key in ("most", "least"):
                if isinstance(text := tie.entries.get(key), Text):
                    yield key == "most", text, id_of(rule)


def _wishes(rules: Rules, one: n.Expr, two: n.Expr) -> Iterator[tuple[n.Expr, n.Expr]]:
    """The numbers that decide between two players, most important first; the greater one is better."""
    score = rules.law_function(SCORE) or _missing()
    yield _zero_for_none(_call(score, one)), _zero_for_none(_call(score, two))
    for most, text, clause in _ties(rules):
        a, b = (_zero_for_none(rules.number(text, clause, {"player": p})) for p in (one, two))
        yield (a, b) if most else (b, a)


def _missing() -> n.Function:
    raise Faulty


def _call(function: n.Function, player: n.Expr) -> n.Expr:
    return n.Call(function.result, function, (player,))


def _zero_for_none(wish: n.Expr) -> n.Expr:
    """A number, 0 instead of none."""
    of = join_scalars(scalar_of(wish.type), cast(Scalar, number(0).type))
    return n.Otherwise(of, wish, number(0)) if maybe_none(wish.type) and of is not None else wish


def _before(wishes: list[tuple[n.Expr, n.Expr]]) -> n.Expr:
    """True if the first of two players is ahead of the second."""
    (a, b), *rest = wishes
    more: n.Expr = n.Less(BOOL, b, a)
    return disjunction(more, conjunction(fold(n.Equal(BOOL, a, b)), _before(rest))) if rest else more
