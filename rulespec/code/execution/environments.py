"""Many games side by side in the arrays of one machine; see `kernels.environments`."""

from __future__ import annotations

from typing import Any

from ...budgets import watchdog
from ...core.action_numbers import first_numbers
from ...core.types import Value
from ...kernels import kit
from ...kernels.environments import FEW
from .numbers import numbering_names
from .runner import Runner, random_source, wider_buffer

PLY = 0.01
"""Maximum duration of a ply in seconds."""


class Environments:
    """The arrays of `size` games. Raises TooLarge without a machine or enough memory."""

    def __init__(self, runner: Runner, size: int, renews: bool, base: int) -> None:
        """Begin all games; `base` fixes all chance. Games that end begin anew if `renews`.

        Raises TooManyActions.
        """
        instance, program = runner.instance, runner.program
        self.runner, self.size, self.renews = runner, size, renews
        self.actions_each = first_numbers(program.game)[-1]
        self.players = program.game.player.values
        names = numbering_names(runner.written)
        self.observed = int(names["OBSERVED"])  # type: ignore[arg-type]
        self._names = instance.beside(names, "environments")
        room, first = instance.room, runner.first
        self._root = instance.numbers(first[0]), instance.words(first[1])
        self._now = (
            instance.numbers(first[0]), instance.words(first[1]), room("words", kit.FIRST),
            room("numbers", runner.written.rows.first_size),
        )  # fmt: skip
        self._cells, self._words = program.state_cells, len(program.words)
        self._games = (
            room("numbers", size * self._cells), room("words", size * self._words), room("words", size),
            room("numbers", size), room("numbers", size), room("small", size * FEW), room("words", 1),
        )  # fmt: skip
        each, players = self.actions_each, len(self.players)
        self._shown = (
            room("words", (size * each + 7) // 8 + 1), *(room("small", size) for _ in range(4)),
            room("small", size * players), room("numbers", size * players),
        )  # fmt: skip
        self._actions = room("small", size)
        self._seen: Any = None
        self._source = instance.words(random_source(base))
        mask, counts, movers, over, ended, won, scores = self._shown
        self.mask = mask.as_buffer("B", size, each)
        self.counts, self.movers = counts.as_buffer("i", size), movers.as_buffer("i", size)
        self.over, self.ended = over.as_buffer("i", size), ended.as_buffer("i", size)
        self.winners, self.scores = won.as_buffer("i", size, players), scores.as_buffer("q", size, players)
        self.plies = self._games[4].as_buffer("q", size)
        self.actions = self._actions.as_buffer("i", size)
        self._bind()
        self.begin(base)

    def _bind(self) -> None:
        """Bind the functions of the kernel to the arrays; needed again after a change of the action
        buffer."""
        names, arrays = self._names, (self._root, self._now, self._games, self._shown)
        self._begin = names["begin_all"].on(*arrays)
        self._advance = names["advance"].on(*arrays, self._actions)
        self._illegal = names["illegal"].on(self._shown, self._actions)
        self._sample = names["sample"].on(self._source, self._games[5], self._shown, self._actions)

    def begin(self, base: int) -> None:
        """Begin all games again, with chance derived from `base`."""
        self._games[6][0] = base
        self._games[3][:] = [0] * self.size
        self._source[:] = random_source(base)
        done = 0
        while done < self.size:
            watchdog.step(PLY * self.size)
            (done,) = self._begin(done, self.size)
            if done < self.size:
                self._widen()

    def step(self) -> None:
        """Take the actions in the array `actions`, which must be legal."""
        done = 0
        while done < self.size:
            watchdog.step(PLY * self.size)
            (done,) = self._advance(done, self.size, self.renews)
            if done < self.size:
                self._widen()

    def _widen(self) -> None:
        """Enlarge the buffer of legal actions. Raises TooLarge past its limit."""
        self._now = (*self._now[:3], wider_buffer(self.runner.instance, self._now[3], self.runner.written))
        self._bind()

    def illegal(self) -> int | None:
        """The number of the first game whose action in `actions` is illegal; None if all are legal."""
        (found,) = self._illegal(self.size)
        return found if found < self.size else None

    def sample(self) -> None:
        """Write a random legal action of each game into `actions`, -1 for games without one."""
        self._sample(self.size)

    def observe(self, player: Value | None) -> memoryview:
        """The observations of a player in all games as numbers; None is the player to move."""
        if self._seen is None:
            self._seen = self.runner.instance.room("small", self.size * self.observed)
        codes, game = self.runner.program.codes, self.runner.program.game
        viewer = -1 if player is None else codes.code(game.player, player)
        watchdog.step(PLY * self.size)
        self._names["observe_all"](self.size, viewer, self._now, self._games, self._seen)
        found: memoryview = self._seen.as_buffer("i", self.size, self.observed)
        return found

    def values(self, number: int) -> tuple[Value, ...]:
        """The values of the variables of a game."""
        cells = self._games[0][number * self._cells : (number + 1) * self._cells]
        words = self._games[1][number * self._words : (number + 1) * self._words]
        return self.runner.decode(cells, words)
