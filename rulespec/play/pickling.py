"""Games and states as pickles: a game by the texts that it was read from, a state by its values.

Unpickling runs nothing and reads no file; a game must have the rules that it had, and a state values of its
types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..core.action_numbers import TooManyActions
from ..core.context import Context
from ..core.types import Value, holds
from .chance import Chance
from .position import Fault, Move, Position

if TYPE_CHECKING:
    from .actions import Action
    from .face import Game
    from .history import Chain
    from .state import State
    from .wording import Wording

MOST_GAMES = 8
"""Maximum number of pickled or unpickled games that are cached, so that states share their game."""
_games: dict[tuple[Any, ...], Game] = {}
Texts = tuple[tuple[str, str], ...]
Links = tuple[tuple[str, str, str], ...]
Settings = tuple[int, tuple[tuple[str, Any], ...], tuple[tuple[str, str], ...]]


class UnpickledRules(ValueError):
    """Raised if the texts of a pickle give other rules than where it was made, or a state does not fit
    them."""


def pickled_game(game: Game) -> tuple[Any, ...]:
    """The arguments of `restored_game` for a game. Raises TypeError if it was not read from texts."""
    from ..core.verdicts import parameters_of, readings_of

    ruleset, core = game.ruleset, game.core
    if ruleset is None:
        raise TypeError(f"`{core.id}` was made of no texts; a game of `rulespec.load` can be pickled")
    texts = tuple((source.name, source.text) for source in ruleset.sources.values())
    links = tuple((file, word, to) for (file, word), to in ruleset.links.items())
    settings = core.players, tuple(parameters_of(core).items()), tuple(readings_of(core).items())
    given = game.name, core.digest, texts, links, settings
    _remember(given, game)
    return given


def restored_game(name: str, digest: str, texts: Texts, links: Links, settings: Settings) -> Game:
    """The game made from texts and settings. Raises UnpickledRules if it has another digest."""
    from ..language import read_texts
    from .face import Game

    given = name, digest, texts, links, settings
    if given in _games:
        return _games[given]
    ruleset = read_texts(dict(texts), {(file, word): to for file, word, to in links})
    players, parameters, readings = settings
    set_anew = ruleset.with_settings
    game = Game(set_anew(players, dict(parameters), dict(readings)), name, set_anew, by_code=True)
    if game.core.digest != digest:
        raise UnpickledRules(f"the pickled texts of `{name}` have other rules in this version of rulespec")
    game.ruleset = ruleset
    _remember(given, game)
    return game


def _remember(given: tuple[Any, ...], game: Game) -> None:
    """Cache a game for unpickling; of equal games the one used last is kept."""
    _games.pop(given, None)
    if len(_games) >= MOST_GAMES:
        del _games[next(iter(_games))]
    _games[given] = game


def pickled_plays(game: Game, plays: Chain[Action]) -> bytes | tuple[tuple[Any, ...], ...]:
    """A state's plays: by number if that is enough, else by move, with words that depend on the state."""
    if game.wording.is_fixed:
        try:
            number = game.actions.number
            return plays.pack(lambda play: number(*play.move))
        except TooManyActions:
            return tuple([(*play.move,) for play in plays.elements()])
    return tuple((*play.move, play.text, play.full, dict(play.arguments)) for play in plays.elements())


def restored_state(
    game: Game,
    position: tuple[tuple[Value, ...], int, str | None, Fault | None],
    source: Chance,
    chance: tuple[str, ...],
    plays: bytes | tuple[tuple[Any, ...], ...],
    origin: Mapping[str, Any] | None,
) -> State:
    """A state of a game, its plays from `pickled_plays`. Raises UnpickledRules if a value does not fit."""
    from .history import Chain
    from .state import State

    variables, values = game.machine.variables, position[0]
    if len(variables) != len(values) or not all(
        holds(var.type, value) for var, value in zip(variables, values, strict=False)
    ):
        raise UnpickledRules(f"the pickle holds no state of `{game.id}`")
    made = State(game, Position(*position), source, chance, origin=origin)
    made._plays = (
        Chain.unpack(plays, lambda number: _restored_play(game.wording, *game.actions[number]))
        if isinstance(plays, bytes)
        else Chain(tuple([_restored_play(game.wording, *fields) for fields in plays]))
    )
    return made


def _restored_play(wording: Wording, action: str, args: tuple[Value, ...], *words: Any) -> Action:
    """A play made from its move, with its words if they were pickled."""
    from .actions import Action, restored_action, words_of

    if words:
        return restored_action(action, args, *words)
    move = Move(action, args)
    return Action(move, lambda: words_of(move, wording, Context()))
