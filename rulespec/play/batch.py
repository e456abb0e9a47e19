"""Many games of one ruleset side by side in arrays, for programs that learn."""

from __future__ import annotations

import hashlib
import secrets
from array import array
from collections.abc import Iterable
from operator import index
from typing import TYPE_CHECKING, Any, NoReturn

from ..core.plain_data import from_data, to_data
from .chance import Chance
from .errors import IllegalAction, UnknownAction
from .face import Game, load
from .generated_code import end_names
from .position import Fault, Position
from .state import State

if TYPE_CHECKING:
    from ..code.execution.environments import Environments


def batch(game: Game | str, n: int, *, seed: int | str | None = None, auto_reset: bool = False) -> Batch:
    """Begin `n` games that play side by side in generated code, without Python for each.

    Args:
        game: a loaded game, or an argument of `load`.
        n: the number of games, at least 1.
        seed: fixes the chance of all games and `Batch.sample`; drawn if it is None.
        auto_reset: True if the next game begins in the place of one that ends, in the same step.

    Returns:
        The games after their setup.

    Raises:
        ValueError: n is below 1, the actions have no numbers (see `Game.actions`), the package wasmtime is
            missing, or the arrays do not fit into memory.

    Example:
        >>> import rulespec
        >>> games = rulespec.batch("tic-tac-toe", 3, seed=1)
        >>> games.step([0, 4, 8])
        >>> games.to_move.tolist(), games.mask.tolist()[1]
        ([1, 1, 1], [1, 1, 1, 1, 0, 1, 1, 1, 1])
    """
    return Batch(load(game) if isinstance(game, str) else game, n, seed, auto_reset)


