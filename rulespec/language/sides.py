"""Sides: the key `sides` of a rule, and the words `allies` and `rivals`.

Sides lower to the core: `winners` becomes the players whose side has a winner. Without `winners`, the side
with the most points wins, ties decided by sums over the side.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import cast

from lark import Token

from ..core import nodes as n
from ..core.types import BOOL, Int, Map, Scalar, Set, Value, integers, scalar_of
from .documents.yaml import Scalar as Text
from .elaborate.expressions import expression
from .elaborate.world import Frame
from .rules import Rules
from .syntax.parser import Syntax


def declared_side(rules: Rules, player: n.Var) -> n.Expr | None:
    """The side of a player by the rule with the key `sides`; None without one, or if it is faulty.

    Args:
        rules: the rules of a ruleset.
        player: the local variable that is bound to a player.
    """
    found = rules.only("sides")
    return rules.attempt(partial(_side, rules, *found, player), None) if found else None


def _side(rules: Rules, clause: str, text: Text, player: n.Var) -> n.Expr | None:
    tree, frame = rules.tree(text, "sides_text"), rules.frame(text, clause)
    one = n.Local(player.type, player)
    (form,) = (tree,) if tree.data != "sides_text" else cast("list[Syntax]", tree.children)
    if form.data == "sides_alone":
        return None
    if form.data == "sides_together":
        return n.Const(integers(1, 1), 1)
    if form.data == "sides_by":
        by = expression(frame.binding(player=one), cast(Syntax, form.children[0]), None)
        if scalar_of(by.type) is None:
            frame.fail("sides.by", "players are on one side whose single values are equal here", form)
        return by
    side_of = _side_of_seats(rules, frame, form)
    numbers = integers(1, len(form.children))
    table = n.Const(Map(rules.world.player, numbers), tuple(side_of[p] for p in rules.world.player.values))
    return n.Read(numbers, table, one)


def _side_of_seats(rules: Rules, frame: Frame, form: Syntax) -> dict[Value, int]:
    """The number of each player's side, according to the groups. Raises Faulty."""
    side_of, rest = dict[Value, int](), 0
    for number, group in enumerate(cast("list[Syntax]", form.children), 1):
        for seat in cast("list[Syntax]", group.children):
            if seat.data == "others":
                if rest:
                    frame.fail("sides.twice", "`the rest` can be on one side only", seat)
                rest = number
                continue
            player = int(cast(Token, seat.children[0]))
            if not 1 <= player <= rules.world.most_players:
                frame.fail("sides.player", f"there is no player {player}", seat)
            if player in side_of:
                frame.fail("sides.twice", f"player {player} is on two sides", seat)
            side_of[player] = number
    left = [p for p in rules.world.player.values if p not in side_of]
    if left and not rest:
        whose = f"player {left[0]} is" if len(left) == 1 else f"players {' and '.join(map(str, left))} are"
        help = "name each player once, or say `the rest`"
        frame.fail("sides.missing", f"{whose} on no side", form, help=help)
    return side_of | dict.fromkeys(left, rest)


def winners_by_side(
    player: n.Var,
    side: n.Expr,
    winners: n.Expr | None,
    score: n.Expr | None,
    ties: Iterable[tuple[bool, n.Expr]],
) -> n.Expr | None:
    """The set of players whose side wins; None if the rules do not say who wins.

    Args:
        player: the local variable that is bound in the other arguments.
        side: the side of that player.
        winners: the set of winners by the rules, or None if the most points win.
        score: the points of that player, or None.
        ties: the tie-breakers in order, each with True if the maximum is best.
    """
    if winners is None and score is None:
        return None
    everybody = n.Domain(Set(_players(player)), _players(player))
    other = n.Var("q", player.type)
    if winners is not None:
        members = n.Var("won", winners.type)
        body = n.Select(
            winners.type, player, everybody,
            n.Any(BOOL, other, n.Local(winners.type, members), n.Equal(BOOL, _of(other, player, side), side)),
        )  # fmt: skip
        return n.Let(winners.type, members, winners, body)
    wishes = [(True, cast(n.Expr, score)), *ties]
    ranks = [
        (most, side_sum(player, side, wish, player), side_sum(player, side, wish, other))
        for most, wish in wishes
    ]
    best = n.All(BOOL, other, everybody, _is_no_less(ranks))
    return n.Select(Set(_players(player)), player, everybody, best)


def side_sum(player: n.Var, side: n.Expr, number: n.Expr, of: n.Var) -> n.Expr:
    """The sum of a number over the players on the side of one of them.

    Args:
        player: the local variable that is bound in `side` and `number`.
        side: the side of that player.
        number: a number of that player; none counts as zero.
        of: the local variable that names the player whose side is meant.
    """
    bare, mate = cast(Int, scalar_of(number.type)), n.Var("mate", player.type)
    count = len(_players(player).values)
    total = integers(min(bare.lo, 0) * count, max(bare.hi, 0) * count)
    return n.Sum(total, mate, allies(player, side, of), _of(mate, player, number))


def allies(player: n.Var, side: n.Expr, of: n.Var) -> n.Expr:
    """The set of players on the side of one; see `side_sum` for the arguments."""
    ally = n.Var("ally", player.type)
    same = n.Equal(BOOL, _of(ally, player, side), _of(of, player, side))
    return n.Select(Set(_players(player)), ally, n.Domain(Set(_players(player)), _players(player)), same)


def _players(player: n.Var) -> Scalar:
    """The type of players, from a local variable."""
    return cast(Scalar, player.type)


def _of(who: n.Var, player: n.Var, e: n.Expr) -> n.Expr:
    """An expression about `player`, applied to another player."""
    return e if who is player else n.Let(e.type, player, n.Local(who.type, who), e)


def _is_no_less(ranks: list[tuple[bool, n.Expr, n.Expr]]) -> n.Expr:
    """True if two lists of numbers are equal, or their first difference is for the better."""
    (most, own, theirs), *rest = ranks
    better = n.Less(BOOL, theirs, own) if most else n.Less(BOOL, own, theirs)
    equal = n.Equal(BOOL, own, theirs)
    return n.Or(BOOL, (better, n.And(BOOL, (equal, _is_no_less(rest))) if rest else equal))
