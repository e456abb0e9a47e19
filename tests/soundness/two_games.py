"""The truth of claims that put two games, a game and its image, or two plays side by side."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rulespec.core.game import Claim
from rulespec.core.symmetry import Leaves, Symmetry
from rulespec.core.types import Value
from rulespec.play.chance import Chance
from rulespec.play.machine import Ply
from rulespec.play.observation import Observer
from rulespec.play.position import Move, Position

from .space import Space, branches
from .truth import Truth, Unknown

MOST_PAIRS = 20_000
"""Pairs of positions that look the same to a player."""


def _equivalent(space: Space, claim: Claim) -> Truth:
    other = Space(claim.options["other"].game, 4 * len(space) + 100, 100_000)
    if _names(space) != _names(other):
        raise Unknown
    waiting = [(a, b) for a, b in _matched(space, other, space.starts, other.starts)]
    seen = set(waiting)
    while waiting:
        a, b = waiting.pop()
        if not _alike(space, a, other, b):
            return Truth(False)
        mine = dict(space.plies[a])
        its = dict(other.plies[b])
        if mine.keys() != its.keys():
            return Truth(False)
        for move, outs in mine.items():
            pairs = _matched(space, other, outs, its[move])
            if pairs is None:
                return Truth(False)
            waiting += [pair for pair in pairs if pair not in seen]
            seen |= set(pairs)
    return Truth(True)


def _names(space: Space) -> tuple[Any, ...]:
    game = space.game
    return tuple(game.state), tuple(game.actions), tuple(e.id for e in game.ends), len(game.sights)


def _matched(one: Space, other: Space, mine: Any, its: Any) -> list[tuple[int, int]]:
    """The positions after a ply in both games, paired by what lies on the table; -1 stands for a lone one."""

    def spread(space: Space, outs: Any) -> dict[Any, tuple[Fraction, int]]:
        found: dict[Any, tuple[Fraction, int]] = {}
        for share, to in outs:
            position = space.positions[to]
            key = (position.values, position.ended, bool(position.fault))
            found[key] = (found.get(key, (Fraction(0), to))[0] + share, to)
        return found

    a, b = spread(one, mine), spread(other, its)
    if a.keys() != b.keys() or any(a[key][0] != b[key][0] for key in a):
        return [(-1, -1)]
    return [(a[key][1], b[key][1]) for key in a]


def _alike(one: Space, a: int, other: Space, b: int) -> bool:
    if a < 0:
        return False
    if one.positions[a].ended is None:  # play goes on, or faulted: nobody has won, and nothing counts
        return True
    return one.won(a) == other.won(b) and one.machine.scores(one.positions[a]) == other.machine.scores(
        other.positions[b]
    )


# ---- symmetries


def _symmetry(space: Space, claim: Claim) -> Truth:
    stated = [Symmetry(images) for images in claim.options["images"]]
    try:
        return Truth(all(_commutes(space, symmetry) for symmetry in stated if symmetry != symmetry.still))
    except Leaves:
        raise Unknown from None


def _commutes(space: Space, symmetry: Symmetry) -> bool:
    """True if play begins in images as often, and the rules treat each position like its image."""
    starts = _spread((share, space.positions[i]) for share, i in space.starts)
    if starts != _spread((share, _image(space, symmetry, space.positions[i])) for share, i in space.starts):
        return False
    return all(_like_image(space, symmetry, i) for i in range(len(space)))


def _spread(outs: Any) -> dict[Position, Fraction]:
    found: dict[Position, Fraction] = {}
    for share, position in outs:
        plain = Position(position.values, 0, position.ended, position.fault and True)
        found[plain] = found.get(plain, Fraction(0)) + share
    return found


def _image(space: Space, symmetry: Symmetry, position: Position) -> Position:
    variables = space.game.state.values()
    values = (symmetry.of(v.type, x) for v, x in zip(variables, position.values, strict=True))
    return Position(tuple(values), 0, position.ended, position.fault)


def _like_image(space: Space, symmetry: Symmetry, number: int) -> bool:
    """True if as much is legal in the image, and leads to the images as likely, by whichever actions."""
    position, machine = space.positions[number], space.machine
    other = _image(space, symmetry, position)
    if position.is_over:
        won = {symmetry.one(space.game.player, p) for p in machine.winners(position)}
        scores = {symmetry.one(space.game.player, p): x for p, x in machine.scores(position).items()}
        return won == set(machine.winners(other)) and scores == machine.scores(other)
    mine = Counter(
        frozenset(
            _spread((share, _image(space, symmetry, space.positions[to])) for share, to in outs).items()
        )
        for _, outs in space.plies[number]
    )
    its: Counter[Any] = Counter()
    for move in machine.moves(other):

        def play(chance: Chance, move: Move = move) -> Ply:
            return machine.play(other, move, chance)

        its[frozenset(_spread((share, ply.position) for ply, share in branches(play)).items())] += 1
    return mine == its


# ---- what players can tell


def _knowable(space: Space, _: Claim) -> Truth:
    found = [_unknown_to(space, viewer) for viewer in space.game.player.values]
    soonest = min((depth for depth in found if depth is not None), default=None)
    return Truth(soonest is None, soonest=soonest)


def _unknown_to(space: Space, viewer: Value) -> int | None:
    """After how many plies a player first cannot tell what must be known; None if always."""
    observer = Observer(space.game)
    contexts = [space.machine.situation(position) for position in space.positions]
    seen = [
        (observer.position(c, viewer), bool(p.fault)) for c, p in zip(contexts, space.positions, strict=True)
    ]
    waiting = deque(((a, b), 0) for _, a in space.starts for _, b in space.starts if seen[a] == seen[b])
    passed = {pair for pair, _ in waiting}
    while waiting:
        (a, b), depth = waiting.popleft()
        if _told(space, viewer, a) != _told(space, viewer, b):
            return depth
        for move, outs in space.plies[a]:
            for other, its in space.plies[b]:
                if observer.move(contexts[a], move, viewer) != observer.move(contexts[b], other, viewer):
                    continue
                pairs = {(x, y) for _, x in outs for _, y in its if seen[x] == seen[y]} - passed
                passed |= pairs
                waiting.extend((pair, depth + 1) for pair in pairs)
        if len(passed) > MOST_PAIRS:
            raise Unknown
    return None


def _told(space: Space, viewer: Value, number: int) -> Any:
    """The facts that a player must be able to tell of a position."""
    if space.is_over(number):
        return "over", space.won(number)
    mover = space.mover(number)
    return mover, {move for move, _ in space.plies[number]} if mover == viewer else None


KINDS: dict[str, Callable[[Space, Claim], Truth]] = {
    "equivalent": _equivalent,
    "symmetry": _symmetry,
    "knowable": _knowable,
}