class Batch:
    """Games of one ruleset side by side: reset, list, step and observe all of them at once.

    Its arrays are memoryviews of the machine's memory, which change in place with each step: no copy is made,
    and `numpy.asarray` accepts them directly. Rows belong to games, from 0; columns to the actions of
    `Game.actions`, the players of `Game.players` or the numbers of `Game.observation_layout`.

    Attributes:
        mask: (n, actions), uint8: 1 if the action is legal in the game.
        legal: (n,), int32: the number of legal actions; 0 if the game is over.
        to_move: (n,), int32: the position in `Game.players` of the player to move; -1 if the game is over.
        over: (n,), int32: 1 if the game ended in the last step, or earlier if games are not reset.
        ended: (n,), int32: the end that was reached there, see `ends`; 0 elsewhere.
        winners: (n, players), int32: 1 for each player who has won there, else 0.
        scores: (n, players), int64: the scores there, in a game with scores; 0 elsewhere.
        plies: (n,), int64: the plies of the present game.
        actions: (n,), int32: the actions of the last step or sample.
    """

    def __init__(self, game: Game, n: int, seed: int | str | None, auto_reset: bool) -> None:
        """See `batch`. Raises ValueError."""
        from ..code import Runner, write
        from ..code.execution.environments import Environments

        n = index(n)
        if n < 1:
            raise ValueError(f"a batch has at least one game, not {n}")
        self.game, self.size = game, n
        self._seed, base = _seed(seed)
        runner = Runner(write(game.core))
        self._games: Environments = Environments(runner, n, auto_reset, base)
        games = self._games
        told = games.mask, games.counts, games.movers, games.over, games.ended, games.plies
        # `step` relies on these: a mask changed in place would let illegal actions through.
        self.mask, self.legal, self.to_move, self.over, self.ended, self.plies = (
            array.toreadonly() for array in told
        )
        self.winners, self.scores = games.winners.toreadonly(), games.scores.toreadonly()
        self.actions = games.actions
        self._open = not auto_reset
        self._steps = 0
        """The number of steps since the games began."""

    @property
    def ends(self) -> tuple[str | None, ...]:
        """The names of the numbers in `ended`: the ends of the rules from 1 on, `stuck`, and last, at -1,
        `fault`."""
        return (*end_names(self.game.core), "fault")

    def reset(self, seed: int | str | None = None) -> None:
        """Begin all games anew.

        Args:
            seed: fixes chance from now on; None begins the same games again.
        """
        if seed is not None:
            self._seed = str(seed)
        self._games.begin(_seed(self._seed)[1])
        self._steps = 0

    def step(self, actions: Iterable[int]) -> None:
        """Play an action in every game; games that are over stay unchanged.

        Args:
            actions: a number for each game, as a list, an array or anything with the buffer protocol.

        Raises:
            IllegalAction: an action is illegal; the message says in which game and why. No game has changed.
            ValueError: there are fewer or more actions than games.
        """
        if actions is not self.actions:
            self._write_actions(actions)
        wrong = self._games.illegal()
        if wrong is not None:
            raise self._refused(wrong, self.actions[wrong])
        self._games.step()
        self._steps += 1

    def _refused(self, row: int, number: int) -> IllegalAction:
        """The error for an illegal action of a game."""
        if not 0 <= number < len(self.game.actions):
            words = f"actions are numbered from 0 to {len(self.game.actions) - 1}"
            return UnknownAction(str(number), words, row)
        state = self.state(row)
        action = state.find(number)
        refusals = state.why_not(action)
        assert refusals, f"action {number} of game {row} is legal for the interpreter alone"
        return IllegalAction(str(action), refusals, row)

    def sample(self) -> memoryview[int]:
        """Choose a legal action of each game at random, -1 for a game without one.

        Returns:
            `actions`, which holds them, ready for `step`.
        """
        self._games.sample()
        return self.actions

    def observe(self, player: Any = None) -> memoryview[int]:
        """Write a player's observation of every game, in the layout of `Game.observation_layout`.

        Args:
            player: one of `Game.players`; None is the player to move in each game, or the last mover if it is
                over.

        Returns:
            (n, numbers), int32. The next call overwrites it.

        Raises:
            ValueError: `player` is no player of the game.
        """
        return self._games.observe(None if player is None else from_data(self.game.core.player, player))

    def state(self, number: int) -> State:
        """The immutable state of a game.

        Its later chance is fixed by the seed of the batch, the steps so far and the number of the game, but
        it is not what the batch itself will draw; see `State.with_seed`.

        Args:
            number: the number of the game, from 0.

        Raises:
            IndexError: there is no such game.
        """
        number = index(number)
        if not 0 <= number < self.size:
            raise IndexError(f"there is no game {number}; they are numbered from 0 to {self.size - 1}")
        core = self.game.core
        values = self._games.values(number)
        names = zip(core.state.items(), values, strict=True)
        origin = {name: to_data(var.type, value) for (name, var), value in names}
        over = self._open and self.over[number]
        fault = Fault("", "", "") if over and self.ended[number] < 0 else None
        ended = self.ends[self.ended[number]] if over and not fault else None
        source = Chance(f"{self._seed}/{self._steps}/{number}")
        return State(self.game, Position(values, 0, ended, fault), source, origin=origin)

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"<Batch of {self.size} games of {self.game.id}>"

    def _write_actions(self, actions: Iterable[int]) -> None:
        """Copy the actions of all games to the array. Raises ValueError for another number of them."""
        given = actions.tolist() if hasattr(actions, "tolist") else [*actions]
        if len(given) != self.size:
            raise ValueError(f"{self.size} games take {self.size} actions, not {len(given)}")
        try:
            self.actions[:] = memoryview(array("i", given))
        except OverflowError:
            row, number = next((i, a) for i, a in enumerate(given) if not -(1 << 31) <= a < 1 << 31)
            raise self._refused(row, number) from None

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a batch has its games in the memory of its machine: pickle or copy `state(i)` instead"
        )


def _seed(seed: int | str | None) -> tuple[str, int]:
    """A seed, drawn if it is None, and the word from which the chance of a batch is derived."""
    text = str(secrets.randbelow(2**32) if seed is None else seed)
    return text, int.from_bytes(hashlib.sha256(f"batch {text}".encode()).digest()[:8], "little")
