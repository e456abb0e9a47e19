"""The symmetries that a game's claims state, and what tells a position from its image.

By formulas that is asked about any position, by the interpreter about one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.game import Claim, Game
from rulespec.core.symmetry import Leaves, Symmetry, TooMany, extend_to_common_types, group
from rulespec.play.chance import Chance
from rulespec.play.face import State
from rulespec.play.machine import Machine, Ply
from rulespec.play.position import Fault, Move, Position
from rulespec.solver.explore import without_draw_count
from rulespec.solver.explore.chance_outcomes import weighted_outcomes
from rulespec.solver.formulas import TooWide
from rulespec.solver.formulas.unrolling.query import Oracle

from .agreement import EngineGaveUp, apart_anywhere, apart_at_start
from .correspondence import Correspondence, Incomparable


def symmetry_claims(game: Game) -> list[Claim]:
    """The claims that state a symmetry."""
    return [claim for claim in game.claims.values() if claim.kind == "symmetry"]


def generators(claims: Sequence[Claim]) -> list[Symmetry]:
    """The symmetries that claims state, but for those that leave everything as it is."""
    found = extend_to_common_types([images for claim in claims for images in claim.options["images"]])
    return [symmetry for symmetry in found if symmetry != symmetry.still]


def group_of(game: Game) -> list[Symmetry]:
    """All symmetries that those stated come to; none where there is nothing to gain, or there are too many.

    What is hidden from players is theirs to tell apart, so such a game has none here.
    """
    if any(var.hidden for var in game.state.values()):
        return []
    try:
        found = group(generators(symmetry_claims(game)))
    except TooMany:
        return []
    return found if len(found) > 1 else []


def image(game: Game, symmetry: Symmetry, position: Position) -> Position:
    """The image of a position."""
    values = (
        symmetry.of(var.type, value) for var, value in zip(game.state.values(), position.values, strict=True)
    )
    return Position(tuple(values), 0, position.ended, position.fault)


def unlike(game: Game, symmetry: Symmetry, state: State, begins: bool = False) -> str:
    """The difference of a position from its image by the interpreter, in words; empty without one.

    That is which actions are legal, what they lead to and how likely, and, where the game is over, who has
    won with what score; of a position in which play `begins` also whether it begins as often in the image.
    """
    machine, position = Machine(game), without_draw_count(state.position)
    other = image(game, symmetry, position)
    if begins:
        often = _likely(Machine(game).start)
        if often.get(other, 0) != often[position]:
            return "play begins here, and not, or not as often, in the image of this position"
    if position.ended is not None:
        return _judged_unlike(game, symmetry, position, other)
    left = [_followers(machine, other, move) for move in machine.moves(other)]
    for move in machine.moves(position):
        after = _followers(machine, position, move)
        wanted = {image(game, symmetry, to): share for to, share in after.items()}
        if wanted not in left:
            shown = state.notation(state.find(move))
            return f"`{shown}` is legal, and nothing that is legal in the image comes to the image of that"
        left.remove(wanted)
    return "in the image more is legal" if left else ""


def _followers(machine: Machine, position: Position, move: Move) -> dict[Position, Fraction]:
    return _likely(lambda chance: machine.play(position, move, chance))


def _likely(run: Callable[[Chance], Ply]) -> dict[Position, Fraction]:
    found: dict[Position, Fraction] = {}
    for ply, odds, share in weighted_outcomes(run):
        to = ply.position
        to = Position(to.values, 0, to.ended, Fault("", "", "") if to.fault else None)
        found[to] = found.get(to, Fraction()) + Fraction(share, odds)
    return found


def _judged_unlike(game: Game, symmetry: Symmetry, position: Position, other: Position) -> str:
    machine, player = Machine(game), game.player
    won = frozenset(symmetry.one(player, p) for p in machine.winners(position))
    if won != frozenset(machine.winners(other)):
        return "the image has other winners"
    scores = {symmetry.one(player, p): score for p, score in machine.scores(position).items()}
    return "" if scores == machine.scores(other) else "the image has other scores"


# ---- by formulas


def _with_image(game: Game, symmetry: Symmetry) -> Correspondence:
    return Correspondence(
        game, game, lambda mine, _: {value: symmetry.one(mine, value) for value in mine.values}
    )


def differences(
    game: Game, symmetry: Symmetry, known: Sequence[n.Expr], budget: Budget, engine: Oracle
) -> str:
    """In what a position need not be like its image, in a word or two; empty where it is like it.

    `known` holds in every position that can be reached. OutOfBudget or Unanswered where that was not found
    out, TooWide where formulas do not cover it, Leaves where the symmetry takes a value out of its type.
    """

    def watch() -> None:
        if budget.exceeded_limit:
            raise OutOfBudget(budget.exceeded_limit)

    found = apart_anywhere(_with_image(game, symmetry), engine, lambda: budget.seconds_left, known, watch)
    return ", ".join(dict.fromkeys(f"`{d.what}`" if d.what else f"the {d.kind}" for d in found))


def begins_alike(game: Game, symmetry: Symmetry, engine: Oracle, left: Callable[[], float]) -> bool:
    """True if formulas show that play begins in images as often; `left` gives the seconds that are left."""
    return not apart_at_start(_with_image(game, symmetry), engine, left)


def commute(game: Game, symmetries: Sequence[Symmetry], seconds: float, engine: Oracle) -> bool:
    """True if formulas show within some seconds that the rules commute with symmetries."""
    budget = Budget(seconds)
    try:
        return not any(differences(game, symmetry, (), budget, engine) for symmetry in symmetries)
    except (OutOfBudget, EngineGaveUp, TooWide, Leaves, Incomparable):
        return False
