"""The questions that users ask of a loaded game: `prove`, `solve`, `survey` and `diff`.

Each takes a game of `rulespec.load` or the name or path of a ruleset, and calls the solver, which is imported
only then.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .core.game import Game as CoreGame
from .core.verdicts import Verdict, parameters_of, readings_of
from .play.face import Game, load

if TYPE_CHECKING:
    from rulespec.play.plays import Play
    from rulespec.solver.claims import NoEngine as NoEngine
    from rulespec.solver.claims import NoPuzzle as NoPuzzle
    from rulespec.solver.surveys.report import Survey

    from .language.differences import Change


def prove(game: Game | str, claims: Sequence[str] | str | None = None, **options: Any) -> list[Verdict]:
    """Decide claims of a game and return a verdict for each setting that was asked.

    Args:
        game: a loaded game, or the name or path of a ruleset.
        claims: the ids of claims, or one id; by default all that are not about one deal at a time.
        options: the fields of `rulespec.solver.claims.ProveOptions`, such as `timeout`, `each` and `store`.

    Raises:
        KeyError: a claim is unknown.
        NoPuzzle: a claim is about one deal at a time; `solve` and `survey` ask it.
        RulesetError: the ruleset is faulty.

    Example:
        >>> [verdict.outcome for verdict in prove("tic-tac-toe", ["one-line"])]
        ['proved']
    """
    from rulespec.solver.claims import prove as decide

    from .language import read

    if isinstance(claims, str):
        claims = [claims]
    loaded = _load_game(game)
    core = loaded.core
    setting = {"players": core.players, "parameters": parameters_of(core), "readings": readings_of(core)}

    def core_under(
        *,
        parameters: Mapping[str, int | str] | None = None,
        readings: Mapping[str, str] | None = None,
        players: int | None = None,
        left_open: Collection[str] = (),
    ) -> CoreGame:
        if left_open:
            return (loaded.ruleset or read(loaded.name)).with_settings(
                players, parameters, readings, left_open=left_open
            )
        return loaded.under(players, parameters, readings).core

    return decide(core_under, claims, **{**setting, "ruleset": loaded.name, **options})


def solve(game: Game | str, claim: str | None = None, **options: Any) -> tuple[Verdict, Play | None]:
    """Decide a claim for one deal; return the verdict and its witness play, if there is one.

    Args:
        game: a loaded game, or the name or path of a ruleset.
        claim: a claim that can be asked of a deal; by default the one meant for that.
        options: `seed` or `chance`, which give the deal, and those of `rulespec.solver.claims.solve`.

    Raises:
        NoPuzzle: the claim cannot be asked of a deal.
        ValueError: no deal is given.
    """
    from rulespec.solver.claims import solve as settle

    return settle(_load_game(game).core, claim, **options)


def survey(game: Game | str, deals: int, claim: str | None = None, **options: Any) -> Survey:
    """Decide a claim for many deals, by consecutive seeds; see `rulespec.solver.surveys.survey`."""
    from rulespec.solver.surveys import survey as ask

    if isinstance(game, str):
        return ask(game, deals, claim, **options)
    core = game.core
    setting = {"players": core.players, "parameters": parameters_of(core), "readings": readings_of(core)}
    return ask(game.name, deals, claim, **{**setting, **options})


def diff(game: Game | str, other: Game | str) -> list[Change]:
    """Compare two rulesets, or one under two settings: the parts that were added, removed or changed.

    Example:
        >>> diff("kalah", "kalah-three-seeds")[0].how
        'changed'
    """
    from .language.differences import changes

    return changes(_load_game(game).core, _load_game(other).core)


def _load_game(game: Game | str) -> Game:
    return game if isinstance(game, Game) else load(game)
